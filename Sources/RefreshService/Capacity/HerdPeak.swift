import Statistics

/// The largest second of a herd: devices that all reload once, each at a time drawn evenly from one span.
public enum HerdPeak {
    /// The expected requests in the largest of the span's aligned seconds, by E[max] = Σ (1 − F(k)^M) over k ≥ 0, with
    /// F of a Poisson distribution and M seconds.
    ///
    /// The sum is exact but for taking the seconds as independent. Gumbel's formula is not used: below 100 requests a
    /// second it is wrong. A sliding second's maximum is some percent larger. O(requests a second + √).
    ///
    /// - Parameters:
    ///   - devices: 0 or more.
    ///   - span: whole seconds, 1 or more.
    public static func expected(devices: Int, span: Int) -> Double {
        precondition(devices >= 0 && span >= 1, "\(devices) devices over \(span) s")
        if devices == 0 { return 0 }
        let rate = Double(devices) / Double(span)
        let mode = Int(rate)
        // Weights relative to the mode's: no factorial, no power that leaves the range. The terms left out are below
        // 10⁻³⁰ of it.
        var below: [Double] = []
        var weight = 1.0
        for k in stride(from: mode, to: 0, by: -1) where weight > 1e-30 {
            weight *= Double(k) / rate
            below.append(weight)
        }
        let first = mode - below.count
        var weights = Array(below.reversed()) + [1]
        weight = 1
        while weight > 1e-30 {
            weight *= rate / Double(first + weights.count)
            weights.append(weight)
        }
        let total = weights.reduce(0, +)
        // Up to `first` no second stays below: each k counts whole. Above, the tail is summed from its thin end.
        var sum = Double(first)
        var above = 0.0
        for i in weights.indices.reversed() {
            let notAbove = 1 - above / total
            sum += notAbove > 0 ? 1 - DeterministicMath.exp(Double(span) * DeterministicMath.log(notAbove)) : 1
            above += weights[i]
        }
        return sum
    }
}
