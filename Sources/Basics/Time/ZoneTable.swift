/// The rules of one time zone over a run, as a table made once at set-up (T2): between two boundaries the local clock
/// is the instant plus a constant.
public struct ZoneTable: Sendable {
    /// One interval of constant offset.
    @frozen public struct Interval: Sendable {
        /// Its first instant.
        public var from: Instant
        /// Microseconds to add to an instant to get microseconds since 1970-01-01T00:00 on the local clock.
        public var toLocal: Int64
        /// Offset from UTC in seconds, for texts.
        public var offsetSeconds: Int32
    }

    /// The IANA name.
    public let name: String
    /// As people say it: `New York` of `America/New_York`.
    public var place: String {
        String((name.split(separator: "/").last ?? "").map { $0 == "_" ? " " : $0 })
    }

    /// In order; the first begins before anything that the run can ask for.
    public let intervals: [Interval]

    public init(name: String, intervals: [Interval]) {
        precondition(!intervals.isEmpty, "a zone without rules")
        precondition(zip(intervals, intervals.dropFirst()).allSatisfy { $0.from < $1.from }, "intervals out of order")
        self.name = name
        self.intervals = intervals
    }

    /// The index of the interval that holds `instant`. The tables are short: a scan from the latest is the fastest
    /// search.
    @inlinable public func intervalIndex(at instant: Instant) -> Int {
        var i = intervals.count - 1
        while i > 0 && instant < intervals[i].from { i -= 1 }
        return i
    }

    /// Whether its clock never changes.
    public var isRegular: Bool { intervals.count == 1 }

    @inlinable public func localTime(at instant: Instant) -> LocalTime {
        LocalTime(localMicroseconds: instant.microseconds + intervals[intervalIndex(at: instant)].toLocal)
    }

    /// The first instant after `instant` at which the offset changes; `never` if there is none.
    @inlinable public func nextChange(after instant: Instant) -> Instant {
        let i = intervalIndex(at: instant) + 1
        return i < intervals.count ? intervals[i].from : .never
    }

    /// The instant at which the local clock shows `clock` on `date`: a time that is skipped is read with the offset
    /// before the gap, one that comes twice counts the first time (P5).
    public func instant(of date: CivilDate, at clock: ClockTime) -> Instant {
        let local = date.dayNumber * ClockTime.microsecondsPerDay + clock.microseconds
        for i in intervals.indices {
            let candidate = Instant(microseconds: local - intervals[i].toLocal)
            // In this interval, or in the gap at its end: both are read with its offset. The first interval has no
            // beginning.
            let end = i + 1 < intervals.count ? intervals[i + 1].from : .never
            if candidate < end { return candidate }
            if i + 1 < intervals.count, Instant(microseconds: local - intervals[i + 1].toLocal) < end {
                return candidate
            }
        }
        preconditionFailure("the last interval has no end")
    }

    /// The instant so many microseconds after 1970-01-01T00:00Z.
    package func instant(unixMicroseconds: Int64) -> Instant {
        let any = intervals[0]
        return Instant(microseconds: unixMicroseconds + Int64(any.offsetSeconds) * 1_000_000 - any.toLocal)
    }

    /// The first instant after `instant` at which a local date begins.
    public func nextMidnight(after instant: Instant) -> Instant {
        var date = localTime(at: instant).date
        while true {
            date = date.advanced(by: 1)
            // Clocks that go back over midnight come to the same date again.
            let midnight = self.instant(of: date, at: ClockTime(microseconds: 0))
            if midnight > instant { return midnight }
        }
    }

    /// The instant at which the local clock has come so far from the midnight on which `date` begins; on another date
    /// if that is beyond the day.
    public func instant(of date: CivilDate, fromMidnight offset: Duration) -> Instant {
        let day = ClockTime.microsecondsPerDay
        var clock = offset.microseconds % day
        if clock < 0 { clock += day }
        return instant(of: date.advanced(by: (offset.microseconds - clock) / day), at: ClockTime(microseconds: clock))
    }
}
