import Foundation

/// How a thread waits for another very often: it spins for a moment, then lets others have the processor, and at last
/// sleeps.
enum Spin {
    /// Some microseconds, and then some milliseconds.
    private static let spins = 2_000
    private static let yields = 2_000

    @inline(__always) static func wait(until isOver: () -> Bool) {
        var tries = 0
        while !isOver() {
            tries += 1
            if tries > spins + yields { usleep(50) } else if tries > spins { sched_yield() }
        }
    }
}
