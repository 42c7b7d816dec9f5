/// A length of time as a scenario writes it: `15m`, `1h30m`, `PT15M`, `250ms`, `2d`. A unit is required, so that `30`
/// never means the wrong thing.
package enum DurationText {
    /// Longer than any run, short enough that sums of several never overflow.
    package static let longest = Duration.days(40_000)

    /// The duration; nil if the text is not one, is negative, or is no whole number of microseconds.
    package static func read(_ text: String) -> Duration? {
        text.hasPrefix("P") ? readISO(text.dropFirst()) : readUnits(Substring(text), units: UnitTable.durations)
    }

    /// Numbers with units, from the largest to the smallest, each at most once; the last number may have decimals.
    private static func readUnits(_ text: Substring, units: [UnitTable.Unit]) -> Duration? {
        var rest = text
        var next = 0
        var total: Int64 = 0
        while !rest.isEmpty {
            let number = rest.prefix { $0.isASCII && ($0.isNumber || $0 == "." || $0 == "_") }
            rest = rest.dropFirst(number.count)
            let name = rest.prefix { $0.isASCII && $0.isLetter }
            rest = rest.dropFirst(name.count)
            guard let unit = units[next...].firstIndex(where: { $0.name == name }),
                case .success(let value) = DecimalText.read(String(number)),
                let amount = value.whole(of: units[unit])
            else { return nil }
            if number.contains(".") && !rest.isEmpty { return nil }
            next = unit + 1
            let (sum, over) = total.addingReportingOverflow(amount)
            if over || sum > longest.microseconds { return nil }
            total = sum
        }
        return next == 0 ? nil : Duration(microseconds: total)
    }

    // ISO 8601 names some of the same units with capitals, and `M` is a minute only after the `T`.
    private static let isoDays = units("d")
    private static let isoTimes = units("h", "m", "s")

    private static func units(_ names: String...) -> [UnitTable.Unit] {
        UnitTable.durations.filter { names.contains($0.name) }.map {
            UnitTable.Unit(name: $0.name.uppercased(), size: $0.size)
        }
    }

    private static func readISO(_ text: Substring) -> Duration? {
        let halves = text.split(separator: "T", omittingEmptySubsequences: false)
        guard halves.count <= 2 else { return nil }
        var total = Duration.zero
        if !halves[0].isEmpty {
            guard let days = readUnits(halves[0], units: isoDays) else { return nil }
            total += days
        }
        if halves.count == 2 {
            guard let rest = readUnits(halves[1], units: isoTimes) else { return nil }
            total += rest
        } else if halves[0].isEmpty {
            return nil
        }
        return total <= longest ? total : nil
    }
}

/// Clock times and instants as a scenario writes them.
package enum CalendarText {
    /// `07:30`, `07:30:15`, `07:30:15.000001`; nil for anything else.
    package static func clock(_ text: Substring) -> ClockTime? { clock(Array(text.utf8)[...]) }

    /// `2026-03-02`; nil for anything else.
    package static func date(_ text: Substring) -> CivilDate? {
        text.utf8.count == 10 ? date(Array(text.utf8), 0) : nil
    }

    /// `2026-03-02T07:00` with seconds and decimals if need be; nil for anything else.
    package static func localDateTime(_ text: Substring) -> (date: CivilDate, clock: ClockTime)? {
        localDateTime(Array(text.utf8)[...])
    }

    /// An ISO-8601 date-time with an offset or `Z`, as microseconds since 1970 and the offset in seconds; nil for
    /// anything else.
    package static func instant(_ text: String) -> (unixMicroseconds: Int64, offset: Int)? {
        instant(Array(text.utf8)[...])
    }

    // Records have millions of these, so they are read byte by byte.

    package static func instant<Bytes: RandomAccessCollection<UInt8>>(_ text: Bytes) -> (
        unixMicroseconds: Int64, offset: Int
    )?
    where Bytes.Index == Int, Bytes.SubSequence: RandomAccessCollection<UInt8>, Bytes.SubSequence.Index == Int {
        let body: Bytes.SubSequence
        let offset: Int
        if text.last == UInt8(ascii: "Z") {
            (body, offset) = (text.dropLast(), 0)
        } else {
            guard text.count > 6 else { return nil }
            let at = text.endIndex - 6
            let sign = text[at] == UInt8(ascii: "+") ? 1 : text[at] == UInt8(ascii: "-") ? -1 : 0
            guard sign != 0, text[at + 3] == UInt8(ascii: ":"), let hours = number(text, at + 1, 2),
                let minutes = number(text, at + 4, 2),
                hours <= 18, minutes < 60
            else { return nil }
            (body, offset) = (text.dropLast(6), sign * (hours * 3600 + minutes * 60))
        }
        guard let (date, clock) = localDateTime(body) else { return nil }
        return (date.dayNumber * ClockTime.microsecondsPerDay + clock.microseconds - Int64(offset) * 1_000_000, offset)
    }

    private static func localDateTime<Bytes: RandomAccessCollection<UInt8>>(_ text: Bytes) -> (
        date: CivilDate, clock: ClockTime
    )?
    where Bytes.Index == Int {
        let at = text.startIndex
        guard text.count > 11, text[at + 10] == UInt8(ascii: "T"), let date = date(text, at),
            let clock = clock(text.dropFirst(11))
        else {
            return nil
        }
        return (date, clock)
    }

    /// The date in the ten bytes from `at` on.
    private static func date<Bytes: RandomAccessCollection<UInt8>>(_ text: Bytes, _ at: Int) -> CivilDate?
    where Bytes.Index == Int {
        guard text[at + 4] == UInt8(ascii: "-"), text[at + 7] == UInt8(ascii: "-"), let year = number(text, at, 4),
            let month = number(text, at + 5, 2), let day = number(text, at + 8, 2)
        else { return nil }
        return CivilDate(year: year, month: month, day: day)
    }

    private static func clock<Bytes: RandomAccessCollection<UInt8>>(_ text: Bytes) -> ClockTime?
    where Bytes.Index == Int {
        let at = text.startIndex
        guard text.count >= 5, text[at + 2] == UInt8(ascii: ":"), let hour = number(text, at, 2),
            let minute = number(text, at + 3, 2),
            hour < 24,
            minute < 60
        else { return nil }
        var microseconds = Int64(hour * 60 + minute) * 60_000_000
        if text.count > 5 {
            guard text.count >= 8, text[at + 5] == UInt8(ascii: ":"), let whole = number(text, at + 6, 2), whole < 60
            else { return nil }
            microseconds += Int64(whole) * 1_000_000
            if text.count > 8 {
                let decimals = text.count - 9
                guard text[at + 8] == UInt8(ascii: "."), (1...6).contains(decimals),
                    let fraction = number(text, at + 9, decimals)
                else {
                    return nil
                }
                microseconds += (0..<(6 - decimals)).reduce(Int64(fraction)) { value, _ in value * 10 }
            }
        }
        return ClockTime(microseconds: microseconds)
    }

    private static func number<Bytes: RandomAccessCollection<UInt8>>(_ text: Bytes, _ from: Int, _ width: Int) -> Int?
    where Bytes.Index == Int {
        var value = 0
        for at in from..<(from + width) {
            let digit = text[at]
            guard digit >= 48, digit <= 57 else { return nil }
            value = value * 10 + Int(digit - 48)
        }
        return value
    }

    /// The canonical text of a date-time: microseconds since 1970, and seconds ahead of UTC.
    package static func text(unixMicroseconds: Int64, offset: Int) -> String {
        let local = LocalTime(localMicroseconds: unixMicroseconds + Int64(offset) * 1_000_000)
        let zone =
            offset == 0
            ? "Z"
            : (offset < 0 ? "-" : "+") + TimeText.padded(Int(offset.magnitude) / 3600, to: 2) + ":"
                + TimeText.padded(Int(offset.magnitude) / 60 % 60, to: 2)
        return TimeText.date(local.date) + "T" + TimeText.clock(local.clock) + zone
    }

    /// `07:30`; with seconds only if there are some.
    package static func text(_ clock: ClockTime) -> String {
        let text = TimeText.clock(clock)
        return text.hasSuffix(":00") ? String(text.dropLast(3)) : text
    }
}

/// An instant of a run as the command line states it.
package enum InstantText {
    /// A length of time after the start, such as `7h30m`, or a date-time with its offset from UTC; nil for anything
    /// else.
    package static func read(_ text: String, after start: Instant, by clock: ScenarioClock) -> Instant? {
        if let duration = DurationText.read(text) { return start + duration }
        return CalendarText.instant(text).map { clock.instant(unixMicroseconds: $0.0) }
    }
}
