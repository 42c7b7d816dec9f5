import Basics
import Statistics

/// The gaps between pickups with which the published totals come out (D3), found once before a run.
///
/// The burstiness of a record is that of its gaps, of the sixteenths' levels, of sessions and glances together. So a
/// person with typical unlocks lives through some hundred days, always with the same random numbers, and the spread of
/// the lognormal gaps is bisected until their record has the burstiness asked for, unless gaps as random as can be give
/// that as nearly as the trial can tell.
struct PickupSolution {
    let gap: GapDistribution
    /// The burstiness that the trial's record has with them; other than asked for where no gaps could have that, or by
    /// no more than `noise`.
    let burstiness: Double
    /// How far chance takes the burstiness of the trial's record.
    let noise: Double
    /// The variance of daily counts over their mean that the gaps make by themselves: 1 for gaps as random as can be.
    let dispersion: Double

    /// Days of the trial, fewer if they are full, so that it never takes long.
    private static let mostDays = 200.0
    private static let mostPickups = 40_000.0
    private static let steps = 10
    /// The gaps' own σ, of the logarithm.
    private static let least = 0.05
    private static let most = 2.5
    /// The σ at which a lognormal varies as widely as an exponential, so as random gaps do.
    private static let random = DeterministicMath.log(2).squareRoot()

    init(
        _ habits: PickupHabits, _ sessionLength: DurationDistribution, _ rhythm: WakingRhythm.Habits,
        typicalWaking: Double,
        _ tables: inout StandardTables
    ) throws(DistributionProblem) {
        SetUpCount.current?.add()
        let unlocks = max(0.5, try habits.unlocksPerDay.prepared(with: &tables).draw(1 << 63))
        let shape = max(1e-3, try habits.dailyShape.prepared(with: &tables).draw(1 << 63))
        let trial = Trial(
            habits, sessionLength: sessionLength, rhythm: rhythm, waking: typicalWaking, unlocks: unlocks,
            overdispersion: 1 / shape,
            quietShare: try habits.quietDays.prepared(with: &tables).draw(1 << 63))
        var sigma = Self.random
        let lacking = habits.burstiness - (try trial.burstiness(sigma: sigma, tables))
        // Nearer than the trial can tell: where sessions are few among glances, hardly any spread changes the record,
        // and chance would decide.
        if lacking.magnitude > trial.noise {
            var (low, high) = lacking > 0 ? (sigma, Self.most) : (Self.least, sigma)
            for _ in 0..<Self.steps {
                let middle = (low + high) / 2
                if try trial.burstiness(sigma: middle, tables) < habits.burstiness {
                    low = middle
                } else {
                    high = middle
                }
            }
            sigma = (low + high) / 2
        }
        gap = try GapDistribution(sigma: sigma, &tables)
        burstiness = trial.burstiness(gap: gap, sigma: sigma)
        noise = trial.noise
        dispersion = trial.dispersion(sigma: sigma)
    }

    /// The record of a person with typical unlocks, for one spread of gaps.
    private struct Trial {
        let habits: PickupHabits
        let division: DispersionDivision
        let week: WeekProfile
        let quietShare: Double
        let sessionLength: DurationDistribution
        let rhythm: WakingRhythm.Habits
        let days: UInt64
        /// Seconds awake a day.
        let waking: Double
        let unlocks, overdispersion: Double
        let pickups, unlockShare: Double
        /// The factor on sessions with which they fill no more of the day than a person's may.
        let sessionScale: Double
        /// Seconds of a pickup's use on average, and its variance.
        let meanUse, useVariance: Double
        /// The pickups of all days, which no spread changes.
        let drawn: TrialPickups

        private static let seed: UInt64 = 0x5eed

        init(
            _ habits: PickupHabits, sessionLength: DurationDistribution, rhythm: WakingRhythm.Habits, waking: Double,
            unlocks: Double,
            overdispersion: Double, quietShare: Double
        ) {
            self.habits = habits
            division = DispersionDivision(habits)
            week = WeekProfile(PreparedPickups.weekdays(of: habits), spread: habits.weekdaySpread)
            self.quietShare = quietShare
            self.sessionLength = sessionLength
            self.rhythm = rhythm
            self.waking = waking
            self.unlocks = unlocks
            self.overdispersion = overdispersion
            pickups = unlocks * (1 + habits.glancesPerUnlock)
            days = UInt64(max(2, min(PickupSolution.mostDays, PickupSolution.mostPickups / pickups)))
            unlockShare = 1 / (1 + habits.glancesPerUnlock)
            let mean = sessionLength.seconds.mean
            let scale = min(1, habits.mostUse * waking / max(1e-9, unlocks * mean))
            sessionScale = scale
            meanUse = mean * scale * unlockShare
            let squares = (0..<4096).reduce(0) { sum, part in
                let length = sessionLength.seconds.draw(PreparedDistribution.middle(of: part)) * scale
                return sum + length * length
            }
            useVariance = max(0, unlockShare * squares / 4096 - meanUse * meanUse)
            let stream = RandomStreams(seed: Self.seed, person: 0)[.pickup]
            drawn = TrialPickups(
                stream, sessionLength, times: scale, unlockShare: unlockShare, days: Int(days), meanPickups: pickups)
        }

        /// How far chance takes the burstiness of the trial's record: somewhat under two standard errors where gaps are
        /// as random as can be.
        var noise: Double { 1 / max(1, unlocks * Double(days)).squareRoot() }

        /// The index of dispersion of unlocks a day: that of a renewal process whose cycles are a gap and a session or
        /// glance, thinned to its sessions.
        func dispersion(sigma: Double) -> Double {
            let cycle = max(waking / pickups, meanUse + habits.leastGap)
            let gap = cycle - meanUse
            let gapVariance = gap * gap * (DeterministicMath.exp(sigma * sigma) - 1)
            return 1 + unlockShare * ((gapVariance + useVariance) / (cycle * cycle) - 1)
        }

        /// The burstiness with gaps of a spread that is only tried.
        func burstiness(sigma: Double, _ tables: StandardTables) throws(DistributionProblem) -> Double {
            try tables.withPassingLognormal(sigma: sigma) { tables throws(DistributionProblem) in
                burstiness(gap: try GapDistribution(sigma: sigma, &tables), sigma: sigma)
            }
        }

        /// The burstiness of the gaps from lock to next unlock while awake.
        func burstiness(gap: GapDistribution, sigma: Double) -> Double {
            withUnsafePointer(to: rhythm) { burstiness(gap: gap, sigma: sigma, $0) }
        }

        private func burstiness(gap: GapDistribution, sigma: Double, _ rhythm: UnsafePointer<WakingRhythm.Habits>)
            -> Double
        {
            let parts = division.parts(
                of: overdispersion - (dispersion(sigma: sigma) - 1) / unlocks, total: overdispersion + 1 / unlocks,
                week: week,
                quietShare: quietShare)
            let streams = RandomStreams(seed: Self.seed, person: 0)
            var day = WakingRhythm(rhythm, WakingRhythm.Spread(variance: parts.sixteenth), meanUse: meanUse)
            let (firstPickups, hourLevels) = (streams[.firstPickup], streams[.hourLevel])
            var levels = streams[.dayLevel]
            let quietDays = streams[.quietDay]
            let end = Instant.start + Duration(seconds: waking)
            var (count, sum, squares) = (0.0, 0.0, 0.0)
            for number in 0..<days {
                let level = parts.days.level(
                    score: rhythm.pointee.normal.draw(levels.next()), isQuiet: parts.days.isQuiet(number, quietDays))
                day.begin(at: .start, end: end, pickups: pickups * level, day: number, levels: hourLevels)
                var locked: Instant = .never
                var at = day.instant(after: gap.first(firstPickups.pair(at: number)), from: .start, levels: hourLevels)
                var place = 0
                while at < end {
                    let pickup = drawn.pickup(day: Int(number), place)
                    if let session = pickup.session {
                        if locked != .never {
                            let length = (at - locked).inSeconds
                            (count, sum, squares) = (count + 1, sum + length, squares + length * length)
                        }
                        locked = at + session
                        at = locked
                    }
                    if at >= end { break }
                    at = day.instant(after: gap.next(pickup.gap), from: at, levels: hourLevels)
                    place += 1
                }
            }
            guard count > 1, sum > 0 else { return 0 }
            let mean = sum / count
            let deviation = max(0, squares / count - mean * mean).squareRoot()
            return (deviation - mean) / (deviation + mean)
        }
    }
}

/// The pickups of a trial, drawn as they are first asked for: they are the same with all gaps that are tried.
private final class TrialPickups {
    struct Drawn {
        let gap: UInt64
        /// How long its session is; nil for a glance.
        let session: Duration?
    }

    private let stream: RandomStream
    private let length: DurationDistribution
    private let scale, unlockShare: Double
    /// So many of a day are kept; hardly any day has more.
    private let most: Int
    /// Those of one day after those of another, the first ones of each.
    private var kept: [Drawn]
    private var counts: [Int]

    init(
        _ stream: RandomStream, _ length: DurationDistribution, times scale: Double, unlockShare: Double, days: Int,
        meanPickups: Double
    ) {
        (self.stream, self.length, self.scale, self.unlockShare) = (stream, length, scale, unlockShare)
        most = Int(min(2 * meanPickups, 40_000)) + 16
        kept = Array(repeating: Drawn(gap: 0, session: nil), count: days * most)
        counts = Array(repeating: 0, count: days)
    }

    /// A pickup of a day, counted from 0; those before it were asked for.
    @inline(__always) func pickup(day: Int, _ number: Int) -> Drawn {
        if number < counts[day] { return kept[day * most + number] }
        let numbers = PickupNumbers(stream.pair(at: UInt64(day) << 20 + UInt64(number)))
        let isUnlock = RandomStream.uniform(numbers.kind) < unlockShare
        let pickup = Drawn(gap: numbers.gap, session: isUnlock ? length.draw(numbers.length, times: scale) : nil)
        if number < most { (kept[day * most + number], counts[day]) = (pickup, number + 1) }
        return pickup
    }
}

/// The gaps between pickups in units of their mean: lognormal.
struct GapDistribution: BitwiseCopyable {
    private let gap: PreparedDistribution
    /// A gap that a moment falls into: long ones hold more moments.
    private let gapAtMoment: PreparedDistribution

    init(sigma: Double, _ tables: inout StandardTables) throws(DistributionProblem) {
        let half = sigma * sigma / 2
        gap = try Distribution(.lognormal(median: DeterministicMath.exp(-half), sigma: sigma)).prepared(with: &tables)
        gapAtMoment = try Distribution(.lognormal(median: DeterministicMath.exp(half), sigma: sigma)).prepared(
            with: &tables)
    }

    /// From a lock to the next pickup.
    @inline(__always) func next(_ u: UInt64) -> Double { gap.draw(u) }

    /// From a wake-up, which is not a pickup, to the first one: the rest of a gap that the wake-up falls into. With a
    /// whole gap a day would begin with half a cluster of pickups too many.
    func first(_ numbers: (first: UInt64, second: UInt64)) -> Double {
        gapAtMoment.draw(numbers.first) * RandomStream.uniform(numbers.second)
    }
}
