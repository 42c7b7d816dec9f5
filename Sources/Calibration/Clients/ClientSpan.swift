import Basics

/// The whole days of a log, by the time of day at which a scenario starts.
package struct ClientSpan: Hashable, Sendable {
    /// The first day's beginning, in microseconds since 1970.
    package let from: Int64
    package let days: Int

    private static let day: Int64 = 86_400_000_000
    /// A day of which no more than this is missing is whole: nobody asks at once.
    private static let slack: Int64 = 3_600_000_000
    /// A week shows its free days, and more than these days take long to simulate.
    static let fewest = 3
    static let most = 62

    /// - Parameter start: of the scenario.
    /// - Returns: nil if no day of the span is whole.
    init?(_ span: ClosedRange<Int64>, startingAt start: Int64) {
        func beginning(before time: Int64) -> Int64 {
            let since = (time - start) % Self.day
            return time - (since < 0 ? since + Self.day : since)
        }
        let first = beginning(before: span.lowerBound + Self.day - Self.slack - 1)
        let last = beginning(before: span.upperBound + Self.slack)
        guard last > first else { return nil }
        from = first
        days = min(Self.most, Int((last - first) / Self.day))
    }

    /// The overrides that make a scenario begin with these days and end with them.
    var overrides: [String] {
        let start = LocalTime(localMicroseconds: from)
        return [
            "start=\(TimeText.date(start.date))T\(TimeText.clock(start.clock).prefix(8))Z", "warmup=0s",
            "duration=\(days)d",
        ]
    }

    /// The requests of each client that has some in these days, in microseconds after their beginning.
    func clients(of log: ClientLog) -> (times: [Int64], bounds: [Int]) {
        var times: [Int64] = []
        times.reserveCapacity(log.times.count)
        var bounds = [0]
        let length = Int64(days) * Self.day
        for client in 0..<log.clients {
            for time in log.times[log.bounds[client]..<log.bounds[client + 1]]
            where time >= from && time - from < length {
                times.append(time - from)
            }
            if times.count > bounds[bounds.count - 1] { bounds.append(times.count) }
        }
        return (times, bounds)
    }
}
