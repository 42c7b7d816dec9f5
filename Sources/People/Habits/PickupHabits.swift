import Statistics
import WidgetPlatform

/// How people pick their device up (D3) and what they look at (V2).
///
/// Spreads and correlations are totals: what a record of such people shows, all levels together. `PickupSolution` finds
/// each level's own.
public struct PickupHabits: Hashable, Sendable {
    /// A person's mean unlocks a day.
    public var unlocksPerDay = Distribution.zero
    /// A person's k of the negative binomial distribution of their daily counts: the variance of the counts is μ +
    /// μ²/k.
    public var dailyShape = Distribution(.constant(1e9))
    /// The correlation of the logarithms of two days' counts that follow each other, and how much of the variation
    /// beyond chance belongs to whole days instead of parts of days.
    public var dayCorrelation = 0.0
    public var dayShare = 0.0
    /// The correlation of the levels of two sixteenths of a waking day that follow each other.
    public var hourCorrelation = 0.0
    /// The rate of a waking day's first sixteenth over the day's mean.
    public var firstSixteenth = 1.0
    /// (σ − μ) / (σ + μ) of the gaps from lock to next unlock while awake, −1 to 1; 0 for gaps as random as can be.
    public var burstiness = 0.0
    /// Factors of Monday to Sunday.
    public var weekdayFactors = Array(repeating: 1.0, count: 7)
    /// The standard deviation over people of a weekday's factor, relative to the segment's own: each person has seven
    /// of their own.
    public var weekdaySpread = 0.0
    /// The share of a person's days that are quiet, 0 to 1, over people, and the level of a quiet day over that of the
    /// person's others, above 0 and below 1.
    public var quietDays = Distribution.zero
    public var quietLevel = 0.5
    /// Nobody has a larger share of quiet days. Assumption.
    public static let mostQuietDays = 0.3
    /// Pickups that never unlock, for each that does.
    public var glancesPerUnlock = 0.0
    /// Seconds, over the sessions of all people.
    public var sessionLength = Distribution.zero
    /// The standard deviation over people of the logarithm of a person's typical session, and its correlation with that
    /// of their unlocks a day.
    public var sessionSpread = 0.0
    public var sessionCorrelation = 0.0
    /// The share of the waking day that sessions fill at most on average; a person's longer ones are shortened in
    /// proportion.
    public var mostUse = 0.5
    /// Seconds; no day's mean gap is shorter.
    public var leastGap = 10.0
    /// The probability that a session shows the surface, by `Surface.rawValue`; lock-screen instances are seen at every
    /// pickup.
    public var surfaceShown = Array(repeating: 0.0, count: Surface.allCases.count)
    /// The share of glances that show the today view (V2).
    public var todayViewGlances = 0.0
    /// The share of devices with a passcode (D6).
    public var passcodeShare = 1.0
    /// The share of days on which the device is used at all, above 0; on those its pickups are more in proportion.
    public var daysUsedShare = 1.0
    public init() {}

    /// People who all unlock alike, at random: no spread but that of chance.
    public static func even(
        unlocksPerDay: Distribution, glancesPerUnlock: Double, sessionLength: Distribution, surfaceShown: [Double],
        passcodeShare: Double
    ) -> PickupHabits {
        var habits = PickupHabits()
        habits.unlocksPerDay = unlocksPerDay
        habits.glancesPerUnlock = glancesPerUnlock
        habits.sessionLength = sessionLength
        habits.surfaceShown = surfaceShown
        habits.passcodeShare = passcodeShare
        return habits
    }
}

/// Pickup habits with their tables (D3): a plain value that the loop reads.
@usableFromInline struct PreparedPickups: BitwiseCopyable {
    let unlocksPerDay, dailyShape: PreparedDistribution
    /// A session is locked after its pickup: a microsecond at least.
    let sessionLength: DurationDistribution
    let normal: PreparedDistribution
    let glancesPerUnlock: Double
    let passcode: Bernoulli
    /// Whether a day is one on which the device is used, and how much more on such a day than on the average one.
    let usedDay: Bernoulli
    let usedDayFactor: Double
    /// The kind of a pickup: a session that shows the home pages and the today view of these bits (`SurfaceSet`), or,
    /// behind them, a glance.
    let kind: DiscreteChoice
    @usableFromInline static var glanceKind: Int { 8 }
    /// Monday to Sunday, of the segment; the standard deviation of a person's own round them.
    let weekdayFactors: SIMD8<Double>
    let weekdaySpread: Double
    /// The share of a person's days that are quiet.
    let quietDays: PreparedDistribution
    /// Seconds: what a session of the distribution lasts on average.
    let meanSession: Double
    /// How the logarithm of a person's typical session follows that of their unlocks a day, and what is the person's
    /// own.
    private let sessionSlope, sessionOwnSpread, typicalLogUnlocks: Double
    let mostUse, leastGap: Double

    let gap: GapDistribution
    /// The burstiness that a record of these habits has, as `PickupSolution` finds it.
    let burstiness: Double
    /// How far the trial's chance takes that.
    private let burstinessNoise: Double
    let rhythm: WakingRhythm.Habits
    let division: DispersionDivision
    /// How much more than chance a record of counts varies for what the levels do not say, as `PickupSolution` tells
    /// it.
    let dispersionOfGaps: Double

    init(_ habits: PickupHabits, typicalWaking: Double, _ tables: inout StandardTables) throws(DistributionProblem) {
        unlocksPerDay = try habits.unlocksPerDay.prepared(with: &tables)
        dailyShape = try habits.dailyShape.prepared(with: &tables)
        normal = try Distribution(.normal(mean: 0, standardDeviation: 1)).prepared(with: &tables)
        glancesPerUnlock = habits.glancesPerUnlock
        passcode = try Bernoulli(probability: habits.passcodeShare)
        usedDay = try Bernoulli(probability: habits.daysUsedShare)
        usedDayFactor = 1 / habits.daysUsedShare
        let session = 1 / (1 + habits.glancesPerUnlock)
        var weights = [Double](repeating: session, count: Self.glanceKind)
        for bits in weights.indices {
            for surface in 0..<3 {
                let share = habits.surfaceShown[surface]
                weights[bits] *= bits & (1 << surface) != 0 ? share : 1 - share
            }
        }
        kind = try DiscreteChoice(weights: weights + [1 - session], name: "pickups")
        weekdayFactors = Self.weekdays(of: habits)
        weekdaySpread = habits.weekdaySpread
        quietDays = try habits.quietDays.prepared(with: &tables)
        mostUse = habits.mostUse
        leastGap = habits.leastGap
        division = DispersionDivision(habits)

        let logs = Self.logMoments(unlocksPerDay)
        typicalLogUnlocks = logs.meanOverUnlocks
        sessionSlope = logs.spread > 0 ? habits.sessionCorrelation * habits.sessionSpread / logs.spread : 0
        let explained = sessionSlope * logs.spread
        sessionOwnSpread = max(0, habits.sessionSpread * habits.sessionSpread - explained * explained).squareRoot()
        // The distribution is that of all people's sessions: what differs between people is taken out of a person's
        // own.
        var own = habits.sessionLength
        if case .lognormal(let median, let sigma) = own.shape {
            own.shape = .lognormal(
                median: median, sigma: max(0, sigma * sigma - habits.sessionSpread * habits.sessionSpread).squareRoot())
        }
        sessionLength = try own.preparedDurations(atLeast: .microsecond, with: &tables)
        meanSession = sessionLength.seconds.mean

        rhythm = WakingRhythm.Habits(
            firstSixteenth: habits.firstSixteenth, carryOver: habits.hourCorrelation, normal: normal,
            leastGap: habits.leastGap)
        let solution = try PickupSolution(habits, sessionLength, rhythm, typicalWaking: typicalWaking, &tables)
        gap = solution.gap
        burstiness = solution.burstiness
        burstinessNoise = solution.noise
        dispersionOfGaps = solution.dispersion
    }

    /// Sentences about the totals in which a typical person's record differs from what was asked for.
    func shortfalls(of habits: PickupHabits) -> [String] {
        let median: UInt64 = 1 << 63
        let unlocks = unlocksPerDay.draw(median)
        // People with hardly a pickup have no gaps to speak of.
        guard unlocks >= 2 else { return [] }
        var sentences: [String] = []
        func hundredths(_ value: Double) -> String { "\((value * 100).rounded() / 100)" }
        if (burstiness - habits.burstiness).magnitude > max(0.03, burstinessNoise) {
            sentences.append(
                "burstiness \(hundredths(habits.burstiness)) is impossible, \(hundredths(burstiness)) is reached")
        }
        let overdispersion = 1 / max(dailyShape.draw(median), 1e-3)
        let total = overdispersion + 1 / unlocks
        let parts = division.parts(
            of: overdispersion - (dispersionOfGaps - 1) / unlocks, total: total,
            week: WeekProfile(weekdayFactors, spread: weekdaySpread),
            quietShare: quietDays.draw(median))
        let reached = parts.variance + (dispersionOfGaps - 1) / unlocks
        if reached > 1.3 * overdispersion + 0.002 || reached < 0.8 * overdispersion - 0.002 {
            sentences.append(
                "daily_k \(hundredths(1 / overdispersion)) is impossible, about \(hundredths(1 / reached)) is reached")
        }
        let lacking = parts.lackingCorrelation
        if lacking.magnitude > 0.03 {
            let bound = lacking > 0 ? "most" : "least"
            sentences.append(
                "day_correlation \(hundredths(division.dayCorrelation)) is impossible, at \(bound) \(hundredths(division.dayCorrelation - lacking)) is reached"
            )
        }
        return sentences
    }

    /// A person's sessions as a multiple of the distribution, before they are cut to the most use.
    func sessionScale(unlocksPerDay: Double, _ u: UInt64) -> Double {
        let log = DeterministicMath.log(max(unlocksPerDay, 0.01))
        return DeterministicMath.exp(sessionSlope * (log - typicalLogUnlocks) + sessionOwnSpread * normal.draw(u))
    }

    static func weekdays(of habits: PickupHabits) -> SIMD8<Double> {
        var factors = SIMD8<Double>(repeating: 1)
        for (day, factor) in habits.weekdayFactors.enumerated() { factors[day] = factor }
        return factors
    }

    /// Moments of the logarithm of a distribution of counts: its standard deviation over people, and its mean over all
    /// their unlocks, to which frequent users add more.
    private static func logMoments(_ counts: PreparedDistribution) -> (spread: Double, meanOverUnlocks: Double) {
        let drawn = (0..<4096).map { max(counts.draw(PreparedDistribution.middle(of: $0)), 0.01) }
        let logs = drawn.map(DeterministicMath.log)
        let mean = logs.reduce(0, +) / 4096
        let square = logs.reduce(0) { $0 + ($1 - mean) * ($1 - mean) } / 4096
        let weighted = zip(drawn, logs).reduce(0) { $0 + $1.0 * $1.1 } / drawn.reduce(0, +)
        return (square.squareRoot(), weighted)
    }
}

extension PreparedDistribution {
    /// The number in the middle of one of 4,096 even parts.
    static func middle(of part: Int) -> UInt64 { UInt64(part) << 52 | 1 << 51 }

    /// The mean of the draws, clipped as they are.
    var mean: Double { (0..<4096).reduce(0) { $0 + draw(Self.middle(of: $1)) } / 4096 }
}

/// The numbers of one pickup, from one block: 44 bits for the gap after it and as many for the length of its session,
/// 40 for its kind.
struct PickupNumbers {
    let gap, length, kind: UInt64

    @inline(__always) init(_ block: (first: UInt64, second: UInt64)) {
        // In the middle of the numbers that begin with these bits.
        let middle: UInt64 = 1 << 19
        gap = (block.first & ~0xF_FFFF) | middle
        length = (block.first << 44) | ((block.second >> 40) << 20) | middle
        kind = (block.second << 24) | (1 << 23)
    }
}
