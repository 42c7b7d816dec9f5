import CGSL
import Testing

@testable import Statistics

/// Rules: C1.
@Suite struct FairSplitTests {
    static let split = FairSplit(normal: StandardTables().normal)

    /// The quantile that the counts come from, against GSL's binomial: the number at which a count begins, by
    /// bisection, is its lower tail.
    @Test(arguments: [513, 600, 1_023, 4_096, 100_000, 17_592_186] as [Int64])
    func `the split of many has the binomial's probabilities`(n: Int64) {
        var worst = 0.0
        let deviation = Double(n).squareRoot() / 2
        for step in stride(from: -5.0, through: 5.0, by: 0.5) {
            let count = Int64(Double(n) / 2 + step * deviation)
            var (low, high): (UInt64, UInt64) = (0, .max)
            while low < high {
                let middle = low + (high - low) / 2
                if Self.split.quantile(n, middle) > count { high = middle } else { low = middle + 1 }
            }
            let below = Double(low) * 0x1p-64
            worst = max(worst, (below - gsl_cdf_binomial_P(UInt32(count), 0.5, UInt32(n))).magnitude)
        }
        #expect(worst < 1e-6, "\(worst)")
    }

    @Test(arguments: [1, 8, 63, 64, 65, 500, 512, 513, 5_000] as [Int64])
    func `the first half has the mean and the variance of a fair coin`(n: Int64) {
        let draws = 20_000
        var (sum, squares) = (0.0, 0.0)
        for draw in 0..<UInt64(draws) {
            let count = Self.split.firstHalf(of: n) { sub, half in
                RandomStream(seed: 3, person: draw, purpose: .versionHalf, sub: sub).value(at: half)
            }
            #expect(count >= 0 && count <= n)
            let off = Double(count) - Double(n) / 2
            sum += off
            squares += off * off
        }
        let variance = Double(n) / 4
        #expect((sum / Double(draws)).magnitude < 5 * (variance / Double(draws)).squareRoot())
        // The variance of a square is at most twice the variance squared.
        #expect((squares / Double(draws) - variance).magnitude < 5 * variance * (2 / Double(draws)).squareRoot() + 1e-9)
    }
}

@Suite struct PoissonTimesTests {
    static let second: Int64 = 1_000_000
    static let year = 365 * 86_400 * second
    static let origin = -31 * 86_400 * second

    static func times(gap: Int64, years: Int64 = 10) throws -> PoissonTimes {
        try PoissonTimes(meanGap: gap, from: origin, to: years * year, tables: StandardTables())
    }

    /// Up to means at which GSL's series still converge; beyond, the error shrinks with the mean.
    @Test(arguments: [501, 14_660, 250_000]) func `the count of a block has the Poisson's probabilities`(mean: Double) {
        var worst = 0.0
        for step in stride(from: -5.0, through: 5.0, by: 0.25) {
            // The count of a quantile is at most k where the quantile is below the one that gives k + 1.
            let k = PoissonTimes.poissonQuantile(mean: mean, step)
            var (low, high) = (step - 1, step + 1)
            for _ in 0..<60 {
                let middle = (low + high) / 2
                if PoissonTimes.poissonQuantile(mean: mean, middle) > k { high = middle } else { low = middle }
            }
            worst = max(worst, (gsl_cdf_ugaussian_P(low) - gsl_cdf_poisson_P(UInt32(k), mean)).magnitude)
        }
        #expect(worst < 1e-4, "\(worst)")
    }

    @Test(arguments: [1, 60, 1_200, 86_400 * 30] as [Int64])
    func `places and counts rise, and the next point is where they do`(gap: Int64)
        throws
    {
        let times = try Self.times(gap: gap * Self.second)
        for key in [1, 77, .max] as [UInt64] {
            for begin in [Self.origin - 5, -1, 0, Self.year * 3, Self.year * 10 - 40 * gap * Self.second] {
                let start = times.first(after: begin, key: key).place
                var (at, number) = (begin, Int64(0))
                #expect(times.count(from: start, through: begin, key: key) == 0)
                for _ in 0..<200 {
                    let (place, next) = times.first(after: at, key: key)
                    #expect(next > at)
                    if next == .max { break }
                    #expect(times.count(from: start, through: next - 1, key: key) == number, "nothing lies between")
                    #expect(times.count(from: place, through: next - 1, key: key) == 0)
                    #expect(
                        times.first(after: next - 1, key: key) == (place, next),
                        "a place has one name, from whichever side it is asked for"
                    )
                    let here = times.count(from: place, through: next, key: key)
                    number += here
                    #expect(here >= 1 && times.count(from: start, through: next, key: key) == number)
                    #expect(times.first(after: next, key: key).place > place)
                    at = next
                }
                // Anywhere: counts do not fall.
                var last: Int64 = 0
                for step in 0..<40 {
                    let count = times.count(from: start, through: Self.origin + Int64(step) * Self.year / 40, key: key)
                    #expect(count >= last)
                    last = count
                }
            }
        }
    }

    @Test(arguments: [1, 1_200, 86_400 * 3] as [Int64]) func `all points are those that follow one another`(gap: Int64)
        throws
    {
        let length = 3_000 * gap * Self.second
        let times = try PoissonTimes(
            meanGap: gap * Self.second, from: Self.origin, to: Self.origin + length, tables: StandardTables())
        let points = times.all(key: 4)
        var (at, found) = (Self.origin - 1, [Int64]())
        while true {
            let next = times.first(after: at, key: 4)
            if next.at == .max { break }
            found += Array(repeating: next.at, count: Int(times.count(from: next.place, through: next.at, key: 4)))
            at = next.at
        }
        #expect(points == found)
        #expect((Double(points.count) - 3_000).magnitude < 5 * 3_000.0.squareRoot(), "\(points.count)")
    }

    @Test func `before the beginning there is nothing, and after the end nothing comes`() throws {
        let times = try Self.times(gap: Self.second, years: 1)
        #expect(times.count(from: PoissonTimes.beginning, through: Self.origin - 1, key: 5) == 0)
        #expect(times.first(after: Self.origin - Self.year, key: 5).place == PoissonTimes.beginning)
        #expect(times.first(after: Self.origin - Self.year, key: 5).at >= Self.origin)
        #expect(times.first(after: Self.year, key: 5).at == .max)
        // A rate at which nothing comes for years.
        let rare = try Self.times(gap: 3_660 * 86_400 * Self.second)
        let counts = (0..<2_000).map { key in
            Double(rare.count(from: PoissonTimes.beginning, through: 10 * Self.year, key: key))
        }
        let expected = Double(10 * Self.year - Self.origin) / Double(3_660 * 86_400 * Self.second)
        #expect((counts.reduce(0, +) / 2_000 - expected).magnitude < 5 * (expected / 2_000).squareRoot())
    }

    /// Counts of windows of one process: mean, variance, and no correlation of neighbours or of keys.
    @Test(arguments: [1, 60, 3_600] as [Int64])
    func `counts of spans are Poisson, independent of one another and of other keys'`(
        gap: Int64
    ) throws {
        let times = try Self.times(gap: gap * Self.second)
        let mean = 3.7
        let width = Int64(mean * Double(gap * Self.second))
        let spans = 20_000
        func counts(_ key: UInt64) -> [Double] {
            let from = 7 * width / 3
            return (0..<spans).map { span in
                let begin = from + Int64(span) * width
                let place = times.first(after: begin, key: key).place
                return Double(times.count(from: place, through: begin + width, key: key)) - mean
            }
        }
        let (one, other) = (counts(11), counts(12))
        let n = Double(spans)
        #expect((one.reduce(0, +) / n).magnitude < 5 * (mean / n).squareRoot())
        let variance = one.reduce(0) { $0 + $1 * $1 } / n
        // The fourth central moment is m + 3 m².
        #expect((variance - mean).magnitude < 5 * ((mean + 2 * mean * mean) / n).squareRoot(), "\(variance)")
        let neighbours = zip(one, one.dropFirst()).reduce(0) { $0 + $1.0 * $1.1 } / n
        let keys = zip(one, other).reduce(0) { $0 + $1.0 * $1.1 } / n
        #expect(neighbours.magnitude < 5 * mean / n.squareRoot(), "\(neighbours)")
        #expect(keys.magnitude < 5 * mean / n.squareRoot(), "\(keys)")
        // The distribution itself: the share of each count.
        for k in 0...10 {
            let share = gsl_cdf_poisson_P(UInt32(k), mean) - (k == 0 ? 0 : gsl_cdf_poisson_P(UInt32(k - 1), mean))
            let found = Double(one.count { Int(($0 + mean).rounded()) == k })
            #expect((found - n * share).magnitude < 5 * (n * share * (1 - share)).squareRoot(), "\(k)")
        }
    }

    @Test func `gaps are exponential`() throws {
        let gap = 20 * 60 * Self.second
        let times = try Self.times(gap: gap)
        var at = Self.year
        var gaps: [Double] = []
        for _ in 0..<20_000 {
            let next = times.first(after: at, key: 9).at
            gaps.append(Double(next - at) / Double(gap))
            at = next
        }
        // The largest distance between the shares found and the distribution's (Kolmogorov), which exceeds 2.3/√n once
        // in 20,000 times.
        let sorted = gaps.sorted()
        let n = Double(sorted.count)
        var worst = 0.0
        for (index, value) in sorted.enumerated() {
            let expected = gsl_cdf_exponential_P(value, 1)
            worst = max(worst, (expected - Double(index) / n).magnitude, (expected - Double(index + 1) / n).magnitude)
        }
        #expect(worst * n.squareRoot() < 2.3, "\(worst * n.squareRoot())")
        // One after another, they are not correlated.
        let product = zip(gaps, gaps.dropFirst()).reduce(0) { $0 + ($1.0 - 1) * ($1.1 - 1) } / n
        #expect(product.magnitude < 5 / n.squareRoot(), "\(product)")
    }

    @Test func `the long run has its rate, over years and blocks`() throws {
        let times = try Self.times(gap: Self.second)
        var expected = Double(10 * Self.year - Self.origin) / Double(Self.second)
        for key in 0..<4 as Range<UInt64> {
            let count = Double(times.count(from: PoissonTimes.beginning, through: 10 * Self.year, key: key))
            #expect((count - expected).magnitude < 5 * expected.squareRoot(), "\(count) against \(expected)")
        }
        expected = Double(Self.year) / Double(Self.second)
        let count = Double(
            times.count(from: times.first(after: 5 * Self.year, key: 8).place, through: 6 * Self.year, key: 8))
        #expect((count - expected).magnitude < 5 * expected.squareRoot())
    }

    @Test func `a mean gap below one unit is a problem`() {
        #expect(throws: DistributionProblem.self) { try Self.times(gap: 0) }
    }
}
