import Foundation

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
