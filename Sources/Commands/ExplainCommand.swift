import ResultFiles
import ArgumentParser
import Basics
import Reporting
import ScenarioFiles

struct Explain: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Explains keys of scenarios, columns, metrics and rules of the model.",
        discussion: "For a key: its values, its default, the range worth trying and the evidence for it;\n"
            + "for a column or a metric: its unit, its meaning and how it adds up; with each, the\n"
            + "rules of the model that it follows. Without a name: where to look, by question.")

    @Argument(
        help: ArgumentHelp(
            "Keys, by their path or the end of it (kinds.policy.after, after); columns (staleness.views, views); tables; metrics; events of a trace; rules (B7); or else a word of their texts (night).",
            valueName: "name"), completion: Suggestions.names)
    var names: [String] = []

    @OptionGroup var printed: JSONArguments

    @OptionGroup var console: ConsoleArguments

    /// More entries of one name are told in a line each.
    private static let mostTexts = 6
    /// More lines than stand below each other.
    private static let mostLines = 40

    func run() throws {
        console.use()
        // A variable of a shell that is empty asks for nothing.
        let names = names.filter { !$0.isEmpty }
        if names.isEmpty && printed.json { throw ValidationError("--json needs a name to explain.") }
        if names.isEmpty { return try StandardStream.output.write(Dictionaries.index) }
        let found = names.map { name in
            let entries = Dictionaries.entries(named: name)
            return (name: name, entries: entries.isEmpty ? Dictionaries.entries(mentioning: name) : entries)
        }
        if printed.json {
            try JSONOutput.write("explain", [("entries", .array(found.flatMap { $0.entries.map(\.json) }))])
        } else {
            let texts = found.flatMap { Self.texts($0.entries) }
            try StandardStream.output.write(texts.joined(separator: "\n"))
        }
        let unknown = found.filter(\.entries.isEmpty).map(\.name)
        if unknown.isEmpty { return }
        let known = Dictionaries.names
        throw CommandFailure(
            status: .usage,
            sentence: unknown.map { name in
                "there is no key, column, metric, event or rule '\(name)'"
                    + (Nearest.name(to: name, among: known).map { "; did you mean '\($0)'?" }
                        ?? ", and no text has the word")
            }.joined(separator: "; "))
    }

    private static func texts(_ entries: [Explanation]) -> [String] {
        if entries.count <= mostTexts { return entries.map(\.text) }
        let left = entries.count - mostLines
        return [
            entries.prefix(mostLines).map { $0.line + "\n" }.joined()
                + (left > 0 ? "and \(FigureText.counted(left, "more", "more"))\n" : "")
        ]
    }
}
