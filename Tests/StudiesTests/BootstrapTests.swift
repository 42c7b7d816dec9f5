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
        let bootstrap = Bootstrap(seed: 2, resamples: 4_000)
        let means = (0..<4_000).map { number in bootstrap.resample(number, of: 400).reduce(0) { $0 + values[$1] } / 400
        }
        let found = try #require(bootstrap.normalInterval(around: summary.mean, replicates: means))
        let expected = try #require(summary.interval)
        #expect((found.halfWidth / expected.halfWidth - 1).magnitude < 0.05)
        #expect(found.contains(summary.mean))
    }

    @Test func `what many resamples cannot tell has no interval`() {
        let bootstrap = Bootstrap(seed: 3, resamples: 10)
        func interval(_ replicates: [Double?]) -> ConfidenceInterval? {
            bootstrap.normalInterval(around: 4, replicates: replicates)
        }
        #expect(interval(Array(repeating: 4, count: 10)) == ConfidenceInterval(low: 4, high: 4))
        #expect(interval([nil] + Array(repeating: 4, count: 9)) == nil)
        #expect(interval([.infinity] + Array(repeating: 4, count: 9)) == nil)
        #expect(interval([nil] + Array(repeating: 4, count: 10)) != nil)
    }
}
