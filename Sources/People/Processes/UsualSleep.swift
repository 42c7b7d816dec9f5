import Basics
import Statistics
import WidgetPlatform

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
