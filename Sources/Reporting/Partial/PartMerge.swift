import Foundation
import ResultFiles
import Simulation

/// The parts of one run, checked to be all of it: every shard once, of one run.
package struct PartMerge: Sendable {
    /// The files by shard.
    package let files: [String]
    /// The run's identity, on which all parts agree.
    package let identity: RunIdentity
    package let scenario: String
    /// Seconds of all parts together, and the most threads of any.
    package let wallSeconds: Double
    /// Seconds of core time of all parts together.
    package let coreSeconds: Double
    /// The request that all parts name; nil where they name none, or different ones.
    package let request: RunRequest?
    package let threads: Int

    package static let suffix = ".part"

    /// Opens and checks every part.
    ///
    /// - Parameter paths: files, or folders whose parts are taken.
    package init(_ paths: [String]) throws(PartialProblem) {
        var parts: [(path: String, header: PartialHeader)] = []
        for path in try Self.files(paths) { parts.append((path, try PartialFile(path).header)) }
        guard let first = parts.first else { throw PartialProblem("no parts to merge", isUnreadable: true) }
        for (path, header) in parts where header.kind != .shard {
            throw PartialProblem(
                "\(path) is the checkpoint of a run that is not complete, which `run --resume` continues; it is not a part to merge"
            )
        }
        for (path, header) in parts.dropFirst() {
            if let difference = first.header.identity.difference(from: header.identity) {
                throw PartialProblem("\(path) does not belong to \(first.path): \(difference)")
            }
            if header.tablesHash != first.header.tablesHash {
                throw PartialProblem(
                    "\(path) does not belong to \(first.path): it was made with other distribution tables (another version of the GNU Scientific Library)"
                )
            }
        }
        files = try Self.ordered(parts.map { ($0.path, $0.header.shard!) })
        identity = first.header.identity
        scenario = first.header.scenario
        wallSeconds = (parts.reduce(0) { $0 + $1.header.wallSeconds } * 1_000).rounded() / 1_000
        coreSeconds = (parts.reduce(0) { $0 + $1.header.coreSeconds } * 1_000).rounded() / 1_000
        request = parts.allSatisfy { $0.header.request == first.header.request } ? first.header.request : nil
        threads = parts.reduce(0) { max($0, $1.header.threads) }
    }

    /// The result that one process would have measured.
    ///
    /// - Parameter run: of the parts' scenario.
    package func result(of run: ScenarioRun) throws(PartialProblem) -> RunResult {
        let whole = run.begin(threads: 1)
        for file in files { try PartialFile(file).restore(into: whole) }
        return whole.result()
    }

    /// The parts in folders, by name, and those that are named.
    private static func files(_ paths: [String]) throws(PartialProblem) -> [String] {
        var files: [String] = []
        for path in paths {
            guard FolderPath.exists(path) else { throw PartialProblem("\(path) is missing", isUnreadable: true) }
            guard FolderPath.isFolder(path) else {
                files.append(path)
                continue
            }
            let names: [String]
            do throws(OutputProblem) { names = try FolderPath.contents(of: path) ?? [] } catch {
                throw PartialProblem(error)
            }
            let parts = names.filter { $0.hasSuffix(suffix) && !$0.hasPrefix(".") }.sorted()
            if parts.isEmpty {
                throw PartialProblem("there is no part (*\(suffix)) in the folder \(path)", isUnreadable: true)
            }
            files += parts.map { path + "/" + $0 }
        }
        return files
    }

    /// The files in the order of their shards, if these are all of one division.
    private static func ordered(_ parts: [(path: String, shard: Shard)]) throws(PartialProblem) -> [String] {
        let (firstPath, first) = parts[0]
        var files: [String?] = Array(repeating: nil, count: first.count)
        for (path, shard) in parts {
            if shard.count != first.count {
                throw PartialProblem("\(firstPath) is one of \(first.count) shards, and \(path) one of \(shard.count)")
            }
            if let other = files[shard.number - 1] {
                throw PartialProblem("\(other) and \(path) are both shard \(shard)")
            }
            files[shard.number - 1] = path
        }
        let missing = files.indices.filter { files[$0] == nil }.map { $0 + 1 }
        if !missing.isEmpty { throw PartialProblem(sentence(missing: missing, of: first.count), isUnreadable: true) }
        return files.compactMap { $0 }
    }

    private static func sentence(missing: [Int], of count: Int) -> String {
        let shown = missing.prefix(10).map(String.init)
        if missing.count == 1 { return "shard \(shown[0]) of \(count) is missing" }
        if missing.count > shown.count {
            return "\(missing.count) of \(count) shards are missing: \(shown.joined(separator: ", ")) and others"
        }
        return "shards \(shown.dropLast().joined(separator: ", ")) and \(shown.last!) of \(count) are missing"
    }
}

/// The folder of parts, which shards at work at the same time can share: each has its own names in it, and the lock of
/// them.
package final class PartFolder {
    private let folder: LockedFolder
    private var nameLock: NameLock?

    /// Makes the folder, and those above it, if it is missing.
    ///
    /// - Throws: the sentence that another command has the folder or is at work on this shard; why the folder cannot be
    ///   used.
    package init(_ path: String, shard: Shard) throws(OutputProblem) {
        folder = try LockedFolder(path, isShared: true)
        do throws(OutputProblem) {
            if access(path, W_OK | X_OK) != 0 {
                throw .system("cannot write to the folder \(path)", errno).adding("nothing was written")
            }
            nameLock = try NameLock(shard.partName, in: path)
        } catch {
            folder.removeWhatWasMade()
            throw error
        }
    }

    /// Gives back the shard's names, and removes what was made as far as nothing is in it and no other shard has begun
    /// in it.
    package func discard() {
        nameLock = nil
        folder.removeWhatWasMade()
    }
}

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

/// One of several parts of a run's people that are simulated by processes of their own.
///
/// Shards are counted from 1. Together they have every person once, and their sizes differ by at most one.
package struct Shard: Hashable, Sendable, CustomStringConvertible {
    package let number, count: Int

    /// More than anybody has machines for.
    package static let most = 100_000

    /// Nil unless 1 ≤ number ≤ count ≤ `most`.
    package init?(_ number: Int, of count: Int) {
        guard (1...Self.most).contains(count), (1...count).contains(number) else { return nil }
        self.number = number
        self.count = count
    }

    /// The numbers of its people, out of a fleet; empty only if there are more shards than people.
    package func people(of all: Int) -> Range<Int> { all * (number - 1) / count..<all * number / count }

    package var description: String { "\(number) of \(count)" }

    /// The name of its complete part.
    package var partName: String { "\(stem).part" }
    package var checkpointName: String { "\(stem).checkpoint" }

    private var stem: String { "shard-\(number)-of-\(count)" }
}
