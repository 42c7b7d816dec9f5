import Statistics

/// The pending requests, in one block that grows: 72 bytes each, no allocation once the block is large enough.
///
/// A place that is free again is taken first. Which place a request gets reaches no result.
struct PendingTable: ~Copyable {
    private var places: UnsafeMutablePointer<PendingRequest>
    private var capacity = Self.leastCapacity
    private static let leastCapacity = 1_024
    private var firstFree = PendingRequest.none
    /// The places that were ever taken are those below.
    private(set) var used = 0

    init() { places = .large(capacity: capacity, for: Self.what) }

    private static let what: StaticString = "the requests under way"

    deinit { LargeMemory.free(places) }

    subscript(index: UInt32) -> PendingRequest {
        @inline(__always) unsafeAddress {
            assert(Int(index) < used, "no pending request \(index)")
            return UnsafePointer(places + Int(index))
        }
        @inline(__always) unsafeMutableAddress {
            assert(Int(index) < used, "no pending request \(index)")
            return places + Int(index)
        }
    }

    @inline(__always)
    mutating func insert(_ request: PendingRequest) -> UInt32 {
        if firstFree != PendingRequest.none {
            let index = firstFree
            firstFree = self[index].next
            self[index] = request
            return index
        }
        if used == capacity { places.doubleLarge(&capacity, count: used, for: Self.what) }
        precondition(used < PendingRequest.none, "too many requests at one time: \(used)")
        (places + used).initialize(to: request)
        used += 1
        return UInt32(used - 1)
    }

    @inline(__always)
    mutating func remove(_ index: UInt32) {
        assert(self[index].stage != .free, "a request ends twice")
        self[index].stage = .free
        self[index].next = firstFree
        firstFree = index
    }

    /// Writes the table down, or reads it back into an empty one: every request keeps its place, since others name it.
    mutating func code(_ stream: StateStream) throws(StateProblem) {
        var count = used
        try stream.code(count: &count, of: PendingRequest.self)
        while capacity < count { places.doubleLarge(&capacity, count: used, for: Self.what) }
        try stream.code(places, count: count, limits: stream.isReading ? PendingRequest.byteLimits : [])
        try stream.code(&firstFree)
        used = count
        try stream.require(freeAreListed, "places for requests that are free and not listed")
    }

    /// Whether the list of free places holds each of them once, and nothing else.
    private var freeAreListed: Bool {
        var left = 0
        for place in 0..<used where places[place].stage == .free { left += 1 }
        var index = firstFree
        while index != PendingRequest.none {
            if Int(index) >= used || places[Int(index)].stage != .free || left == 0 { return false }
            left -= 1
            index = places[Int(index)].next
        }
        return left == 0
    }

    /// The most bytes of memory that so many requests touch: their own, or those of the table that half of them filled
    /// and of its copy in the one that followed.
    static func bytes(of count: Double) -> Double {
        let size = Double(MemoryLayout<PendingRequest>.stride)
        if count <= Double(leastCapacity) { return count * size }
        var capacity = Double(leastCapacity)
        while capacity * 2 < count { capacity *= 2 }
        return max(count, 2 * capacity) * size
    }
}
