import Stochastics

/// How one person's use varies (D3): from day to day, over the day, and in how long their sessions are.
///
/// The person's daily counts have a variance of μ + μ²/k. What the clustering of gaps and the weekdays do not make of it is divided between the day's
/// level and those of its sixteenths.
struct PickupLevels: BitwiseCopyable {
    /// What this person's sessions last, as a multiple of the segment's law.
    let sessionScale: Double
    /// Of the logarithm of the day's level: its standard deviation, and how much of a day's score carries over to the next.
    let daySpread, dayCarryOver: Double
    let spread: WakingRhythm.Spread

    /// The largest variance of a sixteenth's level; what is beyond belongs to the day.
    private static let largestVariance = 1.25
    /// No person's days resemble each other more than this. Assumption.
    private static let mostCarryOver = 0.9

    /// - Parameters:
    ///   - dispersion: the number that draws the person's k.
    ///   - session: the number that draws how long their sessions are.
    init(_ habits: PreparedPickups, unlocksPerDay: Double, wakingSeconds: Double, dispersion: UInt64, session: UInt64) {
        let drawn = habits.sessionScale(unlocksPerDay: unlocksPerDay, session)
        let use = unlocksPerDay * habits.meanSession * drawn
        let bound = habits.mostUse * wakingSeconds
        sessionScale = use > bound ? drawn * bound / use : drawn

        let mean = max(unlocksPerDay, 0.01)
        let overdispersion = 1 / max(habits.dailyShape.draw(dispersion), 1e-3)
        let rest = max(0, overdispersion - (habits.dispersionOfGaps - 1) / mean - habits.weekdayVariance)
        let variance = min((1 - habits.dayShare) * rest / habits.sixteenthsInDay, Self.largestVariance)
        spread = WakingRhythm.Spread(variance: variance)
        let dayVariance = max(0, rest - variance * habits.sixteenthsInDay)
        let logVariance = DeterministicMath.log(1 + dayVariance)
        daySpread = logVariance.squareRoot()
        dayCarryOver =
            dayVariance > 0 ? max(-Self.mostCarryOver, min(Self.mostCarryOver, habits.dayCorrelation * (overdispersion + 1 / mean) / dayVariance)) : 0
    }

    /// A day's level, with the mean 1, from its normal score.
    func dayLevel(_ score: Double) -> Double { DeterministicMath.exp(daySpread * score - daySpread * daySpread / 2) }
}
