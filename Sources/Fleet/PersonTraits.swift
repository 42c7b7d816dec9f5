import SimulatedTime
import Stochastics
import WidgetPlatform

/// What a person is, drawn from their number alone (D1): nothing of it is stored between two people.
struct PersonTraits {
    let number: UInt64
    let segment: Int
    let zone: Int
    /// Mean unlocks a day.
    let unlocksPerDay: Double
    /// What this person's sessions last, as a multiple of the segment's law.
    let sessionScale: Double
    let sleepTimes: UsualSleep
    let home: Point
    let isCommuter: Bool
    /// The permission mode of each app, by index.
    let modes: SIMD16<UInt8>
    /// Whether precise location is off for the app, bit by index.
    let reducedAccuracy: UInt16

    /// The share of the waking day that sessions fill at most. Assumption: people with very many unlocks have shorter sessions.
    static let mostUse = 0.5

    init(number: UInt64, _ prepared: PreparedPlan) {
        let seed = prepared.plan.seed
        func draw(_ purpose: Purpose, sub: UInt16 = 0) -> UInt64 {
            RandomStream(seed: seed, person: number, purpose: purpose, sub: sub).value(at: 0)
        }
        self.number = number
        segment = prepared.segmentChoice.index(draw(.segment))
        let habits = prepared.segments[segment]
        zone = habits.zones.index(draw(.zone))
        sleepTimes = UsualSleep(habits, common: draw(.usualSleep), own: draw(.usualOnsetWorkday), draw(.usualWakeWorkday))
        unlocksPerDay = max(0, habits.unlocksPerDay.draw(draw(.unlockMean)))
        let use = unlocksPerDay * habits.meanSession
        let bound = Self.mostUse * sleepTimes.usualWaking.workday.length.inSeconds
        sessionScale = use > bound ? bound / use : 1
        // Homes lie anywhere in a box of 2,000 by 1,000 km, so that content cells and their phases differ between people.
        let place = RandomStream(seed: seed, person: number, purpose: .homePlace)
        home = Point(
            x: Int64(RandomStream.index(place.value(at: 0), below: 2_000_000_000)),
            y: Int64(RandomStream.index(place.value(at: 1), below: 1_000_000_000)))
        isCommuter = habits.commuter.holds(draw(.commuter))
        var modes = SIMD16<UInt8>()
        var reduced: UInt16 = 0
        for (index, app) in habits.apps.enumerated() {
            modes[index] = UInt8(app.modes.index(draw(.permissionMode, sub: UInt16(index))))
            if app.reducedAccuracy.holds(draw(.preciseLocation, sub: UInt16(index))) { reduced |= 1 << UInt16(index) }
        }
        self.modes = modes
        reducedAccuracy = reduced
    }

    func mode(ofApp app: Int) -> LocationMode { LocationMode(rawValue: modes[app])! }
    func hasReducedAccuracy(app: Int) -> Bool { reducedAccuracy & (1 << UInt16(app)) != 0 }
}

/// A person's usual nights (D2), in whole five minutes, so that budgets accrue in few different fractions.
struct UsualSleep {
    /// Microseconds from the midnight before waking: a usual onset of −3,600,000,000 is 23:00.
    let onsetWorkday, wakeWorkday, onsetFree, wakeFree: Int64

    /// How much of a person's deviation is common to their four usual times; the rest is the onset's or the wake-up's own. With it the
    /// correlation of onset and wake-up is near the published .67.
    private static let commonWeight = 0.8
    private static let ownWeight = 0.6
    private static let grain: Int64 = 300_000_000

    init(_ habits: PreparedSegment, common: UInt64, own onset: UInt64, _ wake: UInt64) {
        let shared = habits.normal.draw(common) * Self.commonWeight
        let onsetDeviation = shared + habits.normal.draw(onset) * Self.ownWeight
        let wakeDeviation = shared + habits.normal.draw(wake) * Self.ownWeight
        func times(_ night: SleepHabits.UsualNight) -> (onset: Int64, wake: Int64) {
            let onset = Self.rounded(night.onset + night.onsetSpread * onsetDeviation)
            let wake = Self.rounded(night.wake + night.wakeSpread * wakeDeviation)
            // A usual night is one that a night can be: 3 to 14 hours.
            let length = min(max(wake - onset, SleepHabits.shortestNight.microseconds), SleepHabits.longestNight.microseconds)
            return (onset, onset + length)
        }
        (onsetWorkday, wakeWorkday) = times(habits.sleep.workday)
        (onsetFree, wakeFree) = times(habits.sleep.freeDay)
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
