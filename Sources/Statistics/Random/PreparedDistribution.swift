import Basics

/// A checked distribution ready to draw from: one 64-bit number a draw, monotone in it, no C library.
///
/// A plain value of some numbers and a table's address; copying it costs no reference count.
@frozen public struct PreparedDistribution: Sendable, BitwiseCopyable {
    /// How a draw comes from its number.
    @frozen @usableFromInline enum Form: UInt8, Sendable {
        /// The location.
        case constant
        /// The location and the scale times the fraction.
        case uniform
        /// The location and the scale times the table's quantile.
        case scaled
        /// 2 to the power of the location and the scale times the table's quantile.
        case power
    }

    @usableFromInline let table: QuantileTable
    @usableFromInline let location: Double
    @usableFromInline let scale: Double
    /// Added to a power only; the other forms have it in their location.
    @usableFromInline let shift: Double
    /// The bounds to which draws are clipped; infinite where they are not.
    public let lowerBound: Double
    public let upperBound: Double
    @usableFromInline let form: Form

    /// One draw, clipped to the range. In the unit of the distribution.
    @inlinable @inline(__always)
    public func draw(_ u: UInt64) -> Double {
        let value = unclipped(u)
        return value < lowerBound ? lowerBound : value > upperBound ? upperBound : value
    }

    /// The draw before it is clipped.
    @inlinable @inline(__always)
    public func unclipped(_ u: UInt64) -> Double {
        switch form {
        case .constant: location
        case .uniform: location + scale * RandomStream.uniform(u)
        case .scaled: location + scale * table.value(u)
        case .power: shift + DeterministicMath.exp2(location + scale * table.value(u))
        }
    }
}

extension Distribution {
    /// The distribution ready to draw from, its table taken from `tables` or made there.
    ///
    /// A draw can overflow only where the distribution's parameters do; a lognormal of a huge sigma gives infinity in
    /// the far tail unless it is clipped.
    public func prepared(with tables: inout StandardTables) throws(DistributionProblem) -> PreparedDistribution {
        try check()
        switch shape {
        case .constant(let value):
            return prepared(.constant, tables.normal, location: value + shift, scale: 0)
        case .uniform(let min, let max):
            return prepared(.uniform, tables.normal, location: min + shift, scale: max - min)
        case .exponential(let mean):
            return prepared(.scaled, tables.exponential, location: shift, scale: mean)
        case .normal(let mean, let deviation):
            return prepared(.scaled, tables.normal, location: mean + shift, scale: deviation)
        case .lognormal(let median, let sigma):
            if StandardShape.sigmaRange.contains(sigma) {
                return prepared(
                    .scaled, try tables.table(for: .lognormal(sigma: sigma)), location: shift, scale: median)
            }
            // log2(e), to turn the natural logarithm's sigma into that of base 2.
            return prepared(
                .power, tables.normal, location: DeterministicMath.log2(median), scale: sigma * 0x1.71547652b82fep0)
        case .gamma(let shape, let mean):
            return prepared(.scaled, try tables.table(for: .gamma(shape: shape)), location: shift, scale: mean / shape)
        case .studentT(let mean, let scale, let degrees):
            return prepared(
                .scaled, try tables.table(for: .studentT(degrees: degrees)), location: mean + shift, scale: scale)
        case .quantiles(let curve):
            return prepared(.scaled, try tables.table(for: .quantiles(curve)), location: shift, scale: 1)
        }
    }

    private func prepared(_ form: PreparedDistribution.Form, _ table: QuantileTable, location: Double, scale: Double)
        -> PreparedDistribution
    {
        PreparedDistribution(
            table: table, location: location, scale: scale, shift: shift, lowerBound: range?.lowerBound ?? -.infinity,
            upperBound: range?.upperBound ?? .infinity, form: form)
    }
}

/// A checked distribution of durations ready to draw from: seconds in the distribution, a `Duration` in the draw.
///
/// Every draw follows one rule: the distribution's seconds, times a factor where the caller has one, to the nearest
/// microsecond (`Duration.init(seconds:)`), and no less than the `least` that the distribution was prepared with.
/// Nothing else is cut.
@frozen public struct DurationDistribution: Sendable, BitwiseCopyable {
    /// The distribution in seconds, for means and other moments at set-up.
    public let seconds: PreparedDistribution
    /// The lower bound of every draw: 0 for a length, a microsecond where what begins must end later, less than any
    /// draw for an offset of either sign.
    public let least: Duration

    /// One draw. It does not fall with `u`.
    @inlinable @inline(__always)
    public func draw(_ u: UInt64) -> Duration { max(least, Duration(seconds: seconds.draw(u))) }

    /// One draw of the distribution, times a factor of 0 or more.
    @inlinable @inline(__always)
    public func draw(_ u: UInt64, times factor: Double) -> Duration {
        max(least, Duration(seconds: seconds.draw(u) * factor))
    }
}

extension Distribution {
    /// The distribution in seconds as one of lengths, its table taken from `tables` or made there.
    ///
    /// - Parameter least: 0 or more. A distribution that can draw less than 0 is a problem: its `range` says where its
    ///   draws are clipped.
    public func preparedDurations(atLeast least: Duration = .zero, with tables: inout StandardTables)
        throws(DistributionProblem)
        -> DurationDistribution
    {
        guard leastDraw >= 0 else {
            throw DistributionProblem(
                name: "duration", found: "a distribution that reaches below 0", expected: "lengths of 0 or more")
        }
        return DurationDistribution(seconds: try prepared(with: &tables), least: least)
    }

    /// The distribution in seconds as one of offsets, which can be of either sign: jitter, or how far a time lies from
    /// the usual one.
    public func preparedOffsets(with tables: inout StandardTables) throws(DistributionProblem) -> DurationDistribution {
        DurationDistribution(
            seconds: try prepared(with: &tables), least: Duration(microseconds: -Duration.longest.microseconds))
    }
}

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
