import People

/// A key of the format in words, for the dictionary and for `reloadsim explain`.
package struct KeyDescription: Sendable {
    /// From the top of a scenario, such as `kinds[].timeline.shape` or `population.apps.<app>.signed_in`.
    package let path: String
    /// The condition of the mapping's variant that has this key, such as `shape: series`.
    package let condition: String?
    /// The values that it takes.
    package let value: String
    /// The value that it has where a scenario is silent, as Markdown.
    package let defaultValue: String
    /// The rules of the model that it belongs to, `G2` or `B2, B3`; empty for none.
    package let rules: String
    package let meaning: String
    /// The range worth sweeping, and where the default comes from.
    package let sweep, evidence: String?

    init(_ line: KeyCatalogue.Line) {
        let entry = line.entry
        (path, condition, rules, meaning) = (line.path, line.condition, entry.rules, entry.meaning)
        (sweep, evidence) = (entry.sweep, entry.evidence)
        if case .list(.block, _, let key?) = entry.form {
            value = "a list of mappings, each with its own `\(key)`"
        } else {
            value = entry.form.words
        }
        defaultValue = Self.defaultValue(of: entry)
    }

    private static func defaultValue(of entry: KeyEntry) -> String {
        switch entry.defaultValue {
        case .required:
            entry.fleet == .drawn
                ? "required in a drawn fleet" : entry.fleet == .replay ? "required in a replay" : "required"
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

    /// How a name refers to the key: by its whole path, in which an item may be named as `--set` does
    /// (`kinds.weather.policy.after`), or by the end of it.
    package enum Reference: Comparable { case whole, end }

    /// Nil if the name does not mean this key.
    package func reference(of name: String) -> Reference? {
        let words = name.split(separator: ".").map { $0.hasSuffix("[]") ? String($0.dropLast(2)) : String($0) }
        let steps = Self.steps(of: path)
        if words.isEmpty || words.count > steps.count { return nil }
        if Self.fits(words[...], steps[...]) { return .whole }
        // An end begins with a key, not with the name of an item.
        let isEnd = steps.indices.dropFirst().contains { steps[$0] != nil && Self.fits(words[...], steps[$0...]) }
        return isEnd ? .end : nil
    }

    /// The keys of the path, with nil for the name of an item, which may be left out.
    private static func steps(of path: String) -> [String?] {
        path.split(separator: ".").flatMap { part -> [String?] in
            if part.hasPrefix("<") { return [nil] }
            return part.hasSuffix("[]") ? [String(part.dropLast(2)), nil] : [String(part)]
        }
    }

    private static func fits(_ words: ArraySlice<String>, _ steps: ArraySlice<String?>) -> Bool {
        guard let step = steps.first else { return words.isEmpty }
        guard let key = step else {
            return fits(words, steps.dropFirst()) || !words.isEmpty && fits(words.dropFirst(), steps.dropFirst())
        }
        return words.first == key && fits(words.dropFirst(), steps.dropFirst())
    }

    /// The path without marks of lists and items, as it is typed.
    package var name: String { Self.steps(of: path).compactMap { $0 }.joined(separator: ".") }
}

extension KeyCatalogue {
    /// All keys of the format in words, in order.
    package static var descriptions: [KeyDescription] { lines.map(KeyDescription.init) }

    /// The edge regions that a scenario can name, in the order of reports, with their cities in the table's order.
    package static let edgeRegions: [(name: String, cities: [String])] = CityTable.regions.map { region in
        (region, CityTable.all.filter { $0.region == region }.map(\.name))
    }
}
