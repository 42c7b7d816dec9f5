import ResultFiles

/// The objectives of the service on the page: how each spends its error budget.
extension RunPage {
    func levelCharts() throws(OutputProblem) -> [Chart?] {
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
        return levels.rows.map { level in
            let name = level["objective"]
            return levelChart(level, name, bins.rows(["objective": name]), alerts.rows(["objective": name]))
        }
    }

    private func levelChart(_ level: PageRow, _ name: String, _ bins: [PageRow], _ alerts: [PageRow]) -> Chart? {
        guard let spent = level.number("budget_spent"), let share = level.number("share"), !bins.isEmpty else {
            return nil
        }
        let time = time(most: TimeColumns.mostHalf)
        let spending = time.reduced(time.bins(bins, "budget_spent")) { $0.last { $0 != nil } ?? nil }
        let frame = time.frame(
            [
                time.sum("requests", time.bins(bins, "requests")), time.sum("bad", time.bins(bins, "bad")),
                Frame.Column("budget spent", spending, .share, .series(5)),
            ], source: "service_level_bins.csv")
        let fired = alerts.compactMap { alert in
            alert.number("start_s").map { PlotLayer.shade(from: $0, to: alert.number("end_s") ?? .infinity) }
        }
        let within = level.number("within_s").map { " within \(FigureLabel.text($0, .duration))" } ?? ""
        let burn =
            level.number("burn_worst_1h").map {
                "; the worst hour burns it \(FigureLabel.text($0)) times as fast as it may"
            } ?? ""
        let rules = Set(alerts.map { $0["rule"] }).sorted().joined(separator: "; ")
        return Chart(
            "level-" + IDText.of(name), frame, .steps,
            says:
                "\(FigureLabel.text(share, .share)) of the requests shall be answered\(within). The line is the budget spent so far. Alerts that would have fired: \(rules.isEmpty ? "none" : rules).",
            finding: "\(name): \(FigureLabel.text(spent, .share)) of the error budget is spent\(burn)"
        ) { $0.behind = incidents.shades + fired + [.rule(1, "all of the budget")] }
    }
}
