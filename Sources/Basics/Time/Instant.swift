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

/// A length of simulated time: a whole number of microseconds (T1).
///
/// It hides the standard library's type of the same name, whose attoseconds and two words a device loop has no use for.
@frozen public struct Duration: Comparable, Hashable, Sendable {
    public var microseconds: Int64

    @inlinable public init(microseconds: Int64) { self.microseconds = microseconds }

    /// The nearest whole microsecond to a number of seconds, halves up: the one rule by which a number that a
    /// distribution draws becomes simulated time (T1).
    ///
    /// So a length that a scenario states comes back as stated. A length beyond `longest` on either side is cut to it.
    /// The number must not be NaN.
    ///
    /// No result can tell such a cut from the draw itself. A draw decides when something happens, and what is due after
    /// the end of a run, at most ten years, does not happen, whether 3,170 years late or more; reports add up lengths
    /// that have passed within the run, never draws that have not. And no sum overflows: an instant of a run with its
    /// warm-up is below 10¹⁵ µs, `Int64` ends at 92 of the longest lengths, and nothing adds more than a few draws to
    /// an instant before it has come.
    @inlinable @inline(__always) public init(seconds: Double) {
        let bound = Double(Self.longest.microseconds)
        let nearest = min(max(seconds * 1e6 + 0.5, -bound), bound)
        let towardsZero = Int64(nearest)
        microseconds = Double(towardsZero) > nearest ? towardsZero - 1 : towardsZero
    }

    @inlinable public static var zero: Duration { Duration(microseconds: 0) }
    /// The least that simulated time can move on by.
    @inlinable public static var microsecond: Duration { Duration(microseconds: 1) }
    /// 3,170 years: no run tells it from for ever, and it can be added to an instant of a run some dozens of times.
    @inlinable public static var longest: Duration { Duration(microseconds: 100_000_000_000_000_000) }
    /// Longer than any run: what is never over.
    public static let unlimited = Duration(microseconds: .max)

    /// The microseconds of a length of 0 or more, unsigned: for bins and draws. A length below 0 has none; the run ends
    /// there.
    @inlinable public var magnitude: UInt64 { UInt64(microseconds) }

    @inlinable public static func milliseconds(_ count: Int64) -> Duration { Duration(microseconds: count * 1_000) }
    @inlinable public static func seconds(_ count: Int64) -> Duration { Duration(microseconds: count * 1_000_000) }
    @inlinable public static func minutes(_ count: Int64) -> Duration { .seconds(count * 60) }
    @inlinable public static func hours(_ count: Int64) -> Duration { .seconds(count * 3_600) }
    @inlinable public static func days(_ count: Int64) -> Duration { .seconds(count * 86_400) }

    /// The length in seconds, for reports and set-up; never inside the device loop.
    @inlinable public var inSeconds: Double { Double(microseconds) / 1e6 }

    /// Its minutes, the last one whole or not.
    public var begunMinutes: Int { Int((microseconds + 59_999_999) / 60_000_000) }

    @inlinable public static func < (a: Duration, b: Duration) -> Bool { a.microseconds < b.microseconds }
    @inlinable public static func + (a: Duration, b: Duration) -> Duration {
        Duration(microseconds: a.microseconds + b.microseconds)
    }
    @inlinable public static func - (a: Duration, b: Duration) -> Duration {
        Duration(microseconds: a.microseconds - b.microseconds)
    }
    @inlinable public static func * (a: Duration, count: Int64) -> Duration {
        Duration(microseconds: a.microseconds * count)
    }
    @inlinable public static func / (a: Duration, count: Int64) -> Duration {
        Duration(microseconds: a.microseconds / count)
    }
    @inlinable public static func += (a: inout Duration, b: Duration) { a = a + b }
    @inlinable public static prefix func - (a: Duration) -> Duration { Duration(microseconds: -a.microseconds) }
}

extension FixedWidthInteger {
    /// The whole part of a number; what lies beyond the type's ends is the nearer end, and what is no number is 0.
    ///
    /// It is the way from a floating-point number to a whole one that cannot trap: for figures that a scenario's
    /// extremes can carry anywhere, and where a later rule bounds the result anyway. Lengths of time have
    /// `Duration(seconds:)`.
    @inlinable public init(cutting value: Double) {
        if value.isNaN {
            self = 0
        } else if value >= Double(Self.max) {
            // The type's own greatest may be no double: its nearest one is not below it.
            self = .max
        } else if value <= Double(Self.min) {
            self = .min
        } else {
            self = Self(value)
        }
    }
}
