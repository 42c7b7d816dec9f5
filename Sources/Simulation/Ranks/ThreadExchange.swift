import Basics
import Foundation
import Synchronization

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
        if begun.at.duration(to: .now) > patience { throw meeting.problem(patience) }
        return nil
    }

    package func group(_ ranks: Range<Int>) throws -> any RankExchange {
        let exchange = ThreadExchange(rank: rank - ranks.lowerBound, meeting.group(ranks))
        exchange.patience = patience
        return exchange
    }

    /// Where the threads meet, one round after another. They wait as the threads of a run do: looking often at first,
    /// and then sleeping for a moment.
    private final class Meeting: Sendable {
        let ranks: Int
        private let state: LockedValue<State>
        /// The rounds that are over: looked at without the lock.
        private let rounds = Atomic<Int>(0)

        private struct State: Sendable {
            var brought: [[UInt8]?]
            /// The messages of the last round. The next cannot end before every rank has taken it.
            var result: [[UInt8]] = []
            /// The meetings of some of the ranks.
            var groups: [Range<Int>: Meeting] = [:]
        }

        /// Looks one after another, and looks after which others get the core each time.
        private static let spins = 50
        private static let yields = 2_000

        init(_ ranks: Int) {
            self.ranks = ranks
            state = LockedValue(State(brought: Array(repeating: nil, count: ranks)))
        }

        func group(_ ranks: Range<Int>) -> Meeting {
            state.withLock { state in
                let group = state.groups[ranks] ?? Meeting(ranks.count)
                state.groups[ranks] = group
                return group
            }
        }

        /// Brings a message; returns the number of the round.
        func bring(_ mine: [UInt8], from rank: Int) -> Int {
            let own = rounds.load(ordering: .acquiring)
            state.withLock { state in
                precondition(state.brought[rank] == nil, "rank \(rank) comes twice")
                state.brought[rank] = mine
                if state.brought.contains(nil) { return }
                state.result = state.brought.map { $0 ?? [] }
                state.brought = Array(repeating: nil, count: ranks)
                rounds.store(own + 1, ordering: .releasing)
            }
            return own
        }

        /// The messages of a round, if it is over.
        func result(of round: Int) -> [[UInt8]]? {
            rounds.load(ordering: .acquiring) == round ? nil : state.withLock { $0.result }
        }

        func problem(_ patience: Swift.Duration) -> ExchangeProblem {
            let missing = state.withLock { state in state.brought.indices.filter { state.brought[$0] == nil } }
            return ExchangeProblem(missing: missing, clause: "nothing came from it for \(patience / .seconds(1)) s")
        }

        func wait(for round: Int, patience: Swift.Duration) throws -> [[UInt8]] {
            var looks = 0
            var start: ContinuousClock.Instant?
            while rounds.load(ordering: .acquiring) == round {
                looks += 1
                if looks > Self.yields { usleep(50) } else if looks > Self.spins { sched_yield() }
                if looks % Self.yields != 0 { continue }
                let now = ContinuousClock.now
                if let start, start.duration(to: now) > patience { throw problem(patience) }
                start = start ?? now
            }
            return state.withLock { $0.result }
        }
    }
}
