import Basics

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
