import Basics
import Reporting
import ScenarioFiles
import ScenarioModel
import Studies

/// An entry of the dictionaries of keys, columns, metrics and events, a list of the names that keys take, or a rule of
/// the model.
struct Explanation {
    enum Sort: String { case key, names, table, column, metric, event, rule }

    let sort: Sort
    let name, meaning: String
    /// Labels with their texts.
    let facts: [(label: String, text: String)]
    let rules: [ModelRule]

    /// More rules than these are named, and not printed with their text.
    private static let mostTexts = 3

    /// The entry as lines of at most 80 letters, but for words that are longer.
    var text: String {
        var lines = ["\(name)  (\(sort.rawValue))"]
        if !meaning.isEmpty { lines += Self.wrapped(Self.plain(meaning), indent: 2) }
        for fact in facts {
            let label = "  " + fact.label + String(repeating: " ", count: max(1, 10 - fact.label.count))
            let text = Self.wrapped(Self.plain(fact.text), indent: label.count)
            lines.append(label + text[0].drop { $0 == " " })
            lines += text.dropFirst()
        }
        for rule in rules {
            if sort != .rule { lines.append("  rule \(rule.id)   \(Self.plain(rule.title))") }
            if rules.count > Self.mostTexts { continue }
            for paragraph in rule.paragraphs {
                lines += Self.wrapped(Self.plain(paragraph), indent: 4)
            }
        }
        if rules.count > Self.mostTexts { lines.append("  `reloadsim explain \(rules[0].id)` prints a rule's text.") }
        return lines.joined(separator: "\n") + "\n"
    }

    /// The first line alone, with the meaning.
    var line: String { "\(name)  (\(sort.rawValue))\(meaning.isEmpty ? "" : "  " + Self.plain(meaning))" }

    /// How much an entry has to do with a word: 0 if its name has it, 1 if its meaning or its facts have, 2 if the text
    /// of a rule has; nil if nothing has. A rule's text is searched under the rule alone.
    func rank(of word: String) -> Int? {
        func has(_ text: String) -> Bool { text.lowercased().contains(word) }
        if has(name) { return 0 }
        if has(meaning) || facts.contains(where: { has($0.label) && sort == .names || has($0.text) }) { return 1 }
        return sort == .rule && rules.contains { has($0.text) } ? 2 : nil
    }

    var json: JSONText {
        .object([
            "sort": sort.rawValue, "name": name, "meaning": meaning,
            "facts": facts.map { JSONText.object(["label": $0.label, "text": $0.text]) },
            "rules": rules.map { JSONText.object(["id": $0.id, "title": $0.title, "text": $0.text]) },
        ])
    }

    /// Markdown without its marks of emphasis.
    private static func plain(_ text: String) -> String {
        text.replacing("**", with: "").replacing(#/\*([^*\s][^*]*)\*/#) { String($0.1) }
            .replacing(#/\[([^\]]+)\]\([^)]*\)/#) { String($0.1) }
    }

    private static func wrapped(_ text: String, indent: Int) -> [String] {
        let space = String(repeating: " ", count: indent)
        var lines: [String] = []
        var line = ""
        for word in text.split(whereSeparator: \.isWhitespace) {
            if !line.isEmpty && space.count + line.count + 1 + word.count > 80 {
                lines.append(space + line)
                line = ""
            }
            line += (line.isEmpty ? "" : " ") + word
        }
        return lines + [space + line]
    }
}

extension ModelRule {
    /// The paragraphs and items of the text, each without line ends.
    fileprivate var paragraphs: [String] {
        text.replacing("\n- ", with: "\n\n- ").split(separator: "\n\n").map { String($0.replacing("\n", with: " ")) }
    }
}

extension Explanation {
    init(_ key: KeyDescription) {
        var facts = [("value", key.value), ("default", key.defaultValue.replacing("`", with: ""))]
        if let condition = key.condition { facts.insert(("only with", condition), at: 0) }
        let keys = Self.keys(within: key.path)
        if !keys.isEmpty { facts.append(("keys", Self.listed(keys))) }
        if let sweep = key.sweep { facts.append(("sweep", sweep)) }
        if let evidence = key.evidence { facts.append(("evidence", evidence)) }
        if key.value.contains("edge region") {
            facts.append(("regions", KeyCatalogue.edgeRegions.map(\.name).joined(separator: ", ")))
        }
        if ["edge region", "mapping from cities"].contains(where: key.value.contains) {
            facts.append(("see", "`reloadsim explain edges` lists the cities of each edge region"))
        }
        facts += Self.code(at: key.path)
        self.init(sort: .key, name: key.path, meaning: key.meaning, facts: facts, rules: ModelRule.rules(of: key.rules))
    }

    /// Where a key names code of a user's own: what the program has, and the way to more.
    private static func code(at path: String) -> [(String, String)] {
        let own = UserCode.current
        func here(_ names: some Sequence<String>) -> (String, String) {
            let names = names.sorted()
            return ("here", names.isEmpty ? "this program has none of its own" : listed(names))
        }
        switch path {
        case "kinds[].policy.provider":
            return [
                here(own.providers.keys),
                (
                    "see",
                    "docs/own-widgets.md. `reloadsim init --package my-widget` writes a program with one in Swift; `--provider NAME=COMMAND` lets a command in any language answer"
                ),
            ]
        case "service.pools[].server":
            return [
                here(own.servers.keys),
                (
                    "see",
                    "docs/own-servers.md. One in Swift is offered by a program of yours, as `reloadsim init --package` writes it"
                ),
            ]
        default: return []
        }
    }

    /// More names than are listed.
    private static let mostListed = 60

    private static func listed(_ names: [String]) -> String {
        let left = names.count - mostListed
        return names.prefix(mostListed).joined(separator: ", ") + (left > 0 ? " and \(left) more" : "")
    }

    /// The names of the keys that stand directly in a block, each once.
    private static func keys(within path: String) -> [String] {
        keysByBlock[path.hasSuffix("[]") ? String(path.dropLast(2)) : path] ?? []
    }

    /// By the path of a block, without brackets at its end.
    private static let keysByBlock: [String: [String]] = {
        var keys: [String: [String]] = [:]
        for key in KeyCatalogue.descriptions {
            var parts = key.path.split(separator: ".")[...]
            var name = parts.popLast().map(String.init) ?? ""
            if name.hasPrefix("<") { continue }
            // A mapping whose keys the scenario chooses has their keys in it: `apps.<app>.signed_in`.
            if let chosen = parts.last, chosen.hasPrefix("<") {
                name = "\(chosen).\(name)"
                parts.removeLast()
            }
            let block = parts.joined(separator: ".")
            keys[block.hasSuffix("[]") ? String(block.dropLast(2)) : block, default: []].append(
                name.replacing("[]", with: ""))
        }
        return keys.mapValues(\.uniqued)
    }()

    init(_ table: TableDeclaration, title: String) {
        self.init(
            sort: .table, name: table.name, meaning: table.meaning,
            facts: [("in", title), ("columns", Self.listed(table.columns.map(\.name)))],
            rules: ModelRule.cited(in: table.meaning))
    }

    init(_ column: Column, of table: TableDeclaration, title: String) {
        var facts = [
            ("in", title), ("type", column.type.rawValue + (column.isOptional ? ", may be empty" : "")),
            ("adds", column.adds.rawValue),
        ]
        if let unit = column.unit { facts.append(("unit", unit)) }
        self.init(
            sort: .column, name: "\(table.name).\(column.name)", meaning: column.meaning, facts: facts,
            rules: ModelRule.cited(in: column.meaning))
    }

    init(_ metric: ReportDictionary.MetricDescription) {
        self.init(
            sort: .metric, name: metric.name, meaning: metric.meaning,
            facts: [("unit", metric.unit), ("of", metric.scope)],
            rules: ModelRule.cited(in: metric.meaning))
    }

    init(_ event: ReportDictionary.EventDescription) {
        let rules = ModelRule.rules(of: event.rule)
        self.init(
            sort: .event, name: event.name, meaning: event.meaning,
            facts: [("in", "the column `event` of a trace")] + (rules.isEmpty ? [("rule", event.rule)] : []),
            rules: rules)
    }

    /// The edge regions with their cities, under the name `edges`.
    static var edges: Explanation {
        Explanation(
            sort: .names, name: "edges",
            meaning:
                "The edge regions that a scenario can name, and the cities whose requests reach the edge of each (S2).",
            facts: KeyCatalogue.edgeRegions.map { region in
                let cities = region.cities.joined(separator: ", ")
                return (region.name, cities.isEmpty ? "zones of which no city is known" : cities)
            }, rules: [])
    }

    init(_ rule: ModelRule) {
        self.init(sort: .rule, name: "\(rule.id) \(rule.title)", meaning: "", facts: [], rules: [rule])
    }
}

/// All entries of the dictionaries.
enum Dictionaries {
    private static let tables: [(title: String, table: TableDeclaration)] = ReportDictionary.tables + StudyTables.all

    /// The entries that a name means: a key by its path or the end of it, a column as `table.column` or alone, a table,
    /// a metric (of a part, too), an event of a trace, or a rule. A key's whole path means no key that ends with it.
    static func entries(named name: String) -> [Explanation] {
        if let rule = ModelRule.rule(name) { return [Explanation(rule)] }
        if name == Explanation.edges.name || KeyCatalogue.edgeRegions.contains(where: { $0.name == name }) {
            return [.edges]
        }
        let keys = KeyCatalogue.descriptions.map { (key: $0, reference: $0.reference(of: name)) }
        let whole = keys.filter { $0.reference == .whole }
        let named = whole.isEmpty ? keys.filter { $0.reference == .end } : whole
        var entries = named.map { Explanation($0.key) }
        for (title, table) in tables {
            if table.name == name || table.fileName == name { entries.append(Explanation(table, title: title)) }
            for column in table.columns
            where name.hasSuffix(column.name)
                && [column.name, "\(table.name).\(column.name)", "\(table.fileName).\(column.name)"].contains(name)
            {
                entries.append(Explanation(column, of: table, title: title))
            }
        }
        // A metric of a part has the part's name before it, which may be any.
        let metrics = ReportDictionary.metrics.filter {
            $0.name == name || entries.isEmpty && name.hasSuffix("." + $0.name)
        }
        entries += metrics.map { Explanation($0) }
        return entries + ReportDictionary.traceEvents.filter { $0.name == name }.map { Explanation($0) }
    }

    /// The entries that a word of the field means, each once; empty for a word that is not known.
    static func entries(meant word: String) -> [Explanation] {
        var names = PlainWords.names(of: word)
        // Each of several words may mean something where they mean nothing together.
        if names.isEmpty { names = word.split(separator: " ").flatMap { PlainWords.names(of: String($0)) } }
        return names.flatMap { entries(named: $0).prefix(2) }.uniqued { "\($0.sort) \($0.name)" }
    }

    /// The entries that speak of a word, or else of what it is without its ending, or else of all words of several.
    static func entries(speakingOf text: String) -> [Explanation] {
        let found = entries(mentioning: text)
        if !found.isEmpty { return found }
        let stems = text.lowercased().split { " _-".contains($0) }.map { PlainWords.stem(String($0)) }
        guard let first = stems.first, stems.allSatisfy({ $0.count >= 3 }) else { return [] }
        return entries(mentioning: first).filter { entry in stems.dropFirst().allSatisfy { entry.rank(of: $0) != nil } }
    }

    /// All entries whose name, meaning or text has a word, upper case or lower: those with it in their name first.
    static func entries(mentioning word: String) -> [Explanation] {
        let word = word.lowercased()
        let ranks = all.map { $0.rank(of: word) }
        return (0...2).flatMap { rank in zip(all, ranks).filter { $0.1 == rank }.map(\.0) }
    }

    private static let all =
        KeyCatalogue.descriptions.map { Explanation($0) } + [.edges]
        + tables.flatMap { title, table in
            [Explanation(table, title: title)]
                + table.columns.map { Explanation($0, of: table, title: title) }
        } + ReportDictionary.metrics.map { Explanation($0) } + ReportDictionary.traceEvents.map { Explanation($0) }
        + ModelRule.all.map { Explanation($0) }

    /// Everything that has a name, for suggestions.
    static var names: [String] {
        KeyCatalogue.descriptions.flatMap { key in
            let parts = key.name.split(separator: ".")
            return parts.indices.map { parts[$0...].joined(separator: ".") }
        }
            + tables.flatMap { table in
                [table.table.name] + table.table.columns.flatMap { [$0.name, "\(table.table.name).\($0.name)"] }
            } + ReportDictionary.metrics.map(\.name)
            + ReportDictionary.traceEvents.map(\.name) + ModelRule.all.map(\.id) + [Explanation.edges.name]
    }

    /// Where to look for what, by question.
    static var index: String {
        var lines = ["Keys of a scenario, by question:"]
        for (question, sections) in KeySection.questions {
            lines += ["  " + question] + sections.map { "    " + ($0.isEmpty ? "the top level" : $0) }
        }
        lines.append("Tables of results, by question:")
        for (question, tables) in ReportDictionary.questions { lines += ["  " + question] + tables.map { "    " + $0 } }
        return lines.joined(separator: "\n") + "\n"
    }
}
