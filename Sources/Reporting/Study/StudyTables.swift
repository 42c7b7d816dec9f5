/// The tables of studies. Their axes are the study's own.
extension ReportTable {
    /// What stands in the dictionary for the columns that a study names itself.
    static let placeholders = ["each axis", "each metric"]

    /// All of them for the dictionary, each with the title that it has there.
    static var ofStudies: [(title: String, table: ReportTable)] {
        let (axis, metric) = (placeholders[0], placeholders[1])
        return [
            ("design.csv of a study", design(axes: [axis])), ("runs.csv of a study", runs(axes: [axis])),
            ("study.csv of a study", study(axes: [axis])), ("Output of `reloadsim sweep --list`", runList(axes: [axis])),
            ("Output of `reloadsim compare --format csv`", comparison), ("plan.csv of a plan", plan),
            ("trials.csv of a plan", trials(axis: axis, targets: [metric])),
            ("design.csv of a sensitivity", sensitivityDesign(axes: [axis])),
            ("outputs.csv of a sensitivity", sensitivityOutputs(metrics: [metric])),
            ("indices.csv of a sensitivity by Sobol and Saltelli", sobolIndices), ("indices.csv of a sensitivity by Morris", morrisEffects),
        ]
    }

    /// - Parameter axes: the names of the axes, `scenario` before them where there are named sets of overrides.
    public static func design(axes: [String]) -> ReportTable {
        ReportTable(
            "design", "One run of a study a row: which point and replication it is, and what it varies.",
            [
                .point, .replication,
                .key("seed", type: .integer, "The seed of the run: of the replication, unless every run has its own."), .run,
            ]
                + axes.map { .axis($0) })
    }

    public static func runList(axes: [String]) -> ReportTable {
        ReportTable(
            "list", "One run of a study a row, with what it is estimated to take.",
            design(axes: axes).columns + [
                .derived("events", type: .integer, optional: false, "Logical events of the run."),
                .derived("requests", type: .integer, optional: false, "Its requests."),
                .derived("core_time_s", type: .integer, unit: "s", optional: false, "Seconds of core time."),
                .derived(
                    "memory_mib", type: .integer, unit: "MiB", optional: false,
                    "Memory of its measures, and of the devices where a service answers them."),
            ])
    }

    public static func runs(axes: [String]) -> ReportTable {
        ReportTable(
            "runs",
            "One figure of one run of a study a row: every metric of its `summary.csv` and `service_summary.csv`, under the name that thresholds use.",
            [.experiment, .point, .replication] + axes.map { .axis($0) } + [.metric, .measured, .unitOfMetric])
    }

    public static let comparison = ReportTable(
        "comparison", "One metric of one comparison a row: how the second differs from the first, over pairs of runs of one seed.",
        [
            .key("baseline", "What is compared with."), .key("variant", "What is compared."), .metric, .unitOfMetric,
            .derived("pairs", type: .integer, optional: false, "Pairs of runs."),
            .derived("baseline_mean", optional: false, "The mean of the first."),
            .derived("variant_mean", optional: false, "The mean of the second."),
            .derived("difference", optional: false, "The mean of the pairs' differences, the second less the first."),
            .derived("interval_low", "The lower end of its 95 % interval, by Student's paired t; empty for one pair."),
            .derived("interval_high", "Its upper end."),
            .derived("relative_change", "The difference over the first's mean; empty where that is 0."),
            .derived("effect", optional: false, "The size of the difference over the larger of both means, 0 to 2."),
            .derived("p_value", "How likely a difference as large would be if there were none; empty for one pair."),
            .derived(
                "variance_reduction",
                "How many times as many independent runs would tell as much: the sum of both variances over that of the differences. Empty for one pair, and where the differences are all equal."
            ),
        ])

    public static let plan = ReportTable(
        "plan", "One figure of a plan a row: the value that was found, and what the scenario does with it.",
        [
            .key("figure", "What it is: `answer`, a metric of the scenario at the answer, or a figure of the closed forms beside it."),
            .derived("unit", type: .string, optional: false, "The unit of the value."),
            .derived("value", "The value: of a metric, the mean over the replications."),
            .derived("interval_low", "The lower end of its 95 % interval, by Student's t; empty for what does not vary."),
            .derived("interval_high", "Its upper end."),
        ])

    /// - Parameter targets: the metrics of the targets.
    public static func trials(axis: String, targets: [String]) -> ReportTable {
        ReportTable(
            "trials", "One value that was tried in one replication a row, with the metrics of the targets.",
            [.axis(axis), .replication] + targets.map { .derived($0, "The metric of a target.") }
                + [.derived("holds", type: .boolean, optional: false, "Whether all targets hold.")])
    }

    public static func sensitivityDesign(axes: [String]) -> ReportTable {
        ReportTable(
            "design", "One point of a design of sensitivity a row, in the order of its runs.",
            axes.map { .derived($0, optional: false, "The place on the axis, 0 to 1.") })
    }

    public static func sensitivityOutputs(metrics: [String]) -> ReportTable {
        ReportTable(
            "outputs", "The metrics at one point of a design of sensitivity a row, in the same order.",
            metrics.map { .derived($0, optional: false, "The metric: the mean over the point's replications.") })
    }

    public static let sobolIndices = ReportTable(
        "indices", "How much of the variance of one metric over the design is due to one axis, a row each.",
        [
            .output, .factor,
            .derived(
                "first", "The first-order index: the share of the variance that goes if this axis alone is known (Saltelli et al. 2010)."),
            .derived("first_low", "The lower end of its 95 % interval, by a bootstrap."), .derived("first_high", "Its upper end."),
            .derived("total", "The total index: the share that stays if all others are known, interactions included (Jansen 1999)."),
            .derived("total_low", "The lower end of its 95 % interval."), .derived("total_high", "Its upper end."),
        ])

    public static let morrisEffects = ReportTable(
        "indices", "How far one metric moves if one axis goes from one end to the other, a row each (Morris 1991).",
        [
            .output, .factor, .derived("levels", type: .integer, optional: false, "The levels of the design's grid."),
            .derived("mu", "The mean of the elementary effects, in the metric's unit."),
            .derived("mu_star", "The mean of their sizes: how much the axis matters."),
            .derived("mu_star_low", "The lower end of its 95 % interval, by a bootstrap."), .derived("mu_star_high", "Its upper end."),
            .derived("sigma", "Their standard deviation: how far the effect depends on the other axes, or is no straight line."),
        ])

    public static func study(axes: [String]) -> ReportTable {
        ReportTable(
            "study", "One metric at one point of a study a row, over its replications.",
            [.experiment, .point] + axes.map { .axis($0) } + [.metric, .unitOfMetric] + Column.sample)
    }
}

extension Column {
    static let experiment = Column.key("experiment", "The study's name.")
    static let point = Column.key("point", type: .integer, "The number of the combination of values, counted from 1.")
    static let replication = Column.key("replication", type: .integer, "The number of the replication, counted from 1.")
    static let run = Column.key("run", "The run's folder under `runs`: a name made from the scenario, the seed and the version.")
    static let metric = Column.key("metric", "The metric's name, as thresholds name it.")
    static let measured = Column.derived("value", "The value; empty where it is not defined.")
    static let unitOfMetric = Column.derived("unit", type: .string, optional: false, "The unit of the values.")

    static let output = Column.key("output", "The metric.")
    static let factor = Column.key("factor", "The axis.")

    static func axis(_ name: String) -> Column {
        name == "scenario"
            ? .key("scenario", "The name of the set of overrides.") : .key(name, "What the axis sets, as an override writes it.")
    }

    /// A sample of replications in figures.
    static let sample: [Column] = [
        .derived("n", type: .integer, optional: false, "How many replications have a value."),
        .derived("mean", "Their mean."),
        .derived("standard_deviation", "Their standard deviation; empty for fewer than two."),
        .derived("interval_low", "The lower end of the 95 % interval of the mean, by Student's t; empty for fewer than two."),
        .derived("interval_high", "Its upper end."),
        .derived("least", "The least value."),
        .derived("most", "The largest value."),
    ]
}
