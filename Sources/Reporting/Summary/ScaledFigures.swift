import Basics
import Fleet
import ScenarioModel
import Simulation
import Statistics

/// The figures of load and service of all people for whom those of a sample stand, with their ranges.
///
/// A range says where the figure of all people lies, of whom those of the sample are some and the others are drawn. Its
/// variance is the sum of two. By how much another sample would differ is told by the quarters of the sample: their
/// variance over their number. By how much other draws would differ is told by the computations with shorter and longer
/// blocks, which have draws of their own, beside the figure itself: their variance counts twice, since the people whom
/// nobody has counted are such a draw, too. Student's t has the degrees of freedom of that sum (Welch and
/// Satterthwaite). As far as quarters are off to one side, the sample may be: half of that is added.
struct ScaledFigures {
    private let scaled: ScaledService
    private let scenario: Scenario
    /// That of the sample.
    private let source: SummarySource
    private let edge: LoadStage

    init(_ scaled: ScaledService, _ scenario: Scenario, _ source: SummarySource, edge: LoadStage) {
        (self.scaled, self.scenario, self.source, self.edge) = (scaled, scenario, source, edge)
    }

    /// Puts the figures of all people in the place of those of the load at the edge of the sample, and adds ranges to
    /// those of the service.
    func replace(_ rows: inout [SummaryRow], _ ofService: inout [SummaryRow]) {
        let names = Set(Figures<LoadCounts>.load.all.map(\.name))
        let quarters = scaled.quarters.map(rowsOf), blocks = scaled.blocks.map(rowsOf)
        let all = loadRows(edge)
        for i in rows.indices
        where names.contains(rows[i].metric) && (rows[i].scope == .run || rows[i].scope == .endpoint) {
            rows[i] = all[i]
            rows[i].represented = range(all[i], quarters.map { $0.load[i] }, blocks.map { $0.load[i] })
            (rows[i].standsForOthers, rows[i].isOfRepresented) = (true, true)
        }
        for i in ofService.indices {
            ofService[i].represented = range(
                ofService[i], quarters.map { $0.service[i] }, blocks.map { $0.service[i] })
            (ofService[i].standsForOthers, ofService[i].isOfRepresented) = (true, true)
        }
    }

    private func rowsOf(_ outcome: ScaledService.Outcome) -> (load: [SummaryRow], service: [SummaryRow]) {
        func stage(_ name: String, _ curve: LoadCurve) -> LoadStage {
            LoadStage(name, curve, of: scenario, people: scaled.people)
        }
        let edge = stage(LoadStage.edgeName, outcome.load)
        return (
            loadRows(edge),
            ServiceSummary.rows(
                outcome.service, scenario, edge: edge, origin: stage(LoadStage.originName, outcome.service.originLoad),
                use: source.useOfAll)
        )
    }

    /// The rows of a whole summary with the load of a stage.
    private func loadRows(_ stage: LoadStage) -> [SummaryRow] {
        var other = source
        other.load = stage.analysis
        other.counts.setRequests(stage.analysis.endpoints.map(\.requests))
        return other.rows
    }

    /// Nil where a figure is not defined, or in any of the computations for its range.
    private func range(_ row: SummaryRow, _ quarters: [SummaryRow], _ blocks: [SummaryRow]) -> SamplingRange? {
        guard let value = row.value.asDouble else { return nil }
        let parts = quarters.compactMap(\.value.asDouble), others = blocks.compactMap(\.value.asDouble)
        guard parts.count == quarters.count, others.count == blocks.count, parts.count > 1, !others.isEmpty else {
            return nil
        }
        let (ofSample, ofDraws) = (Self.spread(parts), Self.spread(others + [value]))
        let (sample, draws) = (ofSample.variance / Double(parts.count), 2 * ofDraws.variance)
        let variance = sample + draws
        let freedom =
            variance == 0
            ? 1
            : variance * variance
                / (sample * sample / Double(parts.count - 1) + draws * draws / Double(others.count))
        let half =
            StudentT.quantile(0.975, degreesOfFreedom: freedom) * variance.squareRoot()
            + (ofSample.mean - value).magnitude / 2
        let most = row.unit == "share" ? 1 : Double.infinity
        func written(_ figure: Double) -> Double { SignificantDigits.rounded(figure, to: 6, .toNearestOrAwayFromZero) }
        return SamplingRange(
            value: value, standardError: written(variance.squareRoot()), low: written(max(0, value - half)),
            high: written(min(most, value + half)))
    }

    private static func spread(_ values: [Double]) -> (mean: Double, variance: Double) {
        let mean = values.reduce(0, +) / Double(values.count)
        return (mean, values.reduce(0) { $0 + ($1 - mean) * ($1 - mean) } / Double(values.count - 1))
    }
}
