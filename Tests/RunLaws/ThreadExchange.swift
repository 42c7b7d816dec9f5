import Basics
import Foundation
import Simulation

/// An exchange between ranks that are threads of one process: for tests, which need nothing else to run a fleet on
/// several ranks.
package final class ThreadExchange: RankExchange, @unchecked Sendable {
    // Safety: one thread at a time uses it, as every exchange; what ranks share is in the meeting, under its lock.
    package let rank: Int
    package var ranks: Int { meeting.ranks }
    package var machine: String { "thread-\(rank)" }
    package var patience = Swift.Duration.seconds(60)
    private let meeting: Meeting
    private var begun = (round: 0, at: ContinuousClock.now)

    private init(rank: Int, _ meeting: Meeting) { (self.rank, self.meeting) = (rank, meeting) }

    /// The exchanges of so many ranks, in their order.
    package static func make(_ ranks: Int) -> [ThreadExchange] {
        let meeting = Meeting(ranks)
        return (0..<ranks).map { ThreadExchange(rank: $0, meeting) }
    }

    package func all(_ mine: [UInt8]) throws -> [[UInt8]] {
        try begin(mine)
        guard let all = try ended(waiting: true) else { preconditionFailure("a meeting that was waited for") }
        return all
    }

    package func begin(_ mine: [UInt8]) throws { begun = (meeting.bring(mine, from: rank), .now) }

    package func ended(waiting: Bool) throws -> [[UInt8]]? {
        if let all = meeting.result(of: begun.round) { return all }
        if waiting { return try meeting.wait(for: begun.round, patience: patience) }
        return begun.at.duration(to: .now) > patience
            ? try meeting.result(of: begun.round, orMissingAfter: patience) : nil
    }

    package func group(_ ranks: Range<Int>) throws -> any RankExchange {
        let exchange = ThreadExchange(rank: rank - ranks.lowerBound, meeting.group(ranks))
        exchange.patience = patience
        return exchange
    }

    /// Where the threads meet, one round after another. There may be more of them than cores, so they let others have
    /// the processor while they wait, and then sleep.
    private final class Meeting: @unchecked Sendable {
        // Safety: all that changes is used under the condition's lock.
        let ranks: Int
        private let yields = 50
        private let condition = NSCondition()
        private var brought: [[UInt8]?]
        /// How many rounds are over.
        private var rounds = 0
        /// The messages of the last round. The next cannot end before every rank has taken it.
        private var result: [[UInt8]] = []
        /// The meetings of some of the ranks.
        private var groups: [Range<Int>: Meeting] = [:]

        init(_ ranks: Int) {
            self.ranks = ranks
            brought = Array(repeating: nil, count: ranks)
        }

        func group(_ ranks: Range<Int>) -> Meeting {
            condition.withLock {
                let group = groups[ranks] ?? Meeting(ranks.count)
                groups[ranks] = group
                return group
            }
        }

        /// Brings a message; returns the number of the round.
        func bring(_ mine: [UInt8], from rank: Int) -> Int {
            condition.withLock {
                precondition(brought[rank] == nil, "rank \(rank) comes twice")
                brought[rank] = mine
                let own = rounds
                if brought.contains(nil) { return own }
                result = brought.map { $0 ?? [] }
                brought = Array(repeating: nil, count: ranks)
                rounds += 1
                condition.broadcast()
                return own
            }
        }

        /// The messages of a round, if it is over.
        func result(of round: Int) -> [[UInt8]]? { condition.withLock { rounds == round ? nil : result } }

        /// The messages of a round that has been waited for so long.
        ///
        /// - Throws: `ExchangeProblem` if it is not over, with the ranks that are missing.
        func result(of round: Int, orMissingAfter patience: Swift.Duration) throws -> [[UInt8]] {
            try condition.withLock {
                if rounds == round { throw missing(patience) }
                return result
            }
        }

        /// Under the lock.
        private func missing(_ patience: Swift.Duration) -> ExchangeProblem {
            ExchangeProblem(
                missing: brought.indices.filter { brought[$0] == nil },
                clause: "nothing came from it for \(patience / .seconds(1)) s")
        }

        func wait(for round: Int, patience: Swift.Duration) throws -> [[UInt8]] {
            // Most rounds are short, and to wake a thread takes longer than they do.
            for _ in 0..<yields {
                if let all = result(of: round) { return all }
                sched_yield()
            }
            let deadline = Date(timeIntervalSinceNow: patience / .seconds(1))
            return try condition.withLock {
                while rounds == round {
                    if !condition.wait(until: deadline) && rounds == round { throw missing(patience) }
                }
                return result
            }
        }
    }
}
