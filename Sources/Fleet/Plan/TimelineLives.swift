import Basics
import ScenarioModel
import Statistics
import WidgetPlatform

/// The lives of timelines whose policy asks for the next one `after` a time and a jitter (P5), for the age that content
/// has at the start of a run (T4).
struct TimelineLives {
    private let after: Duration
    private let jitter: DurationDistribution
    /// The parts of the jitter's random numbers, each by its share of all lives' length; nil where no life has any.
    private let parts: DiscreteChoice?
    /// The mean life in seconds.
    let mean: Double

    /// The parts of even width, of which the last is divided further, so that few long lives do not share one.
    private static let evenParts = 1_024
    private static let halvings = 24

    init(after: Duration, jitter: DurationDistribution) throws(DistributionProblem) {
        (self.after, self.jitter) = (after, jitter)
        var weights: [Double] = []
        for part in 0..<(Self.evenParts + Self.halvings) {
            let (from, width) = Self.numbers(ofPart: part)
            var sum = 0.0
            // The middles of the part's quarters.
            for quarter in 0..<4 {
                let number = from + (width >> 3) * UInt64(2 * quarter + 1)
                sum += max(.zero, after + jitter.draw(number)).inSeconds
            }
            weights.append(sum / 4 * Double(width) * 0x1p-64)
        }
        mean = weights.reduce(0, +)
        parts = mean > 0 ? try DiscreteChoice(weights: weights) : nil
    }

    /// The first random number of a part, and how many it has.
    private static func numbers(ofPart part: Int) -> (from: UInt64, width: UInt64) {
        let even = UInt64(1) << 54
        if part < evenParts - 1 { return (UInt64(part) * even, even) }
        // The last even part: its lower half, the lower half of what is left, and so on.
        let halving = part - (evenParts - 1)
        let left = even >> UInt64(halving)
        return halving < halvings ? (0 &- left, left / 2) : (0 &- left, left)
    }

    /// The life of a timeline with a jitter of this random number.
    func life(_ u: UInt64) -> Duration { max(.zero, after + jitter.draw(u)) }

    /// The life that is under way at an instant long after the first: long ones are met more often, by their length.
    func lifeUnderWay(_ choice: UInt64, _ within: UInt64) -> Duration {
        guard let parts else { return .zero }
        let (from, width) = Self.numbers(ofPart: parts.index(choice))
        return life(from + within.multipliedFullWidth(by: width).high)
    }
}

/// The usual nights of a person, in which G3 holds reloads back until the next day of use.
struct UsualNights {
    private let waking: UsualWaking
    private let idleAfter: Duration
    /// The time of day and the date of the local clock at the start of the run.
    private let offset: Int64
    private let firstDay: Int64

    init(_ waking: UsualWaking, idleAfter: Duration, in zone: borrowing ZoneTable) {
        (self.waking, self.idleAfter) = (waking, idleAfter)
        let local = zone.localTime(at: .start)
        offset = local.clock.microseconds
        firstDay = local.date.dayNumber
    }

    /// The first instant at or after another at which the device is in use or was within `idle_after`.
    func opening(from instant: Instant) -> Instant {
        let day = ClockTime.microsecondsPerDay
        // Microseconds since the midnight that began the local date of the start, and the days since that date.
        let local = instant.microseconds + offset
        let days = LocalTime(localMicroseconds: local).date.dayNumber
        for date in (days - 1)...(days + 1) {
            let span = CivilDate(dayNumber: firstDay + date).isWorkday ? waking.workday : waking.freeDay
            let from = date * day + span.from.microseconds
            if local < from { return instant + Duration(microseconds: from - local) }
            if local < from + span.length.microseconds + idleAfter.microseconds { return instant }
        }
        return instant
    }
}

/// The life of a timeline that is under way at the start of a run, as a process that began long before leaves it (T4).
struct PastLives {
    let fetched: Instant
    /// When it asks for the next one; before the start if the night holds that back.
    let due: Instant

    /// Shorter lives are mixed by the day that devices live before the report begins.
    private static let longLife = Duration.hours(6).inSeconds
    /// From so many lives before the start on, nights are counted; no further back than so many seconds.
    private static let livesBefore = 32.0
    private static let farthest = Duration.days(180).inSeconds

    /// - Parameters:
    ///   - keptJitter: the number of the jitter that a device keeps; nil if each date has its own.
    ///   - nights: nil if none holds a reload back.
    init(
        _ lives: TimelineLives, draws: RandomStream, keptJitter: UInt64?, nights: UsualNights?,
        systemDelay: DurationDistribution
    ) {
        let life =
            keptJitter.map(lives.life) ?? lives.lifeUnderWay(draws.value(at: 1), draws.value(at: 2))
        let age = Duration(seconds: life.inSeconds * RandomStream.uniform(draws.value(at: 0)))
        guard let nights, lives.mean >= Self.longLife, lives.mean < Self.farthest else {
            (fetched, due) = (.start - age, .start - age + life)
            return
        }
        var fetched = .start - Duration(seconds: min(Self.livesBefore * lives.mean, Self.farthest)) - age
        var due = fetched + life
        var draw: UInt64 = 3
        while true {
            let next = nights.opening(from: due) + systemDelay.draw(draws.value(at: draw))
            if next >= .start { break }
            fetched = next
            due = next + lives.life(keptJitter ?? draws.value(at: draw + 1))
            draw += 2
        }
        (self.fetched, self.due) = (fetched, due)
    }
}

/// The last date of a schedule that was served before the start of a run, and the one that its content waits for, each
/// late by a draw of its own (P5, N1, N6, T4).
struct PastDates {
    let fetched: Instant
    let due: Instant

    /// - Parameters:
    ///   - last: the last date at or before an instant, nil for none.
    ///   - next: the first date after an instant, `never` for none.
    ///   - delay: how late a date is served, by its random number; rises with that.
    ///   - draws: the random numbers of the dates.
    init(
        last: (Instant) -> Instant?, next: (Instant) -> Instant, delay: (UInt64) -> Duration, draws: (UInt64) -> UInt64
    ) {
        // From a date on before which hardly any that was asked for is still to come.
        let late = delay(UInt64.max / 100 * 99)
        var fetched = last(.start - late - late) ?? .start - VersionSource.lead
        var date = fetched
        var draw: UInt64 = 0
        repeat {
            let due = max(fetched, date + delay(draws(draw)))
            if due >= .start || date == .never { break }
            fetched = due
            date = next(max(fetched, date))
            draw += 1
        } while true
        self.fetched = fetched
        due = date == .never ? .never : max(fetched, date + delay(draws(draw)))
    }

    init(_ schedule: AlignedSchedule, in zone: ZoneTable, delay: (UInt64) -> Duration, draws: (UInt64) -> UInt64) {
        self.init(
            last: { schedule.last(through: $0, in: zone) }, next: { schedule.next(after: $0, in: zone) }, delay: delay,
            draws: draws)
    }
}
