import Basics
import WidgetPlatform

/// Makes the clock times that an aligned policy has (P5), listed or at equal distances.
struct ScheduleAssembly {
    let scenario: ScenarioAssembly
    /// The mapping under `after`.
    let value: CheckedValue

    var policy: ReloadPolicy {
        let (times, zone, days) = (times, value["zone"], value["days"])
        guard days.isMapping else { return .aligned(scenario.schedule(times, value, scenario.weekdays(days))) }
        guard let exchange = scenario.exchange(days["exchange"]),
            let calendar = scenario.calendar(of: exchange, days["exchange"], cure: "for others, days of the week")
        else { return .never }
        // The dates of holidays are dates of the exchange's own zone.
        if zone.isValid && zone.text != exchange.zone {
            scenario.report(zone, "\(exchange.zone), the zone of \(exchange.rawValue)", RawNode.quoted(zone.text))
        }
        return .aligned(scenario.schedule(times, value, calendar.weekdays, gaps: calendar.gaps))
    }

    /// Empty if they are wrong.
    private var times: [ClockTime] {
        let (every, between, offset) = (value["every"], value["between"], value["offset"])
        guard !every.isAbsent else {
            for key in [between, offset] where key.isStated {
                scenario.report(key, "every beside it", "no every")
            }
            return value["at"].items.map(\.clock)
        }
        guard every.isValid, between.isValid, offset.isValid else { return [] }
        let (step, span) = (every.duration.microseconds, between.items.map(\.clock.microseconds))
        let (first, last) = span.isEmpty ? (0, ClockTime.microsecondsPerDay - 1) : (span[0], span[1])
        let shift = offset.isAbsent ? 0 : offset.duration.microseconds
        if span.isEmpty && ClockTime.microsecondsPerDay % step != 0 {
            let (shorter, longer) = Self.partsOfDay(beside: every.duration)
            scenario.report(
                every, "a part of a day, such as \(shorter) or \(longer), or between with two clock times",
                "'\(TimeText.duration(every.duration))'")
        }
        if last - first < (span.isEmpty ? 0 : step) {
            scenario.report(
                between,
                "two clock times of one day, the first at least every: \(TimeText.duration(every.duration)) "
                    + "before the last; hours over midnight are a list under at",
                "\(CalendarText.text(ClockTime(microseconds: first))) to "
                    + CalendarText.text(ClockTime(microseconds: last)))
        }
        if shift >= step {
            scenario.report(
                offset, "less than every: \(TimeText.duration(every.duration))",
                "'\(TimeText.duration(offset.duration))'")
        }
        return stride(from: first + shift, through: last, by: Int64.Stride(step)).map(ClockTime.init(microseconds:))
    }

    /// The whole minutes that divide a day and are the next shorter and longer ones.
    private static func partsOfDay(beside every: Duration) -> (String, String) {
        let parts = (1...1440).filter { 1440 % $0 == 0 }.map { Duration.minutes(Int64($0)) }
        return (
            TimeText.duration(parts.last { $0 < every } ?? .minutes(1)),
            TimeText.duration(parts.first { $0 > every } ?? .days(1))
        )
    }
}

extension ScenarioAssembly {
    /// Clock times by the zone that is stated beside them; at midnight in place of wrong ones.
    func schedule(_ times: [ClockTime], _ value: CheckedValue, _ weekdays: UInt8, gaps: [TradingCalendar.Gap] = [])
        -> AlignedSchedule
    {
        let zone = value["zone"]
        return AlignedSchedule(
            times: times.isEmpty ? [ClockTime(hour: 0, minute: 0)] : times, weekdays: weekdays,
            fixedZone: zone.isValid && zone.text != "local" ? zoneIndex(zone.text) : nil, gaps: gaps)
    }
}
