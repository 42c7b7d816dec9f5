import Basics
import ResultFiles

/// The page of a run beside an access log: the hours of the day first.
struct LogPage {
    private struct Facts: Decodable {
        let reloadsim, comparison, zone: String
        let compared, logs, findings, advice, forms, notes: [String]
    }

    private let source: PageSource
    private let facts: Facts
    private let hours, figures: PageTable

    /// Nil if the folder's comparison is of something else.
    init?(_ source: PageSource) throws(OutputProblem) {
        let perSecond: [ResultColumn] = [
            .number("run_per_s"), .number("log_per_s"), .number("ratio"), .number("level"),
        ]
        guard
            let hours = try source.tableIfPresent("log_hours.csv", [.count("hour"), .flag("differs")] + perSecond)
        else { return nil }
        self.source = source
        self.hours = hours
        facts = try source.manifest(of: "a comparison with a log")
        figures = try source.table(
            "log_figures.csv", ["figure", "unit", .number("run"), .number("log"), .flag("differs")])
    }

    func html() throws(OutputProblem) -> String {
        let sections = [
            PageDocument.Section("hours", "Hours of the day", [loadChart, ratioChart]),
            PageDocument.Section("figures", "Figures", html: figureTable),
            try .origin(
                [
                    ("Run", facts.compared.first.map { Phrase($0) }),
                    ("Logs", Phrase(facts.logs.joined(separator: ", "))),
                    ("Read as", Phrase(facts.forms.joined(separator: "; "))), ("Zone", Phrase(facts.zone)),
                    ("Notes", facts.notes.isEmpty ? nil : Phrase(facts.notes.joined(separator: "; "))),
                    ("Version", Phrase("reloadsim " + facts.reloadsim)),
                ], html: "", source),
        ]
        return PageDocument(
            sort: "comparison with a log", title: facts.comparison, facts: "by the clock of \(facts.zone)",
            verdict: verdict, sections: sections, version: facts.reloadsim
        ).html
    }

    private var verdict: String {
        func sentence(_ text: String) -> String { text.prefix(1).uppercased() + text.dropFirst() + "." }
        let differs = hours.rows.contains { $0["differs"] == "true" } || !facts.advice.isEmpty
        return
            "<div class=\"panel \(differs ? "ill" : "well")\"><h2>\(Markup.escaped(facts.findings.first.map(sentence) ?? ""))</h2>"
            + facts.findings.dropFirst().map { Phrase(sentence($0)).said }.joined()
            + facts.advice.map { Phrase(sentence($0)).said }.joined() + "</div>"
    }

    /// The rows of the day's hours, in their order.
    private func column(_ name: String, _ cells: String, _ measure: Measure = .number, _ paint: Paint? = nil)
        -> Frame.Column
    {
        let rows = (0..<24).map { hours.row(["hour": "\($0)"]) }
        return Frame.Column(
            name, rows.map { $0?.number(cells) }, measure, paint, cells: rows.map { $0?[cells] ?? "" })
    }

    private var loadChart: Chart {
        let frame = Frame.hours(
            "local hour",
            [
                column("run", "run_per_s", .number, .series(0)), column("log", "log_per_s", .number, .series(1)),
                column("log over run", "ratio"),
            ], source: hours.file)
        return Chart(
            "log-hours", frame, .steps, says: "Requests a second by the hour of the day, of the run and of the log.",
            finding: facts.findings.dropFirst().first.map { "What differs: \($0)" } ?? "Both loads by the hour",
            isWide: true
        )
    }

    /// The log over the run at each hour, around the level of most.
    private var ratioChart: Chart? {
        guard let level = hours.rows.lazy.compactMap({ $0.number("level") }).first else { return nil }
        let rows = hours.rows.filter { $0.number("ratio") != nil }
        if rows.isEmpty { return nil }
        let frame = Frame(
            "local hour", rows.map { ($0["hour"].count < 2 ? "0" : "") + $0["hour"] + ":00" },
            [
                Frame.Column(
                    "log over run", rows.map { $0.number("ratio") }, .share, .series(0), cells: rows.map { $0["ratio"] }
                )
            ], source: hours.file
        ).grouped("level", [("at the level of most hours", .series(0)), ("differs", .series(5))]) {
            rows[$0.place]["differs"] == "true" ? 1 : 0
        }
        return Chart(
            "log-ratios", frame, .estimates,
            says: "The log’s load as a share of the run’s, by the hour; the line is the level of most hours.",
            finding: "Most hours have \(FigureLabel.text(level, .share)) of the run’s load", isWide: true
        ) { $0.line = level }
    }

    private var figureTable: String {
        PageParts.table(
            ["figure", "run", "log", "log over run", "unit"],
            figures.rows.map { row in
                let found = figures.row(["figure": row["figure"]]) ?? row
                let ratio = row.number("run").flatMap { run in row.number("log").flatMap { run > 0 ? $0 / run : nil } }
                return [
                    "<code>\(Markup.escaped(row["figure"]))</code>", found.figure("run")?.html ?? "",
                    found.figure("log")?.html ?? "", ratio.map { FigureLabel.text($0) } ?? "",
                    Markup.escaped(row["unit"]),
                ]
            }, label: "Figures of the run and the log")
    }
}
