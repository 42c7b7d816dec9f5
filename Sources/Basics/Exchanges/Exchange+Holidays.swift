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
        case .tokyo, .hongKong, .shanghai: return Self.published(self, year)
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
            return Self.lunarEves[year, default: []] + [days(12, 24), days(12, 31)].filter(calendar.isTradingDay)
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

    // MARK: Tables

    /// Closed weekdays as published, month and day.
    private static func published(_ exchange: Exchange, _ year: Int) -> [CivilDate] {
        let table: [Int: [(Int, Int)]]
        switch exchange {
        case .tokyo:
            table = [
                2024: [(11, 23), (12, 31)],
                2025: [
                    (1, 1), (1, 2), (1, 3), (1, 13), (2, 11), (2, 24), (3, 20), (4, 29), (5, 5), (5, 6), (7, 21),
                    (8, 11), (9, 15), (9, 23),
                    (10, 13), (11, 3), (11, 24), (12, 31),
                ],
                2026: [
                    (1, 1), (1, 2), (1, 12), (2, 11), (2, 23), (3, 20), (4, 29), (5, 4), (5, 5), (5, 6), (7, 20),
                    (8, 11), (9, 21), (9, 22),
                    (9, 23), (10, 12), (11, 3), (11, 23), (12, 31),
                ],
            ]
        case .hongKong:
            table = [
                // 6 September: a typhoon.
                2024: [
                    (1, 1), (2, 12), (2, 13), (3, 29), (4, 1), (4, 4), (5, 1), (5, 15), (6, 10), (7, 1), (9, 6),
                    (9, 18), (10, 1), (10, 11),
                    (12, 25), (12, 26),
                ],
                2025: [
                    (1, 1), (1, 29), (1, 30), (1, 31), (4, 4), (4, 18), (4, 21), (5, 1), (5, 5), (7, 1), (10, 1),
                    (10, 7), (10, 29),
                    (12, 25),
                    (12, 26),
                ],
                2026: [
                    (1, 1), (2, 17), (2, 18), (2, 19), (4, 3), (4, 6), (4, 7), (5, 1), (5, 25), (6, 19), (7, 1),
                    (10, 1), (10, 19),
                    (12, 25),
                ],
            ]
        case .shanghai:
            table = [
                2024: [
                    (1, 1), (2, 9), (2, 12), (2, 13), (2, 14), (2, 15), (2, 16), (4, 4), (4, 5), (5, 1), (5, 2), (5, 3),
                    (6, 10), (9, 16),
                    (9, 17), (10, 1), (10, 2), (10, 3), (10, 4), (10, 7),
                ],
                2025: [
                    (1, 1), (1, 28), (1, 29), (1, 30), (1, 31), (2, 3), (2, 4), (4, 4), (5, 1), (5, 2), (5, 5), (6, 2),
                    (10, 1), (10, 2),
                    (10, 3), (10, 6), (10, 7), (10, 8),
                ],
                2026: [
                    (1, 1), (1, 2), (2, 16), (2, 17), (2, 18), (2, 19), (2, 20), (2, 23), (4, 6), (5, 1), (5, 4),
                    (5, 5), (6, 19), (9, 25),
                    (10, 1), (10, 2), (10, 5), (10, 6), (10, 7),
                ],
            ]
        case .nyse, .nasdaq, .toronto, .london, .xetra, .euronextParis, .euronextAmsterdam, .six, .australia:
            preconditionFailure("\(exchange.rawValue) has no table")
        }
        guard let days = table[year] else { preconditionFailure("\(exchange.rawValue) has no table of \(year)") }
        return days.map { date(year, $0.0, $0.1) }
    }

    /// The trading days before the Lunar New Year, which are half days in Hong Kong.
    private static let lunarEves = [2024: [date(2024, 2, 9)], 2025: [date(2025, 1, 28)], 2026: [date(2026, 2, 16)]]
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
