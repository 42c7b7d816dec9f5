import Basics
import DeviceStorage
import WidgetPlatform

/// The silent pushes of one app on a device.
struct SilentPushState: BitwiseCopyable {
    private var bucket = HourlyPushBucket()
    /// The kind whose push waits, −1 for none, and when there is a token for it; `never` if it waits for the
    /// connection.
    private var kind: Int16 = -1
    private(set) var releasedAt: Instant = .never

    /// When the next push can be delivered: now where there is no limit.
    func tokenInstant(at now: Instant, _ limit: HourlyPushLimit?) -> Instant {
        limit.map { bucket.tokenInstant(at: now, $0) } ?? now
    }

    /// The kind whose push waits; nil for none.
    var waiting: Int? { kind < 0 ? nil : Int(kind) }

    mutating func deliver(at now: Instant, _ limit: HourlyPushLimit?) {
        if let limit { bucket.take(at: now, limit) }
    }

    /// A push waits, in the place of an older one.
    mutating func hold(_ kind: Int, until instant: Instant) { (self.kind, releasedAt) = (Int16(kind), instant) }

    /// Whether one waits for the connection.
    var waitsForConnection: Bool { kind >= 0 && releasedAt == .never }

    mutating func stopWaiting() { (kind, releasedAt) = (-1, .never) }

    mutating func code<Coder: StateCoder>(_ coder: inout Coder, kinds: Int, _ limit: HourlyPushLimit?) {
        coder.code(&kind, in: -1...Int16(kinds - 1), "an unknown kind")
        if kind >= 0 { coder.code(&releasedAt) }
        if let limit { bucket.code(&coder, limit) }
    }
}

extension HourlyPushBucket {
    mutating func code<Coder: StateCoder>(_ coder: inout Coder, _ limit: HourlyPushLimit) {
        var (missing, asOf) = (missing, asOf)
        coder.code(&missing)
        coder.code(&asOf)
        if !Coder.isReading { return }
        let read = asOf >= .start && asOf <= coder.base ? HourlyPushBucket(missing: missing, asOf: asOf, limit) : nil
        let isPossible = read != nil
        if coder.holds(isPossible, "a bucket of pushes that no limit leaves"), let read { self = read }
    }
}
