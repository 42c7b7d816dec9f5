import Basics
import ScenarioFiles

/// Reads the times of a record, each with the offset of the clock by which its person lives.
struct RecordClock {
    /// By whose clock all people live; nil for each time's own offset.
    private let zone: ZoneTable?
    private var interval = 0
    private var awayFromUTC = 0

    /// The first instant of 2100 in microseconds since 1970.
    private static let end: Int64 = 4_102_444_800_000_000

    /// - Parameter zone: a name that the zone database knows.
    init(zone: String?) {
        self.zone = zone.map { name in
            guard
                let table = ScenarioClock(startUnixMicroseconds: 0).zoneTable(
                    name, until: Instant(microseconds: Self.end))
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

    /// A time in microseconds since 1970, with the clock's offset in seconds.
    ///
    /// - Parameters:
    ///   - bytes: those of the text.
    ///   - text: with quotes taken out.
    mutating func read<Bytes: RandomAccessCollection<UInt8>>(
        _ bytes: Bytes, column: Int, text: () -> String
    ) throws(LineFault) -> (unix: Int64, offset: Int32)
    where Bytes.Index == Int, Bytes.SubSequence: RandomAccessCollection<UInt8>, Bytes.SubSequence.Index == Int {
        func fault(_ expected: String, _ found: String) -> LineFault {
            LineFault(column: column, expected: expected, found: found)
        }
        var unix: Int64
        var offset = 0
        if let (microseconds, ahead) = CalendarText.instant(bytes) {
            (unix, offset) = (microseconds, ahead)
        } else {
            let text = text()
            guard case .success(let seconds) = DecimalText.read(text),
                let microseconds = seconds.whole(timesTenTo: 6) ?? Self.rounded(text)
            else {
                let isLocal = CalendarText.localDateTime(Substring(text)) != nil
                throw fault(
                    "a time such as 2026-03-02T07:00:00+01:00, or seconds since 1970",
                    isLocal ? "\(RawNode.quoted(text)) without an offset from UTC" : RawNode.quoted(text))
            }
            guard zone != nil else {
                throw fault("--zone with seconds since 1970, for the local clock", RawNode.quoted(text))
            }
            unix = microseconds
        }
        guard unix >= 0, unix < Self.end else {
            let isThousandfold = unix / 1_000 > 0 && unix / 1_000 < Self.end && unix / 1_000 > 86_400_000_000 * 365
            throw fault(
                "a time from 1970 to 2099",
                RawNode.quoted(text()) + (isThousandfold ? ", which may be milliseconds" : ""))
        }
        if let zone {
            let instant = Instant(microseconds: unix)
            let intervals = zone.intervals
            if instant < intervals[interval].from
                || (interval + 1 < intervals.count && instant >= intervals[interval + 1].from)
            {
                interval = zone.intervalIndex(at: instant)
            }
            offset = Int(intervals[interval].offsetSeconds)
        }
        if offset != 0 { awayFromUTC += 1 }
        return (unix, Int32(offset))
    }

    /// Seconds with more than six decimals, to the microsecond.
    private static func rounded(_ text: String) -> Int64? {
        guard let value = Double(text), value.magnitude < 1e12 else { return nil }
        return Int64(cutting: (value * 1e6).rounded())
    }
}
