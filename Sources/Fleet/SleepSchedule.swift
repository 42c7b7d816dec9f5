import SimulatedTime
import Stochastics
import WidgetPlatform

/// A person's nights, one after another: each its own draw round the usual times (D2).
///
/// A night belongs to the date on which it ends. Dates follow the zone that the person lives in.
struct SleepSchedule {
    /// The next change: falling asleep or waking up.
    private(set) var nextAt: Instant = .never
    private(set) var isAsleep = false
    /// The date of the present or coming night's end.
    private(set) var date: CivilDate
    /// Nights cut to 3 or 14 hours so far.
    private(set) var cutNights = 0

    private var onset: Instant = .never
    private var wake: Instant = .longAgo
    private let usual: UsualSleep
    private let onsetSpread, wakeSpread: Double
    private let normal: PreparedDistribution
    private let onsets, wakes: RandomStream
    private let firstDate: CivilDate
    private let zone: UnsafePointer<ZoneTable>

    /// The least time awake between two nights. Assumption.
    private static let shortestDay = Duration.hours(1)

    init(_ traits: PersonTraits, _ habits: PreparedSegment, zone: UnsafePointer<ZoneTable>, seed: UInt64) {
        usual = traits.sleepTimes
        onsetSpread = habits.sleep.onsetNightSpread
        wakeSpread = habits.sleep.wakeNightSpread
        normal = habits.normal
        onsets = RandomStream(seed: seed, person: traits.number, purpose: .nightOnset)
        wakes = RandomStream(seed: seed, person: traits.number, purpose: .nightWake)
        self.zone = zone
        firstDate = zone.pointee.localTime(at: .start).date.advanced(by: -2)
        date = firstDate
        drawNight()
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

    private mutating func drawNight() {
        let index = UInt64(date.dayNumber - firstDate.dayNumber)
        let isWorkday = date.isWorkday
        let earliest = wake == .longAgo ? Instant.longAgo : wake + Self.shortestDay
        let drawnOnset = local(isWorkday ? usual.onsetWorkday : usual.onsetFree, spread: onsetSpread * normal.draw(onsets.value(at: index)))
        let drawnWake = local(isWorkday ? usual.wakeWorkday : usual.wakeFree, spread: wakeSpread * normal.draw(wakes.value(at: index)))
        onset = max(drawnOnset, earliest)
        let length = drawnWake - onset
        let cut = min(max(length, SleepHabits.shortestNight), SleepHabits.longestNight)
        if cut != length { cutNights += 1 }
        wake = onset + cut
    }

    /// The instant that lies `microseconds` and `spread` seconds from the midnight on which `date` begins, on the local clock.
    private func local(_ microseconds: Int64, spread: Double) -> Instant {
        let at = microseconds + Int64(spread * 1e6)
        let day = ClockTime.microsecondsPerDay
        var clock = at % day
        if clock < 0 { clock += day }
        return zone.pointee.instant(of: date.advanced(by: (at - clock) / day), at: ClockTime(microseconds: clock))
    }
}
