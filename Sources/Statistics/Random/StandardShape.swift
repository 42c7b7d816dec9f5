import CGSL

/// The shape of a continuous distribution, apart from its location and scale: what a `QuantileTable` is made for.
public enum StandardShape: Hashable, Sendable {
    /// Exponential with mean 1.
    case exponential
    /// Normal with mean 0 and standard deviation 1.
    case normal
    /// Student's t with `degrees` of freedom, from 1 to 10,000; location 0 and scale 1.
    case studentT(degrees: Double)
    /// Lognormal with median 1; `sigma`, of its natural logarithm, from 0.01 to 2.
    case lognormal(sigma: Double)
    /// Gamma with `shape` from 0.2 to 1000 and scale 1, so its mean is `shape`.
    case gamma(shape: Double)
    /// By quantiles, with their own scale.
    case quantiles(QuantileCurve)

    /// Ranges in which the bounds that `QuantileTable` states are kept and GSL's inverses converge.
    static let degreesRange = 1.0...10_000
    static let gammaShapeRange = 0.2...1000
    static let sigmaRange = 0.01...2

    /// The shape's name in a manifest, as in `gamma(3.1)`.
    public var name: String {
        switch self {
        case .exponential: "exponential"
        case .normal: "normal"
        case .studentT(let degrees): "studentT(\(degrees))"
        case .gamma(let shape): "gamma(\(shape))"
        case .lognormal(let sigma): "lognormal(\(sigma))"
        case .quantiles(let curve):
            "quantiles(" + curve.points.map { "\($0.probability): \($0.value)" }.joined(separator: ", ") + ")"
        }
    }

    func check() throws(DistributionProblem) {
        switch self {
        case .exponential, .normal: break
        case .studentT(let degrees): try checked(degrees, "studentT.degrees", in: Self.degreesRange)
        case .lognormal(let sigma): try checked(sigma, "lognormal.sigma", in: Self.sigmaRange)
        case .gamma(let shape): try checked(shape, "gamma.shape", in: Self.gammaShapeRange)
        case .quantiles(let curve): try curve.check()
        }
    }

    /// Whether the lower tail mirrors the upper one.
    var isSymmetric: Bool {
        switch self {
        case .normal, .studentT: true
        case .exponential, .gamma, .lognormal, .quantiles: false
        }
    }
}

/// A tail of a distribution.
enum Tail: CaseIterable { case lower, upper }

extension StandardShape {
    /// Switches off GSL's error handler, which would abort the process, once and for the whole process. Its functions
    /// then return what is not a number.
    static let gslIsQuiet: Bool = {
        gsl_set_error_handler_off()
        return true
    }()

    /// GSL's probability that a draw lies below (lower tail) or above (upper tail) `x`.
    func probability(_ tail: Tail, beyond x: Double) -> Double {
        switch (self, tail) {
        case (.exponential, .lower): gsl_cdf_exponential_P(x, 1)
        case (.exponential, .upper): gsl_cdf_exponential_Q(x, 1)
        case (.normal, .lower): gsl_cdf_ugaussian_P(x)
        case (.normal, .upper): gsl_cdf_ugaussian_Q(x)
        case (.studentT(let degrees), .lower): gsl_cdf_tdist_P(x, degrees)
        case (.studentT(let degrees), .upper): gsl_cdf_tdist_Q(x, degrees)
        case (.lognormal(let sigma), .lower): gsl_cdf_lognormal_P(x, 0, sigma)
        case (.lognormal(let sigma), .upper): gsl_cdf_lognormal_Q(x, 0, sigma)
        case (.gamma(let shape), .lower): gsl_cdf_gamma_P(x, shape, 1)
        case (.gamma(let shape), .upper): gsl_cdf_gamma_Q(x, shape, 1)
        case (.quantiles, _): preconditionFailure("its table is made from the normal's")
        }
    }

    /// The point beyond which the tail has probability `t`, from 2^-65 to 1/2: GSL's inverse, checked against GSL's own
    /// CDF, or by bisection of that CDF where the inverse has stopped early. Not a number if neither succeeds.
    func quantile(_ tail: Tail, _ t: Double) -> Double {
        if isSymmetric {
            if t == 0.5 { return 0 }
            if tail == .lower { return -quantile(.upper, t) }
        }
        let x: Double
        switch (self, tail) {
        case (.exponential, .lower): x = gsl_cdf_exponential_Pinv(t, 1)
        case (.exponential, .upper): x = gsl_cdf_exponential_Qinv(t, 1)
        case (.normal, _): x = gsl_cdf_ugaussian_Qinv(t)
        case (.studentT(let degrees), _): x = gsl_cdf_tdist_Qinv(t, degrees)
        case (.lognormal(let sigma), .lower): x = gsl_cdf_lognormal_Pinv(t, 0, sigma)
        case (.lognormal(let sigma), .upper): x = gsl_cdf_lognormal_Qinv(t, 0, sigma)
        case (.gamma(let shape), .lower): x = gsl_cdf_gamma_Pinv(t, shape, 1)
        case (.gamma(let shape), .upper): x = gsl_cdf_gamma_Qinv(t, shape, 1)
        case (.quantiles, _): preconditionFailure("its table is made from the normal's")
        }
        if residual(tail, x, t) < 1e-11 { return x }
        let bisected = bisectedQuantile(tail, t)
        return residual(tail, bisected, t) < 1e-8 ? bisected : .nan
    }

    /// A gamma's quantile at `t` from that at a tail probability near to it, by Halley's method with GSL's CDF: the one
    /// that GSL's inverse finds within the margin of rounding, with one or two values of the CDF where that takes five.
    /// Nil of other shapes, and where it does not converge.
    func quantile(_ tail: Tail, _ t: Double, from nearest: Double, at near: Double) -> Double? {
        guard case .gamma(let shape) = self else { return nil }
        let logGamma = SpecialFunctions.fastLogGamma(shape)
        var (x, reached) = (nearest, near)
        for _ in 0..<5 {
            let density = DeterministicMath.exp((shape - 1) * DeterministicMath.log(x) - x - logGamma)
            let newton = (tail == .lower ? t - reached : reached - t) / density
            let step = newton / (1 + newton * ((shape - 1) / x - 1) / 2)
            x += step
            guard x.isFinite, x > 0 else { return nil }
            // The error is about the cube of the step before.
            if step.magnitude < 1e-6 * x { return x }
            reached = probability(tail, beyond: x)
        }
        return nil
    }

    /// How far the tail beyond `x` is from `t`, relative to `t`.
    private func residual(_ tail: Tail, _ x: Double, _ t: Double) -> Double {
        x.isFinite ? (probability(tail, beyond: x) / t - 1).magnitude : .infinity
    }

    /// Bisects the bit patterns of the positive numbers, whose order is the numbers' own.
    private func bisectedQuantile(_ tail: Tail, _ t: Double) -> Double {
        var low: UInt64 = 0
        var high = Double.greatestFiniteMagnitude.bitPattern
        while high - low > 1 {
            let middle = low + (high - low) / 2
            let probability = probability(tail, beyond: Double(bitPattern: middle))
            if tail == .upper ? probability > t : probability < t { low = middle } else { high = middle }
        }
        return Double(bitPattern: high)
    }
}
