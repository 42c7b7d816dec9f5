import Basics
import ScenarioFiles

/// Requests by the minute, from the first minute to the last one: of a span that was checked, because every minute of
/// it takes memory.
package struct MinuteCounts: Sendable {
    /// The first minute, since 1970-01-01T00:00Z.
    package let first: Int64
    /// One for each minute, those without requests too.
    package let counts: [Int64]
    /// The minutes between which nothing is known of their own: 1 for requests, and 60 for a table of hours.
    package var step = 1

    /// - Parameters:
    ///   - counts: by the minute since 1970; at least one.
    ///   - span: the minutes that are covered, if they are known; otherwise from the first one with a request to the
    ///     last one.
    package init(_ counts: [Int64: Int64], span: Range<Int64>? = nil) {
        let minutes = counts.keys.sorted()
        let covered = span ?? (minutes.first ?? 0)..<((minutes.last ?? 0) + 1)
        first = covered.lowerBound
        self.counts = covered.map { counts[$0] ?? 0 }
    }

    package var total: Int64 { counts.reduce(0, +) }
    /// Minutes since 1970, the last one not included.
    package var span: Range<Int64> { first..<(first + Int64(counts.count)) }

    /// For each minute of the local day, whether it is covered.
    func coverage(by clock: MinuteClock) -> [Bool] {
        var covered = Array(repeating: false, count: 1_440)
        // A day on which the clock is put forward lacks an hour that the next one has.
        for minute in span.prefix(2 * 1_440) { covered[clock.ofDay(minute)] = true }
        return covered
    }

    /// The longest run of minutes without a request: the first of them, and how many.
    var longestGap: (from: Int64, length: Int)? {
        var (best, length): ((from: Int64, length: Int)?, Int) = (nil, 0)
        for (index, count) in counts.enumerated() {
            length = count == 0 ? length + 1 : 0
            if length > (best?.length ?? 0) { best = (first + Int64(index - length + 1), length) }
        }
        return best
    }

    /// A minute since 1970 as `2026-03-08T07:00Z`.
    func text(_ minute: Int64) -> String { Self.text(minute) }

    static func text(_ minute: Int64) -> String {
        let local = LocalTime(localMicroseconds: minute * 60_000_000)
        return TimeText.date(local.date) + "T" + String(TimeText.clock(local.clock).prefix(5)) + "Z"
    }
}

/// The local clock by which minutes since 1970 are told: that of a run's report.
package struct MinuteClock: Sendable {
    private let zone: ZoneTable
    /// The minute since 1970 from which the table's instants count.
    private let first: Int64

    package static let utc = MinuteClock(
        zone: ScenarioClock(startUnixMicroseconds: 0).fixedZone(offsetSeconds: 0), first: 0)

    private init(zone: ZoneTable, first: Int64) { (self.zone, self.first) = (zone, first) }

    /// - Parameters:
    ///   - name: of a zone, or of a clock that is always so far from UTC, such as `UTC-05:00`.
    ///   - span: the minutes that are told by it.
    /// - Returns: nil for an unknown zone.
    package init?(_ name: String, over span: Range<Int64>) {
        let clock = ScenarioClock(startUnixMicroseconds: span.lowerBound * 60_000_000)
        let offset = name.hasPrefix("UTC") ? CalendarText.instant("1970-01-01T00:00" + name.dropFirst(3))?.offset : nil
        guard
            let zone = offset.map({ clock.fixedZone(offsetSeconds: $0) })
                ?? clock.zoneTable(name, until: .start + .minutes(Int64(span.count)))
        else { return nil }
        self.init(zone: zone, first: span.lowerBound)
    }

    package var name: String { zone.name }

    private func instant(_ minute: Int64) -> Instant { .start + .minutes(minute - first) }

    /// The minute of its day of a minute since 1970.
    func ofDay(_ minute: Int64) -> Int {
        Int(zone.localTime(at: instant(minute)).clock.microseconds / 60_000_000)
    }

    /// A minute since 1970 as `2026-03-08T07:00-05:00`.
    package func text(_ minute: Int64) -> String {
        let whole = TimeText.iso(instant(minute), in: zone)
        // Without the seconds, which are none.
        return String(whole.prefix(16) + whole.dropFirst(19))
    }
}

/// The requests of logs by the minute, in as much memory as a run's span and a year take, whatever times the logs have.
struct LoggedMinutes {
    /// Minutes of the run.
    private let span: Range<Int64>
    private var inside: [Int64: Int64] = [:]
    /// Empty once they are too far apart to be of one log.
    private var outside: [Int64: Int64] = [:]
    private var requestsOutside: Int64 = 0
    /// The first and the last minute outside of the run, and where the last of them stands.
    private var first = Int64.max
    private var last = Int64.min
    private var lastPlace = (file: "", line: 0)

    /// A log of other days than the run's is no longer than this.
    private static let longest: Int64 = 366 * 1_440

    init(span: Range<Int64>) { self.span = span }

    /// - Parameters:
    ///   - place: the file and the line of the request.
    ///   - count: how many there are.
    mutating func add(_ minute: Int64, at place: (file: String, line: Int), count: Int64 = 1) {
        if span.contains(minute) {
            inside[minute, default: 0] += count
            return
        }
        requestsOutside += count
        if minute < first || minute > last { lastPlace = place }
        (first, last) = (min(first, minute), max(last, minute))
        if last - first < Self.longest { outside[minute, default: 0] += count } else { outside = [:] }
    }

    /// The minutes of the run where the log has requests in them, and otherwise all.
    ///
    /// - Parameter notes: gets a sentence about requests that are left out.
    /// - Throws: a problem if they are of other days than the run's and further apart than a log's.
    func minutes(notes: inout [String]) throws(RecordProblems) -> MinuteCounts {
        if !inside.isEmpty {
            if requestsOutside > 0 {
                notes.append("\(FigureText.counted(requestsOutside, "request")) outside of the run's span left out")
            }
            return MinuteCounts(inside)
        }
        guard last - first < Self.longest else {
            var faults = LineFaults(file: lastPlace.file)
            try faults.fail(
                LineFault(
                    expected: "requests in the run's span, or a log of at most 366 days",
                    found:
                        "\(FigureText.counted(requestsOutside, "request")) from \(MinuteCounts.text(first)) to \(MinuteCounts.text(last))"
                ),
                line: lastPlace.line)
        }
        return MinuteCounts(outside)
    }
}
