/// Options that a command has had, each with the way on: a command line that holds one ends with that sentence.
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
