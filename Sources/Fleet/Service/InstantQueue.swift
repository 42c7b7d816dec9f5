import Measures
import RefreshService
import SimulatedTime

/// Something that is due at an instant.
protocol Timed: BitwiseCopyable {
    var dueAt: Instant { get }
    /// Which of its bytes are no more than something.
    static var byteLimits: [ByteLimit] { get }
}

extension ServiceRequest: Timed {
    var dueAt: Instant { arrival }
    static var byteLimits: [ByteLimit] { [ByteLimit(\ServiceRequest.isPrivate, of: Bool.self)] }
}

/// A queue of entries by their instants, for a clock that never goes back: a radix heap (Ahuja, Mehlhorn, Orlin and Tarjan 1990).
///
/// Entries lie in buckets by the highest bit in which their instant differs from the clock. An entry moves at most once a bit, through memory in
/// order; a binary heap of a million entries would miss the cache at every level.
struct InstantQueue<Entry: Timed> {
    private var buckets: [[Entry]] = Array(repeating: [], count: 65)
    private var earliest: [Int64] = Array(repeating: .max, count: 65)
    private var clock: Int64 = 0
    private(set) var count = 0

    /// A bucket that is empty keeps room for so many entries at most: far instants leave large ones behind.
    private static var mostKept: Int { 2_048 }

    /// The earliest instant; `never` of none.
    private(set) var nextAt: Instant = .never

    /// Adds an entry, not before the clock: the earliest entry of the last `take`.
    mutating func add(_ entry: Entry) {
        precondition(entry.dueAt.microseconds >= clock, "an entry at \(entry.dueAt.microseconds) after the clock has come to \(clock)")
        insert(entry)
        nextAt = min(nextAt, entry.dueAt)
        count += 1
    }

    private mutating func insert(_ entry: Entry) {
        let at = entry.dueAt.microseconds
        let bucket = 64 - (at ^ clock).leadingZeroBitCount
        buckets[bucket].append(entry)
        earliest[bucket] = min(earliest[bucket], at)
    }

    /// Each bucket's earliest is that of its entries, and the earliest of all is known.
    func checkInvariants() {
        for (bucket, entries) in buckets.enumerated() {
            precondition(entries.allSatisfy { $0.dueAt.microseconds >= earliest[bucket] }, "bucket \(bucket) begins before its earliest")
            precondition(entries.allSatisfy { 64 - ($0.dueAt.microseconds ^ clock).leadingZeroBitCount == bucket }, "an entry in bucket \(bucket)")
        }
        precondition(count == buckets.reduce(0) { $0 + $1.count }, "\(count) entries counted")
        precondition(nextAt.microseconds == earliest.min(), "the earliest of all is not known")
    }

    /// Takes every entry before `limit`, in any order.
    mutating func take(before limit: Instant, _ body: (Entry) -> Void) {
        if nextAt >= limit { return }
        while let bucket = firstBucket, earliest[bucket] < limit.microseconds {
            // Nothing is earlier than the first bucket's earliest: the clock goes there, and what stays of the bucket moves below it.
            clock = earliest[bucket]
            var entries: [Entry] = []
            swap(&entries, &buckets[bucket])
            earliest[bucket] = .max
            for entry in entries {
                if entry.dueAt < limit {
                    count -= 1
                    body(entry)
                } else {
                    insert(entry)
                }
            }
            guard buckets[bucket].isEmpty, entries.count <= Self.mostKept else { continue }
            entries.removeAll(keepingCapacity: true)
            swap(&entries, &buckets[bucket])
        }
        // The first bucket that holds any holds the earliest: higher ones differ from the clock in a higher bit.
        nextAt = firstBucket.map { Instant(microseconds: earliest[$0]) } ?? .never
        #if DEBUG
            // A look at every entry: affordable for the small fleets of debug builds.
            if count < 1_000 { checkInvariants() }
        #endif
    }

    /// Every entry, in no order.
    func forEach(_ body: (Entry) -> Void) { for bucket in buckets { for entry in bucket { body(entry) } } }

    /// How many lists `forEachList` hands over.
    static var lists: Int { 65 }

    /// Hands over all entries, in lists without an order.
    func forEachList<Problem: Error>(_ body: (inout [Entry]) throws(Problem) -> Void) throws(Problem) {
        for bucket in buckets {
            var entries = bucket
            try body(&entries)
        }
    }

    private var firstBucket: Int? {
        for bucket in 0...64 where earliest[bucket] < .max { return bucket }
        return nil
    }
}
