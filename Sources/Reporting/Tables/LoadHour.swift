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

    /// - Parameter dispersion: of the requests of quiet hours, 1 or more: by it an hour without any knows how many come
    ///   together.
    init(
        _ start: ReportInstant, _ requests: Int64, variance: Double?, dispersion: Double, people: Int,
        represented: Int?, hasSharedDraws: Bool
    ) {
        (self.start, self.requests) = (start, requests)
        func range(_ others: Int) -> SamplingRange? {
            guard let variance else { return nil }
            let scale = Double(others) / Double(people)
            let value = Double(requests)
            let deviation = max(1, variance).squareRoot()
            if requests < Self.few {
                let range = RareCount.range(
                    of: requests, dispersion: requests == 0 ? dispersion : max(1, variance / value), scale: scale)
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
        representedValue =
            variance == nil
            ? nil
            : represented.map {
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
        let people = scenario.people
        let hours = stride(from: 0, to: load.minutes, by: 60).map { minute in
            (
                minute, requests: byMinute[minute..<min(load.minutes, minute + 60)].reduce(0, +),
                variance: drawn?.variance(width: hour, minute: minute, people: Double(people))
            )
        }
        // In hours in which most people send nothing, it is no person's usual number that makes requests come together.
        let quiet = hours.filter { $0.requests > 0 && $0.requests * 4 <= Int64(people) }
        let dispersion =
            quiet.reduce(0) { $0 + ($1.variance ?? 0) } / Double(max(1, quiet.reduce(0) { $0 + $1.requests }))
        return hours.map { minute, requests, variance in
            LoadHour(
                instant(after: .minutes(Int64(minute))), requests, variance: variance, dispersion: max(1, dispersion),
                people: people, represented: result.scaled == nil ? scenario.report.represents : nil,
                hasSharedDraws: scenario.hasSharedLoad)
        }
    }
}
