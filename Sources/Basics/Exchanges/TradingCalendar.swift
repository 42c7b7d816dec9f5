/// On which dates and at which clock times an exchange trades, by the clock of its own zone.
public struct TradingCalendar: Hashable, Sendable {
    /// A span of one day in which there is trading, both ends included.
    public struct Session: Hashable, Sendable {
        public var open, close: ClockTime

        public init(open: ClockTime, close: ClockTime) {
            precondition(open < close, "a session that closes before it opens")
            self.open = open
            self.close = close
        }
    }

    /// A date on which trading ends early.
    public struct HalfDay: Hashable, Sendable {
        public var date: CivilDate
        public var close: ClockTime

        public init(date: CivilDate, close: ClockTime) { (self.date, self.close) = (date, close) }
    }

    /// Times of one date that do not count: those after `after`, up to and with `through`.
    public struct Gap: Hashable, Sendable {
        public let date: CivilDate
        public let after, through: ClockTime
    }

    /// The sessions of a usual day, in order, one or two of them.
    public let sessions: [Session]
    /// The days of the week with trading, bit 0 Monday … bit 6 Sunday.
    public let weekdays: UInt8
    /// In order; dates on days without trading may be among them.
    public let holidays: [CivilDate]
    /// In order of their dates.
    public let halfDays: [HalfDay]

    public static let workdays: UInt8 = 0b001_1111

    public init(
        sessions: [Session], weekdays: UInt8 = TradingCalendar.workdays, holidays: some Sequence<CivilDate> = [],
        halfDays: some Sequence<HalfDay> = []
    ) {
        precondition(
            !sessions.isEmpty && zip(sessions, sessions.dropFirst()).allSatisfy { $0.close < $1.open },
            "sessions out of order")
        self.sessions = sessions
        self.weekdays = weekdays
        self.holidays = Array(Set(holidays)).sorted()
        self.halfDays = Array(Set(halfDays)).sorted { $0.date < $1.date }
    }

    /// Whether there is any trading on the date.
    public func isTradingDay(_ date: CivilDate) -> Bool {
        weekdays & (1 << UInt8(date.weekday)) != 0
            && Self.index(of: date, among: holidays.count, { holidays[$0] }) == nil
    }

    /// When trading ends on a half day; nil on any other date.
    public func earlyClose(on date: CivilDate) -> ClockTime? {
        Self.index(of: date, among: halfDays.count) { halfDays[$0].date }.map { halfDays[$0].close }
    }

    /// The sessions of a date; none on a date without trading.
    public func sessions(on date: CivilDate) -> [Session] {
        guard isTradingDay(date) else { return [] }
        guard let close = earlyClose(on: date) else { return sessions }
        return sessions.filter { $0.open < close }.map { Session(open: $0.open, close: min($0.close, close)) }
    }

    /// For a schedule of clock times on this exchange's days: what its dates lack against a usual day.
    ///
    /// A holiday lacks every time. A half day lacks the times between its own close and the usual one; what a schedule
    /// has outside the hours of trading, such as an evening, is there on a half day too.
    public var gaps: [Gap] {
        let usualClose = sessions[sessions.count - 1].close
        let endOfDay = ClockTime(microseconds: ClockTime.microsecondsPerDay)
        let closed = holidays.map { Gap(date: $0, after: ClockTime(microseconds: -1), through: endOfDay) }
        let short = halfDays.filter { isTradingDay($0.date) }.map {
            Gap(date: $0.date, after: $0.close, through: usualClose)
        }
        return (closed + short).sorted { $0.date < $1.date }
    }

    private static func index(of date: CivilDate, among count: Int, _ dates: (Int) -> CivilDate) -> Int? {
        var (low, high) = (0, count)
        while low < high {
            let middle = (low + high) / 2
            if dates(middle) < date { low = middle + 1 } else { high = middle }
        }
        return low < count && dates(low) == date ? low : nil
    }
}
