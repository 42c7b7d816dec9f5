/// How many trials of one probability it takes to and with the next success: the geometric distribution.
///
/// For what happens in few of many trials: one draw a success instead of one a trial. An exponential variate cut to
/// whole trials has this distribution exactly (Devroye, "Non-Uniform Random Variate Generation", 1986, X.2), and here
/// the accuracy of `QuantileTable`.
@frozen public struct Geometric: Sendable, BitwiseCopyable {
    /// −ln(1 − p) of a trial's probability p: 0 for what never happens, infinite for what always does.
    public let rate: Double
    @usableFromInline let exponential: QuantileTable

    /// - Parameter probability: of a success, from 0; above 1 it counts as 1.
    public init(probability: Double, exponential: QuantileTable) {
        rate = probability >= 1 ? .infinity : 0 - DeterministicMath.log(1 - max(0, probability))
        self.exponential = exponential
    }

    public init(rate: Double, exponential: QuantileTable) { (self.rate, self.exponential) = (rate, exponential) }

    /// No draw is more: no run has so many trials.
    @usableFromInline static var most: UInt64 { 1 << 40 }

    /// The number of the trial that succeeds, 1 or more, at most 2^40; not falling with `u`.
    @inlinable @inline(__always)
    public func draw(_ u: UInt64) -> UInt64 {
        let failures = exponential.value(u) / rate
        return failures < Double(Self.most) ? 1 + UInt64(failures) : Self.most
    }
}
