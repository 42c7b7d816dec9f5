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

/// A demand on one row of the summary: `{metric, op, value}`.
public struct Threshold: Hashable, Sendable {
    public var metric: String
    public var op: Comparison
    public var value: Double

    public enum Comparison: String, CaseIterable, Sendable {
        case less = "<"
        case atMost = "<="
        case greater = ">"
        case atLeast = ">="

        /// Whether the bound is one from above.
        public var isUpper: Bool {
            switch self {
            case .less, .atMost: true
            case .greater, .atLeast: false
            }
        }

        public func holds(_ measured: Double, _ bound: Double) -> Bool {
            switch self {
            case .less: measured < bound
            case .atMost: measured <= bound
            case .greater: measured > bound
            case .atLeast: measured >= bound
            }
        }
    }

    public init(metric: String, op: Comparison, value: Double) {
        (self.metric, self.op, self.value) = (metric, op, value)
    }
}

/// A bound on a metric as a text: `500`, `50ms`, `4kB` or `95%`.
package struct BoundText: Hashable, Sendable {
    /// Seconds, bytes, a share of 1; or a number in the metric's own unit.
    package let value: Double
    /// The unit that the text is in: `s`, `bytes` or `share`; nil for a plain number, which has the metric's unit,
    /// whatever that is.
    package let unit: String?

    /// Nil for a text that is not a bound, or one beyond ±1e18.
    package init?(_ text: String) {
        guard let (value, unit) = Self.parts(of: text), value.magnitude <= Self.largest else { return nil }
        (self.value, self.unit) = (value, unit)
    }

    /// Whether a metric in a unit can have this bound.
    package func suits(unit metric: String) -> Bool { Self.suits(unit, metric) }

    /// Whether a metric in a unit can be on both sides of this bound.
    package func divides(unit metric: String) -> Bool { Self.divides(value, metric) }

    /// Whether a metric in a unit can be on both sides of a bound, which always or never holds else.
    package static func divides(_ bound: Double, _ metric: String) -> Bool {
        metric != "share" || (0...1).contains(bound)
    }

    /// The words about a bound on a share that does not divide.
    package static let shareWords = "a share from 0 to 1 (95 % is 0.95 or 95%)"

    /// Whether a metric in a unit can have a bound in another; a bound without one suits any.
    package static func suits(_ bound: String?, _ metric: String) -> Bool {
        bound == nil || bound == metric || bound == "share" && metric == "ratio"
    }

    /// The words about a text that is not a bound.
    package static let words = "a number, or one with a unit, such as 5000, 50ms, 4kB or 95%"

    private static let largest = 1e18

    private static func parts(of text: String) -> (value: Double, unit: String?)? {
        if text.hasSuffix("%") {
            var digits = text.dropLast()
            while digits.last == " " { digits = digits.dropLast() }
            // Two places of the decimal text, so that 0.1% is what 0.001 is.
            guard case .success(let percent) = DecimalText.read(digits + "e-2") else { return nil }
            return (percent.double, "share")
        }
        if case .success(let number) = DecimalText.read(text) { return (number.double, nil) }
        let isNegative = text.hasPrefix("-")
        let size = isNegative ? String(text.dropFirst()) : text
        func signed(_ value: Double) -> Double { isNegative ? -value : value }
        if let duration = DurationText.read(size) { return (signed(duration.inSeconds), "s") }
        return ScalarText.quantity(size, in: UnitTable.sizes).map { (signed(Double($0)), "bytes") }
    }
}
