import Basics

/// The latencies of each minute of a report, so that those of any span of whole minutes can be told: exact to a
/// microsecond below 128 µs, then bins a 32nd of their octave wide, up to 2⁴³ µs (101 days).
///
/// A minute holds its bins that are not empty, in order: a quiet one takes next to nothing, a busy one some hundred
/// bins.
public struct LatencySeries: Hashable, Sendable {
    /// Latencies of one bin in one minute.
    struct Entry: Hashable, Sendable, BitwiseCopyable {
        let bin: UInt32
        let count: UInt32
    }

    public let minutes: Int
    private var entries: [Entry] = []
    /// Where the entries of each minute that is counted end.
    private var ends: [Int] = []
    /// The longest one of each of these minutes, in microseconds.
    private var longest: [Int64] = []

    /// A series without latencies, over this many minutes.
    public init(minutes: Int) { self.minutes = minutes }

    /// How many minutes have been added.
    public var countedMinutes: Int { ends.count }

    private func entries(of minute: Int) -> ArraySlice<Entry> {
        minute < ends.count ? entries[(minute == 0 ? 0 : ends[minute - 1])..<ends[minute]] : []
    }

    /// Adds the latencies of the minute after the last one.
    public mutating func append(_ minute: MinuteLatencies) {
        precondition(ends.count < minutes, "a minute after the last of \(minutes)")
        for (bin, count) in minute.counts where count > 0 { entries.append(Entry(bin: UInt32(bin), count: count)) }
        ends.append(entries.count)
        longest.append(minute.longest)
    }

    public mutating func merge(_ other: LatencySeries) {
        precondition(other.minutes == minutes, "latencies of \(other.minutes) and of \(minutes) minutes")
        if other.ends.isEmpty { return }
        if ends.isEmpty {
            self = other
            return
        }
        var sum = LatencySeries(minutes: minutes)
        for minute in 0..<max(ends.count, other.ends.count) {
            var both = MinuteLatencies()
            for part in [self, other] {
                for entry in part.entries(of: minute) { both.add(Int(entry.bin), entry.count) }
                if minute < part.longest.count { both.reach(part.longest[minute]) }
            }
            sum.append(both)
        }
        self = sum
    }

    /// The latencies of some minutes together.
    public func distribution(of minutes: Range<Int>) -> LatencyDistribution {
        var distribution = LatencyDistribution()
        add(minutes, to: &distribution)
        return distribution
    }

    /// Adds the latencies of some minutes to others.
    public func add(_ minutes: Range<Int>, to distribution: inout LatencyDistribution) {
        for minute in minutes where minute < ends.count {
            for entry in entries(of: minute) { distribution.add(Int(entry.bin), Int64(entry.count)) }
            distribution.reach(longest[minute])
        }
    }

    /// Whether these minutes and the one that runs have the latencies of a whole: as many in every bin, and the same
    /// longest one.
    public func addsUp(to whole: LatencyHistogram, with running: MinuteLatencies) -> Bool {
        var counts = [Int64](repeating: 0, count: MinuteLatencies.binCount)
        for entry in entries { counts[Int(entry.bin)] += Int64(entry.count) }
        for (bin, count) in running.counts { counts[bin] += Int64(count) }
        var start = 0
        for (end, longest) in zip(ends, longest) {
            if !MinuteLatencies.suits(longest, last: end > start ? Int(entries[end - 1].bin) : nil) { return false }
            start = end
        }
        return counts == MinuteLatencies.counts(of: whole) && running.isWhole
            && max(longest.max() ?? 0, running.longest) == whole.largest.microseconds
    }

    /// Writes the series down, or reads it back.
    public mutating func code(_ stream: StateStream) throws(StateProblem) {
        try stream.code(&entries)
        try stream.code(&ends)
        try stream.code(&longest)
        try stream.require(
            ends.count <= minutes && longest.count == ends.count && (ends.last ?? 0) == entries.count
                && (ends.first ?? 0) >= 0
                && zip(ends, ends.dropFirst()).allSatisfy { $0 <= $1 }
                && longest.allSatisfy { (0...StateStream.mostCounted).contains($0) },
            "latencies of minutes outside the report")
        var start = 0
        for end in ends {
            let minute = entries[start..<end]
            try stream.require(
                minute.allSatisfy { $0.bin < MinuteLatencies.binCount && $0.count > 0 }
                    && zip(minute, minute.dropFirst()).allSatisfy { $0.bin < $1.bin },
                "impossible latencies")
            start = end
        }
    }

    /// All integers in their order, for the fingerprint: of each minute how many bins are not empty, these with their
    /// counts, the longest latency.
    public func withBytes(_ body: (UnsafeRawBufferPointer) -> Void) {
        for minute in 0..<minutes {
            let entries = entries(of: minute)
            var integers = [Int64(entries.count)]
            for entry in entries { integers += [Int64(entry.bin), Int64(entry.count)] }
            integers.append(minute < longest.count ? longest[minute] : 0)
            integers.withUnsafeBytes(body)
        }
    }
}

/// The latencies of the minute that runs, in the bins of `LatencySeries`.
public struct MinuteLatencies: Hashable, Sendable {
    static let binCount = 128 + 36 * 32

    private var bins: [UInt32]
    /// Bins outside of these are empty.
    private var first = binCount
    private var last = -1
    /// Microseconds.
    private(set) var longest: Int64 = 0

    public init() { bins = Array(repeating: 0, count: Self.binCount) }

    /// Counts a latency of 0 or more.
    public mutating func add(_ latency: Duration) { add(latency, inBinOf: LatencyHistogram.bin(of: latency)) }

    /// Counts a latency whose bin in a `LatencyHistogram` is known.
    @inline(__always)
    mutating func add(_ latency: Duration, inBinOf fineBin: Int) {
        add(Self.coarse(fineBin), 1)
        reach(latency.microseconds)
    }

    @inline(__always)
    mutating func add(_ bin: Int, _ count: UInt32) {
        bins[bin] += count
        first = min(first, bin)
        last = max(last, bin)
    }

    @inline(__always) mutating func reach(_ microseconds: Int64) { longest = max(longest, microseconds) }

    /// The bins that can hold something, with what they hold.
    var counts: some Sequence<(bin: Int, count: UInt32)> { (first..<max(first, last + 1)).lazy.map { ($0, bins[$0]) } }

    /// Begins the next minute.
    public mutating func clear() {
        if last >= first { for bin in first...last { bins[bin] = 0 } }
        (first, last, longest) = (Self.binCount, -1, 0)
    }

    /// Writes the minute down, or reads it back.
    public mutating func code(_ stream: StateStream) throws(StateProblem) {
        try stream.code(fixed: &bins)
        try stream.code(&longest)
        try stream.require(
            (0...StateStream.mostCounted).contains(longest) && bins.allSatisfy { $0 < .max / 2 }, "impossible latencies"
        )
        if stream.isReading {
            first = bins.firstIndex { $0 > 0 } ?? Self.binCount
            last = bins.lastIndex { $0 > 0 } ?? -1
        }
    }

    static func bin(of latency: Duration) -> Int { coarse(LatencyHistogram.bin(of: latency)) }

    /// The bin that a bin of a `LatencyHistogram` is a part of.
    private static func coarse(_ fine: Int) -> Int { fine < 128 ? fine : 128 + (fine - 128) / 4 }

    /// The counts of a histogram in these bins.
    static func counts(of histogram: LatencyHistogram) -> [Int64] {
        var counts = [Int64](repeating: 0, count: binCount)
        for (bin, count) in histogram.counts.enumerated() { counts[coarse(bin)] += count }
        return counts
    }

    /// Whether a longest latency, in microseconds, lies in the last bin that holds anything; it is 0 where none does.
    static func suits(_ longest: Int64, last: Int?) -> Bool {
        last.map { bin(of: Duration(microseconds: longest)) == $0 } ?? (longest == 0)
    }

    /// Whether the longest latency suits the bins.
    var isWhole: Bool { Self.suits(longest, last: last < 0 ? nil : last) }

    /// The bounds of a bin in microseconds: [lower, upper).
    static func bounds(of bin: Int) -> (lower: Int64, upper: Int64) {
        if bin < 128 { return (Int64(bin), Int64(bin) + 1) }
        let fine = 128 + (bin - 128) * 4
        return (LatencyHistogram.bounds(of: fine).lower, LatencyHistogram.bounds(of: fine + 3).upper)
    }
}

/// The latencies of some minutes together.
public struct LatencyDistribution: Hashable, Sendable {
    private var counts: [Int64] = []
    /// The bin of the first of the counts: bins outside of them are empty.
    private var first = 0
    public private(set) var total: Int64 = 0
    public private(set) var longest = Duration.zero

    /// A series without latencies and without minutes.
    public init() {}

    mutating func add(_ bin: Int, _ count: Int64) {
        if counts.isEmpty { first = bin }
        if bin < first {
            counts.insert(contentsOf: repeatElement(0, count: first - bin), at: 0)
            first = bin
        }
        if bin - first >= counts.count {
            counts.append(contentsOf: repeatElement(0, count: bin - first - counts.count + 1))
        }
        counts[bin - first] += count
        total += count
    }

    mutating func reach(_ microseconds: Int64) { longest = max(longest, Duration(microseconds: microseconds)) }

    /// Adds the latencies of another distribution.
    public mutating func merge(_ other: LatencyDistribution) {
        for (place, count) in other.counts.enumerated() where count > 0 { add(other.first + place, count) }
        longest = max(longest, other.longest)
    }

    /// How many are at most as long, or in its bin: up to 1/32 longer.
    public func count(atMost latency: Duration) -> Int64 {
        counts.prefix(max(0, MinuteLatencies.bin(of: latency) - first + 1)).reduce(0, +)
    }

    /// The quantile `q` in seconds, interpolated inside its bin; nil of none. Exact to a microsecond below 128 µs; the
    /// error is below 1/32 of the value otherwise.
    public func quantile(_ q: Double) -> Double? {
        BinnedQuantile.value(q, of: counts, zeros: 0) { place in
            // A bin of one microsecond holds just that.
            let (lower, upper) = MinuteLatencies.bounds(of: first + place)
            return first + place < 128 ? (lower, lower) : (lower, upper)
        }.map { min($0, Double(longest.microseconds)) / 1e6 }
    }
}
