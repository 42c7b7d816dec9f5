/// A checked distribution of counts: 0, 1, 2 …
public enum CountDistribution: Hashable, Sendable {
    /// Poisson; the mean from 0 to 500.
    case poisson(mean: Double)
    /// Negative binomial with variance mean + mean² / k: a Poisson whose mean is itself gamma with shape k. Mean from 0
    /// to 500, k from 0.1 or mean / 500, whichever is more, to 1e6: below, the tail is too long for a table.
    case negativeBinomial(mean: Double, k: Double)

    /// The distribution ready to draw from. Its table is made with `DeterministicMath` alone and so needs no rounding
    /// to a grid.
    public func prepared() throws(DistributionProblem) -> PreparedCount {
        switch self {
        case .poisson(let mean):
            try checked(mean, "poisson.mean", in: 0...500)
            return PreparedCount(first: DeterministicMath.exp(-mean), mean: mean) { mean / (Double($0) + 1) }
        case .negativeBinomial(let mean, let k):
            try checked(mean, "negativeBinomial.mean", in: 0...500)
            try checked(k, "negativeBinomial.k", in: max(0.1, mean / 500)...1e6)
            let p = mean / (k + mean)
            // (k / (k + mean))^k, written so that a large k does not lose the mean.
            let first = DeterministicMath.exp(-k * DeterministicMath.logOnePlus(mean / k))
            return PreparedCount(first: first, mean: mean) { (Double($0) + k) / (Double($0) + 1) * p }
        }
    }
}

/// A distribution of counts ready to draw from: one 64-bit number a draw, monotone in it, by a table of the cumulative
/// probabilities.
///
/// Both tails are exact to about 1e-13 of themselves and to 2^-62 of the whole; the table ends where a tail falls below
/// that.
@frozen public struct PreparedCount: Sendable, BitwiseCopyable {
    @usableFromInline let thresholds: CumulativeThresholds

    /// - Parameters:
    ///   - first: the probability of 0.
    ///   - ratio: the probability of `count + 1` over that of `count`.
    init(first: Double, mean: Double, ratio: (Int) -> Double) {
        var probabilities = [first]
        while true {
            let count = probabilities.count - 1
            let next = probabilities[count] * ratio(count)
            // The tail left out is at most a thousand times this: below a thousandth of the thresholds' unit.
            if Double(count) > mean, next < 0x1p-84 { break }
            probabilities.append(next)
        }
        // The probability above each count, summed from the far end so that small ones are not lost.
        var above = [Double](repeating: 0, count: probabilities.count)
        for count in stride(from: probabilities.count - 1, to: 0, by: -1) {
            above[count - 1] = above[count] + probabilities[count]
        }
        var below = 0.0
        var thresholds: [UInt64] = []
        for (count, probability) in probabilities.enumerated() {
            below += probability
            let threshold = below < 0.5 ? Self.scaled(below) : (1 << 63) - Self.scaled(above[count])
            thresholds.append(max(threshold, thresholds.last ?? 0))
            if threshold == 1 << 63 { break }
        }
        self.thresholds = CumulativeThresholds(thresholds)
    }

    private static func scaled(_ probability: Double) -> UInt64 {
        UInt64((probability * 0x1p63).rounded(.toNearestOrEven))
    }

    /// The count that `u` gives.
    @inlinable @inline(__always)
    public func draw(_ u: UInt64) -> Int { thresholds.index(u) }
}
