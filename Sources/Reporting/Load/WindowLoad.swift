import Basics
import Statistics

/// The requests in windows of one width over the reported span: the largest window, and the spread of all aligned ones.
///
/// Sliding windows begin at any tenth of a second, aligned ones at multiples of their width from the start of the
/// report. Only windows that lie in the span as a whole count; a span shorter than the width has none. All figures come
/// from integers.
struct WindowLoad: Sendable {
    struct Peak: Hashable, Sendable {
        let requests: Int64
        /// Tenths of a second from the start of the report. The earliest of several largest.
        let start: Int
    }

    let width: LoadWindow
    let sliding, aligned: Peak?
    /// The aligned windows: how many there are, the sum of their requests and of their squares.
    let windows: Int
    private let sum, squares: Int128
    /// The smallest number of requests that this share of the aligned windows does not exceed; nil without windows.
    let median, p99, p999: Int64?
    /// The largest sliding window in another draw of the fleet; of all requests together alone, and only where people
    /// are drawn independently.
    var redraw: LoadRedraw?
    /// Its largest sliding window in a draw of the people stood for; nil if that are they themselves, and where the
    /// requests do not grow with people in each window: pushes to channels, or at a rate beside pushes one by one.
    var represented: LoadRedraw?
    /// Its median, which is known without a range where the seed draws what all people share.
    var representedMedian: Int64?

    /// The windows of every width.
    static func all(of tenths: TenthCounts, _ aligned: [AlignedCounts]) -> [WindowLoad] {
        zip(LoadWindow.allCases, aligned).map { width, counts in
            WindowLoad(width, counts, sliding: tenths.largestSliding(width, aligned))
        }
    }

    private init(_ width: LoadWindow, _ counts: AlignedCounts, sliding: Peak?) {
        self.width = width
        self.sliding = sliding
        windows = counts.count
        var sum: Int128 = 0
        var squares: Int128 = 0
        for (requests, windows) in counts.frequencies {
            sum += Int128(requests) * Int128(windows)
            squares += Int128(requests) * Int128(requests) * Int128(windows)
        }
        aligned = counts.largest
        self.sum = sum
        self.squares = squares
        let ranked = counts.ranked([500, 990, 999].map { (counts.count * $0 + 999) / 1_000 })
        (median, p99, p999) = (ranked[0], ranked[1], ranked[2])
    }

    /// The requests of all aligned windows.
    var requests: Int64 { Int64(sum) }

    /// Requests in an aligned window; nil without windows.
    var mean: Double? { Ratio.of(sum, to: windows) }

    /// The largest aligned window over the mean one; nil without requests.
    var peakToMean: Double? {
        aligned.flatMap { Ratio.of(Int128($0.requests) * Int128(windows), to: sum) }
    }

    /// The index of dispersion: variance over mean of the aligned windows, 1 for requests at random; nil without
    /// requests.
    var dispersion: Double? {
        Ratio.of(Int128(windows) * squares - sum * sum, to: Int128(windows) * sum)
    }
}

/// The widths of the windows in which peaks are sought.
package enum LoadWindow: Int, CaseIterable, Sendable {
    case second = 1
    case tenSeconds = 10
    case minute = 60
    case fiveMinutes = 300
    case hour = 3_600

    package var seconds: Int { rawValue }

    /// As metrics name it.
    package var name: String {
        switch self {
        case .second: "1s"
        case .tenSeconds: "10s"
        case .minute: "1m"
        case .fiveMinutes: "5m"
        case .hour: "1h"
        }
    }

    var tenths: Int { seconds * 10 }
}

/// The largest sliding window of a width at the edge, all endpoints together, as a person is told of it.
package struct LargestWindow: Hashable, Sendable {
    package let seconds: Int
    package let requests: Int64
    /// Its beginning, on the clock of the report's zone.
    package let start: LocalTime
    /// The cause of most of the requests in its minutes, and its share; nil without requests.
    package let cause: String?
    package let share: Double?
    /// The range of another draw of the fleet; nil where people are not drawn independently.
    package let redraw: LoadRedraw?
    /// The range of a draw of all people that those of the run stand for; nil if that are they themselves.
    package let represented: LoadRedraw?
}

extension RunReport {
    /// The largest sliding window of a width at the edge or at the origin, all endpoints together: its requests, and
    /// its start in tenths of a second from the start of the report; nil if the report is shorter.
    package func largestWindow(_ width: LoadWindow, atOrigin: Bool) -> (requests: Int64, start: Int)? {
        (atOrigin ? origin : edge).analysis.all[width].sliding.map { ($0.requests, $0.start) }
    }

    /// The largest windows of a second, a minute and an hour, as far as the report is as long.
    package var largestWindows: [LargestWindow] {
        let plan = result.scenario.plan
        return [LoadWindow.second, .minute, .hour].compactMap { width in
            let load = edge.analysis.all[width]
            guard let peak = load.sliding else { return nil }
            let top = causes(of: load, edge, edge.analysis.all).first
            let start = Instant.start + plan.warmup + .milliseconds(Int64(peak.start) * 100)
            return LargestWindow(
                seconds: width.seconds, requests: peak.requests,
                start: result.scenario.report.zone.localTime(at: start), cause: top?.cause,
                share: top?.share, redraw: load.redraw, represented: load.represented)
        }
    }
}

/// The load-duration curve: how many of the busiest aligned windows of a width bring at least so many requests.
struct LoadDuration: Sendable {
    struct Point: Hashable, Sendable {
        /// The windows with most requests, so many.
        let windows: Int
        /// The least of any of them.
        let requests: Int64
    }

    let width: LoadWindow
    /// All aligned windows of the report.
    let windows: Int
    /// From the one busiest window to all of them.
    let points: [Point]

    init(_ width: LoadWindow, _ counts: AlignedCounts) {
        self.width = width
        windows = counts.count
        let ranks = Self.ranks(of: counts.count)
        // The busiest windows are those of the highest ranks.
        let ranked = counts.ranked(ranks.reversed().map { counts.count - $0 + 1 })
        points = zip(ranks, ranked.reversed()).map { Point(windows: $0, requests: $1!) }
    }

    /// Where the curve is told: at 1, 2, 3, 5 and 7 windows and their tens, and at every hundredth of all.
    private static func ranks(of count: Int) -> [Int] {
        if count == 0 { return [] }
        var ranks: Set<Int> = []
        var unit = 1
        while unit <= count {
            for step in [1, 2, 3, 5, 7] where step * unit <= count { ranks.insert(step * unit) }
            unit *= 10
        }
        for percent in 1...100 { ranks.insert((count * percent + 99) / 100) }
        return ranks.sorted()
    }
}

extension RunReport {
    /// The mean number of requests a second at the edge in each of some equal parts of the day by UTC; nil for a part
    /// in which nothing is reported.
    ///
    /// - Parameter parts: a divisor of 1,440.
    package func dayLoad(parts: Int) -> [Double?] {
        precondition(parts > 0 && 1_440 % parts == 0, "\(parts) parts of a day")
        let load = edge.curve
        let plan = result.scenario.plan
        let first = plan.clock.unixMicroseconds(of: .start + plan.warmup) / 60_000_000
        func part(of minute: Int) -> Int { Int(((first + Int64(minute)) % 1_440 + 1_440) % 1_440) * parts / 1_440 }
        var requests = [Int64](repeating: 0, count: parts)
        var minutes = requests
        for minute in 0..<load.minutes { minutes[part(of: minute)] += 1 }
        for endpoint in 0..<load.endpoints {
            for region in 0..<load.regions {
                for cause in 0..<load.causes {
                    for (minute, count) in load.minutes(of: endpoint, region: region, cause: cause).enumerated()
                    where count > 0 {
                        requests[part(of: minute)] += Int64(count)
                    }
                }
            }
        }
        return zip(requests, minutes).map { $1 == 0 ? nil : Double($0) / Double($1 * 60) }
    }
}
