import Basics
import Reporting
import Simulation

extension PlanTarget {
    /// The target that a threshold of the scenario demands.
    package init(_ threshold: Threshold) {
        self.init(
            text: "\(threshold.metric) \(threshold.op.rawValue) \(threshold.value)", metric: threshold.metric,
            op: threshold.op,
            bound: threshold.value)
    }
}

extension Table<PlanSummary.Figure> {
    package static let plan = Table(
        "plan", "One figure of a plan a row: the value that was found, and what the scenario does with it.",
        [
            .key(
                "figure",
                "The figure: `answer`, a metric of the scenario at the answer, or a figure of the exact formulas beside it.",
                \.name
            ),
            .derived("unit", "The unit of the value.", \.unit),
            .derived("value", "The value: of a metric, the mean over the replications.", \.value),
            .derived(
                "interval_low", "The lower end of its 95 % interval, by Student's t; empty for what does not vary.",
                \.low),
            .derived("interval_high", "Its upper end.", \.high),
        ])
}

/// One value that was tried in one replication.
package struct TrialRow {
    let trial: Planner.Trial
    /// One for each metric of the targets.
    let values: [Double?]
}

extension Planner.Answer {
    /// The rows of the table `trials`: a metric with several targets has one column.
    package func rows(targets: [PlanTarget]) -> [TrialRow] {
        let places = PlanTarget.metrics(of: targets).map { metric in targets.firstIndex { $0.metric == metric }! }
        return trials.map { trial in TrialRow(trial: trial, values: places.map { trial.measured[$0] }) }
    }
}

extension Table<TrialRow> {
    /// - Parameter metrics: those of the targets.
    package static func trials(axis: String, metrics: [String]) -> Self {
        Table(
            "trials", "One value that was tried in one replication a row, with the metrics of the targets.",
            [
                .axis(axis, \.trial.value), .replication(\.trial.replication),
                .several(
                    metrics.enumerated().map { place, metric in
                        .derived(metric, "The metric of a target.") { $0.values[place] }
                    }),
                .derived("holds", "Whether all targets hold.", \.trial.holds),
            ])
    }
}
