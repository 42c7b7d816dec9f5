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
