import People
import Statistics
import Testing

@testable import Calibration

/// Fits against closed forms and against values that SciPy finds.
@Suite struct OverPeopleTests {
    static let values = [12.0, 35.5, 48.2, 51.0, 66.3, 79.9, 80.1, 95.0, 110.7, 142.4, 31.3, 58.8]
    static let counts = [61, 80, 95, 72, 103, 55, 88, 79, 120, 66, 91, 84, 70, 77, 99, 58, 110, 83, 62, 90]

    private func near(_ a: Double, _ b: Double, _ relative: Double) -> Bool {
        (a - b).magnitude <= relative * b.magnitude
    }

    @Test func `a gamma distribution of exact values is SciPy's`() {
        let fit = GammaOverPeople(Self.values, errors: Self.values.map { _ in 0 })
        #expect(near(fit.shape, 3.14736861, 1e-4))
        #expect(near(fit.mean, 67.6, 1e-4))
        #expect(near(fit.aic, 2 * 2 + 2 * 59.33617212, 1e-8))
        let sums = GammaFit(
            count: 12, sum: Self.values.reduce(0, +),
            sumOfLogs: Self.values.reduce(0) { $0 + DeterministicMath.log($1) })
        #expect(near(sums.shape, 3.14736861, 1e-4))
        #expect(near(sums.logLikelihood, -59.33617212, 1e-8))
    }

    /// Gamma values with a known normal error on top: ignoring the error makes the shape too low.
    @Test func `errors of the values are taken out of a gamma distribution`() {
        var stream = RandomStream(seed: 5, person: 0, purpose: .resampling)
        var tables = StandardTables()
        let gamma = try! Distribution(.gamma(shape: 4, mean: 50)).prepared(with: &tables)
        let normal = try! Distribution(.normal(mean: 0, standardDeviation: 15)).prepared(with: &tables)
        let measured = (0..<3_000).map { _ in max(0.5, gamma.draw(stream.next()) + normal.draw(stream.next())) }
        let fit = GammaOverPeople(measured, errors: measured.map { _ in 225 })
        let blind = GammaOverPeople(measured, errors: measured.map { _ in 0 })
        #expect(near(fit.shape, 4, 0.12), "\(fit.shape)")
        #expect(near(fit.mean, 50, 0.02), "\(fit.mean)")
        #expect(blind.shape < 3.2, "\(blind.shape)")
    }

    @Test func `a negative binomial k is SciPy's, adjusted for the fitted mean`() {
        let mean = Double(Self.counts.reduce(0, +)) / 20
        let adjustment = 0.5 * DeterministicMath.log(mean + mean * mean / 15)
        #expect(near(DailyShapeProfile.value(Self.counts, mean: mean, k: 15) - adjustment, -86.5123591, 1e-7))
        let fit = DailyShapeProfile.common([DailyShapeProfile(Self.counts)])
        #expect(near(fit.k, 29.1278527, 5e-3), "\(fit.k)")
        #expect(near(fit.interval!.low, 12.1947, 2e-2), "\(fit.interval!.low)")
        #expect(near(fit.interval!.high, 71.42, 2e-2), "\(fit.interval!.high)")
    }

    @Test func `counts at random have the largest k of the grid and no gain over Poisson`() {
        let profile = DailyShapeProfile([80, 81, 79, 80, 82, 78, 80, 80])
        #expect(profile.gainOverPoisson < 0.01)
    }

    @Test func `k over people comes out with the noise of each person's k taken out`() {
        var stream = RandomStream(seed: 8, person: 0, purpose: .resampling)
        var tables = StandardTables()
        let shapes = try! Distribution(.lognormal(median: 12, sigma: 0.6)).prepared(with: &tables)
        let profiles = try! (0..<200).map { _ in
            // A gamma level of mean 1 and shape k makes Poisson counts negative binomial; 60 is enough for a normal
            // Poisson.
            let k = shapes.draw(stream.next())
            let level = try Distribution(.gamma(shape: k, mean: 60)).prepared(with: &tables)
            let normal = try Distribution(.normal(mean: 0, standardDeviation: 1)).prepared(with: &tables)
            return DailyShapeProfile(
                (0..<30).map { _ in
                    let mean = level.draw(stream.next())
                    return Int(max(0, mean + mean.squareRoot() * normal.draw(stream.next())).rounded())
                })
        }
        let fit = DailyShapeOverPeople(profiles)
        #expect(fit.medianInterval!.low < 12 && 12 < fit.medianInterval!.high, "\(fit.medianInterval!)")
        #expect(fit.sigmaInterval!.low < 0.6 && 0.6 < fit.sigmaInterval!.high, "\(fit.sigmaInterval!)")
        #expect(near(fit.median, 12, 0.12) && near(fit.sigma, 0.6, 0.2), "\(fit.median), \(fit.sigma)")
    }

    /// Everybody has the same days: some that have a k, and ten of which one alone has unlocks.
    @Test func `people who do not differ have the least spread of k, not wherever the search stopped`() {
        for counts in [Self.counts, [0, 0, 0, 0, 0, 0, 0, 0, 0, 40]] {
            let fit = DailyShapeOverPeople((0..<12).map { _ in DailyShapeProfile(counts) })
            #expect(fit.sigma == 0.1 && fit.isSigmaLeast && fit.sigmaInterval == nil, "\(fit.sigma)")
        }
    }

    @Test func `correlations are possible where a scenario takes them`() {
        let values = stride(from: -0.99, through: 0.99, by: 0.18)
        var refused = 0
        for ends in values {
            for onsets in values {
                for wakes in values {
                    let own = SleepHabits.Correlations(onsetAndWake: ends, onsets: onsets, wakes: wakes)
                    let factor = own.factor
                    #expect(own.isPossible == (factor != nil), "\(own)")
                    let (possible, part) = own.madePossible()
                    #expect(possible.factor != nil && (part == 1) == (factor != nil), "\(own), \(possible)")
                    if factor == nil { refused += 1 }
                }
            }
        }
        #expect(refused > 100)
    }

    @Test func `values with errors have the mean and spread of the restricted likelihood`() {
        let fit = NormalOverPeople(
            [1.2, 3.4, 2.2, 5.1, 4.4, 0.3, 2.9, 3.3], errors: [0.1, 0.5, 0.2, 0.9, 0.3, 0.1, 0.4, 0.6])
        #expect(near(fit.mean, 2.732873417, 1e-4))
        #expect(near(fit.spread, 1.487886676, 1e-3))
    }

    @Test func `without errors the spread is the sample's, and the interval of the mean is Student's`() {
        let values = (0..<30).map { Double($0 * 37 % 30) }
        let fit = NormalOverPeople(values, errors: values.map { _ in 0 })
        let deviation = (values.reduce(0) { $0 + ($1 - 14.5) * ($1 - 14.5) } / 29).squareRoot()
        #expect(near(fit.mean, 14.5, 1e-6) && near(fit.spread, deviation, 1e-3))
        let reach = StudentT.quantile(0.975, degreesOfFreedom: 28) * deviation / 30.0.squareRoot()
        #expect(near(fit.meanInterval!.high - fit.mean, reach, 0.05))
    }

    @Test func `sessions cut at the shortest length are censored there`() {
        // Exact values 0.4 to 3.9, and three that are 0 or less: SciPy's censored likelihood.
        let fit = SessionFit([0, 0, 0, 0.4, 1.2, 2.2, 3.1, 0.9, 1.7, 2.8, 3.9, 1.1])
        #expect(near(fit.mean, 1.210591167, 1e-3), "\(fit.mean)")
        #expect(near(fit.deviation, 1.600929348, 1e-3), "\(fit.deviation)")
        let free = SessionFit([1, 2, 3, 4])
        #expect(near(free.mean, 2.5, 1e-12) && near(free.deviation, (5.0 / 3).squareRoot(), 1e-12))
    }

    @Test func `the distance of Kolmogorov and Smirnov is SciPy's`() {
        let distance = Distance(Self.values.map { SpecialFunctions.gammaBelow($0, shape: 3.1, mean: 80) })!
        #expect(near(distance.value, 0.17358254628386738, 1e-10))
    }

    /// Series with carry-over 0.5: the near differences tell it without taking a mean, however short the series.
    @Test func `a variogram of short series tells their carry-over without bias`() {
        var stream = RandomStream(seed: 2, person: 0, purpose: .resampling)
        var tables = StandardTables()
        let normal = try! Distribution(.normal(mean: 0, standardDeviation: 1)).prepared(with: &tables)
        var (near, far) = (0.0, 0.0)
        for _ in 0..<4_000 {
            var score = normal.draw(stream.next())
            var series: [(date: Int64, value: Double)] = []
            for day in 0..<14 {
                series.append((Int64(day), score))
                score = 0.5 * score + 0.75.squareRoot() * normal.draw(stream.next())
            }
            near += Variogram(series, series, lags: 1...1).mean
            far += Variogram(series, series, lags: 6...20).mean
        }
        #expect((1 - near / far - 0.5).magnitude < 0.02, "\(1 - near / far)")
    }
}
