/// The pools at work, in memory of their own: an array's element would be checked and moved at every request.
struct PoolTable: ~Copyable {
    private let pools: UnsafeMutablePointer<PoolState>
    let count: Int

    init(_ states: [PoolState]) {
        count = states.count
        pools = .allocate(capacity: max(1, count))
        for (index, state) in states.enumerated() { (pools + index).initialize(to: state) }
    }

    deinit {
        pools.deinitialize(count: count)
        pools.deallocate()
    }

    var indices: Range<Int> { 0..<count }

    subscript(index: Int) -> PoolState {
        @inline(__always) unsafeAddress {
            precondition(index >= 0 && index < count, "no pool \(index)")
            return UnsafePointer(pools + index)
        }
        @inline(__always) unsafeMutableAddress {
            precondition(index >= 0 && index < count, "no pool \(index)")
            return pools + index
        }
    }
}
