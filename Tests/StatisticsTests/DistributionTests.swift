import Testing

@testable import Statistics

@Suite struct DistributionTests {
    /// A distribution with its textbook mean, variance and kurtosis (the fourth central moment over the squared
    /// variance).
    struct Textbook: CustomTestStringConvertible {
        let distribution: Distribution
        let mean, variance, kurtosis: Double

        var testDescription: String { "\(distribution.shape)" }
    }

    static let textbook: [Textbook] = [
        Textbook(distribution: Distribution(.uniform(min: -2, max: 4)), mean: 1, variance: 3, kurtosis: 1.8),
        Textbook(distribution: Distribution(.exponential(mean: 5), shift: 2), mean: 7, variance: 25, kurtosis: 9),
        Textbook(
            distribution: Distribution(.normal(mean: -3, standardDeviation: 2)), mean: -3, variance: 4, kurtosis: 3),
        Textbook(
            distribution: Distribution(.gamma(shape: 3.1, mean: 80)), mean: 80, variance: 6400 / 3.1,
            kurtosis: 3 + 6 / 3.1),
        Textbook(
            distribution: Distribution(.gamma(shape: 0.73, mean: 712)), mean: 712, variance: 712 * 712 / 0.73,
            kurtosis: 3 + 6 / 0.73),
        Textbook(
            distribution: Distribution(.studentT(mean: 1, scale: 2, degrees: 6.5)), mean: 1, variance: 4 * 6.5 / 4.5,
            kurtosis: 3 + 6 / 2.5),
        // σ² = ¼: w = e^¼; mean e^⅛ × median, variance (w − 1) mean², kurtosis w⁴ + 2w³ + 3w² − 3.
        Textbook(
            distribution: Distribution(.lognormal(median: 40, sigma: 0.5)), mean: 45.32593812, variance: 583.5133664,
            kurtosis: 8.898446),
    ]

    @Test(arguments: textbook)
    func `a million draws have the distribution's mean and variance within five standard errors`(_ textbook: Textbook)
        throws
    {
        var tables = StandardTables()
        let prepared = try textbook.distribution.prepared(with: &tables)
        var stream = RandomStream(seed: 20_260_614, person: 1, purpose: .pickup)
        let count = 1_000_000.0
        var sum = 0.0
        var squares = 0.0
        for _ in 0..<1_000_000 {
            let x = prepared.draw(stream.next()) - textbook.mean
            sum += x
            squares += x * x
        }
        #expect((sum / count).magnitude < 5 * (textbook.variance / count).squareRoot())
        let variance = squares / count
        #expect(
            (variance - textbook.variance).magnitude < 5 * textbook.variance
                * ((textbook.kurtosis - 1) / count).squareRoot())
        #expect(try (textbook.distribution.mean() / textbook.mean - 1).magnitude < 1e-9)
    }

    @Test func `a constant draws itself and its shift`() throws {
        var tables = StandardTables()
        let prepared = try Distribution(.constant(3), shift: 0.5).prepared(with: &tables)
        #expect([0, 1 << 63, .max].allSatisfy { prepared.draw($0) == 3.5 })
    }

    @Test func `the median of a lognormal is its median, and its shift comes on top`() throws {
        var tables = StandardTables()
        let prepared = try Distribution(.lognormal(median: 166, sigma: 2.03), shift: 10).prepared(with: &tables)
        #expect((prepared.draw(1 << 63) - 176).magnitude < 1e-6)
    }

    @Test func `a lognormal by its 95th percentile has it`() throws {
        var tables = StandardTables()
        let prepared = try Distribution.lognormal(median: 40, p95: 700).prepared(with: &tables)
        let u = UInt64(0.95 * 0x1p64)
        #expect((prepared.draw(u) / 700 - 1).magnitude < 1e-6)
        let certain = try Distribution.lognormal(median: 40, p95: 40).prepared(with: &tables)
        #expect(certain.draw(.max) == certain.draw(0))
    }

    @Test func `draws never fall as the number rises`() throws {
        var tables = StandardTables()
        let distributions =
            Self.textbook.map(\.distribution) + [
                Distribution(.lognormal(median: 3, sigma: 0.01), clippedTo: 2.98...3.02)
            ]
        let numbers = (QuantileTableTests.tailNumbers(perOctave: 50).flatMap { [$0, $0 &+ 1, ~$0, ~$0 &- 1] }).sorted()
        for distribution in distributions {
            let prepared = try distribution.prepared(with: &tables)
            for (u, v) in zip(numbers, numbers.dropFirst()) where prepared.draw(u) > prepared.draw(v) {
                Issue.record("\(distribution): \(u) gives \(prepared.draw(u)), \(v) gives \(prepared.draw(v))")
            }
        }
    }

    private static let ends: [(Distribution, Double)] = [
        (Distribution(.constant(3), shift: 0.5), 3.5), (Distribution(.uniform(min: 2, max: 5), shift: 1), 3),
        (Distribution(.exponential(mean: 5), shift: 0.02), 0.02), (Distribution(.gamma(shape: 0.3, mean: 8)), 0),
        (Distribution(.lognormal(median: 40, sigma: 1)), 0),
        (Distribution(.lognormal(median: 40, sigma: 0), shift: 2), 2),
        (Distribution(.normal(mean: 9, standardDeviation: 1)), -Double.infinity),
        (Distribution(.normal(mean: 9, standardDeviation: 0)), 9),
        (Distribution(.studentT(mean: 9, scale: 1, degrees: 3)), -Double.infinity),
        (Distribution(.studentT(mean: 9, scale: 0, degrees: 3)), 9),
        (Distribution(.normal(mean: 9, standardDeviation: 1), clippedTo: 4...20), 4),
        (Distribution(.exponential(mean: 5), shift: 3, clippedTo: 1...20), 3),
        (Distribution(.exponential(mean: 5), shift: 3, clippedTo: 0...2), 2),
    ]

    @Test(arguments: ends)
    func `no draw lies below the least one`(_ distribution: Distribution, _ least: Double) throws {
        #expect(distribution.leastDraw == least)
        var tables = StandardTables()
        let prepared = try distribution.prepared(with: &tables)
        #expect(prepared.draw(0) >= least && prepared.draw(1) >= least)
    }

    @Test func `clipped draws stand on the bound, the others where they were`() throws {
        var tables = StandardTables()
        let free = try Distribution(.normal(mean: 0, standardDeviation: 1)).prepared(with: &tables)
        let prepared = try Distribution(.normal(mean: 0, standardDeviation: 1), clippedTo: -1...2).prepared(
            with: &tables)
        var stream = RandomStream(seed: 5, person: 2, purpose: .nightWake)
        var onBound = 0
        for _ in 0..<100_000 {
            let u = stream.next()
            let x = prepared.draw(u)
            #expect(x == min(max(free.draw(u), -1), 2))
            if x == -1 || x == 2 { onBound += 1 }
        }
        // P(Z < −1) + P(Z > 2) = 0.158655 + 0.022750.
        let p = 0.181405
        #expect((Double(onBound) - 100_000 * p).magnitude < 5 * (100_000 * p * (1 - p)).squareRoot())
    }

    @Test(arguments: [
        (Distribution.Shape.constant(.nan), "constant"), (.uniform(min: 2, max: 1), "uniform.max"),
        (.uniform(min: .nan, max: 1), "uniform.min"),
        (.exponential(mean: -2), "exponential.mean"), (.exponential(mean: 0), "exponential.mean"),
        (.normal(mean: 0, standardDeviation: -1), "normal.sd"),
        (.normal(mean: .infinity, standardDeviation: 1), "normal.mean"),
        (.lognormal(median: 0, sigma: 1), "lognormal.median"), (.lognormal(median: 1, sigma: -0.1), "lognormal.sigma"),
        (.lognormal(median: 1, sigma: 21), "lognormal.sigma"), (.gamma(shape: 0.1, mean: 1), "gamma.shape"),
        (.gamma(shape: 1, mean: -1), "gamma.mean"), (.studentT(mean: 0, scale: -1, degrees: 3), "studentT.scale"),
        (.studentT(mean: 0, scale: 1, degrees: 1), "studentT.degrees"),
        (.studentT(mean: 0, scale: 1, degrees: .nan), "studentT.degrees"),
    ])
    func `a distribution with a wrong parameter is a problem that names it`(_ shape: Distribution.Shape, _ name: String)
    {
        var tables = StandardTables()
        let problem = #expect(throws: DistributionProblem.self) { try Distribution(shape).prepared(with: &tables) }
        #expect(problem?.name == name)
        #expect(throws: DistributionProblem.self) { try Distribution(shape).mean() }
    }

    @Test func `a problem reads as a sentence`() {
        var tables = StandardTables()
        let problem = #expect(throws: DistributionProblem.self) {
            try Distribution(.gamma(shape: 0.05, mean: 1)).prepared(with: &tables)
        }
        #expect(problem?.description == "gamma.shape: expected a number from 0.2 to 1000.0, found 0.05")
        #expect(throws: DistributionProblem.self) { try Distribution.lognormal(median: 40, p95: 39) }
        #expect(throws: DistributionProblem.self) { try Distribution(.constant(1), shift: .infinity).check() }
    }
}
