import Basics
import ResultFiles

/// The page of a log of clients beside its fit: what is told, and how well the model explains the log.
struct ClientPage {
    private struct Facts: Decodable {
        let reloadsim, comparison, extent, misfit, accrual: String
        let logs, allowances, advice, notes: [String]
        let fits: Bool
        let fragment: String
    }

    private let source: PageSource
    private let facts: Facts
    private let estimates, moments: PageTable

    /// Nil if the folder's comparison is of something else.
    init?(_ source: PageSource) throws(OutputProblem) {
        let numbers: [ResultColumn] = [
            .number("value"), .number("interval_low"), .number("interval_high"), .number("range_share"),
        ]
        guard
            let estimates = try source.tableIfPresent(
                "client_estimates.csv", ["key", "unit", "reason", .flag("told")] + numbers)
        else { return nil }
        self.source = source
        self.estimates = estimates
        facts = try source.manifest(of: "a log of clients beside its fit")
        moments = try source.table(
            "client_moments.csv", ["group", "moment", .number("observed"), .number("fitted"), .number("z")])
    }

    func html() throws(OutputProblem) -> String {
        var sections: [PageDocument.Section?] = [
            PageDocument.Section("parameters", "Parameters", html: parameterTable),
            PageDocument.Section("fit", "The log beside its fit", groups.compactMap(chart)),
        ]
        if !facts.fragment.isEmpty {
            sections.append(
                PageDocument.Section(
                    "scenario", "For the scenario", html: "<pre tabindex=\"0\">\(Markup.escaped(facts.fragment))</pre>")
            )
        }
        sections.append(
            try .origin(
                [
                    ("Logs", Phrase(facts.logs.joined(separator: ", "))), ("Read", Phrase(facts.extent)),
                    ("Notes", facts.notes.isEmpty ? nil : Phrase(facts.notes.joined(separator: "; "))),
                    ("Version", Phrase("reloadsim " + facts.reloadsim)),
                ], html: "", source))
        return PageDocument(
            sort: "log of clients", title: facts.comparison, facts: Phrase(facts.extent), verdict: verdict,
            sections: sections.compactMap(\.self),
            version: facts.reloadsim
        ).html
    }

    private var verdict: String {
        let told = estimates.rows.filter { $0["told"] == "true" }.count
        let heading =
            facts.fits
            ? "The log tells \(told) of \(estimates.rows.count) parameters" : "The model does not explain this log"
        func sentence(_ text: String) -> String { text.prefix(1).uppercased() + text.dropFirst() + "." }
        return
            "<div class=\"panel \(facts.fits ? "well" : "ill")\"><h2>\(heading)</h2>"
            + ([facts.misfit, facts.accrual] + facts.allowances + facts.advice).map { Phrase(sentence($0)).said }
            .joined()
            + "</div>"
    }

    private var parameterTable: String {
        PageParts.table(
            ["key", "estimate", "95 % interval", "unit", "share of its range", "told"],
            estimates.rows.map { row in
                [
                    "<code>\(Markup.escaped(row["key"]))</code>", row.figure("value")?.html ?? "",
                    "\(row.figure("interval_low")?.html ?? "") to \(row.figure("interval_high")?.html ?? "")",
                    Markup.escaped(row["unit"]), row.number("range_share").map { FigureLabel.text($0, .share) } ?? "",
                    row["told"] == "true" ? "yes" : "no: \(Markup.escaped(row["reason"]))",
                ]
            }, label: "What the log tells")
    }

    private var groups: [String] { moments.rows.map { $0["group"] }.uniqued }

    /// How far the fit is from the log in the moments of a group.
    private func chart(_ group: String) -> Chart? {
        let rows = moments.rows.filter { $0["group"] == group && $0.number("z") != nil }
        guard let worst = rows.max(by: { ($0.number("z") ?? 0).magnitude < ($1.number("z") ?? 0).magnitude }) else {
            return nil
        }
        let frame = Frame(
            group, rows.map { $0["moment"] },
            [
                Frame.Column(
                    "log less fit, standard errors", rows.map { $0.number("z") }, .number, .series(0),
                    cells: rows.map { $0["z"] }),
                Frame.Column("log", rows.map { $0.number("observed") }, cells: rows.map { $0["observed"] }),
                Frame.Column("fit", rows.map { $0.number("fitted") }, cells: rows.map { $0["fitted"] }),
            ], source: moments.file)
        return Chart(
            "moments-\(groups.firstIndex(of: group) ?? 0)", frame, .estimates,
            says: "Shares of \(group): the log’s less that of the fitted setting, in standard errors of both.",
            finding:
                "\(group.prefix(1).uppercased())\(group.dropFirst()): furthest apart \(worst["moment"]), by \(FigureLabel.significant((worst.number("z") ?? 0).magnitude)) standard errors",
            isWide: true
        ) { $0.line = 0 }
    }
}
