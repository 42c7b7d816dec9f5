import Basics
import Statistics

/// When people sleep (D2): usual times by person, for workdays and free days, and each night's own draw round them.
public struct SleepHabits: Sendable {
    /// The age groups of the people; their shares add up to 1.
    public var ages: [AgeGroup] = []
    /// How heavy the tails of the usual times are over people: degrees of freedom of their Student's t.
    public var degrees = Self.nearlyNormal
    public var correlations = Correlations()
    /// The usual times of day sleepers before workdays; on free days they sleep at night like the others.
    public var daySleep = UsualNight()
    public var nights = NightHabits()

    /// People of one age.
    public struct AgeGroup: Sendable {
        public var name = ""
        public var share = 0.0
        /// The share of them who sleep by day before workdays.
        public var daySleeperShare = 0.0
        public var workday = UsualNight(), freeDay = UsualNight()
        public init() {}
    }

    /// Usual times and their spread over people.
    public struct UsualNight: Sendable {
        /// Seconds from midnight, of the mean over people; the onset lies between noon and noon, so that 23:04 is
        /// −3,360. A day sleeper's onset is later than noon of the evening before and counts on: 9:00 is 32,400.
        public var onset = 0.0, wake = 0.0
        /// The standard deviation over people, seconds.
        public var onsetSpread = 0.0, wakeSpread = 0.0

        public init() {}

        public init(onset: Double, wake: Double, onsetSpread: Double, wakeSpread: Double) {
            (self.onset, self.wake, self.onsetSpread, self.wakeSpread) = (onset, wake, onsetSpread, wakeSpread)
        }
    }

    /// Correlations over people between the normal scores of their four usual times.
    public struct Correlations: Sendable {
        /// The correlation of the onset and the wake-up of one kind of day.
        public var onsetAndWake = 0.0
        /// The correlations of the workday's and the free day's onset, and of the two wake-ups.
        public var onsets = 0.0, wakes = 0.0

        public init(onsetAndWake: Double = 0, onsets: Double = 0, wakes: Double = 0) {
            (self.onsetAndWake, self.onsets, self.wakes) = (onsetAndWake, onsets, wakes)
        }

        /// That of the onset of one kind of day and the wake-up of the other, which nobody publishes. Assumption: the
        /// way through either of the other two times, on average.
        public var acrossDays: Double { onsetAndWake * (onsets + wakes) / 2 }

        /// The matrix that turns independent scores into correlated ones: the lower triangle of the correlations'
        /// Cholesky factor, rows in the order workday onset, workday wake-up, free onset, free wake-up; nil if no four
        /// scores can have these correlations.
        public var factor: [[Double]]? {
            let matrix = [
                [1, onsetAndWake, onsets, acrossDays], [onsetAndWake, 1, acrossDays, wakes],
                [onsets, acrossDays, 1, onsetAndWake],
                [acrossDays, wakes, onsetAndWake, 1],
            ]
            var rows = Array(repeating: [0.0, 0, 0, 0], count: 4)
            for row in 0..<4 {
                for column in 0...row {
                    var rest = matrix[row][column]
                    for k in 0..<column { rest -= rows[row][k] * rows[column][k] }
                    if row == column {
                        guard rest > -1e-12 else { return nil }
                        rows[row][row] = max(0, rest).squareRoot()
                    } else if rows[column][column] > 1e-9 {
                        rows[row][column] = rest / rows[column][column]
                    } else if rest.magnitude > 1e-9 {
                        return nil
                    }
                }
            }
            return rows
        }
    }

    /// How far a night lies from the usual times.
    public struct NightHabits: Sendable {
        /// A person's standard deviation of the onset and of the wake-up, seconds, over people.
        public var onsetSpread = Distribution.zero, wakeSpread = Distribution.zero
        /// Degrees of freedom of the nights' Student's t, above 2.
        public var degrees = 3.0
        /// The correlation of the two ends of one night.
        public var onsetAndWake = 0.0
        /// The correlation of one night's deviations with the next one's.
        public var carryOver = 0.0
        public init() {}
    }

    /// A night lasts at least and at most this long; what is drawn outside is cut and counted (D2).
    public static let shortestNight = Duration.hours(3)
    public static let longestNight = Duration.hours(14)

    public init() {}

    /// Habits of people of one age who all sleep at night, normally spread; nights spread by as much for everybody and
    /// independent of each other.
    public init(workday: UsualNight, freeDay: UsualNight, onsetNightSpread: Double, wakeNightSpread: Double) {
        ages = [AgeGroup()]
        ages[0].share = 1
        (ages[0].workday, ages[0].freeDay) = (workday, freeDay)
        correlations = Correlations(onsetAndWake: 0.64, onsets: 1, wakes: 1)
        daySleep = UsualNight(onset: 32_400, wake: 57_600, onsetSpread: 0, wakeSpread: 0)
        nights.onsetSpread = Distribution(.constant(onsetNightSpread))
        nights.wakeSpread = Distribution(.constant(wakeNightSpread))
        nights.degrees = Self.nearlyNormal
    }

    /// Degrees of freedom with which a Student's t is a normal distribution for all purposes.
    private static let nearlyNormal = 1_000.0
}

/// Sleep habits with their tables (D2).
struct PreparedSleep {
    let ages: [SleepHabits.AgeGroup]
    let ageChoice: DiscreteChoice
    let daySleepers: [Bernoulli]
    let daySleep: SleepHabits.UsualNight
    /// Turns independent scores into those of a person's four usual times, row by row.
    let factor: (SIMD4<Double>, SIMD4<Double>, SIMD4<Double>, SIMD4<Double>)
    private let usualTail: UnitTail
    let onsetSpread, wakeSpread: PreparedDistribution
    let nights: PreparedNights
    /// The mean of the workday's usual waking time over the age groups, seconds.
    let typicalWaking: Double

    init(_ sleep: SleepHabits, _ tables: inout StandardTables) throws(DistributionProblem) {
        ages = sleep.ages
        ageChoice = try DiscreteChoice(weights: sleep.ages.map(\.share), name: "sleep.ages.share")
        var daySleepers: [Bernoulli] = []
        for age in sleep.ages { daySleepers.append(try Bernoulli(probability: age.daySleeperShare)) }
        self.daySleepers = daySleepers
        daySleep = sleep.daySleep
        guard let factor = sleep.correlations.factor else {
            throw DistributionProblem(
                name: "sleep.correlations", found: "values that no four times can have together",
                expected: "weaker or more even correlations")
        }
        let rows = factor.map { SIMD4($0) }
        self.factor = (rows[0], rows[1], rows[2], rows[3])
        usualTail = try UnitTail(degrees: sleep.degrees, &tables)
        onsetSpread = try sleep.nights.onsetSpread.prepared(with: &tables)
        wakeSpread = try sleep.nights.wakeSpread.prepared(with: &tables)
        nights = try PreparedNights(sleep.nights, &tables)
        typicalWaking = sleep.ages.reduce(0) { $0 + $1.share * (86_400 - ($1.workday.wake - $1.workday.onset)) }
    }

    /// A usual time's deviation from its mean in standard deviations.
    func usualDeviation(_ score: Double) -> Double { usualTail.deviation(score) }
}

/// The habits of sleep that all people of a segment have in common.
struct PreparedNights: BitwiseCopyable {
    let normal: PreparedDistribution
    private let tail: UnitTail
    private let correlation, ownPart: Double
    private let carryOver, freshPart: Double

    init(_ nights: SleepHabits.NightHabits, _ tables: inout StandardTables) throws(DistributionProblem) {
        normal = try Distribution(.normal(mean: 0, standardDeviation: 1)).prepared(with: &tables)
        tail = try UnitTail(degrees: nights.degrees, &tables)
        correlation = nights.onsetAndWake
        ownPart = (1 - correlation * correlation).squareRoot()
        carryOver = nights.carryOver
        freshPart = (1 - carryOver * carryOver).squareRoot()
    }

    /// The score of a night after that of the night before.
    func next(after score: Double, _ u: UInt64) -> Double { carryOver * score + freshPart * normal.draw(u) }
    /// The onset's deviation from the usual time in standard deviations.
    func onsetDeviation(_ onsetScore: Double) -> Double { tail.deviation(onsetScore) }
    /// The wake-up's deviation, which follows the onset's.
    func wakeDeviation(_ onsetScore: Double, _ wakeScore: Double) -> Double {
        tail.deviation(correlation * onsetScore + ownPart * wakeScore)
    }
}

/// Student's t by normal score, with the standard deviation 1.
private struct UnitTail: BitwiseCopyable {
    let table: ScoreTable
    let scale: Double

    init(degrees: Double, _ tables: inout StandardTables) throws(DistributionProblem) {
        table = try tables.scores(for: .studentT(degrees: degrees))
        scale = ((degrees - 2) / degrees).squareRoot()
    }

    func deviation(_ score: Double) -> Double { table.value(score) * scale }
}
