import Basics
import ScenarioModel
import Simulation

/// A time of a trace as the command line states it: an instant, or what the device's own clock shows.
enum TraceTime: Sendable {
    case instant(Instant)
    /// By the clock of the device, wherever it is.
    case local(LocalTime)

    /// The words about a text that is none.
    static let words =
        "a time after the start such as 7h, a date-time such as 2026-03-08T02:00 by the device's own clock or with an offset, or a clock time such as 18:00 on the first day of the report"

    /// Nil for a text that is none of these.
    init?(_ text: String, in scenario: Scenario) {
        let plan = scenario.plan
        if let instant = InstantText.read(text, after: plan.begin, by: plan.clock) {
            self = .instant(instant)
        } else if let (date, clock) = CalendarText.localDateTime(text[...]) {
            self = .local(LocalTime(date, clock))
        } else if let clock = CalendarText.clock(text[...]) ?? CalendarText.clock("0" + text) {
            let first = scenario.report.zone.localTime(at: .start + plan.warmup)
            // A report that begins after that time has it on the next day.
            let day = clock < first.clock ? first.date.dayNumber + 1 : first.date.dayNumber
            self = .local(LocalTime(CivilDate(dayNumber: day), clock))
        } else {
            return nil
        }
    }

    /// Whether a row is of this time or later.
    func isReached(by row: TraceRow, _ zones: [ZoneTable]) -> Bool { isReached(at: row.time, in: zones[row.zone]) }

    /// Whether an instant is of this time or later, by the clock of a zone.
    func isReached(at instant: Instant, in zone: ZoneTable) -> Bool {
        switch self {
        case .instant(let own): instant >= own
        case .local(let time): zone.localTime(at: instant) >= time
        }
    }

    /// Whether it lies before another one; false where only a device's clock could tell.
    func isBefore(_ other: TraceTime) -> Bool {
        switch (self, other) {
        case (.instant(let a), .instant(let b)): a < b
        case (.local(let a), .local(let b)): !(a >= b)
        default: false
        }
    }
}

/// The rows from one time up to another, exclusive.
struct TraceWindow: Sendable {
    let from, to: TraceTime?
    let zones: [ZoneTable]

    func contains(_ row: TraceRow) -> Bool {
        from?.isReached(by: row, zones) ?? (row.time >= .start) && !(to?.isReached(by: row, zones) ?? false)
    }
}

extension LocalTime {
    fileprivate init(_ date: CivilDate, _ clock: ClockTime) {
        self.init(localMicroseconds: date.dayNumber * ClockTime.microsecondsPerDay + clock.microseconds)
    }

    fileprivate static func >= (a: LocalTime, b: LocalTime) -> Bool {
        (a.date.dayNumber, a.clock.microseconds) >= (b.date.dayNumber, b.clock.microseconds)
    }
}
