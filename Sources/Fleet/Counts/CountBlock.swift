import Basics
import Statistics

/// A sort of block of counts: a run of cells that has the same counts in the same places for whatever it is about.
///
/// Its counts are the static members of its `Cells`, each declared once, after the one before it.
public protocol CountBlockKind: Sendable {
    /// Cells of one block.
    static var size: Int { get }
}

/// A block whose first cells are counts of a vocabulary of their own, each in the place of its raw value.
public protocol NamedCounts: CountBlockKind {
    associatedtype Name: CountIndex & NamedCase
}

/// Something in a block that other counts can follow.
public protocol CellSpan: Hashable, Sendable {
    var end: Int { get }
}

/// Cells that stand side by side in a block: one count, a sum of two words (`WideSum`), or a histogram.
public struct Cells<Block: CountBlockKind>: CellSpan {
    public let start, count: Int

    @inline(__always) init(start: Int = 0, count: Int = 1) { (self.start, self.count) = (start, count) }
    @inline(__always) init(after before: some CellSpan, _ count: Int = 1) { self.init(start: before.end, count: count) }

    @inline(__always) public var end: Int { start + count }
    var offsets: Range<Int> { start..<end }

    @inline(__always) public subscript(index: Int) -> Cells {
        assert(index >= 0 && index < count, "cell \(index) of \(count)")
        return Cells(start: start + index)
    }

    /// The number of what happened, and its sum of two words, of a count that has three cells.
    @inline(__always) public var number: Cells { self[0] }
    @inline(__always) public var time: Cells {
        precondition(count == 3, "a time in \(count) cells")
        return Cells(start: start + 1, count: 2)
    }
}

extension Cells where Block: NamedCounts {
    @inline(__always) public init(_ name: Block.Name) { self.init(start: name.ordinal) }
    /// The counts that have names.
    @inline(__always) static var named: Self { Self(count: Block.Name.count) }
}

/// Cells for each value of an index: `.merged(cause)`, or `.merged.all` for all of them together.
public struct CellsBy<Block: CountBlockKind, Index: CellIndex>: CellSpan {
    let start, each: Int

    @inline(__always) init(start: Int = 0, each: Int = 1) { (self.start, self.each) = (start, each) }
    @inline(__always) init(after before: some CellSpan, each: Int = 1) { self.init(start: before.end, each: each) }

    @inline(__always) public var end: Int { start + Index.count * each }
    @inline(__always) public var all: Cells<Block> { Cells(start: start, count: Index.count * each) }

    @inline(__always) public func callAsFunction(_ index: Index) -> Cells<Block> {
        Cells(start: start + index.ordinal * each, count: each)
    }
}

/// Cells for each value of two indices, the second within the first.
public struct CellsByTwo<Block: CountBlockKind, First: CellIndex, Second: CellIndex>: CellSpan {
    let start, each: Int

    @inline(__always) init(after before: some CellSpan, each: Int = 1) { (start, self.each) = (before.end, each) }

    @inline(__always) public var end: Int { start + First.count * Second.count * each }
    @inline(__always) public var all: Cells<Block> { Cells(start: start, count: end - start) }

    @inline(__always) public func callAsFunction(_ first: First, _ second: Second) -> Cells<Block> {
        Cells(start: start + (first.ordinal * Second.count + second.ordinal) * each, count: each)
    }
}

/// Whether a reload is free or charged, as it is counted.
public enum Charge: UInt8, CountIndex {
    case free, charged
    public static var last: Self { .charged }
    @inline(__always) init(_ isCharged: Bool) { self = isCharged ? .charged : .free }
}

extension CellsByTwo where Second == Charge {
    @inline(__always) public func callAsFunction(_ first: First, charged: Bool) -> Cells<Block> {
        self(first, Charge(charged))
    }
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

    @inline(__always) public subscript(cell: Cells<Block>) -> Int64 {
        // Both checks of constants are gone from compiled code.
        get {
            precondition(cell.count == 1, "one count in \(cell.count) cells")
            return cells[cell.start]
        }
        nonmutating set {
            precondition(cell.count == 1, "one count in \(cell.count) cells")
            cells[cell.start] = newValue
        }
    }

    @inline(__always) public subscript(name: Block.Name) -> Int64 where Block: NamedCounts {
        get { self[Cells(name)] }
        nonmutating set { self[Cells(name)] = newValue }
    }

    @inline(__always) public func add(_ amount: Int64, to sum: Cells<Block>) {
        precondition(sum.count == 2, "a sum of two words in \(sum.count) cells")
        WideSum.add(amount, to: cells + sum.start)
    }
}
