import Basics

/// The points of a Poisson process in time, looked up by key: when the next one comes, and how many there are from one
/// place to another, without listing them.
///
/// Time is cut into blocks of a power of two of units that hold two to four points on average; where points are so
/// dense that such a block would be short, of 2^33 units. A block's number of points is a Poisson draw. A block of more
/// than eight points is halved, a binomial deciding how many fall in the first half, and so on down to spans of at most
/// eight, whose points lie anywhere in them. By the splitting of a Poisson process this is its distribution. Each draw
/// has its address (key, block, span), so every question gets answers that agree. The next point costs a few draws; a
/// count costs some more, and one for each block between. Several points can fall on one unit of time.
public struct PoissonTimes: Sendable {
    /// The first unit of time that can hold a point, and the first that cannot.
    private let origin, end: Int64
    private let blockBits: Int64
    private let blockCount: PreparedCount?
    private let mean: Double
    private let split: FairSplit

    /// A block is at least so long: with microseconds, 2.4 h.
    private static let shortestBlock: Int64 = 33
    /// Spans with at most so many points are not halved.
    private static let fewPoints: Int64 = 8
    /// A place is a block's number and, in so many bits, that of a point in it.
    private static let priorityBits: Int64 = 36

    /// - Parameter gap: the mean time between points, in whole units from 1.
    public init(meanGap gap: Int64, from origin: Int64, to end: Int64, tables: StandardTables)
        throws(DistributionProblem)
    {
        guard gap >= 1 else {
            throw DistributionProblem(name: "poisson.mean", found: "\(gap)", expected: "a mean gap of 1 or more")
        }
        self.origin = origin
        self.end = end
        blockBits = max(Self.shortestBlock, 65 - Int64(gap.leadingZeroBitCount))
        precondition(end >= origin && (end - origin) >> blockBits < 1 << 26, "a process from \(origin) to \(end)")
        mean = DeterministicMath.exp2(Double(blockBits)) / Double(gap)
        blockCount = mean <= 500 ? try CountDistribution.poisson(mean: mean).prepared() : nil
        split = FairSplit(normal: tables.normal)
    }

    /// The place before all points.
    public static let beginning: Int64 = 0

    /// The first point after `time`: its place, which rises from point to point, and when it comes, `.max` if not
    /// before the end.
    ///
    /// - Parameter key: the seed of the numbers of one process; different keys have independent ones.
    public func first(after time: Int64, key: UInt64) -> (place: Int64, at: Int64) {
        var since = max(time - origin, -1)
        var block = max(0, since) >> blockBits
        while origin + block << blockBits < end {
            let found = first(after: since - block << blockBits, inBlock: block, key)
            if found.next < .max {
                let at = origin + block << blockBits + found.next
                return (Self.place(block, found.rank), at < end ? at : .max)
            }
            block += 1
            since = block << blockBits - 1
        }
        return (Self.place(block, 0), .max)
    }

    /// How many points there are from a place on, that one included, up to and with `time`; one draw for each block
    /// between.
    public func count(from place: Int64, through time: Int64, key: UInt64) -> Int64 {
        let since = time - origin
        let (firstBlock, rank) = (place >> Self.priorityBits, place & (1 << Self.priorityBits - 1))
        let block = since >> blockBits
        if since < 0 || block < firstBlock { return 0 }
        var number = -rank
        for earlier in firstBlock..<block { number += count(inBlock: earlier, key) }
        return max(0, number + self.rank(through: since - block << blockBits, inBlock: block, key))
    }

    /// All points of one process, in order.
    public func all(key: UInt64) -> [Int64] {
        var points: [Int64] = []
        for block in 0..<(end - origin + (1 << blockBits - 1)) >> blockBits {
            var inBlock: [Int64] = []
            collect(
                from: Span(node: 1, start: 0, bits: blockBits, count: count(inBlock: block, key)), block, key,
                into: &inBlock)
            points += inBlock.sorted().map { origin + block << blockBits + $0 }
        }
        return Array(points.prefix { $0 < end })
    }

    private func collect(from span: Span, _ block: Int64, _ key: UInt64, into points: inout [Int64]) {
        if span.count > Self.fewPoints && span.bits > 0 {
            let (first, second) = halves(of: span, block, key)
            collect(from: first, block, key, into: &points)
            collect(from: second, block, key, into: &points)
        } else {
            forEachPoint(of: span, block, key) { points.append($0) }
        }
    }

    private static func place(_ block: Int64, _ rank: Int64) -> Int64 { block << priorityBits | rank }

    // MARK: One block

    private func count(inBlock block: Int64, _ key: UInt64) -> Int64 {
        let u = RandomStream(seed: key, person: UInt64(block), purpose: .versionBlock).value(at: 0)
        return blockCount.map { Int64($0.draw(u)) } ?? Self.poissonQuantile(mean: mean, split.normal.value(u))
    }

    /// A Poisson count of a mean above 500 from a normal quantile, corrected for its third and fourth cumulants
    /// (Cornish and Fisher) and for rounding; its probabilities are off by less than 1e-4.
    static func poissonQuantile(mean: Double, _ z: Double) -> Int64 {
        let variance = mean - 1.0 / 12
        let skewness = mean / (variance * variance.squareRoot())
        let square = z * z
        let x =
            z + (square - 1) * skewness / 6 + (square - 3) * z / (24 * mean) - (2 * square - 5) * z * skewness
            * skewness / 36
        let count = Int64((mean + variance.squareRoot() * x + 0.5).rounded(.down))
        assert(count >= 0, "\(count) points")
        return count
    }

    /// A span of a block: `2^bits` units from `start`, with so many points; `node` is its number, 1 for the block and
    /// 2n and 2n + 1 for the halves of n.
    private struct Span {
        var node: UInt64
        var start: Int64
        var bits: Int64
        var count: Int64
    }

    /// The span of few points that holds `offset`: how many points of the block lie before it, and the latest second
    /// half with points that was passed by, where the next point is if not in the span.
    private func fewPoints(round offset: Int64, inBlock block: Int64, _ key: UInt64) -> (
        span: Span, before: Int64, passed: Span
    ) {
        var span = Span(node: 1, start: 0, bits: blockBits, count: count(inBlock: block, key))
        var passed = Span(node: 0, start: 0, bits: 0, count: 0)
        var before: Int64 = 0
        while span.count > Self.fewPoints && span.bits > 0 {
            let (first, second) = halves(of: span, block, key)
            if offset >= second.start {
                before += first.count
                span = second
            } else {
                if second.count > 0 { passed = second }
                span = first
            }
        }
        return (span, before, passed)
    }

    /// The points of a block up to and with `offset`, and the first after it; `.max` for none.
    private func first(after offset: Int64, inBlock block: Int64, _ key: UInt64) -> (rank: Int64, next: Int64) {
        let (span, before, passed) = fewPoints(round: offset, inBlock: block, key)
        var (rank, next) = (before, Int64.max)
        forEachPoint(of: span, block, key) { at in
            if at <= offset { rank += 1 } else { next = min(next, at) }
        }
        if next == .max && passed.count > 0 { next = firstPoint(of: passed, block, key) }
        return (rank, next)
    }

    /// The points of a block up to and with `offset`.
    private func rank(through offset: Int64, inBlock block: Int64, _ key: UInt64) -> Int64 {
        let (span, before, _) = fewPoints(round: offset, inBlock: block, key)
        var rank = before
        forEachPoint(of: span, block, key) { at in rank += at <= offset ? 1 : 0 }
        return rank
    }

    private func firstPoint(of whole: Span, _ block: Int64, _ key: UInt64) -> Int64 {
        var span = whole
        while span.count > Self.fewPoints && span.bits > 0 {
            let (first, second) = halves(of: span, block, key)
            span = first.count > 0 ? first : second
        }
        var earliest = Int64.max
        forEachPoint(of: span, block, key) { at in earliest = min(earliest, at) }
        return earliest
    }

    private func halves(of span: Span, _ block: Int64, _ key: UInt64) -> (Span, Span) {
        let first = split.firstHalf(of: span.count) { sub, half in
            RandomStream(seed: key, person: UInt64(block), purpose: .versionHalf, sub: sub).value(
                at: span.node << 1 | half)
        }
        let bits = span.bits - 1
        return (
            Span(node: span.node << 1, start: span.start, bits: bits, count: first),
            Span(node: span.node << 1 | 1, start: span.start + 1 << bits, bits: bits, count: span.count - first)
        )
    }

    /// Where the few points of a span lie, in no order; all on one unit of time if the span is no longer.
    @inline(__always)
    private func forEachPoint(of span: Span, _ block: Int64, _ key: UInt64, _ body: (Int64) -> Void) {
        if span.bits == 0 {
            for _ in 0..<span.count { body(span.start) }
            return
        }
        let shift = UInt64(64 - span.bits)
        // A block of random bits places two points.
        for pair in 0..<(span.count + 1) / 2 {
            let stream = RandomStream(seed: key, person: UInt64(block), purpose: .versionPlace, sub: UInt16(pair))
            let numbers = stream.pair(at: span.node)
            body(span.start + Int64(numbers.first >> shift))
            if 2 * pair + 1 < span.count { body(span.start + Int64(numbers.second >> shift)) }
        }
    }
}

/// Arrivals at random at a constant mean rate, each drawn from the one before: a Poisson process in simulated time.
///
/// `PoissonTimes` answers how many arrivals lie between two instants; this one needs a number an arrival and knows the
/// next one only.
@frozen public struct RandomArrivals: Sendable, BitwiseCopyable {
    /// Seconds from one to the next on average; infinite for what never comes.
    public let meanGap: Double
    @usableFromInline let exponential: QuantileTable

    /// - Parameters:
    ///   - meanGap: seconds, 0 or more; infinite for never.
    ///   - exponential: the table of the standard exponential.
    @inlinable
    public init(meanGap: Double, _ exponential: QuantileTable) {
        precondition(meanGap >= 0, "arrivals a mean of \(meanGap) s apart")
        self.meanGap = meanGap
        self.exponential = exponential
    }

    /// - Parameter perDay: arrivals in 24 hours on average, 0 or more.
    @inlinable
    public init(perDay: Double, _ exponential: QuantileTable) {
        self.init(meanGap: perDay > 0 ? 86_400 / perDay : .infinity, exponential)
    }

    /// - Parameter perYear: arrivals in a year of 365.25 days on average, 0 or more.
    @inlinable
    public init(perYear: Double, _ exponential: QuantileTable) { self.init(perDay: perYear / 365.25, exponential) }

    @inlinable public var everCome: Bool { meanGap < .infinity }

    /// The arrival that follows an instant; `never` if none does.
    @inlinable @inline(__always)
    public func next(after instant: Instant, _ u: UInt64) -> Instant {
        everCome ? instant + Duration(seconds: meanGap * exponential.value(u)) : .never
    }
}
