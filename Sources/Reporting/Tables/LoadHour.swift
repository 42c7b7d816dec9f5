import Basics
import Simulation
import Statistics

/// The requests of an hour of the report, and of the same hour in other draws of the fleet.
struct LoadHour: Sendable {
    let start: ReportInstant
    /// At the edge, all endpoints together.
    let requests: Int64
    /// The range of 95 % of other draws; nil where people are not drawn independently.
    let redraw: SamplingRange?
    /// That for all people that those of the run stand for.
    let represented: SamplingRange?
    let representedValue: Double?

    /// Fewer requests are a count that is not normal; none does not make the next draw certain.
    private static let few: Int64 = 30
    private static let deviations = 1.959964

    init(
        _ start: ReportInstant, _ requests: Int64, variance: Double?, people: Int, represented: Int?,
        hasSharedDraws: Bool
    ) {
        (self.start, self.requests) = (start, requests)
        func range(_ others: Int) -> SamplingRange? {
            guard let variance else { return nil }
            let scale = Double(others) / Double(people)
            let value = Double(requests)
            let deviation = max(1, variance).squareRoot()
            if requests < Self.few {
                let range = RareCount.range(
                    of: requests, dispersion: max(1, variance / max(1, value)), scale: scale)
                return SamplingRange(
                    value: (value * scale).rounded(), standardError: deviation * scale,
                    low: min(range.lowerBound, (value * scale).rounded()), high: range.upperBound)
            }
            let half = Self.deviations * deviation * (1 + 1 / scale).squareRoot()
            return SamplingRange(
                value: (value * scale).rounded(), standardError: deviation * scale,
                low: (max(0, value - half) * scale).rounded(), high: ((value + half) * scale).rounded())
        }
        redraw = hasSharedDraws ? nil : range(people)
        self.represented = hasSharedDraws ? nil : represented.flatMap(range)
        representedValue = variance == nil ? nil : represented.map {
            (Double(requests) * Double($0) / Double(people)).rounded()
        }
    }
}

extension RunReport {
    /// The hours of the report from its start; the last may be shorter.
    var hours: [LoadHour] {
        let load = edge.curve
        let drawn = DrawnLoad(load)
        let scenario = result.scenario
        let byMinute = load.requestsByMinute
        let hour = LoadWindow.allCases.firstIndex(of: .hour)!
        return stride(from: 0, to: load.minutes, by: 60).map { minute in
            LoadHour(
                instant(after: .minutes(Int64(minute))), byMinute[minute..<min(load.minutes, minute + 60)].reduce(0, +),
                variance: drawn?.variance(width: hour, minute: minute, people: Double(scenario.people)),
                people: scenario.people, represented: result.scaled == nil ? scenario.report.represents : nil,
                hasSharedDraws: scenario.hasSharedLoad)
        }
    }
}
