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

    public subscript(address: CountAddress<Block>) -> Int64 { cells[address.offset] }
    public subscript(name: Block.Name) -> Int64 where Block: NamedCounts { self[CountAddress(name)] }
    public subscript(range: CountRange<Block>) -> ArraySlice<Int64> { cells[range.offsets] }

    public func sum(_ range: CountRange<Block>) -> Int64 { self[range].reduce(0, +) }
    public func wide(_ address: WideAddress<Block>) -> Int128 {
        WideSum.value(cells[address.offset], cells[address.offset + 1])
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
