import ResultFiles
import Foundation
import Reporting
import ScenarioFiles
import ScenarioModel
import Simulation

/// How a run of a study ended.
package enum RunOutcome: Hashable, Sendable {
    case done
    /// Its results stood there already.
    case skipped
    /// The fault, in a sentence; nothing of the run was left.
    case failed(String)
    /// It was stopped, or never begun.
    case cancelled

    package var isComplete: Bool { self == .done || self == .skipped }
}

/// The work of one run: simulate it and write its folder.
struct RunJob {
    let run: StudyRun
    let scenario: ScenarioText
    let folder: String
    let threads: Int
    /// Whether to start again instead of resuming what an interrupted run has left.
    let isAnew: Bool
    let keptFiles: KeptFiles
    /// Where runs of its fleet have their beginning in common; nil to begin alone.
    let beginnings: SharedBeginnings?
    let cancelled: @Sendable () -> Bool

    /// The time between two checkpoints of a run; a run that is shorter writes none.
    private static let checkpointInterval = Swift.Duration.seconds(60)

    /// The run from its checkpoint, or from its beginning if there is none from which it can resume.
    private func begun(_ simulation: ScenarioRun, _ read: ParsedScenario, _ meter: CoreMeter) -> CheckpointedRun {
        let path = folder + "/" + CheckpointedRun.name
        func kept(_ run: RunInProgress, _ seconds: (wall: Double, core: Double), isResumed: Bool) -> CheckpointedRun {
            let header = PartialHeader(.checkpoint, of: run, read, threads: threads, after: seconds, request: request)
            return CheckpointedRun(
                run, header: header, folder: folder, interval: Self.checkpointInterval, isResumed: isResumed,
                coreTime: { meter.seconds })
        }
        if !isAnew, FolderPath.exists(path) {
            // One that is damaged or of another version is no loss: what it held is simulated again.
            do {
                let file = try PartialFile(path)
                if file.header.identity == self.run.identity, file.header.kind == .checkpoint, file.header.shard == nil
                {
                    let run = simulation.begin(threads: threads)
                    try file.restore(into: run)
                    return kept(run, (file.header.wallSeconds, file.header.coreSeconds), isResumed: true)
                }
            } catch {}
        }
        return kept(simulation.begin(threads: threads), (0, 0), isResumed: false)
    }

    /// The request by which `run` would give the same results.
    private var request: RunRequest {
        RunRequest(
            file: scenario.file == "stdin" ? "-" : scenario.file, overrides: run.overrides,
            options: UserCode.current.options)
    }

    /// - Parameter progress: called now and then with the share done, on this thread.
    func perform(progress: (Double) -> Void) -> RunOutcome {
        let meter = CoreMeter()
        do {
            let read = try run.read ?? scenario.readChecked(overrides: run.overrides)
            let simulation = try ScenarioRun(read.scenario)
            let output = try OutputFolder(path: folder, for: .run, RunReport.force, isInterrupted: cancelled)
            // Its lock is needed until the checkpoint is gone.
            defer { withExtendedLifetime(output) {} }
            let kept = begun(simulation, read, meter)
            let people = Double(max(1, kept.run.people.count))
            let end: CheckpointedRun.End
            do {
                end = try meter.measure {
                    if let beginnings, let fleet = run.fleetSHA256, !kept.isKept, kept.run.canShareBeginning,
                        try !beginnings.begin(
                            kept.run, fleet, cancelled: cancelled,
                            progress: { done, _ in progress(Double(done) / people) })
                    {
                        if let problem = kept.run.problem { throw problem }
                        return .interrupted(isKept: false)
                    }
                    return try kept.run(
                        isInterrupted: cancelled, progress: { done, _ in progress(Double(done) / people) })
                }
            } catch {
                output.discard()
                throw error
            }
            if end != .over {
                output.discard()
                return .cancelled
            }
            try RunReport(kept.run.result()).write(
                to: output, keeping: keptFiles, resolvedScenario: read.resolvedText,
                circumstances: RunCircumstances(
                    threads: threads, wallSeconds: kept.wallSeconds, recordSHA256: read.recordSHA256, request: request,
                    estimatedCoreSeconds: run.estimate.coreSeconds, usedCoreSeconds: kept.coreSeconds))
            CheckpointedRun.remove(from: folder)
            return .done
        } catch let problem as OutputProblem where problem.isInterruption {
            return .cancelled
        } catch {
            return .failed("\(error)")
        }
    }
}
