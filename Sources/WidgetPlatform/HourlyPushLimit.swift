import Basics

/// How many pushes of a sort to one app the system takes on a device: silent pushes (B7), of which the maker says "two
/// or three an hour" and no more, and those of priority 10 to Live Activities (O5).
public struct HourlyPushLimit: Hashable, Sendable {
    /// Tokens an hour, 1 to 3,600.
    public var perHour: Int
    /// The most tokens, which the bucket holds at first, 1 to 3,600.
    public var burst: Int
    /// The end of a push that comes while the bucket is empty.
    public var excess: Excess

    /// Tokens an hour, and at once.
    public static let most = 3_600

    public enum Excess: UInt8, CaseIterable, Sendable {
        /// It is delivered when there is a token; of several that wait for one, the newest alone.
        case late
        /// It is dropped.
        case drop
    }

    public init(perHour: Int = 3, burst: Int = 3, excess: Excess = .late) {
        precondition(
            (1...Self.most).contains(perHour) && (1...Self.most).contains(burst),
            "\(perHour) pushes an hour, \(burst) at once")
        self.perHour = perHour
        self.burst = burst
        self.excess = excess
    }
}

/// The token bucket of such pushes to one app on one device (B7, O5).
///
/// It counts what it lacks to be full, in parts of which a token has as many as an hour has microseconds. It gains a
/// whole number of parts a microsecond, so every instant is exact.
public struct HourlyPushBucket: Hashable, Sendable, BitwiseCopyable {
    /// 0 for a full bucket.
    public private(set) var missing: Int64 = 0
    /// When so much was missing.
    public private(set) var asOf: Instant = .start

    private static let token: Int64 = 3_600_000_000

    /// A full bucket.
    public init() {}

    /// A bucket with so much missing at an instant; nil if none with the limit can lack as much.
    public init?(missing: Int64, asOf: Instant, _ limit: HourlyPushLimit) {
        guard missing >= 0, missing <= Int64(limit.burst) * Self.token else { return nil }
        self.missing = missing
        self.asOf = asOf
    }

    /// When there is a token: now, or the first whole microsecond at which there is one.
    public func tokenInstant(at now: Instant, _ limit: HourlyPushLimit) -> Instant {
        let excess = lacks(at: now, limit) - Int64(limit.burst - 1) * Self.token
        if excess <= 0 { return now }
        let rate = Int64(limit.perHour)
        return now + Duration(microseconds: (excess + rate - 1) / rate)
    }

    /// Takes a token, which is there.
    public mutating func take(at now: Instant, _ limit: HourlyPushLimit) {
        precondition(tokenInstant(at: now, limit) == now, "a push without a token")
        missing = lacks(at: now, limit) + Self.token
        asOf = now
    }

    private func lacks(at now: Instant, _ limit: HourlyPushLimit) -> Int64 {
        max(0, missing - (now - asOf).microseconds * Int64(limit.perHour))
    }
}
