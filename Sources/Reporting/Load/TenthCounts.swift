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
    private static let fewestForEach = 8

    var count: Int {
        switch self {
        case .all(let tenths): tenths.count
        case .filled(_, let count): count
        }
    }

    /// Calls `body` with those of some endpoints of a curve together.
    static func with<Result>(_ endpoints: [Int], of load: LoadCurve, _ body: (TenthCounts) -> Result) -> Result {
        let count = load.minutes * LoadCurve.tenthsPerMinute
        if let filled = filled(endpoints, of: load, most: count / fewestForEach) {
            return body(.filled(filled, of: count))
        }
        return withAll(endpoints, of: load, body)
    }

    /// Calls `body` with all tenths of some endpoints of a curve together.
    static func withAll<Result>(_ endpoints: [Int], of load: LoadCurve, _ body: (TenthCounts) -> Result) -> Result {
        let count = load.minutes * LoadCurve.tenthsPerMinute
        if endpoints.count == 1 { return body(.all(load.tenths(of: endpoints[0]))) }
        var sum = [UInt32](repeating: 0, count: count)
        for endpoint in endpoints {
            let tenths = load.tenths(of: endpoint)
            sum.withUnsafeMutableBufferPointer { sum in
                var overflow: UInt32 = 0
                for t in 0..<count {
                    let (one, other) = (sum[t], tenths[t])
                    sum[t] = one &+ other
                    // The carry out of the leading bit, without a branch.
                    overflow |= one & other | (one | other) & ~sum[t]
                }
                precondition(overflow >> 31 == 0, "more requests in a tenth of a second than it has room for")
            }
        }
        return sum.withUnsafeBufferPointer { body(.all($0)) }
    }

    private static func filled(_ endpoints: [Int], of load: LoadCurve, most: Int) -> [FilledTenth]? {
        var sum: [FilledTenth] = []
        for endpoint in endpoints {
            guard let its = load.filledTenths(of: endpoint, most: most) else { return nil }
            sum = merged(sum, its)
            if sum.count > most { return nil }
        }
        return sum
    }

    /// These and those of another endpoint of the curve; nil if they are no list.
    func adding(_ other: TenthCounts) -> TenthCounts? {
        guard case .filled(let own, _) = self, case .filled(let theirs, let count) = other else { return nil }
        return own.count + theirs.count > count / Self.fewestForEach
            ? nil : .filled(Self.merged(own, theirs), of: count)
    }

    /// Those with requests of a minute, counted from its start.
    func filled(ofMinute minute: Int) -> [FilledTenth] {
        switch self {
        case .all(let tenths): [FilledTenth](tenths, ofMinute: minute)
        case .filled(let filled, _): filled.ofMinute(minute)
        }
    }

    private static func merged(_ first: [FilledTenth], _ second: [FilledTenth]) -> [FilledTenth] {
        if first.isEmpty { return second }
        var merged: [FilledTenth] = []
        merged.reserveCapacity(first.count + second.count)
        var next = 0
        for one in first {
            while next < second.count, second[next].tenth < one.tenth {
                merged.append(second[next])
                next += 1
            }
            merged.append(one)
            if next < second.count, second[next].tenth == one.tenth {
                merged[merged.count - 1].requests += second[next].requests
                next += 1
            }
        }
        return merged + second[next...]
    }

    /// The largest window of a width that begins at any tenth, the earliest of several; nil if the report is shorter.
    ///
    /// - Parameter aligned: the aligned windows of every width.
    func largestSliding(_ width: LoadWindow, _ aligned: [AlignedCounts]) -> WindowLoad.Peak? {
        if count < width.tenths { return nil }
        switch self {
        case .all(let tenths): return Self.largestSliding(width, tenths, aligned)
        case .filled(let filled, _): return Self.largestSliding(width.tenths, filled)
        }
    }

    /// Windows are tried only from where shorter aligned ones leave room for more than the largest so far has.
    private static func largestSliding(
        _ width: LoadWindow, _ tenths: UnsafeBufferPointer<UInt32>, _ aligned: [AlignedCounts]
    ) -> WindowLoad.Peak {
        func counts(_ width: LoadWindow) -> AlignedCounts { aligned[LoadWindow.allCases.firstIndex(of: width)!] }
        let shorter =
            switch width {
            case .second, .tenSeconds: counts(.second)
            case .minute: counts(.tenSeconds)
            case .fiveMinutes, .hour: counts(.minute)
            }
        let length = width.tenths
        precondition(shorter.count * shorter.width == tenths.count, "a report of \(tenths.count) tenths of a second")
        var best = WindowLoad.Peak(requests: (counts(width).largest?.requests ?? 0) - 1, start: 0)
        shorter.forEachStart(ofMoreThan: best.requests, length: length) { window, requests in
            let first = window * shorter.width
            var requests = requests
            for start in first..<min(first + shorter.width, tenths.count - length + 1) {
                if requests > best.requests { best = WindowLoad.Peak(requests: requests, start: start) }
                if start + length < tenths.count { requests += Int64(tenths[start + length]) - Int64(tenths[start]) }
            }
            return best.requests
        }
        return best
    }

    /// A window grows only where it reaches a tenth with requests, so no other ends are tried.
    private static func largestSliding(_ width: Int, _ filled: [FilledTenth]) -> WindowLoad.Peak {
        filled.withUnsafeBufferPointer { filled in
            var best = WindowLoad.Peak(requests: 0, start: 0)
            var count: Int64 = 0
            var first = 0
            for one in filled {
                count += one.requests
                while filled[first].tenth <= one.tenth - width {
                    count -= filled[first].requests
                    first += 1
                }
                if count > best.requests {
                    best = WindowLoad.Peak(requests: count, start: max(0, one.tenth - width + 1))
                }
            }
            return best
        }
    }
}
