import Synchronization

/// Memory that is written once at set-up, only read afterwards, and never freed.
///
/// The device loop reads tables through bare pointers: no reference count to touch, which threads would fight over, no
/// bounds check, no owner that could go away first. The price is that a table stays until the process ends, so a table
/// is made once for each shape and not for each use.
enum SetUpMemory {
    /// A copy of `values` that starts on a cache line.
    static func keep<Value: BitwiseCopyable>(_ values: [Value]) -> UnsafePointer<Value> {
        SetUpCount.current?.add()
        let bytes = UnsafeMutableRawPointer.allocate(
            byteCount: max(1, values.count * MemoryLayout<Value>.stride), alignment: 64)
        let kept = bytes.bindMemory(to: Value.self, capacity: values.count)
        for (index, value) in values.enumerated() { (kept + index).initialize(to: value) }
        return UnsafePointer(kept)
    }
}

/// How many tables and solutions were made at set-up while it was current: for tests that a second run makes none.
public final class SetUpCount: Sendable {
    @TaskLocal public static var current: SetUpCount?

    private let count = Atomic<Int>(0)

    public init() {}

    public var made: Int { count.load(ordering: .relaxed) }
    public func add() { count.add(1, ordering: .relaxed) }
}

/// The 64-bit FNV-1a hash of some bytes: tells tables apart in a manifest. Not a defence against anybody.
struct TableHash {
    private(set) var value: UInt64 = 0xCBF2_9CE4_8422_2325

    mutating func add(_ byte: UInt8) { value = (value ^ UInt64(byte)) &* 0x0000_0100_0000_01B3 }

    mutating func add(_ bytes: UnsafeRawBufferPointer) {
        for byte in bytes { add(byte) }
    }

    /// Least significant byte first, whatever the machine's order.
    mutating func add(_ word: UInt64) {
        for shift in stride(from: 0, to: 64, by: 8) { add(UInt8(truncatingIfNeeded: word >> UInt64(shift))) }
    }
}
