import Basics
import DeviceStorage
import Statistics
import WidgetPlatform

/// A person's nights, one after another: each its own draw round the usual times (D2).
///
/// A night belongs to the date on which it ends. Dates follow the zone in which the person lives.
struct SleepSchedule {
    /// The next change: falling asleep or waking up.
    private(set) var nextAt: Instant = .never
    private(set) var isAsleep = false
    private var onsets = DrawCount(), wakes = DrawCount()
    /// The date of the present or coming night's end.
    private(set) var date: CivilDate
    /// Nights cut to 3 or 14 hours so far.
    private(set) var cutNights = 0

    private var onset: Instant = .never
    private var wake: Instant = .longAgo
    /// The normal scores of the present or coming night: the onset's, and the wake-up's own part.
    private var onsetScore, wakeScore: Double
    private let usual: UsualSleep
    private let segment: UnsafePointer<PreparedNights>
    private let streams: RandomStreams
    private var zone: UnsafePointer<ZoneTable>

    /// The least time awake between two nights. Assumption.
    private static let shortestDay = Duration.hours(1)

    private var nights: PreparedNights {
        @inline(__always) _read { yield segment.pointee }
    }

    init(
        _ traits: PersonTraits, _ nights: UnsafePointer<PreparedNights>, zone: UnsafePointer<ZoneTable>,
        isResumed: Bool = false
    ) {
        usual = traits.sleepTimes
        segment = nights
        streams = traits.streams
        self.zone = zone
        if isResumed {
            (date, onsetScore, wakeScore) = (CivilDate(dayNumber: 0), 0, 0)
            return
        }
        date = zone.pointee.localTime(at: .start).date.advanced(by: -2)
        onsetScore = nights.pointee.normal.draw(onsets.next(of: streams[.nightOnset]))
        wakeScore = nights.pointee.normal.draw(wakes.next(of: streams[.nightWake]))
        placeNight()
        while wake <= .start {
            date = date.advanced(by: 1)
            drawNight()
        }
        cutNights = 0
        isAsleep = onset <= .start
        nextAt = isAsleep ? wake : onset
    }

    /// When the person falls asleep next; the past onset while asleep.
    var nextOnset: Instant { onset }

    /// Takes the next change.
    mutating func advance() {
        if isAsleep {
            isAsleep = false
            date = date.advanced(by: 1)
            drawNight()
            nextAt = onset
        } else {
            isAsleep = true
            nextAt = wake
        }
    }

    /// The person comes to another zone: the coming night, or the next one if it is now, is read on the new zone's
    /// clock, from the same draws. The person is up for at least an hour more, and for a day at most (assumption).
    mutating func move(to zone: UnsafePointer<ZoneTable>, at now: Instant) {
        self.zone = zone
        if isAsleep {
            // The night ends as it began; the day after it has the new zone's date.
            date = zone.pointee.localTime(at: wake).date
            return
        }
        // The night that the clock points to: one that should have begun some hours ago begins soon.
        date = zone.pointee.localTime(at: now).date
        let cutBefore = cutNights
        // `wake` is the coming night's own, which is not a bound of its onset.
        wake = .longAgo
        placeNight()
        while onset < now - Self.lateNight {
            date = date.advanced(by: 1)
            wake = .longAgo
            placeNight()
        }
        let length = wake - onset
        onset = max(min(onset, now + .days(1)), now + Self.shortestDay)
        wake = onset + length
        cutNights = cutBefore
        nextAt = onset
    }

    /// How late after its onset on the local clock a night still begins. Assumption.
    private static let lateNight = Duration.hours(6)

    /// The next night's scores: each carries over some of the night before.
    private mutating func drawNight() {
        onsetScore = nights.next(after: onsetScore, onsets.next(of: streams[.nightOnset]))
        wakeScore = nights.next(after: wakeScore, wakes.next(of: streams[.nightWake]))
        placeNight()
    }

    /// The night of the date from its scores, after the last wake-up.
    private mutating func placeNight() {
        let isWorkday = date.isWorkday
        let earliest = wake == .longAgo ? Instant.longAgo : wake + Self.shortestDay
        let onsetDeviation = Duration(seconds: usual.onsetNightSpread * nights.onsetDeviation(onsetScore))
        let wakeDeviation = Duration(seconds: usual.wakeNightSpread * nights.wakeDeviation(onsetScore, wakeScore))
        let usualOnset = isWorkday ? usual.onsetWorkday : usual.onsetFree
        let usualWake = isWorkday ? usual.wakeWorkday : usual.wakeFree
        onset = max(zone.pointee.instant(of: date, fromMidnight: usualOnset + onsetDeviation), earliest)
        let drawnWake = zone.pointee.instant(of: date, fromMidnight: usualWake + wakeDeviation)
        let length = drawnWake - onset
        let cut = min(max(length, SleepHabits.shortestNight), SleepHabits.longestNight)
        if cut != length { cutNights += 1 }
        wake = onset + cut
    }

    mutating func code<Coder: StateCoder>(_ coder: inout Coder, zone: UnsafePointer<ZoneTable>) {
        coder.code(&isAsleep)
        coder.code(&date.dayNumber, in: -3_000_000...3_000_000, "a night on no date")
        coder.code(&cutNights)
        coder.code(&onset)
        coder.code(&wake, near: onset)
        coder.code(&onsetScore)
        coder.code(&wakeScore)
        coder.code(&onsets)
        coder.code(&wakes)
        if Coder.isReading {
            self.zone = zone
            nextAt = isAsleep ? wake : onset
        }
    }
}

/// A person's usual nights (D2), in whole five minutes, so that budgets accrue in few different fractions.
package struct UsualSleep {
    /// The index of the person's age group.
    let age: Int
    let isDaySleeper: Bool
    /// From the midnight before waking: a usual onset of −1 h is 23:00.
    let onsetWorkday, wakeWorkday, onsetFree, wakeFree: Duration
    /// The standard deviations of this person's nights round the usual times, seconds.
    let onsetNightSpread, wakeNightSpread: Double

    private static let grain = Duration.minutes(5)
    /// No usual time lies further from that midnight. Assumption.
    private static let farthest = Duration.hours(20)

    init(_ habits: PreparedSleep, _ streams: RandomStreams) {
        age = habits.ageChoice.index(streams.number(.ageGroup))
        isDaySleeper = habits.daySleepers[age].holds(streams.number(.daySleeper))
        let normal = habits.nights.normal
        let own = SIMD4(
            normal.draw(streams.number(.usualOnsetWorkday)), normal.draw(streams.number(.usualWakeWorkday)),
            normal.draw(streams.number(.usualOnsetFree)),
            normal.draw(streams.number(.usualWakeFree)))
        func deviation(_ row: SIMD4<Double>) -> Double { habits.usualDeviation((row * own).sum()) }
        func times(_ night: SleepHabits.UsualNight, _ onsetDeviation: Double, _ wakeDeviation: Double) -> (
            onset: Duration, wake: Duration
        ) {
            let onset = Self.rounded(Duration(seconds: night.onset + night.onsetSpread * onsetDeviation))
            let wake = Self.rounded(Duration(seconds: night.wake + night.wakeSpread * wakeDeviation))
            // A usual night is one that a night can be: 3 to 14 hours.
            let length = min(max(wake - onset, SleepHabits.shortestNight), SleepHabits.longestNight)
            return (onset, onset + length)
        }
        let group = habits.ages[age]
        (onsetWorkday, wakeWorkday) = times(
            isDaySleeper ? habits.daySleep : group.workday, deviation(habits.factor.0), deviation(habits.factor.1))
        (onsetFree, wakeFree) = times(group.freeDay, deviation(habits.factor.2), deviation(habits.factor.3))
        onsetNightSpread = habits.onsetSpread.draw(streams.number(.nightOnsetSpread))
        wakeNightSpread = habits.wakeSpread.draw(streams.number(.nightWakeSpread))
    }

    /// The usual waking hours of somebody of a segment, by their numbers: for samples that are made before a run.
    package static func sampleWaking(ofSegment segment: Int, _ population: PreparedPopulation, _ streams: RandomStreams)
        -> UsualWaking
    {
        UsualSleep(population.segments[segment].sleep, streams).usualWaking
    }

    /// To the nearest whole grain, halves away from midnight.
    private static func rounded(_ time: Duration) -> Duration {
        let near = min(max(time, -farthest), farthest)
        let half = grain / 2
        return grain * ((near < .zero ? near - half : near + half).microseconds / grain.microseconds)
    }

    /// The usual waking hours on which budgets accrue: from the wake-up to the onset of the same kind of day (B4, B6).
    package var usualWaking: UsualWaking {
        func clock(_ time: Duration) -> ClockTime {
            let day = ClockTime.microsecondsPerDay
            return ClockTime(microseconds: ((time.microseconds % day) + day) % day)
        }
        return UsualWaking(
            workday: .init(from: clock(wakeWorkday), to: clock(onsetWorkday)),
            freeDay: .init(from: clock(wakeFree), to: clock(onsetFree)))
    }
}
