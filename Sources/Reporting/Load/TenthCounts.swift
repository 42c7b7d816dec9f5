import Statistics

/// The requests of each tenth of a second of a report, at one endpoint or at several together.
///
/// A small fleet leaves nearly all tenths empty: those with requests are a list then, and no pass over the others is
/// needed.
enum TenthCounts {
    case all(UnsafeBufferPointer<UInt32>)
    /// Those with requests, in ascending order, of so many.
    case filled([FilledTenth], of: Int)

    /// A list with more than one in so many tenths would be slower than all of them.
    private static let fewestForEach = 64

    var count: Int {
        switch self {
        case .all(let tenths): tenths.count
        case .filled(_, let count): count
        }
    }

    /// All requests of the report.
    var requests: Int64 {
        switch self {
        case .all(let tenths): tenths.reduce(0) { $0 + Int64($1) }
        case .filled(let filled, _): filled.reduce(0) { $0 + $1.requests }
        }
    }

    /// Calls `body` with those of some endpoints of a curve together.
    static func with<Result>(_ endpoints: [Int], of load: LoadCurve, _ body: (TenthCounts) -> Result) -> Result {
        let count = load.minutes * LoadCurve.tenthsPerMinute
        if let filled = filled(endpoints, of: load, most: count / fewestForEach) {
            return body(.filled(filled, of: count))
        }
        if endpoints.count == 1 { return body(.all(load.tenths(of: endpoints[0]))) }
        var sum = [UInt32](repeating: 0, count: count)
        for endpoint in endpoints {
            let tenths = load.tenths(of: endpoint)
            for t in sum.indices { sum[t] += tenths[t] }
        }
        return sum.withUnsafeBufferPointer { body(.all($0)) }
    }

    private static func filled(_ endpoints: [Int], of load: LoadCurve, most: Int) -> [FilledTenth]? {
        var all: [FilledTenth] = []
        for endpoint in endpoints {
            guard let its = load.filledTenths(of: endpoint, most: most - all.count) else { return nil }
            all += its
        }
        if endpoints.count == 1 { return all }
        all.sort { $0.tenth < $1.tenth }
        var sum: [FilledTenth] = []
        for one in all {
            if let last = sum.last, last.tenth == one.tenth {
                sum[sum.count - 1].requests += one.requests
            } else {
                sum.append(one)
            }
        }
        return sum
    }

    /// The largest window of a width that begins at any tenth, the earliest of several; nil if the report is shorter.
    func largestSliding(_ width: Int) -> WindowLoad.Peak? {
        if count < width { return nil }
        switch self {
        case .all(let tenths): return Self.largestSliding(width, tenths)
        case .filled(let filled, _): return Self.largestSliding(width, filled)
        }
    }

    private static func largestSliding(_ width: Int, _ tenths: UnsafeBufferPointer<UInt32>) -> WindowLoad.Peak {
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
        return WindowLoad.Peak(requests: best, start: start)
    }

    /// A window grows only where it reaches a tenth with requests, so no other ends are tried.
    private static func largestSliding(_ width: Int, _ filled: [FilledTenth]) -> WindowLoad.Peak {
        var best = WindowLoad.Peak(requests: 0, start: 0)
        var count: Int64 = 0
        var first = 0
        for one in filled {
            count += one.requests
            while filled[first].tenth <= one.tenth - width {
                count -= filled[first].requests
                first += 1
            }
            if count > best.requests { best = WindowLoad.Peak(requests: count, start: max(0, one.tenth - width + 1)) }
        }
        return best
    }
}

/// The requests of aligned windows, added up as they are asked for: a list of them would take a fifth of the
/// curve's own memory.
struct AlignedCounts {
    let width: Int
    let tenths: TenthCounts

    /// All windows.
    var count: Int { tenths.count / width }

    /// Calls `body` with windows in ascending order; some without requests may be left out.
    @inline(__always)
    func forEach(_ body: (_ window: Int, _ count: Int64) -> Void) {
        switch tenths {
        case .all(let tenths):
            for window in 0..<count {
                var sum: Int64 = 0
                for i in window * width..<(window + 1) * width { sum += Int64(tenths[i]) }
                body(window, sum)
            }
        case .filled(let filled, _):
            var next = 0
            while next < filled.count {
                let window = filled[next].tenth / width
                if window >= count { return }
                var sum: Int64 = 0
                while next < filled.count, filled[next].tenth < (window + 1) * width {
                    sum += filled[next].requests
                    next += 1
                }
                body(window, sum)
            }
        }
    }

    /// The counts of ascending ranks, the smallest count having rank 1 (nearest rank); nil without windows.
    ///
    /// - Parameter most: the largest count.
    func ranked(_ ranks: [Int], most: Int64) -> [Int64?] {
        if count == 0 { return ranks.map { _ in nil } }
        // Counts are mostly far fewer than windows; a table of how often there is each takes no sorting.
        guard most <= 65_536 + Int64(count / 4) else {
            var all: [Int64] = []
            forEach { all.append($1) }
            all += repeatElement(0, count: count - all.count)
            all.sort()
            return ranks.map { all[max(1, $0) - 1] }
        }
        var windows = [Int](repeating: 0, count: Int(most) + 1)
        var told = 0
        forEach {
            windows[Int($1)] += 1
            told += 1
        }
        windows[0] += count - told
        var value = 0
        var below = windows[0]
        return ranks.map { rank in
            while below < max(1, rank) {
                value += 1
                below += windows[value]
            }
            return Int64(value)
        }
    }
}
