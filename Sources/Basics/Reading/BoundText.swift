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
