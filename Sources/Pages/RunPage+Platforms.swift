import ResultFiles

/// The platforms of a fleet beside each other; nothing where no device runs Android.
extension RunPage {
    func platformSection() throws(OutputProblem) -> PageDocument.Section? {
        guard
            let platforms = try source.tableIfPresent(
                "platforms.csv",
                [
                    "platform", .count("devices"), .number("requests_per_device_day"), .number("peak_1m_to_mean"),
                    .count("views"), .number("share_fresh"), .number("share_stale"), .number("age_mean_s"),
                ]),
            let hours = try source.tableIfPresent(
                "platform_hours.csv", ["platform", "local_hour", .number("requests_per_device_day")]),
            let quota = try source.tableIfPresent(
                "quota.csv", ["gate", .count("refused"), .count("waited"), .amount("waited_s")])
        else { return nil }
        let rows = platforms.rows.filter { ($0.number("devices") ?? 0) > 0 }
        let charts = [Self.freshness(rows), Self.day(rows, hours), Self.gates(quota, rows)]
        return PageDocument.Section(
            "platforms", "Platforms", charts: charts.compactMap { $0.map { PageChart($0) } })
    }

    /// The freshness of views on each.
    private static func freshness(_ rows: [PageRow]) -> ChartFigure? {
        let seen = rows.filter { ($0.number("views") ?? 0) > 0 }
        guard !seen.isEmpty else { return nil }
        func share(_ row: PageRow, _ column: String) -> Double { row.number(column) ?? 0 }
        let words = seen.map { "\(FigureLabel.text(share($0, "share_fresh"), .share)) on \($0["platform"])" }
        let bars = seen.map { row in
            BarRows.Row(
                row["platform"],
                figure: "mean age \(FigureLabel.text(share(row, "age_mean_s"), .duration))",
                [
                    BarRows.Part(
                        share(row, "share_fresh"), .series(0),
                        label: FigureLabel.text(share(row, "share_fresh"), .share)),
                    BarRows.Part(
                        share(row, "share_stale"), .series(1),
                        label: FigureLabel.text(share(row, "share_stale"), .share)),
                ])
        }
        return ChartFigure(
            "platform-views", title: "Views are fresh: \(words.joined(separator: ", "))",
            description:
                "Shares of the views that were fresh and stale, by platform; the rest showed no content of a place, or another.",
            BarRows(bars), legend: [("fresh", .series(0)), ("stale", .series(1))],
            table: ChartTable(
                columns: ["platform", "views", "fresh", "stale", "mean age, s"],
                rows: seen.map { row in
                    [row["platform"], FigureLabel.grouped(share(row, "views"), decimals: 0)]
                        + ["share_fresh", "share_stale", "age_mean_s"].map { FigureLabel.significant(share(row, $0)) }
                }, source: "platforms.csv"))
    }

    /// When the devices of each ask.
    private static func day(_ rows: [PageRow], _ table: PageTable) -> ChartFigure? {
        let names = rows.map { $0["platform"] }
        let lines = names.map { name in
            (0..<24).map { hour in
                table.rows(["platform": name, "local_hour": "\(hour)"]).first?.number("requests_per_device_day") ?? 0
            }
        }
        guard let most = lines.flatMap({ $0 }).max(), most > 0 else { return nil }
        var plot = hourPlot(Ticks.upTo(most))
        plot.layers = lines.enumerated().map { place, line in
            .line(line.enumerated().map { PlotPoint(Double($0) + 0.5, $1) }, .series(place))
        }
        let words = rows.map {
            "\(FigureLabel.text($0.number("requests_per_device_day") ?? 0)) on \($0["platform"])"
        }
        return ChartFigure(
            "platform-hours", title: "Requests of a device a day: \(words.joined(separator: ", "))",
            description: "The requests of a device in each hour of the report's clock, a day, by platform.", plot,
            legend: names.enumerated().map { ($1, Paint.series($0)) },
            table: ChartTable(
                columns: ["hour"] + names,
                rows: (0..<24).map { hour in
                    [hourText(hour)] + lines.map { FigureLabel.significant($0[hour]) }
                }, source: "platform_hours.csv", followsPlot: true))
    }

    /// The gates that held refreshes on Android.
    private static func gates(_ table: PageTable, _ platforms: [PageRow]) -> ChartFigure? {
        let sums = table.values("gate").map {
            gate -> (gate: String, waited: Double, seconds: Double, refused: Double) in
            let rows = table.rows(["gate": gate])
            return (
                gate, PageTable.sum(rows, "waited"), PageTable.sum(rows, "waited_s"), PageTable.sum(rows, "refused")
            )
        }.filter { $0.waited > 0 || $0.refused > 0 }.sorted { ($0.seconds, $1.gate) > ($1.seconds, $0.gate) }
        guard let first = sums.first else { return nil }
        let bars = sums.map { sum in
            BarRows.Row(
                sum.gate, figure: "\(FigureLabel.text(sum.waited)) waits, \(FigureLabel.text(sum.refused)) refused",
                [BarRows.Part(sum.seconds, .series(0), label: FigureLabel.text(sum.seconds, .duration))])
        }
        let mean = first.waited == 0 ? 0 : first.seconds / first.waited
        return ChartFigure(
            "platform-gates",
            title: "On Android \(first.gate) holds most, \(FigureLabel.text(mean, .duration)) for a refresh that waits",
            description:
                "How long refreshes of providers waited at each gate, all together, and what came to nothing there.",
            BarRows(bars),
            table: ChartTable(
                columns: ["gate", "waits", "waiting, s", "refused"],
                rows: sums.map { sum in
                    [sum.gate] + [sum.waited, sum.seconds, sum.refused].map { FigureLabel.grouped($0, decimals: 0) }
                }, source: "quota.csv"))
    }
}
