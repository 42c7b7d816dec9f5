/// From where to where an estimated number may lie: of all such intervals the share `confidence` holds the true number.
///
/// The places that make intervals say how, and under which assumptions. Not a range in which single runs lie.
package struct ConfidenceInterval: Hashable, Sendable {
    /// The confidence that studies use unless told otherwise.
    package static let usualConfidence = 0.95

    package let low, high: Double
    /// Strictly between 0 and 1.
    package let confidence: Double

    /// - Parameters:
    ///   - low: at most `high`.
    ///   - confidence: strictly between 0 and 1.
    package init(low: Double, high: Double, confidence: Double) {
        precondition(
            low <= high && Self.isConfidence(confidence),
            "an interval from \(low) to \(high) with confidence \(confidence)")
        (self.low, self.high, self.confidence) = (low, high, confidence)
    }

    /// The interval that reaches equally far to both sides of `estimate`.
    ///
    /// - Parameter reach: 0 or more.
    init(around estimate: Double, reach: Double, confidence: Double) {
        self.init(low: estimate - reach, high: estimate + reach, confidence: confidence)
    }

    /// Half the distance from end to end.
    package var halfWidth: Double { (high - low) / 2 }

    /// Whether `value` lies in it, its ends included.
    package func contains(_ value: Double) -> Bool { low <= value && value <= high }

    static func isConfidence(_ value: Double) -> Bool { value > 0 && value < 1 }
}
