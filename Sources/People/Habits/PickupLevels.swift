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
        let total = overdispersion + 1 / mean
        let parts = habits.division.parts(of: overdispersion - (habits.dispersionOfGaps - 1) / mean, total: total)
        spread = WakingRhythm.Spread(variance: parts.sixteenth)
        daySpread = DayLevel.spread(variance: parts.day)
        let carryOver = parts.day > 0 ? habits.division.dayCorrelation * total / parts.day : 0
        dayCarryOver = max(-DispersionDivision.mostCarryOver, min(DispersionDivision.mostCarryOver, carryOver))
    }
}

/// The level of a day: lognormal with the mean 1.
enum DayLevel {
    /// σ of the logarithm of levels with a variance.
    static func spread(variance: Double) -> Double { DeterministicMath.log(1 + variance).squareRoot() }
    static func level(spread: Double, score: Double) -> Double { DeterministicMath.exp(spread * score - spread * spread / 2) }
}

/// How a person's relative variance of daily counts beyond chance is divided between the levels.
struct DispersionDivision: BitwiseCopyable {
    /// The relative variance of a day's count by its weekday, which needs no other cause.
    let weekdays: Double
    let dayShare, dayCorrelation: Double
    /// The variance of a day's mean level for each unit of variance of its sixteenths.
    let sixteenthsInDay: Double

    /// The largest variance of a sixteenth's level; what is beyond belongs to the day.
    private static let largest = 1.25

    init(_ habits: PickupHabits) {
        let mean = habits.weekdayFactors.reduce(0, +) / 7
        weekdays = habits.weekdayFactors.reduce(0) { $0 + ($1 - mean) * ($1 - mean) } / 7 / (mean * mean)
        dayShare = habits.dayShare
        dayCorrelation = habits.dayCorrelation
        sixteenthsInDay = WakingRhythm.varianceOfMean(correlation: habits.hourCorrelation)
    }

    /// No day's level carries over more than this to the next. Assumption.
    static let mostCarryOver = 0.9

    /// The variances of a day's and of a sixteenth's level.
    ///
    /// - Parameters:
    ///   - variance: what the gaps do not make by themselves.
    ///   - total: the whole relative variance of daily counts, that of chance included: days whose counts correlate need a share of it.
    func parts(of variance: Double, total: Double) -> (day: Double, sixteenth: Double) {
        let rest = max(0, variance - weekdays)
        let needed = dayCorrelation.magnitude * total / Self.mostCarryOver
        let day = max(dayShare * rest, min(rest, needed))
        let sixteenth = min((rest - day) / sixteenthsInDay, Self.largest)
        return (max(0, rest - sixteenth * sixteenthsInDay), sixteenth)
    }
}
