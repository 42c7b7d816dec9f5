import Statistics

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
