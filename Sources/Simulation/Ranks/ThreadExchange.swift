import Basics
import Foundation
import Synchronization

/// An exchange between ranks that are threads of one process: for tests, which need nothing else to run a fleet on
/// several ranks.
package final class ThreadExchange: RankExchange, @unchecked Sendable {
    // Safety: `patience` is set before the first call; everything else that changes is in the meeting, under its lock.
    package let rank: Int
    package var ranks: Int { meeting.ranks }
    package var machine: String { "thread-\(rank)" }
    package var patience = Swift.Duration.seconds(60)
    private let meeting: Meeting

    private init(rank: Int, _ meeting: Meeting) { (self.rank, self.meeting) = (rank, meeting) }

    /// The exchanges of so many ranks, in their order.
    package static func make(_ ranks: Int) -> [ThreadExchange] {
        let meeting = Meeting(ranks)
        return (0..<ranks).map { ThreadExchange(rank: $0, meeting) }
    }

    package func all(_ mine: [UInt8]) throws -> [[UInt8]] { try meeting.all(mine, from: rank, patience: patience) }

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
        }

        /// Looks one after another, and looks after which others get the core each time.
        private static let spins = 50
        private static let yields = 2_000

        init(_ ranks: Int) {
            self.ranks = ranks
            state = LockedValue(State(brought: Array(repeating: nil, count: ranks)))
        }

        func all(_ mine: [UInt8], from rank: Int, patience: Swift.Duration) throws -> [[UInt8]] {
            let own = rounds.load(ordering: .acquiring)
            state.withLock { state in
                precondition(state.brought[rank] == nil, "rank \(rank) comes twice")
                state.brought[rank] = mine
                if state.brought.contains(nil) { return }
                state.result = state.brought.map { $0 ?? [] }
                state.brought = Array(repeating: nil, count: ranks)
                rounds.store(own + 1, ordering: .releasing)
            }
            var looks = 0
            var start: ContinuousClock.Instant?
            while rounds.load(ordering: .acquiring) == own {
                looks += 1
                if looks > Self.yields { usleep(50) } else if looks > Self.spins { sched_yield() }
                if looks % Self.yields != 0 { continue }
                let now = ContinuousClock.now
                if let start, start.duration(to: now) > patience {
                    let missing = state.withLock { state in state.brought.indices.filter { state.brought[$0] == nil } }
                    throw ExchangeProblem(
                        missing: missing, clause: "nothing came from it for \(patience / .seconds(1)) s")
                }
                start = start ?? now
            }
            return state.withLock { $0.result }
        }
    }
}
