/// A local date as the number of days since 1970-01-01.
@frozen public struct CivilDate: Comparable, Hashable, Sendable {
    public var dayNumber: Int64

    @inlinable public init(dayNumber: Int64) { self.dayNumber = dayNumber }
    @inlinable public static func < (a: CivilDate, b: CivilDate) -> Bool { a.dayNumber < b.dayNumber }
    @inlinable public func advanced(by days: Int64) -> CivilDate { CivilDate(dayNumber: dayNumber + days) }

    /// 0 Monday … 6 Sunday.
    @inlinable public var weekday: Int {
        let w = (dayNumber + 3) % 7
        return Int(w < 0 ? w + 7 : w)
    }
    /// Monday to Friday; public holidays are not modelled.
    @inlinable public var isWorkday: Bool { weekday < 5 }

    /// A date of the proleptic Gregorian calendar; nil if it does not exist.
    public init?(year: Int, month: Int, day: Int) {
        guard (1...12).contains(month), (1...31).contains(day), (1...9999).contains(year) else { return nil }
        // Years are counted from 1 March, so that the leap day is a year's last.
        let y = Int64(month <= 2 ? year - 1 : year)
        let era = (y >= 0 ? y : y - 399) / 400
        let yearOfEra = y - era * 400
        let dayOfYear = Int64((153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1)
        let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
        self.dayNumber = era * 146_097 + dayOfEra - 719_468
        let back = self.yearMonthDay
        guard back.year == year, back.month == month, back.day == day else { return nil }
    }

    public var yearMonthDay: (year: Int, month: Int, day: Int) {
        let z = dayNumber + 719_468
        let era = (z >= 0 ? z : z - 146_096) / 146_097
        let dayOfEra = z - era * 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let mp = (5 * dayOfYear + 2) / 153
        let month = mp < 10 ? mp + 3 : mp - 9
        return (Int(yearOfEra + era * 400 + (month <= 2 ? 1 : 0)), Int(month), Int(dayOfYear - (153 * mp + 2) / 5 + 1))
    }
}

/// A time of day on a local clock: microseconds since local midnight, 0 up to 24 h exclusive.
@frozen public struct ClockTime: Comparable, Hashable, Sendable {
    public var microseconds: Int64

    public static let microsecondsPerDay: Int64 = 86_400_000_000
    @inlinable public init(microseconds: Int64) { self.microseconds = microseconds }
    @inlinable public init(hour: Int, minute: Int) {
        self.microseconds = (Int64(hour) * 60 + Int64(minute)) * 60_000_000
    }
    @inlinable public static func < (a: ClockTime, b: ClockTime) -> Bool { a.microseconds < b.microseconds }
    @inlinable public var hour: Int { Int(microseconds / 3_600_000_000) }
}

/// The date, weekday and time that a local clock and calendar show at an instant.
@frozen public struct LocalTime: Hashable, Sendable {
    public var date: CivilDate
    public var clock: ClockTime

    /// From microseconds since 1970-01-01T00:00 on the local clock.
    @inlinable public init(localMicroseconds local: Int64) {
        var day = local / ClockTime.microsecondsPerDay
        var rest = local % ClockTime.microsecondsPerDay
        if rest < 0 {
            day -= 1
            rest += ClockTime.microsecondsPerDay
        }
        date = CivilDate(dayNumber: day)
        clock = ClockTime(microseconds: rest)
    }
}
