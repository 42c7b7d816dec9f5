/// The 64-bit FNV-1a hash of some bytes (Fowler, Noll and Vo), the same on every machine: it tells things apart, and is
/// no defence against anybody.
package struct FNV1a {
    package private(set) var value: UInt64 = 0xcbf2_9ce4_8422_2325

    package static let prime: UInt64 = 0x100_0000_01b3

    package init() {}

    package mutating func add(_ byte: UInt8) { value = (value ^ UInt64(byte)) &* Self.prime }

    package mutating func add(_ bytes: UnsafeRawBufferPointer) {
        for byte in bytes { add(byte) }
    }

    /// Least significant byte first, whatever the machine's order.
    package mutating func add(_ word: UInt64) {
        for shift in stride(from: 0, to: 64, by: 8) { add(UInt8(truncatingIfNeeded: word >> UInt64(shift))) }
    }
}
