import Basics
import Reporting
import ResultFiles
import ScenarioFiles
import ScenarioModel
import Simulation

/// A condition that a plan must meet: a bound on a metric, such as `service.origin.queue_wait_p99_s < 50ms` or
/// `load_peak_1s < 5000`.
package struct PlanTarget: Hashable, Sendable {
    package let text, metric: String
    package let op: Threshold.Comparison
    /// In the metric's unit: seconds, bytes, a share, a count.
    package let bound: Double
    /// The unit that the bound is in; nil for a plain number.
    private let unit: String?
    /// Whether the bound is known to be in the metric's unit.
    fileprivate let isConverted: Bool

    /// Reads a metric, `<`, `<=`, `>` or `>=`, and a bound: a number, a length of time, a size, or a percentage.
    ///
    /// - Parameter place: where the text stands, for the problem.
    package init(_ text: String, at place: String = "--target") throws(StudyProblem) {
        guard let parts = ThresholdText(text) else {
            throw StudyProblem(place, expected: ThresholdText.words, found: "'\(text)'")
        }
        (self.text, metric, op, bound, unit) = (text, parts.metric, parts.op, parts.bound.value, parts.bound.unit)
        isConverted = false
    }

    /// Reads such a target, or `objective=NAME`: that an objective of the scenario's service holds.
    package init(_ text: String, of scenario: Scenario) throws(StudyProblem) {
        guard let name = Self.objective(of: text) else {
            try self.init(text)
            return
        }
        let objectives = scenario.service?.objectives ?? []
        guard let objective = objectives.first(where: { $0.name == name }) else {
            let known = objectives.map(\.name).joined(separator: ", ")
            throw StudyProblem(
                "--target",
                expected: objectives.isEmpty
                    ? "a metric and its bound, as the service has no objectives" : "an objective of the service: \(known)",
                found: "'\(text)'")
        }
        self.init(objective.threshold)
    }

    private static func objective(of text: String) -> String? {
        let parts = text.split(separator: "=", maxSplits: 1).map { $0.trimmed }
        return parts.count == 2 && parts[0] == SummaryScope.objective.rawValue ? parts[1] : nil
    }

    /// Refuses conditions as far as that needs no scenario.
    package static func check(texts: [String]) throws(StudyProblem) {
        var metrics: [String] = []
        for text in texts where objective(of: text) == nil { metrics.append(try PlanTarget(text).metric) }
        try StudyProblem.check(metrics: metrics, at: "--target")
    }

    /// - Parameter bound: in the metric's unit.
    init(text: String, metric: String, op: Threshold.Comparison, bound: Double) {
        (self.text, self.metric, self.op, self.bound, unit) = (text, metric, op, bound, nil)
        isConverted = true
    }

    /// The targets where none are stated: that 99 % of the requests that a pool takes up in any one minute wait at most
    /// 50 ms.
    ///
    /// - Parameter key: the one that is looked for: if it is a pool's, the demand is on that pool, and else on all.
    package static func ofWorstMinute(pools: [String], key: String) -> [PlanTarget] {
        let own = PlanSummary.pool(of: key)
        return pools.filter { own == nil || $0 == own }.map {
            let metric = "service.\($0).queue_wait_p99_worst_1m_s"
            return PlanTarget(text: "\(metric) <= 50ms", metric: metric, op: .atMost, bound: 0.05)
        }
    }

    /// The same metric of the worst minute, if this is a quantile of a service over the whole report that is bounded
    /// from above.
    var worstMinute: String? {
        guard op.isUpper, metric.hasPrefix("service.") else { return nil }
        let isQuantile = ["_p95_s", "_p99_s", "_p999_s"].contains { metric.hasSuffix($0) }
        return isQuantile ? String(metric.dropLast(2)) + "_worst_1m_s" : nil
    }

    /// The same quantile of the wait for a server, which is a part of this metric; nil if it has no such part.
    package var queueWait: String? {
        for whole in ["origin_time_", "response_time_"] where metric.contains(".\(whole)") {
            return metric.replacing(".\(whole)", with: ".queue_wait_")
        }
        return nil
    }

    /// The metrics that some targets are about, each once.
    package static func metrics(of targets: [PlanTarget]) -> [String] { targets.map(\.metric).uniqued }

    /// Refuses targets about what the scenario does not measure, before anything is run.
    ///
    /// - Parameter known: the metrics of its runs.
    package static func check(_ targets: [PlanTarget], known: [String]) throws(StudyProblem) {
        let known = Set(known)
        for target in targets where !known.contains(target.metric) {
            throw StudyProblem.unknown(metric: target.metric, among: known.sorted(), at: "--target")
        }
    }

    /// Refuses a bound in another unit than the metric's, a plain number for a length of time (milliseconds would be
    /// taken for seconds), and a bound beyond all shares.
    ///
    /// - Parameter units: of the metrics that are known.
    static func checkUnits(_ targets: [PlanTarget], of units: [String: String]) throws(StudyProblem) {
        for target in targets {
            guard let unit = units[target.metric] else { continue }
            let divides = BoundText.divides(target.bound, unit)
            if divides && target.suits(unit: unit) { continue }
            let words =
                !divides
                ? BoundText.shareWords : unit == "s" ? "a length of time such as 200ms or 5s" : "a bound in \(unit)"
            throw StudyProblem("--target", expected: words, found: "'\(target.text)'")
        }
    }

    package static func checkUnits(_ targets: [PlanTarget], of scenario: Scenario) throws(StudyProblem) {
        let units = SummaryMetrics.all(for: scenario).map { ($0.name, $0.unit) }
        try checkUnits(targets, of: Dictionary(units, uniquingKeysWith: { first, _ in first }))
    }

    /// Whether the bound can be one of a metric of the unit: a length of time of seconds, a size of bytes, a percentage
    /// of shares, a plain number of any but seconds, of which only none is the same in every unit.
    func suits(unit: String) -> Bool {
        if isConverted { return true }
        return unit == "s" && self.unit == nil ? bound == 0 : BoundText.suits(self.unit, unit)
    }

    /// Whether a measured value meets it; one that is not defined does not.
    package func holds(_ value: Double?) -> Bool { value.map { op.holds($0, bound) } ?? false }
}

extension Study {
    /// Refuses the demands of objectives that the points vary: their bounds are those of the scenario as it stands.
    package func checkObjectives(of targets: [PlanTarget]) throws(StudyProblem) {
        guard let target = targets.first(where: { $0.isConverted && DemandText.isOfObjective($0.metric) }),
            points.contains(where: { design.overrides(of: $0).contains { $0.hasPrefix("service.objectives") } })
        else { return }
        throw StudyProblem(
            "--target", expected: "a bound of its own, such as '\(target.text)', where the objectives are varied",
            found: "the scenario's objective")
    }

    /// Conditions on the runs, each a metric with its bound or `objective=NAME`.
    package func targets(_ texts: [String]) throws(StudyProblem) -> [PlanTarget] {
        try texts.map { text throws(StudyProblem) in try PlanTarget(text, of: scenarioAsItStands) }
    }
}
