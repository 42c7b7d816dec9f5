/// Takes values to places along an axis, 0 at its beginning and 1 at its end.
struct Scale: Hashable, Sendable {
    let low, high: Double
    let isLogarithmic: Bool

    /// Equal distances for equal differences. A span of nothing is widened.
    static func linear(_ low: Double, _ high: Double) -> Scale {
        precondition(low.isFinite && high.isFinite && low <= high, "an axis from \(low) to \(high)")
        return Scale(low: low, high: high > low ? high : low + (low == 0 ? 1 : low.magnitude), isLogarithmic: false)
    }

    /// Equal distances for equal ratios, of positive values.
    static func logarithmic(_ low: Double, _ high: Double) -> Scale {
        precondition(low > 0 && high.isFinite && low <= high, "a logarithmic axis from \(low) to \(high)")
        return Scale(low: low, high: high > low ? high : low * 10, isLogarithmic: true)
    }

    /// The place of a value; what lies beyond an end has the end's.
    func place(_ value: Double) -> Double {
        let value = min(max(value, low), high)
        if !isLogarithmic { return (value - low) / (high - low) }
        let first = Logarithm.binary(of: low)
        return (Logarithm.binary(of: value) - first) / (Logarithm.binary(of: high) - first)
    }

    func holds(_ value: Double) -> Bool { low <= value && value <= high }
}

/// Logarithms of sums and quotients alone: the C library's differ in the last bit between machines, and pages do not.
enum Logarithm {
    /// To base 2, within 1e-12; the value must be positive.
    static func binary(of value: Double) -> Double {
        // log2(m) = 2/ln 2 · artanh((m − 1)/(m + 1)), with a significand of 1 to 2.
        let m = value.significand
        let z = (m - 1) / (m + 1)
        let square = z * z
        var (power, sum) = (z, 0.0)
        for k in 0..<14 {
            sum += power / Double(2 * k + 1)
            power *= square
        }
        return Double(value.exponent) + sum * 2 * 1.4426950408889634
    }
}
