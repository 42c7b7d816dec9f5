import Simulation
import Statistics

/// A figure of all people for whom those of a sample stand, with what other samples and other draws would change.
struct ScaledEstimate {
    private let value: Double
    private let unit: String
    /// The variance of the value, and half the width of its range of 95 %.
    private let variance: Double
    let half: Double

    /// Nil where the figure is not defined, or in any of the half samples.
    ///
    /// - Parameters:
    ///   - row: of all people.
    ///   - halves: from each half sample.
    ///   - sampled: the share of all people that the sample is.
    init?(_ row: SummaryRow, halves: [SummaryRow], sampled: Double) {
        let others = halves.compactMap(\.value.asDouble)
        guard let value = row.value.asDouble, others.count == halves.count, !others.isEmpty else { return nil }
        let squares = others.reduce(0) { $0 + ($1 - value) * ($1 - value) } / Double(others.count)
        (self.value, unit, variance) = (value, row.unit, squares * (1 + sampled))
        half = StudentT.quantile(0.975, degreesOfFreedom: Double(HalfSamples.count - 1)) * variance.squareRoot()
    }

    var range: SamplingRange {
        SamplingRange(
            value: value, standardError: SamplingRange.written(variance.squareRoot()), low: value - half,
            high: value + half, unit: unit)
    }
}

extension SamplingRange {
    /// A range whose ends are cut to what a figure of the unit can be: none of a summary is below nothing, no share
    /// above the whole.
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
