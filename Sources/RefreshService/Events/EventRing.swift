import Basics
import Statistics

/// Events of a span of time that moves forward, in buckets of equal width, unsorted: constant time each.
///
/// Invariant: all events lie within one span, so each bucket holds those of one time.
struct EventRing: ~Copyable {
    private struct Node: BitwiseCopyable {
        var event: DueEvent
        var next: UInt32
    }

    /// The time that one bucket covers.
    static let width = Duration(microseconds: 256)
    /// The time that all buckets cover.
    static let span = width * Int64(buckets)
    private static let buckets = 8_192
    private static let none = UInt32.max

    /// The first node of each bucket, and a bit for each bucket that has one.
    private let heads: UnsafeMutablePointer<UInt32>
    private let taken: UnsafeMutablePointer<UInt64>
    private var nodes: UnsafeMutablePointer<Node>
    private var capacity = 1024
    private var used = 0
    private var firstFree = Self.none
    private(set) var count = 0

    init() {
        heads = .allocate(capacity: Self.buckets)
        heads.initialize(repeating: Self.none, count: Self.buckets)
        taken = .allocate(capacity: Self.buckets / 64)
        taken.initialize(repeating: 0, count: Self.buckets / 64)
        nodes = .large(capacity: capacity, for: "what is due at the service")
    }

    deinit {
        heads.deallocate()
        taken.deallocate()
        LargeMemory.free(nodes)
    }

    /// When the bucket of an instant begins.
    static func start(of instant: Instant) -> Instant {
        Instant(microseconds: instant.microseconds & -width.microseconds)
    }

    private static func bucket(of instant: Instant) -> Int {
        Int(instant.microseconds / width.microseconds) & (buckets - 1)
    }

    @inline(__always)
    mutating func insert(_ event: DueEvent) {
        let bucket = Self.bucket(of: event.at)
        let node = freeNode()
        nodes[Int(node)] = Node(event: event, next: heads[bucket])
        heads[bucket] = node
        taken[bucket / 64] |= 1 << UInt64(bucket % 64)
        count += 1
        #if DEBUG
            checkInvariants(ofBucket: bucket)
        #endif
    }

    /// A bucket holds events of one time, and is known to hold any.
    func checkInvariants(ofBucket bucket: Int) {
        precondition(
            (heads[bucket] != Self.none) == (taken[bucket / 64] >> UInt64(bucket % 64) & 1 == 1),
            "bucket \(bucket) is taken without events")
        var node = heads[bucket]
        while node != Self.none {
            let (event, next) = (nodes[Int(node)].event, nodes[Int(node)].next)
            precondition(
                next == Self.none || Self.start(of: nodes[Int(next)].event.at) == Self.start(of: event.at),
                "bucket \(bucket) holds two times")
            node = next
        }
    }

    /// When the first bucket that holds anything begins, of those from an instant on, at which one begins; `never` if
    /// none does.
    func firstBucket(from instant: Instant) -> Instant {
        if count == 0 { return .never }
        let first = Self.bucket(of: instant)
        var bucket = first
        var bits = taken[bucket / 64] & (.max << UInt64(bucket % 64))
        while bits == 0 {
            bucket = (bucket / 64 + 1) * 64 & (Self.buckets - 1)
            bits = taken[bucket / 64]
        }
        bucket = bucket / 64 * 64 + bits.trailingZeroBitCount
        return instant + Self.width * Int64((bucket - first) & (Self.buckets - 1))
    }

    /// Moves the events of the bucket that begins at an instant.
    mutating func empty(_ instant: Instant, into heap: inout EventHeap) {
        let bucket = Self.bucket(of: instant)
        var node = heads[bucket]
        heads[bucket] = Self.none
        taken[bucket / 64] &= ~(1 << UInt64(bucket % 64))
        while node != Self.none {
            heap.insert(nodes[Int(node)].event)
            let next = nodes[Int(node)].next
            nodes[Int(node)].next = firstFree
            firstFree = node
            node = next
            count -= 1
        }
    }

    /// Moves all events; all lie at an instant or later, at which a bucket begins.
    mutating func empty(from instant: Instant, into heap: inout EventHeap) {
        var at = firstBucket(from: instant)
        while at != .never {
            empty(at, into: &heap)
            at = firstBucket(from: at)
        }
    }

    /// Hands over all events, in no order.
    func forEach(_ body: (DueEvent) -> Void) {
        for bucket in 0..<Self.buckets {
            var node = heads[bucket]
            while node != Self.none {
                body(nodes[Int(node)].event)
                node = nodes[Int(node)].next
            }
        }
    }

    @inline(__always)
    private mutating func freeNode() -> UInt32 {
        if firstFree != Self.none {
            defer { firstFree = nodes[Int(firstFree)].next }
            return firstFree
        }
        if used == capacity { nodes.doubleLarge(&capacity, count: used, for: "what is due at the service") }
        used += 1
        return UInt32(used - 1)
    }
}
