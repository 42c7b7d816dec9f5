import ResultFiles
import Basics

/// The objectives of the service on the page: how each spends its error budget.
extension RunPage {
    /// - Parameter shades: the events of the service.
    func levelCharts(_ shades: [PlotLayer]) throws(OutputProblem) -> [ChartFigure] {
        guard
            let levels = try source.tableIfPresent(
                "service_levels.csv",
                [
                    "objective", .number("share"), .number("within_s"), .number("budget_spent"),
                    .number("burn_worst_1h"),
                ]),
            let bins = try source.tableIfPresent(
                "service_level_bins.csv",
                [.amount("bin_start_s"), "objective", .count("requests"), .count("bad"), .number("budget_spent")]),
            let alerts = try source.tableIfPresent(
                "service_alerts.csv", ["objective", "rule", .amount("start_s"), .number("end_s")])
        else { return [] }
        return levels.rows.compactMap { level in
            let name = level["objective"]
            return levelChart(level, bins.rows(["objective": name]), alerts.rows(["objective": name]), shades)
        }
    }

    private func levelChart(
        _ level: PageRow, _ bins: [PageRow], _ alerts: [PageRow], _ shades: [PlotLayer]
    ) -> ChartFigure? {
        guard let spent = level.number("budget_spent"), let share = level.number("share"), !bins.isEmpty else {
            return nil
        }
        let name = level["objective"]
        let columns = ColumnReduction(bins: bins.count, most: 360, nice: Self.roundMinutes)
        let ends = (0..<columns.columns).map { bins[columns.range($0).upperBound - 1].number("budget_spent") ?? 0 }
        var plot = timePlot(bins: bins.count, Ticks.upTo(max(1, spent), .share))
        let fired = alerts.compactMap { alert -> PlotLayer? in
            guard let from = alert.number("start_s") else { return nil }
            return .shade(from: from, to: alert.number("end_s") ?? plot.x.high, alert["rule"])
        }
        plot.layers = shades + fired + [.rule(1, "all of the budget"), .steps(ends, .series(5))]
        let within = level.number("within_s").map { " within \(FigureLabel.text($0, .duration))" } ?? ""
        let burn =
            level.number("burn_worst_1h").map {
                "; the worst hour burns it \(FigureLabel.text($0)) times as fast as it may"
            }
            ?? ""
        let rules = Set(alerts.map { $0["rule"] }).sorted()
        return ChartFigure(
            "level-" + IDText.of(name),
            title: "\(name): \(FigureLabel.text(spent, .share)) of the error budget is spent\(burn)",
            description:
                "\(FigureLabel.text(share, .share)) of the requests shall be answered\(within). The line is the budget spent so far. Alerts that would have fired: "
                + (rules.isEmpty ? "none." : rules.joined(separator: "; ") + "."),
            plot,
            table: ChartTable(
                columns: ["from (\(clock.zone))", "requests", "bad", "budget spent"],
                rows: (0..<columns.columns).map { column in
                    let own = bins[columns.range(column)]
                    return [
                        start(column, of: columns), "\(own.reduce(0) { $0 + $1.count("requests") })",
                        "\(own.reduce(0) { $0 + $1.count("bad") })", FigureLabel.text(ends[column], .share),
                    ]
                }, source: "service_level_bins.csv", followsPlot: true))
    }
}
