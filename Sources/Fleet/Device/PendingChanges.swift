import Basics
import DeviceStorage

/// Changes of one sort that an instance has a pending reload for: at its next view (F3), the next pickup (F4) or the
/// next unlock (D9).
///
/// They become one reload. It runs after a reload in flight if any of them came later than its first
/// request (G8), so the instant of the latest speaks for all.
struct PendingChanges: BitwiseCopyable {
    private(set) var count: Int32 = 0
    private(set) var latest: Instant = .longAgo

    mutating func add(_ instant: Instant) {
        count += 1
        latest = instant
    }

    mutating func code<Coder: StateCoder>(_ coder: inout Coder) {
        var isPending = count > 0
        coder.code(&isPending)
        if isPending {
            coder.code(&count, in: 1...1 << 30, "no pending change")
            coder.code(&latest)
        } else if Coder.isReading {
            self = PendingChanges()
        }
    }
}
