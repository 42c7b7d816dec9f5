import Basics
import Foundation
import Testing

@testable import RefreshService

/// Requests at a rate that varies over the day, a Poisson process that is not homogeneous, against the exact
/// distribution of its counts.
@Suite struct VaryingRateTests {
    private static let minutes = 1_440

    /// The rate of each minute, steps of ten minutes over a day that is busiest in the evening.
    private static func perSecond(_ minute: Int) -> Double {
        let step = Double(minute / 10) / 144
        return 20 + 15 * sin(2 * .pi * (step - 0.55)) + (minute / 60 == 20 ? 4 : 0)
    }

    /// Mean and standard deviation of the largest of independent Poisson counts: the sum over k of 1 − Π F(k), with F
    /// by plain summation.
    private static func expectedMaximum(_ means: [Double]) -> (mean: Double, deviation: Double) {
        let most = Int(means.max()! + 40 * means.max()!.squareRoot())
        var none = [Double](repeating: 0, count: most + 1)
        for mean in means {
            var (logTerm, cumulated) = (-mean, 0.0)
            for k in 0...most {
                cumulated += exp(logTerm)
                none[k] += log(min(1, cumulated))
                logTerm += log(mean) - log(Double(k + 1))
            }
        }
        var (first, second) = (0.0, 0.0)
        for k in 0...most {
            let above = -expm1(none[k])
            first += above
            second += Double(2 * k + 1) * above
        }
        return (first, (second - first * first).squareRoot())
    }

    @Test func `the largest minute of a day is the expected one, and every minute has its own mean`() throws {
        let rates = (0..<Self.minutes / 10).map {
            BackgroundTraffic.Rate(from: .start + .minutes(Int64($0) * 10), perSecond: Self.perSecond($0 * 10))
        }
        var background = BackgroundOracleTests.steady(1)
        background.rates = rates
        let measures = try BackgroundOracleTests.run(
            background, pool: OriginPool(name: "p"), minutes: Int64(Self.minutes), from: 0, seed: 1_700)
        let counts = (0..<Self.minutes).map { Double(measures[.backgroundOffered, pool: 0, region: 0, minute: $0]) }
        let means = (0..<Self.minutes).map { 60 * Self.perSecond($0) }
        let (expected, deviation) = Self.expectedMaximum(means)
        #expect(
            OracleLine.check(
                "rate over the day: largest minute", expected, sample: "\(Int(counts.reduce(0, +))) requests",
                tolerance: 5 * deviation,
                measured: counts.max()!))
        // Pearson's sum over 1,440 minutes: its mean is their number, its variance twice that.
        let sum = zip(counts, means).reduce(0) { $0 + ($1.0 - $1.1) * ($1.0 - $1.1) / $1.1 }
        #expect((sum - Double(Self.minutes)).magnitude < 5 * (2 * Double(Self.minutes)).squareRoot(), "\(sum)")
    }
}
