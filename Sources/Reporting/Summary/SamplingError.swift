import Fleet
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
/// people is n/N of that in the n which were drawn, and what another draw shows differs by both.
struct SamplingError {
    private let source: SummarySource
    private let jackknife: GroupJackknife
    /// The rows of all people and those without each group, quantiles not rounded.
    private let exact: [SummaryRow]
    private let without: [[SummaryRow]]
    private let people: Double
    private let represented: Double?
    /// Whether draws differ in more than their people, of which these do not tell.
    private let hasSharedDraws: Bool

    /// Nil where people are not drawn independently, or are too few to tell.
    init?(_ result: RunResult, _ source: SummarySource) {
        guard let groups = result.groups?.all, let jackknife = GroupJackknife(sizes: groups.map(\.people)) else {
            return nil
        }
        self.source = source
        self.jackknife = jackknife
        people = Double(result.scenario.people)
        represented = result.scenario.report.represents.map(Double.init)
        hasSharedDraws = !result.scenario.sharedDraws.isEmpty
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
        let t = StudentT.quantile(0.975, degreesOfFreedom: Double(jackknife.degreesOfFreedom))
        for i in rows.indices {
            switch rows[i].spread {
            case .unknown: continue
            case .ofLargest(let window): addLargest(window, to: &rows[i])
            case .ofPeople, .ofSum, .ofQuantile: addRange(to: &rows[i], i, t)
            }
        }
    }

    private func addRange(to row: inout SummaryRow, _ place: Int, _ t: Double) {
        guard let value = exact[place].value.asDouble else { return }
        if value == 0 {
            addRangeOfNone(to: &row)
            return
        }
        let isTotal = row.isTotal
        var others: [Double] = []
        for (group, rows) in without.enumerated() {
            guard let figure = rows[place].value.asDouble else { return }
            others.append(isTotal ? figure * jackknife.scale(without: group) : figure)
        }
        guard var deviation = jackknife.variance(of: value, without: others)?.squareRoot() else { return }
        // A figure that is the same in every group differs by the rounding of its parts only.
        if deviation <= 1e-12 * value.magnitude { deviation = 0 }
        func range(_ represented: Double) -> SamplingRange {
            let scale = isTotal ? represented / people : 1
            let half = t * deviation * (1 + people / represented).squareRoot()
            // No figure of a summary is below nothing, no share above the whole.
            let most = row.unit == "share" ? 1 : Double.infinity
            let isCoarse = row.spread == .ofQuantile
            func written(_ figure: Double, _ rule: FloatingPointRoundingRule) -> Double {
                // The ends of a quantile's range have its digits, outwards.
                SignificantDigits.rounded(
                    figure * scale, to: isCoarse ? 3 : Self.digits, isCoarse ? rule : .toNearestOrAwayFromZero)
            }
            return SamplingRange(
                value: written(value, .toNearestOrAwayFromZero),
                standardError: SignificantDigits.rounded(deviation * scale, to: Self.digits),
                low: written(max(0, value - half), .down), high: written(min(most, value + half), .up))
        }
        row.redraw = hasSharedDraws ? nil : range(people)
        row.represented = represented.map(range)
    }

    /// Nothing was counted. Where people count alike, a share is at most the share of people who have any of it; if
    /// that were larger than this, some of these would have some with a chance of 97.5 % (Hanley and Lippman-Hand, "If
    /// nothing goes wrong, is everything all right?", JAMA 249, 1983). How large another figure can be, these people do
    /// not tell.
    private func addRangeOfNone(to row: inout SummaryRow) {
        guard row.unit == "share", row.scope == .run else { return }
        let most = min(1, -DeterministicMath.log(0.025) / people)
        let range = SamplingRange(
            value: 0, standardError: 0, low: 0, high: SignificantDigits.rounded(most, to: Self.digits))
        row.redraw = hasSharedDraws ? nil : range
        row.represented = represented.map { _ in range }
    }

    /// The digits of what is estimated.
    private static let digits = 6

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
