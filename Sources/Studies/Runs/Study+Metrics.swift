import Basics
import Reporting
import ScenarioFiles
import ScenarioModel
import Simulation

extension Study {
    /// Checks the name of a metric before anything is simulated.
    ///
    /// - Parameter place: where the name stands, for the problem.
    /// - Throws: a sentence with the nearest name if the scenario has no such metric, as it stands and at every point.
    package func check(metric: String, at place: String) throws {
        let known = SummaryMetrics.names(for: try scenario.readChecked(overrides: overrides).scenario)
        if known.contains(metric) {
            try Self.checkPrices(of: metric, try scenario.readChecked(overrides: overrides).scenario, at: place)
            return
        }
        for point in points {
            let read = try scenario.readChecked(overrides: overrides + design.overrides(of: point))
            if SummaryMetrics.names(for: read.scenario).contains(metric) { return }
        }
        throw StudyProblem.unknown(metric: metric, among: known, at: place)
    }

    /// Refuses a cost where nothing has a price: it would be 0 whatever the service does.
    package static func checkPrices(of metric: String, _ scenario: Scenario, at place: String) throws(StudyProblem) {
        guard metric.contains("cost_"), let prices = scenario.service?.prices, !prices.isAny else { return }
        throw StudyProblem(
            place, expected: "prices in service.prices for the metric '\(metric)', such as server_hour", found: "none")
    }
}

extension StudyProblem {
    /// Refuses names that no scenario has, before the scenario itself and what is varied are looked at.
    package static func check(metrics: [String], at place: String) throws(StudyProblem) {
        for metric in metrics where !ReportDictionary.hasMetric(metric) {
            throw .unknown(metric: metric, among: ReportDictionary.metrics.map(\.name), at: place)
        }
    }

    /// A metric that nothing measures.
    static func unknown(metric: String, among known: [String], at place: String) -> StudyProblem {
        // A metric of a part without its part.
        let ofPart = known.filter { $0.hasSuffix("." + metric) }.min { ($0.count, $0) < ($1.count, $1) }
        return StudyProblem(
            place, expected: "a metric of summary.csv as thresholds name it", found: "'\(metric)'",
            nearest: ofPart ?? Nearest.name(to: metric, among: known))
    }
}
