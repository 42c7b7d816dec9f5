import Basics
import ScenarioFiles

/// Reads the times of a record, each with the offset of the clock by which its person lives.
struct RecordClock {
    /// By whose clock all people live; nil for each time's own offset.
    private let zone: ZoneTable?
    private var interval = 0
    private var awayFromUTC = 0

    /// Whether a time had no offset and was read as UTC's.
    private(set) var hasLocalTimes = false
    /// The last time's other instant, if the zone's clocks came to it twice: later by so many microseconds.
    private(set) var laterBy: Int64?

    /// - Parameter zone: a name that the zone database knows.
    init(zone: String?) {
        self.zone = zone.map { name in
            guard
                let table = ScenarioClock(startUnixMicroseconds: 0).zoneTable(
                    name, until: Instant(microseconds: UnixText.end))
            else {
                preconditionFailure("the zone \(name) was not checked")
            }
            return table
        }
    }

    /// A sentence for the reader if every time that was read is UTC's.
    var note: String? {
        zone == nil && awayFromUTC == 0
            ? "all times are UTC's, so people are taken to live by UTC; --zone states where they live" : nil
    }

    /// A time in microseconds since 1970, with its own offset in seconds: a date-time, which is the zone's or UTC's if
    /// it has no offset, or a number.
    ///
    /// - Parameter unit: of numbers; nil if their size tells it.
    /// - Returns: nil for anything else, and for what is not from 1970 to 2099.
    mutating func unix<Bytes: RandomAccessCollection<UInt8>>(_ bytes: Bytes, unit: TimeUnit? = nil) -> (
        unix: Int64, offset: Int?
    )?
    where Bytes.Index == Int, Bytes.SubSequence: RandomAccessCollection<UInt8>, Bytes.SubSequence.Index == Int {
        laterBy = nil
        guard let (clock, offset) = CalendarText.dateTime(bytes) else {
            return UnixText.microseconds(bytes, unit: unit).map { ($0, nil) }
        }
        let unix = offset == nil ? self.unix(local: clock) : clock
        return unix >= 0 && unix < UnixText.end ? (unix, offset) : nil
    }

    /// The instant of a local time in microseconds, the first one of two.
    mutating func unix(local: Int64) -> Int64 {
        guard let zone else {
            hasLocalTimes = true
            return local
        }
        let time = LocalTime(localMicroseconds: local)
        let instant = zone.instant(of: time.date, at: time.clock)
        laterBy = zone.laterBy(instant)
        return instant.microseconds
    }

    /// A time in microseconds since 1970, with the offset in seconds of the clock by which its person lives.
    ///
    /// - Parameters:
    ///   - bytes: those of the text.
    ///   - text: with quotes taken out.
    mutating func read<Bytes: RandomAccessCollection<UInt8>>(
        _ bytes: Bytes, column: Int, text: () -> String
    ) throws(LineFault) -> (unix: Int64, offset: Int32)
    where Bytes.Index == Int, Bytes.SubSequence: RandomAccessCollection<UInt8>, Bytes.SubSequence.Index == Int {
        guard let (unix, stated) = unix(bytes) else {
            throw LineFault(
                column: column,
                expected: "a time from 1970 to 2099, such as 2026-03-02T07:00:00+01:00, or seconds since 1970",
                found: RawNode.quoted(text()))
        }
        guard let offset = zone.map({ self.offset(at: unix, in: $0) }) ?? stated else {
            throw LineFault(
                column: column, expected: "--zone for times without an offset from UTC, for the local clock",
                found: RawNode.quoted(text()))
        }
        if offset != 0 { awayFromUTC += 1 }
        return (unix, Int32(offset))
    }

    private mutating func offset(at unix: Int64, in zone: ZoneTable) -> Int {
        let instant = Instant(microseconds: unix)
        let intervals = zone.intervals
        if instant < intervals[interval].from
            || (interval + 1 < intervals.count && instant >= intervals[interval + 1].from)
        {
            interval = zone.intervalIndex(at: instant)
        }
        return Int(intervals[interval].offsetSeconds)
    }
}
