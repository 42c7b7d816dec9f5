import Foundation
import Reporting
import Simulation

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
