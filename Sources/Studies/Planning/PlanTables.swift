import Reporting
import Simulation

extension PlanTarget {
    /// What a threshold of the scenario demands.
    public init(_ threshold: Threshold) {
        self.init(
            text: "\(threshold.metric) \(threshold.op.rawValue) \(threshold.value)", metric: threshold.metric, op: threshold.op.rawValue,
            bound: threshold.value)
    }
}

extension PlanSummary {
    /// The rows of the table `plan`.
    public func add(to rows: inout TableRows) throws(OutputProblem) {
        for figure in figures {
            try rows.add([.text(figure.name), .text(figure.unit), .number(figure.value), .number(figure.low), .number(figure.high)])
        }
    }
}

extension Planner.Answer {
    /// The rows of the table `trials`: a metric with several targets has one column.
    public func addTrials(targets: [PlanTarget], to rows: inout TableRows) throws(OutputProblem) {
        let metrics = PlanTarget.metrics(of: targets)
        for trial in trials {
            let values = metrics.map { metric in trial.measured[targets.firstIndex { $0.metric == metric }!] }
            try rows.add([.text(trial.value), .integer(trial.replication)] + values.map { .number($0) } + [.boolean(trial.holds)])
        }
    }
}
