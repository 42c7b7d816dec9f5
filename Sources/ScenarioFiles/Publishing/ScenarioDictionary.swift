/// The dictionary of the scenario's keys as Markdown, made from the catalogue: the part of `Scenarios/README.md` between its markers.
public enum ScenarioDictionary {
    public static let begin = "<!-- keys: begin -->"
    public static let end = "<!-- keys: end -->"

    /// The tables, one for each part of a scenario.
    public static func markdown() -> String {
        let lines = KeyCatalogue.lines
        let parts = lines.filter { !$0.path.contains(".") && hasKeys($0.entry.form) }.map(\.path)
        var text = "### Top level\n\n" + table(lines.filter { !$0.path.contains(".") })
        for part in parts {
            let own = lines.filter { $0.path.hasPrefix(part + ".") || $0.path.hasPrefix(part + "[].") }
            let isList = own.contains { $0.path.hasPrefix(part + "[].") }
            text += "\n### `\(part)`\(isList ? ", a list" : "")\n\n" + table(own, under: isList ? part + "[]." : part + ".")
        }
        return text
    }

    /// `text` with the dictionary between the markers; nil if it has none.
    public static func replaced(in text: String) -> String? {
        guard let from = text.range(of: begin), let to = text.range(of: end), from.upperBound <= to.lowerBound else { return nil }
        return text[..<from.upperBound] + "\n" + markdown() + text[to.lowerBound...]
    }

    private static func hasKeys(_ form: Form) -> Bool {
        switch form {
        case .block, .variants, .oneOf: true
        case .list(let item, _, _): hasKeys(item)
        default: false
        }
    }

    private static func table(_ lines: [KeyCatalogue.Line], under part: String = "") -> String {
        var text = "| key | value | default | rules | meaning |\n|---|---|---|---|---|\n"
        for line in lines {
            let entry = line.entry
            var meaning = entry.meaning
            if let condition = line.condition { meaning = "With `\(condition)`. " + meaning }
            if let sweep = entry.sweep { meaning += " *Sweep: \(sweep).*" }
            if let evidence = entry.evidence { meaning += " *Default: \(evidence).*" }
            text +=
                "| `\(line.path.dropFirst(part.count))` | \(cell(value(entry))) | \(cell(fallback(entry))) | \(entry.rules) | \(cell(meaning)) |\n"
        }
        return text
    }

    private static func value(_ entry: KeyEntry) -> String {
        switch entry.form {
        case .block, .variants: "a mapping"
        case .list(.block, _, let key?): "a list of mappings, each with its own `\(key)`"
        default: entry.form.words
        }
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
