import ResultFiles
import ArgumentParser
import Basics
import Reporting
import ScenarioFiles

struct Explain: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "explain",
        abstract: "Explains keys of scenarios, columns, metrics and rules of the model.",
        discussion: "For a key: its values, its default, the range worth trying and the evidence for it;\n"
            + "for a column or a metric: its unit, its meaning and how it adds up; with each, the\n"
            + "rules of the model that it follows. Without a name: where to look, by question."
            + HelpExamples.text(
                """
                # a key, a metric and a rule of the model
                reloadsim explain jitter age_p95_s B5
                """))

    @Argument(
        help: ArgumentHelp(
            "Keys, by their path or the end of it (kinds.policy.after, after); columns (staleness.views, views); tables; metrics; events of a trace; rules (B7); a word of the field (polling, herd, 429); or else a word of their texts (night).",
            valueName: "name"), completion: Suggestions.names)
    var names: [String] = []

    @OptionGroup var printed: JSONArguments

    @OptionGroup var console: ConsoleArguments

    /// More entries of one name are told in a line each.
    private static let mostTexts = 6
    /// More entries of one sort than are named after those that a name means.
    private static let mostOthers = 3
    /// More lines than stand below each other.
    private static let mostLines = 40
    /// More entries than are written as JSON.
    private static let mostEntries = 200
    /// More characters than any name has.
    private static let longestName = 200

    func run() throws {
        console.use()
        // A variable of a shell that is empty asks for nothing.
        let names = names.filter { !$0.isEmpty }
        if names.isEmpty && printed.json { throw ValidationError("--json needs a name to explain.") }
        if names.isEmpty { return try StandardStream.output.write(Dictionaries.index) }
        if let long = names.first(where: { $0.count > Self.longestName }) {
            throw ValidationError("A name has at most \(Self.longestName) characters, not \(long.count).")
        }
        let found = names.map { name in
            var entries = Dictionaries.entries(named: name)
            if entries.isEmpty { entries = Dictionaries.entries(meant: name) }
            return (
                name: name, meant: Self.meant(by: name, besides: entries),
                entries: entries.isEmpty ? Dictionaries.entries(speakingOf: name) : entries,
                others: entries.isEmpty || entries.count > Self.mostTexts
                    ? "" : Self.others(than: entries, mentioning: name)
            )
        }
        if printed.json {
            let entries = found.flatMap(\.entries)
            try JSONOutput.write(
                "explain",
                [
                    "entries": entries.prefix(Self.mostEntries).map(\.json),
                    "left_out": max(0, entries.count - Self.mostEntries),
                ])
        } else {
            let texts = found.flatMap { [$0.meant] + Self.texts($0.entries) + [$0.others] }.filter { !$0.isEmpty }
            try StandardStream.output.write(texts.joined(separator: "\n"))
        }
        let unknown = found.filter(\.entries.isEmpty).map(\.name)
        if unknown.isEmpty { return }
        let known = Dictionaries.names
        throw CommandFailure(
            .usage,
            unknown.map { name in
                "there is no key, column, metric, event or rule '\(name)'"
                    + (Nearest.name(to: name, among: known).map { "; did you mean '\($0)'?" }
                        ?? ", and no text has the word")
            }.joined(separator: "; "))
    }

    /// The other entries that have a word in their name or text, a line each; empty if none has.
    private static func others(than entries: [Explanation], mentioning word: String) -> String {
        func key(_ entry: Explanation) -> String { "\(entry.sort) \(entry.name)" }
        let told = Set(entries.map(key))
        let others = Dictionaries.entries(mentioning: word).filter { !told.contains(key($0)) }
        if others.isEmpty { return "" }
        var counts: [Explanation.Sort: Int] = [:]
        let named = others.filter { entry in
            counts[entry.sort, default: 0] += 1
            return counts[entry.sort, default: 0] <= mostOthers
        }
        let left = others.count - named.count
        return "'\(word)' also stands in:\n"
            + named.map { "  \($0.name)  (\($0.sort.rawValue))\n" }.joined()
            + (left > 0 ? "  and \(FigureText.grouped(left)) more\n" : "")
    }

    /// The names that a word means in the field beside the entries that have it as their name; empty for none.
    private static func meant(by word: String, besides entries: [Explanation]) -> String {
        let told = Set(entries.map(\.name))
        let names = Dictionaries.entries(meant: word).map(\.name).filter { !told.contains($0) }
        return names.isEmpty || entries.isEmpty
            ? "" : "in the field '\(word)' also means: \(names.joined(separator: ", "))\n"
    }

    private static func texts(_ entries: [Explanation]) -> [String] {
        if entries.count <= mostTexts { return entries.map(\.text) }
        let left = entries.count - mostLines
        return [
            entries.prefix(mostLines).map { $0.line + "\n" }.joined()
                + (left > 0 ? "and \(FigureText.grouped(left)) more\n" : "")
        ]
    }
}
