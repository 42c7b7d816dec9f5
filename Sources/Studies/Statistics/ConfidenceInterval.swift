/// From where to where an estimated number may lie: of all such intervals 95 % hold the true number.
///
/// The places that make intervals say how, and under which assumptions. Not a range in which single runs lie.
package struct ConfidenceInterval: Hashable, Sendable {
    /// The share of the estimates that lie below its upper end, where they vary alike to both sides.
    static let upperShare = 0.5 + 0.95 / 2

    package let low, high: Double

    /// - Parameter low: at most `high`.
    package init(low: Double, high: Double) {
        precondition(low <= high, "an interval from \(low) to \(high)")
        (self.low, self.high) = (low, high)
    }

    /// The interval that reaches equally far to both sides of `estimate`.
    ///
    /// - Parameter reach: 0 or more.
    init(around estimate: Double, reach: Double) { self.init(low: estimate - reach, high: estimate + reach) }

    /// Half the distance from end to end.
    package var halfWidth: Double { (high - low) / 2 }

    /// Whether `value` lies in it, its ends included.
    package func contains(_ value: Double) -> Bool { low <= value && value <= high }
}
