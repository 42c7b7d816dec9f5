import ResultFiles

/// The part of the page about controls; nothing where a scenario has none.
extension RunPage {
    private static let views: [Series] = [
        .count("views", "views"), .count("views_fresh", "fresh", .series(0)),
        .count("views_stale", "stale", .series(1)),
    ]
    private static let causes: [Series] = [
        .count("reloads_action", "their use", .series(0)), .count("reloads_call", "calls of their app", .series(1)),
        .count("reloads_push", "pushes", .series(2)), .count("reloads_other", "other causes", .series(3)),
    ]

    func controlSection() throws(OutputProblem) -> PageDocument.Section? {
        let columns = ["kind", "place"] + (Self.views + Self.causes).map(\.source)
        return try source.tableIfPresent("controls.csv", columns).flatMap { table in
            PageDocument.Section("controls", "Controls", [Self.freshness(of: table), Self.reloads(of: table)])
        }
    }

    /// The views by kind and place.
    private static func freshness(of table: PageTable) -> Chart? {
        let names = table.values("kind").flatMap { kind in
            table.values("place", of: table.rows(["kind": kind])).map { (kind, $0) }
        }
        let places = Frame(
            "control", names.map { "\($0), \($1.replacing("_", with: " "))" },
            views.map { $0.column(of: names.map { table.rows(["kind": $0, "place": $1]) }) }, source: table.file
        ).filter { $0["views"] > 0 }.shares(of: "views")
        guard let worst = places.most("stale") else { return nil }
        return Chart(
            "control-views", places, .bars,
            says:
                "Views of controls that were fresh and stale, by kind and place; others showed no value of the place.",
            finding: "At most \(worst.text("stale")) of views are stale: \(worst.name)"
        ) { $0.figure = { "\($0.text("views")) views" } }
    }

    /// The reloads by kind and cause.
    private static func reloads(of table: PageTable) -> Chart? {
        let kinds = table.frame(by: "kind", as: "control", causes).filter { $0.sum > 0 }
        guard !kinds.isEmpty, let most = causes.map(\.name).max(by: { kinds.sum($0) < kinds.sum($1) }) else {
            return nil
        }
        let all = kinds.rows.reduce(0) { $0 + $1.sum }
        return Chart(
            "control-reloads", kinds, .bars, says: "Reloads of controls begun in the report, by their cause.",
            finding: "\(FigureLabel.text(kinds.sum(most) / all, .share)) of the reloads of controls come from \(most)")
    }
}
