import Statistics

/// A figure of all people for whom those of a sample stand, with what other samples and other draws would change.
struct ScaledEstimate {
    private let value: Double
    private let unit: String
    /// The variance of the value, and half the width of its range of 95 %.
    private let variance: Double
    let half: Double

    /// Nil where the figure is not defined, or in any of the computations for its range.
    ///
    /// - Parameters:
    ///   - row: of all people.
    ///   - quarters: from a quarter of the sample's people each.
    ///   - others: from all of them, with other draws.
    init?(_ row: SummaryRow, quarters: [SummaryRow], others: [SummaryRow]) {
        let parts = quarters.compactMap(\.value.asDouble), draws = others.compactMap(\.value.asDouble)
        guard let value = row.value.asDouble, parts.count == quarters.count, draws.count == others.count,
            parts.count > 1, !draws.isEmpty
        else { return nil }
        let (ofSample, ofDraws) = (Self.spread(parts), Self.spread(draws + [value]))
        let (sample, drawn) = (ofSample.variance / Double(parts.count), 2 * ofDraws.variance)
        (self.value, unit, variance) = (value, row.unit, sample + drawn)
        // The shares of the two, since the squares of small variances are none.
        let ofAll = variance > 0 ? (sample / variance, drawn / variance) : (0, 1)
        let freedom =
            1 / (ofAll.0 * ofAll.0 / Double(parts.count - 1) + ofAll.1 * ofAll.1 / Double(draws.count))
        half =
            StudentT.quantile(0.975, degreesOfFreedom: freedom) * variance.squareRoot()
            + (ofSample.mean - value).magnitude / 2
    }

    private static func spread(_ values: [Double]) -> (mean: Double, variance: Double) {
        let mean = values.reduce(0, +) / Double(values.count)
        return (mean, values.reduce(0) { $0 + ($1 - mean) * ($1 - mean) } / Double(values.count - 1))
    }

    var range: SamplingRange {
        SamplingRange(
            value: value, standardError: SamplingRange.written(variance.squareRoot()), low: value - half,
            high: value + half, unit: unit)
    }
}

extension SamplingRange {
    /// A range whose ends are cut to what a figure of the unit can be: none of a summary is below nothing, no share above
    /// the whole.
    init(value: Double, standardError: Double?, low: Double, high: Double, unit: String) {
        let most = unit == "share" ? 1 : Double.infinity
        self.init(
            value: value, standardError: standardError, low: Self.written(max(0, low)),
            high: Self.written(min(most, high)))
    }

    /// A range to which an independent deviation is added.
    ///
    /// - Parameter half: of the range of 95 % of that deviation.
    func widened(by half: Double, unit: String) -> SamplingRange {
        if half == 0 { return self }
        func with(_ own: Double) -> Double { (own * own + half * half).squareRoot() }
        return SamplingRange(
            value: value, standardError: standardError, low: value - with(value - low),
            high: value + with(high - value), unit: unit)
    }

    static func written(_ figure: Double) -> Double {
        SignificantDigits.rounded(figure, to: 6, .toNearestOrAwayFromZero)
    }
}
