import Basics
import Fleet
import ScenarioModel
import Simulation
import Statistics

/// The figures of load and service of all people for whom those of a sample stand, and the ranges of these and of the
/// sample's own.
///
/// A range says where the figure of all people lies, of whom those of the sample are some and the others are drawn. The
/// mean square of the differences between half samples (`HalfSamples`) and the whole sample has what another sample
/// would change and, twice, what other draws would, since each of them has draws of its own. The N people are a sample,
/// too, which adds n/N of it.
///
/// A figure of the sample's own people has the range that `SamplingError` tells for a service that is what it is, and
/// beside it that of what another service would do to the same people.
struct ScaledFigures {
    private let scaled: ScaledService
    private let scenario: Scenario
    /// That of the sample.
    private let source: SummarySource
    private let edge: LoadStage

    init(_ scaled: ScaledService, _ scenario: Scenario, _ source: SummarySource, edge: LoadStage) {
        (self.scaled, self.scenario, self.source, self.edge) = (scaled, scenario, source, edge)
    }

    /// The rows of one computation.
    private struct Rows {
        /// Those of load and people, in the order of the summary.
        let summary: [SummaryRow]
        let service: [SummaryRow]
    }

    /// Puts the figures of all people in the place of those of the load at the edge of the sample, and adds ranges.
    func replace(_ rows: inout [SummaryRow], _ ofService: inout [SummaryRow]) {
        let names = Set(Figures<LoadCounts>.load.all.map(\.name))
        let halves = scaled.halves.map(rowsOf)
        let share = Double(scenario.people) / Double(scaled.people)
        let all = summaryRows(edge, nil)
        let shared = scenario.sharedDraws
        // The sample has one draw of what the seed draws for all people at once.
        func estimate(_ row: SummaryRow, _ place: KeyPath<Rows, SummaryRow>) -> ScaledEstimate? {
            let moving = SummaryMetrics.sharedDraws(moving: row.name, in: scenario, among: shared)
            guard moving.isEmpty else { return nil }
            return ScaledEstimate(
                row, halves: halves.map { $0[keyPath: place] }, sampled: scenario.people, of: scaled.people)
        }
        for i in rows.indices {
            if names.contains(rows[i].metric) && (rows[i].scope == .run || rows[i].scope == .endpoint) {
                rows[i] = all[i]
                rows[i].represented = estimate(all[i], \.summary[i])?.range
                (rows[i].standsForOthers, rows[i].isOfRepresented) = (true, true)
            } else if let half = estimate(all[i], \.summary[i])?.half {
                rows[i].represented = rows[i].represented?.widened(
                    by: all[i].isTotal ? half / share : half, unit: rows[i].unit)
                rows[i].redraw = rows[i].redraw?.widened(by: half, unit: rows[i].unit)
            }
        }
        let well = Self.rangeOfWell(rows)
        for i in ofService.indices {
            ofService[i].represented = Self.isOfUse(ofService[i]) ? well : estimate(ofService[i], \.service[i])?.range
            (ofService[i].standsForOthers, ofService[i].isOfRepresented) = (true, true)
        }
    }

    private func rowsOf(_ outcome: ScaledService.Outcome) -> Rows {
        func stage(_ name: String, _ curve: LoadCurve) -> LoadStage {
            LoadStage(name, curve, of: scenario, people: scaled.people)
        }
        let edge = stage(LoadStage.edgeName, outcome.load)
        return Rows(
            summary: summaryRows(edge, outcome.people),
            service: ServiceSummary.rows(
                outcome.service, scenario, edge: edge, origin: stage(LoadStage.originName, outcome.service.originLoad),
                use: source.useOfAll))
    }

    /// The rows of a summary with the load of a stage and, if they are others, the counts of people.
    private func summaryRows(_ stage: LoadStage, _ people: RunMeasures?) -> [SummaryRow] {
        var other = source
        other.load = stage.analysis
        let requests = stage.analysis.endpoints.map(\.requests)
        if let people {
            other.counts = SummaryCounts(people, requests: requests)
        } else {
            other.counts.setRequests(requests)
        }
        return other.rows
    }

    /// The range of the share of reloads that end well, which is one less that of those that fail.
    private static func rangeOfWell(_ rows: [SummaryRow]) -> SamplingRange? {
        rows.first { $0.scope == .run && $0.metric == "share_reloads_failed" }?.represented.map {
            SamplingRange(value: 1 - $0.value, standardError: $0.standardError, low: 1 - $0.high, high: 1 - $0.low)
        }
    }

    private static func isOfUse(_ row: SummaryRow) -> Bool {
        Figures.serviceUse.all.contains { $0.name == row.metric }
    }
}

/// A figure of all people for whom those of a sample stand, with what other samples and other draws would change.
struct ScaledEstimate {
    private let value: Double
    private let unit: String
    private let error: StandardError
    private let sampled: Int

    /// Nil where the figure is not defined, or in any of the half samples.
    ///
    /// - Parameters:
    ///   - row: of all people.
    ///   - halves: from each half sample.
    ///   - sampled: the people of the sample.
    ///   - people: all of them.
    init?(_ row: SummaryRow, halves: [SummaryRow], sampled: Int, of people: Int) {
        let others = halves.compactMap(\.value.asDouble)
        guard let value = row.value.asDouble, others.count == halves.count, !others.isEmpty else { return nil }
        let ofHalves = StandardError(
            ofEach: others, around: value, squaresOver: Double(others.count),
            degreesOfFreedom: Double(HalfSamples.count - 1))
        guard let error = ofHalves.flatMap({ $0 * (1 + Double(sampled) / Double(people)).squareRoot() }) else {
            return nil
        }
        (self.value, unit, self.error, self.sampled) = (value, row.unit, error, sampled)
    }

    /// Half the width of the range of 95 %; nil if it is too large for a number.
    var half: Double? {
        error.interval(around: value, within: -Double.infinity...Double.infinity).map { $0.high - value }
    }

    /// A share of none, or of all, has the range that so many people can tell of it.
    var range: SamplingRange? {
        let isShare = unit == "share"
        let interval =
            isShare && error.value == 0 && (value == 0 || value == 1)
            ? EstimatedInterval(ofShareOf: value == 1, trials: Double(sampled))
            : error.interval(around: value, within: SamplingRange.bounds(unit: unit))
        return interval.map {
            SamplingRange(
                value: value, standardError: SamplingRange.written($0.standardError),
                low: min(value, SamplingRange.written($0.low)), high: max(value, SamplingRange.written($0.high)))
        }
    }
}

extension SamplingRange {
    /// A range to which an independent deviation is added.
    ///
    /// - Parameter half: of the range of 95 % of that deviation.
    func widened(by half: Double, unit: String) -> SamplingRange {
        if half == 0 { return self }
        func with(_ own: Double) -> Double { (own * own + half * half).squareRoot() }
        let bounds = Self.bounds(unit: unit)
        return SamplingRange(
            value: value, standardError: standardError,
            low: Self.written(max(bounds.lowerBound, value - with(value - low))),
            high: Self.written(min(bounds.upperBound, value + with(high - value))))
    }

    /// No figure of a summary is below nothing, no share above the whole.
    static func bounds(unit: String) -> ClosedRange<Double> { 0...(unit == "share" ? 1 : .infinity) }

    static func written(_ figure: Double) -> Double {
        SignificantDigits.rounded(figure, to: 6, .toNearestOrAwayFromZero)
    }
}
