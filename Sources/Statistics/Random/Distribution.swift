/// A distribution of durations, distances or levels as a scenario states it: not yet checked, and in whatever unit the
/// caller means.
///
/// A draw is the distribution's, plus `shift`, then clipped to `range`.
public struct Distribution: Hashable, Sendable {
    /// The shape with its parameters, before the shift and the clip.
    public enum Shape: Hashable, Sendable {
        case constant(Double)
        /// Evenly spread from `min` to `max`.
        case uniform(min: Double, max: Double)
        /// The mean above 0.
        case exponential(mean: Double)
        /// The standard deviation of 0 or more.
        case normal(mean: Double, standardDeviation: Double)
        /// The median above 0; `sigma`, the standard deviation of the natural logarithm, from 0 to 20.
        case lognormal(median: Double, sigma: Double)
        /// The shape from 0.2 to 1000, the mean above 0.
        case gamma(shape: Double, mean: Double)
        /// Student's t with location `mean`; the scale of 0 or more (not the standard deviation), the degrees of
        /// freedom above 1 to 10,000.
        case studentT(mean: Double, scale: Double, degrees: Double)
        case quantiles(QuantileCurve)
    }

    /// Always 0.
    public static let zero = Self(.constant(0))

    public var shape: Shape
    /// Added to every draw: the fixed minimum of a distribution that begins at 0.
    public var shift: Double
    /// The range to which draws are clipped, if any: a part of the distribution.
    public var range: ClosedRange<Double>?

    public init(_ shape: Shape, shift: Double = 0, clippedTo range: ClosedRange<Double>? = nil) {
        (self.shape, self.shift, self.range) = (shape, shift, range)
    }

    /// The lognormal with this median and this 95th percentile, which is at least the median: sigma = ln(p95 / median)
    /// / z(0.95).
    public static func lognormal(median: Double, p95: Double) throws(DistributionProblem) -> Distribution {
        try checkedPositive(median, "lognormal.median")
        try checkedPositive(p95, "lognormal.p95")
        guard p95 >= median else {
            throw DistributionProblem(
                name: "lognormal.p95", found: "\(p95)", expected: "at least the median, \(median)")
        }
        return Distribution(.lognormal(median: median, sigma: DeterministicMath.log(p95 / median) / Self.z95))
    }

    /// The standard normal's 95th percentile.
    static let z95 = 1.6448536269514722

    /// The mean of the distribution with its shift, not clipped: closed form, or by its table for one of
    /// quantiles. A problem if the distribution is wrong.
    public func mean() throws(DistributionProblem) -> Double {
        try check()
        switch shape {
        case .constant(let value): return value + shift
        case .uniform(let min, let max): return min + (max - min) / 2 + shift
        case .exponential(let mean), .normal(let mean, _), .gamma(_, let mean), .studentT(let mean, _, _):
            return mean + shift
        case .lognormal(let median, let sigma): return median * DeterministicMath.exp(sigma * sigma / 2) + shift
        case .quantiles(let curve): return curve.moment(1) + shift
        }
    }

    /// The mean of the distribution with its shift, cut to what its draws are clipped to: near the mean of the draws
    /// where few are clipped.
    public func meanWithinClip() throws(DistributionProblem) -> Double {
        let mean = try mean()
        return range.map { min(max(mean, $0.lowerBound), $0.upperBound) } ?? mean
    }

    /// The least possible draw: the distribution's lower end with its shift, clipped; −∞ where it has none.
    ///
    /// A lognormal draw lies above 0 however narrow the distribution is, and no bound nearer to its median is kept to
    /// the last digit. The distribution is not checked here.
    public var leastDraw: Double {
        let end: Double =
            switch shape {
            case .constant(let value): value
            case .uniform(let min, _): min
            case .exponential, .gamma, .lognormal: 0
            case .quantiles(let curve): curve.least
            case .normal(let mean, let deviation): deviation == 0 ? mean : -.infinity
            case .studentT(let mean, let scale, _): scale == 0 ? mean : -.infinity
            }
        guard let range else { return end + shift }
        return min(max(end + shift, range.lowerBound), range.upperBound)
    }

    /// Throws the first problem, named by distribution and parameter, as in `gamma.shape`.
    public func check() throws(DistributionProblem) {
        try checkedFinite(shift, "shift")
        if let range {
            // An infinite end clips nothing and is allowed.
            guard !(range.lowerBound == .infinity || range.upperBound == -.infinity) else {
                throw DistributionProblem(
                    name: "range", found: "\(range)", expected: "a range with finite numbers in it")
            }
        }
        switch shape {
        case .constant(let value):
            try checkedFinite(value, "constant")
        case .uniform(let min, let max):
            try checkedFinite(min, "uniform.min")
            try checkedFinite(max, "uniform.max")
            guard min <= max, (max - min).isFinite else {
                throw DistributionProblem(
                    name: "uniform.max", found: "\(max)",
                    expected: "at least the minimum, \(min), and finitely far from it")
            }
        case .exponential(let mean):
            try checkedPositive(mean, "exponential.mean")
        case .normal(let mean, let deviation):
            try checkedFinite(mean, "normal.mean")
            try checkedNotNegative(deviation, "normal.sd")
        case .lognormal(let median, let sigma):
            try checkedPositive(median, "lognormal.median")
            try checked(sigma, "lognormal.sigma", in: 0...20)
        case .gamma(let shape, let mean):
            try StandardShape.gamma(shape: shape).check()
            try checkedPositive(mean, "gamma.mean")
        case .studentT(let mean, let scale, let degrees):
            try checkedFinite(mean, "studentT.mean")
            try checkedNotNegative(scale, "studentT.scale")
            guard degrees > 1 else {
                throw DistributionProblem(
                    name: "studentT.degrees", found: "\(degrees)", expected: "a number above 1, where the mean exists")
            }
            try StandardShape.studentT(degrees: degrees).check()
        case .quantiles(let curve): try curve.check()
        }
    }
}

/// A distribution, weight or probability that the simulator cannot draw from: wrong input, found at set-up.
///
/// Nothing has been computed with the wrong value, and nothing else is affected.
public struct DistributionProblem: Error, Hashable, Sendable, CustomStringConvertible {
    /// The parameter, as in `gamma.shape`.
    public let name: String
    /// The value that stands there.
    public let found: String
    /// The value that would be right, as in `a number from 0.2 to 1000.0`.
    public let expected: String

    public init(name: String, found: String, expected: String) {
        (self.name, self.found, self.expected) = (name, found, expected)
    }

    public var description: String { "\(name): expected \(expected), found \(found)" }
}

/// `value`, if it is finite and lies in `range`; otherwise a problem.
func checked(_ value: Double, _ name: String, in range: ClosedRange<Double>) throws(DistributionProblem) {
    guard value.isFinite, range.contains(value) else {
        throw DistributionProblem(
            name: name, found: "\(value)", expected: "a number from \(range.lowerBound) to \(range.upperBound)")
    }
}

/// `value`, if it is finite; otherwise a problem.
func checkedFinite(_ value: Double, _ name: String) throws(DistributionProblem) {
    guard value.isFinite else { throw DistributionProblem(name: name, found: "\(value)", expected: "a finite number") }
}

/// `value`, if it is finite and above 0; otherwise a problem.
func checkedPositive(_ value: Double, _ name: String) throws(DistributionProblem) {
    guard value.isFinite, value > 0 else {
        throw DistributionProblem(name: name, found: "\(value)", expected: "a finite number above 0")
    }
}

/// `value`, if it is finite and not below 0; otherwise a problem.
func checkedNotNegative(_ value: Double, _ name: String) throws(DistributionProblem) {
    guard value.isFinite, value >= 0 else {
        throw DistributionProblem(name: name, found: "\(value)", expected: "a finite number of 0 or more")
    }
}
