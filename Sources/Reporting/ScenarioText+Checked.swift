import Basics
import ResultFiles
import ScenarioFiles
import Simulation

extension ScenarioText {
    /// Reads the scenario with the metrics of its thresholds checked.
    ///
    /// It is read twice if it has thresholds: which metrics there are depends on its own kinds, segments and endpoints.
    package func readChecked(overrides: [String], thresholds: [String] = []) throws(ScenarioProblems) -> ParsedScenario
    {
        let unchecked: ParsedScenario
        do {
            unchecked = try read(overrides: overrides, thresholds: thresholds, knownMetrics: nil)
        } catch {
            if error.isMissingInput { throw error }
            // The parts of a wrong scenario are not known, but names that no scenario has are.
            throw ScenarioProblems(thresholds.compactMap(Self.unknownMetric) + error.problems)
        }
        if unchecked.scenario.thresholds.isEmpty { return unchecked }
        return try read(
            overrides: overrides, thresholds: thresholds, knownMetrics: SummaryMetrics.all(for: unchecked.scenario))
    }
}

extension ScenarioText {
    /// A threshold of the command line whose metric no scenario has; nil for others.
    private static func unknownMetric(_ text: String) -> ScenarioProblem? {
        guard let metric = ThresholdText(text)?.metric, !ReportDictionary.hasMetric(metric) else { return nil }
        return ScenarioProblem(
            file: "--threshold '\(text)'", keyPath: "metric", expected: "a metric of the summary",
            found: "'\(metric)'", nearest: Nearest.name(to: metric, among: ReportDictionary.metrics.map(\.name)))
    }
}

extension ParsedScenario {
    /// The inputs from which its results follow.
    package var identity: RunIdentity {
        RunIdentity(
            resolvedScenario: resolvedText, recordSHA256: recordSHA256, seed: scenario.plan.seed,
            userCode: scenario.userCode)
    }

    /// Sentences about what is allowed and yet probably not meant.
    ///
    /// With a service they come from a sample of the fleet, which takes up to some tenths of a second.
    ///
    /// - Parameter estimate: that of the scenario; nil to make it where it is needed.
    package func warnings(_ estimate: ScenarioEstimate? = nil) -> [String] {
        if scenario.service == nil { return noticed }
        return noticed + (estimate ?? ScenarioEstimate(scenario, needsMemory: false)).overloads(of: scenario)
    }
}
