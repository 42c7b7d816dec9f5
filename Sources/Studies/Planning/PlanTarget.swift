import Simulation

/// What a plan must hold: a bound on a metric, such as `service.origin.queue_wait_p99_s < 50ms` or `load_peak_1s < 5000`.
package struct PlanTarget: Hashable, Sendable {
    package let text: String
    package let metric: String
    package let op: Threshold.Comparison
    /// In the metric's unit: seconds, bytes, a share, a count.
    package let bound: Double
    private let kind: Quantity.Kind

    /// Reads a metric, `<`, `<=`, `>` or `>=`, and a bound: a number, a length of time, a size, or a percentage.
    ///
    /// - Parameter place: where the text stands, for the problem.
    package init(_ text: String, at place: String = "--target") throws(StudyProblem) {
        guard let parts = Threshold.Comparison.parts(of: text), let bound = Self.bound(parts.bound) else {
            throw StudyProblem(place, expected: "a metric, <, <=, > or >=, and a bound such as 5000, 50ms or 95%", found: "'\(text)'")
        }
        (self.text, metric, op, self.bound, kind) = (text, parts.metric, parts.op, bound.value, bound.kind)
    }

    init(text: String, metric: String, op: Threshold.Comparison, bound: Double) {
        (self.text, self.metric, self.op, self.bound, kind) = (text, metric, op, bound, .number)
    }

    /// The metrics that some targets are about, each once.
    package static func metrics(of targets: [PlanTarget]) -> [String] {
        targets.enumerated().filter { place, target in !targets[..<place].contains { $0.metric == target.metric } }.map(\.element.metric)
    }

    private static func bound(_ text: String) -> (value: Double, kind: Quantity.Kind)? {
        let isPercentage = text.hasSuffix("%")
        guard let bound = Quantity(isPercentage ? String(text.dropLast()).trimmed : text) else { return nil }
        if isPercentage && bound.kind != .number { return nil }
        return (isPercentage ? bound.double / 100 : bound.double, bound.kind)
    }

    /// Refuses targets about what the scenario does not measure, before anything is run.
    ///
    /// - Parameter known: the metrics of its runs.
    package static func check(_ targets: [PlanTarget], known: [String]) throws(StudyProblem) {
        let known = Set(known)
        for target in targets where !known.contains(target.metric) {
            throw StudyProblem("--target", expected: "a metric of summary.csv or service_summary.csv", found: "'\(target.metric)'")
        }
    }

    /// Whether the bound can be one of a metric of the unit: a length of time of seconds, a size of bytes, a plain number of any.
    func suits(unit: String) -> Bool { kind == .number || PlanSummary.unit(of: kind) == unit }

    /// Whether a measured value meets it; one that is not defined does not.
    package func holds(_ value: Double?) -> Bool { value.map { op.holds($0, bound) } ?? false }
}
