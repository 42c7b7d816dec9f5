import Testing

@testable import Studies

@Suite struct SampleSummaryTests {
    @Test func `five values have the figures of a hand calculation`() throws {
        let summary = SampleSummary([4, 8, 6, 5, 3])
        #expect(summary.count == 5 && summary.least == 3 && summary.most == 8)
        #expect((summary.mean - 5.2).magnitude < 1e-15)
        let deviation = try #require(summary.standardDeviation)
        #expect((deviation - 3.7.squareRoot()).magnitude < 1e-15)
        // Four degrees of freedom: 2.776445.
        let interval = try #require(summary.interval)
        #expect((interval.halfWidth - 2.776445105198 * (3.7 / 5).squareRoot()).magnitude < 1e-8)
        #expect(((interval.low + interval.high) / 2 - 5.2).magnitude < 1e-14)
        #expect((try #require(summary.standardError) - (3.7 / 5).squareRoot()).magnitude < 1e-15)
    }

    @Test func `one value has a mean and nothing of a spread`() {
        let summary = SampleSummary([-2.5])
        #expect(summary.mean == -2.5 && summary.least == -2.5 && summary.most == -2.5)
        #expect(
            summary.standardDeviation == nil && summary.interval == nil && summary.standardError == nil
                && summary.variance == nil)
    }

    @Test(arguments: [0.1, 1e300, -7, 1e-300, 0]) func `equal values have exactly themselves as mean and no deviation`(
        value: Double
    ) {
        let summary = SampleSummary([Double](repeating: value, count: 7))
        #expect(summary.mean == value && summary.standardDeviation == 0)
        #expect(summary.interval == ConfidenceInterval(low: value, high: value))
    }

    @Test func `a spread that is tiny beside the mean is kept`() throws {
        let offsets = [0.0, 0.25, 0.5, 0.75, 1]
        let summary = SampleSummary(offsets.map { 1e12 + $0 })
        #expect((try #require(summary.standardDeviation) - 0.15625.squareRoot()).magnitude < 1e-12)
        #expect(summary.mean == 1e12 + 0.5)
        // Also where the first value is an outlier.
        let mixed = SampleSummary([0] + (0..<999).map { _ in 1e9 })
        #expect((mixed.mean / 999e6 - 1).magnitude < 1e-14)
    }

    @Test func `a shift moves the mean alone, a scale scales all, and the order does not matter`() throws {
        let values = [3.25, -1.5, 8, 0.125, 2, 2]
        let summary = SampleSummary(values)
        let deviation = try #require(summary.standardDeviation)
        let moved = SampleSummary(values.map { $0 + 64 })
        #expect(moved.mean == summary.mean + 64)
        #expect((try #require(moved.standardDeviation) - deviation).magnitude < 1e-14)
        let scaled = SampleSummary(values.map { $0 * -8 })
        #expect(scaled.mean == summary.mean * -8 && scaled.least == summary.most * -8)
        #expect(try #require(scaled.standardDeviation) == deviation * 8)
        let reversed = SampleSummary(values.reversed())
        #expect((reversed.mean - summary.mean).magnitude < 1e-15)
        #expect((try #require(reversed.standardDeviation) - deviation).magnitude < 1e-15)
    }

    @Test func `intervals know what they hold`() {
        let interval = ConfidenceInterval(low: -1, high: 3)
        #expect(interval.halfWidth == 2 && interval.contains(-1) && interval.contains(3) && !interval.contains(3.1))
    }
}
