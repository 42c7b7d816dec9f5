/// A threshold on one line, as a command's option states it: `share_fresh >= 0.7` or `service.origin.queue_wait_p99_s <
/// 50ms`.
package struct ThresholdText: Hashable, Sendable {
    package let metric: String
    package let op: Threshold.Comparison
    package let bound: BoundText

    /// Nil for a text that is not a threshold.
    package init?(_ text: String) {
        guard let parts = Threshold.Comparison.parts(of: text), let bound = BoundText(parts.bound) else { return nil }
        (metric, op, self.bound) = (parts.metric, parts.op, bound)
    }

    /// The words about a text that is not a threshold.
    package static let words = "a metric, <, <=, > or >=, and a bound such as 5000, 50ms or 95%"
}

extension Threshold.Comparison {
    /// The parts of `metric < bound` and its like; nil without a comparison or a metric.
    package static func parts(of text: String) -> (metric: String, op: Self, bound: String)? {
        // Each before the one that it begins with.
        for op in [Self.atMost, .atLeast, .less, .greater] {
            guard let range = text.firstRange(of: op.rawValue) else { continue }
            let metric = text[..<range.lowerBound].trimmed
            return metric.isEmpty ? nil : (metric, op, text[range.upperBound...].trimmed)
        }
        return nil
    }
}

extension StringProtocol {
    /// Without blanks at both ends.
    package var trimmed: String {
        guard let first = firstIndex(where: { $0 != " " }), let last = lastIndex(where: { $0 != " " }) else {
            return ""
        }
        return String(self[first...last])
    }
}
