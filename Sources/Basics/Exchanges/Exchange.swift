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
