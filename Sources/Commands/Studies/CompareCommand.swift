import ResultFiles
import ArgumentParser
import Basics
import Pages
import Reporting
import ScenarioFiles
import Studies

struct Compare: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "compare",
        abstract:
            "Compares two runs, studies or scenarios, or the points of one study: the differences, and how certain they are.",
        discussion: """
            Runs of one seed are paired: they share people, habits and content, so most of what is random cancels in their difference. Two scenarios are run with \
            the same seeds first. The table lists the usual figures, then the metrics whose difference is larger than chance explains, the largest effect first; CSV has every metric.

            With --log a run stands beside the access logs of a real server: the level of most hours, the hours of the local day that are not at it, minutes of the \
            hour and peak, and the keys that would bring them together; with --out a page with charts.
            """
                + HelpExamples.text(
                    """
                    # two scenarios, with the same ten seeds
                    reloadsim compare before.yaml after.yaml --repeat 10
                    # two runs, and a demand on their difference: status 99 if it is broken
                    reloadsim compare out/before out/after --threshold 'age_p95_s <= 5%'
                    # a run beside the access log of a server
                    reloadsim compare out/mine --log access.log --out out/log
                    """))

    @Argument(help: "The first: a folder of a run or a study, or a scenario.", completion: .file())
    var first: String

    @Argument(
        help:
            "The second, which is compared with the first. Left out, the points of the study in the first are compared with its baseline.",
        completion: .file())
    var second: String?

    @Option(
        takes: "column", "Within one study: the column whose values are compared. (default: scenario, or the only one)")
    var by: String?

    @Option(
        takes: "value",
        "Within one study: the value that the others are compared with. (default: the study's baseline, or the first)")
    var baseline: String?

    @Option(
        "metric", takes: "name", "Show this metric alone, whatever its difference. Repeatable.",
        completion: Suggestions.metrics)
    var metrics: [String] = []

    @Flag(help: "Show every metric.")
    var all = false

    @Option(
        "threshold", takes: "demand",
        "A demand on the difference, second less first, such as 'load_peak_1s <= -20%' or 'share_fresh >= -0.01'. Repeatable.",
        completion: Suggestions.metrics)
    var thresholds: [String] = []

    @Flag(help: "Judge the whole interval of a difference by the thresholds, and not its mean alone.")
    var surely = false

    @Option(help: "table for people, markdown for a pull request, csv for programs.")
    var format: ComparisonFormat = .table

    @OptionGroup var printed: JSONArguments

    @Option(
        "out", takes: "folder",
        "The folder for comparison.csv and report.html, or with --log for log_hours.csv and its page, and for the runs of two scenarios. (default: out/compare for two scenarios; nothing is written for folders)",
        completion: .directory)
    var folder: String?

    @Option("repeat", takes: "count", "Replications of two scenarios, each with the next seed.")
    var replications = 5

    @OptionGroup(title: "Logs") var logs: LogArguments
    @OptionGroup var overrides: Overrides
    @OptionGroup(title: "Work") var queue: QueueArguments
    @OptionGroup var page: PageArguments
    @OptionGroup var console: ConsoleArguments

    func validate() throws {
        try FolderName.check(folder)
        try ValidationError.check(replications, of: "--repeat", in: 1...100_000)
        if !logs.files.isEmpty {
            if second != nil || by != nil || baseline != nil {
                throw ValidationError("--log is the second of the two: name one run beside it.")
            }
            if !metrics.isEmpty || !thresholds.isEmpty || all || surely || format != .table
                || !overrides.all.isEmpty
            {
                throw ValidationError(
                    "--log has figures of its own: it takes --out and --json, and no --metric, --threshold, --all, --surely, --format or --set."
                )
            }
        }
        if second != nil && (by != nil || baseline != nil) {
            throw ValidationError("--by and --baseline choose within one study; with two there is nothing to choose.")
        }
    }

    func run() throws {
        console.use()
        if !logs.files.isEmpty { return try runLog() }
        let demands = try thresholds.map { text throws(StudyProblem) in try DifferenceThreshold(text) }
        let named = metrics.map { ($0, "--metric") } + demands.map { ($0.metric, "--threshold") }
        let comparisons = try comparisons(named)
        for (metric, place) in named { try Comparison.check(metric: metric, of: comparisons, at: place) }
        for demand in demands { for comparison in comparisons { try demand.check(on: comparison) } }
        for comparison in comparisons where !comparison.sharesSeeds {
            Console.warning(
                "\(comparison.baseline) and \(comparison.variant) have no seed in common: their runs are paired by number, and nothing cancels"
            )
        }
        // Within one study what differs was asked for.
        for comparison in second == nil ? [] : comparisons {
            guard let unlikeness = comparison.unlikeness else { continue }
            Console.warning(
                "\(comparison.baseline) and \(comparison.variant) are unlike, so that totals and peaks say little: \(unlikeness)"
            )
        }
        if let place = outputFolder { try place.alone(for: .comparison) { try write(comparisons, to: $0) } }
        var broken: [String] = []
        for comparison in comparisons {
            for verdict in demands.map({ $0.verdict(on: comparison, surely: surely) }) where !verdict.holds {
                let measured =
                    verdict.measured.map {
                        "measured "
                            + (verdict.threshold.isRelative ? Figures.signed($0 * 100) + " %" : Figures.signed($0))
                    }
                    ?? "it is not defined"
                broken.append("\(verdict.threshold.text), \(comparison.baseline) to \(comparison.variant): \(measured)")
            }
        }
        try show(comparisons, broken)
        for sentence in broken { Console.plain(heading: "broken    ", .red, sentence) }
        if !broken.isEmpty { throw CommandFailure(.brokenThreshold) }
    }

    private func show(_ comparisons: [Comparison], _ broken: [String]) throws {
        if printed.json {
            let rows = try Table.comparison(of: comparisons).json(comparisons.flatMap(\.entries))
            return try JSONOutput.write("compare", ["broken": broken, "comparison": rows])
        }
        switch format {
        case .csv: try Console.data(try Table.comparison(of: comparisons).text(comparisons.flatMap(\.entries)))
        case .table, .markdown:
            try Console.data(
                comparisons.map {
                    ComparisonTable(comparison: $0, isMarkdown: format == .markdown).text(all: all, metrics: metrics)
                }.joined(separator: "\n"))
        }
    }

    // MARK: What is compared

    /// - Parameter named: the metrics that are asked for, each with its option: those of scenarios are checked before
    ///   anything is simulated.
    private func comparisons(_ named: [(metric: String, place: String)]) throws -> [Comparison] {
        guard let second else {
            try refuseOverrides()
            return try Comparison.within(try saved(first), by: by, baseline: baseline)
        }
        if FolderPath.isFolder(first) != FolderPath.isFolder(second) {
            throw StudyProblem("expected two folders or two scenarios, found '\(first)' and '\(second)'")
        }
        if FolderPath.isFolder(first) {
            try refuseOverrides()
            return try Comparison.between(try saved(first), try saved(second), named: (first, second))
        }
        // Both are read before either runs, so that what is wrong with the second costs no run of the first.
        let studies = [try study(of: first), try study(of: second)]
        let runs = try studies.map { try $0.runs(replications: replications) }
        for (study, runs) in zip(studies, runs) {
            for run in runs { try run.estimate.check(file: study.scenario.file) }
            try Study.checkMemory(of: runs, allowed: queue.allowedMemory)
            for (metric, place) in named { try study.check(metric: metric, at: place) }
        }
        Interruption.watch()
        guard let place = outputFolder else { preconditionFailure("two scenarios without a folder") }
        try place.alone(for: .comparison) { place in
            // Runs whose results are there already are not run again: a comparison that is asked for twice costs
            // nothing.
            for (study, runs) in zip(studies, runs) { try queue.performAll(runs, of: study, in: place) }
        }
        return try Comparison.between(
            SavedRuns(of: studies[0], runs: runs[0], in: place), SavedRuns(of: studies[1], runs: runs[1], in: place),
            named: (first, second)
        )
    }

    /// Where the comparison is written; nil if it is not.
    private var outputFolder: StudyFolder? {
        if let folder { return StudyFolder(path: folder) }
        return second.map { !FolderPath.isFolder($0) } == true ? StudyFolder(path: "out/compare") : nil
    }

    /// Writes the table of every metric, with its page.
    private func write(_ comparisons: [Comparison], to place: StudyFolder) throws {
        let output = try OutputFolder(
            path: place.path, for: .comparison, .own, lock: place.lock, isInterrupted: { Interruption.isRequested })
        let table = Table.comparison(of: comparisons)
        try output.write(table, comparisons.flatMap(\.entries))
        let name = second.map { "\(Self.name(of: first)) and \(Self.name(of: $0))" } ?? "\(Self.name(of: first))"
        try output.finish(
            [table.declaration], of: .comparison, titled: "The comparison of \(name)",
            [
                "comparison": name, "compared": [first] + (second.map { [$0] } ?? []), "overrides": overrides.all,
                "command": CommandLine.arguments,
            ], hasPage: page.isWanted, removing: StudyTables.ofLog + StudyTables.ofClients)
    }

    /// The last part of a path without the ending of a scenario.
    static func name(of path: String) -> String {
        let last = path.split(separator: "/").last.map(String.init) ?? path
        return last.hasSuffix(".yaml") ? String(last.dropLast(5)) : last
    }

    /// The runs of a folder, with a warning if some of its study are not there.
    private func saved(_ folder: String) throws -> SavedRuns {
        let runs = try SavedRuns(folder: folder)
        if let note = try CompleteRun.versionNote(folder: folder) { Console.warning(note) }
        if runs.missing > 0 {
            Console.warning(
                "\(FigureText.counted(runs.missing, "run")) of the study in \(folder) failed and \(runs.missing == 1 ? "is" : "are") left out"
            )
        }
        return runs
    }

    private func refuseOverrides() throws {
        if !overrides.all.isEmpty {
            throw ValidationError(
                "--set, --people and --seed are for two scenarios; these are folders of runs that were made already.")
        }
    }

    private func study(of file: String) throws -> Study {
        let text = try Overrides.text(of: file)
        let base = try text.readChecked(overrides: overrides.all)
        for warning in base.warnings() { Console.warning("\(file): \(warning)") }
        return try Study(scenario: text, overrides: overrides.all, design: StudyDesign(axes: []))
    }
}
