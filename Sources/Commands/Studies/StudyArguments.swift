import ArgumentParser
import Basics
import Foundation
import Reporting
import ResultFiles
import ScenarioFiles
import Studies

/// The axes of a study, over the scenario's `study` block.
struct DesignArguments: ParsableArguments {
    @Option(
        "vary", takes: "key=values",
        "Vary a key over values: people=1000,2000, or key=range(0s,10m,2m), or key=log(1,1000,4) for 4 values; name:key=… names its column. Repeatable.",
        completion: Suggestions.keys)
    var axes: [String] = []

    @Option(
        "zip", takes: "names", "Vary these axes in lockstep and not in every combination, as in --zip a,b. Repeatable.")
    var zips: [String] = []

    @Option("where", takes: "condition", "Only points that meet a condition, such as 'ttl <= jitter'. Repeatable.")
    var conditions: [String] = []

    @Option(
        takes: "design",
        "grid, every combination; sobol:N or lhs:N, N points that fill the space; csv:FILE, a file with a column for each axis. (default: grid)"
    )
    var design: String?

    @Option(help: "The study's name in its tables. (default: the scenario's)")
    var name: String?

    @Option("repeat", takes: "count", "Replications of every point, each with the next seed. (default: 1)")
    var replications: Int?

    @Option(
        help:
            "by-replication: all points share their random numbers; per-run: each run has its own. (default: by-replication)"
    )
    var seeds: Study.Seeds?

    func validate() throws {
        try ValidationError.check(replications, of: "--repeat", in: 1...100_000)
        if let name, let fault = NameText.fault(name) {
            throw ValidationError("--name takes \(NameText.words), not '\(name)': \(fault).")
        }
    }

    /// The block of the scenario with all of this over it.
    ///
    /// - Parameter folder: where the scenario lies.
    func request(over block: StudyBlock?, folder: String) throws -> StudyRequest {
        var request = try StudyRequest(block, folder: folder)
        for text in axes { request.add(try Axis.read(text)) }
        request.zips += zips.map { $0.split(separator: ",").map(\.trimmed) }
        request.conditions += conditions
        if let design { request.design = design }
        if let name { request.name = name }
        if let replications { request.replications = replications }
        if let seeds { request.seeds = seeds }
        return request
    }
}

extension Study.Seeds: ExpressibleByArgument {}

/// How the runs of a study are performed.
struct QueueArguments: ParsableArguments {
    @Option(help: "Runs at a time. (default: one for each core, within the memory)")
    var jobs: Int?

    @Option(help: "Threads of each run. (default: the cores shared out among the jobs)")
    var threads: Int?

    @Option(takes: "size", "Memory for the runs under way, such as 8GB. (default: three quarters of what is free)")
    var memory: String?

    @Option(
        "keep", takes: "files",
        "The files of each run: all, or its summary alone, which is faster and takes a tenth of the room.")
    var kept = KeptFiles.all

    @Flag(help: "Print only problems and the last line.")
    var quiet = false

    @OptionGroup var progress: ProgressArguments

    func validate() throws {
        try ValidationError.check(jobs, of: "--jobs", in: 1...1_024)
        try ValidationError.check(threads, of: "--threads", in: 1...1_024)
        try MemorySize.check(memory)
    }

    /// - Parameter runs: how many there are to perform: with fewer than cores each gets more threads.
    func settings(runs: Int, repeats: Bool = false) -> RunQueue.Settings {
        let jobs = jobs ?? max(1, min(Machine.cores, runs))
        let memory = allowedMemory ?? 0.75 * Machine.availableMemory
        return RunQueue.Settings(
            jobs: jobs, threads: threads ?? max(1, Machine.cores / jobs), memory: memory, repeats: repeats,
            kept: kept)
    }

    /// The bytes that are asked for; nil for what there is.
    var allowedMemory: Double? { memory.flatMap(MemorySize.bytes) }
}

extension KeptFiles: ExpressibleByArgument {}

extension QueueArguments {
    /// Performs the runs whose results are not there yet, until it is interrupted, and shows how far it is.
    ///
    /// - Parameters:
    ///   - repeats: whether those whose results are there are performed, too.
    ///   - othersFollow: whether further runs of the study come later.
    func perform(
        _ runs: [StudyRun], of study: Study, in place: StudyFolder, repeats: Bool = false, othersFollow: Bool = false
    ) -> [RunOutcome] {
        let bar = ProgressDisplay(isShown: !quiet && !progress.isHidden, interval: progress.interval)
        defer { bar.clear() }
        var settings = settings(runs: runs.count, repeats: repeats)
        settings.othersFollow = othersFollow && study.hasOneFleet
        return RunQueue(study.scenario, in: place, settings).perform(runs, cancelled: { Interruption.isRequested }) {
            bar.show($0)
        }
    }

    /// Performs the runs whose results are not there yet, all of them: for commands that can say nothing while one is
    /// missing.
    ///
    /// - Parameter othersFollow: whether further runs of the study come later.
    /// - Throws: the interruption, or the first run that failed; what is complete stays.
    func performAll(_ runs: [StudyRun], of study: Study, in place: StudyFolder, othersFollow: Bool = false) throws {
        try place.requireAll(perform(runs, of: study, in: place, othersFollow: othersFollow), of: runs, study)
    }
}

extension StudyFolder {
    /// Throws the interruption, or the first of some runs that failed; what is complete stays.
    func requireAll(_ outcomes: [RunOutcome], of runs: [StudyRun], _ study: Study) throws {
        if Interruption.isRequested {
            throw OutputProblem(
                "interrupted; the runs that are complete stay in \(path), and the same command continues",
                isInterruption: true)
        }
        for (run, outcome) in zip(runs, outcomes) {
            if case .failed(let sentence) = outcome {
                throw CommandFailure(
                    .tryAgain, "\(study.scenario.file), \(run.overrides.joined(separator: " ")): \(sentence)")
            }
        }
    }
}

extension ProgressDisplay {
    /// How far a study is: the share of its work that is done, its runs, and the time left.
    func show(_ progress: RunQueue.Progress) {
        let (here, left) = (progress.share - progress.shareBefore, 1 - progress.share)
        let time = here > 0 ? "  \(TimeText.duration(.seconds(Int64(cutting: seconds / here * left + 0.5)))) left" : ""
        show(progress.share, "\(progress.ended) of \(FigureText.counted(progress.runs, "run"))\(time)")
    }
}

extension Study {
    /// Refuses runs that are estimated to be too large, each under what sets it apart.
    ///
    /// - Parameter allowed: the bytes that a run may take; nil for what there is.
    func checkSize(of runs: [StudyRun], allowed: Double?) throws {
        for run in runs {
            try run.estimate.check(file: "\(scenario.file), \(run.overrides.dropLast().joined(separator: " "))")
        }
        try Self.checkMemory(of: runs, allowed: allowed)
    }

    /// Refuses runs of which the largest has no room in this machine's memory: the others wait for it, but it alone has
    /// to fit.
    static func checkMemory(of runs: [StudyRun], allowed: Double?) throws {
        guard let largest = runs.map(\.estimate).max(by: { $0.ownMemory(threads: 1) < $1.ownMemory(threads: 1) }) else {
            return
        }
        if let sentence = MemoryRoom.refusal(
            of: largest.ownMemory(threads: 1), threads: 1, allowed: allowed, note: largest.queueNote)
        {
            throw CommandFailure(noMemory: sentence, allowed: allowed)
        }
    }
}

extension StudyFolder {
    /// The statement that is still true after an interruption of a command that takes `--resume`.
    func interruption(_ outcomes: [RunOutcome]) -> OutputProblem {
        OutputProblem(
            "interrupted; \(outcomes.count { $0.isComplete }) of \(FigureText.counted(outcomes.count, "run")) are complete in \(path); the same command with --resume continues",
            isInterruption: true)
    }
}
