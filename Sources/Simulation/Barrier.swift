import Foundation
import Synchronization

/// Where the threads of a run wait for one another, very often: they spin for a moment, then let others have the processor, and at last sleep.
final class Barrier: Sendable {
    private let threads: Int
    private let waiting = Atomic<Int>(0)
    private let round = Atomic<Int>(0)

    /// About a microsecond, and about a millisecond.
    private static let spins = 400
    private static let yields = 2_000

    init(threads: Int) { self.threads = threads }

    /// Returns when every thread has called it. Every thread then sees all that was written before.
    func wait() {
        if threads == 1 { return }
        let mine = round.load(ordering: .acquiring)
        if waiting.add(1, ordering: .acquiringAndReleasing).newValue == threads {
            waiting.store(0, ordering: .relaxed)
            round.store(mine + 1, ordering: .releasing)
            return
        }
        var tries = 0
        while round.load(ordering: .acquiring) == mine {
            tries += 1
            if tries > Self.yields { usleep(50) } else if tries > Self.spins { sched_yield() }
        }
    }
}
