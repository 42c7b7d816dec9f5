import Basics

/// The bins of a histogram of durations whose relative width is at most 1/16 (T1): exact below 16 ms, then sixteen bins
/// an octave, to 2³⁶ ms.
///
/// A histogram is a run of counts inside a block of measures; it merges by addition.
public enum LogHistogram {
    public static let binCount = 16 + 32 * 16

    /// The bin of a duration of 0 or more; what is longer than the last bin's lower end counts in the last bin.
    @inlinable @inline(__always) public static func bin(of duration: Duration) -> Int {
        let milliseconds = duration.magnitude / 1_000
        if milliseconds < 16 { return Int(milliseconds) }
        let octave = 59 - milliseconds.leadingZeroBitCount
        if octave >= 32 { return binCount - 1 }
        return 16 + octave * 16 + Int(milliseconds >> UInt64(octave)) - 16
    }

    /// The bounds of a bin, in milliseconds: [lower, upper).
    public static func bounds(of bin: Int) -> (lower: Int64, upper: Int64) {
        precondition((0..<binCount).contains(bin), "bin \(bin)")
        if bin < 16 { return (Int64(bin), Int64(bin) + 1) }
        let octave = (bin - 16) / 16
        let mantissa = Int64((bin - 16) % 16 + 16)
        return (mantissa << Int64(octave), (mantissa + 1) << Int64(octave))
    }

    /// The quantile `q` of the counts in seconds, interpolated inside its bin; nil of none. A length below a
    /// millisecond is 0. The error is below 1/16 of the value, or a millisecond if that is more.
    public static func quantile(_ q: Double, of counts: some RandomAccessCollection<Int64>) -> Double? {
        BinnedQuantile.value(q, of: counts, zeros: 0) { $0 == 0 ? (0, 0) : bounds(of: $0) }.map { $0 / 1_000 }
    }
}

/// The bins of a histogram of durations where there are very many histograms: bins of 8.192 s up to 65.536 s, then
/// eight bins an octave, to 2³² ms (49 days).
///
/// A histogram is a run of counts inside a block of measures; it merges by addition.
public enum CoarseHistogram {
    public static let binCount = 8 + 16 * 8

    /// The bin of a duration of 0 or more; what is longer than the last bin's lower end counts in the last bin.
    @inlinable @inline(__always) public static func bin(of duration: Duration) -> Int {
        let units = duration.magnitude / 8_192_000
        if units < 8 { return Int(units) }
        let octave = 60 - units.leadingZeroBitCount
        if octave >= 16 { return binCount - 1 }
        return 8 + octave * 8 + Int(units >> UInt64(octave)) - 8
    }

    /// The bounds of a bin, in milliseconds: [lower, upper).
    public static func bounds(of bin: Int) -> (lower: Int64, upper: Int64) {
        precondition((0..<binCount).contains(bin), "bin \(bin)")
        if bin < 8 { return (Int64(bin) << 13, (Int64(bin) + 1) << 13) }
        let octave = Int64((bin - 8) / 8)
        let mantissa = Int64((bin - 8) % 8 + 8)
        return (mantissa << (octave + 13), (mantissa + 1) << (octave + 13))
    }

    /// The quantile `q` in seconds of what was counted and of some durations of nothing, interpolated inside its bin;
    /// nil of none. The error is below 1/8 of the value, or 8.192 s if that is more; a quantile among the durations of
    /// nothing is 0.
    public static func quantile(_ q: Double, of counts: some RandomAccessCollection<Int64>, zeros: Int64 = 0) -> Double?
    {
        BinnedQuantile.value(q, of: counts, zeros: zeros, bounds: bounds).map { $0 / 1_000 }
    }
}

/// A quantile of counts in bins.
enum BinnedQuantile {
    /// The quantile `q` in the unit of the bounds; nil of none.
    ///
    /// - Parameter zeros: durations of nothing beside those that are counted in the bins.
    static func value(
        _ q: Double, of counts: some RandomAccessCollection<Int64>, zeros: Int64,
        bounds: (Int) -> (lower: Int64, upper: Int64)
    ) -> Double? {
        precondition((0...1).contains(q), "the quantile \(q)")
        let total = counts.reduce(zeros, +)
        if total == 0 { return nil }
        let rank = q * Double(total)
        if zeros > 0 && Double(zeros) >= rank { return 0 }
        var below = zeros
        for (bin, count) in counts.enumerated() where count > 0 {
            if Double(below + count) >= rank {
                let (lower, upper) = bounds(bin)
                let inside = max(0, rank - Double(below)) / Double(count)
                return Double(lower) + inside * Double(upper - lower)
            }
            below += count
        }
        preconditionFailure("the counts do not reach their own total")
    }
}
