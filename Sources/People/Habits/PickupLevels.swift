import Statistics

/// How one person's use varies (D3): over the week, from day to day, over the day, and in how long their sessions are.
///
/// The person's daily counts have a variance of μ + μ²/k. The part of it that the clustering of gaps does not cause is
/// divided between the person's own week, their quiet days, the levels of their other days and those of the sixteenths.
struct PickupLevels: BitwiseCopyable {
    /// The length of this person's sessions, as a multiple of the segment's distribution.
    let sessionScale: Double
    let days: DayLevels
    let spread: WakingRhythm.Spread

    /// - Parameter streams: those of whose pickups they are, the person's or the device's.
    init(_ habits: PreparedPickups, unlocksPerDay: Double, wakingSeconds: Double, _ streams: RandomStreams) {
        let drawn = habits.sessionScale(unlocksPerDay: unlocksPerDay, streams.number(.sessionLevel))
        let use = unlocksPerDay * habits.meanSession * drawn
        let bound = habits.mostUse * wakingSeconds
        sessionScale = use > bound ? drawn * bound / use : drawn

        let week = WeekProfile(of: habits, streams)
        let mean = max(unlocksPerDay, 0.01)
        let overdispersion = 1 / max(habits.dailyShape.draw(streams.number(.dailyDispersion)), 1e-3)
        let parts = habits.division.parts(
            of: overdispersion - (habits.dispersionOfGaps - 1) / mean, total: overdispersion + 1 / mean, week: week,
            quietShare: habits.quietDays.draw(streams.number(.quietShare)))
        days = parts.days
        spread = WakingRhythm.Spread(variance: parts.sixteenth)
    }
}

/// The factors of a person's weekdays, and their share of the variance of daily counts.
struct WeekProfile {
    /// Monday to Sunday; their mean is the segment's.
    let factors: SIMD8<Double>
    /// Relative to the square of the mean: the variance, and the covariance of a day with the next.
    let variance, covariance: Double

    /// No weekday of a person's own is less than this part of the segment's. Assumption.
    private static let leastPart = 0.1

    /// A person's own, by their habits and the streams of their pickups.
    init(of habits: PreparedPickups, _ streams: RandomStreams) {
        self.init(habits.weekdayFactors, spread: habits.weekdaySpread, normal: habits.normal, streams[.weekdayFactor])
    }

    /// A person's own: each factor is normal round the segment's. Their mean is kept, so that the week has the person's
    /// mean unlocks.
    init(_ common: SIMD8<Double>, spread: Double, normal: PreparedDistribution, _ numbers: RandomStream) {
        guard spread > 0 else {
            self.init(common)
            return
        }
        var own = common
        for pair in 0..<4 {
            let (first, second) = numbers.pair(at: UInt64(pair))
            own[2 * pair] *= max(Self.leastPart, 1 + spread * normal.draw(first))
            if pair < 3 { own[2 * pair + 1] *= max(Self.leastPart, 1 + spread * normal.draw(second)) }
        }
        self.init(own * (Self.sum(common) / Self.sum(own)))
    }

    /// That of a typical person: the segment's factors, with the variance that people's own have on average.
    init(_ common: SIMD8<Double>, spread: Double) {
        let segment = WeekProfile(common)
        // The mean of the seven is kept: six parts of seven of the variance are left, and what they lack is shared by
        // all pairs.
        let own = spread * spread * 6 / 7
        self.init(factors: common, variance: segment.variance + own, covariance: segment.covariance - own / 6)
    }

    private init(_ factors: SIMD8<Double>) {
        let mean = Self.sum(factors) / 7
        var (squares, products) = (0.0, 0.0)
        var last = factors[6] - mean
        for day in 0..<7 {
            let deviation = factors[day] - mean
            squares += deviation * deviation
            products += deviation * last
            last = deviation
        }
        self.init(factors: factors, variance: squares / (7 * mean * mean), covariance: products / (7 * mean * mean))
    }

    private init(factors: SIMD8<Double>, variance: Double, covariance: Double) {
        (self.factors, self.variance, self.covariance) = (factors, variance, covariance)
    }

    private static func sum(_ factors: SIMD8<Double>) -> Double {
        (factors[0] + factors[1]) + (factors[2] + factors[3]) + (factors[4] + factors[5]) + factors[6]
    }
}
