import ResultFiles
import Basics

/// The part of the page about what servers send: pushes to Live Activities and to widgets.
extension RunPage {
    func pushSection() throws(OutputProblem) -> PageDocument.Section? {
        guard
            let sends = try source.tableIfPresent(
                "push_sends.csv", [.amount("bin_start_s"), "sort", "priority", .count("pushes")]),
            let peaks = try source.tableIfPresent(
                "push_peaks.csv", ["sort", .amount("window_s"), .number("sliding_peak_pushes")])
        else { return nil }
        var charts = [PageChart(sendChart(sends, peaks), isWide: true)]
        if let activities = try activityTable() {
            charts.append(showingChart(activities))
            charts.append(outcomeChart(activities))
            charts.append(lagChart(activities))
        }
        return PageDocument.Section("pushes", "Pushes", charts: charts)
    }

    private static let outcomes = [
        ("shown", "pushes_shown"), ("replaced while offline", "pushes_superseded_offline"),
        ("replaced on the phone", "pushes_superseded"), ("expired", "pushes_expired"),
        ("dropped, no budget", "pushes_over_budget_dropped"), ("too late", "pushes_too_late"),
        ("beginning refused", "starts_refused"),
    ]
    private static let showings = ["shown_after_p50_s", "shown_after_p95_s", "shown_after_p99_s"]

    private func activityTable() throws(OutputProblem) -> PageTable? {
        try source.tableIfPresent(
            "live_activities.csv",
            ["kind"] + Self.outcomes.map { .count($0.1) } + Self.showings.map { .number($0) }
                + [.count("pushes_accepted"), .count("pushes_over_budget")])
    }

    /// The pushes sent a second, by sort.
    private func sendChart(_ sends: PageTable, _ peaks: PageTable) -> ChartFigure {
        let columns = ColumnReduction(bins: load.bins, most: Self.mostColumns, nice: Self.roundMinutes)
        let seconds = (0..<columns.columns).map { Double(columns.range($0).count) * load.binWidth }
        let sorts = sends.values("sort")
        let sums = sorts.map { sort in
            var bins = [Int64](repeating: 0, count: load.bins)
            for row in sends.rows(["sort": sort]) {
                guard let start = row.number("bin_start_s"), start >= 0, Int(cutting: start / load.binWidth) < load.bins
                else { continue }
                bins[Int(cutting: start / load.binWidth)] += row.count("pushes")
            }
            return columns.sums(bins)
        }
        let rates = sums.map { zip($0, seconds).map { Double($0) / $1 } }
        let yTicks = Ticks.upTo(max(1e-9, rates.flatMap { $0 }.max() ?? 0))
        var plot = timePlot(height: 240, bins: load.bins, yTicks)
        plot.layers = rates.enumerated().map { .steps($1.map { $0 }, .series($0 % 8)) }
        let peak = peaks.row(["sort": "*", "window_s": "1"])?.number("sliding_peak_pushes") ?? 0
        return ChartFigure(
            "push-sends", title: "At most \(FigureLabel.grouped(peak, decimals: 0)) pushes are sent in a second",
            description: "Pushes sent a second, the mean of each column, by what they are sent to.", plot,
            legend: sorts.enumerated().map { ($1, .series($0 % 8)) },
            table: ChartTable(
                columns: ["from (\(clock.zone))"] + sorts,
                rows: (0..<columns.columns).map { column in
                    [start(column, of: columns)] + sums.map { "\($0[column])" }
                }, source: "push_sends.csv", followsPlot: true))
    }

    /// From an update to its showing.
    private func showingChart(_ activities: PageTable) -> ChartFigure? {
        let rows = activities.rows.filter { $0.number("shown_after_p99_s") != nil }
        guard
            let slowest = rows.max(by: { ($0.number("shown_after_p95_s") ?? 0) < ($1.number("shown_after_p95_s") ?? 0) }
            )
        else { return nil }
        let late = FigureLabel.text(slowest.number("shown_after_p95_s") ?? 0, .duration)
        return ChartFigure(
            "shown-after", title: "95\u{A0}% of the updates shown are shown within \(late)",
            description:
                "Times from an update to its showing on a logarithmic axis: the point is the median, the thick line ends at 95\u{A0}%, the thin one at 99\u{A0}%.",
            IntervalRows(
                rows.map { row in
                    let times = Self.showings.map { row.number($0) ?? 0 }
                    return IntervalRows.Row(
                        row["kind"],
                        figure:
                            "\(FigureLabel.text(times[0], .duration)) · 95 %: \(FigureLabel.text(times[1], .duration))",
                        value: times[0], interval: times[0]...max(times[0], times[1]),
                        reach: times[0]...max(times[0], times[2]), paint: .series(0))
                }, measure: .duration, isLogarithmic: true),
            table: ChartTable(
                columns: ["Live Activity", "p50, s", "p95, s", "p99, s"],
                rows: rows.map { row in [row["kind"]] + Self.showings.map { row[$0] } }, source: "live_activities.csv"))
    }

    /// The outcomes of accepted pushes.
    private func outcomeChart(_ activities: PageTable) -> ChartFigure? {
        let all = PageTable.sum(activities.rows, "pushes_accepted")
        guard all > 0 else { return nil }
        let throttled = PageTable.sum(activities.rows, "pushes_over_budget") / all
        return ChartFigure(
            "push-outcomes",
            title: "\(FigureLabel.text(throttled, .share)) of the accepted pushes find the phone's budget spent",
            description: "Pushes to Live Activities by their outcome.",
            BarRows(
                activities.rows.map { row in
                    let shown = Double(row.count("pushes_shown"))
                    let sum = Self.outcomes.reduce(0.0) { $0 + Double(row.count($1.1)) }
                    return BarRows.Row(
                        row["kind"], figure: FigureLabel.text(sum == 0 ? 0 : shown / sum, .share) + " shown",
                        Self.outcomes.enumerated().map { BarRows.Part(Double(row.count($1.1)), .series($0 % 8)) })
                }),
            legend: Self.outcomes.enumerated().map { ($1.0, .series($0 % 8)) },
            table: ChartTable(
                columns: ["Live Activity"] + Self.outcomes.map(\.0),
                rows: activities.rows.map { row in [row["kind"]] + Self.outcomes.map { row[$0.1] } },
                source: "live_activities.csv"))
    }

    /// How far behind the truth is what people see: widgets and Live Activities beside each other.
    private func lagChart(_ activities: PageTable) -> ChartFigure? {
        let suffix = ".lag_mean_s"
        let kinds = metrics.names.filter { $0.hasSuffix(suffix) && $0.split(separator: ".").count == 2 }
        let widgets =
            kinds.isEmpty ? [("widgets", "lag_mean_s")] : kinds.map { (String($0.dropLast(suffix.count)), $0) }
        let isOne = activities.rows.count == 1
        let live = activities.rows.map { row in
            (row["kind"], isOne ? "live.view_lag_mean_s" : "live.\(row["kind"]).view_lag_mean_s")
        }
        let rows = (widgets.map { ($0, $1, Paint.series(7)) } + live.map { ($0, $1, Paint.series(0)) }).compactMap {
            name, metric, paint in metrics.value(metric).map { (name, metric, $0, paint) }
        }
        guard let least = rows.min(by: { $0.2 < $1.2 }) else { return nil }
        return ChartFigure(
            "push-lag",
            title: "\(least.0) is least behind: \(FigureLabel.text(least.2, .duration)) at a view, on average",
            description:
                "The mean lag behind the truth at a view: how long the first update that it lacks has been out, 0 if it lacks none.",
            BarRows(
                rows.map { name, _, value, paint in
                    BarRows.Row(name, figure: FigureLabel.text(value, .duration), [BarRows.Part(value, paint)])
                }),
            legend: [("widgets", .series(7)), ("Live Activities", .series(0))],
            table: ChartTable(
                columns: ["what is seen", "mean lag, s"],
                rows: rows.map { [$0.0, FigureLabel.significant($0.2)] }, source: "summary.csv"))
    }
}
