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
