import Simulation
import Statistics

/// A figure of all people for whom those of a sample stand, with what other samples and other draws would change.
struct ScaledEstimate {
    private let value: Double
    private let unit: String
    private let error: StandardError
    private let sampled: Int

    /// Nil where the figure is not defined, or in any of the half samples.
    ///
    /// - Parameters:
    ///   - row: of all people.
    ///   - halves: from each half sample.
    ///   - sampled: the people of the sample.
    ///   - people: all of them.
    init?(_ row: SummaryRow, halves: [SummaryRow], sampled: Int, of people: Int) {
        let others = halves.compactMap(\.value.asDouble)
        guard let value = row.value.asDouble, others.count == halves.count, !others.isEmpty else { return nil }
        let ofHalves = StandardError(
            ofEach: others, around: value, squaresOver: Double(others.count),
            degreesOfFreedom: Double(HalfSamples.count - 1))
        guard let error = ofHalves.flatMap({ $0 * (1 + Double(sampled) / Double(people)).squareRoot() }) else {
            return nil
        }
        (self.value, unit, self.error, self.sampled) = (value, row.unit, error, sampled)
    }

    /// Half the width of the range of 95 %; nil if it is too large for a number.
    var half: Double? {
        error.interval(around: value, within: -Double.infinity...Double.infinity).map { $0.high - value }
    }

    /// A share of none, or of all, has the range that so many people can tell of it.
    var range: SamplingRange? {
        let isShare = unit == "share"
        let interval =
            isShare && error.value == 0 && (value == 0 || value == 1)
            ? EstimatedInterval(ofShareOf: value == 1, trials: Double(sampled))
            : error.interval(around: value, within: SamplingRange.bounds(unit: unit))
        return interval.map {
            SamplingRange(
                value: value, standardError: SamplingRange.written($0.standardError),
                low: min(value, SamplingRange.written($0.low)), high: max(value, SamplingRange.written($0.high)))
        }
    }
}

extension SamplingRange {
    /// A range to which an independent deviation is added.
    ///
    /// - Parameter half: of the range of 95 % of that deviation.
    func widened(by half: Double, unit: String) -> SamplingRange {
        if half == 0 { return self }
        func with(_ own: Double) -> Double { (own * own + half * half).squareRoot() }
        let bounds = Self.bounds(unit: unit)
        return SamplingRange(
            value: value, standardError: standardError,
            low: Self.written(max(bounds.lowerBound, value - with(value - low))),
            high: Self.written(min(bounds.upperBound, value + with(high - value))))
    }

    /// No figure of a summary is below nothing, no share above the whole.
    static func bounds(unit: String) -> ClosedRange<Double> { 0...(unit == "share" ? 1 : .infinity) }

    static func written(_ figure: Double) -> Double {
        SignificantDigits.rounded(figure, to: 6, .toNearestOrAwayFromZero)
    }
}
