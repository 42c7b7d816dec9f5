/// The standard error of an estimate, and how well it is known itself.
///
/// Independent errors add as squares, and their sum has the degrees of freedom of Welch and Satterthwaite
/// (Satterthwaite, "An approximate distribution of estimates of variance components", Biometrics Bulletin 2, 1946).
/// The error is kept instead of the variance, and squares are taken of ratios alone: the square of a tiny error would
/// be 0, and its degrees of freedom undefined.
public struct StandardError: Hashable, Sendable {
    /// Finite, 0 or more, in the unit of the estimate.
    public let value: Double
    /// From 1 to `StudentT.degreesRange.upperBound`, which stands for an error that is known exactly.
    public let degreesOfFreedom: Double

    /// - Parameters:
    ///   - value: the error; nil is the result if it is negative, infinite or no number.
    ///   - degreesOfFreedom: nil is the result for less than one, or no number: such an error is not known.
    public init?(_ value: Double, degreesOfFreedom: Double) {
        guard value.isFinite, value >= 0, degreesOfFreedom >= StudentT.degreesRange.lowerBound else { return nil }
        self.value = value
        self.degreesOfFreedom = min(degreesOfFreedom, StudentT.degreesRange.upperBound)
    }

    /// The error of one value of independent ones with the same variance; nil for fewer than two, or where one is not
    /// finite. Divided by the root of their number it is the error of their mean.
    public init?(ofEach values: [Double]) {
        guard values.count >= 2, values.allSatisfy(\.isFinite) else { return nil }
        let count = Double(values.count)
        // From the first value, so that equal values leave nothing to round.
        let mean = values[0] + values.reduce(0) { $0 + ($1 - values[0]) } / count
        self.init(ofEach: values, around: mean, squaresOver: count - 1, degreesOfFreedom: count - 1)
    }

    /// The root of the squares of the distances of values from a centre over so many.
    public init?(ofEach values: [Double], around centre: Double, squaresOver count: Double, degreesOfFreedom: Double) {
        let largest = values.reduce(0) { max($0, ($1 - centre).magnitude) }
        let squares = values.reduce(0) { sum, value in
            let ratio = largest == 0 ? 0 : (value - centre) / largest
            return sum + ratio * ratio
        }
        self.init(largest * (squares / count).squareRoot(), degreesOfFreedom: degreesOfFreedom)
    }

    /// The error of a multiple of the estimate.
    public static func * (error: StandardError, factor: Double) -> StandardError? {
        StandardError(error.value * factor.magnitude, degreesOfFreedom: error.degreesOfFreedom)
    }

    /// The error of the sum of two independent estimates; nil if it is too large for a number.
    public static func + (one: StandardError, other: StandardError) -> StandardError? {
        let largest = max(one.value, other.value)
        if largest == 0 {
            return StandardError(0, degreesOfFreedom: max(one.degreesOfFreedom, other.degreesOfFreedom))
        }
        let (a, b) = (one.value / largest, other.value / largest)
        let (first, second) = (a * a, b * b)
        let sum = first + second
        let spread = first * first / one.degreesOfFreedom + second * second / other.degreesOfFreedom
        return StandardError(largest * sum.squareRoot(), degreesOfFreedom: sum * sum / spread)
    }

    /// Where 95 % of estimates with this error lie, by Student's t. Nil if an end is too large for a number.
    ///
    /// An error so small that it can be the rounding of the estimate's own parts counts as 0: both ends are the value.
    ///
    /// - Parameters:
    ///   - value: the estimate, which is finite.
    ///   - bounds: what the figure can be at least and at most: a share lies in 0...1.
    ///   - margin: by how much either end is moved outwards, 0 or more: a bias that is known in size alone.
    ///   - isRatio: whether the logarithm of the estimate has the error, relative to a value above 0: of a mean to
    ///     which few bring much, a draw that lacks them is low and has a small error, and the upper end is too near.
    public func interval(
        around value: Double, within bounds: ClosedRange<Double> = 0...Double.infinity, margin: Double = 0,
        isRatio: Bool = false
    ) -> EstimatedInterval? {
        let error = self.value <= 1e-12 * value.magnitude ? 0 : self.value
        let reach = error == 0 ? 0 : StudentT.quantile(Self.upper, degreesOfFreedom: degreesOfFreedom) * error
        let factor = isRatio && value > 0 ? DeterministicMath.exp(reach / value) : nil
        let (low, high) = (
            (factor.map { value / $0 } ?? value - reach) - margin, (factor.map { value * $0 } ?? value + reach) + margin
        )
        guard low.isFinite, high.isFinite, low <= high else { return nil }
        return EstimatedInterval(
            value: value, standardError: error, low: min(value, max(bounds.lowerBound, low)),
            high: max(value, min(bounds.upperBound, high)))
    }

    /// The probability of what lies below the upper end.
    static let upper = 0.975
}

/// An estimate and where 95 % of such estimates lie.
public struct EstimatedInterval: Hashable, Sendable {
    public let value: Double
    /// 0 where nothing differs, and where the interval is not that of a standard error.
    public let standardError: Double
    /// `low` is at most the value, and `high` at least.
    public let low, high: Double

    fileprivate init(value: Double, standardError: Double, low: Double, high: Double) {
        (self.value, self.standardError, self.low, self.high) = (value, standardError, low, high)
    }

    /// The interval of a share that is 0 in all of so many trials that are alike, or 1.
    ///
    /// If the true share were farther from what was seen than this, some trials would differ with a chance of 97.5 %
    /// (the rule of three; Hanley and Lippman-Hand, "If nothing goes wrong, is everything all right?", JAMA 249, 1983).
    ///
    /// - Parameters:
    ///   - isAll: whether the share is 1.
    ///   - trials: their number, which need not be whole; nil is the result for none.
    public init?(ofShareOf isAll: Bool, trials: Double) {
        guard trials > 0 else { return nil }
        let reach = min(1, -DeterministicMath.log(1 - StandardError.upper) / trials)
        self.init(value: isAll ? 1 : 0, standardError: 0, low: isAll ? 1 - reach : 0, high: isAll ? 1 : reach)
    }
}

/// Wilson's 95 % interval of the probability of something that happened in some of so many trials ("Probable inference,
/// the law of succession, and statistical inference", 1927): of use for few trials, too, and with none or all.
package enum ShareInterval {
    /// - Parameters:
    ///   - share: of the trials, 0 to 1.
    ///   - trials: above 0.
    package static func wilson(_ share: Double, of trials: Int) -> ClosedRange<Double> {
        let count = Double(trials)
        let square = 1.96 * 1.96
        let middle = (share + square / (2 * count)) / (1 + square / count)
        let reach =
            1.96 * (share * (1 - share) / count + square / (4 * count * count)).squareRoot() / (1 + square / count)
        return (share == 0 ? 0 : max(0, middle - reach))...(share == 1 ? 1 : min(1, middle + reach))
    }
}
