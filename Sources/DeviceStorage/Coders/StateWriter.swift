import Basics

/// Writes a state.
public struct StateWriter: StateCoder {
    @inlinable public static var isReading: Bool { false }
    public let base: Instant
    @usableFromInline let memory: StateMemory
    @usableFromInline var count = 0
    @usableFromInline var flagCount = 0
    @usableFromInline var flags: UInt64 = 0
    @usableFromInline var at: UnsafeMutablePointer<UInt8>

    package init(near base: Instant, into memory: StateMemory) {
        self.base = base
        self.memory = memory
        at = memory.payload.baseAddress!
    }

    @inlinable @inline(__always) public mutating func code(bits: inout UInt64) {
        // Up to 8 the half byte is a length in bytes; beyond, it is the number itself and 8 more.
        let length = (71 - bits.leadingZeroBitCount) >> 3
        let isSmall = bits &- 1 < 7
        memory.lengths[count] = isSmall ? UInt8(truncatingIfNeeded: bits) &+ 8 : UInt8(truncatingIfNeeded: length)
        UnsafeMutableRawPointer(at).storeBytes(of: bits.littleEndian, as: UInt64.self)
        at += isSmall ? 0 : length
        count += 1
    }

    @inlinable @inline(__always) public mutating func code(flag: inout Bool) {
        flags |= (flag ? 1 : 0) << UInt64(flagCount & 63)
        flagCount += 1
        if flagCount & 63 == 0 {
            memory.flags[flagCount >> 6 - 1] = flags
            flags = 0
        }
    }

    /// The state's bytes, ready to be copied; valid until the memory's next use.
    ///
    /// - Parameter header: the first eight bytes.
    package mutating func finish(header: Int64) -> UnsafeRawBufferPointer {
        memory.flags[flagCount >> 6] = flags
        let flagBytes = (flagCount + 7) >> 3
        let payloadBytes = at - memory.payload.baseAddress!
        precondition(
            count < memory.lengths.count && flagCount < 64 * memory.flags.count,
            "a state of \(count) numbers and \(flagCount) flags")
        let bytes = memory.bytes.baseAddress!
        bytes.storeBytes(of: header, as: Int64.self)
        let out = bytes + 8
        // Twenty bits for the numbers, twelve for the bytes of flags.
        precondition(
            count < 1 << 20 && flagBytes < 1 << 12, "a state of \(count) numbers and \(flagBytes) bytes of flags")
        out.storeBytes(of: UInt32(count | flagBytes << 20), as: UInt32.self)
        let lengths = out + 4
        for i in stride(from: 0, to: count, by: 2) {
            let high = i + 1 < count ? memory.lengths[i + 1] : 0
            lengths.storeBytes(of: memory.lengths[i] | high << 4, toByteOffset: i >> 1, as: UInt8.self)
        }
        let afterLengths = lengths + (count + 1) >> 1
        afterLengths.copyMemory(from: memory.flags.baseAddress!, byteCount: flagBytes)
        (afterLengths + flagBytes).copyMemory(from: memory.payload.baseAddress!, byteCount: payloadBytes)
        return UnsafeRawBufferPointer(start: bytes, count: 12 + (count + 1) >> 1 + flagBytes + payloadBytes)
    }
}

/// Room in which a thread puts a state together.
public final class StateMemory {
    /// The length of each number, for more numbers than any state has.
    public let lengths: UnsafeMutableBufferPointer<UInt8>
    public let flags: UnsafeMutableBufferPointer<UInt64>
    public let payload: UnsafeMutableBufferPointer<UInt8>
    /// Room for the whole state.
    public let bytes: UnsafeMutableRawBufferPointer

    /// - Parameter most, mostFlags: more numbers and flags than any state has.
    package init(most: Int, mostFlags: Int) {
        lengths = .allocate(capacity: most + 1)
        flags = .allocate(capacity: mostFlags / 64 + 1)
        payload = .allocate(capacity: 8 * most + 16)
        bytes = .allocate(byteCount: 9 * most + mostFlags + 64, alignment: 8)
    }

    deinit {
        lengths.deallocate()
        flags.deallocate()
        payload.deallocate()
        bytes.deallocate()
    }
}
