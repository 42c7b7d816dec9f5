import Basics
import Foundation
import ResultFiles
import ScenarioFiles
import Simulation
import Statistics

/// A partial result on the disk: a complete shard, or a checkpoint of a run that is not complete.
///
/// A line with the format's name; eight bytes with the length of the header; the header, JSON; the state; and the
/// SHA-256 of all before. Nothing is restored before that has been found right, so a file that was damaged or cut is a
/// sentence and never a wrong number.
package final class PartialFile {
    package let path: String
    package let header: PartialHeader
    private let descriptor: Int32
    private let state: Range<Int>
    /// The SHA-256 that it ends with, hex.
    package let hash: String

    static let magic = Array("reloadsim partial 2\n".utf8)
    private static let anyMagic = Array("reloadsim partial ".utf8)
    private static let lengthBytes = 8
    private static let digestBytes = 32
    /// More than any scenario has.
    private static let largestHeader = 16 << 20
    private static let chunk = 1 << 20

    /// Opens a file and checks all of it: about a second for a gigabyte.
    package init(_ path: String) throws(PartialProblem) {
        self.path = path
        do throws(OutputProblem) {
            guard let opened = try FileContent.open(path) else { throw .system("cannot read \(path)", ENOENT) }
            descriptor = opened
        } catch { throw PartialProblem(error) }
        do throws(PartialProblem) {
            (header, state, hash) = try Self.checked(descriptor, path)
        } catch {
            // A class whose initialiser throws has no deinitialiser to close it.
            _ = Disk.calls.close(descriptor)
            throw error
        }
    }

    deinit { _ = Disk.calls.close(descriptor) }

    /// Reads the state into a run of the same scenario, which has done nothing, or into one that has come to where this
    /// part begins. Of the checkpoint of several ranks it is the first one's file, and the others are read beside it as
    /// far as the run needs them.
    package func restore(into run: RunInProgress) throws(PartialProblem) {
        if let rank = header.rank?.rank, rank != 0 {
            throw PartialProblem("\(path) is the state of rank \(rank), and not of the first one")
        }
        try read(into: run)
        run.division = header.rank?.division ?? 0
        for rank in 1..<max(1, header.rank?.ranks ?? 1) where run.needsState(ofRank: rank, of: header.rank!.ranks) {
            let own = header.rank!
            guard let part = RankPart(rank: rank, of: own.ranks, checkpoint: own.checkpoint, division: own.division)
            else { continue }
            let file = try PartialFile(FolderPath.parts(of: path).folder + "/" + part.name)
            guard file.header.kind == header.kind, file.header.identity == header.identity, file.header.rank == part
            else {
                throw PartialProblem("\(file.path) belongs to another checkpoint than \(path)")
            }
            try file.read(into: run)
        }
        do throws(StateProblem) { try run.finishReading() } catch {
            throw PartialProblem("\(path) cannot be restored: \(error)")
        }
    }

    /// Reads the state of this file alone.
    private func read(into run: RunInProgress) throws(PartialProblem) {
        guard header.tablesHash == run.tablesHash else {
            throw PartialProblem(
                "\(path) was made with other distribution tables (another version of the GNU Scientific Library), so its numbers would not fit"
            )
        }
        guard Disk.calls.seek(descriptor, to: state.lowerBound) >= 0 else {
            throw PartialProblem("cannot read \(path)", isUnreadable: true)
        }
        let stream = StateStream(reading: state.count) { [descriptor, path] in
            try SystemRead.some(of: descriptor, into: $0, named: path)
        }
        do throws(StateProblem) {
            try run.code(stream, rank: header.rank?.rank ?? 0, of: header.rank?.ranks ?? 1)
        } catch {
            throw PartialProblem("\(path) cannot be restored: \(error)")
        }
    }

    /// Writes a run down: there in full under its name, or not at all, and what had the name before is as it was.
    ///
    /// - Parameter folder: one that exists.
    /// - Returns: how many bytes it took.
    @discardableResult
    package static func write(_ run: RunInProgress, header: PartialHeader, folder: String, name: String)
        throws(OutputProblem) -> Int
    {
        let file = try CheckedFile(for: name, in: folder)
        defer { file.discard() }
        let text = Array(header.text.utf8)
        precondition(text.count <= largestHeader, "a header of \(text.count) bytes")
        try file.write(magic + (0..<lengthBytes).map { UInt8(truncatingIfNeeded: text.count >> (8 * $0)) })
        try file.write(text)
        let stream = StateStream(writing: { try file.write($0) })
        do throws(StateProblem) { try run.code(stream) } catch {
            throw error.cause as? OutputProblem ?? OutputProblem("\(error)")
        }
        try file.write(file.digest)
        _ = try file.close()
        try file.name(name)
        try FolderPath.synchronise(folder)
        return file.size
    }

    // MARK: Checking

    private static func checked(_ descriptor: Int32, _ path: String) throws(PartialProblem) -> (
        PartialHeader, Range<Int>, String
    ) {
        guard let size = FileStatus(of: descriptor)?.size else {
            throw PartialProblem("cannot read \(path)", isUnreadable: true)
        }
        let head = try bytes(magic.count + lengthBytes, of: descriptor, path)
        guard head.starts(with: magic) else {
            if head.starts(with: anyMagic) {
                throw PartialProblem("\(path) has a format that reloadsim \(ReloadsimVersion.text) does not know")
            }
            throw PartialProblem("\(path) is not a partial result of reloadsim")
        }
        let damage = PartialProblem("\(path) is damaged: what it holds is not what was written")
        guard head.count == magic.count + lengthBytes else { throw damage }
        let stated = (0..<lengthBytes).reduce(UInt64(0)) { $0 | UInt64(head[magic.count + $1]) << UInt64(8 * $1) }
        guard stated <= UInt64(largestHeader) else { throw damage }
        let length = Int(stated)
        let stateStart = head.count + length
        guard stateStart + digestBytes <= size else { throw damage }
        let text = try bytes(length, of: descriptor, path)
        var hash = SHA256()
        hash.update(data: head)
        hash.update(data: text)
        let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: chunk, alignment: 16)
        defer { memory.deallocate() }
        var left = size - digestBytes - stateStart
        while left > 0 {
            let room = UnsafeMutableRawBufferPointer(rebasing: memory[..<min(chunk, left)])
            let count = try some(of: descriptor, into: room, path)
            if count == 0 { throw damage }
            hash.update(bufferPointer: UnsafeRawBufferPointer(rebasing: room[..<count]))
            left -= count
        }
        let digest = Array(hash.finalize())
        guard try bytes(digestBytes, of: descriptor, path) == digest, let header = PartialHeader(text) else {
            throw damage
        }
        return (header, stateStart..<size - digestBytes, digest.hex)
    }

    /// The next bytes; fewer if the file is over.
    private static func bytes(_ count: Int, of descriptor: Int32, _ path: String) throws(PartialProblem) -> [UInt8] {
        let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: max(1, count), alignment: 16)
        defer { memory.deallocate() }
        var done = 0
        while done < count {
            let read = try some(
                of: descriptor, into: UnsafeMutableRawBufferPointer(rebasing: memory[done..<count]), path)
            if read == 0 { break }
            done += read
        }
        return Array(memory[..<done])
    }

    private static func some(of descriptor: Int32, into memory: UnsafeMutableRawBufferPointer, _ path: String)
        throws(PartialProblem) -> Int
    {
        do throws(OutputProblem) { return try SystemRead.some(of: descriptor, into: memory, named: path) } catch {
            throw PartialProblem(error)
        }
    }
}

/// A partial result that cannot be used, in one sentence.
package struct PartialProblem: Error, Hashable, Sendable, CustomStringConvertible {
    package let description: String
    /// Whether a file is missing or cannot be read, and not wrong.
    package let isUnreadable: Bool

    package init(_ description: String, isUnreadable: Bool = false) {
        self.description = description
        self.isUnreadable = isUnreadable
    }

    init(_ problem: OutputProblem) { self.init(problem.description, isUnreadable: true) }
}

/// The header of a partial result, before its state: whose it is, and how much of it.
package struct PartialHeader: Hashable, Sendable {
    package enum Kind: String, Sendable {
        /// A shard that is complete.
        case shard
        /// A run or a shard that is not complete.
        case checkpoint
    }

    package var kind: Kind
    package var identity: RunIdentity
    /// The hash of the distribution tables, 16 hex digits.
    package var tablesHash: String
    /// The people of the whole run.
    package var people: Int
    /// Which shard it is, or is a part of; nil for a run in one piece.
    package var shard: Shard?
    /// Which rank's state it is; nil for a run in one process.
    package var rank: RankPart?
    /// The resolved scenario: who merges parts needs no other file.
    package var scenario: String
    package var threads: Int
    /// The time that was spent on it so far.
    package var wallSeconds: Double
    /// Seconds of core time that were used for it so far.
    package var coreSeconds: Double
    /// The request for the run; nil where it is not known.
    package var request: RunRequest?
    /// From 0 to 1.
    package var shareDone: Double

    var text: String {
        var members: JSONMembers = [
            "kind": kind.rawValue, "reloadsim": identity.version, "scenario_sha256": identity.scenarioSHA256,
        ]
        members.add("record_sha256", identity.recordSHA256)
        members.add("user_code", identity.userCode.isEmpty ? nil : identity.userCode)
        members += [
            "seed": String(identity.seed), "tables_hash": tablesHash, "people": people,
        ]
        if let shard {
            members += ["shard": shard.number, "shards": shard.count]
        }
        if let rank {
            members += [
                "rank": rank.rank, "ranks": rank.ranks, "checkpoint": rank.checkpoint,
                "division": String(rank.division, radix: 16),
            ]
        }
        members += [
            "share_done": shareDone, "threads": threads, "wall_s": wallSeconds, "core_s": coreSeconds,
        ]
        members.add("request", request?.json)
        members.add("scenario", scenario)
        return JSONText.object(members).text
    }
}

extension PartialHeader {
    /// - Parameters:
    ///   - shard: which the run is, or nil for all people.
    ///   - seconds: those that were spent on it so far.
    package init(
        _ kind: Kind, of run: RunInProgress, _ read: ParsedScenario, shard: Shard? = nil, threads: Int,
        after seconds: (wall: Double, core: Double) = (0, 0), request: RunRequest? = nil
    ) {
        self.init(
            kind: kind, identity: read.identity, tablesHash: run.tablesHash, people: read.scenario.people,
            shard: shard, scenario: read.resolvedText, threads: threads, wallSeconds: seconds.wall,
            coreSeconds: seconds.core, request: request, shareDone: kind == .shard ? 1 : run.shareDone)
    }

    /// More seconds than any run takes: a hundred years on a thousand cores.
    private static let mostSeconds = 3.2e12

    /// Nil if the text is no header.
    init?(_ text: [UInt8]) {
        guard let root = JSONObject(text), let kind = (root["kind"] as? String).flatMap(Kind.init),
            let identity = RunIdentity(root),
            let tablesHash = root["tables_hash"] as? String, let people = root["people"] as? Int, people > 0,
            let shareDone = root["share_done"] as? Double, let threads = root["threads"] as? Int,
            let wallSeconds = root["wall_s"] as? Double, let coreSeconds = root["core_s"] as? Double,
            let scenario = root["scenario"] as? String,
            (0...Self.mostSeconds).contains(wallSeconds), (0...Self.mostSeconds).contains(coreSeconds)
        else { return nil }
        var shard: Shard?
        if root["shard"] != nil {
            guard let number = root["shard"] as? Int, let count = root["shards"] as? Int,
                let read = Shard(number, of: count)
            else {
                return nil
            }
            shard = read
        }
        if kind == .shard && shard == nil { return nil }
        var rank: RankPart?
        if root["rank"] != nil {
            guard let number = root["rank"] as? Int, let count = root["ranks"] as? Int,
                let checkpoint = root["checkpoint"] as? Int,
                let division = UInt64(root["division"] as? String ?? "0", radix: 16),
                let read = RankPart(rank: number, of: count, checkpoint: checkpoint, division: division), shard == nil
            else { return nil }
            rank = read
        }
        var request: RunRequest?
        if let written = root["request"] {
            guard let read = RunRequest(written) else { return nil }
            request = read
        }
        self.init(
            kind: kind, identity: identity, tablesHash: tablesHash, people: people, shard: shard, rank: rank,
            scenario: scenario, threads: threads, wallSeconds: wallSeconds, coreSeconds: coreSeconds,
            request: request, shareDone: shareDone)
    }
}
