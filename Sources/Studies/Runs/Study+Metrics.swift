import Reporting
import ScenarioFiles

extension Study {
    /// Checks the name of a metric before anything is simulated.
    ///
    /// - Parameter place: where the name stands, for the problem.
    /// - Throws: a sentence with the nearest name if the scenario has no such metric, as it stands and at every point.
    package func check(metric: String, at place: String) throws {
        let known = SummaryMetrics.names(for: try scenario.readChecked(overrides: overrides).scenario)
        if known.contains(metric) { return }
        for point in points {
            let read = try scenario.readChecked(overrides: overrides + design.overrides(of: point))
            if SummaryMetrics.names(for: read.scenario).contains(metric) { return }
        }
        throw StudyProblem.unknown(metric: metric, among: known, at: place)
    }
}

extension StudyProblem {
    /// A metric that nothing measures.
    static func unknown(metric: String, among known: [String], at place: String) -> StudyProblem {
        StudyProblem(
            place, expected: "a metric of summary.csv as thresholds name it", found: "'\(metric)'",
            nearest: Nearest.name(to: metric, among: known))
    }
}
