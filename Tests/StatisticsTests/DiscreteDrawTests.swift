import CGSL
import Testing

@testable import Statistics

@Suite struct BernoulliTests {
    @Test func `probability 0 never holds and probability 1 always does`() throws {
        let (never, always) = try (Bernoulli(probability: 0), Bernoulli(probability: 1))
        for u in [0, 1, 2, 1 << 63, .max - 1, .max] as [UInt64] {
            #expect(!never.holds(u) && always.holds(u))
        }
        #expect(never == .never)
    }

    @Test func `a half splits the numbers exactly`() throws {
        let half = try Bernoulli(probability: 0.5)
        #expect(half.holds(1 << 63 - 1) && !half.holds(1 << 63))
        let quarter = try Bernoulli(probability: 0.25)
        #expect(quarter.holds(1 << 62 - 1) && !quarter.holds(1 << 62))
    }

    @Test func `what holds at a probability holds at a greater one`() throws {
        var stream = RandomStream(seed: 1, person: 1, purpose: .commuter)
        let (lesser, greater) = try (Bernoulli(probability: 0.3), Bernoulli(probability: 0.31))
        var held = 0
        for _ in 0..<100_000 {
            let u = stream.next()
            if lesser.holds(u) {
                held += 1
                #expect(greater.holds(u))
            }
        }
        #expect((Double(held) - 30_000).magnitude < 5 * (100_000 * 0.3 * 0.7).squareRoot())
    }

    @Test(arguments: [-0.001, 1.001, .nan, .infinity])
    func `what is not a probability is a problem`(_ probability: Double) {
        #expect(throws: DistributionProblem.self) { try Bernoulli(probability: probability) }
    }
}

@Suite struct DiscreteChoiceTests {
    /// The probability of a chi-square at least that of the counts.
    static func chiSquareTail(_ counts: [Int], _ probabilities: [Double]) -> Double {
        let total = Double(counts.reduce(0, +))
        var sum = 0.0
        for (count, probability) in zip(counts, probabilities) where probability > 0 {
            let expected = total * probability
            sum += (Double(count) - expected) * (Double(count) - expected) / expected
        }
        return gsl_cdf_chisq_Q(sum, Double(probabilities.count { $0 > 0 } - 1))
    }

    @Test func `choices come in the shares of their weights`() throws {
        let weights = [0.2, 0, 0.02, 0.07, 0.2, 0.2, 0, 0.07, 0.14, 0.1, 0]
        let choice = try DiscreteChoice(weights: weights)
        var counts = [Int](repeating: 0, count: weights.count)
        var stream = RandomStream(seed: 77, person: 0, purpose: .city)
        for _ in 0..<500_000 { counts[choice.index(stream.next())] += 1 }
        #expect(Self.chiSquareTail(counts, weights) > 1e-4)
        #expect(counts[1] == 0 && counts[6] == 0 && counts[10] == 0)
    }

    @Test func `a weight of 0 is not chosen even at the ends`() throws {
        let choice = try DiscreteChoice(weights: [0, 0, 3, 0, 1, 0])
        #expect(choice.index(0) == 2 && choice.index(.max) == 4)
        #expect(choice.index(3 << 62 - 1) == 2 && choice.index(3 << 62) == 4)
    }

    @Test func `the search agrees with a scan for many alternatives`() throws {
        let weights = (0..<1000).map { Double($0 % 7) * Double($0 % 11) }
        let choice = try DiscreteChoice(weights: weights)
        let thresholds = (0..<1000).map { choice.thresholds.thresholds[$0] }
        var stream = RandomStream(seed: 4, person: 4, purpose: .instanceChoice)
        for _ in 0..<20_000 {
            let u = stream.next()
            #expect(choice.index(u) == thresholds.firstIndex { $0 > u >> 1 })
        }
    }

    @Test(arguments: [[], [0, 0], [1, -1], [1, .nan], [.infinity], [1e308, 1e308]])
    func `weights that leave nothing to choose from are a problem`(_ weights: [Double]) {
        #expect(throws: DistributionProblem.self) { try DiscreteChoice(weights: weights) }
    }
}

@Suite struct CountDistributionTests {
    /// The thresholds as cumulative probabilities, and the probabilities above, which keep small tails.
    static func tails(_ count: PreparedCount, _ value: Int) -> (below: Double, above: Double) {
        let threshold = count.thresholds.thresholds[value]
        return (Double(threshold) * 0x1p-63, Double((1 << 63) - threshold) * 0x1p-63)
    }

    @Test(arguments: [0.01, 0.5, 1, 5.9, 42, 499])
    func `Poisson counts have GSL's cumulative probabilities, both tails`(_ mean: Double) throws {
        let count = try CountDistribution.poisson(mean: mean).prepared()
        for value in 0..<(count.thresholds.count - 1) {
            let (below, above) = Self.tails(count, value)
            let (p, q) = (gsl_cdf_poisson_P(UInt32(value), mean), gsl_cdf_poisson_Q(UInt32(value), mean))
            // The thresholds are whole numbers of 2^-63: that, and 1e-11 of the tail.
            #expect((below - p).magnitude < 1e-11 * p + 0x1p-62, "P(\(value))")
            #expect((above - q).magnitude < 1e-11 * q + 0x1p-62, "Q(\(value))")
        }
    }

    /// GSL's own error is 1e-11 at a k of 10^6, by comparison with sums in 40 digits, in which the thresholds here are
    /// within 1e-13.
    @Test(arguments: [(80.0, 14.5), (1.96, 1.62), (5.9, 0.1), (500, 1e6), (0.3, 3), (500, 1)])
    func `negative binomial counts have GSL's cumulative probabilities, both tails`(_ mean: Double, _ k: Double) throws
    {
        let count = try CountDistribution.negativeBinomial(mean: mean, k: k).prepared()
        for value in stride(from: 0, to: count.thresholds.count - 1, by: 3) {
            let (below, above) = Self.tails(count, value)
            let p = gsl_cdf_negative_binomial_P(UInt32(value), k / (k + mean), k)
            let q = gsl_cdf_negative_binomial_Q(UInt32(value), k / (k + mean), k)
            #expect((below - p).magnitude < 1e-10 * p + 0x1p-62, "P(\(value))")
            #expect((above - q).magnitude < 1e-10 * q + 0x1p-62, "Q(\(value))")
        }
    }

    @Test func `a mean of 0 always counts 0`() throws {
        for distribution in [CountDistribution.poisson(mean: 0), .negativeBinomial(mean: 0, k: 2)] {
            let count = try distribution.prepared()
            #expect(count.draw(0) == 0 && count.draw(.max) == 0)
        }
    }

    @Test func `a million counts have the mean and the variance`() throws {
        let count = try CountDistribution.negativeBinomial(mean: 5.9, k: 1.62).prepared()
        var stream = RandomStream(seed: 8, person: 8, purpose: .appWakeUp)
        var sum = 0
        var squares = 0
        for _ in 0..<1_000_000 {
            let value = count.draw(stream.next())
            sum += value
            squares += value * value
        }
        let mean = Double(sum) / 1e6
        let variance = 5.9 + 5.9 * 5.9 / 1.62
        #expect((mean - 5.9).magnitude < 5 * (variance / 1e6).squareRoot())
        // Kurtosis 3 + 6/k + p² / ((1 − p) k) with p = k / (k + mean): 6.73.
        #expect((Double(squares) / 1e6 - mean * mean - variance).magnitude < 5 * variance * (5.8 / 1e6).squareRoot())
    }

    @Test func `thresholds that are wanted again take no further memory`() throws {
        let first = try CountDistribution.poisson(mean: 37.25).prepared(),
            again = try CountDistribution.poisson(mean: 37.25).prepared()
        let other = try CountDistribution.poisson(mean: 37.5).prepared()
        #expect(
            first.thresholds.thresholds == again.thresholds.thresholds
                && first.thresholds.guide == again.thresholds.guide)
        #expect(first.thresholds.thresholds != other.thresholds.thresholds)
    }

    @Test func `counts out of range are a problem`() {
        let wrong: [CountDistribution] = [
            .poisson(mean: -1), .poisson(mean: 501), .poisson(mean: .nan), .negativeBinomial(mean: 1, k: 0),
            .negativeBinomial(mean: 1, k: .nan),
            .negativeBinomial(mean: 500, k: 0.9),
        ]
        for distribution in wrong { #expect(throws: DistributionProblem.self) { try distribution.prepared() } }
    }
}
