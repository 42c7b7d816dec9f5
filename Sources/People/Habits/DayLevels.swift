import Statistics

/// The levels of a person's days beside their weekdays (D3): lognormal with some carry-over from day to day, and now
/// and then a quiet day. Their mean is 1.
struct DayLevels: BitwiseCopyable {
    /// The standard deviation of the logarithm of the level, and how much of a day's score carries over to the next.
    let spread, carryOver: Double
    private let quiet: QuietDays.Levels

    fileprivate init(variance: Double, carryOver: Double, quiet: QuietDays) {
        spread = DeterministicMath.log(1 + variance).squareRoot()
        self.carryOver = carryOver
        self.quiet = quiet.levels
    }

    func level(score: Double, isQuiet: Bool) -> Double {
        DeterministicMath.exp(spread * score - spread * spread / 2) * (isQuiet ? quiet.quietFactor : quiet.otherFactor)
    }

    /// The score of a day after one with another, `fresh` its own part of it.
    func score(after last: Double, _ fresh: Double) -> Double {
        carryOver * last + (1 - carryOver * carryOver).squareRoot() * fresh
    }

    /// Whether a waking day is quiet: if its own number and those of the next two days are all low, so that quiet days
    /// come in spells.
    ///
    /// - Parameter numbers: the stream of `quietDay`, where each day has a number.
    func isQuiet(_ day: UInt64, _ numbers: RandomStream) -> Bool {
        for place in day..<day + UInt64(QuietDays.spell) where !quiet.isLow(numbers.value(at: place)) { return false }
        return true
    }
}

/// A person's quiet days, on which they hardly use the device.
private struct QuietDays: BitwiseCopyable {
    /// How many numbers in a row must be low.
    static let spell = 3

    /// The levels of quiet days and of others.
    struct Levels: BitwiseCopyable {
        let quietFactor, otherFactor: Double
        /// Below it a number is low.
        fileprivate let threshold: UInt64

        func isLow(_ u: UInt64) -> Bool { u < threshold }
    }

    let levels: Levels
    /// The relative variance of the levels.
    let variance: Double
    /// The variance of their logarithms, and the covariance of those of two days that follow each other.
    let logVariance, logCovariance: Double

    static let none = QuietDays(
        Levels(quietFactor: 1, otherFactor: 1, threshold: 0), variance: 0, logVariance: 0, logCovariance: 0)

    /// - Parameters:
    ///   - share: of days, 0 to 0.5.
    ///   - level: of a quiet day over that of others, and its logarithm.
    init(share: Double, level: Double, logLevel: Double) {
        guard share > 1e-6 else {
            self = .none
            return
        }
        let low = DeterministicMath.exp(DeterministicMath.log(share) / Double(Self.spell))
        let mean = 1 - (1 - level) * share
        let square = logLevel * logLevel
        self.init(
            Levels(quietFactor: level / mean, otherFactor: 1 / mean, threshold: UInt64(low * 0x1p53) << 11),
            variance: share * (1 - share) * (1 - level) * (1 - level) / (mean * mean),
            logVariance: square * share * (1 - share),
            logCovariance: square * share * (low - share))
    }

    private init(_ levels: Levels, variance: Double, logVariance: Double, logCovariance: Double) {
        (self.levels, self.variance, self.logVariance, self.logCovariance) = (
            levels, variance, logVariance, logCovariance
        )
    }
}

/// How a person's relative variance of daily counts beyond chance is divided between the levels.
struct DispersionDivision: BitwiseCopyable {
    let dayCorrelation: Double
    private let dayShare, quietLevel, logQuietLevel: Double
    /// The variance of a day's mean level for each unit of variance of its sixteenths.
    private let sixteenthsInDay: Double

    /// The largest variance of a sixteenth's level; what is beyond belongs to the day.
    private static let largest = 1.25
    /// Quiet days make no more than this part of the variance. Assumption.
    private static let mostOfQuietDays = 0.7
    /// No day's level carries over more than this to the next. Assumption.
    private static let mostCarryOver = 0.9

    init(_ habits: PickupHabits) {
        dayShare = habits.dayShare
        dayCorrelation = habits.dayCorrelation
        quietLevel = habits.quietLevel
        logQuietLevel = DeterministicMath.log(habits.quietLevel)
        sixteenthsInDay = WakingRhythm.varianceOfMean(correlation: habits.hourCorrelation)
    }

    struct Parts {
        let days: DayLevels
        /// The variance of a sixteenth's level.
        let sixteenth: Double
        /// The relative variance that all levels together make of daily counts.
        let variance: Double
        /// The difference between the correlation of successive days that was asked for and the one reached.
        let lackingCorrelation: Double
    }

    /// The levels of a person's days and sixteenths.
    ///
    /// - Parameters:
    ///   - variance: what the gaps do not make by themselves.
    ///   - total: the whole relative variance of daily counts, that of chance included: days whose counts correlate
    ///     need a share of it.
    ///   - quietShare: the share of the person's days that are quiet, if the variance has room for them.
    func parts(of variance: Double, total: Double, week: WeekProfile, quietShare: Double) -> Parts {
        let free = max(0, variance - week.variance)
        let depth = (1 - quietLevel) * (1 - quietLevel)
        let quiet = QuietDays(
            share: min(quietShare, PickupHabits.mostQuietDays, Self.mostOfQuietDays * free / depth), level: quietLevel,
            logLevel: logQuietLevel)
        let rest = max(0, free - quiet.variance)
        // The correlation is one of logarithms, which quiet days spread more widely than levels.
        let logTotal = max(1e-9, total - quiet.variance + quiet.logVariance)
        let lacking = dayCorrelation * logTotal - week.covariance - quiet.logCovariance
        let needed = lacking.magnitude / Self.mostCarryOver
        let wanted = max(dayShare * rest, min(rest, needed))
        let sixteenth = min((rest - wanted) / sixteenthsInDay, Self.largest)
        let day = max(0, rest - sixteenth * sixteenthsInDay)
        // A variance so small that it is all carried over is asked for nothing.
        let carryOver = day > 1e-9 ? max(-Self.mostCarryOver, min(Self.mostCarryOver, lacking / day)) : 0
        return Parts(
            days: DayLevels(variance: day / (1 + quiet.variance), carryOver: carryOver, quiet: quiet),
            sixteenth: sixteenth,
            variance: week.variance + quiet.variance + day + sixteenth * sixteenthsInDay,
            lackingCorrelation: (lacking - carryOver * day) / logTotal)
    }
}
