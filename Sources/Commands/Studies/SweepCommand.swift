import ResultFiles
import ArgumentParser
import Basics
import Foundation
import Reporting
import ScenarioFiles
import ScenarioModel
import Studies

struct Sweep: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "sweep",
        abstract: "Runs a scenario many times with keys varied, and gathers the figures of all runs.",
        discussion: """
            The folder gets runs/<name> for each run, whose name is made from its content, and, when all runs are over, design.csv, runs.csv, study.csv and, \
            last of all, manifest.json. With --resume an interrupted study continues, and a study can get more values or replications: runs that are complete \
            are not run again. A block `study` in the scenario can state the same as the options.
            """ + HelpExamples.text(
            """
            # three jitters
            reloadsim sweep mine.yaml --vary jitter:kinds.news.policy.jitter=0s,5m,1h
            # two sizes of the fleet; --resume adds replications to a study that is there
            reloadsim sweep mine.yaml --vary people=1000,9000 --repeat 10 --resume
            """))

    @OptionGroup var arguments: ScenarioArguments
    @OptionGroup var represented: RepresentedPeople
    @OptionGroup(title: "Design") var designArguments: DesignArguments

    @Option(
        "until-half-width", takes: "share",
        "Add replications until the 95 % interval of --metric is within so much of its mean at every point, such as 5%."
    )
    var halfWidth: String?

    @Option(
        "metric", takes: "name",
        "A metric for the table of points, and the one that --until-half-width is about. Repeatable. (default: largest second, share stale, charged reloads)",
        completion: Suggestions.metrics)
    var metrics: [String] = []

    @Option(
        takes: "metric", "Sort the points by one of these metrics, the least first.", completion: Suggestions.metrics)
    var sort: String?

    @Option(
        "target", takes: "demand",
        "A condition that the table of points judges, such as 'load_peak_1s <= 500'. If no point meets all of them in every run, the status is 99. Repeatable.",
        completion: Suggestions.metrics)
    var targets: [String] = []

    @Option(
        takes: "metric,metric",
        "Mark the points that no other beats in both metrics, among those that meet the targets, as in service.cost_per_month,share_fresh: the more the better of shares that are fresh, served or hits, the less of all others.",
        completion: Suggestions.metrics)
    var frontier: String?

    @OptionGroup var printed: JSONArguments

    @Option("most-repeats", takes: "count", "The most replications that --until-half-width takes.")
    var mostReplications = 100

    @Option(
        takes: "condition",
        "Only the runs that meet a condition on axes, point and replication, such as 'point <= 8'; the tables have those alone."
    )
    var filter: String?

    @Option(
        "out", takes: "folder", "The folder for the results. (default: out/<the study's name>)", completion: .directory)
    var folder: String?

    @Option(
        "gather", takes: "tables",
        "Write these tables of all runs as one file each, with point, replication, seed and axes: load_peaks,staleness_hours."
    )
    var gathered: String?

    @Flag(help: "Resume a study whose folder holds results: runs that are complete are not run again.")
    var resume = false

    @Flag(help: "Repeat every run and replace the tables.")
    var force = false

    @Flag(help: "Print the runs with their estimates as CSV, and stop.")
    var list = false

    @Flag(help: "Say what the study would take, and stop.")
    var dryRun = false

    @Flag(
        help:
            "Print a shell command for each run, and stop: for xargs, GNU parallel or a cluster. --resume gathers the results then."
    )
    var commands = false

    @Flag(name: .customLong("design-csv"), help: "Print the design, a run a row under the names of the axes, and stop.")
    var printsDesign = false

    @OptionGroup(title: "Work") var queue: QueueArguments
    @OptionGroup var page: PageArguments
    @OptionGroup var console: ConsoleArguments

    func validate() throws {
        try FolderName.check(folder)
        if [list, dryRun, commands, printsDesign].count(where: { $0 }) > 1 {
            throw ValidationError("--list, --dry-run, --commands and --design-csv are different things; take one.")
        }
        if queue.kept == .summary {
            if gathered != nil { throw ValidationError("--gather reads tables that --keep summary leaves out.") }
            if commands { throw ValidationError("--commands prints runs that keep all files; leave out --keep.") }
        }
        if resume && force { throw ValidationError("--resume keeps what is there and --force replaces it; take one.") }
        if filter != nil && halfWidth != nil {
            throw ValidationError("--filter chooses among the runs and --until-half-width adds some; take one.")
        }
        if halfWidth != nil && metrics.count != 1 {
            throw ValidationError("--until-half-width takes one --metric.")
        }
        if let sort, !metrics.isEmpty, !metrics.contains(sort) {
            throw ValidationError("--sort takes one of the metrics that are shown, not '\(sort)'.")
        }
        if let frontier, Set(frontierMetrics).count != 2 || frontierMetrics.contains("") {
            throw ValidationError("--frontier takes two metrics with a comma between them, not '\(frontier)'.")
        }
        if let halfWidth, share(halfWidth) == nil {
            throw ValidationError("--until-half-width takes a share such as 5%, not '\(halfWidth)'.")
        }
        try ValidationError.check(mostReplications, of: "--most-repeats", in: 2...100_000)
    }

    /// A dry run reads no more runs of a large study: reading one and living its sample takes up to some tenths of a
    /// second.
    private static let mostLookedAt = 20

    private func share(_ text: String) -> Double? {
        guard text.hasSuffix("%"), let percent = Double(text.dropLast()), percent > 0, percent.isFinite else {
            return nil
        }
        return percent / 100
    }

    /// None if nothing was asked for.
    private var frontierMetrics: [String] {
        frontier.map { $0.split(separator: ",", omittingEmptySubsequences: false).map(String.init) } ?? []
    }

    func run() throws {
        console.use()
        try PlanTarget.check(texts: targets)
        try StudyProblem.check(metrics: metrics, at: "--metric")
        let (text, base) = try arguments.readText(represented.overrides)
        let demands = try targets.map { text throws(StudyProblem) in try PlanTarget(text, of: base.scenario) }
        let request = try designArguments.request(over: base.study, folder: text.folder)
        let study = try Study(
            name: request.name, scenario: text, overrides: arguments.overrides.all + represented.overrides,
            design: try request.studyDesign(seed: base.scenario.plan.seed),
            seeds: request.seeds, baseline: request.baseline)
        for metric in metrics { try study.check(metric: metric, at: "--metric") }
        if let sort { try study.check(metric: sort, at: "--sort") }
        for metric in frontierMetrics {
            try study.check(metric: metric, at: "--frontier")
            if study.columns.contains(metric) {
                throw StudyProblem(
                    "--frontier", expected: "a metric that no axis is called as",
                    found: "'\(metric)' (name the axis: \(metric)_of_axis:\(metric)=…)")
            }
        }
        for target in demands { try study.check(metric: target.metric, at: "--target") }
        try PlanTarget.checkUnits(demands, of: base.scenario)
        try study.checkObjectives(of: demands)
        _ = try gatheredTables(of: study)
        let path = folder ?? "out/" + FolderName.safe(study.name)
        if dryRun && filter == nil,
            let sample = try study.sample(of: Self.mostLookedAt, replications: request.replications)
        {
            try study.checkSize(of: sample, allowed: queue.allowedMemory)
            return StudyMessages(study: study, isQuiet: queue.quiet).printEstimate(
                sample, of: study.points.count * request.replications,
                queue.settings(runs: study.points.count * request.replications))
        }
        let runs = try chosen(try study.runs(replications: request.replications), of: study)
        try study.checkSize(of: runs, allowed: queue.allowedMemory)
        if list || printsDesign {
            let table = list ? Table.runList(axes: study.columns) : Table.design(axes: study.columns)
            return try StandardStream.output.write(try table.text(study.rows(of: runs)))
        }
        if commands {
            if arguments.scenario == "-" {
                throw StudyProblem(
                    "--commands", expected: "a scenario in a file, which each command reads for itself",
                    found: "standard input")
            }
            return try printCommands(runs, folder: StudyFolder(path: path))
        }
        try perform(study, runs, StudyFolder(path: path), replications: request.replications)
    }

    private func gatheredTables(of study: Study) throws(StudyProblem) -> [GatheredTable] {
        var tables: [GatheredTable] = []
        for name in gathered?.split(separator: ",") ?? [] {
            tables.append(
                try GatheredTable(name.trimmingCharacters(in: .whitespaces), columns: study.columns, at: "--gather"))
        }
        return tables
    }

    private func chosen(_ runs: [StudyRun], of study: Study) throws(StudyProblem) -> [StudyRun] {
        guard let filter else { return runs }
        let condition = try Condition(filter, names: study.columns + ["point", "replication"], at: "--filter")
        var chosen: [StudyRun] = []
        for run in runs {
            let fits = try condition.holds { name in
                switch name {
                case "point": String(run.point.number)
                case "replication": String(run.replication)
                default: study.design.value(of: name, at: run.point)
                }
            }
            if fits { chosen.append(run) }
        }
        if chosen.isEmpty { throw StudyProblem("--filter '\(filter)' leaves none of \(runs.count) runs") }
        return chosen
    }
}

// MARK: Printing

extension Sweep {
    private func printCommands(_ runs: [StudyRun], folder: StudyFolder) throws {
        let program = CommandLine.arguments.first ?? "reloadsim"
        var lines: [ScriptText<Script.Shell>] = []
        // Runs of one content have one folder, in which two commands at once would spoil each other's files.
        for run in runs.uniqued(by: \.name) {
            // The seed comes last, and has an option of its own.
            let settings = RunRequest.effective(run.overrides).dropLast()
            let options = UserCode.current.options
            for word in [program, arguments.scenario, folder.path(of: run)] + settings + options {
                try checkIsOneLine(word)
            }
            let code: [ScriptText<Script.Shell>] = options.map { " \(word: $0)" }
            let set: [ScriptText<Script.Shell>] = settings.map { " --set \(word: $0)" }
            let again: ScriptText<Script.Shell> = force ? " --force" : ""
            lines.append(
                "\(word: program) run \(word: arguments.scenario)\(.joined(set, separator: ""))\(.joined(code, separator: "")) --seed \(run.seed) --out \(word: folder.path(of: run)) --threads \(queue.threads ?? 1) --quiet --no-report --resume\(again)\n"
            )
        }
        try StandardStream.output.write(ScriptText.joined(lines, separator: "").text)
    }

    /// Programs that read the commands by lines would take a word of two lines for the end of one command and the
    /// beginning of another.
    private func checkIsOneLine(_ word: String) throws(StudyProblem) {
        if ShellText.isOneLine(word) { return }
        throw StudyProblem(
            "--commands",
            expected:
                "values, files and folders on one line without control characters, as each command is a line (in YAML \"\\n\" stands for a line end)",
            found: "'\(word)'")
    }
}

// MARK: Running

extension Sweep {
    private func perform(_ study: Study, _ runs: [StudyRun], _ folder: StudyFolder, replications: Int) throws {
        let messages = StudyMessages(study: study, isQuiet: queue.quiet)
        let present = force ? 0 : runs.count { folder.has($0, keeping: queue.kept) }
        messages.begin(runs, present: present, queue.settings(runs: runs.count))
        if dryRun { return }
        Interruption.watch()
        let cure = "--resume continues the study in it, --force replaces it"
        try folder.alone(for: .study, resume || force ? .own : .nothing(cure: cure)) {
            try performAlone(study, runs, $0, messages, replications)
        }
    }

    private func performAlone(
        _ study: Study, _ first: [StudyRun], _ folder: StudyFolder, _ messages: StudyMessages, _ replications: Int
    ) throws {
        var runs = first
        var outcomes = queue.perform(runs, of: study, in: folder, repeats: force)
        if let halfWidth, let metric = metrics.first, let share = share(halfWidth), !Interruption.isRequested {
            var sequence = SequentialReplication(
                metric: metric, halfWidth: share, replications: replications, most: mostReplications)
            while let more = try sequence.next(study, runs, outcomes, folder), !Interruption.isRequested {
                outcomes += queue.perform(more, of: study, in: folder, repeats: force)
                runs += more
            }
            for sentence in sequence.shortfalls { Console.warning(sentence) }
        }
        if Interruption.isRequested { throw folder.interruption(outcomes) }
        let order = runs.indices.sorted {
            (runs[$0].point.number, runs[$0].replication) < (runs[$1].point.number, runs[$1].replication)
        }
        (runs, outcomes) = (order.map { runs[$0] }, order.map { outcomes[$0] })
        var (all, ends) = (runs, outcomes)
        if filter != nil {
            // The tables are of the whole study.
            all = try study.runs(replications: replications)
            let missing = all.count { run in !folder.has(run, keeping: queue.kept) }
            if missing > 0 {
                if !queue.quiet {
                    Console.plain("tables    once the \(missing) other runs of the study are complete, too")
                }
                return try messages.end(runs, outcomes, folder)
            }
            ends = all.map { _ in .skipped }
        }
        let points = try points(of: study, StudyRun.complete(all, ends), folder)
        do {
            try study.writeResults(
                of: all, ends, points: points, gathering: gatheredTables(of: study), hasPage: page.isWanted, in: folder
            ) { Interruption.isRequested }
        } catch let problem as OutputProblem where problem.isInterruption {
            throw folder.interruption(outcomes)
        }
        try show(points, of: study, folder)
        try messages.end(runs, outcomes, folder)
        try judge(points, of: study)
    }

    private func judge(_ points: PointFigures, of study: Study) throws {
        guard let sentence = points.targetSentence(columns: study.columns), !points.points.contains(where: \.holds)
        else { return }
        throw CommandFailure(.brokenThreshold, sentence)
    }

    private func points(of study: Study, _ runs: [StudyRun], _ folder: StudyFolder) throws -> PointFigures {
        var chosen = metrics.isEmpty ? PointFigures.usualMetrics(of: study) : metrics
        let demands = try study.targets(targets)
        chosen += (sort.map { [$0] } ?? []) + frontierMetrics + PlanTarget.metrics(of: demands)
        // An axis has a column already, and a metric needs one only.
        chosen = chosen.uniqued.filter { !study.columns.contains($0) }
        return try PointFigures(
            chosen, isAsked: !metrics.isEmpty, targets: demands, frontier: frontier == nil ? nil : frontierMetrics,
            of: study, runs: runs,
            in: folder)
    }

    private func show(_ points: PointFigures, of study: Study, _ folder: StudyFolder) throws {
        if queue.quiet && !printed.json || points.points.isEmpty { return }
        var points = points
        if let sort, let place = points.metrics.firstIndex(of: sort) { points.sort(by: place) }
        guard printed.json else {
            return try StandardStream.output.write(PointText(study: study, figures: points, sorted: sort).text)
        }
        try JSONOutput.write(
            "sweep",
            [
                "study": study.name, "results": folder.path, "axes": study.columns,
                "metrics": zip(points.metrics, points.units).map { JSONText.object(["metric": $0, "unit": $1]) },
                "targets": points.targets.map(\.text), "frontier": points.frontier ?? [],
                "winners": points.winners(sortedBy: sort).map { $0.sentence(columns: study.columns) },
                "points": try study.pointTable(points).json(points.points),
            ])
    }
}
