import Testing

@testable import Studies

@Suite struct PairedDifferenceTests {
    /// Student's own example (1908): hours of sleep gained by ten patients with two drugs; t = 4.0621 and p = 0.002833
    /// are in every textbook.
    @Test func `Student's sleep data have their published figures`() throws {
        let first = [0.7, -1.6, -0.2, -1.2, -0.1, 3.4, 3.7, 0.8, 0.0, 2.0]
        let second = [1.9, 0.8, 1.1, 0.1, -0.1, 4.4, 5.5, 1.6, 4.6, 3.4]
        let pairs = PairedDifference(baseline: first, variant: second)
        #expect((pairs.difference.mean - 1.58).magnitude < 1e-14)
        let interval = try #require(pairs.difference.interval)
        #expect((interval.low - 0.7001142).magnitude < 1e-6 && (interval.high - 2.4598858).magnitude < 1e-6)
        #expect((try #require(pairs.pValue) - 0.002832890197).magnitude < 1e-10)
        #expect((1.58 / (try #require(pairs.difference.standardError)) - 4.062127683).magnitude < 1e-8)
        #expect(pairs.excludesZero == true)
        #expect((try #require(pairs.relativeChange) - (2.33 / 0.75 - 1)).magnitude < 1e-12)
    }

    @Test(arguments: [0.0, 0.5, 0.9, 0.99, -0.5]) func `correlated pairs have the variance reduction 1 / (1 − ρ)`(
        correlation: Double
    )
        throws
    {
        var draws = NormalDraws(seed: 21, study: 0)
        let pairs = correlatedPairs(20_000, correlation, &draws)
        let found = PairedDifference(baseline: pairs.baseline, variant: pairs.variant)
        let reduction = try #require(found.varianceReduction)
        #expect((reduction * (1 - correlation) - 1).magnitude < 0.03, "\(reduction)")
    }

    @Test func `one pair has a difference and no test`() {
        let pairs = PairedDifference(baseline: [4], variant: [5])
        #expect(pairs.difference.mean == 1 && pairs.relativeChange == 0.25)
        #expect(
            pairs.pValue == nil && pairs.varianceReduction == nil && pairs.excludesZero == nil
                && pairs.difference.interval == nil)
    }

    @Test func `equal differences of varying values reduce the variance without bound`() {
        // In binary, 0.3 more is not the same amount more for each of these.
        let baseline = [0.1, 0.7, 1.1, 100.9]
        let pairs = PairedDifference(baseline: baseline, variant: baseline.map { $0 + 0.3 })
        #expect(pairs.varianceReduction == .infinity && pairs.pValue == 0 && pairs.excludesZero == true)
        #expect(pairs.difference.standardDeviation == 0)
        let same = PairedDifference(baseline: baseline, variant: baseline)
        #expect(
            same.varianceReduction == .infinity && same.pValue == 1 && same.excludesZero == false
                && same.relativeChange == 0)
    }

    @Test func `where nothing varies there is no variance to reduce`() {
        let pairs = PairedDifference(baseline: [3, 3, 3], variant: [4, 4, 4])
        #expect(pairs.varianceReduction == nil && pairs.pValue == 0 && pairs.difference.mean == 1)
    }

    @Test func `a mean of 0 has no relative change, and that of a negative mean is of its size`() {
        #expect(PairedDifference(baseline: [-1, 1], variant: [1, 2]).relativeChange == nil)
        #expect(PairedDifference(baseline: [-4, -4], variant: [-3, -3]).relativeChange == 0.25)
    }

    @Test func `exchanging the two changes the sign and nothing else`() throws {
        let (a, b) = ([1.0, 4, 2.5, 8], [1.5, 4, 3.5, 7.25])
        let there = PairedDifference(baseline: a, variant: b)
        let back = PairedDifference(baseline: b, variant: a)
        #expect(there.difference.mean == -back.difference.mean && there.pValue == back.pValue)
        #expect(try #require(there.difference.interval).low == -(try #require(back.difference.interval).high))
        #expect((try #require(there.varianceReduction) / (try #require(back.varianceReduction)) - 1).magnitude < 1e-14)
    }
}
