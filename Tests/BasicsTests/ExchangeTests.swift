import Basics
import Testing

/// Calendars of exchanges against the lists that they have published, written out here once more.
///
/// Rules: C1.
@Suite struct ExchangeTests {
    static func date(_ text: Substring) -> CivilDate {
        let parts = text.split(separator: "-").map { Int($0)! }
        return CivilDate(year: parts[0], month: parts[1], day: parts[2])!
    }

    /// `2026: 01-01 04-03` as dates.
    static func dates(_ text: String) -> [CivilDate] {
        text.split(separator: "\n").flatMap { line in
            let parts = line.split(separator: " ")
            return parts.dropFirst().map { date(parts[0].dropLast() + "-" + $0) }
        }
    }

    struct Published: Sendable {
        var exchange: Exchange
        var years: ClosedRange<Int>
        /// Weekdays without trading, and the half days.
        var closed, half: String
    }

    static let published: [Published] = [
        Published(
            exchange: .nyse, years: 2022...2027,
            closed: """
                2022: 01-17 02-21 04-15 05-30 06-20 07-04 09-05 11-24 12-26
                2023: 01-02 01-16 02-20 04-07 05-29 06-19 07-04 09-04 11-23 12-25
                2024: 01-01 01-15 02-19 03-29 05-27 06-19 07-04 09-02 11-28 12-25
                2025: 01-01 01-09 01-20 02-17 04-18 05-26 06-19 07-04 09-01 11-27 12-25
                2026: 01-01 01-19 02-16 04-03 05-25 06-19 07-03 09-07 11-26 12-25
                2027: 01-01 01-18 02-15 03-26 05-31 06-18 07-05 09-06 11-25 12-24
                """,
            half: """
                2022: 11-25
                2023: 07-03 11-24
                2024: 07-03 11-29 12-24
                2025: 07-03 11-28 12-24
                2026: 11-27 12-24
                2027: 11-26
                """),
        Published(
            exchange: .toronto, years: 2022...2026,
            closed: """
                2022: 01-03 02-21 04-15 05-23 07-01 08-01 09-05 10-10 12-26 12-27
                2023: 01-02 02-20 04-07 05-22 07-03 08-07 09-04 10-09 12-25 12-26
                2024: 01-01 02-19 03-29 05-20 07-01 08-05 09-02 10-14 12-25 12-26
                2025: 01-01 02-17 04-18 05-19 07-01 08-04 09-01 10-13 12-25 12-26
                2026: 01-01 02-16 04-03 05-18 07-01 08-03 09-07 10-12 12-25 12-28
                """,
            half: """
                2024: 12-24
                2025: 12-24
                2026: 12-24
                """),
        Published(
            exchange: .london, years: 2022...2026,
            closed: """
                2022: 01-03 04-15 04-18 05-02 06-02 06-03 08-29 09-19 12-26 12-27
                2023: 01-02 04-07 04-10 05-01 05-08 05-29 08-28 12-25 12-26
                2024: 01-01 03-29 04-01 05-06 05-27 08-26 12-25 12-26
                2025: 01-01 04-18 04-21 05-05 05-26 08-25 12-25 12-26
                2026: 01-01 04-03 04-06 05-04 05-25 08-31 12-25 12-28
                """,
            half: """
                2022: 12-23 12-30
                2023: 12-22 12-29
                2024: 12-24 12-31
                2025: 12-24 12-31
                2026: 12-24 12-31
                """),
        Published(
            exchange: .xetra, years: 2024...2026,
            closed: """
                2024: 01-01 03-29 04-01 05-01 12-24 12-25 12-26 12-31
                2025: 01-01 04-18 04-21 05-01 12-24 12-25 12-26 12-31
                2026: 01-01 04-03 04-06 05-01 12-24 12-25 12-31
                """,
            half: """
                2024: 12-30
                2025: 12-30
                2026: 12-30
                """),
        Published(
            exchange: .euronextParis, years: 2024...2026,
            closed: """
                2024: 01-01 03-29 04-01 05-01 12-25 12-26
                2025: 01-01 04-18 04-21 05-01 12-25 12-26
                2026: 01-01 04-03 04-06 05-01 12-25
                """,
            half: """
                2024: 12-24 12-31
                2025: 12-24 12-31
                2026: 12-24 12-31
                """),
        Published(
            exchange: .six, years: 2024...2026,
            closed: """
                2024: 01-01 01-02 03-29 04-01 05-01 05-09 05-20 08-01 12-24 12-25 12-26 12-31
                2025: 01-01 01-02 04-18 04-21 05-01 05-29 06-09 08-01 12-24 12-25 12-26 12-31
                2026: 01-01 01-02 04-03 04-06 05-01 05-14 05-25 12-24 12-25 12-31
                """, half: ""),
        Published(
            exchange: .australia, years: 2023...2026,
            closed: """
                2023: 01-02 01-26 04-07 04-10 04-25 06-12 12-25 12-26
                2024: 01-01 01-26 03-29 04-01 04-25 06-10 12-25 12-26
                2025: 01-01 01-27 04-18 04-21 04-25 06-09 12-25 12-26
                2026: 01-01 01-26 04-03 04-06 06-08 12-25 12-28
                """,
            half: """
                2023: 12-22 12-29
                2024: 12-24 12-31
                2025: 12-24 12-31
                2026: 12-24 12-31
                """),
    ]

    static func days(_ years: ClosedRange<Int>) -> ClosedRange<CivilDate> {
        CivilDate(year: years.lowerBound, month: 1, day: 1)!...CivilDate(year: years.upperBound, month: 12, day: 31)!
    }

    static func all(_ dates: ClosedRange<CivilDate>) -> [CivilDate] {
        (dates.lowerBound.dayNumber...dates.upperBound.dayNumber).map(CivilDate.init(dayNumber:))
    }

    @Test(arguments: published.indices) func `the days of an exchange are those that it has published`(index: Int) {
        let published = Self.published[index]
        let dates = Self.days(published.years)
        let calendar = published.exchange.calendar(dates)
        let closed = Self.all(dates).filter { $0.weekday < 5 && !calendar.isTradingDay($0) }
        let half = Self.all(dates).filter {
            calendar.isTradingDay($0) && calendar.sessions(on: $0) != calendar.sessions
        }
        #expect(
            closed.map(TimeText.date) == Self.dates(published.closed).map(TimeText.date),
            "\(published.exchange.rawValue)")
        #expect(
            half.map(TimeText.date) == Self.dates(published.half).map(TimeText.date), "\(published.exchange.rawValue)")
    }

    @Test func `the two of New York and the two of Euronext keep the same days`() {
        let dates = Self.days(2022...2035)
        #expect(Exchange.nyse.calendar(dates) == Exchange.nasdaq.calendar(dates))
        #expect(Exchange.euronextParis.calendar(dates) == Exchange.euronextAmsterdam.calendar(dates))
    }

    @Test func `a half day ends at its own time, and a lunch break stays`() {
        let newYork = Exchange.nyse.calendar(Self.days(2026...2026))
        #expect(newYork.sessions(on: Self.date("2026-11-26")) == [])
        #expect(
            newYork.sessions(on: Self.date("2026-11-27")) == [
                .init(open: ClockTime(hour: 9, minute: 30), close: ClockTime(hour: 13, minute: 0))
            ])
        #expect(newYork.sessions(on: Self.date("2026-11-28")) == [])
        // The morning before the Lunar New Year is Hong Kong's only session of that day.
        let hongKong = Exchange.hongKong.calendar(Self.days(2026...2026))
        #expect(
            hongKong.sessions(on: Self.date("2026-02-16")) == [
                .init(open: ClockTime(hour: 9, minute: 30), close: ClockTime(hour: 12, minute: 0))
            ])
        #expect(hongKong.sessions(on: Self.date("2026-02-17")) == [])
        let tokyo = Exchange.tokyo.calendar(Self.date("2026-01-01")...Self.date("2026-12-31"))
        #expect(
            tokyo.sessions(on: Self.date("2026-09-24")) == [
                .init(open: ClockTime(hour: 9, minute: 0), close: ClockTime(hour: 11, minute: 30)),
                .init(open: ClockTime(hour: 12, minute: 30), close: ClockTime(hour: 15, minute: 30)),
            ])
    }

    @Test(arguments: Exchange.allCases) func `every exchange knows its dates from end to end, and its zone exists`(
        exchange: Exchange
    ) {
        let dates = exchange.knownDates
        let calendar = exchange.calendar(dates)
        #expect(ScenarioClock.knowsZone(exchange.zone))
        #expect(calendar.halfDays.isEmpty == (exchange.earlyClose == nil))
        // An exchange trades on about 250 days a year, and is never shut for two weeks.
        let open = Self.all(dates).filter(calendar.isTradingDay)
        let years = Double(dates.upperBound.dayNumber - dates.lowerBound.dayNumber + 1) / 365.25
        #expect((238...256).contains(Double(open.count) / years), "\(open.count) in \(years) years")
        #expect(zip(open, open.dropFirst()).allSatisfy { $1.dayNumber - $0.dayNumber <= 12 })
    }

    @Test func `tables of decreed holidays hold what was announced`() {
        let shanghai = Exchange.shanghai.calendar(Self.days(2024...2026))
        for day in ["2024-02-09", "2024-10-07", "2025-02-04", "2025-10-08", "2026-02-23", "2026-10-07"] {
            #expect(!shanghai.isTradingDay(Self.date(day[...])), "\(day)")
        }
        for day in [
            "2024-02-08", "2024-02-19", "2024-10-08", "2025-02-05", "2025-10-09", "2026-02-13", "2026-02-24",
            "2026-10-08",
        ] {
            #expect(shanghai.isTradingDay(Self.date(day[...])), "\(day)")
        }
        let tokyo = Exchange.tokyo.calendar(Exchange.tokyo.knownDates)
        for day in ["2024-12-31", "2025-01-03", "2025-05-06", "2026-03-20", "2026-09-22", "2026-11-23"] {
            #expect(!tokyo.isTradingDay(Self.date(day[...])), "\(day)")
        }
        for day in ["2024-12-30", "2025-01-06", "2026-05-07", "2026-09-24", "2026-12-30"] {
            #expect(tokyo.isTradingDay(Self.date(day[...])), "\(day)")
        }
    }

    @Test func `the gaps of a schedule are whole holidays, and the lost afternoon of a half day`() {
        let calendar = Exchange.nyse.calendar(Self.days(2026...2026))
        let gaps = calendar.gaps.filter { $0.date >= Self.date("2026-11-01") }
        #expect(gaps.map(\.date) == ["2026-11-26", "2026-11-27", "2026-12-24", "2026-12-25"].map { Self.date($0) })
        #expect(gaps[1].after == ClockTime(hour: 13, minute: 0) && gaps[1].through == ClockTime(hour: 16, minute: 0))
        #expect(gaps[0].after < ClockTime(hour: 0, minute: 0) && gaps[0].through > ClockTime(hour: 23, minute: 59))
    }
}
