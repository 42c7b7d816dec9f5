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
