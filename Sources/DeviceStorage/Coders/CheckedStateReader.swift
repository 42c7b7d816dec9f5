import Basics

/// Reads a state of which nothing is known but its bytes: it never looks beyond them, and takes nothing that no device
/// can have come to.
///
/// The functions that write a state with a `StateWriter` read it with this. After the first thing that is refused they
/// read zeros; `problem` says what that was.
package struct CheckedStateReader: StateCoder {
    package static var isReading: Bool { true }
    package static var isChecked: Bool { true }
    package let base: Instant
    /// The first refusal; nil if there was none.
    package private(set) var problem: StaticString?

    private let bytes: UnsafeRawBufferPointer
    private let numbers, flagBytes: Int
    /// Where the flags begin, and the numbers' bytes.
    private let flagsAt: Int
    private var at: Int
    private var count = 0
    private var flagCount = 0

    /// - Parameter bytes: the state behind its first eight bytes, with any filling.
    package init(near base: Instant, _ bytes: UnsafeRawBufferPointer) {
        self.base = base
        self.bytes = bytes
        let counts = bytes.count >= 4 ? Int(bytes.loadUnaligned(as: UInt32.self)) : 0
        (numbers, flagBytes) = (counts & 0xf_ffff, counts >> 20)
        flagsAt = 4 + (numbers + 1) >> 1
        at = flagsAt + flagBytes
        if bytes.count < 4 || at > bytes.count { problem = "a state that is longer than its place" }
    }

    package var isRefused: Bool { problem != nil }

    package mutating func refuse(_ what: StaticString) { if problem == nil { problem = what } }

    package mutating func code(bits: inout UInt64) {
        bits = 0
        if problem != nil { return }
        if count >= numbers { return refuse("a state with too few numbers") }
        let half = (bytes[4 + count >> 1] >> (UInt8(count & 1) << 2)) & 15
        count += 1
        if half > 8 {
            bits = UInt64(half) - 8
            return
        }
        if at + Int(half) > bytes.count { return refuse("a state that ends before its numbers do") }
        for place in 0..<Int(half) { bits |= UInt64(bytes[at + place]) << UInt64(8 * place) }
        at += Int(half)
    }

    package mutating func code(flag: inout Bool) {
        flag = false
        if problem != nil { return }
        if flagCount >> 3 >= flagBytes { return refuse("a state with too few flags") }
        flag = bytes[flagsAt + flagCount >> 3] & (1 << UInt8(flagCount & 7)) != 0
        flagCount += 1
    }

    /// Ends the reading: nothing is left over.
    package mutating func finish() {
        if count != numbers || (flagCount + 7) >> 3 != flagBytes {
            refuse("a state with more in it than its device has")
        }
    }
}
