import SimulatedTime

/// A length of time as a scenario writes it: `15m`, `1h30m`, `PT15M`, `250ms`, `2d`. A unit is required, so that `30` never means the wrong thing.
enum DurationText {
    /// Longer than any run, short enough that sums of several never overflow.
    static let longest = Duration.days(40_000)

    private static let units: [(name: String, microseconds: Int64)] = [
        ("d", 86_400_000_000), ("h", 3_600_000_000), ("m", 60_000_000), ("s", 1_000_000), ("ms", 1_000), ("us", 1),
    ]

    /// The duration; nil if the text is not one, is negative, or is no whole number of microseconds.
    static func read(_ text: String) -> Duration? {
        text.hasPrefix("P") ? readISO(text.dropFirst()) : readUnits(Substring(text), units: units)
    }

    /// Numbers with units, from the largest to the smallest, each at most once; the last number may have decimals.
    private static func readUnits(_ text: Substring, units: [(name: String, microseconds: Int64)]) -> Duration? {
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
                let amount = microseconds(value, unit: units[unit].microseconds)
            else { return nil }
            if number.contains(".") && !rest.isEmpty { return nil }
            next = unit + 1
            let (sum, over) = total.addingReportingOverflow(amount)
            if over || sum > longest.microseconds { return nil }
            total = sum
        }
        return next == 0 ? nil : Duration(microseconds: total)
    }

    /// A decimal number of units as microseconds; nil if they are not whole or do not fit.
    private static func microseconds(_ value: DecimalText, unit: Int64) -> Int64? {
        // Decimals of a unit are at most nine, so that the product below is exact.
        guard let billionths = value.whole(timesTenTo: 9) else {
            guard let whole = value.whole(timesTenTo: 0) else { return nil }
            let (product, over) = whole.multipliedReportingOverflow(by: unit)
            return over ? nil : product
        }
        let product = Int128(billionths) * Int128(unit)
        return product % 1_000_000_000 == 0 ? Int64(exactly: product / 1_000_000_000) : nil
    }

    private static func readISO(_ text: Substring) -> Duration? {
        let halves = text.split(separator: "T", omittingEmptySubsequences: false)
        guard halves.count <= 2 else { return nil }
        var total = Duration.zero
        if !halves[0].isEmpty {
            guard let days = readUnits(halves[0], units: [("D", 86_400_000_000)]) else { return nil }
            total += days
        }
        if halves.count == 2 {
            guard let rest = readUnits(halves[1], units: [("H", 3_600_000_000), ("M", 60_000_000), ("S", 1_000_000)]) else { return nil }
            total += rest
        } else if halves[0].isEmpty {
            return nil
        }
        return total <= longest ? total : nil
    }
}

/// Clock times and instants as a scenario writes them.
enum CalendarText {
    /// `07:30`, `07:30:15`, `07:30:15.000001`; nil for anything else.
    static func clock(_ text: Substring) -> ClockTime? {
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        guard parts.count == 2 || parts.count == 3, let hour = number(parts[0], 2), let minute = number(parts[1], 2), hour < 24, minute < 60
        else {
            return nil
        }
        var microseconds = Int64(hour * 60 + minute) * 60_000_000
        if parts.count == 3 {
            let second = parts[2].split(separator: ".", omittingEmptySubsequences: false)
            guard second.count <= 2, let whole = number(second[0], 2), whole < 60 else { return nil }
            microseconds += Int64(whole) * 1_000_000
            if second.count == 2 {
                guard (1...6).contains(second[1].count), let fraction = number(second[1], second[1].count) else { return nil }
                microseconds += (0..<(6 - second[1].count)).reduce(Int64(fraction)) { value, _ in value * 10 }
            }
        }
        return ClockTime(microseconds: microseconds)
    }

    /// `2026-03-02T07:00` with seconds and decimals if need be; nil for anything else.
    static func localDateTime(_ text: Substring) -> (date: CivilDate, clock: ClockTime)? {
        let halves = text.split(separator: "T", omittingEmptySubsequences: false)
        guard halves.count == 2, let date = date(halves[0]), let clock = clock(halves[1]) else { return nil }
        return (date, clock)
    }

    /// `2026-03-02`; nil for anything else.
    static func date(_ text: Substring) -> CivilDate? {
        let parts = text.split(separator: "-", omittingEmptySubsequences: false)
        guard parts.count == 3, let year = number(parts[0], 4), let month = number(parts[1], 2), let day = number(parts[2], 2) else {
            return nil
        }
        return CivilDate(year: year, month: month, day: day)
    }

    /// An ISO-8601 date-time with an offset or `Z`, as microseconds since 1970 and the offset in seconds; nil for anything else.
    static func instant(_ text: String) -> (unixMicroseconds: Int64, offset: Int)? {
        let body: Substring
        let offset: Int
        if text.hasSuffix("Z") {
            (body, offset) = (text.dropLast(), 0)
        } else {
            guard text.count > 6 else { return nil }
            let tail = text.suffix(6)
            let sign = tail.first == "+" ? 1 : tail.first == "-" ? -1 : 0
            let parts = tail.dropFirst().split(separator: ":", omittingEmptySubsequences: false)
            guard sign != 0, parts.count == 2, let hours = number(parts[0], 2), let minutes = number(parts[1], 2), hours <= 18, minutes < 60
            else {
                return nil
            }
            (body, offset) = (text.dropLast(6), sign * (hours * 3600 + minutes * 60))
        }
        guard let (date, clock) = localDateTime(body) else { return nil }
        return (date.dayNumber * ClockTime.microsecondsPerDay + clock.microseconds - Int64(offset) * 1_000_000, offset)
    }

    /// The same date-time in its canonical text.
    static func text(unixMicroseconds: Int64, offset: Int) -> String {
        let local = LocalTime(localMicroseconds: unixMicroseconds + Int64(offset) * 1_000_000)
        let zone =
            offset == 0
            ? "Z"
            : (offset < 0 ? "-" : "+") + TimeText.padded(abs(offset) / 3600, to: 2) + ":" + TimeText.padded(abs(offset) / 60 % 60, to: 2)
        return TimeText.date(local.date) + "T" + TimeText.clock(local.clock) + zone
    }

    /// `07:30`; with seconds only if there are some.
    static func text(_ clock: ClockTime) -> String {
        let text = TimeText.clock(clock)
        return text.hasSuffix(":00") ? String(text.dropLast(3)) : text
    }

    private static func number(_ text: Substring, _ width: Int) -> Int? {
        guard text.count == width, text.utf8.allSatisfy({ (48...57).contains($0) }) else { return nil }
        return Int(text)
    }
}
