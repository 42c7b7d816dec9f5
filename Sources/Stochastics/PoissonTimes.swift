/// The points of a Poisson process in time, looked up by key: how many there are up to a time, and when the next one comes, without listing them.
///
/// Time is cut into blocks of 2^44 units. A block's number of points is a Poisson draw; a block of n points is halved, a binomial deciding how many
/// fall in the first half, and so on down to spans of at most eight, whose points lie anywhere in them. By the splitting of a Poisson process
/// this is its law. Each draw has its address (key, block, span), so every question gets answers that agree: a count costs some 44 halvings at
/// the most, whatever the rate, and a block before it one draw. Several points can fall on one unit of time.
public struct PoissonTimes: Sendable {
    /// The first unit of time that can hold a point, and the first that cannot.
    private let origin, end: Int64
    private let blockCount: PreparedCount?
    private let mean: Double
    private let split: FairSplit

    /// With microseconds, 204 days.
    static let blockBits: Int64 = 44
    /// Spans with at most so many points are not halved.
    private static let fewPoints: Int64 = 8

    /// - Parameter gap: the mean time between points, in whole units from 1.
    public init(meanGap gap: Int64, from origin: Int64, to end: Int64, tables: StandardTables) throws(DistributionProblem) {
        guard gap >= 1 else { throw DistributionProblem(name: "poisson.mean", found: "\(gap)", expected: "a mean gap of 1 or more") }
        precondition(end >= origin && (end - origin) >> Self.blockBits < 1 << 20, "a process from \(origin) to \(end)")
        self.origin = origin
        self.end = end
        mean = Double(Int64(1) << Self.blockBits) / Double(gap)
        blockCount = mean <= 500 ? try CountDistribution.poisson(mean: mean).prepared() : nil
        split = FairSplit(normal: tables.normal)
    }

    /// How many points lie up to and with `time`, and when the first after it comes; `.max` if none comes before the end.
    ///
    /// - Parameter key: the seed of the numbers of one process; different keys have independent ones.
    public func first(after time: Int64, key: UInt64) -> (number: Int64, at: Int64) {
        let since = max(time - origin, -1)
        let block = max(0, since) >> Self.blockBits
        var number: Int64 = 0
        for earlier in 0..<block { number += count(inBlock: earlier, key) }
        let found = first(after: since - block << Self.blockBits, inBlock: block, key)
        number += found.rank
        var next = found.next
        var later = block + 1
        while next == .max && origin + later << Self.blockBits < end {
            next = first(after: -1, inBlock: later, key).next
            if next < .max { next += (later - block) << Self.blockBits }
            later += 1
        }
        if next < .max { next += origin + block << Self.blockBits }
        return (number, next < end ? next : .max)
    }

    /// The same without the next point.
    public func count(through time: Int64, key: UInt64) -> Int64 {
        let since = time - origin
        if since < 0 { return 0 }
        let block = since >> Self.blockBits
        var number: Int64 = 0
        for earlier in 0..<block { number += count(inBlock: earlier, key) }
        return number + first(after: since - block << Self.blockBits, inBlock: block, key).rank
    }

    // MARK: One block

    private func count(inBlock block: Int64, _ key: UInt64) -> Int64 {
        let u = RandomStream(seed: key, person: UInt64(block), purpose: .versionBlock).value(at: 0)
        return blockCount.map { Int64($0.draw(u)) } ?? Self.poissonQuantile(mean: mean, split.normal.value(u))
    }

    /// A Poisson count of a mean above 500 from a normal quantile, corrected for its third and fourth cumulants (Cornish and Fisher) and for
    /// rounding; its probabilities are off by less than 1e-4.
    static func poissonQuantile(mean: Double, _ z: Double) -> Int64 {
        let variance = mean - 1.0 / 12
        let skewness = mean / (variance * variance.squareRoot())
        let square = z * z
        let x =
            z + (square - 1) * skewness / 6 + (square - 3) * z / (24 * mean) - (2 * square - 5) * z * skewness * skewness / 36
        let count = Int64((mean + variance.squareRoot() * x + 0.5).rounded(.down))
        assert(count >= 0, "\(count) points")
        return count
    }

    /// A span of a block: `2^bits` units from `start`, with so many points; `node` is its number, 1 for the block and 2n and 2n + 1 for the
    /// halves of n.
    private struct Span {
        var node: UInt64
        var start: Int64
        var bits: Int64
        var count: Int64
    }

    /// The points of a block up to and with `offset`, and the first after it; `.max` for none.
    private func first(after offset: Int64, inBlock block: Int64, _ key: UInt64) -> (rank: Int64, next: Int64) {
        var span = Span(node: 1, start: 0, bits: Self.blockBits, count: count(inBlock: block, key))
        // The latest second half with points that was passed by: the next point is there if not in the last span.
        var passed = Span(node: 0, start: 0, bits: 0, count: 0)
        var rank: Int64 = 0
        while span.count > Self.fewPoints && span.bits > 0 {
            let (first, second) = halves(of: span, block, key)
            if offset >= second.start {
                rank += first.count
                span = second
            } else {
                if second.count > 0 { passed = second }
                span = first
            }
        }
        var next = Int64.max
        if span.bits == 0 {
            // All of its points lie on one unit of time.
            if span.start <= offset { rank += span.count } else if span.count > 0 { next = span.start }
        } else {
            for index in 0..<span.count {
                let at = place(index, in: span, block, key)
                if at <= offset { rank += 1 } else { next = min(next, at) }
            }
        }
        if next == .max && passed.count > 0 { next = firstPoint(of: passed, block, key) }
        return (rank, next)
    }

    private func firstPoint(of whole: Span, _ block: Int64, _ key: UInt64) -> Int64 {
        var span = whole
        while span.count > Self.fewPoints && span.bits > 0 {
            let (first, second) = halves(of: span, block, key)
            span = first.count > 0 ? first : second
        }
        if span.bits == 0 { return span.start }
        var earliest = Int64.max
        for index in 0..<span.count { earliest = min(earliest, place(index, in: span, block, key)) }
        return earliest
    }

    private func halves(of span: Span, _ block: Int64, _ key: UInt64) -> (Span, Span) {
        let first = split.firstHalf(of: span.count) { sub, half in
            RandomStream(seed: key, person: UInt64(block), purpose: .versionHalf, sub: sub).value(at: span.node << 1 | half)
        }
        let bits = span.bits - 1
        return (
            Span(node: span.node << 1, start: span.start, bits: bits, count: first),
            Span(node: span.node << 1 | 1, start: span.start + 1 << bits, bits: bits, count: span.count - first)
        )
    }

    /// Where one of the few points of a span lies.
    private func place(_ index: Int64, in span: Span, _ block: Int64, _ key: UInt64) -> Int64 {
        let stream = RandomStream(seed: key, person: UInt64(block), purpose: .versionPlace, sub: UInt16(index >> 1))
        return span.start + Int64(stream.value(at: span.node << 1 | UInt64(index & 1)) >> UInt64(64 - span.bits))
    }
}
