import Basics

/// A load by equal intervals, from the rows of a table.
package struct LoadSeries: Sendable {
    package struct Interval: Hashable, Sendable {
        /// Microseconds since 1970, or since another beginning.
        package var from: Int64
        package var perSecond: Double
    }

    /// In order of time, each at another time.
    package let intervals: [Interval]
    /// The length of an interval in microseconds: the usual distance from one to the next.
    package let step: Int64

    /// - Parameters:
    ///   - rows: the time and the value of each.
    ///   - areCounts: whether values are requests in an interval, and not requests a second.
    /// - Returns: nil if all rows are of one time, so that nobody knows how long an interval is.
    package init?(_ rows: [(unix: Int64, value: Double)], areCounts: Bool) {
        var sums: [Int64: Double] = [:]
        for row in rows { sums[row.unix, default: 0] += row.value }
        let times = sums.keys.sorted()
        let steps = zip(times, times.dropFirst()).map { $1 - $0 }.sorted()
        guard !steps.isEmpty else { return nil }
        let step = steps[(steps.count - 1) / 2]
        self.step = step
        let seconds = Double(step) / 1e6
        intervals = times.map { Interval(from: $0, perSecond: areCounts ? sums[$0]! / seconds : sums[$0]!) }
    }
}

// MARK: Times

extension ZoneTable {
    /// By how many microseconds a local time comes once more, if clocks go back over it; of its first instant.
    package func laterBy(_ instant: Instant) -> Int64? {
        let index = intervalIndex(at: instant)
        guard index + 1 < intervals.count else { return nil }
        let (own, next) = (intervals[index], intervals[index + 1])
        let shift = Int64(own.offsetSeconds - next.offsetSeconds) * 1_000_000
        return shift > 0 && next.from.microseconds - instant.microseconds <= shift ? shift : nil
    }
}

extension LoadTable {
    /// The rows with their times since 1970. Of an hour that the zone's clocks come to twice, rows behind a jump back
    /// are the second one's.
    ///
    /// - Parameters:
    ///   - zone: a name that is known, of times without an offset; nil for UTC.
    ///   - beginning: microseconds since 1970: the day of times without a date, and the first minute of rows of
    ///     minutes; nil if there can be none.
    ///   - isWanted: whether a row counts, by its path.
    package func instants(
        zone: String?, beginning: Int64?, hasLocalTimes: inout Bool, where isWanted: (String?) -> Bool = { _ in true }
    ) throws(Fault) -> [(unix: Int64, value: Double)] {
        let table = zone.flatMap {
            ScenarioClock(startUnixMicroseconds: 0).zoneTable($0, until: Instant(microseconds: UnixText.end))
        }
        var found: [(unix: Int64, value: Double)] = []
        var (last, isSecond): (Int64?, Bool) = (nil, false)
        func local(_ local: Int64) -> Int64 {
            guard let table else {
                hasLocalTimes = true
                return local
            }
            let time = LocalTime(localMicroseconds: local)
            let instant = table.instant(of: time.date, at: time.clock)
            let unix = instant.microseconds
            guard let later = table.laterBy(instant) else {
                (last, isSecond) = (nil, false)
                return unix
            }
            if let last, unix < last { isSecond = true }
            last = unix
            return isSecond ? unix + later : unix
        }
        let day = ClockTime.microsecondsPerDay
        for row in rows where isWanted(row.path) {
            let unix: Int64
            switch row.time {
            case .unix(let own): unix = own
            case .local(let own): unix = local(own)
            case .clock(let own):
                guard let beginning else {
                    throw Fault(line: row.line, expected: "times with a date", found: "a clock alone")
                }
                unix = local(beginning / day * day + own)
            case .minute(let own):
                guard let beginning else {
                    throw Fault(
                        line: row.line, expected: "a column of times", found: "minutes without a date")
                }
                unix = beginning + own * 60_000_000
            }
            guard (0..<UnixText.end).contains(unix) else {
                throw Fault(line: row.line, expected: "times from 1970 to 2099", found: "another")
            }
            found.append((unix, row.value))
        }
        return found
    }
}

/// A time as dashboards write it.
package enum LoadTime: Hashable, Sendable {
    /// Microseconds since 1970.
    case unix(Int64)
    /// A date and a clock without an offset, in microseconds as if the clock were UTC's.
    case local(Int64)
    /// A clock without a date, in microseconds from midnight.
    case clock(Int64)
    /// The number of a minute of a row, from 0 on.
    case minute(Int64)

    /// A date-time in any spelling, a date, an hour of a date, a clock, or seconds to nanoseconds since 1970; nil for
    /// anything else.
    package init?(_ text: String) {
        let isUTC = text.hasSuffix(" UTC") || text.hasSuffix(" GMT")
        let bytes = Array((isUTC ? String(text.dropLast(4)) + "Z" : text).utf8)
        if let (unix, offset) = CalendarText.dateTime(bytes) {
            self = offset == nil ? .local(unix) : .unix(unix)
        } else if bytes.count == 10, let (unix, _) = CalendarText.dateTime(bytes + Array(" 00:00".utf8)) {
            self = .local(unix)
        } else if bytes.count >= 13, bytes.count <= 14, let (unix, _) = CalendarText.dateTime(bytes + Array(":00".utf8))
        {
            self = .local(unix)
        } else if bytes.contains(58), let clock = CalendarText.clock(text[...]) {
            self = .clock(clock.microseconds)
        } else if let unix = UnixText.microseconds(bytes), unix >= Self.earliest {
            self = .unix(unix)
        } else {
            return nil
        }
    }

    /// Numbers before 1973 are no times since 1970.
    private static let earliest: Int64 = 100_000_000_000_000
}
