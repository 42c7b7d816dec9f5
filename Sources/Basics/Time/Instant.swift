/// A point of simulated time: whole microseconds since the scenario's `start` (T1). An instant before `start` is
/// negative.
@frozen public struct Instant: Comparable, Hashable, Sendable {
    public var microseconds: Int64

    @inlinable public init(microseconds: Int64) { self.microseconds = microseconds }

    /// The scenario's `start`.
    public static let start = Instant(microseconds: 0)
    /// Later than any event: a clock that is not set.
    @inlinable public static var never: Instant { Instant(microseconds: .max) }
    /// Earlier than any event: something that has not happened yet.
    @inlinable public static var longAgo: Instant { Instant(microseconds: .min / 4) }

    /// A number by which draws are looked up, another for every instant.
    @inlinable public var address: UInt64 { UInt64(bitPattern: microseconds) }

    @inlinable public static func < (a: Instant, b: Instant) -> Bool { a.microseconds < b.microseconds }
    @inlinable public static func - (a: Instant, b: Instant) -> Duration {
        Duration(microseconds: a.microseconds - b.microseconds)
    }
    /// The instant `d` later. `never` is not an operand: a clock that is not set has no later.
    @inlinable public static func + (a: Instant, d: Duration) -> Instant {
        Instant(microseconds: a.microseconds + d.microseconds)
    }
    @inlinable public static func - (a: Instant, d: Duration) -> Instant {
        Instant(microseconds: a.microseconds - d.microseconds)
    }
}
