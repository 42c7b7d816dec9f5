import Basics

/// Memory for what grows with a run: its load curve, its counts, its suspended devices.
///
/// The standard library traps where the system gives no memory. Here the program ends with a sentence and status 1;
/// what it has left on the disk is what a kill leaves.
public enum LargeMemory {
    /// A page of the large kind. Memory of at least so many bytes lies on such pages where the system gives any: what
    /// is read and written all over it needs few entries of the processor's page table then.
    public static let page = 2 << 20

    /// Memory that is not initialised; `free` gives it back.
    ///
    /// - Parameters:
    ///   - alignment: a power of two.
    ///   - what: its purpose, as the sentence names it.
    public static func allocate(byteCount: Int, alignment: Int = 64, for what: StaticString) -> UnsafeMutableRawPointer
    {
        let isLarge = byteCount >= page
        return got(byteCount, what) {
            HostCalls.allocate(
                byteCount: byteCount, alignment: isLarge ? max(alignment, page) : alignment, wantsLargePages: isLarge)
        }
    }

    /// Memory of zeros of which the system provides a page when it is first written to, or memory that an
    /// owner before has left. `freeZeros` or `freeForNext` gives it back.
    ///
    /// - Parameters:
    ///   - isSparse: whether most of it may never be written to, so that small pages are better.
    ///   - what: its purpose, as the sentence names it.
    public static func allocateZeros(byteCount: Int, isSparse: Bool, for what: StaticString) -> UnsafeMutableRawPointer
    {
        if let left = takeLeft(byteCount, isSparse: isSparse) {
            if !left.isCleared { left.memory.initializeMemory(as: UInt8.self, repeating: 0, count: byteCount) }
            return left.memory
        }
        let wantsLargePages = !isSparse && byteCount >= page
        return got(byteCount, what) {
            HostCalls.allocateZeros(byteCount: byteCount, wantsLargePages: wantsLargePages)
        }
    }

    /// Memory of the system, if need be once it has back what waits for its next owner.
    private static func got(_ byteCount: Int, _ what: StaticString, _ allocate: () -> UnsafeMutableRawPointer?)
        -> UnsafeMutableRawPointer
    {
        if let memory = allocate() { return memory }
        drop(
            left.withLock { left in
                defer { left = [] }
                return left
            })
        guard let memory = allocate() else { endWithout(byteCount, what) }
        return memory
    }

    /// - Parameter byteCount: as they were allocated.
    public static func freeZeros(_ memory: UnsafeMutableRawPointer, byteCount: Int) {
        HostCalls.freeZeros(memory, byteCount: byteCount)
    }

    /// Gives memory back. The next run of a study can have it: for the system to provide a page takes longer than to
    /// count what a small fleet does on it.
    ///
    /// - Parameters:
    ///   - byteCount: as it was allocated, like `isSparse`.
    ///   - isCleared: whether all of it is zeros again; otherwise it is cleared for its next owner.
    public static func freeForNext(
        _ memory: UnsafeMutableRawPointer, byteCount: Int, isSparse: Bool, isCleared: Bool
    ) {
        let dropped = left.withLock { left in
            left.append(Left(memory: memory, byteCount: byteCount, isSparse: isSparse, isCleared: isCleared))
            var kept = 0
            let last = left.lastIndex { one in
                kept += one.byteCount
                return kept > mostLeft
            }
            let dropped = Array(left.prefix(last.map { $0 + 1 } ?? 0))
            left.removeFirst(dropped.count)
            return dropped
        }
        drop(dropped)
    }

    private static func drop(_ memory: [Left]) {
        for one in memory { freeZeros(one.memory, byteCount: one.byteCount) }
    }

    private struct Left: @unchecked Sendable {
        // Safety: nobody else has the memory.
        let memory: UnsafeMutableRawPointer
        let byteCount: Int
        let isSparse, isCleared: Bool
    }

    /// The memory that waits for its next owner, the latest last.
    private static let left = LockedValue<[Left]>([])
    /// Bytes that wait at the most.
    private static let mostLeft = 256 << 20

    private static func takeLeft(_ byteCount: Int, isSparse: Bool) -> Left? {
        left.withLock { left in
            left.lastIndex { $0.byteCount == byteCount && $0.isSparse == isSparse }.map { left.remove(at: $0) }
        }
    }

    private static func endWithout(_ byteCount: Int, _ what: StaticString) -> Never {
        HostCalls.end(
            status: 1,
            saying:
                "error: the system gives no memory for \(what), \(byteCount / 1_048_576 + 1) MiB; raise the limit (ulimit -v, ulimit -d, that of the container), or make the run smaller\n"
        )
    }

    public static func free(_ memory: UnsafeMutableRawPointer) { HostCalls.free(memory) }
}

/// A list that may become as long as a run is large: where the system gives no memory for it, the program ends with a
/// sentence (`LargeMemory`), which the standard library's array does not.
///
/// Its code is inlined where it is used: other modules would look up the type of its elements as it runs.
package struct LargeList<Element: BitwiseCopyable>: ~Copyable {
    @usableFromInline var elements: UnsafeMutablePointer<Element>
    @usableFromInline var capacity = 256
    @usableFromInline let what: StaticString
    @usableFromInline package internal(set) var count = 0

    /// - Parameter what: its purpose, as the sentence names it.
    @inlinable package init(for what: StaticString) {
        self.what = what
        elements = .large(capacity: capacity, for: what)
    }

    @inlinable deinit { LargeMemory.free(elements) }

    package var isEmpty: Bool { @inlinable get { count == 0 } }

    package subscript(index: Int) -> Element {
        @inlinable @inline(__always) get {
            precondition(index >= 0 && index < count, "element \(index) of \(count)")
            return elements[index]
        }
        @inlinable @inline(__always) set {
            precondition(index >= 0 && index < count, "element \(index) of \(count)")
            elements[index] = newValue
        }
    }

    @inlinable @inline(__always) package mutating func append(_ element: Element) {
        if count == capacity { elements.doubleLarge(&capacity, count: count, for: what) }
        elements[count] = element
        count += 1
    }

    /// Takes the last one away; nil if there is none.
    @inlinable @inline(__always) package mutating func popLast() -> Element? {
        if count == 0 { return nil }
        count -= 1
        return elements[count]
    }

    @inlinable package mutating func removeFirst(_ removed: Int) {
        precondition(removed <= count, "\(removed) of \(count) elements removed")
        elements.update(from: elements + removed, count: count - removed)
        count -= removed
    }
}

extension UnsafeMutablePointer where Pointee: BitwiseCopyable {
    /// Memory for a table that may become as large as a run; `LargeMemory.free` gives it back.
    @inlinable package static func large(capacity: Int, for what: StaticString) -> Self {
        LargeMemory.allocate(byteCount: capacity * MemoryLayout<Pointee>.stride, for: what)
            .bindMemory(to: Pointee.self, capacity: capacity)
    }

    /// Moves the elements of such a table to memory with room for twice as many.
    @inlinable package mutating func doubleLarge(_ capacity: inout Int, count: Int, for what: StaticString) {
        let larger = Self.large(capacity: capacity * 2, for: what)
        larger.update(from: self, count: count)
        LargeMemory.free(self)
        self = larger
        capacity *= 2
    }
}
