import Statistics
import Testing

@testable import Studies

/// That intervals hold the true number as often as they say, over synthetic studies. A share of 95 % over 2,000 studies
/// has a standard error of half a percentage point: the bound of 1.5 points is three of them.
@Suite struct IntervalCoverageTests {
    private static let studies = 2_000

    private static func coverage(_ isCovered: (Int) -> Bool?) -> Double {
        Double((0..<studies).count { isCovered($0) == true }) / Double(studies)
    }

    @Test(arguments: [2, 3, 5, 10, 30]) func `t intervals of replications cover 95 %`(count: Int) {
        let coverage = Self.coverage { study in
            var draws = NormalDraws(seed: 11, study: study)
            return SampleSummary(draws.next(count).map { 1_000 + 50 * $0 }).interval?.contains(1_000)
        }
        #expect((coverage - 0.95).magnitude < 0.015, "\(coverage)")
    }

    @Test(arguments: [(2, 0.5), (5, 0.0), (5, 0.9), (20, 0.99)])
    func `t intervals of paired differences cover 95 %, and exclude 0 one time in twenty where there is nothing`(
        count: Int, correlation: Double
    ) {
        var rejected = 0
        let coverage = Self.coverage { study in
            var draws = NormalDraws(seed: 13, study: study)
            let pairs = correlatedPairs(count, correlation, &draws)
            let nothing = PairedDifference(baseline: pairs.baseline, variant: pairs.variant)
            if nothing.excludesZero == true { rejected += 1 }
            #expect((nothing.pValue ?? 1 < 0.05) == nothing.excludesZero)
            let moved = PairedDifference(baseline: pairs.baseline, variant: pairs.variant.map { $0 + 0.3 })
            return moved.difference.interval?.contains(0.3)
        }
        #expect((coverage - 0.95).magnitude < 0.015, "\(coverage)")
        #expect((Double(rejected) / Double(Self.studies) - 0.05).magnitude < 0.015, "\(rejected)")
    }

    /// The statement of `SobolIndices` about its intervals.
    @Test func `intervals of Sobol indices hold the known ones at least as often as they say`() throws {
        let function = TestFunction.ishigami
        var (first, total) = ([0, 0, 0], [0, 0, 0])
        for seed in 0..<200 as Range<UInt64> {
            let design = SaltelliDesign(factors: 3, base: 128, seed: seed)
            for indices in try #require(design.indices(of: design.points.map(function.value), resamples: 200)) {
                let factor = indices.factor
                if try #require(indices.firstInterval).contains(function.first[factor]) { first[factor] += 1 }
                if try #require(indices.totalInterval).contains(function.total[factor]) { total[factor] += 1 }
            }
        }
        #expect((first + total).allSatisfy { $0 >= 190 }, "\(first), \(total)")
    }

    /// The statement of `MorrisEffect` about its interval: of the mean size over the whole grid, too seldom with few
    /// trajectories.
    @Test(arguments: [(10, 0.65...0.93), (50, 0.88...0.97)])
    func `intervals of mu star hold the true one less often than they say`(
        trajectories: Int, expected: ClosedRange<Double>
    ) throws {
        let function = TestFunction.ishigami
        let large = MorrisDesign(factors: 3, trajectories: 50_000, levels: 6, seed: 99)
        let sizes = large.effects(of: large.points.map(function.value), resamples: 2).map(\.muStar)
        var covered = [0, 0, 0]
        for seed in 0..<500 as Range<UInt64> {
            let design = MorrisDesign(factors: 3, trajectories: trajectories, levels: 6, seed: seed)
            for effect in design.effects(of: design.points.map(function.value), resamples: 200)
            where try #require(effect.muStarInterval).contains(sizes[effect.factor]) { covered[effect.factor] += 1 }
        }
        #expect(covered.allSatisfy { expected.contains(Double($0) / 500) }, "\(covered)")
    }
}

/// Pairs of standard normal values with a correlation.
func correlatedPairs(_ count: Int, _ correlation: Double, _ draws: inout NormalDraws) -> (
    baseline: [Double], variant: [Double]
) {
    let baseline = draws.next(count)
    let own = draws.next(count)
    return (baseline, zip(baseline, own).map { correlation * $0 + (1 - correlation * correlation).squareRoot() * $1 })
}
