import ResultFiles

extension RunTable {
    static let summary: RunTable = RunTable(
        "summary",
        "One figure of the run, or of one of its parts, a row. Every run of a scenario has the same rows. Nothing stands there twice: the only segment, kind, endpoint or pool has no rows"
            + " of its own beside those of all together, nor have phones where there is no other device; of the only pool stand the pool's.",
        [
            .word("scope", "The subject of the figure", \.scope),
            .key(
                "name",
                "The name of the segment, kind, kind of device, endpoint or origin pool; `\(SummaryScope.allParts)` for all pools, or all kinds of Live Activity, together, empty for the run."
            ) { $0.part.isEmpty ? nil : $0.part },
            .key(
                "metric",
                "The metric's name. Thresholds refer to one of a part as `<kind>.<metric>`, `<scope>.<name>.<metric>`, `service.<pool>.<metric>`, or `service.<metric>` for all pools and `live.<metric>` for all Live Activities.",
                \.metric),
            .derived(
                "unit",
                "The unit of the value; `share` for a part of a whole (0 to 1), `ratio` for a plain number, the plan's currency for costs.",
                \.unit),
            .derived(
                "value",
                "The value; empty where it is not defined, such as a share of no views. Where people stand for others before a service, the figures of the load and the service are those of all, the others those of the people of the run.",
                \.value),
            .derived(
                "standard_error",
                "The standard error of the value as an estimate of the mean over all draws of the fleet, from 32 groups of its people; empty where people are not drawn independently (a service, recorded people), and for largest windows.",
                \.redraw?.standardError),
            .derived(
                "redraw_p2_5",
                "In another draw of the fleet the value is below with a probability of 2.5 %; empty where the figure follows what the seed draws for many people at once (the times of versions, games and events), and where too few people decide it to tell.",
                \.redraw?.low),
            .derived("redraw_p97_5", "Above with a probability of 2.5 %.", \.redraw?.high),
            .derived(
                "represented_value",
                "The value for all people that those of the run stand for (`report.represents`): totals grow with them, shares and means do not, largest windows by their distribution. It can be known without a range.",
                { $0.standsForOthers ? $0.valueOfRepresented : .missing }),
            .derived(
                "represented_p2_5", "In a draw of all of them it is below with a probability of 2.5 %; empty where the range of another draw would be, and for a largest window of few requests.",
                \.represented?.low),
            .derived("represented_p97_5", "Above with a probability of 2.5 %.", \.represented?.high),
        ]
    ) { (report, add: Table<SummaryRow>.RowSink) throws(OutputProblem) in
        for row in report.summaryOnce { try add(row) }
    }

    static let thresholds: RunTable = RunTable(
        "thresholds", "One threshold of the scenario a row, in the order of the scenario, then one objective of its service a row.",
        [
            .key("metric", "The metric of the summary that it is about.", \.threshold.metric),
            .key("op", "The comparison that must hold between what was measured and the bound: `<`, `<=`, `>` or `>=`.")
            {
                $0.threshold.op.rawValue
            },
            .key("bound", "The bound, in the metric's unit.", \.threshold.value),
            .derived(
                "measured",
                "The metric's value, for all people that those of the run stand for; empty if it is not defined or, with `report.represents`, not known for them, and then the threshold does not hold.",
                \.measured),
            .derived("holds", "Whether the threshold holds.", \.holds),
        ]
    ) { (report, add: Table<ThresholdVerdict>.RowSink) throws(OutputProblem) in
        for verdict in report.verdicts { try add(verdict) }
    }
}
