import Basics

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
