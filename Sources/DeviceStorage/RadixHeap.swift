import Basics
import Statistics

/// Something that is due at an instant.
package protocol Timed: BitwiseCopyable {
    var dueAt: Instant { get }
}

/// A queue of entries by their instants: a radix heap (Ahuja, Mehlhorn, Orlin and Tarjan 1990) in base 64.
///
/// Entries lie in buckets by the highest digit in which their instant differs from the clock, and by what that digit
/// is. An entry moves at most once a digit, through memory in order; a binary heap of a million entries would miss the
/// cache at every level. Buckets are chains of small chunks, which serve all of them in turn: a bucket keeps less than
/// a chunk of room that others could use.
///
/// The clock never goes back. Entries from before it, as when several ranks look ahead, lie in the first bucket of all.
///
/// Its code is inlined where it is used: other modules would look up the type of its entries as it runs.
package final class RadixHeap<Entry: Timed> {
    @usableFromInline let buckets: UnsafeMutableBufferPointer<Bucket>
    /// For each level, which of its buckets hold anything; and which levels do.
    @usableFromInline var filled: [UInt64] = Array(repeating: 0, count: RadixHeap.levels)
    @usableFromInline var filledLevels: UInt32 = 0
    @usableFromInline var chunks = ChunkPool<Entry>()
    @usableFromInline var clock: Int64 = 0
    @usableFromInline package internal(set) var count = 0

    @inlinable static var digitBits: Int { 6 }
    @inlinable static var digits: Int { 1 << digitBits }
    @inlinable static var levels: Int { (64 + digitBits - 1) / digitBits }

    /// The earliest instant; `never` of none.
    @usableFromInline package internal(set) var nextAt: Instant = .never

    @usableFromInline struct Bucket {
        /// The chunk that is filled, of which the others hang; the others are full.
        @usableFromInline var chunk: UnsafeMutableRawPointer?
        /// How many entries the first chunk has.
        @usableFromInline var used = 0
        @usableFromInline var earliest = Int64.max

        @inlinable init() {}
    }

    @inlinable package init() {
        buckets = .allocate(capacity: Self.lists)
        buckets.initialize(repeating: Bucket())
    }

    @inlinable deinit {
        buckets.deallocate()
        chunks.deallocate()
    }

    /// Adds an entry.
    @inlinable package func add(_ entry: Entry) {
        insert(entry)
        nextAt = min(nextAt, entry.dueAt)
        count += 1
    }

    /// The bucket of an instant: one of those of the highest digit in which it differs from the clock.
    @inlinable func bucket(at instant: Int64) -> (level: Int, digit: Int) {
        if instant < clock { return (0, 0) }
        let level = (63 - ((instant ^ clock) | 1).leadingZeroBitCount) / Self.digitBits
        return (level, Int(truncatingIfNeeded: instant >> (level * Self.digitBits)) & (Self.digits - 1))
    }

    @inlinable @inline(__always) func insert(_ entry: Entry) {
        let at = entry.dueAt.microseconds
        let (level, digit) = bucket(at: at)
        let place = level * Self.digits + digit
        var bucket = buckets[place]
        if bucket.used == ChunkPool<Entry>.capacity || bucket.chunk == nil {
            bucket.chunk = chunks.take(before: bucket.chunk)
            bucket.used = 0
        }
        ChunkPool<Entry>.entries(of: bucket.chunk!)[bucket.used] = entry
        bucket.used += 1
        bucket.earliest = min(bucket.earliest, at)
        buckets[place] = bucket
        filled[level] |= 1 << UInt64(digit)
        filledLevels |= 1 << UInt32(level)
    }

    /// Each bucket's earliest is that of its entries, and the earliest of all is known.
    @inlinable package func checkInvariants() {
        var found = 0
        var earliest = Int64.max
        for place in 0..<Self.lists {
            var first = Int64.max
            forEach(in: place) { entry in
                found += 1
                first = min(first, entry.dueAt.microseconds)
                let (level, digit) = bucket(at: entry.dueAt.microseconds)
                precondition(level * Self.digits + digit == place, "an entry in bucket \(place)")
            }
            precondition(
                first == buckets[place].earliest, "bucket \(place) begins at another instant than its earliest")
            precondition(
                (filled[place / Self.digits] >> UInt64(place % Self.digits) & 1 == 1) == (first < .max),
                "bucket \(place) is told full, or empty")
            earliest = min(earliest, first)
        }
        precondition(count == found, "\(count) entries counted")
        precondition(nextAt.microseconds == earliest, "the earliest of all is not known")
    }

    /// Takes every entry before `limit`, in any order.
    @inlinable package func take(before limit: Instant, _ body: (Entry) -> Void) {
        if nextAt >= limit { return }
        while let place = firstBucket, buckets[place].earliest < limit.microseconds {
            // Nothing is earlier than the first bucket's earliest: the clock goes there unless it is later already, and
            // what stays of the bucket moves below it.
            let bucket = buckets[place]
            clock = max(clock, bucket.earliest)
            buckets[place] = Bucket()
            filled[place / Self.digits] &= ~(1 << UInt64(place % Self.digits))
            if filled[place / Self.digits] == 0 { filledLevels &= ~(1 << UInt32(place / Self.digits)) }
            var used = bucket.used
            var next = bucket.chunk
            while let chunk = next {
                let entries = ChunkPool<Entry>.entries(of: chunk)
                for index in 0..<used {
                    if entries[index].dueAt < limit {
                        count -= 1
                        body(entries[index])
                    } else {
                        insert(entries[index])
                    }
                }
                used = ChunkPool<Entry>.capacity
                next = ChunkPool<Entry>.next(of: chunk)
                chunks.give(chunk)
            }
        }
        // The first bucket that holds any holds the earliest: others differ from the clock in a higher digit, or more
        // in the same.
        nextAt = firstBucket.map { Instant(microseconds: buckets[$0].earliest) } ?? .never
        #if DEBUG
            // A look at every entry: affordable for the small fleets of debug builds.
            if count < 1_000 { checkInvariants() }
        #endif
    }

    /// Drops entries that do not hold any more from the front.
    ///
    /// - Returns: the instant of the earliest that holds, if it is before `limit`; otherwise an instant not before the
    ///   limit.
    @inlinable package func next(before limit: Instant, where holds: (Entry) -> Bool) -> Instant {
        while nextAt < limit {
            let next = nextAt
            var found: [Entry] = []
            take(before: next + .microsecond) { if holds($0) { found.append($0) } }
            for entry in found { add(entry) }
            if !found.isEmpty { return next }
        }
        return nextAt
    }

    /// Every entry, in no order.
    @inlinable package func forEach(_ body: (Entry) -> Void) {
        for place in 0..<Self.lists { forEach(in: place, body) }
    }

    @inlinable func forEach(in place: Int, _ body: (Entry) -> Void) {
        var used = buckets[place].used
        var next = buckets[place].chunk
        while let chunk = next {
            for index in 0..<used { body(ChunkPool<Entry>.entries(of: chunk)[index]) }
            used = ChunkPool<Entry>.capacity
            next = ChunkPool<Entry>.next(of: chunk)
        }
    }

    /// How many lists `forEachList` hands over.
    @inlinable package static var lists: Int { levels * digits }

    /// Hands over all entries, in lists without an order.
    @inlinable package func forEachList<Problem: Error>(_ body: (inout [Entry]) throws(Problem) -> Void) throws(Problem)
    {
        for place in 0..<Self.lists {
            var entries: [Entry] = []
            forEach(in: place) { entries.append($0) }
            try body(&entries)
        }
    }

    @inlinable var firstBucket: Int? {
        if filledLevels == 0 { return nil }
        let level = filledLevels.trailingZeroBitCount
        return level * Self.digits + filled[level].trailingZeroBitCount
    }
}

/// Chunks of memory for entries of a queue. Each begins with the address of the next in its chain.
@usableFromInline struct ChunkPool<Entry: BitwiseCopyable> {
    @usableFromInline var blocks: [UnsafeMutableRawPointer] = []
    @usableFromInline var free: UnsafeMutableRawPointer?
    @usableFromInline var chunks = 0

    @inlinable init() {}

    @inlinable static var chunkBytes: Int { 2_048 }
    @inlinable static var head: Int { 16 }
    /// The entries that a chunk holds.
    @inlinable static var capacity: Int { (chunkBytes - head) / MemoryLayout<Entry>.stride }
    /// A new block has at least so many chunks, or one part of so many of all before it.
    @inlinable static var leastChunks: Int { 16 }
    @inlinable static var blockShare: Int { 8 }

    @inlinable static func entries(of chunk: UnsafeMutableRawPointer) -> UnsafeMutablePointer<Entry> {
        (chunk + head).assumingMemoryBound(to: Entry.self)
    }

    @inlinable static func next(of chunk: UnsafeMutableRawPointer) -> UnsafeMutableRawPointer? {
        chunk.load(as: UnsafeMutableRawPointer?.self)
    }

    /// A chunk from which a chain of others hangs.
    @inlinable mutating func take(before next: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer {
        if free == nil { makeBlock() }
        guard let chunk = free else { preconditionFailure("a new block without chunks") }
        free = Self.next(of: chunk)
        chunk.storeBytes(of: next, as: UnsafeMutableRawPointer?.self)
        return chunk
    }

    @inlinable mutating func give(_ chunk: UnsafeMutableRawPointer) {
        chunk.storeBytes(of: free, as: UnsafeMutableRawPointer?.self)
        free = chunk
    }

    @usableFromInline mutating func makeBlock() {
        let count = max(Self.leastChunks, chunks / Self.blockShare)
        let block = LargeMemory.allocate(byteCount: count * Self.chunkBytes, for: "what is due")
        blocks.append(block)
        chunks += count
        for place in (0..<count).reversed() { give(block + place * Self.chunkBytes) }
    }

    @inlinable func deallocate() { for block in blocks { LargeMemory.free(block) } }
}
