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

    /// The duration that a text with other words for the units means, such as `30min`, `1 hour 30 minutes` or `1week`;
    /// nil for any other text.
    package static func meant(by text: String) -> Duration? {
        let parts = text.lowercased().matches(of: #/([0-9.]+)\s*([a-zµ]+)[\s,]*/#)
        guard parts.map({ String($0.0) }).joined() == text.lowercased() else { return nil }
        let named = parts.map { part in
            let word =
                part.2.count > 1 && part.2 != "ms" && part.2 != "us" && part.2.hasSuffix("s")
                ? part.2.dropLast() : part.2
            return part.1 + (unitWords[String(word)] ?? String(word))
        }
        if let week = parts.first, parts.count == 1, ["w", "wk", "week", "weeks"].contains(week.2) {
            return read(week.1 + "d").map { $0 * 7 }.flatMap { $0 <= longest ? $0 : nil }
        }
        return read(named.joined())
    }

    private static let unitWords = [
        "day": "d", "hour": "h", "hr": "h", "minute": "m", "min": "m", "second": "s", "sec": "s", "msec": "ms",
        "millisecond": "ms", "milli": "ms", "microsecond": "us", "usec": "us", "µs": "us",
    ]

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
        text.utf8.count == 10 && !text.contains("/") ? date(Array(text.utf8), 0) : nil
    }

    /// A date-time without an offset, such as `2026-03-02T07:00`; nil for anything else.
    package static func localDateTime(_ text: Substring) -> (date: CivilDate, clock: ClockTime)? {
        guard let (unix, offset) = dateTime(Array(text.utf8)), offset == nil else { return nil }
        let local = LocalTime(localMicroseconds: unix)
        return (local.date, local.clock)
    }

    /// A date-time with an offset, as microseconds since 1970 and the offset in seconds; nil for anything else.
    package static func instant(_ text: String) -> (unixMicroseconds: Int64, offset: Int)? {
        guard let (unix, offset) = dateTime(Array(text.utf8)), let offset else { return nil }
        return (unix, offset)
    }

    private static let months = TimeText.months.map { Array($0.utf8) }

    /// A date-time as programs write it: ISO 8601 with `T` or a blank, with slashes (`2026/03/02 10:00:05`), or as web
    /// servers do, `02/Mar/2026:10:00:05`; with any decimals, of which those beyond microseconds are cut, or
    /// milliseconds behind a colon; and with an offset (`Z`, `+01:00`, `+0100`, `+01`, also behind a blank) or none.
    ///
    /// Records have millions of these, so they are read byte by byte.
    ///
    /// - Returns: microseconds since 1970, with the offset in seconds; without one as if the clock were UTC's, and nil.
    package static func dateTime<Bytes: RandomAccessCollection<UInt8>>(_ text: Bytes) -> (
        unixMicroseconds: Int64, offset: Int?
    )?
    where Bytes.Index == Int, Bytes.SubSequence: RandomAccessCollection<UInt8>, Bytes.SubSequence.Index == Int {
        let (from, end) = (text.startIndex, text.endIndex)
        guard end - from >= 16 else { return nil }
        var at: Int
        let day: CivilDate
        if text[from + 2] == UInt8(ascii: "/") {
            guard end - from >= 17, text[from + 6] == UInt8(ascii: "/"), text[from + 11] == UInt8(ascii: ":"),
                let month = months.firstIndex(where: { $0.elementsEqual(text[(from + 3)..<(from + 6)]) }),
                let date = number(text, from, 2), let year = number(text, from + 7, 4),
                let found = CivilDate(year: year, month: month + 1, day: date)
            else { return nil }
            (day, at) = (found, from + 12)
        } else {
            let separator = text[from + 10]
            guard separator == UInt8(ascii: "T") || separator == 32 || separator == UInt8(ascii: "t"),
                let found = date(text, from)
            else { return nil }
            (day, at) = (found, from + 11)
        }
        let begin = at
        while at < end, (48...58).contains(text[at]) || text[at] == UInt8(ascii: ".") || text[at] == UInt8(ascii: ",") {
            at += 1
        }
        guard let clock = clock(text[begin..<at], isCut: true) else { return nil }
        let local = day.dayNumber * ClockTime.microsecondsPerDay + clock.microseconds
        if at == end { return (local, nil) }
        if text[at] == 32 { at += 1 }
        guard let offset = offset(text[at...]) else { return nil }
        return (local - Int64(offset) * 1_000_000, offset)
    }

    /// Seconds ahead of UTC.
    private static func offset<Bytes: RandomAccessCollection<UInt8>>(_ text: Bytes) -> Int? where Bytes.Index == Int {
        guard let first = text.first else { return nil }
        let at = text.startIndex + 1
        if first == UInt8(ascii: "Z") || first == UInt8(ascii: "z") { return text.count == 1 ? 0 : nil }
        guard first == UInt8(ascii: "+") || first == UInt8(ascii: "-"), text.count >= 3,
            let hours = number(text, at, 2),
            hours <= 18
        else { return nil }
        let rest = text.count == 6 && text[at + 2] == UInt8(ascii: ":") ? at + 3 : at + 2
        guard text.count == 3 || rest + 2 == text.endIndex, let minutes = text.count == 3 ? 0 : number(text, rest, 2),
            minutes < 60
        else { return nil }
        return (first == UInt8(ascii: "+") ? 1 : -1) * (hours * 3600 + minutes * 60)
    }

    /// The date in the ten bytes from `at` on.
    private static func date<Bytes: RandomAccessCollection<UInt8>>(_ text: Bytes, _ at: Int) -> CivilDate?
    where Bytes.Index == Int {
        let separator = text[at + 4]
        guard separator == UInt8(ascii: "-") || separator == UInt8(ascii: "/"), text[at + 7] == separator,
            let year = number(text, at, 4), let month = number(text, at + 5, 2), let day = number(text, at + 8, 2)
        else { return nil }
        return CivilDate(year: year, month: month, day: day)
    }

    /// - Parameter isCut: whether decimals beyond microseconds are cut; otherwise there may be none.
    private static func clock<Bytes: RandomAccessCollection<UInt8>>(_ text: Bytes, isCut: Bool = false) -> ClockTime?
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
                let decimals = min(6, text.count - 9)
                let point = text[at + 8]
                guard
                    point == UInt8(ascii: ".") || isCut && point == UInt8(ascii: ",")
                        || isCut && point == UInt8(ascii: ":") && decimals == 3,
                    decimals >= 1,
                    isCut || text.count <= 15, let fraction = number(text, at + 9, decimals),
                    text[(at + 9)...].allSatisfy({ (48...57).contains($0) })
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

/// A unit of times that are numbers.
package enum TimeUnit: Int, CaseIterable, Sendable {
    /// By the power of ten of their microseconds.
    case seconds = 6
    case milliseconds = 3
    case microseconds = 0
    case nanoseconds = -3

    /// The suffix of names: `time_ms`.
    package var suffix: String {
        switch self {
        case .seconds: "s"
        case .milliseconds: "ms"
        case .microseconds: "us"
        case .nanoseconds: "ns"
        }
    }

    /// The unit of a number since 1970, told by its size.
    static func told(by whole: Int64) -> TimeUnit {
        whole < 100_000_000_000
            ? .seconds
            : whole < 100_000_000_000_000
                ? .milliseconds : whole < 100_000_000_000_000_000 ? .microseconds : .nanoseconds
    }
}

/// Times that are numbers, such as seconds since 1970.
package enum UnixText {
    /// The first instant of 2100 in microseconds since 1970: no record is from later.
    package static let end: Int64 = 4_102_444_800_000_000

    /// Microseconds, exact but for digits beyond them, which are cut; nil for anything but a number from 0 on that is
    /// before 2100.
    ///
    /// - Parameter unit: nil if the size of the number tells it.
    package static func microseconds<Bytes: RandomAccessCollection<UInt8>>(_ text: Bytes, unit: TimeUnit? = nil)
        -> Int64?
    where Bytes.Index == Int {
        var (whole, digits, point): (Int64, Int, Int?) = (0, 0, nil)
        for (index, byte) in zip(text.indices, text) {
            guard (48...57).contains(byte) else {
                if byte == UInt8(ascii: ".") {
                    point = index
                    break
                }
                return exponential(text, unit: unit)
            }
            digits += 1
            let (product, isOver) = whole.multipliedReportingOverflow(by: 10)
            let (sum, isOverToo) = product.addingReportingOverflow(Int64(byte - 48))
            if isOver || isOverToo { return nil }
            whole = sum
        }
        if digits == 0 { return nil }
        var power = (unit ?? .told(by: whole)).rawValue
        while power < 0 {
            whole /= 10
            power += 1
        }
        let tail = point.map { text[text.index(after: $0)...] }
        if let tail, !tail.allSatisfy({ (48...57).contains($0) }) { return exponential(text, unit: unit) }
        var decimals = tail.map { Array($0.prefix(power)) } ?? []
        decimals += Array(repeating: 48, count: power - decimals.count)
        for digit in decimals {
            if whole >= end { return nil }
            whole = whole * 10 + Int64(digit - 48)
        }
        return whole < end ? whole : nil
    }

    /// A number such as `1.77e9`.
    private static func exponential(_ text: some Collection<UInt8>, unit: TimeUnit?) -> Int64? {
        guard text.first.map({ (48...57).contains($0) }) == true,
            text.allSatisfy({ "0123456789.eE+-".utf8.contains($0) }),
            let value = Double(String(decoding: text, as: UTF8.self)), value < 9e18
        else { return nil }
        let power = (unit ?? .told(by: Int64(cutting: value))).rawValue
        let microseconds = power < 0 ? value / 1e3 : value * (power == 6 ? 1e6 : power == 3 ? 1e3 : 1)
        return microseconds < Double(end) ? Int64(cutting: microseconds.rounded()) : nil
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
