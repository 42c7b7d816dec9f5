/// A length of simulated time: a whole number of microseconds (T1).
///
/// It hides the standard library's type of the same name, whose attoseconds and two words a device loop has no use for.
@frozen public struct Duration: Comparable, Hashable, Sendable {
    public var microseconds: Int64

    @inlinable public init(microseconds: Int64) { self.microseconds = microseconds }

    public static let zero = Duration(microseconds: 0)
    /// Longer than any run: what is never over.
    public static let unlimited = Duration(microseconds: .max)

    @inlinable public static func milliseconds(_ count: Int64) -> Duration { Duration(microseconds: count * 1_000) }
    @inlinable public static func seconds(_ count: Int64) -> Duration { Duration(microseconds: count * 1_000_000) }
    @inlinable public static func minutes(_ count: Int64) -> Duration { .seconds(count * 60) }
    @inlinable public static func hours(_ count: Int64) -> Duration { .seconds(count * 3_600) }
    @inlinable public static func days(_ count: Int64) -> Duration { .seconds(count * 86_400) }

    /// The length in seconds, for reports and set-up; never inside the device loop.
    @inlinable public var inSeconds: Double { Double(microseconds) / 1e6 }

    @inlinable public static func < (a: Duration, b: Duration) -> Bool { a.microseconds < b.microseconds }
    @inlinable public static func + (a: Duration, b: Duration) -> Duration { Duration(microseconds: a.microseconds + b.microseconds) }
    @inlinable public static func - (a: Duration, b: Duration) -> Duration { Duration(microseconds: a.microseconds - b.microseconds) }
    @inlinable public static func * (a: Duration, count: Int64) -> Duration { Duration(microseconds: a.microseconds * count) }
    @inlinable public static func / (a: Duration, count: Int64) -> Duration { Duration(microseconds: a.microseconds / count) }
    @inlinable public static func += (a: inout Duration, b: Duration) { a = a + b }
    @inlinable public static prefix func - (a: Duration) -> Duration { Duration(microseconds: -a.microseconds) }
}
