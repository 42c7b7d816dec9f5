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
