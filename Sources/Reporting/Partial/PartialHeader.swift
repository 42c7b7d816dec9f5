import ResultFiles
import Basics
import ScenarioFiles
import Simulation

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
