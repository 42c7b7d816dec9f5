import Foundation
import Synchronization

/// Where the threads of a run wait for one another.
final class Barrier: Sendable {
    private let threads: Int
    private let waiting = Atomic<Int>(0)
    private let round = Atomic<Int>(0)

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
        Spin.wait { round.load(ordering: .acquiring) != mine }
    }
}

/// How a thread waits for another very often: it spins for a moment, then lets others have the processor, and at last
/// sleeps.
enum Spin {
    /// Some microseconds, and then some milliseconds.
    private static let spins = 2_000
    private static let yields = 2_000
    /// Microseconds. Sleeps become longer: a thread that has waited long is not missed for a moment.
    private static let longestSleep: UInt32 = 1_000

    @inline(__always) static func wait(until isOver: () -> Bool) {
        var tries = 0
        while !isOver() {
            tries += 1
            if tries > spins + yields {
                usleep(min(50 + UInt32(clamping: tries - spins - yields), longestSleep))
            } else if tries > spins {
                sched_yield()
            }
        }
    }
}
