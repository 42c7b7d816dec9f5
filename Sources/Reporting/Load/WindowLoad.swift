import Measures
import SimulatedTime

/// The requests in windows of one width over the reported span: the largest window, and the spread of all aligned ones.
///
/// Sliding windows begin at any tenth of a second, aligned ones at multiples of their width from the start of the report. Only windows that lie in the
/// span as a whole count; a span shorter than the width has none. All figures come from integers.
struct WindowLoad: Sendable {
    struct Peak: Hashable, Sendable {
        let requests: Int64
        /// Tenths of a second from the start of the report. The earliest of several largest.
        let start: Int
    }

    let width: LoadWindow
    let sliding, aligned: Peak?
    /// Of the aligned windows: how many there are, the sum of their requests and of their squares.
    let windows: Int
    private let sum, squares: Int128
    /// The smallest number of requests that this share of the aligned windows does not exceed; nil without windows.
    let median, p99, p999: Int64?

    init(_ width: LoadWindow, of tenths: UnsafeBufferPointer<UInt32>) {
        self.width = width
        sliding = Self.largestSliding(width.tenths, tenths)
        var counts: [Int64] = []
        counts.reserveCapacity(tenths.count / width.tenths)
        var at = 0
        while at + width.tenths <= tenths.count {
            var count: Int64 = 0
            for i in at..<at + width.tenths { count += Int64(tenths[i]) }
            counts.append(count)
            at += width.tenths
        }
        windows = counts.count
        var best: Peak?
        var sum: Int128 = 0
        var squares: Int128 = 0
        for (i, count) in counts.enumerated() {
            if best.map({ count > $0.requests }) ?? true { best = Peak(requests: count, start: i * width.tenths) }
            sum += Int128(count)
            squares += Int128(count) * Int128(count)
        }
        aligned = best
        self.sum = sum
        self.squares = squares
        let ranked = RankedCounts(counts)
        median = ranked.quantile(permille: 500)
        p99 = ranked.quantile(permille: 990)
        p999 = ranked.quantile(permille: 999)
    }

    /// Requests in an aligned window; nil without windows.
    var mean: Double? { windows == 0 ? nil : Double(sum) / Double(windows) }

    /// The largest aligned window over the mean one; nil without requests.
    var peakToMean: Double? {
        guard let aligned, sum > 0 else { return nil }
        return Double(Int128(aligned.requests) * Int128(windows)) / Double(sum)
    }

    /// The index of dispersion: variance over mean of the aligned windows, 1 for requests at random; nil without requests.
    var dispersion: Double? {
        if sum == 0 { return nil }
        let n = Int128(windows)
        return Double(n * squares - sum * sum) / Double(n * sum)
    }

    private static func largestSliding(_ width: Int, _ tenths: UnsafeBufferPointer<UInt32>) -> Peak? {
        if tenths.count < width { return nil }
        var count: Int64 = 0
        for i in 0..<width { count += Int64(tenths[i]) }
        var best = count
        var start = 0
        for end in width..<tenths.count {
            count += Int64(tenths[end]) - Int64(tenths[end - width])
            if count > best {
                best = count
                start = end - width + 1
            }
        }
        return Peak(requests: best, start: start)
    }
}

/// The widths of the windows in which peaks are sought.
package enum LoadWindow: CaseIterable, Sendable {
    case second, tenSeconds, minute, fiveMinutes, hour

    package var seconds: Int {
        switch self {
        case .second: 1
        case .tenSeconds: 10
        case .minute: 60
        case .fiveMinutes: 300
        case .hour: 3_600
        }
    }

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

/// Counts in ascending order.
private struct RankedCounts {
    private let ascending: [Int64]

    init(_ counts: [Int64]) { ascending = counts.sorted() }

    /// The smallest count that at least so many thousandths of all do not exceed (nearest rank).
    func quantile(permille: Int) -> Int64? {
        if ascending.isEmpty { return nil }
        let rank = (ascending.count * permille + 999) / 1_000
        return ascending[max(1, rank) - 1]
    }
}
