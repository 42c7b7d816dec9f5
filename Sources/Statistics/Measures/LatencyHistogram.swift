import Basics

/// A histogram of latencies that merges by addition: exact to a microsecond below 128 µs, then bins a 128th of their
/// octave wide, up to 2⁴³ µs (101 days); the largest value and the sum beside it.
public struct LatencyHistogram: Hashable, Sendable {
    public static let binCount = 128 + 36 * 128

    public private(set) var counts: [Int64]
    public private(set) var total: Int64 = 0
    /// Microseconds.
    public private(set) var sum: Int128 = 0
    public private(set) var largest = Duration.zero

    public init() { counts = Array(repeating: 0, count: Self.binCount) }

    /// Counts a latency of 0 or more; what is longer than the last bin's lower end counts in the last bin.
    public mutating func add(_ latency: Duration) { add(latency, in: Self.bin(of: latency)) }

    @inline(__always)
    private mutating func add(_ latency: Duration, in bin: Int) {
        precondition(latency >= .zero, "a latency of \(latency.microseconds) µs")
        counts[bin] += 1
        total += 1
        sum += Int128(latency.microseconds)
        largest = max(largest, latency)
    }

    /// Counts a latency of 0 or more here and in the minute that runs.
    public mutating func add(_ latency: Duration, andTo minute: inout MinuteLatencies) {
        let bin = Self.bin(of: latency)
        add(latency, in: bin)
        minute.add(latency, inBinOf: bin)
    }

    public mutating func merge(_ other: LatencyHistogram) {
        for i in counts.indices { counts[i] += other.counts[i] }
        total += other.total
        sum += other.sum
        largest = max(largest, other.largest)
    }

    /// Writes the histogram down, or reads it back.
    public mutating func code(_ stream: StateStream) throws(StateProblem) {
        try stream.code(fixed: &counts)
        try stream.code(&total)
        try stream.code(&sum)
        try stream.code(&largest)
        try stream.require(
            counts.allSatisfy { (0...StateStream.mostCounted).contains($0) }
                && counts.reduce(Int128(0)) { $0 + Int128($1) } == Int128(total)
                && total >= 0 && largest >= .zero && sum >= 0 && sum <= Int128(total) * Int128(largest.microseconds),
            "latencies that do not add up")
    }

    /// The mean in seconds; nil of none.
    public var mean: Double? { total == 0 ? nil : Double(sum) / Double(total) / 1e6 }

    /// The quantile `q` in seconds, interpolated inside its bin; nil of none. Exact to a microsecond below 128 µs, so
    /// that a wait of nothing is 0; the error is below 1/128 of the value otherwise.
    public func quantile(_ q: Double) -> Double? {
        BinnedQuantile.value(q, of: counts, zeros: 0) { bin in
            let (lower, upper) = Self.bounds(of: bin)
            return bin < 128 ? (lower, lower) : (lower, upper)
        }.map { min($0, Double(largest.microseconds)) / 1e6 }
    }

    @inline(__always)
    static func bin(of latency: Duration) -> Int {
        let microseconds = latency.magnitude
        if microseconds < 128 { return Int(microseconds) }
        let octave = 56 - microseconds.leadingZeroBitCount
        if octave >= 36 { return binCount - 1 }
        return 128 + octave * 128 + Int(microseconds >> UInt64(octave)) - 128
    }

    /// The bounds of a bin in microseconds: [lower, upper).
    static func bounds(of bin: Int) -> (lower: Int64, upper: Int64) {
        if bin < 128 { return (Int64(bin), Int64(bin) + 1) }
        let octave = (bin - 128) / 128
        let mantissa = Int64((bin - 128) % 128 + 128)
        return (mantissa << Int64(octave), (mantissa + 1) << Int64(octave))
    }
}
