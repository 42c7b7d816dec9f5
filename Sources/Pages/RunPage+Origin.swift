import ResultFiles
import Basics
import Foundation

/// Where a run came from, and its tables.
extension RunPage {
    /// The facts that identify the run. Where no command of its own made it, its command and overrides are left out.
    var origin: [(String, Phrase?)] {
        let overrides = facts.overrides.map { $0.isEmpty ? "none" : $0.joined(separator: ", ") }
        return [
            ("Command", facts.asked.map { Phrase($0.map(ShellText.quoted).joined(separator: " ")) }),
            ("Scenario", Phrase(facts.scenario)), ("SHA-256 of it", Phrase(facts.scenario_sha256)),
            ("SHA-256 of the record", facts.record_sha256.map { Phrase($0) }),
            ("Overrides", overrides.map { Phrase($0) }),
            ("People", Phrase(FigureLabel.grouped(Double(facts.people), decimals: 0))), ("Seed", Phrase(facts.seed)),
            ("Version", Phrase("reloadsim " + facts.reloadsim)), ("Fingerprint", Phrase(facts.fingerprint)),
            ("Report", Phrase("\(facts.report_start) to \(facts.end)")),
        ]
    }

    func originSection(_ resolved: ResolvedText) throws(OutputProblem) -> PageDocument.Section {
        try .origin(
            origin,
            html:
                "<p class=\"say\">The same version makes the same tables of the scenario as it ran, with every override and default in it: "
                + "<code>reloadsim run \(OutputFolder.resolvedScenarioName)</code>. Threads, times and folders stand in <a href=\"manifest.json\">manifest.json</a>.</p>"
                + PageParts.folded(
                    "The scenario as it ran", "<pre tabindex=\"0\">\(Markup.escaped(resolved.text))</pre>"), source)
    }
}

extension PageDocument.Section {
    private struct Package: Decodable {
        struct Resource: Decodable {
            let path: String
            let description: String?
        }
        let resources: [Resource]
    }

    /// The facts that the results came from, and the tables beside the page, each with its statement.
    static func origin(_ facts: [(String, Phrase?)], html: String = "", _ source: PageSource) throws(OutputProblem)
        -> Self
    {
        var files: [Package.Resource] = []
        if let bytes = try source.bytes("datapackage.json") {
            do {
                files = try JSONDecoder().decode(Package.self, from: Data(bytes)).resources
            } catch {
                throw OutputProblem(
                    "\(source.name)/datapackage.json: expected the description of tables, found something else")
            }
        }
        let table = PageParts.table(
            ["file", "a row"],
            files.filter { $0.path.hasSuffix(".csv") }.map {
                [
                    "<a href=\"\(Markup.escaped($0.path))\">\(Markup.escaped($0.path))</a>",
                    Markup.escaped($0.description ?? ""),
                ]
            }, label: "Files"
        ).replacing("<td>", with: "<td class=\"w\">")
        return Self(
            "origin", "Where it came from", html: PageParts.facts(facts) + html + PageParts.folded("Files", table))
    }
}
