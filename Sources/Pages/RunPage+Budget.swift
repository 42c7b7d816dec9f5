import ResultFiles

/// Where budgets go, and what holds reloads back.
extension RunPage {
    /// By how many days the sums of a report are divided: by none of a report shorter than a day, whose figures are of
    /// the whole report.
    private var days: Double { max(1, facts.seconds / 86_400) }
    private var aDay: String { facts.seconds >= 86_400 ? " a day" : " in the report" }

    func budgetSection() throws(OutputProblem) -> PageDocument.Section {
        let budget = try source.table(
            "budget.csv",
            [
                "pool", "local_hour", .amount("accrued_tokens"), .amount("expired_tokens"), .amount("spent_tokens"),
                .count("balance_readings"),
                .amount("mean_balance_tokens"),
            ])
        let totals = try source.table("budget_totals.csv", ["pool", .count("accounts")])
        let accounts = PageTable.sum(totals.rows(["pool": "own"]), "accounts")
        let charts = [budgetChart(budget, accounts: accounts), try gateChart(), try causeChart(), balanceChart(budget)]
        return PageDocument.Section(
            "budget", "Budget and gates", charts: charts.compactMap { $0.map { PageChart($0) } })
    }

    private func budgetChart(_ table: PageTable, accounts: Double) -> ChartFigure? {
        let own = table.rows(["pool": "own"])
        guard !own.isEmpty, accounts > 0 else { return nil }
        let hours = (0..<24).map { hour in own.filter { $0["local_hour"] == "\(hour)" } }
        let columns = ["accrued_tokens", "spent_tokens", "expired_tokens"]
        let sums = columns.map { column in hours.map { PageTable.sum($0, column) } }
        func each(_ tokens: Double) -> Double { tokens / accounts / days }
        let (accrued, spent, expired) = (sums[0].map(each), sums[1].map(each), sums[2].map(each))
        let both = zip(spent, expired).map(+)
        let yTicks = Ticks.upTo(max(accrued.max() ?? 0, both.max() ?? 0))
        var plot = Self.hourPlot(yTicks)
        plot.layers = [.columns(both, .series(1)), .columns(spent, .series(0)), .steps(accrued, .ink)]
        let (allAccrued, allSpent, allExpired) = (
            each(sums[0].reduce(0, +)), each(sums[1].reduce(0, +)), each(sums[2].reduce(0, +))
        )
        let top = spent.indices.max { (spent[$0], $1) < (spent[$1], $0) }!
        return ChartFigure(
            "budget-hours",
            title: allSpent == 0
                ? "No tokens are spent in the report"
                : "Of \(FigureLabel.text(allAccrued)) tokens\(aDay) \(FigureLabel.text(allSpent)) are spent, most at \(Self.hourText(top)), and "
                    + "\(FigureLabel.text(allExpired)) expire",
            description:
                "Tokens of an instance's own account by hour of its local day, on average over accounts\(facts.seconds >= 86_400 ? " and days" : ""): "
                + "spent below, expired above, accrued as a line.",
            plot, legend: [("spent", .series(0)), ("expired", .series(1)), ("accrued", .ink)],
            table: ChartTable(
                columns: [
                    "local hour", "accrued, tokens", "spent, tokens", "expired, tokens", "accrued each", "spent each",
                    "expired each",
                ],
                rows: (0..<24).map { hour in
                    [Self.hourText(hour)] + sums.map { FigureLabel.grouped($0[hour], decimals: 1) }
                        + [accrued, spent, expired].map { FigureLabel.significant($0[hour]) }
                }, source: "budget.csv, budget_totals.csv", followsPlot: true))
    }

    private func balanceChart(_ table: PageTable) -> ChartFigure? {
        let own = table.rows(["pool": "own"])
        let kinds =
            table.header.contains("kind") ? Array(table.values("kind", of: own).prefix(Paint.seriesCount)) : []
        let means = kinds.map { kind in
            (0..<24).map { hour -> Double? in
                let rows = own.filter { $0["kind"] == kind && $0["local_hour"] == "\(hour)" }
                let readings = PageTable.sum(rows, "balance_readings")
                return readings == 0
                    ? nil
                    : rows.reduce(0) {
                        $0 + (($1.number("mean_balance_tokens") ?? 0) * ($1.number("balance_readings") ?? 0))
                    } / readings
            }
        }
        let all = means.flatMap { $0 }.compactMap { $0 }
        guard let most = all.max(), most > 0 else { return nil }
        let yTicks = Ticks.upTo(most)
        var plot = Self.hourPlot(yTicks)
        plot.layers = means.enumerated().map { .line(Self.points($1), .series($0)) }
        plot.endLabels = kinds.enumerated().compactMap { place, kind in
            means[place].last.flatMap { $0 }.map { EndLabel(kind, y: $0, paint: .series(place)) }
        }
        var lowest: (value: Double, kind: String, hour: Int)?
        for (place, kind) in kinds.enumerated() {
            for hour in 0..<24 {
                if let value = means[place][hour], lowest == nil || value < lowest!.value {
                    lowest = (value, kind, hour)
                }
            }
        }
        let title =
            lowest.map {
                "Balances are lowest at \(Self.hourText($0.hour)): \(FigureLabel.text($0.value)) tokens of \($0.kind)"
            } ?? ""
        return ChartFigure(
            "balances", title: title,
            description:
                "The mean balance of an instance's own account at the beginning of each hour of its local day, in tokens.",
            plot,
            legend: kinds.enumerated().map { ($1, Paint.series($0)) },
            table: ChartTable(
                columns: ["local hour"] + kinds,
                rows: (0..<24).map { hour in
                    [Self.hourText(hour)] + means.map { $0[hour].map { FigureLabel.significant($0) } ?? "" }
                }, source: "budget.csv",
                followsPlot: true))
    }

    /// The middle of each hour.
    private static func points(_ values: [Double?]) -> [PlotPoint] {
        values.enumerated().compactMap { hour, value in value.map { PlotPoint(Double(hour) + 0.5, $0) } }
    }

    private func gateChart() throws(OutputProblem) -> ChartFigure? {
        let table = try source.table("budget_waits.csv", ["gate", "ended_by", .count("waits"), .amount("wait_s")])
        let instances = metrics.value("instances") ?? 0
        let rows = table.values("gate").filter { $0 != "any" }.map {
            gate -> (gate: String, waits: Double, seconds: Double) in
            let rows = table.rows(["gate": gate])
            return (gate, PageTable.sum(rows, "waits"), PageTable.sum(rows, "wait_s"))
        }.sorted { ($0.seconds, $1.gate) > ($1.seconds, $0.gate) }
        guard let first = rows.first, instances > 0 else { return nil }
        func each(_ seconds: Double) -> Double { seconds / instances / days }
        let bars = rows.map { row in
            let mean = FigureLabel.text(row.waits == 0 ? 0 : row.seconds / row.waits, .duration)
            return BarRows.Row(
                row.gate.replacing("_", with: " "), figure: "\(FigureLabel.text(row.waits)) waits, mean \(mean)",
                [BarRows.Part(each(row.seconds), .series(0), label: FigureLabel.text(each(row.seconds), .duration))])
        }
        let cells = rows.map { row -> [String] in
            let mean = row.waits == 0 ? 0 : row.seconds / row.waits
            return [
                row.gate.replacing("_", with: " "), FigureLabel.grouped(row.waits, decimals: 0),
                FigureLabel.grouped(row.seconds, decimals: 0),
                FigureLabel.significant(mean), FigureLabel.significant(each(row.seconds)),
            ]
        }
        return ChartFigure(
            "gates",
            title:
                "The \(first.gate.replacing("_", with: " ")) gate holds most: \(FigureLabel.text(each(first.seconds), .duration)) of waiting for an "
                + "instance\(aDay)",
            description:
                "How long due reloads wait under each closed gate, on average over instances\(facts.seconds >= 86_400 ? " and days" : ""). A reload "
                + "can wait under several gates at once.",
            BarRows(bars),
            table: ChartTable(
                columns: ["gate", "waits", "waiting, s", "mean wait, s", "for an instance\(aDay), s"], rows: cells,
                source: "budget_waits.csv"))
    }

    private func causeChart() throws(OutputProblem) -> ChartFigure? {
        let table = try source.table("reload_causes.csv", ["cause", .count("started_charged"), .count("started_free")])
        var sums: [CauseSum] = []
        for cause in table.values("cause") {
            let rows = table.rows(["cause": cause])
            let sum = CauseSum(
                cause: cause, charged: PageTable.sum(rows, "started_charged"), free: PageTable.sum(rows, "started_free")
            )
            if sum.all > 0 { sums.append(sum) }
        }
        let rows = sums.sorted { $0.all == $1.all ? $0.cause < $1.cause : $0.all > $1.all }
        guard let first = rows.first else { return nil }
        let all: Double = rows.map(\.all).reduce(0, +)
        let free: Double = rows.map(\.free).reduce(0, +)
        let share = FigureLabel.text(first.all / all, .share)
        let freeShare = FigureLabel.text(free / all, .share)
        let bars = rows.map { row in
            BarRows.Row(
                CauseText.words(row.cause), figure: FigureLabel.text(row.all),
                [BarRows.Part(row.charged, .series(0)), BarRows.Part(row.free, .series(2))])
        }
        let cells = rows.map { row in
            [
                CauseText.words(row.cause), FigureLabel.grouped(row.charged, decimals: 0),
                FigureLabel.grouped(row.free, decimals: 0),
            ]
        }
        return ChartFigure(
            "causes",
            title: "\(share) of the reloads come of \(CauseText.words(first.cause)); \(freeShare) of all are free",
            description: "Reloads begun in the report by their cause, charged to the budget or free.",
            BarRows(bars), legend: [("charged", .series(0)), ("free", .series(2))],
            table: ChartTable(columns: ["cause", "charged", "free"], rows: cells, source: "reload_causes.csv"))
    }
}

/// Reloads begun for one cause.
private struct CauseSum {
    let cause: String
    let charged, free: Double
    var all: Double { charged + free }
}
