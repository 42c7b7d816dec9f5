extension ReportTable {
    static let summary = ReportTable(
        "summary", "One figure of the run, or of one of its parts, a row. Every run of a scenario has the same rows.",
        [
            .key("metric", "The metric's name; those of a part have the part before them. Thresholds refer to it."),
            .derived(
                "unit", type: .string, optional: false,
                "The unit of the value; `share` for a part of a whole (0 to 1), `ratio` for a plain number."),
            .derived("value", "The value; empty where it is not defined, such as a share of no views."),
        ])

    static let thresholds = ReportTable(
        "thresholds", "One threshold of the scenario a row, in the order of the scenario.",
        [
            .key("metric", "The metric of the summary that it is about."),
            .key("op", "The comparison that must hold between what was measured and the bound: `<`, `<=`, `>` or `>=`."),
            .key("bound", type: .number, "The bound, in the metric's unit."),
            .derived("measured", "The metric's value; empty if it is not defined, and then the threshold does not hold."),
            .derived("holds", type: .boolean, optional: false, "Whether the threshold holds."),
        ])
}

extension RunReport {
    func writeSummary(_ csv: inout CSVWriter) throws(OutputProblem) {
        for row in summary {
            csv.text(row.metric)
            csv.text(row.unit)
            csv.value(row.value)
            try csv.endRow()
        }
    }

    func writeThresholds(_ csv: inout CSVWriter) throws(OutputProblem) {
        for verdict in verdicts {
            csv.text(verdict.threshold.metric)
            csv.plain(verdict.threshold.op.rawValue)
            csv.number(verdict.threshold.value)
            csv.value(verdict.measured)
            csv.boolean(verdict.holds)
            try csv.endRow()
        }
    }
}

extension CSVWriter {
    mutating func value(_ value: MetricValue) {
        switch value {
        case .count(let count): integer(count)
        case .number(let number): self.number(number)
        case .millionths(let count): millionths(count)
        case .missing: missing()
        }
    }
}
