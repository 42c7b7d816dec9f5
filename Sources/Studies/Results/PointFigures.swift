import Basics
import Pages
import Reporting
import ScenarioFiles

/// A metric at one point of a study: the mean of its replications, and how sure it is.
package struct PointFigure: Hashable, Sendable {
    package let mean: Double
    /// The 95 % interval of the mean by Student's t; of a single run, the range of other draws that it states itself.
    /// Nil where neither is known.
    package let interval: ClosedRange<Double>?
    package let replications: Int
}

/// The chosen metrics of the points of a study.
package struct PointFigures: Sendable {
    package struct Point: Sendable {
        package let number: Int
        /// One for each axis.
        package let values: [String]
        /// One for each metric; nil where no replication has a value.
        package let figures: [PointFigure?]
        /// For each metric its values by the number of the replication.
        let byReplication: [[Int: Double]]
        /// How many runs there are, and in how many of them all targets hold.
        package let runs, holding: Int
        /// Whether no other point beats it in both metrics of the frontier.
        package fileprivate(set) var isOnFrontier = false
        /// Whether another one beats it, and none by more than chance explains.
        package fileprivate(set) var isNearFrontier = false

        /// Whether the targets hold in every run.
        package var holds: Bool { holding == runs }
    }

    package let metrics: [String]
    /// The metrics' units, empty for one that no run has.
    package let units: [String]
    package private(set) var points: [Point]
    /// The conditions at a point; empty if nothing was asked for.
    package let targets: [PlanTarget]
    /// The two metrics of the frontier; nil if none was asked for.
    package let frontier: [String]?

    /// The metrics that a sweep shows where nothing is asked for: the views that are fresh and those that are not, in
    /// every way, the largest second, the tokens spent; with a service, what it sheds and how long it takes.
    package static func usualMetrics(of study: Study) -> [String] {
        let known = Set(SummaryMetrics.names(for: study.scenarioAsItStands))
        return
            (UsualFigures.views + [
                "load_peak_1s", "reloads_charged_per_instance_day", "service.share_shed", "service.response_time_p99_s",
            ]).filter(known.contains)
    }

    /// The metrics that a plan shows of each candidate: those of its targets, the worst minute, the views that are
    /// fresh and those that are not, the tokens spent, and the cost of a month in parts.
    ///
    /// - Parameter key: the one that is looked for.
    package static func tradeMetrics(of study: Study, targets: [PlanTarget], key: String) -> [String] {
        let known = Set(SummaryMetrics.names(for: study.scenarioAsItStands))
        let pool = PlanSummary.pool(of: key).map { "service.\($0)." } ?? "service."
        var names = PlanTarget.metrics(of: targets)
        if study.scenarioAsItStands.service == nil {
            names += ["load_peak_1s", "load_peak_1m"]
        } else {
            // A target may have the figure of the only pool already, under the name of all pools.
            let isOnly = study.scenarioAsItStands.service?.pools.count == 1
            names += ["queue_wait_p99_worst_1m_s", "share_shed_worst_1m"].filter {
                !isOnly || !names.contains("service." + $0)
            }.map { pool + $0 }
        }
        names += UsualFigures.views + ["reloads_charged_per_instance_day"]
        names += ["servers", "requests", "edge_bytes", "origin_bytes", "pushes"].map { "service.cost_\($0)_per_month" }
        names.append("service.cost_per_month")
        return names.uniqued.filter { known.contains($0) && !study.columns.contains($0) }
    }

    /// - Parameters:
    ///   - isAsked: whether the metrics were named: otherwise a way of not being fresh that no view has needs no
    ///     column.
    ///   - targets: what must hold at a point to be on the frontier.
    ///   - frontier: two of the metrics, or nil.
    ///   - runs: those that are complete.
    package init(
        _ metrics: [String], isAsked: Bool = false, targets: [PlanTarget] = [], frontier: [String]? = nil,
        of study: Study, runs: [StudyRun],
        in folder: StudyFolder
    ) throws(CSVProblem) {
        var (count, holding): ([Int: Int], [Int: Int]) = ([:], [:])
        var values: [Int: [[Int: Double]]] = [:]
        var found: [Int: [[RunFigures.Figure]]] = [:]
        var units = metrics.map { _ in "" }
        for run in runs {
            let figures = try folder.figures(of: run)
            count[run.point.number, default: 0] += 1
            if targets.allSatisfy({ $0.holds(figures.value($0.metric)) }) {
                holding[run.point.number, default: 0] += 1
            }
            for (i, metric) in metrics.enumerated() {
                guard let figure = figures.figure(metric) else { continue }
                units[i] = figure.unit
                // A month of one run has no interval.
                if folder.month != nil && MonthlyRun.says(metric) && found[run.point.number]?[i].isEmpty == false {
                    continue
                }
                found[run.point.number, default: metrics.map { _ in [] }][i].append(figure)
                values[run.point.number, default: metrics.map { _ in [:] }][i][run.replication] = figure.value
            }
        }
        let asked = Set(PlanTarget.metrics(of: targets) + (frontier ?? []) + (isAsked ? metrics : []))
        let shown = metrics.indices.filter { i in
            asked.contains(metrics[i]) || !UsualFigures.views.dropFirst().contains(metrics[i])
                || found.values.contains { $0[i].contains { $0.value ?? 0 != 0 } }
        }
        self.metrics = shown.map { metrics[$0] }
        self.units = shown.map { units[$0] }
        self.targets = targets
        self.frontier = frontier
        points = study.points.compactMap { point in
            guard let runs = count[point.number] else { return nil }
            let figures = found[point.number] ?? metrics.map { _ in [] }
            let byReplication = values[point.number] ?? metrics.map { _ in [:] }
            return Point(
                number: point.number, values: study.values(of: point),
                figures: shown.map { PointFigure(of: figures[$0]) },
                byReplication: shown.map { byReplication[$0] }, runs: runs, holding: holding[point.number] ?? 0)
        }
        guard let frontier else { return }
        let places = frontier.map { metric in self.metrics.firstIndex(of: metric)! }
        let signs = frontier.map { UsualFigures.isBetterMore($0) ? -1.0 : 1 }
        let marks = Frontier.marks(
            points.map { point in
                guard point.holds, let x = point.figures[places[0]]?.mean, let y = point.figures[places[1]]?.mean else {
                    return nil
                }
                return (signs[0] * x, signs[1] * y)
            })
        for (place, mark) in marks.enumerated() { points[place].isOnFrontier = mark }
        let others = points.filter { point in point.holds && places.allSatisfy { point.figures[$0] != nil } }
        for place in points.indices where !points[place].isOnFrontier {
            let point = points[place]
            guard others.contains(where: { $0.number == point.number }) else { continue }
            points[place].isNearFrontier = isClose(
                point, to: others.filter { $0.number != point.number }, places, signs)
        }
    }

    /// More points than a sentence names.
    private static let mostNamed = 3

    /// Which points hold all targets in every run, without a full stop; nil without targets.
    package func targetSentence(columns: [String]) -> String? {
        if targets.isEmpty { return nil }
        let asked = targets.map { "'\($0.text)'" }.joined(separator: " and ")
        let holding = points.filter(\.holds)
        if holding.isEmpty { return "no point holds \(asked)" }
        let named = holding.prefix(Self.mostNamed).map { Study.label(columns, $0.values) }
        let others = holding.count - named.count
        return
            "\(holding.count) of \(FigureText.counted(points.count, "point")) \(holding.count == 1 ? "holds" : "hold") \(asked)"
            + (columns.isEmpty ? "" : ": " + named.joined(separator: ", ") + (others > 0 ? " and \(others) more" : ""))
    }

    /// Puts the points in the order of a metric, the best first and those without a value last.
    package mutating func sort(by metric: Int) {
        let sign: Double = UsualFigures.isBetterMore(metrics[metric]) ? -1 : 1
        points.sort { a, b in
            let (one, other) = (
                a.figures[metric].map { sign * $0.mean } ?? .infinity,
                b.figures[metric].map { sign * $0.mean } ?? .infinity
            )
            return (one, a.number) < (other, b.number)
        }
    }
}

extension PointFigure {
    /// Nil if no replication has a value.
    fileprivate init?(of figures: [RunFigures.Figure]) {
        let values = figures.compactMap(\.value)
        if values.isEmpty { return nil }
        let sample = SampleSummary(values)
        let interval = sample.intervalOfAmount(unit: figures[0].unit).map { $0.low...$0.high }
        self.init(
            mean: sample.mean, interval: values.count > 1 ? interval : figures.compactMap(\.draws).first,
            replications: values.count)
    }
}

extension Table<PointFigures.Point> {
    /// - Parameters:
    ///   - metrics: the chosen ones.
    ///   - hasTargets: whether something must hold.
    ///   - hasFrontier: whether points are marked that no other beats.
    static func points(
        axes: [AxisColumn], metrics: [String], hasTargets: Bool, hasFrontier: Bool
    ) -> Self {
        Table(
            "points",
            "One point of a study or candidate of a plan a row: the metrics that are shown, each with its interval. All metrics of a study stand in `study.csv`, a row each.",
            [
                .key("point", "The number of the combination of values, counted from 1.", \.number),
                .axes(axes, \.values),
                .metrics(metrics),
                .derived("replications", "How many runs the point has, at most, with a value of one of them.") {
                    $0.figures.reduce(0) { max($0, $1?.replications ?? 0) }
                },
                .several(
                    hasTargets
                        ? [
                            .derived(
                                "holding", "In how many of the point's runs all targets hold; there with `--target`.",
                                \.holding)
                        ]
                        : []),
                .several(
                    hasFrontier
                        ? [
                            .derived(
                                "frontier",
                                "Whether no other point at which all targets hold is as good in both metrics of the frontier and better in one: the more the better of shares that are fresh, served or hits, the less of all others; there with `--frontier`.",
                                \.isOnFrontier),
                            .derived(
                                "near_frontier",
                                "Whether another point beats it by their means, and none by more than chance explains: too close to call; there with `--frontier`.",
                                \.isNearFrontier),
                        ] : []),
            ])
    }

    /// - Parameters:
    ///   - months: the month of each point.
    ///   - people: of each point.
    static func growth(months: [Int], people: [Int], metrics: [String]) -> Self {
        Table(
            "growth",
            "One month of a growing fleet that a plan has looked at a row, with the capacity of the plan's answer; there with `--growth`.",
            [
                .key("month", "The month, counted from 0 for today.") { months[$0.number - 1] },
                .derived("people", "The people of that month, in phones and whatever else they have.") {
                    people[$0.number - 1]
                },
                .metrics(metrics),
                .derived("replications", "How many runs the month has.", \.runs),
                .derived("holding", "In how many of them all targets hold.", \.holding),
            ])
    }
}

extension GrowthStudy {
    /// The table of the months that were looked at.
    package func table(_ figures: PointFigures) -> Table<PointFigures.Point> {
        .growth(
            months: months, people: people, metrics: figures.metrics)
    }
}

extension Columns<PointFigures.Point> {
    /// Each metric with its interval.
    fileprivate static func metrics(_ metrics: [String]) -> Self {
        .several(
            metrics.enumerated().map { place, metric -> Columns<PointFigures.Point> in
                .several([
                    .derived(metric, "The mean of the metric over the point's replications.") {
                        $0.figures[place]?.mean
                    },
                    .derived(
                        metric + "_low",
                        "The lower end of the 95 % interval of that mean; of a single run, of the range of other draws that it states itself."
                    ) { $0.figures[place]?.interval?.lowerBound },
                    .derived(metric + "_high", "The upper end.") {
                        $0.figures[place]?.interval?.upperBound
                    },
                ])
            })
    }
}

extension Study {
    /// The table of some points.
    package func pointTable(_ figures: PointFigures) -> Table<PointFigures.Point> {
        .points(
            axes: axisColumns, metrics: figures.metrics,
            hasTargets: !figures.targets.isEmpty, hasFrontier: figures.frontier != nil)
    }
}
