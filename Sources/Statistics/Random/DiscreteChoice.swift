import Basics

/// One of several alternatives, by weight, from one 64-bit number.
///
/// Monotone: a greater number never gives an earlier alternative. The shares are exact to 2^-63 of the whole, and
/// computed with exactly rounded operations, so they are the same on every machine. Made at set-up; its memory (2 to 3
/// kB) is never freed.
@frozen public struct DiscreteChoice: Sendable, BitwiseCopyable {
    @usableFromInline let thresholds: CumulativeThresholds

    /// Alternatives `0..<count`.
    public var count: Int { thresholds.count }

    /// - Parameter weights: finite, 0 or more, not all 0; they need not sum to 1. A weight of 0 is never chosen. At
    ///   most 65,536.
    public init(weights: [Double], name: String = "weights") throws(DistributionProblem) {
        // Names are made for wrong weights alone: a fleet has thousands that are right.
        for (index, weight) in weights.enumerated() where !(weight >= 0 && weight.isFinite) {
            try checkedNotNegative(weight, "\(name)[\(index)]")
        }
        let total = weights.reduce(0, +)
        try Self.check(count: weights.count, total: total, name)
        var sum = 0.0
        thresholds = CumulativeThresholds(
            weights.map { weight in
                sum += weight
                return UInt64((sum / total * 0x1p63).rounded(.toNearestOrEven))
            })
    }

    /// The alternative that `u` chooses.
    @inlinable @inline(__always)
    public func index(_ u: UInt64) -> Int { thresholds.index(u) }

    private static func check(count: Int, total: Double, _ name: String) throws(DistributionProblem) {
        guard (1...65_536).contains(count) else {
            throw DistributionProblem(name: name, found: "\(count) weights", expected: "1 to 65536 weights")
        }
        guard total > 0, total.isFinite else {
            throw DistributionProblem(
                name: name, found: "weights with the sum \(total)", expected: "weights with a finite sum above 0")
        }
    }
}

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

/// How many of `n` things fall in the first of two equal halves: a binomial with probability ½, from numbers looked up
/// by key.
///
/// Up to 512 things each has a bit of its own, and the distribution is exact. Above, one number gives a normal quantile
/// with the correction for the binomial's fourth cumulant and for rounding to whole numbers; its probabilities are then
/// off by less than 1e-6 (a test compares with GSL's).
struct FairSplit: Sendable {
    let normal: QuantileTable

    static let mostBits: Int64 = 512

    /// - Parameter numbers: the decision's numbers, asked for by a sub-index and by 0 or 1. Inlined, so that nothing is
    ///   called through it.
    @inline(__always)
    func firstHalf(of n: Int64, numbers: (UInt16, UInt64) -> UInt64) -> Int64 {
        if n > Self.mostBits { return quantile(n, numbers(0, 0)) }
        var count: Int64 = 0
        var rest = n
        var word: UInt64 = 0
        while rest > 0 {
            let bits = numbers(UInt16(word >> 1), word & 1)
            count += Int64((rest >= 64 ? bits : bits >> UInt64(64 - rest)).nonzeroBitCount)
            rest -= 64
            word += 1
        }
        return count
    }

    /// The count that a number gives for a large `n`; monotone in the number.
    func quantile(_ n: Int64, _ u: UInt64) -> Int64 {
        let size = Double(n)
        let z = normal.value(u)
        // The excess kurtosis is -2/n. Rounding adds 1/12 to the variance, which is n/4.
        let x = z - (z * z * z - 3 * z) / (12 * size)
        let count = Int64((size / 2 + (size / 4 - 1.0 / 12).squareRoot() * x + 0.5).rounded(.down))
        assert(count >= 0 && count <= n, "\(count) of \(n) in the first half")
        return count
    }
}
