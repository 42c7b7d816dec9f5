import Basics
import Reporting
import ScenarioFiles

/// The declarations of all tables of studies, for the dictionary.
package enum StudyTables {
    /// The table of a growing fleet without the metrics.
    package static var growth: TableDeclaration { Table.growth(months: [], people: [], metrics: []).declaration }

    /// The files of a plan under unknowns.
    package static var ofUnknowns: [String] {
        [Table.regret(axis: "axis").declaration, Table.unknowns([]).declaration].map(\.fileName)
    }

    /// The files of a plan that finds a value, and those of one that draws a map.
    package static var ofPlan: [String] {
        [
            Table.plan.declaration, growth,
            Table.points(axes: [], metrics: [], hasTargets: true, hasFrontier: false).declaration,
            Table.trials(axis: "", metrics: []).declaration,
        ].map(\.fileName) + ofUnknowns
    }
    package static var ofMap: [String] {
        [
            Table.map(axes: []).declaration, Table.brink(axes: []).declaration,
            Table<BrinkMap.Remedy>.cures.declaration,
        ].map(\.fileName)
    }

    /// The files of a comparison with a log.
    package static var ofLog: [String] {
        [Table.logHours.declaration, Table.logFigures.declaration, Table.backgroundCurve.declaration].map(\.fileName)
    }

    /// The files of a log of clients beside its fit.
    package static var ofClients: [String] {
        [Table.clientEstimates.declaration, Table.clientMoments.declaration, Table.clientSettings.declaration]
            .map(\.fileName)
    }

    /// Each with the title that it has there.
    package static var all: [(title: String, table: TableDeclaration)] {
        let (axis, metric) = (ReportDictionary.axis, ReportDictionary.metric)
        return [
            ("design.csv of a study", Table.design(axes: [axis]).declaration),
            ("runs.csv of a study", Table.runs(axes: [AxisColumn(axis, kind: .number)]).declaration),
            ("study.csv of a study", Table.study(axes: [AxisColumn(axis, kind: .number)]).declaration),
            (
                "points.csv of a study or a plan",
                Table.points(
                    axes: [AxisColumn(axis, kind: .number)], metrics: [metric], hasTargets: true,
                    hasFrontier: true
                ).declaration
            ),
            ("Output of `reloadsim sweep --list`", Table.runList(axes: [axis]).declaration),
            ("Output of `reloadsim compare --format csv`", Table.comparison(axes: [axis], by: nil).declaration),
            ("log_hours.csv of a comparison with a log", Table.logHours.declaration),
            ("log_figures.csv of a comparison with a log", Table.logFigures.declaration),
            ("background_curve.csv of a comparison with a log", Table.backgroundCurve.declaration),
            ("client_estimates.csv of a log of clients", Table.clientEstimates.declaration),
            ("client_moments.csv of a log of clients", Table.clientMoments.declaration),
            ("client_settings.csv of a log of clients", Table.clientSettings.declaration),
            ("plan.csv of a plan", Table.plan.declaration),
            (
                "growth.csv of a plan",
                Table.growth(months: [], people: [], metrics: [metric]).declaration
            ),
            ("intervals.csv of a run with unknowns", Table.intervals.declaration),
            ("regret.csv of a plan under unknowns", Table.regret(axis: axis).declaration),
            ("unknowns.csv of a plan under unknowns", Table.unknowns([axis]).declaration),
            ("map.csv of a plan's map", Table.map(axes: [axis]).declaration),
            ("brink.csv of a plan's map", Table.brink(axes: [axis]).declaration),
            ("cures.csv of a plan's map", Table<BrinkMap.Remedy>.cures.declaration),
            ("trials.csv of a plan", Table.trials(axis: axis, metrics: [metric]).declaration),
            ("design.csv of a sensitivity", Table.sensitivityDesign(axes: [axis]).declaration),
            ("outputs.csv of a sensitivity", Table.sensitivityOutputs(metrics: [metric]).declaration),
            ("indices.csv of a sensitivity by Sobol and Saltelli", Table.sobolIndices.declaration),
            ("indices.csv of a sensitivity by Morris", Table.morrisEffects(levels: 0).declaration),
        ]
    }
}

extension Study {
    /// The rows of the tables `design` and `list`.
    package func rows(of runs: [StudyRun]) -> [RunRow] {
        runs.map { RunRow(study: name, run: $0, values: values(of: $0.point)) }
    }
}

extension Table<RunRow> {
    /// - Parameter axes: the names of the axes, `scenario` before them where there are named sets of overrides.
    package static func design(axes: [String]) -> Self {
        Table(
            "design", "One run of a study a row: which point and replication it is, and what it varies.",
            [.run(\.run), .axes(axes, \.values)])
    }

    package static func runList(axes: [String]) -> Self {
        Table(
            "list", "One run of a study a row, with what it is estimated to take.",
            [
                .run(\.run), .axes(axes, \.values),
                .derived("events", "Logical events of the run.") { Int(cutting: $0.run.estimate.events) },
                .derived("requests", "Its requests.") { Int(cutting: $0.run.estimate.requests) },
                .derived("core_time_s", unit: "s", "Seconds of core time.") {
                    Int(cutting: $0.run.estimate.coreSeconds.rounded(.up))
                },
                .derived("memory_mib", unit: "MiB", "Memory of a process that makes it on one thread, at its peak.") {
                    Int(cutting: $0.run.estimate.memory / 1_048_576) + 1
                },
            ])
    }
}

/// A run of a study with the values that it varies, as each row of its figures begins.
package struct RunRow {
    let study: String
    let run: StudyRun
    let values: [String]

    static func columns(axes: [AxisColumn]) -> [Columns<RunRow>] {
        [.experiment(\.study), .run(\.run), .axes(axes, \.values)]
    }
}

/// One figure of one run of a study.
struct FigureRow {
    let run: PreparedCells<RunRow>
    let figure: RunFigures.Figure
}

extension Table<FigureRow> {
    static func runs(axes: [AxisColumn]) -> Self {
        Table(
            "runs",
            "One figure of one run of a study a row: every metric of its `summary.csv`, under the name that thresholds use.",
            [
                .shared(RunRow.columns(axes: axes), \.run), .metric(\.figure.metric),
                .derived("value", "The value; empty where it is not defined.") { WrittenNumber($0.figure.text) },
                .unitOfMetric(\.figure.unit),
            ])
    }
}

/// A point of a study, as each row of its metrics begins.
struct PointRow {
    let study: String
    let point: Int
    let values: [String]

    static func columns(axes: [AxisColumn]) -> [Columns<PointRow>] {
        [.experiment(\.study), .point(\.point), .axes(axes, \.values)]
    }
}

/// One metric at one point of a study, over its replications.
struct SampleRow {
    let point: PreparedCells<PointRow>
    let metric, unit: String
    /// Nil if no replication has a value.
    let sample: SampleSummary?

    var interval: (low: Double, high: Double)? { sample?.intervalOfAmount(unit: unit) }
}

extension Table<SampleRow> {
    static func study(axes: [AxisColumn]) -> Self {
        Table(
            "study", "One metric at one point of a study a row, over its replications.",
            [
                .shared(PointRow.columns(axes: axes), \.point), .metric(\.metric), .unitOfMetric(\.unit),
                .derived("n", "How many replications have a value.") { $0.sample?.count ?? 0 },
                .derived("mean", "Their mean.", \.sample?.mean),
                .derived(
                    "standard_deviation", "Their standard deviation; empty for fewer than two.",
                    \.sample?.standardDeviation),
                .derived(
                    "interval_low",
                    "The lower end of the 95 % interval of the mean, by Student's t; empty for fewer than two.",
                    \.interval?.low),
                .derived("interval_high", "Its upper end.", \.interval?.high),
                .derived("least", "The least value.", \.sample?.least),
                .derived("most", "The largest value.", \.sample?.most),
            ])
    }
}

/// Columns that several tables of studies share.
extension Columns {
    static func experiment(_ value: @escaping @Sendable (Row) -> String) -> Self {
        .key("experiment", "The study's name.", value)
    }

    static func point(_ value: @escaping @Sendable (Row) -> Int) -> Self {
        .key("point", "The number of the combination of values, counted from 1.", value)
    }

    static func replication(_ value: @escaping @Sendable (Row) -> Int) -> Self {
        .key("replication", "The number of the replication, counted from 1.", value)
    }

    /// Which run it is.
    static func run(_ run: @escaping @Sendable (Row) -> StudyRun) -> Self {
        .several([
            .point { run($0).point.number }, .replication { run($0).replication },
            .key("seed", "The seed of the run: of the replication, unless every run has its own.") { run($0).seed },
            .key("run", "The run's folder under `runs`: a name made from the scenario, the seed and the version.") {
                run($0).name
            },
        ])
    }

    static func metric(_ value: @escaping @Sendable (Row) -> String) -> Self {
        .key("metric", "The metric's name, as thresholds name it.", value)
    }

    static func unitOfMetric(_ value: @escaping @Sendable (Row) -> String) -> Self {
        .derived("unit", "The unit of the values.", value)
    }

    static func axis(_ name: String, _ value: @escaping @Sendable (Row) -> String) -> Self {
        .key(
            name,
            name == "scenario"
                ? "The name of the set of overrides." : "The value that the axis sets, as an override writes it.", value
        )
    }

    /// - Parameter values: one for each axis.
    static func axes(_ names: [String], _ values: @escaping @Sendable (Row) -> [String]) -> Self {
        .several(names.enumerated().map { place, name in .axis(name) { values($0)[place] } })
    }
}
