import ResultFiles
import ArgumentParser
import Basics
import Foundation
import Reporting
import ScenarioFiles
import ScenarioModel
import Simulation
import Studies

struct Run: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "run",
        abstract: "Simulates a scenario and writes its reports into a folder.",
        discussion: """
            The folder holds the tables as CSV, datapackage.json, which describes them, the page report.html, scenario.resolved.yaml, and, last of all, \
            manifest.json: without it the folder holds no complete results. The same scenario and seed give the same tables for any number of threads, however often the run was \
            interrupted, and for any number of shards.
            """
                + HelpExamples.text(
                    """
                    # a scenario as it stands; the results go to out/NAME
                    reloadsim run Scenarios/weather-week.yaml
                    # forty million phones before the service, from five thousand
                    reloadsim run mine.yaml --people 5000 --represents 40M
                    # another length of the policy
                    reloadsim run mine.yaml --set kinds.weather.policy.after=1h
                    # a condition: status 99 if it is broken
                    reloadsim run mine.yaml --threshold 'age_p95_s <= 90m'
                    # only as many people as a figure needs
                    reloadsim run mine.yaml --precision 'age_p95_s 5 %'
                    """))

    @OptionGroup var arguments: ScenarioArguments
    @OptionGroup var represented: RepresentedPeople

    @Option(
        "out", takes: "folder",
        "The folder for the results, or for the part of a shard. (default: out/<the scenario's name>, and .parts for shards)",
        completion: .directory)
    var folder: String?

    @Option(help: "The number of threads. (default: one for each core)")
    var threads: Int?

    @Option(
        takes: "i/n",
        """
        Simulate one part of the people, such as 2/7: the second of seven. It writes a part that `merge` takes. auto takes both numbers from an array \
        of tasks of Slurm or AWS Batch; auto/7 says how many there are, for an indexed job of Kubernetes.
        """)
    var shard: ShardChoice?

    @Option(
        "threshold", takes: "demand",
        "A condition on the results, beside the scenario's thresholds, such as 'share_fresh >= 0.7' or 'age_p95_s < 20m'. Repeatable.",
        completion: Suggestions.metrics)
    var thresholds: [String] = []

    @Option(
        takes: "demand",
        "Simulate only as many of the people as it takes until a metric is known so well, such as 'load_peak_1s 3 %' or 'share_fresh 0.01', and let them stand for all. Repeatable.",
        completion: Suggestions.metrics)
    var precision: [String] = []

    @OptionGroup var unknowns: UnknownsArguments

    @Flag(
        help: "Resume an interrupted run from its checkpoint in the folder; do nothing if the folder holds its results."
    )
    var resume = false

    @Option(
        takes: "time",
        "The time between two checkpoints, such as 10m; or never, not even when it is interrupted. (default: 1m)")
    var checkpointEvery: TimeOrNever?

    @Option(
        takes: "time", "The time that a rank of a run on several (reloadsim-mpi) waits for the others. (default: 60s)")
    var patience: TimeOrNever?

    @Option(
        takes: "size",
        "The memory that the run may take by its estimate, such as 8GB. (default: what the machine and the limits of the process leave)"
    )
    var memory: String?

    @Flag(help: "Replace the results in a folder that is not empty.")
    var force = false

    @Flag(help: "Read the scenario, print the estimated time and memory of a run, and stop.")
    var dryRun = false

    @Flag(name: .shortAndLong, help: "Print only problems.")
    var quiet = false

    @OptionGroup var progress: ProgressArguments

    @OptionGroup var printed: JSONArguments

    @OptionGroup var page: PageArguments
    @OptionGroup var pipeline: PipelineFiles
    @OptionGroup var console: ConsoleArguments

    func validate() throws {
        try ValidationError.check(threads, of: "--threads", in: 1...1_024)
        try MemorySize.check(memory)
        try FolderName.check(folder)
        if !precision.isEmpty && resume {
            throw ValidationError("--precision searches from the beginning each time, and has nothing to resume.")
        }
        if !precision.isEmpty && shard != nil {
            throw ValidationError("--precision adds people until a figure is known well, which a shard cannot tell.")
        }
        if pipeline.isWanted && shard != nil {
            throw ValidationError("--junit and --step-summary tell of a whole run, and not of a shard.")
        }
        if unknowns.isWanted && (shard != nil || !precision.isEmpty) {
            throw ValidationError("--unknowns draws whole runs: neither --shard nor --precision goes with it.")
        }
        if unknowns.isWanted && printed.json {
            throw ValidationError("--json prints one run: of its draws intervals.csv has every metric.")
        }
        if let patience, patience.duration == nil { throw ValidationError("--patience takes a time such as 60s.") }
    }

    private var overrides: [String] { arguments.overrides.all + represented.overrides }

    func run() throws {
        console.use()
        let ranks = RankSession.current
        if let ranks, try isDone(with: ranks) { return }
        let text = try Overrides.text(of: arguments.scenario)
        let unchecked = try text.readChecked(overrides: overrides, thresholds: thresholds)
        let shard = try shard?.shard(in: ProcessInfo.processInfo.environment)
        if let shard {
            if printed.json {
                throw ValidationError("--json prints the results of a whole run, which a shard does not have.")
            }
            try Self.check(shard, unchecked.scenario)
        }
        if let ranks, ranks.ranks > 1, unchecked.scenario.peopleBeforeService != nil {
            throw ValidationError("people who stand for others before a service take one process: no ranks.")
        }
        let estimate = shard == nil ? ScenarioEstimate(unchecked.scenario) : nil
        let read = Console.warning(of: unchecked, estimate)
        let link = dryRun ? nil : try ranks?.meet(read.identity, patience: patience?.duration ?? .seconds(60))
        var own = read.scenario
        if let shard { own.people = shard.people(of: own.people).count }
        let session = RunSession(
            read: read, shard: shard, ranks: ranks,
            threads: threads ?? ProcessInfo.processInfo.activeProcessorCount,
            interval: checkpointEvery.map(\.duration) ?? .seconds(60), isForced: force, isResumed: resume,
            isQuiet: quiet, progress: progress, allowedMemory: memory.flatMap(MemorySize.bytes),
            hasPage: page.isWanted,
            request: RunRequest(
                file: arguments.scenario, overrides: overrides, thresholds: thresholds,
                options: UserCode.current.options),
            saysJSON: printed.json, estimate: estimate ?? ScenarioEstimate(own))
        let path = folder ?? "out/" + FolderName.safe(read.scenario.name) + (shard == nil ? "" : ".parts")
        let draws = try unknowns.draws(of: text, overrides: overrides).map {
            UnknownsRun(
                text: text, overrides: overrides, unknowns: $0, path: path, isQuiet: quiet, threads: session.threads,
                allowedMemory: memory.flatMap(MemorySize.bytes), progress: progress)
        }
        if dryRun {
            session.begin()
            try session.checkSize(file: arguments.scenario)
            try draws?.check()
            return
        }
        if !precision.isEmpty {
            Interruption.watch()
            return try pipeline.follow(folder ?? "out/" + FolderName.safe(read.scenario.name)) {
                try PreciseRun(session: session, text: text, demands: precision).run(to: folder)
            }
        }
        try session.checkSize(file: arguments.scenario)
        Interruption.watch()
        if let shard {
            try ShardRun(session: session, shard: shard, path: path).run()
        } else if let link, link.share.rank > 0 {
            try RankedRun(session: session, path: path, link: link).run()
        } else {
            try draws?.check()
            do {
                try pipeline.follow(path) { try WholeRun(session: session, path: path).run() }
            } catch let failure as CommandFailure where failure.status == .brokenThreshold {
                try draws?.run()
                throw failure
            }
            try draws?.run()
        }
    }

    /// Whether this rank has nothing to do, as in a dry run, which the first one does alone; refuses what several ranks
    /// cannot do.
    private func isDone(with ranks: RankSession) throws -> Bool {
        if ranks.ranks > 1 {
            if !precision.isEmpty {
                throw ValidationError("--precision takes one process: no ranks.")
            }
            if shard != nil {
                throw ValidationError("a shard is simulated by one process: no --shard on \(ranks.ranks) ranks.")
            }
            if arguments.scenario == "-" {
                throw ValidationError("only one rank has the standard input: \(ranks.ranks) ranks need a file.")
            }
        }
        if dryRun { ranks.close() }
        return dryRun && ranks.isFollower
    }

    /// Refuses a shard of what cannot be divided.
    private static func check(_ shard: Shard, _ scenario: Scenario) throws {
        var reason: String?
        if scenario.isReplay {
            reason = "the scenario is a replay, whose recorded devices one process simulates"
        } else if scenario.service != nil {
            reason =
                "the scenario has a service, in whose queues and caches everybody's requests meet, so that no part of the people can be simulated alone"
        } else if shard.people(of: scenario.people).isEmpty {
            reason = "the scenario has \(FigureText.counted(scenario.people, "person", "people")), fewer than shards"
        }
        if let reason { throw CommandFailure(.usage, "no --shard here: \(reason)") }
    }
}
