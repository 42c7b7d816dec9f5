import ResultFiles
import Basics
import Foundation
import Reporting
import ScenarioFiles
import Simulation
import Studies

/// One process's work on a run or a shard: what it was asked for, and what is the same for both.
struct RunSession {
    var read: ParsedScenario
    let shard: Shard?
    /// The ranks of the run; nil for a run in one process.
    let ranks: RankSession?
    let threads: Int
    /// Between checkpoints; nil for none at all.
    let interval: Swift.Duration?
    let isForced, isResumed, isQuiet: Bool
    let progress: ProgressArguments
    /// The bytes that the run may take; nil for what there is.
    let allowedMemory: Double?
    /// Whether the results get a page.
    let hasPage: Bool
    /// The request for the run, as far as results depend on it.
    var request: RunRequest
    /// Whether the results are said as JSON.
    let saysJSON: Bool

    var identity: RunIdentity { read.identity }

    /// The estimate of the run, or of the shard if it is one.
    var estimate: ScenarioEstimate

    /// This session with fewer people, who stand for others.
    ///
    /// - Parameter text: of the scenario.
    func of(people: Int, representing represented: Int?, _ text: ScenarioText) throws -> RunSession {
        let overrides =
            request.overrides + ["people=\(people)"] + (represented.map { ["report.represents=\($0)"] } ?? [])
        var session = self
        session.request = RunRequest(
            file: request.scenario, overrides: overrides, thresholds: request.thresholds, options: request.options)
        session.read = try text.readChecked(overrides: overrides, thresholds: request.thresholds)
        session.estimate = ScenarioEstimate(session.read.scenario)
        return session
    }

    /// Refuses what is estimated to be too large for any machine, or for this one.
    func checkSize(file: String) throws {
        try estimate.check(file: file)
        var memory = estimate.ownMemory(threads: threads)
        if let ranks, ranks.ranks > 1 {
            // The ranks of one machine share its memory. Each simulates some of the people and runs the whole service.
            var share = read.scenario
            share.people = max(1, share.people / ranks.ranks)
            let ofShare = ScenarioEstimate(share)
            memory =
                (ofShare.ownMemory(threads: threads) - ofShare.queueMemory + estimate.queueMemory)
                * Double(ranks.ranksOnMachine)
        }
        // The limit is one of the whole process.
        let process = estimate.memory(threads: threads) - estimate.ownMemory(threads: threads)
        if let sentence = MemoryRoom.refusal(
            of: memory, threads: threads, beside: process, allowed: allowedMemory, note: estimate.queueNote)
        {
            throw CommandFailure(noMemory: sentence, allowed: allowedMemory)
        }
    }

    var messages: RunMessages { RunMessages(scenario: read.scenario, isQuiet: isQuiet) }

    func begin() { messages.begin(estimate: estimate, threads: threads, shard: shard, ranks: ranks?.link) }

    /// The run with its tables made.
    func prepared() throws -> ScenarioRun {
        let run = try ScenarioRun(read.scenario)
        for sentence in run.shortfalls { Console.warning(sentence) }
        return run
    }

    /// The file of a partial result, which is one of this part of the run.
    func part(_ path: String, _ kind: PartialHeader.Kind) throws(PartialProblem) -> PartialFile {
        let file = try PartialFile(path)
        if let difference = identity.difference(from: file.header.identity) {
            throw PartialProblem("\(path) belongs to another run: \(difference)")
        }
        guard file.header.kind == kind, file.header.shard == shard, file.header.people == read.scenario.people else {
            throw PartialProblem("\(path) belongs to another part of the run")
        }
        return file
    }

    /// The checkpoint from which the run can resume; nil if there is none, or if resuming was not asked for.
    ///
    /// - Throws: why it cannot continue from the one that is there.
    func checkpoint(at path: String) throws(OutputProblem) -> PartialFile? {
        guard FolderPath.exists(path) else { return nil }
        if !isResumed {
            if isForced { return nil }
            throw OutputProblem(
                "\(path) is the checkpoint of a run that was interrupted; nothing was changed (--resume continues from it, --force begins again)"
            )
        }
        do throws(PartialProblem) { return try part(path, .checkpoint) } catch {
            if !isForced { throw OutputProblem("\(error); nothing was changed (--force begins again)") }
            Console.warning("\(error); the run begins again")
            return nil
        }
    }

    /// Simulates to the end, with checkpoints in a folder that exists.
    ///
    /// - Parameter checkpoint: what it continues from.
    /// - Throws: the interruption, with what is left and how to continue; why the checkpoint cannot be restored; a
    ///   thread that the system does not give.
    func simulate(_ run: RunInProgress, from checkpoint: PartialFile?, folder: String) throws -> CheckpointedRun {
        if let checkpoint {
            do throws(PartialProblem) { try checkpoint.restore(into: run) } catch {
                throw OutputProblem("\(error); nothing was changed (--force without --resume begins again)")
            }
            if !isQuiet {
                Console.plain("resumed   at \(Self.percent(run.shareDone)) of the run, from \(checkpoint.path)")
            }
        }
        let before = checkpoint.map { ($0.header.wallSeconds, $0.header.coreSeconds) } ?? (0, 0)
        var header = PartialHeader(
            .checkpoint, of: run, read, shard: shard, threads: threads, after: before, request: request)
        header.rank = checkpoint?.header.rank
        let kept = CheckpointedRun(
            run, header: header, folder: folder, interval: interval, isResumed: checkpoint != nil)
        let people = run.people.count
        let bar = ProgressBar(
            people: people, deviceDays: estimate.deviceDays, begunAt: Int(cutting: run.shareDone * Double(people)),
            isShown: !isQuiet && !progress.isHidden, interval: progress.interval)
        defer { bar.clear() }
        let end = try kept.run(
            isInterrupted: { Interruption.isRequested },
            warn: { sentence in
                bar.clear()
                Console.warning(sentence)
            }, progress: { done, _ in bar.show(done) })
        bar.clear()
        // All ranks end here.
        ranks?.close()
        switch end {
        case .over: return kept
        case .interrupted(isKept: true):
            throw OutputProblem(
                "interrupted at \(Self.percent(run.shareDone)) of the run; \(kept.path) holds \(kept.keptShare == run.shareDone ? "what is done" : "the first \(Self.percent(kept.keptShare))"), "
                    + "and the same command with --resume continues from there",
                isInterruption: true)
        case .interrupted(isKept: false):
            throw OutputProblem("interrupted; nothing was written to \(folder)", isInterruption: true)
        }
    }

    static func percent(_ share: Double) -> String { "\(Int(cutting: share * 100)) %" }
}
