import Simulation

extension Threshold.Comparison {
    /// What `metric < bound` and its like consist of; nil without a comparison or a metric.
    static func parts(of text: String) -> (metric: String, op: Self, bound: String)? {
        // Each before the one that it begins with.
        for op in [Self.atMost, .atLeast, .less, .greater] {
            guard let range = text.firstRange(of: op.rawValue) else { continue }
            let metric = String(text[..<range.lowerBound]).trimmed
            return metric.isEmpty ? nil : (metric, op, String(text[range.upperBound...]).trimmed)
        }
        return nil
    }
}
