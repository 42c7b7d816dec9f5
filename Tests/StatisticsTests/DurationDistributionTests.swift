import Basics
import Testing

@testable import Statistics

@Suite struct DurationDistributionTests {
    static let numbers: [UInt64] = [0, 1, 1 << 20, 1 << 63, 3 << 62, .max - (1 << 20), .max]

    /// Distributions of a second to months, with the tails that a scenario can give them.
    static let distributions: [Distribution] = [
        Distribution(.constant(30 * 86_400)), Distribution(.constant(0.000_057)),
        Distribution(.uniform(min: 0, max: 400 * 86_400)),
        Distribution(.exponential(mean: 30 * 86_400)), Distribution(.lognormal(median: 3_600, sigma: 2.5), shift: 20),
        Distribution(.gamma(shape: 0.3, mean: 90 * 86_400)),
        Distribution(.studentT(mean: 86_400, scale: 50_000, degrees: 2), clippedTo: 0...(.infinity)),
    ]

    @Test(arguments: distributions) func `no draw of a length is cut: it is the distribution's to the microsecond`(
        _ distribution: Distribution
    ) throws {
        var tables = StandardTables()
        let seconds = try distribution.prepared(with: &tables)
        let lengths = try distribution.preparedDurations(with: &tables)
        for u in Self.numbers {
            let drawn = lengths.draw(u)
            let apart = (Double(drawn.microseconds) - seconds.draw(u) * 1e6).magnitude
            #expect(drawn == .longest || apart <= 0.5 + seconds.draw(u) * 1e-9, "\(u) of \(distribution.shape)")
            #expect(
                drawn == .longest
                    || (lengths.draw(u, times: 3).inSeconds - 3 * seconds.draw(u)).magnitude <= 1e-6 + seconds.draw(u)
                        * 1e-9
            )
        }
    }

    @Test func `a stated length comes back to the microsecond, whatever its decimals`() throws {
        var tables = StandardTables()
        for microseconds in [1, 57, 1_001, 57_000, 999_999, 1_001_001, 86_399_999_999, 366 * 86_400_000_000] as [Int64]
        {
            let distribution = Distribution(.constant(Duration(microseconds: microseconds).inSeconds))
            #expect(try distribution.preparedDurations(with: &tables).draw(1 << 40).microseconds == microseconds)
            #expect(
                try Distribution(.constant(-distribution.leastDraw)).preparedOffsets(with: &tables).draw(7).microseconds
                    == -microseconds)
        }
    }

    @Test func `what is longer than any run is the longest duration, and can be added to an instant`() throws {
        var tables = StandardTables()
        let distribution = try Distribution(.lognormal(median: 1e9, sigma: 20)).preparedDurations(with: &tables)
        #expect(distribution.draw(.max) == .longest)
        #expect(Instant.start + .days(4_000) + distribution.draw(.max) > .start + .days(1_000_000))
        #expect(
            Duration(seconds: .infinity) == .longest
                && Duration(seconds: -.infinity).microseconds == -Duration.longest.microseconds)
    }

    @Test func `a length that can be below nothing is refused, an offset is not, and the least holds`() throws {
        var tables = StandardTables()
        let normal = Distribution(.normal(mean: 0, standardDeviation: 60))
        #expect(throws: DistributionProblem.self) { try normal.preparedDurations(with: &tables) }
        #expect(try normal.preparedOffsets(with: &tables).draw(1 << 60).microseconds < 0)
        #expect(
            try Distribution.zero.preparedDurations(atLeast: .microsecond, with: &tables).draw(3)
                == .microsecond)
    }

    @Test func `arrivals are a Poisson process: gaps of the mean, and nothing that never comes`() {
        let tables = StandardTables()
        let arrivals = RandomArrivals(perDay: 24, tables.exponential)
        var numbers = RandomStream(seed: 9, person: 4, purpose: .reboot)
        var at = Instant.start
        let count = 100_000
        for _ in 0..<count { at = arrivals.next(after: at, numbers.next()) }
        #expect(((at - .start).inSeconds / Double(count) - 3_600).magnitude < 5 * 3_600 / Double(count).squareRoot())
        #expect(!RandomArrivals(perDay: 0, tables.exponential).everCome)
        #expect(RandomArrivals(perYear: 0, tables.exponential).next(after: .start, 5) == .never)
    }
}
