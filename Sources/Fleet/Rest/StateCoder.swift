import SimulatedTime
import Stochastics
import WidgetPlatform

/// Writes what has come of a device, or reads it back: the same functions say both, field by field, so that they cannot differ.
///
/// A device that waits for its service is kept in a few hundred bytes (S5): what its person and plan give is computed again, the rest is coded. A
/// number takes half a byte for its length and as many bytes as it needs; instants are coded as differences from one that is near.
protocol StateCoder {
    /// Whether values are read.
    static var isReading: Bool { get }
    /// The instant that others are near to.
    var base: Instant { get }
    mutating func code(bits: inout UInt64)
    mutating func code(flag: inout Bool)
}

extension StateCoder {
    @inline(__always) mutating func code(_ flag: inout Bool) { code(flag: &flag) }

    @inline(__always) mutating func code(_ value: inout UInt64) { code(bits: &value) }

    @inline(__always) mutating func code(_ value: inout Double) {
        var bits = value.bitPattern
        code(bits: &bits)
        if Self.isReading { value = Double(bitPattern: bits) }
    }

    @inline(__always) mutating func code(_ value: inout Int64) {
        // Signs go to the lowest bit: numbers near 0 are short.
        var bits = UInt64(bitPattern: value << 1 ^ value >> 63)
        code(bits: &bits)
        if Self.isReading { value = Int64(bitPattern: bits >> 1) ^ -Int64(bitPattern: bits & 1) }
    }

    @inline(__always) mutating func code<Value: FixedWidthInteger>(_ value: inout Value) {
        var wide = Int64(value)
        code(&wide)
        if Self.isReading { value = Value(wide) }
    }

    @inline(__always) mutating func code<Value: RawRepresentable<UInt8>>(_ value: inout Value) {
        var raw = value.rawValue
        code(&raw)
        if Self.isReading { value = Value(rawValue: raw)! }
    }

    @inline(__always) mutating func code(_ value: inout Int128) {
        var high = Int64(truncatingIfNeeded: value >> 64)
        var low = UInt64(truncatingIfNeeded: value)
        code(&high)
        code(bits: &low)
        if Self.isReading { value = Int128(high) << 64 | Int128(low) }
    }

    @inline(__always) mutating func code(_ value: inout Duration) { code(&value.microseconds) }

    /// An instant near another: the two clocks that are not set take no more than one that is equal to the other.
    @inline(__always) mutating func code(_ value: inout Instant, near other: Instant) {
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

    @inline(__always) mutating func code(_ value: inout Instant) { code(&value, near: base) }

    /// How far a stream has been drawn from.
    @inline(__always) mutating func code(_ stream: inout RandomStream) {
        var position = stream.position
        code(bits: &position)
        if Self.isReading { stream.move(to: position) }
    }

    @inline(__always) mutating func code(_ point: inout Point) {
        code(&point.x)
        code(&point.y)
    }
}

/// Writes a state.
struct StateWriter: StateCoder {
    static var isReading: Bool { false }
    let base: Instant
    private let memory: StateMemory
    private var count = 0
    private var flagCount = 0
    private var flags: UInt64 = 0
    private var at: UnsafeMutablePointer<UInt8>

    init(near base: Instant, into memory: StateMemory) {
        self.base = base
        self.memory = memory
        at = memory.payload
    }

    @inline(__always) mutating func code(bits: inout UInt64) {
        // Up to 8 the half byte is a length in bytes; beyond, it is the number itself and 8 more.
        let length = (71 - bits.leadingZeroBitCount) >> 3
        let isSmall = bits &- 1 < 7
        memory.lengths[count] = isSmall ? UInt8(truncatingIfNeeded: bits) &+ 8 : UInt8(truncatingIfNeeded: length)
        UnsafeMutableRawPointer(at).storeBytes(of: bits.littleEndian, as: UInt64.self)
        at += isSmall ? 0 : length
        count += 1
    }

    @inline(__always) mutating func code(flag: inout Bool) {
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
    mutating func finish(header: Int64) -> UnsafeRawBufferPointer {
        memory.flags[flagCount >> 6] = flags
        let flagBytes = (flagCount + 7) >> 3
        let payloadBytes = at - memory.payload
        precondition(count < memory.most && flagCount < memory.mostFlags, "a state of \(count) numbers and \(flagCount) flags")
        memory.bytes.storeBytes(of: header, as: Int64.self)
        let out = memory.bytes + 8
        // Twenty bits for the numbers, twelve for the bytes of flags.
        precondition(count < 1 << 20 && flagBytes < 1 << 12, "a state of \(count) numbers and \(flagBytes) bytes of flags")
        out.storeBytes(of: UInt32(count | flagBytes << 20), as: UInt32.self)
        let lengths = out + 4
        for i in stride(from: 0, to: count, by: 2) {
            let high = i + 1 < count ? memory.lengths[i + 1] : 0
            lengths.storeBytes(of: memory.lengths[i] | high << 4, toByteOffset: i >> 1, as: UInt8.self)
        }
        let afterLengths = lengths + (count + 1) >> 1
        afterLengths.copyMemory(from: memory.flags, byteCount: flagBytes)
        (afterLengths + flagBytes).copyMemory(from: memory.payload, byteCount: payloadBytes)
        return UnsafeRawBufferPointer(start: memory.bytes, count: 12 + (count + 1) >> 1 + flagBytes + payloadBytes)
    }
}

/// Reads a state that was written.
struct StateReader: StateCoder {
    static var isReading: Bool { true }
    let base: Instant
    private let lengths: UnsafePointer<UInt8>
    private let flags: UnsafePointer<UInt8>
    private var at: UnsafePointer<UInt8>
    private var count = 0
    private var flagCount = 0

    /// - Parameter state: with eight bytes behind it that can be read.
    init(near base: Instant, _ state: UnsafePointer<UInt8>) {
        self.base = base
        let header = UnsafeRawPointer(state)
        let counts = Int(header.loadUnaligned(as: UInt32.self))
        let (numbers, flagBytes) = (counts & 0xf_ffff, counts >> 20)
        lengths = state + 4
        flags = lengths + (numbers + 1) >> 1
        at = flags + flagBytes
    }

    @inline(__always) mutating func code(bits: inout UInt64) {
        let half = UInt64((lengths[count >> 1] >> (UInt8(truncatingIfNeeded: count & 1) << 2)) & 15)
        let isSmall = half > 8
        let length = isSmall ? 0 : half
        let word = UInt64(littleEndian: UnsafeRawPointer(at).loadUnaligned(as: UInt64.self))
        // A shift by all 64 bits gives 0, so a length of 8 keeps the whole word.
        let mask = ~(UInt64.max << (length << 3))
        bits = isSmall ? half - 8 : word & mask
        at += Int(length)
        count += 1
    }

    @inline(__always) mutating func code(flag: inout Bool) {
        flag = flags[flagCount >> 3] & (1 << UInt8(truncatingIfNeeded: flagCount & 7)) != 0
        flagCount += 1
    }
}

/// Room in which a thread puts a state together.
final class StateMemory {
    /// More numbers and flags than any device of the plan has.
    let most, mostFlags: Int
    let lengths: UnsafeMutablePointer<UInt8>
    let flags: UnsafeMutablePointer<UInt64>
    let payload: UnsafeMutablePointer<UInt8>
    let bytes: UnsafeMutableRawPointer

    // Bounds of what is coded of a device, of one instance with all its pending instants, and of each kind or campaign.
    private static let numbersOfDevice = 1_024
    private static let numbersOfInstance = 192
    private static let flagsOfDevice = 512
    private static let flagsOfInstance = 24

    init(for plan: PreparedPlan) {
        let shared = plan.kinds.count + plan.campaigns.count
        most = Self.numbersOfDevice + Self.numbersOfInstance * plan.mostInstances + 16 * shared
        mostFlags = Self.flagsOfDevice + Self.flagsOfInstance * plan.mostInstances + shared
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
