import ArgumentParser
import Reporting
import ResultFiles
import ScenarioFiles

/// The words that a shell completes: names that the program knows, and paths of the scenario on the command line.
enum Suggestions {
    /// Metrics of the summary.
    static let metrics = CompletionKind.custom { _, _, _ in ReportDictionary.metrics.map(\.name) }

    /// Paths that `--set` takes, with the items of the first scenario among the words, if it can be read.
    static let keys = CompletionKind.custom { words, _, _ in
        let file = words.first { word in
            [".yaml", ".yml", ".json"].contains { word.hasSuffix($0) } && FolderPath.isFile(word)
        }
        do {
            return try file.map { try ScenarioText(file: $0).paths } ?? ScenarioText.pathsWithoutItems
        } catch {
            // A shell that waits for suggestions shows no errors.
            return ScenarioText.pathsWithoutItems
        }
    }

    /// Everything that `explain` knows by a name.
    static let names = CompletionKind.custom { _, _, _ in Set(Dictionaries.names).sorted() }
}

/// Options that a command has had, or that others have, each with the way on: a command line that holds one ends with
/// that sentence.
enum RemovedWords {
    private static let all: [(command: String, option: String, values: [String], sentence: String)] = [
        (
            "export", "--format", ["gatling", "jmeter", "artillery", "locust"],
            "This tool reads the table of --format csv with --url: docs/load-test.md has the recipe."
        ),
        (
            "schema", "--output", [],
            "Objects of --json have no schema: Reports/README.md has their members, datapackage.json the columns."
        ),
        ("plan", "--junit", [], "A plan without an answer ends with status 99; run with the answer writes --junit."),
        ("plan", "--step-summary", [], "A plan prints Markdown for a summary with --format markdown."),
        ("sweep", "--format", ["csv"], "The study's folder has the table: points.csv."),
        ("sweep", "--format", ["markdown"], "The study's folder has the table: points.csv, and report.html as a page."),
        ("sweep", "--format", ["json"], "The points are printed as JSON by --json."),
        ("sweep", "--format", [], "The points are printed as a table, or as JSON by --json."),
    ]

    /// The sentence for the first such option among the words of a command line; nil without one.
    static func sentence(in words: [String]) -> String? {
        let words = words.flatMap { $0.split(separator: "=", maxSplits: 1).map(String.init) }
        return all.first { removed in
            words.first == removed.command
                && words.indices.contains { place in
                    words[place] == removed.option
                        && (removed.values.isEmpty
                            || words[place...].dropFirst().first.map(removed.values.contains) == true)
                }
        }?.sentence
    }
}
