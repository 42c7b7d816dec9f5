import Statistics

/// A sort of block of counts: a run of cells that has the same counts in the same places for whatever it is about.
public protocol CountBlockKind: Sendable {
    /// Cells of one block.
    static var size: Int { get }
}

/// A block whose first cells are counts of a vocabulary of their own, each in the place of its raw value.
public protocol NamedCounts: CountBlockKind {
    associatedtype Name: CountIndex
}

extension CountAddress where Block: NamedCounts {
    @inline(__always) public init(_ name: Block.Name) { offset = name.ordinal }
}

/// A run of cells in a block: one count, those of the values of an index, a histogram, or a sum of two words.
public struct CountRange<Block: CountBlockKind>: Hashable, Sendable {
    public let start, count: Int

    @inline(__always) init(first count: Int) { (start, self.count) = (0, count) }
    @inline(__always) init(after range: CountRange, _ count: Int) { (start, self.count) = (range.end, count) }

    @inline(__always) var end: Int { start + count }
    var offsets: Range<Int> { start..<end }

    /// One cell of the range.
    @inline(__always) subscript(index: Int) -> CountAddress<Block> {
        assert(index >= 0 && index < count, "cell \(index) of \(count)")
        return CountAddress(offset: start + index)
    }

    /// The cells of a range inside this one.
    @inline(__always) func part(from index: Int, count: Int) -> CountRange {
        assert(index >= 0 && index + count <= self.count, "cells \(index) to \(index + count) of \(self.count)")
        return CountRange(start: start + index, count: count)
    }

    /// The sum of two words at a cell of the range.
    @inline(__always) func wide(at index: Int = 0) -> WideAddress<Block> {
        assert(index >= 0 && index + 1 < count, "two cells from \(index) of \(count)")
        return WideAddress(offset: start + index)
    }

    @inline(__always) private init(start: Int, count: Int) { (self.start, self.count) = (start, count) }
}

/// Where one count stands in a block.
public struct CountAddress<Block: CountBlockKind>: Hashable, Sendable {
    public let offset: Int
    @inline(__always) init(offset: Int) { self.offset = offset }
}

/// Where a sum of two words stands in a block (`WideSum`).
public struct WideAddress<Block: CountBlockKind>: Hashable, Sendable {
    public let offset: Int
    @inline(__always) init(offset: Int) { self.offset = offset }
}

/// Where a block stands among the counts of a run.
public struct BlockPlace<Block: CountBlockKind>: Hashable, Sendable, BitwiseCopyable {
    public let offset: Int
    @inline(__always) init(offset: Int) { self.offset = offset }
}

/// The counts of one block in memory, to count in; `BlockSum` is for reading them.
///
/// The memory must outlive it.
public struct CountBlock<Block: CountBlockKind>: BitwiseCopyable {
    private let cells: UnsafeMutablePointer<Int64>

    @inline(__always) public init(_ cells: UnsafeMutablePointer<Int64>, at place: BlockPlace<Block>) {
        self.cells = cells + place.offset
    }
    @inline(__always) init(_ cells: UnsafeMutablePointer<Int64>) { self.cells = cells }

    @inline(__always) public subscript(address: CountAddress<Block>) -> Int64 {
        get { cells[address.offset] }
        nonmutating set { cells[address.offset] = newValue }
    }

    @inline(__always) public subscript(name: Block.Name) -> Int64 where Block: NamedCounts {
        get { self[CountAddress(name)] }
        nonmutating set { self[CountAddress(name)] = newValue }
    }

    @inline(__always) public func add(_ amount: Int64, to address: WideAddress<Block>) {
        WideSum.add(amount, to: cells + address.offset)
    }
}
