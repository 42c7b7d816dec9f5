import Basics

/// The search that discrete draws share: the first of some rising thresholds that lies above a 63-bit number.
///
/// Invariant: the thresholds rise (they may repeat) and the last one is 2^63, above every number, so the search ends.
///
/// A guide of 256 entries tells by the number's leading byte where to begin, so a draw looks at two or three thresholds
/// however many there are. The memory is set-up memory, never freed, so thresholds that are wanted again are those that
/// were made before: the segments of a plan and the runs of a study share them.
@frozen @usableFromInline struct CumulativeThresholds: @unchecked Sendable, BitwiseCopyable {
    @usableFromInline let thresholds: UnsafePointer<UInt64>
    @usableFromInline let guide: UnsafePointer<UInt16>
    let count: Int

    init(_ values: [UInt64]) {
        self = Self.made.withLock { made in
            if let known = made[values.hashValue, default: []].first(where: { $0.holds(values) }) { return known }
            let new = CumulativeThresholds(keeping: values)
            made[values.hashValue, default: []].append(new)
            return new
        }
    }

    /// All that were made, by the hash of their values.
    private static let made = LockedValue<[Int: [CumulativeThresholds]]>([:])

    private func holds(_ values: [UInt64]) -> Bool {
        values.elementsEqual(UnsafeBufferPointer(start: thresholds, count: count))
    }

    private init(keeping values: [UInt64]) {
        precondition(
            values.last == 1 << 63 && values.count <= 65_536,
            "the last of \(values.count) thresholds is \(values.last ?? 0), not 2^63")
        precondition(zip(values, values.dropFirst()).allSatisfy { $0 <= $1 }, "thresholds rise")
        thresholds = SetUpMemory.keep(values)
        var first = 0
        var starts: [UInt16] = []
        for byte in 0..<UInt64(256) {
            while values[first] <= byte << 55 { first += 1 }
            starts.append(UInt16(first))
        }
        guide = SetUpMemory.keep(starts)
        count = values.count
    }

    @inlinable @inline(__always)
    func index(_ u: UInt64) -> Int {
        var index = Int(guide[Int(truncatingIfNeeded: u >> 56)])
        while thresholds[index] <= u >> 1 { index += 1 }
        return index
    }
}
