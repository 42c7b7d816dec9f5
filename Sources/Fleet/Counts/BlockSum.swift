import Statistics

/// A copy of the counts of one block, or the sums of those of several: what is read of a run that is over.
public struct BlockSum<Block: CountBlockKind>: Hashable, Sendable {
    private var cells: [Int64]

    /// The sums of no block: zeros.
    public init() { cells = [Int64](repeating: 0, count: Block.size) }

    public init(_ measures: RunMeasures, at place: BlockPlace<Block>) {
        self.init(measures, at: CollectionOfOne(place))
    }

    public init(_ measures: RunMeasures, at places: some Sequence<BlockPlace<Block>>) {
        self.init()
        for place in places { add(measures, at: place) }
    }

    /// The counts of a block that begins at a place in some cells.
    init(_ others: [Int64], from start: Int) { cells = Array(others[start..<start + Block.size]) }

    mutating func add(_ others: [Int64], from start: Int) {
        for i in cells.indices { cells[i] += others[start + i] }
    }

    public mutating func add(_ measures: RunMeasures, at place: BlockPlace<Block>) {
        for i in cells.indices { cells[i] += measures.cells[place.offset + i] }
    }

    public mutating func add(_ other: BlockSum) {
        for i in cells.indices { cells[i] += other.cells[i] }
    }

    public subscript(cell: Cells<Block>) -> Int64 {
        precondition(cell.count == 1, "one count in \(cell.count) cells")
        return cells[cell.start]
    }
    public subscript(name: Block.Name) -> Int64 where Block: NamedCounts { self[Cells(name)] }

    /// The counts of a histogram, or of all values of an index.
    public func bins(_ cells: Cells<Block>) -> ArraySlice<Int64> { self.cells[cells.offsets] }
    public func sum(_ cells: Cells<Block>) -> Int64 { bins(cells).reduce(0, +) }
    public func wide(_ sum: Cells<Block>) -> Int128 {
        precondition(sum.count == 2, "a sum of two words in \(sum.count) cells")
        return WideSum.value(cells[sum.start], cells[sum.start + 1])
    }

    public var isZero: Bool { cells.allSatisfy { $0 == 0 } }
}

extension BlockSum where Block == ReloadCounts {
    /// The accounts of one pool.
    public func pool(_ pool: BudgetPool) -> BlockSum<PoolCounts> {
        let place = ReloadCounts.place(of: pool, in: BlockPlace(offset: 0))
        var sum = BlockSum<PoolCounts>()
        for i in sum.cells.indices { sum.cells[i] = cells[place.offset + i] }
        return sum
    }

    /// The accounts of all pools together.
    public var allPools: BlockSum<PoolCounts> {
        BudgetPool.allCases.reduce(into: BlockSum<PoolCounts>()) { $0.add(pool($1)) }
    }
}
