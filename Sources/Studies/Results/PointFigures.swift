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
    }

    package let metrics: [String]
    /// The metrics' units, empty for one that no run has.
    package let units: [String]
    package private(set) var points: [Point]

    /// The metrics that a sweep shows where nothing is asked for: the largest second, the views that miss a
    /// version, the tokens spent; with a service, what it sheds and how long it takes.
    package static func usualMetrics(of study: Study) -> [String] {
        let known = Set(SummaryMetrics.names(for: study.scenarioAsItStands))
        return [
            "load_peak_1s", "share_stale", "reloads_charged_per_instance_day", "service.share_shed",
            "service.response_time_p99_s",
        ].filter(known.contains)
    }

    /// - Parameter runs: those that are complete.
    package init(_ metrics: [String], of study: Study, runs: [StudyRun], in folder: StudyFolder) throws(CSVProblem) {
        var found: [Int: [[RunFigures.Figure]]] = [:]
        var units = metrics.map { _ in "" }
        for run in runs {
            let figures = try RunFigures(folder: folder.path(of: run))
            for (i, metric) in metrics.enumerated() {
                guard let figure = figures.figure(metric) else { continue }
                units[i] = figure.unit
                found[run.point.number, default: metrics.map { _ in [] }][i].append(figure)
            }
        }
        self.metrics = metrics
        self.units = units
        points = study.points.compactMap { point in
            guard let figures = found[point.number] else { return nil }
            return Point(
                number: point.number, values: study.values(of: point), figures: figures.map(PointFigure.init(of:)))
        }
    }

    /// Puts the points in ascending order of a metric, those without a value last.
    package mutating func sort(by metric: Int) {
        points.sort { a, b in
            let (one, other) = (a.figures[metric]?.mean ?? .infinity, b.figures[metric]?.mean ?? .infinity)
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
        self.init(
            mean: sample.mean,
            interval: values.count > 1 ? sample.interval.map { $0.low...$0.high } : figures.compactMap(\.draws).first,
            replications: values.count)
    }
}

extension Table<PointFigures.Point> {
    /// - Parameters:
    ///   - metrics: the chosen ones, with their units.
    static func points(axes: [AxisColumn], metrics: [(name: String, unit: String)]) -> Self {
        Table(
            "points",
            "One point of a study a row: the metrics that the sweep shows, each with its interval. All metrics stand in `study.csv`, a row each.",
            [
                .key("point", "The number of the combination of values, counted from 1.", \.number),
                .axes(axes, \.values),
                .several(
                    metrics.enumerated().map { place, metric -> Columns<PointFigures.Point> in
                        .several([
                            .derived(metric.name, "The mean of the metric over the point's replications.") {
                                $0.figures[place]?.mean
                            },
                            .derived(
                                metric.name + "_low",
                                "The lower end of the 95 % interval of that mean; of a single run, of the range of other draws that it states itself."
                            ) { $0.figures[place]?.interval?.lowerBound },
                            .derived(metric.name + "_high", "The upper end.") {
                                $0.figures[place]?.interval?.upperBound
                            },
                        ])
                    }),
                .derived("replications", "How many runs the point has, at most, with a value of one of them.") {
                    $0.figures.reduce(0) { max($0, $1?.replications ?? 0) }
                },
            ])
    }
}

extension Study {
    /// The table of some points for `--format csv`.
    package func pointTable(_ figures: PointFigures) -> Table<PointFigures.Point> {
        .points(axes: axisColumns, metrics: Array(zip(figures.metrics, figures.units)))
    }
}
