import ResultFiles

/// The state of one rank in a checkpoint of a run on several.
///
/// The first rank's has the name of every run's checkpoint and is written last, once those of all others are complete:
/// it says how many there are and which, so it is the manifest of the checkpoint. The others have names with the number
/// of the checkpoint: those of the one before stay until then.
package struct RankPart: Hashable, Sendable {
    /// From 0 on.
    package let rank: Int
    /// 2 or more.
    package let ranks: Int
    /// The number of the checkpoint in the run, from 1 on.
    package let checkpoint: Int
    /// How the ranks have divided the people: two runs of one scenario can have counted others by the same checkpoint.
    package let division: UInt64

    /// Nil unless 0 ≤ rank < ranks, of 2 to `Shard.most` ranks.
    package init?(rank: Int, of ranks: Int, checkpoint: Int, division: UInt64 = 0) {
        guard (2...Shard.most).contains(ranks), (0..<ranks).contains(rank),
            (1...Self.mostCheckpoints).contains(checkpoint)
        else { return nil }
        (self.rank, self.ranks, self.checkpoint, self.division) = (rank, ranks, checkpoint, division)
    }

    /// More than one a second in a hundred years.
    private static let mostCheckpoints = 1 << 32

    /// The name of its file.
    package var name: String {
        rank == 0 ? CheckpointedRun.name : "rank-\(rank)-of-\(ranks).\(checkpoint)\(Self.suffix)"
    }

    private static let suffix = ".checkpoint"

    /// Whether a name is one that a rank but the first gives its file.
    package static func isName(_ name: String) -> Bool {
        name.hasPrefix("rank-") && name.wholeMatch(of: /rank-[0-9]{1,6}-of-[0-9]{1,6}\.[0-9]{1,10}\.checkpoint/) != nil
    }

    /// Removes the files of ranks in a folder, and what killed processes have left of some; those of one checkpoint can
    /// stay.
    static func removeAll(from folder: String, but kept: RankPart? = nil) {
        let names: [String]
        do throws(OutputProblem) { names = try FolderPath.contents(of: folder) ?? [] } catch { return }
        for name in names {
            let original = TemporaryName.original(of: name)?.name ?? name
            guard isName(original), FileStatus(of: folder + "/" + name)?.kind == .file else { continue }
            if let kept, original.hasSuffix("-of-\(kept.ranks).\(kept.checkpoint)\(suffix)") { continue }
            _ = Disk.calls.unlink(folder + "/" + name)
        }
    }
}
