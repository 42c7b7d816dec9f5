/// A demand on the difference of a metric, such as `load_peak_1s <= -20%` or `share_stale < 0.01`: of the second less the first.
package struct DifferenceThreshold: Hashable, Sendable {
    package let text: String
    package let metric: String
    let op: String
    let bound: Double
    /// Whether the bound is a share of the first's mean.
    package let isRelative: Bool

    /// - Parameter place: where the text stands, for the problem.
    package init(_ text: String, at place: String = "--threshold") throws(StudyProblem) {
        self.text = text
        for op in ["<=", ">=", "<", ">"] {
            guard let range = text.firstRange(of: op) else { continue }
            metric = String(text[..<range.lowerBound]).trimmed
            var bound = String(text[range.upperBound...]).trimmed
            isRelative = bound.hasSuffix("%")
            if isRelative { bound.removeLast() }
            guard !metric.isEmpty, let value = Double(bound), value.isFinite else { break }
            self.op = op
            self.bound = isRelative ? value / 100 : value
            return
        }
        throw StudyProblem(place, expected: "a metric, <, <=, > or >=, and a number or a percentage", found: "'\(text)'")
    }

    /// What it comes to in one comparison.
    package struct Verdict: Hashable, Sendable {
        package let threshold: DifferenceThreshold
        /// The difference that is judged, absolute or as a share; nil if it is not defined, and then the threshold does not hold.
        package let measured: Double?
        package let holds: Bool
    }

    /// - Parameter surely: whether the whole interval must meet it and not the mean alone.
    package func verdict(on comparison: Comparison, surely: Bool) -> Verdict {
        guard let row = comparison.rows.first(where: { $0.metric == metric }) else {
            return Verdict(threshold: self, measured: nil, holds: false)
        }
        let found = row.difference
        let scale = isRelative ? found.baseline.mean.magnitude : 1
        guard scale > 0 else { return Verdict(threshold: self, measured: nil, holds: false) }
        var judged = found.difference.mean
        if surely {
            guard let interval = found.difference.interval else { return Verdict(threshold: self, measured: nil, holds: false) }
            judged = op.hasPrefix("<") ? interval.high : interval.low
        }
        let value = judged / scale
        let holds =
            switch op {
            case "<": value < bound
            case "<=": value <= bound
            case ">": value > bound
            default: value >= bound
            }
        return Verdict(threshold: self, measured: value, holds: holds)
    }
}
