import Basics

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
