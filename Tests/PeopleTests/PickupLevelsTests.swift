import Statistics
import Testing

@testable import People

/// How the days of one person differ (D3): their week, their quiet days, and what is left of the variance for the rest.
///
/// Rules: D3.
@Suite struct PickupLevelsTests {
    private static let common: SIMD8<Double> = [1.02, 1.03, 1.05, 1.02, 1.02, 0.94, 0.92, 1]

    private static func habits(quietDays: Double = 0, quietLevel: Double = 0.3, dayCorrelation: Double = 0.2)
        -> PickupHabits
    {
        var habits = PickupHabits.even(
            unlocksPerDay: Distribution(.constant(80)), glancesPerUnlock: 0.4,
            sessionLength: Distribution(.constant(60)),
            surfaceShown: [1, 0, 0, 0, 0, 0], passcodeShare: 1)
        habits.dayShare = 0.5
        habits.dayCorrelation = dayCorrelation
        habits.quietDays = Distribution(.constant(quietDays))
        habits.quietLevel = quietLevel
        return habits
    }

    private static func profile(person: UInt64, spread: Double) throws -> WeekProfile {
        var tables = StandardTables()
        let normal = try Distribution(.normal(mean: 0, standardDeviation: 1)).prepared(with: &tables)
        return WeekProfile(
            common, spread: spread, normal: normal, RandomStream(seed: 3, person: person, purpose: .weekdayFactor))
    }

    private static func mean(_ factors: SIMD8<Double>) -> Double { (0..<7).reduce(0) { $0 + factors[$1] } / 7 }

    @Test func `people's own weeks keep the mean, and differ as widely as asked for`() throws {
        for spread in [0, 0.1, 0.2] {
            let weeks = try (0..<4_000).map { try Self.profile(person: $0, spread: spread) }
            var ratios = 0.0
            for week in weeks {
                #expect((Self.mean(week.factors) - Self.mean(Self.common)).magnitude < 1e-12)
                // Over the seven factors, and of each with the next, the last with the first.
                let mean = Self.mean(week.factors)
                let deviations = (0..<7).map { week.factors[$0] / mean - 1 }
                #expect((week.variance - deviations.reduce(0) { $0 + $1 * $1 } / 7).magnitude < 1e-12)
                #expect(
                    (week.covariance - (0..<7).reduce(0) { $0 + deviations[$1] * deviations[($1 + 1) % 7] } / 7)
                        .magnitude < 1e-12)
                ratios +=
                    (0..<7).reduce(0) { sum, day in
                        let ratio = week.factors[day] / Self.common[day] - 1
                        return sum + ratio * ratio
                    } / 6
            }
            let found = (ratios / 4_000).squareRoot()
            #expect((found - spread).magnitude < 0.03 * spread + 1e-12, "spread \(found), asked for \(spread)")
            // The typical person of the trial has the variance and the covariance that people have on average.
            let typical = WeekProfile(Self.common, spread: spread)
            let variance = weeks.reduce(0) { $0 + $1.variance } / 4_000
            let covariance = weeks.reduce(0) { $0 + $1.covariance } / 4_000
            #expect((typical.variance - variance).magnitude < 0.03 * variance, "\(typical.variance) \(variance)")
            #expect(
                (typical.covariance - covariance).magnitude < 0.05 * variance, "\(typical.covariance) \(covariance)")
        }
    }

    @Test(arguments: [0.0, 0.02, 0.1, 0.25])
    func `days' levels have the mean 1, the variance of their part, and the share of quiet days`(
        share: Double
    ) throws {
        // Wide enough for all the quiet days that are asked for.
        let total = 0.3
        let parts = DispersionDivision(Self.habits(quietDays: share)).parts(
            of: total, total: total + 1.0 / 80, week: WeekProfile(Self.common, spread: 0), quietShare: share)
        #expect((parts.variance - total).magnitude < 1e-9, "the levels make \(parts.variance) of \(total)")
        let normal = try { () throws in
            var tables = StandardTables()
            return try Distribution(.normal(mean: 0, standardDeviation: 1)).prepared(with: &tables)
        }()
        var scores = RandomStream(seed: 3, person: 1, purpose: .dayLevel)
        let quiet = RandomStream(seed: 3, person: 1, purpose: .quietDay)
        let days = 400_000 as UInt64
        var (sum, squares, quietDays, pairs, score) = (0.0, 0.0, 0.0, 0.0, 0.0)
        var wasQuiet = false
        for day in 0..<days {
            let fresh = normal.draw(scores.next())
            score = day == 0 ? fresh : parts.days.score(after: score, fresh)
            let isQuiet = parts.days.isQuiet(day, quiet)
            let level = parts.days.level(score: score, isQuiet: isQuiet)
            (sum, squares) = (sum + level, squares + level * level)
            if isQuiet { quietDays += 1 }
            if isQuiet && wasQuiet { pairs += 1 }
            wasQuiet = isQuiet
        }
        let count = Double(days)
        #expect((sum / count - 1).magnitude < 0.01, "mean \(sum / count)")
        #expect((quietDays / count - share).magnitude <= 0.05 * share, "\(quietDays / count) quiet, asked for \(share)")
        // The days' variance is the levels' whole variance less the sixteenths' and the segment's week.
        let expected =
            parts.variance - parts.sixteenth * WakingRhythm.varianceOfMean(correlation: 0)
            - WeekProfile(Self.common, spread: 0).variance
        let found = squares / count - (sum / count) * (sum / count)
        #expect((found / expected - 1).magnitude < 0.03, "variance \(found), expected \(expected)")
        // Three low numbers make a quiet day, so a quiet day is followed by one with the probability of one more.
        if share > 0 {
            let expected = share * DeterministicMath.pow(share, 1.0 / 3)
            #expect(
                (pairs / count - expected).magnitude < 0.1 * expected, "\(pairs / count) pairs, expected \(expected)")
        }
    }

    @Test func `quiet days take no more than their part of a person's variance, and none of who has none`() {
        let division = DispersionDivision(Self.habits(quietDays: 0.3))
        for variance in [0, 0.005, 0.02, 0.05] {
            let parts = division.parts(
                of: variance, total: variance + 0.0125, week: WeekProfile(Self.common, spread: 0), quietShare: 0.3)
            let week = WeekProfile(Self.common, spread: 0).variance
            #expect(parts.variance <= max(variance, week) + 1e-9, "\(parts.variance) of \(variance)")
        }
        let none = division.parts(of: 0.1, total: 0.1125, week: WeekProfile(Self.common, spread: 0), quietShare: 0).days
        let numbers = RandomStream(seed: 3, person: 1, purpose: .quietDay)
        #expect((0..<10_000 as Range<UInt64>).allSatisfy { !none.isQuiet($0, numbers) })
    }
}
