import Basics
import ResultFiles

/// The page of a plan's map of the brink: where the service comes back by itself, and what brings it back.
struct BrinkPage {
    private struct Facts: Decodable {
        let reloadsim, plan, scenario_sha256, seed: String
        let axes, keys, targets, sentences, overrides, command: [String]
        let replications, people, lost: Int
    }

    private let source: PageSource
    private let facts: Facts
    private let cells, cures: PageTable

    /// Nil if the folder's plan looked for a value.
    init?(_ source: PageSource) throws(OutputProblem) {
        let counts: [ResultColumn] = [.count("seeds"), .count("lost")]
        let shares: [ResultColumn] = [
            .number("share_lost"), .number("share_lost_low"), .number("share_lost_high"), .number("well_after_s"),
        ]
        guard let cells = try source.tableIfPresent("map.csv", counts + shares) else { return nil }
        (self.source, self.cells) = (source, cells)
        facts = try source.manifest(of: "a map")
        cures = try source.table(
            "cures.csv",
            [
                "cure", "least", .number("added_servers"), .number("added_cost_per_month"),
                .number("added_share_fresh"), .number("well_after_s"),
            ])
    }

    func html() throws(OutputProblem) -> String {
        let sections = [
            PageDocument.Section("map", "The brink", [map, times].compactMap(\.self)),
            cures.rows.isEmpty ? nil : PageDocument.Section("cures", "Cures, the cheapest first", html: cureTable),
            try .origin(
                [
                    (
                        "Command",
                        Phrase(
                            facts.command.map {
                                $0.hasPrefix("/") ? String($0.split(separator: "/").last ?? "") : $0
                            }.map(ShellText.quoted).joined(separator: " "))
                    ),
                    ("Plan", Phrase(facts.plan)), ("Keys", Phrase(facts.keys.joined(separator: ", "))),
                    ("Targets", facts.targets.isEmpty ? nil : Phrase(facts.targets.joined(separator: "; "))),
                    ("SHA-256 of the scenario", Phrase(facts.scenario_sha256)),
                    ("Overrides", facts.overrides.isEmpty ? nil : Phrase(facts.overrides.joined(separator: ", "))),
                    ("Version", Phrase("reloadsim " + facts.reloadsim)),
                ], source),
        ].compactMap(\.self)
        return PageDocument(
            sort: "map of the brink", title: facts.plan,
            facts: Phrase(
                "\(facts.axes.joined(separator: " · ")) · \(facts.replications) seeds a cell · \(PageParts.people(facts.people, standingFor: nil)) · seed \(facts.seed)"
            ), verdict: verdict, sections: sections, version: facts.reloadsim
        ).html
    }

    private var verdict: String {
        func sentence(_ text: String) -> String { text.prefix(1).uppercased() + text.dropFirst() + "." }
        return
            "<div class=\"panel \(facts.lost == 0 ? "well" : "ill")\"><h2>\(Markup.escaped(facts.sentences.first.map(sentence) ?? ""))</h2>"
            + facts.sentences.dropFirst().map { Phrase(sentence($0)).said }.joined() + "</div>"
    }

    /// Cells by both axes, or a bar for each value of the only one.
    private func chart(_ id: String, _ column: String, _ measure: Measure, says: String, _ finding: String) -> Chart? {
        let rows = cells.rows
        let values = Frame.Column(
            column, rows.map { $0.number(column) }, measure, .series(0), cells: rows.map { $0[column] })
        if values.values.allSatisfy({ $0 == nil }) { return nil }
        guard facts.axes.count == 2 else {
            let frame = Frame(facts.axes[0], rows.map { $0[facts.axes[0]] }, [values], source: cells.file)
            return Chart(id, frame, .bars, says: says, finding: finding, isWide: true)
        }
        let frame = Frame(
            facts.axes[0], rows.map { $0[facts.axes[0]] },
            [.texts(facts.axes[1], rows.map { $0[facts.axes[1]] }), values], source: cells.file)
        return Chart(
            id, frame, .cells, says: "\(says) Down: \(facts.axes[0]). Across: \(facts.axes[1]).", finding: finding,
            isWide: true)
    }

    private var map: Chart? {
        let lost = cells.rows.count { ($0.number("lost") ?? 0) > 0 }
        return chart(
            "map-lost", "share_lost", .share,
            says:
                "The share of the seeds in which \(facts.targets.isEmpty ? "the service does not come back by itself" : "a target is missed").",
            lost == 0 ? "No seed is lost anywhere" : "\(lost) of \(cells.rows.count) cells lose some seeds")
    }

    private var times: Chart? {
        let known = cells.rows.compactMap { $0.number("well_after_s") }
        guard let least = known.min(), let most = known.max() else { return nil }
        return chart(
            "map-well-after", "well_after_s", .duration,
            says: "The mean time until all is well, from the event’s beginning, in the seeds that come back.",
            "All is well after \(FigureLabel.text(least, .duration)) to \(FigureLabel.text(most, .duration)), where it comes back"
        )
    }

    private var cureTable: String {
        let columns: [(name: String, heading: String, measure: Measure)] = [
            ("added_servers", "servers", .number), ("added_cost_per_month", "cost a month", .number),
            ("added_share_fresh", "fresh views", .share), ("well_after_s", "well after", .duration),
        ].filter { column in cures.rows.contains { $0.number(column.0) != nil } }
        let rows = cures.rows.map { row -> [String] in
            let found = cures.row(["cure": row["cure"]]) ?? row
            return [
                Markup.escaped(row["cure"]), row["least"].isEmpty ? "does not help" : Markup.escaped(row["least"]),
            ]
                + columns.map { column in
                    row.number(column.name) == nil ? "" : found.figure(column.name, column.measure)?.html ?? ""
                }
        }
        return PageParts.table(["cure", "least that helps"] + columns.map(\.heading), rows, label: "Cures")
    }
}
