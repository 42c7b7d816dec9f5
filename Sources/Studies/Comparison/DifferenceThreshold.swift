import Basics
import Simulation

/// A demand on the difference of a metric, such as `load_peak_1s <= -20%` or `share_fresh >= -0.01`: of the second less
/// the first.
package struct DifferenceThreshold: Hashable, Sendable {
    package let text, metric: String
    let op: Threshold.Comparison
    let bound: Double
    /// Whether the bound is a share of the first's mean.
    package let isRelative: Bool

    /// - Parameter place: where the text stands, for the problem.
    package init(_ text: String, at place: String = "--threshold") throws(StudyProblem) {
        let parts = Threshold.Comparison.parts(of: text)
        let isRelative = parts?.bound.hasSuffix("%") == true
        guard let parts, let value = Double(isRelative ? String(parts.bound.dropLast()) : parts.bound), value.isFinite
        else {
            throw StudyProblem(
                place, expected: "a metric, <, <=, > or >=, and a number or a percentage", found: "'\(text)'")
        }
        (self.text, metric, op, self.isRelative) = (text, parts.metric, parts.op, isRelative)
        bound = isRelative ? value / 100 : value
    }

    /// Refuses a difference that two shares cannot have: it would always or never hold.
    package func check(on comparison: Comparison) throws(StudyProblem) {
        let row = comparison.rows.first { $0.metric == comparison.name(of: metric) }
        guard !isRelative, row?.unit == "share", bound.magnitude > 1 else { return }
        throw StudyProblem(
            "--threshold", expected: "a difference of shares from -1 to 1, or a percentage of the first",
            found: "'\(text)'")
    }

    /// The outcome in one comparison.
    package struct Verdict: Hashable, Sendable {
        package let threshold: DifferenceThreshold
        /// The difference that is judged, absolute or as a share; nil if it is not defined, and then the threshold does
        /// not hold.
        package let measured: Double?
        package let holds: Bool
    }

    /// - Parameter surely: whether the whole interval must meet it and not the mean alone.
    package func verdict(on comparison: Comparison, surely: Bool) -> Verdict {
        guard let row = comparison.rows.first(where: { $0.metric == comparison.name(of: metric) }) else {
            return Verdict(threshold: self, measured: nil, holds: false)
        }
        let found = row.difference
        var judged = found.difference.mean
        if surely {
            guard let interval = found.difference.interval else {
                return Verdict(threshold: self, measured: nil, holds: false)
            }
            judged = op.isUpper ? interval.high : interval.low
        }
        // Where both are nothing, nothing has changed.
        let scale = isRelative && judged != 0 ? found.baseline.mean.magnitude : 1
        guard scale > 0 else { return Verdict(threshold: self, measured: nil, holds: false) }
        let value = judged / scale
        return Verdict(threshold: self, measured: value, holds: op.holds(value, bound))
    }
}
