import Testing

@testable import Studies

@Suite struct BootstrapTests {
    @Test func `a seed gives the same resamples, in any order, and another seed others`() {
        let bootstrap = Bootstrap(seed: 5, resamples: 50)
        let forwards = (0..<50).map { bootstrap.resample($0, of: 12) }
        let backwards = (0..<50).reversed().map { bootstrap.resample($0, of: 12) }
        #expect(forwards == backwards.reversed())
        #expect(Set(forwards).count == 50)
        #expect(Bootstrap(seed: 6, resamples: 50).resample(0, of: 12) != forwards[0])
        #expect(Bootstrap(seed: 5, resamples: 900).resample(7, of: 12) == forwards[7])
    }

    @Test func `every run is taken equally often`() {
        let bootstrap = Bootstrap(seed: 1, resamples: 2_000)
        var taken = [Int](repeating: 0, count: 10)
        for number in 0..<2_000 { for index in bootstrap.resample(number, of: 10) { taken[index] += 1 } }
        for count in taken { #expect((count - 2_000).magnitude < 200, "\(taken)") }
    }

    @Test func `the interval of a mean is about the normal one`() throws {
        var draws = NormalDraws(seed: 31, study: 0)
        let values = draws.next(400)
        let summary = SampleSummary(values)
        let found = try #require(
            Bootstrap(seed: 2, resamples: 4_000).percentileInterval(of: values) { $0.reduce(0, +) / Double($0.count) })
        let expected = try #require(summary.interval)
        #expect((found.halfWidth / expected.halfWidth - 1).magnitude < 0.05)
        #expect(found.contains(summary.mean) && found.confidence == 0.95)
    }

    @Test func `quantiles lie between their neighbours`() {
        let sorted = [1.0, 2, 4, 8, 16]
        #expect(Bootstrap.quantile(0, of: sorted) == 1 && Bootstrap.quantile(1, of: sorted) == 16)
        #expect(Bootstrap.quantile(0.5, of: sorted) == 4 && Bootstrap.quantile(0.625, of: sorted) == 6)
    }

    @Test func `what many resamples cannot tell has no interval`() {
        let bootstrap = Bootstrap(seed: 3, resamples: 200)
        #expect(bootstrap.percentileInterval(of: [1.0]) { $0[0] } == nil)
        #expect(bootstrap.percentileInterval(of: [1.0, 2, 3]) { $0.contains(3) ? 1 : nil } == nil)
        #expect(bootstrap.percentileInterval(of: [1.0, 2, 3]) { _ in 4 } == ConfidenceInterval(low: 4, high: 4, confidence: 0.95))
    }
}
