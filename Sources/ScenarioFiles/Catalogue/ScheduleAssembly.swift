import Basics
import WidgetPlatform

/// Clock times as a mapping states them (P5), listed or at equal distances, with what is said of an alarm at them (N6).
struct StatedSchedule {
    var every: Duration?
    /// The first and the last; empty for the whole day.
    var between: [ClockTime] = []
    var offset: Duration?
    var listed: [ClockTime] = []
    var zone = CheckedValue.absent
    var days = Days.weekdays(AlignedSchedule.allDays)
    var isExact = false
    var window = Duration.zero

    enum Days: Sendable {
        case weekdays(UInt8)
        case exchange(CheckedValue)
    }
}

extension Stated<StatedSchedule> {
    /// The schedule of the clock times; nil if it is wrong.
    func schedule(_ scenario: ScenarioAssembly) -> AlignedSchedule? {
        let times = times(scenario)
        let zone = self.zone
        switch self.days {
        case .weekdays(let days): return scenario.schedule(times, zone, days)
        case .exchange(let name):
            guard let exchange = scenario.exchange(name),
                let calendar = scenario.calendar(of: exchange, name, cure: "for others, days of the week")
            else { return nil }
            // The dates of holidays are dates of the exchange's own zone.
            if zone.isValid && zone.text != exchange.zone {
                scenario.report(
                    zone, "\(exchange.zone), the zone of \(exchange.rawValue)", RawNode.quoted(zone.text))
            }
            return scenario.schedule(times, zone, calendar.weekdays, gaps: calendar.gaps)
        }
    }

    /// Empty if they are wrong.
    private func times(_ scenario: ScenarioAssembly) -> [ClockTime] {
        guard let every = self.every else {
            for place in [self.between.isEmpty ? nil : self[\.between], self.offset == nil ? nil : self[\.offset]] {
                if let place { scenario.report(place, "every beside it", "no every") }
            }
            return self.listed
        }
        let places = (every: self[\.every], between: self[\.between], offset: self[\.offset])
        guard places.every.isValid, places.between.isValid, places.offset.isValid else { return [] }
        if every < .minutes(1) && self.zone.isValid && self.zone.text != "UTC" {
            scenario.report(
                places.every, "at least 1m, or zone: UTC beside it", "'\(TimeText.duration(every))' by another clock")
            return []
        }
        let (step, span) = (every.microseconds, self.between.map(\.microseconds))
        let (first, last) = span.isEmpty ? (0, ClockTime.microsecondsPerDay - 1) : (span[0], span[1])
        if span.isEmpty && ClockTime.microsecondsPerDay % step != 0 {
            let (shorter, longer) = Self.partsOfDay(beside: every)
            scenario.report(
                places.every, "a part of a day, such as \(shorter) or \(longer), or between with two clock times",
                "'\(TimeText.duration(every))'")
        }
        if last - first < (span.isEmpty ? 0 : step) {
            scenario.report(
                places.between,
                "two clock times of one day, the first at least every: \(TimeText.duration(every)) "
                    + "before the last; hours over midnight are a list under at",
                "\(CalendarText.text(ClockTime(microseconds: first))) to "
                    + CalendarText.text(ClockTime(microseconds: last)))
        }
        let offset = self.offset ?? .zero
        if offset >= every {
            scenario.report(
                places.offset, "less than every: \(TimeText.duration(every))", "'\(TimeText.duration(offset))'")
        }
        return stride(from: first + offset.microseconds, through: last, by: Int64.Stride(step)).map(
            ClockTime.init(microseconds:))
    }

    /// The whole minutes, or seconds below one, that divide a day and are the next shorter and longer ones.
    private static func partsOfDay(beside every: Duration) -> (String, String) {
        let seconds = (1..<60).filter { 86_400 % $0 == 0 }.map { Duration.seconds(Int64($0)) }
        let minutes = (1...1440).filter { 1440 % $0 == 0 }.map { Duration.minutes(Int64($0)) }
        let parts = seconds + minutes
        return (
            TimeText.duration(parts.last { $0 < every } ?? .seconds(1)),
            TimeText.duration(parts.first { $0 > every } ?? .days(1))
        )
    }
}

extension ScenarioAssembly {
    /// Clock times by a zone, or by the device's own; at midnight in place of wrong ones.
    func schedule(_ times: [ClockTime], _ zone: CheckedValue, _ weekdays: UInt8, gaps: [TradingCalendar.Gap] = [])
        -> AlignedSchedule
    {
        AlignedSchedule(
            times: times.isEmpty ? [ClockTime(hour: 0, minute: 0)] : times, weekdays: weekdays,
            fixedZone: zone.isValid && zone.text != "local" ? zoneIndex(zone.text) : nil, gaps: gaps)
    }
}
