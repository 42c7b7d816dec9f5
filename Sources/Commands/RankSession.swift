import Foundation
import Reporting
import ResultFiles
import Simulation

/// A process that is one of several ranks: its link to the others, and who says what. The first rank talks for all.
final class RankSession: @unchecked Sendable {
    // Safety: the thread of the command uses it; nothing here changes while a run is under way.
    /// That of the command under way; nil in a program that works alone.
    @TaskLocal static var current: RankSession?

    private let exchange: any RankExchange
    private(set) var link: RankLink?
    /// Whether others may still wait for a message of this rank.
    private var isOpen: Bool

    init(_ exchange: any RankExchange) {
        self.exchange = exchange
        isOpen = exchange.ranks > 1
        if isFollower { Console.silence() }
    }

    var rank: Int { exchange.rank }
    var ranks: Int { exchange.ranks }
    /// Whether it is a rank but the first.
    var isFollower: Bool { exchange.rank > 0 }

    /// How many ranks are on this rank's machine.
    var ranksOnMachine: Int { max(1, link?.machines.count { $0 == exchange.machine } ?? 1) }

    /// Meets the other ranks of a run.
    ///
    /// - Throws: `RankProblem` if they have another run before them, or do not come.
    func meet(_ identity: RunIdentity, patience: Swift.Duration) throws -> RankLink {
        exchange.patience = patience
        let link = RankLink(exchange, identity: identity.facts)
        self.link = link
        try link.meet()
        return link
    }

    /// Nothing more is exchanged.
    func close() { isOpen = false }

    /// Tells the others of an end that they do not expect.
    func end(_ status: ExitStatus) {
        if !isOpen || status == .done && link != nil { return }
        close()
        // Help, for one: it is done, and the others may wait for a run.
        let isDone = status == .done
        (link ?? RankLink(exchange, identity: [])).leave(
            status: (isDone ? ExitStatus.tryAgain : status).rawValue,
            sentence: isDone ? "it was asked for something other than a run" : Console.lastSentence)
    }

    /// Says why the ranks no longer work together, if this rank is to say it; returns the status of it.
    func status(of problem: RankProblem) -> ExitStatus {
        close()
        if problem.speaker == rank {
            Console.speakUp()
            Console.error(problem.description)
        }
        let status = problem.status.flatMap(ExitStatus.init) ?? .tryAgain
        link?.tell(problem, status: status.rawValue)
        return status
    }
}

/// The beginning of a run on several ranks, as the first one announces it to the others.
enum RankedStart: Equatable {
    /// The folder holds the results already.
    case complete
    case begin
    /// From a checkpoint, by its hash.
    case resume(String)

    private var text: String {
        switch self {
        case .complete: "complete"
        case .begin: "begin"
        case .resume(let hash): hash
        }
    }

    /// Tells the others; of the first rank.
    func announce(_ link: RankLink) throws { _ = try link.announce(Array(text.utf8)) }

    /// Hears it; of the others.
    static func heard(_ link: RankLink) throws -> RankedStart {
        let text = String(decoding: try link.announce([]), as: UTF8.self)
        return text == RankedStart.complete.text ? .complete : text == RankedStart.begin.text ? .begin : .resume(text)
    }
}

/// A rank of a run but the first: it simulates its people and writes nothing but its part of checkpoints.
struct RankedRun {
    let session: RunSession
    let path: String
    let link: RankLink

    func run() throws {
        let start = try RankedStart.heard(link)
        if start == .complete { return }
        var checkpoint: PartialFile?
        if case .resume(let hash) = start {
            let file = try PartialFile(path + "/" + CheckpointedRun.name)
            guard file.hash == hash else {
                throw CommandFailure(
                    .inputOutput,
                    "\(file.path) is another checkpoint on \(link.machines[link.share.rank]) than on \(link.machines[0]): ranks resume from a folder that all machines share"
                )
            }
            checkpoint = file
        }
        _ = try session.simulate(
            session.prepared().begin(threads: session.threads, link: link), from: checkpoint, folder: path)
    }
}
