import ResultFiles
import Basics
import Foundation
import Simulation

/// A run that writes down how far it is: now and then, and when it is interrupted.
///
/// The ranks of a run pause at the same place, and agree on why. Each writes its own state; the first one's comes last
/// and makes it a checkpoint.
package final class CheckpointedRun {
    package let run: RunInProgress
    /// The folder of the checkpoint, which exists, and its name in it.
    package let folder, name: String
    /// The header of the checkpoints; kind, time and share are put in.
    private let header: PartialHeader
    /// The time between two checkpoints; nil to write none at all.
    private let interval: Swift.Duration?
    /// The time spent in processes before this one.
    private let secondsBefore: Double
    /// The core time of this process for the run, in seconds.
    private let coreTime: () -> Double
    private let clock = ContinuousClock()
    private let start: ContinuousClock.Instant
    /// Whether a checkpoint of the run is in the folder.
    package private(set) var isKept: Bool
    /// The share of the run that the checkpoint holds, 0 to 1.
    package private(set) var keptShare: Double
    /// The number of the last checkpoint of ranks; 0 before the first.
    private var checkpoint: Int

    /// The name of the checkpoint of a run in one piece.
    package static let name = "run.checkpoint"

    /// Writing takes at most one part in this many of the time.
    private static let leastShare = 50

    package enum End: Equatable, Sendable {
        case over
        /// It was told to end; whether a checkpoint holds what was done.
        case interrupted(isKept: Bool)
    }

    /// - Parameters:
    ///   - header: of the run; its times are what processes before this one have spent.
    ///   - interval: above 0; nil to write no checkpoint, not even when the run is interrupted.
    ///   - isResumed: whether the run has continued from the checkpoint in the folder.
    ///   - coreTime: the seconds of core time that this process has used for the run.
    package init(
        _ run: RunInProgress, header: PartialHeader, folder: String, interval: Swift.Duration?, isResumed: Bool = false,
        coreTime: @escaping () -> Double = { HostCalls.coreSecondsOfProcess }
    ) {
        self.run = run
        isKept = isResumed
        keptShare = isResumed ? run.shareDone : 0
        self.header = header
        checkpoint = header.rank?.checkpoint ?? 0
        self.folder = folder
        self.interval = run.willBeKeepable ? interval : nil
        name = header.shard?.checkpointName ?? Self.name
        secondsBefore = header.wallSeconds
        self.coreTime = coreTime
        start = clock.now
    }

    package var path: String { folder + "/" + name }

    /// A clause about the checkpoint that is true after a failure; nil if there is none.
    package var rest: String? {
        isKept && FileStatus(of: path)?.kind == .file
            ? "\(path) holds a part of the run, and --resume continues from there" : nil
    }

    /// Removes the checkpoint of a run, or of a shard, that is complete, and what a killed process has left of one. The
    /// caller has the lock of the folder, or of the shard.
    package static func remove(from folder: String, shard: Shard? = nil) {
        let name = shard?.checkpointName ?? name
        if FileStatus(of: folder + "/" + name)?.kind == .file { _ = Disk.calls.unlink(folder + "/" + name) }
        FolderPath.removeLeftovers(of: [name] + (shard.map { [$0.partName] } ?? []), in: folder)
        if shard == nil { RankPart.removeAll(from: folder) }
    }

    /// The seconds that the run has taken, in this process and those before it.
    package var wallSeconds: Double {
        ((secondsBefore + start.duration(to: clock.now) / .seconds(1)) * 1_000).rounded() / 1_000
    }

    /// The seconds of core time that were used for the run, in this process and those before it.
    package var coreSeconds: Double { ((header.coreSeconds + coreTime()) * 1_000).rounded() / 1_000 }

    /// Runs to the end, or until it is interrupted.
    ///
    /// - Parameters:
    ///   - isInterrupted: asked often, on any thread; once true it ends where nothing is half done.
    ///   - warn: takes a sentence about a checkpoint that could not be written; the run continues.
    ///   - progress: called about five times a second.
    /// - Throws: `OutputProblem` if what was done could not be written down when it was interrupted; `ThreadProblem` if
    ///   a thread could not be started; `RankProblem` if the ranks of the run no longer work together.
    package func run(
        isInterrupted: @escaping @Sendable () -> Bool, warn: (String) -> Void = { _ in },
        progress: (_ peopleDone: Int, _ elapsed: Swift.Duration) -> Void = { _, _ in }
    ) throws -> End {
        let request = PauseRequest()
        var interval = interval
        var last = clock.now
        let before = run.shareDone
        while !run.isOver {
            request.withdraw()
            run.advance(until: { _ in request.isMade || isInterrupted() }) { done, _ in
                progress(done, start.duration(to: clock.now))
                if let interval, run.hasBegun, last.duration(to: clock.now) >= interval { request.make() }
            }
            if let lost = run.lost {
                // A rank that could not read its part of the checkpoint has said what to do about it.
                throw run.shareDone > before ? rest.map(lost.adding) ?? lost : lost
            }
            if run.isOver { break }
            if let problem = run.problem { throw rest.map(problem.adding) ?? problem }
            let ends = isInterrupted()
            if try run.link?.vote(ends).isAnyYes ?? ends { return .interrupted(isKept: try keepAtEnd()) }
            if run.link != nil && !run.canBeKept {
                throw RankProblem("the ranks paused before every device had begun, though none was told to", speaker: 0)
            }
            let begin = clock.now
            do { try write() } catch let error as OutputProblem {
                warn("\(error.description); no checkpoint was written, and the run continues")
            }
            last = clock.now
            if let stated = self.interval { interval = max(stated, begin.duration(to: last) * Self.leastShare) }
        }
        try run.addUp()
        return .over
    }

    /// Writes the last checkpoint, if there is anything in it; tells whether one holds what was done.
    private func keepAtEnd() throws -> Bool {
        guard interval != nil, run.canBeKept, run.shareDone > 0 else { return isKept }
        do { try write() } catch let error as OutputProblem {
            throw error.adding("interrupted; \(rest ?? "no part of the run is sure to be left")")
        }
        return isKept
    }

    /// - Throws: `OutputProblem`, on all ranks if one could not write; `RankProblem`.
    private func write() throws {
        var header = header
        header.kind = .checkpoint
        header.wallSeconds = wallSeconds
        header.coreSeconds = coreSeconds
        header.shareDone = run.shareDone
        header.rank = nil
        if let link = run.link,
            let part = RankPart(
                rank: link.share.rank, of: link.share.ranks, checkpoint: checkpoint + 1, division: run.division)
        {
            header.rank = part
            // The first one's says that the others are there.
            try agree(link, isWriting: part.rank > 0, header, part.name)
            try agree(link, isWriting: part.rank == 0, header, part.name)
            checkpoint += 1
            if part.rank == 0 { RankPart.removeAll(from: folder, but: part) }
        } else {
            try PartialFile.write(run, header: header, folder: folder, name: name)
        }
        isKept = true
        keptShare = run.shareDone
    }

    /// Writes this rank's state if it is its turn; returns once all ranks have done theirs.
    private func agree(_ link: RankLink, isWriting: Bool, _ header: PartialHeader, _ name: String) throws {
        var sentence = ""
        if isWriting {
            do throws(OutputProblem) { try PartialFile.write(run, header: header, folder: folder, name: name) } catch {
                sentence = error.description
            }
        }
        let vote = try link.vote(!sentence.isEmpty, saying: sentence)
        if vote.isAnyYes { throw OutputProblem(vote.sentence) }
    }
}
