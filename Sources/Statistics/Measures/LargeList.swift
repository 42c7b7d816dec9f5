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
