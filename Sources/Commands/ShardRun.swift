import ResultFiles
import Foundation
import Reporting
import Simulation

/// One shard of a run: a part in a folder that all shards can share. It reports nothing, since peaks of a part are no
/// parts of the peaks.
struct ShardRun {
    let session: RunSession
    let shard: Shard
    let path: String

    private var partPath: String { path + "/" + shard.partName }
    private var checkpointPath: String { path + "/" + shard.checkpointName }

    func run() throws {
        // The contents of the folder are read while nobody else can change them.
        let folder = try PartFolder(path, shard: shard)
        defer { folder.discard() }
        if try !isDone() { try simulate() }
    }

    private func simulate() throws {
        let checkpoint = try session.checkpoint(at: checkpointPath)
        session.begin()
        let run = try session.prepared().begin(
            threads: session.threads, people: shard.people(of: session.read.scenario.people))
        let kept = try session.simulate(run, from: checkpoint, folder: path)
        let header = PartialHeader(
            .shard, of: kept.run, session.read, shard: shard, threads: session.threads,
            after: (kept.wallSeconds, kept.coreSeconds), request: session.request)
        try PartialFile.write(kept.run, header: header, folder: path, name: shard.partName)
        CheckpointedRun.remove(from: path, shard: shard)
        if session.isQuiet { return }
        Console.plain("part      \(partPath)")
        Console.plain("next      reloadsim merge \(path) --out <folder>, when all \(shard.count) shards are there")
    }

    /// Whether the shard's part is there already and right.
    private func isDone() throws(OutputProblem) -> Bool {
        guard !(session.isForced && !session.isResumed), FolderPath.exists(partPath) else { return false }
        guard session.isResumed else {
            throw OutputProblem(
                "\(partPath) exists already; nothing was changed (--resume keeps it if it is right, --force replaces it)"
            )
        }
        do throws(PartialProblem) { _ = try session.part(partPath, .shard) } catch {
            if session.isForced { return false }
            throw OutputProblem("\(error); nothing was changed (--force replaces it)")
        }
        CheckpointedRun.remove(from: path, shard: shard)
        if !session.isQuiet { Console.plain("\(partPath) is complete already; nothing was simulated") }
        return true
    }
}
