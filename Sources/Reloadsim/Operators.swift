import Basics

// Operators are found where the module that declares them is imported. These are the simulation's own again, for code
// that imports this module alone.

extension Instant {
    /// The instant so much later. `never` is not an operand: it has no later.
    @inlinable public static func + (a: Instant, d: Duration) -> Instant {
        Instant(microseconds: a.microseconds + d.microseconds)
    }
    /// The instant so much earlier.
    @inlinable public static func - (a: Instant, d: Duration) -> Instant {
        Instant(microseconds: a.microseconds - d.microseconds)
    }
    /// The length from one instant to another.
    @inlinable public static func - (a: Instant, b: Instant) -> Duration {
        Duration(microseconds: a.microseconds - b.microseconds)
    }
}

extension Duration {
    /// Both lengths together.
    @inlinable public static func + (a: Duration, b: Duration) -> Duration {
        Duration(microseconds: a.microseconds + b.microseconds)
    }
    /// The rest of a length.
    @inlinable public static func - (a: Duration, b: Duration) -> Duration {
        Duration(microseconds: a.microseconds - b.microseconds)
    }
    /// So many times a length.
    @inlinable public static func * (a: Duration, count: Int64) -> Duration {
        Duration(microseconds: a.microseconds * count)
    }
    /// A part of a length, in whole microseconds.
    @inlinable public static func / (a: Duration, count: Int64) -> Duration {
        Duration(microseconds: a.microseconds / count)
    }
}
