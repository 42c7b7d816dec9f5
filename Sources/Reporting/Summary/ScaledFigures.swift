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
        // The sample has one draw of what the seed draws for all people at once.
        func estimate(_ row: SummaryRow, _ place: KeyPath<Rows, SummaryRow>) -> ScaledEstimate? {
            guard SummaryMetrics.sharedDraws(moving: row.name, in: scenario).isEmpty else { return nil }
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
