import Statistics

/// The summary of some values of one measure, such as those of a design point's replications.
package struct SampleSummary: Hashable, Sendable {
    package let count: Int
    package let mean: Double
    /// With n − 1 in the divisor; nil for one value, which says nothing of a spread.
    package let standardDeviation: Double?
    /// Where the mean of ever more such values would lie, by Student's t; nil for one value.
    ///
    /// Exact for independent normal values, and close for others as they become more. Values of runs with different
    /// seeds are independent.
    package let interval: ConfidenceInterval?
    package let least, most: Double

    /// Deviations are summed from the mean in a second pass, so a spread that is small beside the mean is not lost.
    /// Equal values have exactly themselves as mean and exactly 0 as deviation.
    ///
    /// - Parameter values: one or more, all finite. A measure that some run does not have is for the caller to report.
    package init(_ values: [Double]) {
        precondition(!values.isEmpty && values.allSatisfy(\.isFinite), "a summary of \(values.prefix(20))")
        count = values.count
        let size = Double(values.count)
        // From the first value, so that equal values leave nothing to round; the second pass takes back what the first
        // has rounded.
        let origin = values[0]
        let first = origin + values.reduce(0) { $0 + ($1 - origin) } / size
        let left = values.reduce(0) { $0 + ($1 - first) } / size
        mean = first + left
        least = values.reduce(origin, min)
        most = values.reduce(origin, max)
        if values.count > 1 {
            let squares = values.reduce(0) { $0 + ($1 - first) * ($1 - first) }
            let deviation = (max(0, squares - size * left * left) / (size - 1)).squareRoot()
            standardDeviation = deviation
            let quantile = StudentT.quantile(ConfidenceInterval.upperShare, degreesOfFreedom: size - 1)
            interval = ConfidenceInterval(around: mean, reach: quantile * deviation / size.squareRoot())
        } else {
            standardDeviation = nil
            interval = nil
        }
    }

    /// The interval of what cannot be below 0, such as a wait, a count or a cost: it ends there; that of a share ends
    /// at 1, too.
    package func intervalOfAmount(unit: String) -> (low: Double, high: Double)? {
        let isShare = unit == "share" && most <= 1
        return interval.map { (least >= 0 ? max(0, $0.low) : $0.low, isShare ? min(1, $0.high) : $0.high) }
    }

    /// The standard deviation of the mean; nil for one value.
    package var standardError: Double? { standardDeviation.map { $0 / Double(count).squareRoot() } }

    /// The square of the standard deviation; nil for one value.
    package var variance: Double? { standardDeviation.map { $0 * $0 } }
}
