import Statistics

/// The summary of some values of one measure, such as those of a design point's replications.
package struct SampleSummary: Hashable, Sendable {
    package let count: Int
    package let mean: Double
    /// With n − 1 in the divisor; nil for one value, which says nothing of a spread.
    package let standardDeviation: Double?
    /// Where the mean of ever more such values would lie, by Student's t; nil for one value.
    ///
    /// Exact for independent normal values, and close for others as they become more. Values of runs with different
    /// seeds are independent.
    package let interval: ConfidenceInterval?
    package let least, most: Double

    /// Deviations are summed from the mean in a second pass, so a spread that is small beside the mean is not lost.
    /// Equal values have exactly themselves as mean and exactly 0 as deviation.
    ///
    /// - Parameter values: one or more, all finite. A measure that some run does not have is for the caller to report.
    package init(_ values: [Double]) {
        precondition(!values.isEmpty && values.allSatisfy(\.isFinite), "a summary of \(values.prefix(20))")
        count = values.count
        let size = Double(values.count)
        // From the first value, so that equal values leave nothing to round; the second pass takes back what the first
        // has rounded.
        let origin = values[0]
        let first = origin + values.reduce(0) { $0 + ($1 - origin) } / size
        let left = values.reduce(0) { $0 + ($1 - first) } / size
        mean = first + left
        least = values.reduce(origin, min)
        most = values.reduce(origin, max)
        if values.count > 1 {
            let squares = values.reduce(0) { $0 + ($1 - first) * ($1 - first) }
            let deviation = (max(0, squares - size * left * left) / (size - 1)).squareRoot()
            standardDeviation = deviation
            let quantile = StudentT.quantile(ConfidenceInterval.upperShare, degreesOfFreedom: size - 1)
            interval = ConfidenceInterval(around: mean, reach: quantile * deviation / size.squareRoot())
        } else {
            standardDeviation = nil
            interval = nil
        }
    }

    /// The interval of what cannot be below 0, such as a wait, a count or a cost: it ends there; that of a share ends
    /// at 1, too.
    package func intervalOfAmount(unit: String) -> (low: Double, high: Double)? {
        let isShare = unit == "share" && most <= 1
        return interval.map { (least >= 0 ? max(0, $0.low) : $0.low, isShare ? min(1, $0.high) : $0.high) }
    }

    /// The standard deviation of the mean; nil for one value.
    package var standardError: Double? { standardDeviation.map { $0 / Double(count).squareRoot() } }

    /// The square of the standard deviation; nil for one value.
    package var variance: Double? { standardDeviation.map { $0 * $0 } }
}

/// From where to where an estimated number may lie: of all such intervals 95 % hold the true number.
///
/// The places that make intervals say how, and under which assumptions. Not a range in which single runs lie.
package struct ConfidenceInterval: Hashable, Sendable {
    /// The share of the estimates that lie below its upper end, where they vary alike to both sides.
    static let upperShare = 0.5 + 0.95 / 2

    package let low, high: Double

    /// - Parameter low: at most `high`.
    package init(low: Double, high: Double) {
        precondition(low <= high, "an interval from \(low) to \(high)")
        (self.low, self.high) = (low, high)
    }

    /// The interval that reaches equally far to both sides of `estimate`.
    ///
    /// - Parameter reach: 0 or more.
    init(around estimate: Double, reach: Double) { self.init(low: estimate - reach, high: estimate + reach) }

    /// Half the distance from end to end.
    package var halfWidth: Double { (high - low) / 2 }

    /// Whether `value` lies in it, its ends included.
    package func contains(_ value: Double) -> Bool { low <= value && value <= high }
}

/// How a measure differs between two variants that were run pairwise: the i-th values of both come from one seed, so
/// from the same people on the same days.
///
/// Since what both variants share cancels in each pair's difference, fewer runs tell them apart than independent runs
/// would. The tests are those of Student's paired t: exact for normal differences of independent pairs.
package struct PairedDifference: Hashable, Sendable {
    /// The values that are compared with: the a of b − a.
    package let baseline: SampleSummary
    /// The values that are compared: the b of b − a.
    package let variant: SampleSummary
    /// The differences b − a of the pairs: their mean, its standard error and its interval.
    package let difference: SampleSummary
    /// How likely a mean difference as far from 0 would be if there were none: two-sided, from 0 to 1.
    ///
    /// Nil for one pair. Where all differences are equal: 1 if they are 0, otherwise 0, which two pairs do not prove.
    package let pValue: Double?
    /// By how many times the variance of the mean difference is smaller than with as many independent runs: (Var a +
    /// Var b) / Var(b − a).
    ///
    /// About 1 / (1 − ρ) for equally spread variants with correlation ρ; below 1 where pairing harms. Infinite where
    /// the differences are all equal though the values vary. Nil for one pair, and where nothing varies.
    package let varianceReduction: Double?

    /// Differences that lie no further apart than the values' own rounding (four units in the last place of the
    /// largest) count as all equal.
    ///
    /// - Parameters:
    ///   - baseline: one value or more, all finite.
    ///   - variant: as many, in the same order of seeds.
    package init(baseline: [Double], variant: [Double]) {
        precondition(baseline.count == variant.count, "pairs of \(baseline.count) and \(variant.count) values")
        let (before, after) = (SampleSummary(baseline), SampleSummary(variant))
        let found = SampleSummary(zip(baseline, variant).map { $1 - $0 })
        let largest = max(before.least.magnitude, before.most.magnitude, after.least.magnitude, after.most.magnitude)
        let isConstant = found.most - found.least <= 4 * largest.ulp
        (self.baseline, self.variant) = (before, after)
        difference = isConstant ? SampleSummary([Double](repeating: found.mean, count: found.count)) : found
        pValue = difference.standardError.map { error in
            isConstant
                ? found.mean.magnitude <= 4 * largest.ulp ? 1 : 0
                : 2 * StudentT.below(-(found.mean / error).magnitude, degreesOfFreedom: Double(found.count - 1))
        }
        if let first = before.variance, let second = after.variance, let left = difference.variance, first + second > 0
        {
            varianceReduction = isConstant ? .infinity : (first + second) / left
        } else {
            varianceReduction = nil
        }
    }

    /// Whether the interval of the mean difference lies on one side of 0; nil for one pair.
    package var excludesZero: Bool? { difference.interval.map { !$0.contains(0) } }

    /// The mean difference as a share of the baseline's mean: 0.1 says that the variant's mean is a tenth higher. Nil
    /// where the baseline's mean is 0; the share of a negative mean is of its size.
    package var relativeChange: Double? { baseline.mean == 0 ? nil : difference.mean / baseline.mean.magnitude }
}

/// The variation of a statistic of a study's runs with the runs: it is computed again from resamples, which take as
/// many of the runs, each time others, some more than once and some not at all (Efron 1979).
///
/// Which runs a resample takes follows from the seed and the resample's number alone, so every statistic of one study
/// sees the same resamples. The runs must be independent of each other. Points of a quasi-random design are not: their
/// estimates vary less than resamples of them, and the intervals are wider than they would have to be.
package struct Bootstrap: Hashable, Sendable {
    /// With a thousand resamples the ends of a 95 % interval vary by about a twentieth of its half-width from seed to
    /// seed.
    package static let usualResamples = 1_000

    package let seed: UInt64
    /// 2 or more.
    package let resamples: Int

    package init(seed: UInt64, resamples: Int = usualResamples) {
        precondition(resamples >= 2, "\(resamples) resamples")
        (self.seed, self.resamples) = (seed, resamples)
    }

    /// The numbers of the runs that a resample takes: `count` of them, each below `count`.
    ///
    /// - Parameter number: from 0, below `resamples`.
    package func resample(_ number: Int, of count: Int) -> [Int] {
        precondition((0..<resamples).contains(number) && count > 0, "resample \(number) of \(count) runs")
        var stream = RandomStream(seed: seed, person: UInt64(number), purpose: .runResampling)
        return (0..<count).map { _ in Int(stream.nextIndex(below: UInt64(count))) }
    }

    /// The interval round `estimate` that reaches as many standard deviations of the resamples' statistics to either
    /// side as a normal distribution needs: how SALib makes its intervals.
    ///
    /// - Parameter replicates: the statistic of each resample, nil where it cannot be told.
    /// - Returns: nil where a tenth of the resamples or more cannot tell the statistic.
    func normalInterval(around estimate: Double, replicates: [Double?]) -> ConfidenceInterval? {
        // A statistic that many resamples cannot tell hangs on few runs.
        let told = replicates.compactMap { $0 }.filter(\.isFinite)
        guard told.count * 10 > replicates.count * 9, let deviation = SampleSummary(told).standardDeviation else {
            return nil
        }
        return ConfidenceInterval(
            around: estimate, reach: SpecialFunctions.normalQuantile(ConfidenceInterval.upperShare) * deviation)
    }
}
