import ResultFiles

/// The part of the page about controls; nothing where a scenario has none.
extension RunPage {
    private static let causes = [
        ("their use", "reloads_action"), ("calls of their app", "reloads_call"), ("pushes", "reloads_push"),
        ("other causes", "reloads_other"),
    ]

    func controlSection() throws(OutputProblem) -> PageDocument.Section? {
        let counts = ["views", "views_stale", "views_fresh"] + Self.causes.map(\.1)
        guard let table = try source.tableIfPresent("controls.csv", ["kind", "place"] + counts.map { .count($0) })
        else { return nil }
        let charts = [Self.freshness(of: table), Self.reloads(of: table)].compactMap { $0.map { PageChart($0) } }
        return charts.isEmpty ? nil : PageDocument.Section("controls", "Controls", charts: charts)
    }

    /// The views by kind and place.
    private static func freshness(of table: PageTable) -> ChartFigure? {
        struct Sum {
            let name: String
            let views, fresh, stale: Double
        }
        let sums = table.values("kind").flatMap { kind in
            table.values("place", of: table.rows(["kind": kind])).map { place in
                let rows = table.rows(["kind": kind, "place": place])
                return Sum(
                    name: "\(kind), \(place.replacing("_", with: " "))", views: PageTable.sum(rows, "views"),
                    fresh: PageTable.sum(rows, "views_fresh"), stale: PageTable.sum(rows, "views_stale"))
            }
        }.filter { $0.views > 0 }
        guard let worst = sums.max(by: { $0.stale / $0.views < $1.stale / $1.views }) else { return nil }
        let bars = sums.map { sum in
            BarRows.Row(
                sum.name, figure: "\(FigureLabel.text(sum.views)) views",
                [(sum.fresh, Paint.series(0)), (sum.stale, Paint.series(1))].map {
                    BarRows.Part($0 / sum.views, $1, label: FigureLabel.text($0 / sum.views, .share))
                })
        }
        return ChartFigure(
            "control-views",
            title: "At most \(FigureLabel.text(worst.stale / worst.views, .share)) of views are stale: \(worst.name)",
            description:
                "Views of controls that were fresh and stale, by kind and place; others showed no value of the place.",
            BarRows(bars, most: 1), legend: [("fresh", .series(0)), ("stale", .series(1))],
            table: ChartTable(
                columns: ["control", "views", "fresh", "stale"],
                rows: sums.map { sum in
                    [sum.name] + [sum.views, sum.fresh, sum.stale].map { FigureLabel.grouped($0, decimals: 0) }
                }, source: "controls.csv"))
    }

    /// The reloads by kind and cause.
    private static func reloads(of table: PageTable) -> ChartFigure? {
        let sums = table.values("kind").map { kind in
            (kind, causes.map { PageTable.sum(table.rows(["kind": kind]), $0.1) })
        }.filter { $0.1.contains { $0 > 0 } }
        let all = causes.indices.map { cause in sums.reduce(0) { $0 + $1.1[cause] } }
        guard !sums.isEmpty, let most = all.indices.max(by: { all[$0] < all[$1] }) else { return nil }
        let share = FigureLabel.text(all[most] / all.reduce(0, +), .share)
        return ChartFigure(
            "control-reloads", title: "\(share) of the reloads of controls come from \(causes[most].0)",
            description: "Reloads of controls begun in the report, by their cause.",
            BarRows(
                sums.map { kind, reloads in
                    BarRows.Row(
                        kind, figure: FigureLabel.text(reloads.reduce(0, +)),
                        reloads.enumerated().map { BarRows.Part($1, .series($0)) })
                }),
            legend: causes.enumerated().map { ($1.0, .series($0)) },
            table: ChartTable(
                columns: ["control"] + causes.map(\.0),
                rows: sums.map { kind, reloads in [kind] + reloads.map { FigureLabel.grouped($0, decimals: 0) } },
                source: "controls.csv"))
    }
}
