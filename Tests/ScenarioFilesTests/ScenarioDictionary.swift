@testable import ScenarioFiles

/// The dictionary of the scenario's keys as Markdown, made from the catalogue: the part of `Scenarios/README.md` between its markers.
enum ScenarioDictionary {
    static let begin = "<!-- keys: begin -->"
    static let end = "<!-- keys: end -->"

    /// The tables, one for each part of a scenario.
    static func markdown() -> String {
        let entries = KeyCatalogue.root.entries
        var text = "### Top level\n\n" + table(entries.map { KeyCatalogue.Line(path: $0.name, entry: $0, condition: nil) })
        for entry in entries {
            switch entry.form.structure {
            case .block, .variants, .oneOf: text += "\n### `\(entry.name)`\n\n" + table(KeyCatalogue.lines(in: entry.form, under: ""))
            case .list(let item, _, _):
                let lines = KeyCatalogue.lines(in: item, under: "")
                if !lines.isEmpty { text += "\n### `\(entry.name)`, a list\n\n" + table(lines) }
            case .scalar, .distribution, .span, .anything, .table, .either: continue
            }
        }
        return text
    }

    /// `text` with the dictionary between the markers; nil if it has none.
    static func replaced(in text: String) -> String? {
        guard let from = text.range(of: begin), let to = text.range(of: end), from.upperBound <= to.lowerBound else { return nil }
        return text[..<from.upperBound] + "\n" + markdown() + text[to.lowerBound...]
    }

    /// A citation of the data behind the habits as a link, from the folder of the scenarios.
    private static func linked(_ text: String) -> String {
        text.replacing("docs/calibration-data.md", with: "[docs/calibration-data.md](../docs/calibration-data.md)")
    }

    private static func table(_ lines: [KeyCatalogue.Line]) -> String {
        var text = "| key | value | default | rules | meaning |\n|---|---|---|---|---|\n"
        for line in lines {
            let entry = line.entry
            var meaning = entry.meaning
            if let condition = line.condition { meaning = "With `\(condition)`. " + meaning }
            if let sweep = entry.sweep { meaning += " *Sweep: \(linked(sweep)).*" }
            if let evidence = entry.evidence { meaning += " *Default: \(linked(evidence)).*" }
            text +=
                "| `\(line.path)` | \(cell(value(entry))) | \(cell(fallback(entry))) | \(entry.rules) | \(cell(meaning)) |\n"
        }
        return text
    }

    private static func value(_ entry: KeyEntry) -> String {
        if case .list(.block, _, let key?) = entry.form { return "a list of mappings, each with its own `\(key)`" }
        return entry.form.words
    }

    private static func fallback(_ entry: KeyEntry) -> String {
        switch entry.fallback {
        case .required: entry.fleet == .drawn ? "required in a drawn fleet" : entry.fleet == .replay ? "required in a replay" : "required"
        case .none: "absent"
        case .value("{}") where fillsIn(entry.form): "its keys' defaults"
        case .value(let text): "`\(text)`"
        case .byFleet(let drawn, let replay): "`\(drawn)`; in a replay `\(replay)`"
        case .unless(let key, let text): "`\(text)`; absent with `\(key)`"
        case .computed(let words, _), .sometimes(let words, _): words
        case .fileName: "the file's name"
        }
    }

    /// Whether an empty mapping gets keys by default: the table of apps has an entry for each app.
    private static func fillsIn(_ form: Form) -> Bool {
        if case .table(let table) = form { table.keys == .apps } else { true }
    }

    private static func cell(_ text: String) -> String {
        text.split(separator: "|", omittingEmptySubsequences: false).joined(separator: "\\|")
    }
}
