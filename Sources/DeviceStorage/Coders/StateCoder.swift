import Basics
import Statistics

/// Writes the state of a device, or reads it back: the same functions do both, field by field, so that they cannot
/// differ.
///
/// A checkpoint has a suspended device in a few hundred bytes (S5): what its person and plan give is computed again,
/// the rest is coded. A number takes half a byte for its length and as many bytes as it needs; instants are coded as
/// differences from one that is near. In memory a suspended device is a record of a `SnapshotStore`.
public protocol StateCoder {
    /// Whether values are read.
    static var isReading: Bool { get }
    /// The instant that others are near to.
    var base: Instant { get }
    /// Whether what is read may be anything: then every value is looked at before it is used, and one that cannot be is
    /// refused.
    static var isChecked: Bool { get }
    mutating func code(bits: inout UInt64)
    mutating func code(flag: inout Bool)
    /// Whether anything was refused.
    var isRefused: Bool { get }
    /// Something was read that no device can have come to. Reading continues with values that harm nothing.
    mutating func refuse(_ what: StaticString)
}

extension StateCoder {
    @inlinable public static var isChecked: Bool { false }
    @inlinable public var isRefused: Bool { false }
    @inlinable public mutating func refuse(_ what: StaticString) {
        preconditionFailure("\(what) is refused by a coder that checks nothing")
    }

    /// Refuses unless something holds, and says whether it does: always, where nothing is checked.
    @inlinable @inline(__always) public mutating func holds(_ condition: @autoclosure () -> Bool, _ what: StaticString)
        -> Bool
    {
        if !Self.isChecked || condition() { return true }
        refuse(what)
        return false
    }

    /// Codes a number that lies in a range: an index, or a count of something that is bounded.
    @inlinable @inline(__always) public mutating func code<Value: FixedWidthInteger>(
        _ value: inout Value, in range: ClosedRange<Value>, _ what: StaticString
    ) {
        code(&value)
        if !holds(range.contains(value), what) { value = range.lowerBound }
    }

    /// Codes a number of which nothing is known: a key of content, or a difference of two of them.
    @inlinable @inline(__always) public mutating func code(key value: inout Int64) { code(folded: &value) }
}

extension StateCoder {
    @inlinable @inline(__always) public mutating func code(_ flag: inout Bool) { code(flag: &flag) }

    @inlinable @inline(__always) public mutating func code(_ value: inout UInt64) { code(bits: &value) }

    @inlinable @inline(__always) public mutating func code(_ value: inout Double) {
        var bits = value.bitPattern
        code(bits: &bits)
        if Self.isReading { value = Double(bitPattern: bits) }
        if !holds(!value.isNaN, "a number that is NaN") { value = 0 }
    }

    @inlinable @inline(__always) public mutating func code(_ value: inout Int64) {
        code(folded: &value)
        // Sums of two such numbers do not overflow.
        if !holds(value.magnitude <= 1 << 60, "a number out of all bounds") { value = 0 }
    }

    @inlinable @inline(__always) public mutating func code(folded value: inout Int64) {
        // Signs go to the lowest bit: numbers near 0 are short.
        var bits = UInt64(bitPattern: value << 1 ^ value >> 63)
        code(bits: &bits)
        if Self.isReading { value = Int64(bitPattern: bits >> 1) ^ -Int64(bitPattern: bits & 1) }
    }

    @inlinable @inline(__always) public mutating func code<Value: FixedWidthInteger>(_ value: inout Value) {
        var wide = Int64(value)
        code(&wide)
        if !Self.isReading { return }
        if Self.isChecked {
            let exact = Value(exactly: wide)
            _ = holds(exact != nil, "a number that does not fit its place")
            value = exact ?? 0
        } else {
            value = Value(wide)
        }
    }

    @inlinable @inline(__always) public mutating func code<Value: RawRepresentable<UInt8>>(_ value: inout Value) {
        var raw = value.rawValue
        code(&raw)
        if !Self.isReading { return }
        if Self.isChecked {
            let known = Value(rawValue: raw)
            // The coder's own value stays: one of the kind.
            if holds(known != nil, "an unknown word") { value = known! }
        } else {
            value = Value(rawValue: raw)!
        }
    }

    @inlinable @inline(__always) public mutating func code(_ value: inout Int128) {
        var high = Int64(truncatingIfNeeded: value >> 64)
        var low = UInt64(truncatingIfNeeded: value)
        code(&high)
        code(bits: &low)
        if Self.isReading { value = Int128(high) << 64 | Int128(low) }
        if !holds(value.magnitude <= 1 << 100, "an amount out of all bounds") { value = 0 }
    }

    @inlinable @inline(__always) public mutating func code(_ value: inout Duration) {
        code(&value.microseconds)
        if !holds(value.microseconds.magnitude <= Self.mostMicroseconds, "a length out of all bounds") { value = .zero }
    }

    /// The most microseconds of a sum of a few of the longest lengths.
    @inlinable @inline(__always) public static var mostMicroseconds: UInt64 {
        4 * Duration.longest.microseconds.magnitude
    }

    /// An instant near another: the two clocks that are not set take no more than one that is equal to the other.
    @inlinable @inline(__always) public mutating func code(_ value: inout Instant, near other: Instant) {
        let difference = value.microseconds &- other.microseconds
        let folded = UInt64(bitPattern: difference << 1 ^ difference >> 63) &+ 3
        var bits = value == .never ? 1 : value == .longAgo ? 2 : folded
        code(bits: &bits)
        if Self.isReading {
            let back = bits &- 3
            let read = Int64(bitPattern: back >> 1) ^ -Int64(bitPattern: back & 1)
            value = bits == 1 ? .never : bits == 2 ? .longAgo : Instant(microseconds: other.microseconds &+ read)
        }
        if !holds(
            value == .never || value == .longAgo || value.microseconds.magnitude <= Self.mostMicroseconds,
            "an instant out of all bounds")
        {
            value = base
        }
    }

    @inlinable @inline(__always) public mutating func code(_ value: inout Instant) { code(&value, near: base) }

    /// How far a stream has been drawn from.
    @inlinable @inline(__always) public mutating func code(_ count: inout DrawCount) {
        var position = count.position
        code(bits: &position)
        if !holds(position < 1 << 31, "a stream beyond its end") { position = 0 }
        if Self.isReading { count.move(to: position) }
    }
}
