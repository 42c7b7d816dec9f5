import ResultFiles

/// Where budgets go, and what holds reloads back.
extension RunPage {
    /// By how many days the sums of a report are divided: by none of a report shorter than a day, whose figures are of
    /// the whole report.
    var days: Double { max(1, facts.seconds / 86_400) }
    var aDay: String { facts.seconds >= 86_400 ? " a day" : " in the report" }
    private var andDays: String { facts.seconds >= 86_400 ? " and days" : "" }

    func budgetSection() throws(OutputProblem) -> PageDocument.Section? {
        let budget = try source.table(
            "budget.csv",
            ["pool", "kind", "local_hour", .count("balance_readings"), .amount("mean_balance_tokens")]
                + Self.tokens.map(\.source))
        let own = budget.rows(["pool": "own"])
        return PageDocument.Section(
            "budget", "Budget and gates",
            [
                hasAllHours ? try tokenChart(budget, own) : nil, try gateChart(), try causeChart(),
                hasAllHours ? balanceChart(budget, own) : nil,
            ])
    }

    private static let tokens: [Series] = [
        .amount("accrued_tokens", "accrued, tokens"), .amount("spent_tokens", "spent, tokens"),
        .amount("expired_tokens", "expired, tokens"),
    ]

    private func tokenChart(_ budget: PageTable, _ own: [PageRow]) throws(OutputProblem) -> Chart? {
        let totals = try source.table("budget_totals.csv", ["pool", .count("accounts")])
        let accounts = PageTable.sum(totals.rows(["pool": "own"]), "accounts")
        guard !own.isEmpty, accounts > 0 else { return nil }
        let hours = budget.hours(of: own, Self.tokens)
            .adding("spent each", .number, .series(0)) { $0["spent, tokens"] / accounts / days }
            .adding("expired each", .number, .series(1)) { $0["expired, tokens"] / accounts / days }
            .adding("accrued each", .number, .ink, as: .steps) { $0["accrued, tokens"] / accounts / days }
        func all(_ column: String) -> String { FigureLabel.text(hours.sum(column)) }
        return Chart(
            "budget-hours", hours, .stack,
            says:
                "Tokens of an instance's own account by hour of its local day, on average over accounts\(andDays): spent below, expired above, accrued as a line.",
            finding: hours.sum("spent each") == 0
                ? "No tokens are spent in the report"
                : "Of \(all("accrued each")) tokens\(aDay) \(all("spent each")) are spent, most at \(hours.most("spent each")!.name), and \(all("expired each")) expire"
        )
    }

    private func balanceChart(_ budget: PageTable, _ own: [PageRow]) -> Chart? {
        let kinds = budget.values("kind", of: own).prefix(Paint.seriesCount).enumerated().map { place, kind in
            let means = (0..<24).map { hour -> Double? in
                let rows = budget.rows(["pool": "own", "kind": kind, "local_hour": "\(hour)"])
                let readings = PageTable.sum(rows, "balance_readings")
                let sum = rows.reduce(0) {
                    $0 + ($1.number("mean_balance_tokens") ?? 0) * ($1.number("balance_readings") ?? 0)
                }
                return readings == 0 ? nil : sum / readings
            }
            return Frame.Column(kind, means, .number, .series(place))
        }
        let hours = Frame.hours("local hour", kinds, source: "budget.csv")
        let found = kinds.flatMap { kind in
            zip(hours.names, kind.values).compactMap { hour, value in
                value.map { (kind: kind.name, hour: hour, mean: $0) }
            }
        }
        guard let lowest = found.min(by: { $0.mean < $1.mean }), found.contains(where: { $0.mean > 0 }) else {
            return nil
        }
        return Chart(
            "balances", hours, .line,
            says:
                "The mean balance of an instance's own account at the beginning of each hour of its local day, in tokens.",
            finding:
                "Balances are lowest at \(lowest.hour): \(FigureLabel.text(lowest.mean)) tokens of \(lowest.kind)")
    }

    private func gateChart() throws(OutputProblem) -> Chart? {
        let series: [Series] = [.count("waits", "waits"), .amount("wait_s", "waiting", .duration)]
        guard let instances = metrics.value("instances"), instances > 0 else { return nil }
        let gates = try source.table("budget_waits.csv", ["gate", "ended_by"] + series.map(\.source))
            .frame(by: "gate", series, words: { $0.replacing("_", with: " ") })
            .filter { $0.name != "any" }.sorted { $0["waiting"] }
            .adding("mean wait", .duration) { $0["waits"] == 0 ? 0 : $0["waiting"] / $0["waits"] }
            .adding("for an instance\(aDay)", .duration, .series(0)) { $0["waiting"] / instances / days }
        guard let first = gates.rows.first else { return nil }
        return Chart(
            "gates", gates, .bars,
            says:
                "How long due reloads wait under each closed gate, on average over instances\(andDays). A reload can wait under several gates at once.",
            finding:
                "The \(first.name) gate holds most: \(FigureLabel.text(first.sum, .duration)) of waiting for an instance\(aDay)"
        ) {
            $0.figure = {
                "\(FigureLabel.text($0.sum, .duration)) · mean \($0.text("mean wait"))"
            }
        }
    }

    private func causeChart() throws(OutputProblem) -> Chart? {
        let series: [Series] = [
            .count("started_charged", "charged", .series(0)), .count("started_free", "free", .series(2)),
        ]
        let causes = try source.table("reload_causes.csv", ["cause"] + series.map(\.source))
            .frame(by: "cause", series, words: CauseText.words).filter { $0.sum > 0 }.sorted()
        guard let first = causes.rows.first else { return nil }
        let all = causes.sum("charged") + causes.sum("free")
        return Chart(
            "causes", causes, .bars,
            says: "Reloads begun in the report by their cause, charged to the budget or free.",
            finding:
                "\(FigureLabel.text(first.sum / all, .share)) of the reloads come of \(first.name); \(FigureLabel.text(causes.sum("free") / all, .share)) of all are free"
        )
    }
}
