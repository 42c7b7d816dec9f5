import Basics
import Testing
import WidgetPlatform

/// Rules: P5.
@Suite struct AlignedScheduleTests {
    static let zones = [
        "America/New_York", "Europe/London", "Australia/Lord_Howe", "Africa/Casablanca", "America/Santiago",
        "Africa/Cairo",
        "Antarctica/Troll",
        "Asia/Kolkata", "America/Nuuk",
    ]

    /// Every instant that a schedule lists on the dates, by Foundation's clock, in order.
    static func listed(_ times: [ClockTime], weekdays: UInt8, from: CivilDate, days: Int64, _ zone: TestZone)
        -> [Instant]
    {
        var instants: Set<Instant> = []
        for day in 0..<days {
            let date = from.advanced(by: day)
            guard weekdays & (1 << UInt8(date.weekday)) != 0 else { continue }
            for time in times { instants.insert(zone.instant(of: date, at: time)) }
        }
        return instants.sorted()
    }

    /// Compares the schedule with the list at every minute round a date, and round each of the minutes.
    static func compare(_ times: [ClockTime], weekdays: UInt8, round date: CivilDate, _ zone: TestZone) {
        let schedule = AlignedSchedule(times: times, weekdays: weekdays)
        let list = listed(times, weekdays: weekdays, from: date.advanced(by: -4), days: 16, zone)
        let first = zone.instant(of: date.advanced(by: -1), at: ClockTime(hour: 12, minute: 0))
        var next = 0
        for minute in 0..<Int64(48 * 60) {
            for offset in [-1, 0] as [Int64] {
                let instant = first + .minutes(minute) + Duration(microseconds: offset)
                while list[next] <= instant { next += 1 }
                let found = schedule.next(after: instant, in: zone.table)
                guard found == list[next] else {
                    let (shown, expected, wrong) = (
                        zone.localTime(at: instant), zone.localTime(at: list[next]), zone.localTime(at: found)
                    )
                    Issue.record(
                        """
                        \(zone.name): after \(TimeText.date(shown.date)) \(TimeText.clock(shown.clock)) comes \(TimeText.date(expected.date)) \
                        \(TimeText.clock(expected.clock)), not \(TimeText.date(wrong.date)) \(TimeText.clock(wrong.clock)); times \(times)
                        """)
                    return
                }
            }
        }
    }

    @Test func `clock times seconds apart come one after another, on the days that count`() throws {
        let zone = try TestZone("UTC")
        let times = stride(from: 0, to: ClockTime.microsecondsPerDay, by: 20_000_000).map {
            ClockTime(microseconds: $0)
        }
        let all = AlignedSchedule(times: times)
        let workdays = AlignedSchedule(times: times, weekdays: AlignedSchedule.workdays)
        var instant = Instant.start + .days(1)
        for _ in 0..<20_000 {
            let next = all.next(after: instant, in: zone.table)
            #expect((next - .start).microseconds % 20_000_000 == 0 && next - instant <= .seconds(20) && next > instant)
            #expect(all.last(through: next, in: zone.table) == next)
            #expect(all.last(through: next - .microsecond, in: zone.table) == next - .seconds(20))
            let working = workdays.next(after: instant, in: zone.table)
            let date = zone.table.localTime(at: working).date
            #expect(
                date.weekday < 5 && working >= next && (working == next || working - next < .days(2) + .seconds(20)))
            instant = next + Duration(microseconds: 7_654_321)
        }
    }

    @Test(arguments: zones) func `the next date is the first listed one, at every minute of days with a shift`(
        name: String
    ) throws {
        let zone = try TestZone(name)
        let dates = zone.shiftDates
        #expect(dates.isEmpty == (name == "Asia/Kolkata"))
        let lists: [[ClockTime]] = [
            [ClockTime(hour: 9, minute: 30)],
            [ClockTime(hour: 0, minute: 0)],
            [ClockTime(hour: 0, minute: 10), ClockTime(hour: 0, minute: 30), ClockTime(hour: 23, minute: 30)],
            [0, 15, 30, 45].flatMap { minute in [0, 1, 2, 3].map { ClockTime(hour: $0, minute: minute) } },
            [ClockTime(microseconds: 7_200_000_001), ClockTime(microseconds: 86_399_999_999)],
        ]
        for date in dates + [try zone.date(2026, 6, 10)] {
            for times in lists { Self.compare(times, weekdays: AlignedSchedule.allDays, round: date, zone) }
        }
    }

    @Test func `only the listed weekdays count`() throws {
        let zone = try TestZone("America/New_York")
        let times = [ClockTime(hour: 9, minute: 30), ClockTime(hour: 2, minute: 30)]
        for weekdays in [AlignedSchedule.workdays, AlignedSchedule.weekendDays, 1, 1 << 3, 1 << 6, 0b101_0101]
            as [UInt8]
        {
            // The week that holds the shift of 8 March, day by day.
            for day in 4...10 { Self.compare(times, weekdays: weekdays, round: try zone.date(2026, 3, day), zone) }
        }
    }

    @Test func `a listed instant is served once`() throws {
        let zone = try TestZone("Europe/London")
        // 01:30 comes twice on 25 October: the first time counts.
        let schedule = AlignedSchedule(times: [ClockTime(hour: 1, minute: 30)])
        var instant = zone.instant(of: try zone.date(2026, 10, 23), at: ClockTime(hour: 0, minute: 0))
        for day in 23...28 {
            instant = schedule.next(after: instant, in: zone.table)
            #expect(instant == zone.instant(of: try zone.date(2026, 10, day), at: ClockTime(hour: 1, minute: 30)))
        }
    }

    @Test func `times are kept in order and without repetition`() {
        let schedule = AlignedSchedule(times: [
            ClockTime(hour: 16, minute: 0), ClockTime(hour: 9, minute: 30), ClockTime(hour: 16, minute: 0),
        ])
        #expect(schedule.times == [ClockTime(hour: 9, minute: 30), ClockTime(hour: 16, minute: 0)])
    }

    @Test func `on an exchange's days holidays are passed over, and what a half day lacks`() throws {
        // 15 to 30 November 2026: Thursday 26 is closed, Friday 27 ends at 13:00.
        let zone = try TestZone("America/New_York")
        func date(_ day: Int) -> CivilDate { CivilDate(year: 2026, month: 11, day: day)! }
        let calendar = Exchange.nyse.calendar(date(1)...CivilDate(year: 2026, month: 12, day: 31)!)
        let times = [(9, 30), (13, 0), (16, 0), (18, 0)].map { ClockTime(hour: $0, minute: $1) }
        let schedule = AlignedSchedule(times: times, weekdays: calendar.weekdays, gaps: calendar.gaps)
        var at = zone.instant(of: date(23), at: ClockTime(hour: 12, minute: 0))
        var found: [String] = []
        for _ in 0..<13 {
            at = schedule.next(after: at, in: zone.table)
            let local = zone.localTime(at: at)
            found.append("\(local.date.yearMonthDay.day) \(String(TimeText.clock(local.clock).dropLast(3)))")
        }
        #expect(
            found == [
                "23 13:00", "23 16:00", "23 18:00", "24 09:30", "24 13:00", "24 16:00", "24 18:00", "25 09:30",
                "25 13:00", "25 16:00",
                "25 18:00", "27 09:30", "27 13:00",
            ])
        // The evening is outside the hours of trading in any case; the next day with trading is the Monday.
        let evening = schedule.next(after: at, in: zone.table)
        #expect(evening == zone.instant(of: date(27), at: ClockTime(hour: 18, minute: 0)))
        #expect(
            schedule.next(after: evening, in: zone.table)
                == zone.instant(of: date(30), at: ClockTime(hour: 9, minute: 30)))
    }

    @Test func `a schedule whose days are all closed has no next time`() throws {
        let zone = try TestZone("America/New_York")
        let first = CivilDate(year: 2026, month: 1, day: 1)!
        let calendar = TradingCalendar(
            sessions: [.init(open: ClockTime(hour: 9, minute: 0), close: ClockTime(hour: 17, minute: 0))],
            holidays: (0..<90).map { first.advanced(by: $0) })
        let schedule = AlignedSchedule(times: [ClockTime(hour: 9, minute: 0)], gaps: calendar.gaps)
        #expect(
            schedule.next(
                after: zone.instant(of: first.advanced(by: 20), at: ClockTime(hour: 9, minute: 0)), in: zone.table)
                == .never)
    }
}
