/// A stock exchange whose hours, holidays and half days are known, by the name that scenarios use.
///
/// Hours are those of continuous trading in shares; auctions before and after count as closed. Where a calendar follows
/// rules, the coming years are computed by the rules of today (an assumption: exchanges announce two or three years
/// ahead), and one-off closings of the past stand in a table. Where holidays are decreed or follow the moon, the
/// published days of some years stand in a table, and nothing is known of other years.
public enum Exchange: String, CaseIterable, Sendable {
    case nyse = "NYSE"
    case nasdaq = "NASDAQ"
    case toronto = "TSX"
    case london = "LSE"
    case xetra = "XETRA"
    case euronextParis = "EURONEXT_PARIS"
    case euronextAmsterdam = "EURONEXT_AMSTERDAM"
    case six = "SIX"
    case australia = "ASX"
    case tokyo = "TSE"
    case hongKong = "HKEX"
    case shanghai = "SSE"

    /// The IANA name of the zone whose clock it trades by.
    public var zone: String {
        switch self {
        case .nyse, .nasdaq: "America/New_York"
        case .toronto: "America/Toronto"
        case .london: "Europe/London"
        case .xetra: "Europe/Berlin"
        case .euronextParis: "Europe/Paris"
        case .euronextAmsterdam: "Europe/Amsterdam"
        case .six: "Europe/Zurich"
        case .australia: "Australia/Sydney"
        case .tokyo: "Asia/Tokyo"
        case .hongKong: "Asia/Hong_Kong"
        case .shanghai: "Asia/Shanghai"
        }
    }

    /// The sessions of a usual day.
    public var sessions: [TradingCalendar.Session] {
        switch self {
        case .nyse, .nasdaq, .toronto: [Self.session(9, 30, 16, 0)]
        case .london: [Self.session(8, 0, 16, 30)]
        case .xetra, .euronextParis, .euronextAmsterdam, .six: [Self.session(9, 0, 17, 30)]
        case .australia: [Self.session(10, 0, 16, 0)]
        // The afternoon ended at 15:00 before 5 November 2024.
        case .tokyo: [Self.session(9, 0, 11, 30), Self.session(12, 30, 15, 30)]
        case .hongKong: [Self.session(9, 30, 12, 0), Self.session(13, 0, 16, 0)]
        case .shanghai: [Self.session(9, 30, 11, 30), Self.session(13, 0, 15, 0)]
        }
    }

    /// When trading ends on a half day; nil where there are none.
    public var earlyClose: ClockTime? {
        switch self {
        case .nyse, .nasdaq, .toronto: ClockTime(hour: 13, minute: 0)
        case .london: ClockTime(hour: 12, minute: 30)
        case .xetra: ClockTime(hour: 14, minute: 0)
        case .euronextParis, .euronextAmsterdam: ClockTime(hour: 14, minute: 5)
        case .australia: ClockTime(hour: 14, minute: 10)
        case .hongKong: ClockTime(hour: 12, minute: 0)
        case .six, .tokyo, .shanghai: nil
        }
    }

    /// The dates of which its calendar is known.
    public var knownDates: ClosedRange<CivilDate> {
        switch self {
        case .nyse, .nasdaq, .toronto, .london, .xetra, .euronextParis, .euronextAmsterdam, .six:
            Self.date(2022, 1, 1)...Self.date(2035, 12, 31)
        case .australia: Self.date(2023, 1, 1)...Self.date(2035, 12, 31)
        case .tokyo: Self.date(2024, 11, 5)...Self.date(2026, 12, 31)
        case .hongKong, .shanghai: Self.date(2024, 1, 1)...Self.date(2026, 12, 31)
        }
    }

    /// Its calendar from one date to another; both must be among the known ones.
    public func calendar(_ dates: ClosedRange<CivilDate>) -> TradingCalendar {
        precondition(
            knownDates.contains(dates.lowerBound) && knownDates.contains(dates.upperBound),
            "\(rawValue) is not known at \(dates)")
        let years = dates.lowerBound.yearMonthDay.year...dates.upperBound.yearMonthDay.year
        // Half days depend on the trading days before them, so whole years are made first.
        let holidays = years.flatMap { self.holidays(of: $0) }
        let open = TradingCalendar(sessions: sessions, holidays: holidays)
        let halfDays = years.flatMap { self.halfDays(of: $0, open) }
        return TradingCalendar(
            sessions: sessions, holidays: holidays.filter(dates.contains),
            halfDays: halfDays.filter(dates.contains).map { TradingCalendar.HalfDay(date: $0, close: earlyClose!) })
    }

    static func date(_ year: Int, _ month: Int, _ day: Int) -> CivilDate {
        guard let date = CivilDate(year: year, month: month, day: day) else {
            preconditionFailure("no date \(year)-\(month)-\(day)")
        }
        return date
    }

    private static func session(_ fromHour: Int, _ fromMinute: Int, _ toHour: Int, _ toMinute: Int)
        -> TradingCalendar.Session
    {
        .init(open: ClockTime(hour: fromHour, minute: fromMinute), close: ClockTime(hour: toHour, minute: toMinute))
    }
}

/// The rules of the calendars that follow rules, and the tables of those that do not. Sources: the exchanges' own
/// published calendars.
extension Exchange {
    /// All closed weekdays of a year; weekends may be among them.
    func holidays(of year: Int) -> [CivilDate] {
        let days = YearDays(year: year)
        switch self {
        case .nyse, .nasdaq: return Self.newYork(days)
        case .toronto: return Self.toronto(days)
        case .london: return Self.london(days)
        case .xetra:
            return [
                days(1, 1), days.easter(-2), days.easter(1), days(5, 1), days(12, 24), days(12, 25), days(12, 26),
                days(12, 31),
            ]
        case .euronextParis, .euronextAmsterdam:
            return [days(1, 1), days.easter(-2), days.easter(1), days(5, 1), days(12, 25), days(12, 26)]
        case .six:
            // Berchtold's day, Ascension, Whit Monday and the national day besides the holidays of its neighbours.
            return [
                days(1, 1), days(1, 2), days.easter(-2), days.easter(1), days(5, 1), days.easter(39), days.easter(50),
                days(8, 1),
                days(12, 24), days(12, 25), days(12, 26), days(12, 31),
            ]
        case .australia: return Self.australia(days)
        case .tokyo, .hongKong, .shanghai: return Self.published(rawValue, year)
        }
    }

    /// The half days of a year, given its trading days.
    func halfDays(of year: Int, _ calendar: TradingCalendar) -> [CivilDate] {
        let days = YearDays(year: year)
        switch self {
        case .nyse, .nasdaq:
            // The eves of Independence Day and Christmas from Monday to Thursday, and the day after Thanksgiving.
            let eves = [days(7, 3), days(12, 24)].filter { $0.weekday <= 3 && calendar.isTradingDay($0) }
            return eves + [days.nth(4, thursday, of: 11).advanced(by: 1)]
        case .toronto, .euronextParis, .euronextAmsterdam:
            let eves = self == .toronto ? [days(12, 24)] : [days(12, 24), days(12, 31)]
            return eves.filter(calendar.isTradingDay)
        case .london, .australia:
            return [
                Self.lastTradingDay(before: days(12, 25), calendar),
                Self.lastTradingDay(before: days(12, 31).advanced(by: 1), calendar),
            ]
        case .xetra: return [Self.lastTradingDay(before: days(12, 31), calendar)]
        case .hongKong:
            return Self.published("HKEX/half", year) + [days(12, 24), days(12, 31)].filter(calendar.isTradingDay)
        case .six, .tokyo, .shanghai: return []
        }
    }

    private static func lastTradingDay(before date: CivilDate, _ calendar: TradingCalendar) -> CivilDate {
        var day = date.advanced(by: -1)
        while !calendar.isTradingDay(day) { day = day.advanced(by: -1) }
        return day
    }

    /// A Saturday's holiday is kept on the Friday before, but for New Year's Day; a Sunday's on the Monday after.
    private static func newYork(_ days: YearDays) -> [CivilDate] {
        func observed(_ date: CivilDate) -> CivilDate {
            date.advanced(by: date.weekday == 5 ? -1 : date.weekday == 6 ? 1 : 0)
        }
        let newYear = days(1, 1).weekday == 5 ? days(1, 1) : observed(days(1, 1))
        let usual = [
            newYear, days.nth(3, monday, of: 1), days.nth(3, monday, of: 2), days.easter(-2), days.last(monday, of: 5),
            observed(days(6, 19)),
            observed(days(7, 4)), days.nth(1, monday, of: 9), days.nth(4, thursday, of: 11), observed(days(12, 25)),
        ]
        // The day of mourning for President Carter.
        return days.year == 2025 ? usual + [days(1, 9)] : usual
    }

    /// A weekend's holiday is kept on the next weekday that is not a holiday.
    private static func toronto(_ days: YearDays) -> [CivilDate] {
        var victoria = days(5, 24)
        while victoria.weekday != monday { victoria = victoria.advanced(by: -1) }
        return [
            moved(days(1, 1)), days.nth(3, monday, of: 2), days.easter(-2), victoria, moved(days(7, 1)),
            days.nth(1, monday, of: 8),
            days.nth(1, monday, of: 9), days.nth(2, monday, of: 10),
        ] + christmas(days)
    }

    private static func london(_ days: YearDays) -> [CivilDate] {
        let usual =
            [moved(days(1, 1)), days.easter(-2), days.easter(1), days.nth(1, monday, of: 5), days.last(monday, of: 8)]
            + christmas(days)
        switch days.year {
        // The jubilee, with the spring holiday moved to it, and the funeral of Elizabeth II.
        case 2022: return usual + [days(6, 2), days(6, 3), days(9, 19)]
        // The coronation of Charles III.
        case 2023: return usual + [days.last(monday, of: 5), days(5, 8)]
        default: return usual + [days.last(monday, of: 5)]
        }
    }

    /// Anzac Day is not kept on another day.
    private static func australia(_ days: YearDays) -> [CivilDate] {
        [
            moved(days(1, 1)), moved(days(1, 26)), days.easter(-2), days.easter(1), days(4, 25),
            days.nth(2, monday, of: 6),
        ] + christmas(days)
    }

    /// 25 and 26 December, with the two next weekdays for those that fall on a weekend.
    private static func christmas(_ days: YearDays) -> [CivilDate] {
        switch days(12, 25).weekday {
        case 4: [days(12, 25), days(12, 28)]
        case 5: [days(12, 27), days(12, 28)]
        case 6: [days(12, 26), days(12, 27)]
        default: [days(12, 25), days(12, 26)]
        }
    }

    /// The date, or the Monday after if it falls on a weekend.
    private static func moved(_ date: CivilDate) -> CivilDate {
        date.weekday >= 5 ? date.advanced(by: Int64(7 - date.weekday)) : date
    }

    /// The dates of closings.csv by what their line begins with.
    private static let published: [String: [CivilDate]] = String(decoding: PackageResources.closings_csv, as: UTF8.self)
        .split(separator: "\n").filter { !$0.hasPrefix("#") }.reduce(into: [:]) { table, line in
            let fields = line.split(separator: ",")
            table[String(fields[0]), default: []] += fields.dropFirst().map { text in
                guard let date = CalendarText.date(text) else { preconditionFailure("no date '\(text)'") }
                return date
            }
        }

    private static func published(_ name: String, _ year: Int) -> [CivilDate] {
        let days = published[name, default: []].filter { $0.yearMonthDay.year == year }
        precondition(!days.isEmpty, "\(name) has no table of \(year)")
        return days
    }
}

private let monday = 0
private let thursday = 3

/// The dates of one year by their rules.
private struct YearDays {
    let year: Int

    func callAsFunction(_ month: Int, _ day: Int) -> CivilDate { Exchange.date(year, month, day) }

    /// The n-th such weekday of a month.
    func nth(_ n: Int64, _ weekday: Int, of month: Int) -> CivilDate {
        let first = self(month, 1)
        return first.advanced(by: Int64((weekday - first.weekday + 7) % 7) + 7 * (n - 1))
    }

    func last(_ weekday: Int, of month: Int) -> CivilDate {
        let last = month == 12 ? self(12, 31) : self(month + 1, 1).advanced(by: -1)
        return last.advanced(by: -Int64((last.weekday - weekday + 7) % 7))
    }

    /// So many days after Easter Sunday of the Gregorian calendar.
    func easter(_ days: Int64) -> CivilDate {
        let century = year / 100
        let golden = year % 19
        let epact = (19 * golden + century - century / 4 - (century - (century + 8) / 25 + 1) / 3 + 15) % 30
        let toSunday = (32 + 2 * (century % 4) + 2 * (year % 100 / 4) - epact - year % 4) % 7
        let shift = epact + toSunday - 7 * ((golden + 11 * epact + 22 * toSunday) / 451) + 114
        return self(shift / 31, shift % 31 + 1).advanced(by: days)
    }
}
