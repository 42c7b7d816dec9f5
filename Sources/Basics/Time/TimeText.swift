/// Times as text: the formats of reports and traces. Nothing here depends on a locale.
public enum TimeText {
    /// `2026-03-08T07:00:00.000001-04:00`; the fraction only if there is one.
    public static func iso(_ instant: Instant, in zone: ZoneTable) -> String {
        let interval = zone.intervals[zone.intervalIndex(at: instant)]
        let local = LocalTime(localMicroseconds: instant.microseconds + interval.toLocal)
        return date(local.date) + "T" + clock(local.clock) + offset(seconds: Int(interval.offsetSeconds))
    }

    /// `2026-03-08`.
    public static func date(_ date: CivilDate) -> String {
        let (year, month, day) = date.yearMonthDay
        return padded(year, to: 4) + "-" + padded(month, to: 2) + "-" + padded(day, to: 2)
    }

    /// `Sun 8 Mar`.
    public static func day(_ date: CivilDate) -> String {
        weekdays[date.weekday] + " " + dayOfMonth(date)
    }

    /// `8 Mar`.
    public static func dayOfMonth(_ date: CivilDate) -> String {
        let (_, month, day) = date.yearMonthDay
        return "\(day) \(months[month - 1])"
    }

    public static let weekdays = ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"]
    static let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]

    /// `07:00:00`, with six decimals if the microseconds are not whole seconds.
    public static func clock(_ clock: ClockTime) -> String {
        let seconds = Int(clock.microseconds / 1_000_000)
        let fraction = Int(clock.microseconds % 1_000_000)
        let whole =
            padded(seconds / 3600, to: 2) + ":" + padded(seconds / 60 % 60, to: 2) + ":" + padded(seconds % 60, to: 2)
        return fraction == 0 ? whole : whole + "." + padded(fraction, to: 6)
    }

    /// `2026-03-08T07:00:00.000000`: every instant of a column in one form.
    public static func exact(_ time: LocalTime) -> String { exact(time, offset: nil) }

    private static func exact(_ time: LocalTime, offset: Int?) -> String {
        let (year, month, day) = time.date.yearMonthDay
        let seconds = Int(time.clock.microseconds / 1_000_000)
        let fraction = Int(time.clock.microseconds % 1_000_000)
        if !(0...9_999).contains(year) {
            return date(time.date) + "T" + clock(ClockTime(microseconds: Int64(seconds) * 1_000_000)) + "."
                + padded(fraction, to: 6) + (offset.map { Self.offset(seconds: $0) } ?? "")
        }
        // Tables have thousands of them: they are written digit by digit.
        return String(unsafeUninitializedCapacity: 32) { text in
            var place = 0
            func put(_ value: Int, digits: Int, then sign: UInt8?) {
                var rest = value
                for digit in (place..<place + digits).reversed() {
                    text[digit] = 48 + UInt8(rest % 10)
                    rest /= 10
                }
                place += digits
                guard let sign else { return }
                text[place] = sign
                place += 1
            }
            put(year, digits: 4, then: UInt8(ascii: "-"))
            put(month, digits: 2, then: UInt8(ascii: "-"))
            put(day, digits: 2, then: UInt8(ascii: "T"))
            put(seconds / 3_600, digits: 2, then: UInt8(ascii: ":"))
            put(seconds / 60 % 60, digits: 2, then: UInt8(ascii: ":"))
            put(seconds % 60, digits: 2, then: UInt8(ascii: "."))
            guard let offset else {
                put(fraction, digits: 6, then: nil)
                return place
            }
            put(fraction, digits: 6, then: offset < 0 ? UInt8(ascii: "-") : UInt8(ascii: "+"))
            put(Int(offset.magnitude) / 3_600, digits: 2, then: UInt8(ascii: ":"))
            put(Int(offset.magnitude) / 60 % 60, digits: 2, then: nil)
            return place
        }
    }

    /// `2026-03-08T07:00:00.000000-04:00`: the same on a local clock.
    public static func exact(_ instant: Instant, in zone: ZoneTable) -> String {
        let interval = zone.intervals[zone.intervalIndex(at: instant)]
        return exact(
            LocalTime(localMicroseconds: instant.microseconds + interval.toLocal), offset: Int(interval.offsetSeconds))
    }

    /// A duration in its largest whole units, such as `1h30m`; `0s` for none. It reads back as the same duration.
    public static func duration(_ duration: Duration) -> String {
        if duration.microseconds == 0 { return "0s" }
        var rest = duration.microseconds.magnitude
        var text = duration.microseconds < 0 ? "-" : ""
        for unit in UnitTable.durations where rest >= unit.size.magnitude {
            text += "\(rest / unit.size.magnitude)\(unit.name)"
            rest %= unit.size.magnitude
        }
        return text
    }

    /// An integer count of 10^−`places` as a decimal without trailing zeros, such as `1.5` for 1,500,000 millionths.
    public static func decimal(_ value: Int64, places: Int) -> String {
        var unit: UInt64 = 1
        for _ in 0..<places { unit *= 10 }
        let whole = value.magnitude / unit
        var (fraction, digits) = (Int(value.magnitude % unit), places)
        let text = (value < 0 ? "-" : "") + String(whole)
        if fraction == 0 { return text }
        while fraction % 10 == 0 { (fraction, digits) = (fraction / 10, digits - 1) }
        return text + "." + padded(fraction, to: digits)
    }

    /// `-05:00`.
    static func offset(seconds: Int) -> String {
        let magnitude = Int(seconds.magnitude)
        return (seconds < 0 ? "-" : "+") + padded(magnitude / 3600, to: 2) + ":" + padded(magnitude / 60 % 60, to: 2)
    }

    public static func padded(_ value: Int, to width: Int) -> String {
        let digits = String(value)
        let missing = width - digits.utf8.count
        return missing > 0 ? String(repeating: "0", count: missing) + digits : digits
    }
}
