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
    /// The largest window, the earliest of several; nil without windows.
    let largest: WindowLoad.Peak?
    /// How many windows have each number of requests that one has, in ascending order.
    let frequencies: [(requests: Int64, windows: Int)]

    private enum Windows {
        /// Seconds, which are the most, and no second has more requests than a word holds.
        case seconds([UInt32])
        case all([Int64])
        /// Those with requests, in ascending order.
        case filled([Filled])

        /// Calls `body` with windows in ascending order; some without requests may be left out.
        @inline(__always)
        func forEach(_ body: (_ window: Int, _ count: Int64) -> Void) {
            switch self {
            case .seconds(let counts): for (window, count) in counts.enumerated() { body(window, Int64(count)) }
            case .all(let counts): for (window, count) in counts.enumerated() { body(window, count) }
            case .filled(let filled): for (window, requests) in filled { body(window, requests) }
            }
        }

        func frequencies(of count: Int, most: Int64) -> [(requests: Int64, windows: Int)] {
            var told = 0
            var found: [(requests: Int64, windows: Int)] = []
            func add(_ requests: Int64, _ windows: Int) {
                if let last = found.indices.last, found[last].requests == requests {
                    found[last].windows += windows
                } else if windows > 0 {
                    found.append((requests, windows))
                }
            }
            // Counts are mostly far fewer than windows; a table of how often there is each takes no sorting.
            if most <= 64 + 16 * Int64(count) {
                var windows = [Int](repeating: 0, count: Int(most) + 1)
                forEach {
                    windows[Int($1)] += 1
                    told += 1
                }
                windows[0] += count - told
                for (requests, windows) in windows.enumerated() { add(Int64(requests), windows) }
                return found
            }
            var all: [Int64] = []
            forEach { all.append($1) }
            add(0, count - all.count)
            for requests in all.sorted() { add(requests, 1) }
            return found
        }
    }
    private typealias Filled = (window: Int, requests: Int64)

    /// The windows of each width, in the order of `LoadWindow.allCases`.
    static func all(of tenths: TenthCounts) -> [AlignedCounts] {
        LoadWindow.allCases.reduce(into: []) { found, width in
            found.append(
                found.last.map { AlignedCounts(width.tenths, of: $0) } ?? AlignedCounts(width.tenths, of: tenths))
        }
    }

    private init(_ width: Int, of tenths: TenthCounts) {
        let count = tenths.count / width
        switch tenths {
        case .all(let tenths):
            self.init(width, count, .seconds(Self.sums(count, of: width) { Int64(tenths[$0]) }))
        case .filled(let filled, _):
            self.init(
                width, count, .filled(Self.sums(count, of: width, filled.lazy.map { ($0.tenth, $0.requests) })))
        }
    }

    private init(_ width: Int, of smaller: AlignedCounts) {
        precondition(width % smaller.width == 0, "windows of \(width) tenths from those of \(smaller.width)")
        let parts = width / smaller.width
        let count = smaller.count / parts
        switch smaller.windows {
        case .seconds(let counts): self.init(width, count, .all(Self.sums(count, of: parts) { Int64(counts[$0]) }))
        case .all(let counts): self.init(width, count, .all(Self.sums(count, of: parts) { counts[$0] }))
        case .filled(let filled): self.init(width, count, .filled(Self.sums(count, of: parts, filled.lazy.map { $0 })))
        }
    }

    private init(_ width: Int, _ count: Int, _ windows: Windows) {
        (self.width, self.count, self.windows) = (width, count, windows)
        var best = WindowLoad.Peak(requests: 0, start: 0)
        windows.forEach { if $1 > best.requests { best = WindowLoad.Peak(requests: $1, start: $0 * width) } }
        largest = count == 0 ? nil : best
        frequencies = windows.frequencies(of: count, most: best.requests)
    }

    @inline(__always)
    private static func sums<Sum: FixedWidthInteger>(_ count: Int, of parts: Int, _ part: (Int) -> Int64) -> [Sum] {
        (0..<count).map { window in
            var sum: Int64 = 0
            for i in window &* parts..<(window &+ 1) &* parts { sum &+= part(i) }
            return Sum(sum)
        }
    }

    private static func sums(_ count: Int, of parts: Int, _ filled: some Sequence<(Int, Int64)>) -> [Filled] {
        var sums: [Filled] = []
        for (place, requests) in filled {
            let window = place / parts
            if window >= count { break }
            if let last = sums.indices.last, sums[last].window == window {
                sums[last].requests += requests
            } else {
                sums.append((window, requests))
            }
        }
        return sums
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
        if count == 0 { return ranks.map { _ in nil } }
        var (place, below) = (0, frequencies[0].windows)
        return ranks.map { rank in
            while below < max(1, rank) {
                place += 1
                below += frequencies[place].windows
            }
            return frequencies[place].requests
        }
    }
}
