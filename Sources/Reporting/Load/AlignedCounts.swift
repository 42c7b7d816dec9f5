import Statistics

/// The requests of the aligned windows of one width: those that begin at multiples of the width from the start of the
/// report and lie in it as a whole.
///
/// Windows of each width are added up from those of a smaller one, so that the tenths of a second are read once.
struct AlignedCounts {
    /// Tenths of a second.
    let width: Int
    /// All windows.
    let count: Int
    private let windows: Windows

    private enum Windows {
        /// Seconds, which are the most, and no second has more requests than a word holds.
        case seconds([UInt32])
        case all([Int64])
        /// Those with requests, in ascending order.
        case filled([(window: Int, requests: Int64)])
    }

    /// The windows of each width, in the order of `LoadWindow.allCases`.
    static func all(of tenths: TenthCounts) -> [AlignedCounts] {
        LoadWindow.allCases.reduce(into: []) { found, width in
            found.append(
                found.last.map { AlignedCounts(width.tenths, of: $0) } ?? AlignedCounts(width.tenths, of: tenths))
        }
    }

    private init(_ width: Int, of tenths: TenthCounts) {
        self.width = width
        count = tenths.count / width
        switch tenths {
        case .all(let tenths):
            windows = .seconds(Self.sums(count, of: width) { Int64(tenths[$0]) })
        case .filled(let filled, _):
            windows = .filled(Self.sums(count, of: width, filled.lazy.map { ($0.tenth, $0.requests) }))
        }
    }

    private init(_ width: Int, of smaller: AlignedCounts) {
        precondition(width % smaller.width == 0, "windows of \(width) tenths from those of \(smaller.width)")
        self.width = width
        let parts = width / smaller.width
        count = smaller.count / parts
        switch smaller.windows {
        case .seconds(let counts): windows = .all(Self.sums(count, of: parts) { Int64(counts[$0]) })
        case .all(let counts): windows = .all(Self.sums(count, of: parts) { counts[$0] })
        case .filled(let filled): windows = .filled(Self.sums(count, of: parts, filled))
        }
    }

    private static func sums<Sum: FixedWidthInteger>(
        _ count: Int, of parts: Int, _ part: (Int) -> Int64
    ) -> [Sum] {
        (0..<count).map { window in
            var sum: Int64 = 0
            for i in window * parts..<(window + 1) * parts { sum += part(i) }
            return Sum(sum)
        }
    }

    private static func sums(_ count: Int, of parts: Int, _ filled: some Sequence<(Int, Int64)>) -> [(Int, Int64)] {
        var sums: [(Int, Int64)] = []
        for (place, requests) in filled {
            let window = place / parts
            if window >= count { break }
            if let last = sums.indices.last, sums[last].0 == window {
                sums[last].1 += requests
            } else {
                sums.append((window, requests))
            }
        }
        return sums
    }

    /// Calls `body` with windows in ascending order; some without requests may be left out.
    @inline(__always)
    func forEach(_ body: (_ window: Int, _ count: Int64) -> Void) {
        switch windows {
        case .seconds(let counts): for (window, count) in counts.enumerated() { body(window, Int64(count)) }
        case .all(let counts): for (window, count) in counts.enumerated() { body(window, count) }
        case .filled(let filled): for (window, requests) in filled { body(window, requests) }
        }
    }

    /// The largest window, the earliest of several; nil without windows.
    var largest: WindowLoad.Peak? {
        if count == 0 { return nil }
        var best = WindowLoad.Peak(requests: 0, start: 0)
        forEach { if $1 > best.requests { best = WindowLoad.Peak(requests: $1, start: $0 * width) } }
        return best
    }

    /// Calls `body` with each window in which a longer one could begin that holds more than `least` requests, as far as
    /// these counts tell, in ascending order, with the sum of the longer one that begins with it. `body` gives what is
    /// least from then on. Only where all windows are there, and they fill the report.
    ///
    /// - Parameter length: of the longer window, a multiple of this width.
    func forEachStart(
        ofMoreThan least: Int64, length: Int, _ body: (_ window: Int, _ requests: Int64) -> Int64
    ) {
        switch windows {
        case .seconds(let counts): Self.forEachStart(count, length / width, least, { Int64(counts[$0]) }, body)
        case .all(let counts): Self.forEachStart(count, length / width, least, { counts[$0] }, body)
        case .filled: preconditionFailure("windows that are left out")
        }
    }

    @inline(__always)
    private static func forEachStart(
        _ count: Int, _ parts: Int, _ least: Int64, _ part: (Int) -> Int64,
        _ body: (_ window: Int, _ requests: Int64) -> Int64
    ) {
        if count < parts { return }
        var least = least
        var sum = (0..<parts).reduce(0) { $0 + part($1) }
        for window in 0...count - parts {
            let next = window + parts < count ? part(window + parts) : 0
            // Whatever begins in this window ends in the one after the last.
            if sum + next > least { least = body(window, sum) }
            sum += next - part(window)
        }
    }

    /// The counts of ascending ranks, the smallest count having rank 1 (nearest rank); nil without windows.
    func ranked(_ ranks: [Int]) -> [Int64?] {
        guard let most = largest?.requests else { return ranks.map { _ in nil } }
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
