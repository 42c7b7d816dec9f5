import SimulatedTime

/// The bins of a histogram of durations whose relative width is at most 1/16 (T1): exact below 16 ms, then sixteen bins an octave, to 2³⁶ ms.
///
/// A histogram is a run of counts inside a block of measures; it merges by addition.
public enum LogHistogram {
    public static let binCount = 16 + 32 * 16

    /// The bin of a duration of 0 or more; what is longer than the last bin's lower end counts in the last bin.
    @inlinable public static func bin(of duration: Duration) -> Int {
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

    /// The quantile `q` of the counts in seconds, interpolated inside its bin; nil of none. The error is below 1/16 of the value, or
    /// a millisecond if that is more.
    public static func quantile(_ q: Double, of counts: some RandomAccessCollection<Int64>) -> Double? {
        let total = counts.reduce(0, +)
        if total == 0 { return nil }
        let rank = q * Double(total)
        var below: Int64 = 0
        for (bin, count) in counts.enumerated() where count > 0 {
            if Double(below + count) >= rank {
                let (lower, upper) = bounds(of: bin)
                let inside = max(0, rank - Double(below)) / Double(count)
                return (Double(lower) + inside * Double(upper - lower)) / 1_000
            }
            below += count
        }
        preconditionFailure("the counts do not reach their own total")
    }
}
