import Basics
import DeviceStorage
import WidgetPlatform

/// The messages to one app on a device with Android (N10): those that wait for its limit, and those that the push
/// service stores while the device has no connection (D8).
struct MessageState: BitwiseCopyable {
    var bucket = HourlyPushBucket()
    /// When a message that waits for the limit is delivered; `never` if none waits.
    var dueAt: Instant = .never
    /// Up to when its wait is booked.
    var bookedAt: Instant = .start
    /// Messages that are stored one by one; `discarded` once they were too many.
    private var stored = 0

    private static let discarded = -1

    /// The push service stores a message that none replaces. One too many discards all of them, and a notice comes in
    /// their place.
    mutating func store() {
        if stored != Self.discarded { stored = stored < MessageLimits.mostStored ? stored + 1 : Self.discarded }
    }

    /// The connection is back: how many messages come of those that were stored one by one, 1 for a notice.
    mutating func takeStored() -> Int {
        defer { stored = 0 }
        return stored == Self.discarded ? 1 : stored
    }

    mutating func code<Coder: StateCoder>(_ coder: inout Coder, _ limit: HourlyPushLimit) {
        coder.code(&dueAt)
        coder.code(&bookedAt)
        coder.code(&stored, in: Self.discarded...MessageLimits.mostStored, "more messages than are stored")
        bucket.code(&coder, limit)
    }
}

extension MessageCount {
    mutating func code<Coder: StateCoder>(_ coder: inout Coder) {
        var (minute, inMinute, hour, inHour) = (minute, inMinute, hour, inHour)
        coder.code(&minute)
        coder.code(&inMinute)
        coder.code(&hour)
        coder.code(&inHour)
        if Coder.isReading { self = MessageCount(minute: minute, inMinute: inMinute, hour: hour, inHour: inHour) }
    }
}
