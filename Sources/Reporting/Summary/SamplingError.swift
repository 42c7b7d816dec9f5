import Fleet
import ScenarioModel
import Simulation
import Statistics

/// A figure in other draws of a fleet: its value, and where it lies in 95 % of them.
package struct SamplingRange: Hashable, Sendable {
    /// The best single guess.
    package let value: Double
    /// The standard error of the value as an estimate of the mean of all draws; nil for a largest window, whose
    /// distribution is not that of a mean.
    package let standardError: Double?
    /// 2.5 % of the draws lie below the one, 2.5 % above the other.
    package let low, high: Double
}

/// How far the figures of a summary differ between draws of a fleet, estimated from one draw.
///
/// Every figure is computed without each group of people in turn (`GroupJackknife`). Its variance in a fleet of N
/// people is n/N of that in the n which were drawn, and what another draw shows differs by both. A figure that follows
/// what the seed draws for many people at once (`SharedDraw`) has no range: of that there is one draw.
struct SamplingError {
    private let source: SummarySource
    private let jackknife: GroupJackknife
    /// The rows of all people and those without each group, quantiles not rounded.
    private let exact: [SummaryRow]
    private let without: [[SummaryRow]]
    private let people: Double
    private let represented: Double?
    private let sharedDraws: [SharedDraw]

    /// Nil where people are not drawn independently, or are too few to tell.
    init?(_ result: RunResult, _ source: SummarySource) {
        guard let groups = result.groups?.all, let jackknife = GroupJackknife(sizes: groups.map(\.people)) else {
            return nil
        }
        self.source = source
        self.jackknife = jackknife
        people = Double(result.scenario.people)
        represented = result.scenario.report.represents.map(Double.init)
        sharedDraws = result.scenario.sharedDraws
        var source = source
        source.isExact = true
        exact = source.rows
        without = groups.map { group in
            var others = source
            others.counts -= group.counts
            return others.rows
        }
    }

    /// Adds the ranges of other draws to the rows of the source.
    func add(to rows: inout [SummaryRow]) {
        for i in rows.indices {
            switch rows[i].spread {
            case .unknown: continue
            case .ofLargest(let window): addLargest(window, to: &rows[i])
            case .ofPeople, .ofSum, .ofQuantile: addRange(to: &rows[i], i)
            }
        }
    }

    private func addRange(to row: inout SummaryRow, _ place: Int) {
        guard let value = exact[place].value.asDouble else { return }
        let isTotal = row.isTotal
        guard SummaryMetrics.sharedDraws(moving: row.name, in: source.scenario, among: sharedDraws).isEmpty else {
            row.representedValue = represented.map { written(isTotal ? value * $0 / people : value) }
            return
        }
        if value == 0 || value == 1 && row.unit == "share" {
            guard row.unit == "share", let interval = intervalOfOne(value, place) else { return }
            let range = SamplingRange(
                value: value, standardError: 0, low: written(interval.low), high: written(interval.high))
            (row.redraw, row.represented) = (range, represented.map { _ in range })
            return
        }
        if row.spread == .ofQuantile && !isKnown(quantile: place) { return }
        var others: [Double] = []
        for (group, rows) in without.enumerated() {
            guard let figure = rows[place].value.asDouble else { return }
            others.append(isTotal ? figure * jackknife.scale(without: group) : figure)
        }
        // A mean in which nobody differs does not tell by how much others would.
        let isRatio = !isTotal && row.unit != "share"
        let isOfMany = isRatio && exact[place].whole.map { people(inWhole: $0, place) >= Self.fewestPeople } ?? false
        let leastDegrees = isOfMany ? Self.fewestDegrees : nil
        guard let error = jackknife.error(of: value, without: others, leastDegrees: leastDegrees),
            error.value == 0
                ? isTotal : error.degreesOfFreedom >= min(Self.fewestDegrees, Double(others.count - 1) / 2)
        else { return }
        if error.value == 0 && !Self.ofFleet.contains(row.metric) {
            row.redraw = rangeOfEqual(value, people)
            row.represented = represented.flatMap { rangeOfEqual(value, $0) }
            return
        }
        let bounds = SamplingRange.bounds(unit: row.unit)
        // The ends of a quantile's range have its digits, outwards.
        let isCoarse = row.spread == .ofQuantile
        func range(_ represented: Double) -> SamplingRange? {
            let scale = isTotal ? represented / people : 1
            guard
                let interval = (error * (1 + people / represented).squareRoot())?.interval(
                    around: value, within: bounds, isRatio: isRatio)
            else { return nil }
            func end(_ figure: Double, _ rule: FloatingPointRoundingRule) -> Double {
                isCoarse ? SignificantDigits.rounded(figure * scale, to: 3, rule) : written(figure * scale)
            }
            return SamplingRange(
                value: end(value, .toNearestOrAwayFromZero),
                standardError: written(interval.standardError == 0 ? 0 : error.value * scale),
                low: end(interval.low, .down), high: end(interval.high, .up))
        }
        row.redraw = range(people)
        row.represented = represented.flatMap(range)
    }

    /// The counts that the scenario states, which are the same in every draw.
    private static let ofFleet: Set = ["people", "devices", "instances"]

    /// The range of a total to which everybody brings the same: as far as so many people tell, the few of another draw
    /// who differ bring nothing, or twice as much.
    private func rangeOfEqual(_ value: Double, _ represented: Double) -> SamplingRange? {
        EstimatedInterval(ofShareOf: false, trials: people).map { differing in
            let total = value * represented / people
            return SamplingRange(
                value: written(total), standardError: 0, low: written(total * (1 - differing.high)),
                high: written(total * (1 + differing.high)))
        }
    }

    /// The interval of a share of none or of all, as far as so many independent people tell who have a part in the
    /// whole. How large another figure can be of which nothing was counted, these people do not tell.
    private func intervalOfOne(_ value: Double, _ place: Int) -> EstimatedInterval? {
        guard let whole = exact[place].whole else { return nil }
        return EstimatedInterval(ofShareOf: value == 1, trials: min(people(inWhole: whole, place), whole))
    }

    /// Whether so many values and so many people lie beyond a quantile that a group less moves it smoothly: by fewer
    /// it is moved by whole gaps between values or not at all, and the jackknife does not tell its error (Shao and Wu,
    /// "A general theory for jackknife variance estimation", Annals of Statistics 17, 1989).
    private func isKnown(quantile place: Int) -> Bool {
        guard let whole = exact[place].whole else { return false }
        let (tail, groups) = (exact[place].tail, Double(without.count))
        return whole * tail >= Self.fewestValues * groups && people(inWhole: whole, place) * tail >= groups
    }

    /// How many independent people with equal parts would tell as much of a figure's whole.
    private func people(inWhole whole: Double, _ place: Int) -> Double {
        jackknife.effectiveNumber(ofSum: whole, without: without.map { $0[place].whole ?? 0 })
    }

    private func written(_ figure: Double) -> Double { SamplingRange.written(figure) }

    /// The values of each group beyond a quantile, on average.
    private static let fewestValues = 3.0
    /// With fewer degrees of freedom a few people decide a figure, and others may have more of it than any of these.
    private static let fewestDegrees = 6.0
    /// So many people with a part in a mean have one of a hundred who brings much in 95 % of draws: then the degrees of
    /// freedom are not held against it, of which such a draw has few.
    private static let fewestPeople = 300.0

    private func addLargest(_ window: LoadWindow, to row: inout SummaryRow) {
        guard row.scope == .run || row.scope == .endpoint && source.load.endpoints.count == 1 else { return }
        row.setRanges(of: source.load.all[window])
    }
}

extension SamplingRange {
    init(_ redraw: LoadRedraw) {
        self.init(
            value: Double(redraw[.p50]), standardError: nil, low: Double(redraw[.p2_5]), high: Double(redraw[.p97_5]))
    }
}

extension SummaryRow {
    /// The ranges of a largest window are those of its load.
    mutating func setRanges(of window: WindowLoad) {
        (redraw, represented) = (window.redraw.map(SamplingRange.init), window.represented.map(SamplingRange.init))
        representedValue = window.representedMedian.map(Double.init)
    }

    /// Whether it grows with people: a sum over them, or a sum by time.
    var isTotal: Bool {
        switch value {
        case .count, .millionths: true
        case .number: spread == .ofSum
        case .missing: false
        }
    }
}
