import ResultFiles

/// The part of the page about what the system fetches in the background; nothing where no kind leaves it that.
extension RunPage {
    private static let endings = [
        ("shown free", "shown_free"), ("shown by a charged reload", "shown_charged"),
        ("dropped, another choice", "dropped"), ("failed", "failed"), ("not sent or not come yet", "carried_out"),
        ("not shown yet", "waiting_out"),
    ]
    private static let deferrals = ["deferral_p50_s", "deferral_p95_s"]

    func transferSection() throws(OutputProblem) -> PageDocument.Section? {
        guard
            let table = try source.tableIfPresent(
                "background_transfers.csv",
                ["kind"] + Self.endings.map { .count($0.1) } + Self.deferrals.map { .number($0) }
                    + [.number("deferral_mean_s")])
        else { return nil }
        let charts = [Self.sending(table), Self.endings(of: table)].compactMap { $0.map { PageChart($0) } }
        return charts.isEmpty ? nil : PageDocument.Section("transfers", "Background transfers", charts: charts)
    }

    /// How long the system waits before it sends.
    private static func sending(_ table: PageTable) -> ChartFigure? {
        let rows = table.rows.filter { $0.number("deferral_p95_s") != nil }
        guard let slowest = rows.max(by: { ($0.number("deferral_p95_s") ?? 0) < ($1.number("deferral_p95_s") ?? 0) })
        else { return nil }
        let late = FigureLabel.text(slowest.number("deferral_p95_s") ?? 0, .duration)
        return ChartFigure(
            "transfer-times", title: "95\u{A0}% of the transfers sent waited for at most \(late)",
            description:
                "From a transfer's hand-over to its sending: the point is the median, the line ends at 95\u{A0}%.",
            IntervalRows(
                rows.map { row in
                    let times = deferrals.map { row.number($0) ?? 0 }
                    return IntervalRows.Row(
                        row["kind"],
                        figure: "95\u{A0}%: \(FigureLabel.text(times[1], .duration))",
                        value: times[0], interval: times[0]...max(times[0], times[1]), paint: .series(0))
                }, measure: .duration),
            table: ChartTable(
                columns: ["kind", "mean, s", "p50, s", "p95, s"],
                rows: rows.map { row in [row["kind"], row["deferral_mean_s"]] + deferrals.map { row[$0] } },
                source: "background_transfers.csv"))
    }

    /// The outcomes of transfers.
    private static func endings(of table: PageTable) -> ChartFigure? {
        let rows = table.rows.filter { row in endings.contains { row.count($0.1) > 0 } }
        guard !rows.isEmpty else { return nil }
        let sums = endings.map { PageTable.sum(rows, $0.1) }
        let shown = FigureLabel.text((sums[0] + sums[1]) / sums.reduce(0, +), .share)
        return ChartFigure(
            "transfer-outcomes",
            title: "\(shown) of the transfers are shown by the report's end",
            description: "Background transfers by their outcome in the report.",
            BarRows(
                rows.map { row in
                    BarRows.Row(
                        row["kind"], figure: FigureLabel.text(endings.reduce(0.0) { $0 + Double(row.count($1.1)) }),
                        endings.enumerated().map { BarRows.Part(Double(row.count($1.1)), .series($0)) })
                }),
            legend: endings.enumerated().map { ($1.0, .series($0)) },
            table: ChartTable(
                columns: ["kind"] + endings.map(\.0),
                rows: rows.map { row in
                    [row["kind"]] + endings.map { FigureLabel.grouped(Double(row.count($0.1)), decimals: 0) }
                }, source: "background_transfers.csv"))
    }
}
