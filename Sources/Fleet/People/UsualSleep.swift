import SimulatedTime
import Stochastics
import WidgetPlatform

/// A person's usual nights (D2), in whole five minutes, so that budgets accrue in few different fractions.
struct UsualSleep {
    /// The index of the person's age group.
    let age: Int
    let isDaySleeper: Bool
    /// Microseconds from the midnight before waking: a usual onset of −3,600,000,000 is 23:00.
    let onsetWorkday, wakeWorkday, onsetFree, wakeFree: Int64
    /// The standard deviations of this person's nights round the usual times, seconds.
    let onsetNightSpread, wakeNightSpread: Double

    private static let grain: Int64 = 300_000_000

    /// - Parameter draw: the person's number for a purpose.
    init(_ habits: PreparedSleep, _ draw: (Purpose) -> UInt64) {
        age = habits.ageChoice.index(draw(.ageGroup))
        isDaySleeper = habits.daySleepers[age].holds(draw(.daySleeper))
        let normal = habits.nights.normal
        let own = SIMD4(
            normal.draw(draw(.usualOnsetWorkday)), normal.draw(draw(.usualWakeWorkday)), normal.draw(draw(.usualOnsetFree)),
            normal.draw(draw(.usualWakeFree)))
        func deviation(_ row: SIMD4<Double>) -> Double { habits.usualDeviation((row * own).sum()) }
        func times(_ night: SleepHabits.UsualNight, _ onsetDeviation: Double, _ wakeDeviation: Double) -> (onset: Int64, wake: Int64) {
            let onset = Self.rounded(night.onset + night.onsetSpread * onsetDeviation)
            let wake = Self.rounded(night.wake + night.wakeSpread * wakeDeviation)
            // A usual night is one that a night can be: 3 to 14 hours.
            let length = min(max(wake - onset, SleepHabits.shortestNight.microseconds), SleepHabits.longestNight.microseconds)
            return (onset, onset + length)
        }
        let group = habits.ages[age]
        (onsetWorkday, wakeWorkday) = times(
            isDaySleeper ? habits.daySleep : group.workday, deviation(habits.factor.0), deviation(habits.factor.1))
        (onsetFree, wakeFree) = times(group.freeDay, deviation(habits.factor.2), deviation(habits.factor.3))
        onsetNightSpread = habits.onsetSpread.draw(draw(.nightOnsetSpread))
        wakeNightSpread = habits.wakeSpread.draw(draw(.nightWakeSpread))
    }

    private static func rounded(_ seconds: Double) -> Int64 {
        let limit = 20 * 3600.0
        let grains = min(max(seconds, -limit), limit) * 1e6 / Double(grain)
        return Int64(grains < 0 ? grains - 0.5 : grains + 0.5) * grain
    }

    /// The usual waking hours on which budgets accrue: from the wake-up to the onset of the same kind of day (B4, B6).
    var usualWaking: UsualWaking {
        func clock(_ microseconds: Int64) -> ClockTime {
            let day = ClockTime.microsecondsPerDay
            return ClockTime(microseconds: ((microseconds % day) + day) % day)
        }
        return UsualWaking(
            workday: .init(from: clock(wakeWorkday), to: clock(onsetWorkday)), freeDay: .init(from: clock(wakeFree), to: clock(onsetFree)))
    }
}
