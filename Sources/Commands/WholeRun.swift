import ResultFiles
import Basics
import Foundation
import Reporting
import ScenarioModel
import Simulation
import Studies

/// A run in one piece: its checkpoints and its results go into one folder.
struct WholeRun {
    let session: RunSession
    let path: String
    /// A run of the session's scenario that is over already; nil to simulate it.
    var simulated: RunInProgress?

    private var checkpointPath: String { path + "/" + CheckpointedRun.name }

    func run() throws {
        // The contents of the folder are read while nobody else can change them.
        let lock = try FolderLock.take(path)
        defer { withExtendedLifetime(lock) {} }
        if lock != nil && session.isResumed {
            try OutputFolder.check(path, for: .run, RunReport.force)
            try OutputFolder.recover(path)
        }
        if try session.isResumed && isComplete() { return }
        let checkpoint = try session.checkpoint(at: checkpointPath)
        let link = session.ranks?.link
        let output = try OutputFolder(
            path: path, for: .run,
            session.isForced || checkpoint != nil ? RunReport.force : session.isResumed ? .own : .nothing(), lock: lock,
            isInterrupted: { Interruption.isRequested })
        defer { withExtendedLifetime(output) {} }
        if simulated == nil { session.begin() }
        let kept: CheckpointedRun
        do {
            if let link { try (checkpoint.map { RankedStart.resume($0.hash) } ?? .begin).announce(link) }
            kept = try session.simulate(
                simulated ?? session.prepared().begin(threads: session.threads, link: link),
                from: simulated == nil ? checkpoint : nil, folder: path)
        } catch {
            output.discard()
            throw error
        }
        if let link, link.share.ranks > 1, !session.isQuiet {
            let (bytes, messages) = link.sent
            Console.plain(
                "exchange  \(FigureText.grouped(messages)) messages of this rank, \(FigureText.grouped(bytes / max(1, messages))) bytes each"
            )
        }
        let result = kept.run.result()
        if let scaled = result.scaled, !scaled.agreement.isReached {
            output.discard()
            throw CommandFailure(.wrongScenario, UpscalingText.disagreement(scaled, session.read.scenario))
        }
        let report = RunReport(result)
        // The process of a run that was resumed has not had the memory of its beginning.
        let peakMemory: (@Sendable () -> Double?)? =
            checkpoint == nil ? { @Sendable in HostCalls.peakMemoryOfProcess } : nil
        do throws(OutputProblem) {
            try report.write(
                to: output, resolvedScenario: session.read.resolvedText,
                circumstances: RunCircumstances(
                    threads: session.threads, wallSeconds: kept.wallSeconds, recordSHA256: session.read.recordSHA256,
                    command: CommandLine.arguments, request: session.request,
                    estimatedCoreSeconds: session.estimate.coreSeconds,
                    usedCoreSeconds: kept.coreSeconds, peakMemory: peakMemory),
                page: session.hasPage ? OutputFolder.pageWriter : nil)
        } catch {
            guard let rest = kept.rest else { throw error }
            if !error.isInterruption { throw error.adding(rest) }
            throw OutputProblem("interrupted while results were written; \(rest)", isInterruption: true)
        }
        // From here on the results are complete: the next run with --resume removes a checkpoint that is left.
        CheckpointedRun.remove(from: path)
        if session.saysJSON { try JSONOutput.write("run", ["results": path] + report.json()) }
        try session.messages.end(report, folder: path)
    }

    /// Whether the folder holds this run's results already.
    private func isComplete() throws -> Bool {
        switch try CompleteRun.check(folder: path, identity: session.identity) {
        case .complete:
            if let ranks = session.ranks {
                if let link = ranks.link { try RankedStart.complete.announce(link) }
                ranks.close()
            }
            CheckpointedRun.remove(from: path)
            // A broken threshold stays broken, however often the run is asked for.
            let isBroken = try FinishedRun.breaksThreshold(folder: path)
            if session.saysJSON {
                try JSONOutput.write(
                    "run",
                    ["results": path]
                        + RunReport.json(ofFolder: path, session.read.scenario, holds: !isBroken))
            }
            if !session.isQuiet {
                Console.plain("\(path) holds the complete results of this run already; nothing was simulated")
            }
            if isBroken {
                Console.plain(
                    heading: "broken    ", .red,
                    "a threshold or an objective of the scenario: see \(path)/thresholds.csv")
                throw CommandFailure(.brokenThreshold)
            }
            return true
        case .absent: return false
        case .other(let reason):
            if session.isForced { return false }
            throw OutputProblem(
                "\(path) holds the results of another run: \(reason); nothing was changed (--force replaces them)")
        case .damaged(let reason):
            if session.isForced { return false }
            throw OutputProblem(
                "the results in \(path) are damaged: \(reason); nothing was changed (--force replaces them)")
        }
    }
}
