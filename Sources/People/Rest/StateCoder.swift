import SimulatedTime
import Stochastics
import WidgetPlatform

/// Writes what has come of a device, or reads it back: the same functions say both, field by field, so that they cannot differ.
///
/// A device that waits for its service is kept in a few hundred bytes (S5): what its person and plan give is computed again, the rest is coded. A
/// number takes half a byte for its length and as many bytes as it needs; instants are coded as differences from one that is near.
package protocol StateCoder {
    /// Whether values are read.
    static var isReading: Bool { get }
    /// The instant that others are near to.
    var base: Instant { get }
    mutating func code(bits: inout UInt64)
    mutating func code(flag: inout Bool)
}

extension StateCoder {
    @inline(__always) package mutating func code(_ flag: inout Bool) { code(flag: &flag) }

    @inline(__always) package mutating func code(_ value: inout UInt64) { code(bits: &value) }

    @inline(__always) package mutating func code(_ value: inout Double) {
        var bits = value.bitPattern
        code(bits: &bits)
        if Self.isReading { value = Double(bitPattern: bits) }
    }

    @inline(__always) package mutating func code(_ value: inout Int64) {
        // Signs go to the lowest bit: numbers near 0 are short.
        var bits = UInt64(bitPattern: value << 1 ^ value >> 63)
        code(bits: &bits)
        if Self.isReading { value = Int64(bitPattern: bits >> 1) ^ -Int64(bitPattern: bits & 1) }
    }

    @inline(__always) package mutating func code<Value: FixedWidthInteger>(_ value: inout Value) {
        var wide = Int64(value)
        code(&wide)
        if Self.isReading { value = Value(wide) }
    }

    @inline(__always) package mutating func code<Value: RawRepresentable<UInt8>>(_ value: inout Value) {
        var raw = value.rawValue
        code(&raw)
        if Self.isReading { value = Value(rawValue: raw)! }
    }

    @inline(__always) package mutating func code(_ value: inout Int128) {
        var high = Int64(truncatingIfNeeded: value >> 64)
        var low = UInt64(truncatingIfNeeded: value)
        code(&high)
        code(bits: &low)
        if Self.isReading { value = Int128(high) << 64 | Int128(low) }
    }

    @inline(__always) package mutating func code(_ value: inout Duration) { code(&value.microseconds) }

    /// An instant near another: the two clocks that are not set take no more than one that is equal to the other.
    @inline(__always) package mutating func code(_ value: inout Instant, near other: Instant) {
        let difference = value.microseconds &- other.microseconds
        let folded = UInt64(bitPattern: difference << 1 ^ difference >> 63) &+ 3
        var bits = value == .never ? 1 : value == .longAgo ? 2 : folded
        code(bits: &bits)
        if Self.isReading {
            let back = bits &- 3
            let read = Int64(bitPattern: back >> 1) ^ -Int64(bitPattern: back & 1)
            value = bits == 1 ? .never : bits == 2 ? .longAgo : Instant(microseconds: other.microseconds &+ read)
        }
    }

    @inline(__always) package mutating func code(_ value: inout Instant) { code(&value, near: base) }

    /// How far a stream has been drawn from.
    @inline(__always) package mutating func code(_ stream: inout RandomStream) {
        var position = stream.position
        code(bits: &position)
        if Self.isReading { stream.move(to: position) }
    }

    @inline(__always) package mutating func code(_ point: inout Point) {
        code(&point.x)
        code(&point.y)
    }
}
