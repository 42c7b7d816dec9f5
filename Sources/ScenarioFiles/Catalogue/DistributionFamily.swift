import Statistics

/// A key of a distribution's mapping.
enum DistributionParameter: String, CaseIterable {
    case median, p95, sigma, mean, sd, min, max, shape, scale, degrees
    case quantiles
    case minimum, clip

    /// The meaning of a parameter.
    enum Meaning {
        /// A value that the distribution can have, such as a clock time.
        case value
        /// A distance between two such values.
        case spread
        /// A number without a unit.
        case number
        /// The amount added to every draw: a length of time for clock times, otherwise a value.
        case offset
        /// Two values, the least and the most.
        case range
        /// Values by their probabilities.
        case curve
    }

    var meaning: Meaning {
        switch self {
        case .median, .p95, .mean, .min, .max: .value
        case .sd, .scale: .spread
        case .sigma, .shape, .degrees: .number
        case .minimum: .offset
        case .clip: .range
        case .quantiles: .curve
        }
    }

    /// Whether every family can have it.
    var isCommon: Bool { self == .minimum || self == .clip }
}

/// The families of distributions, which the names of their parameters tell apart, in the order in which sentences name
/// them.
enum DistributionFamily: CaseIterable {
    case lognormalByP95, lognormalBySigma, normal, uniform, gamma, studentT, exponential, quantiles

    var parameters: [DistributionParameter] {
        switch self {
        case .lognormalByP95: [.median, .p95]
        case .lognormalBySigma: [.median, .sigma]
        case .normal: [.mean, .sd]
        case .uniform: [.min, .max]
        case .gamma: [.shape, .mean]
        case .studentT: [.mean, .scale, .degrees]
        case .exponential: [.mean]
        case .quantiles: [.quantiles]
        }
    }

    var words: String {
        switch self {
        case .lognormalByP95, .lognormalBySigma: "lognormal"
        case .normal: "normal"
        case .uniform: "uniform"
        case .gamma: "gamma"
        case .studentT: "Student's t"
        case .exponential: "exponential"
        case .quantiles: "by quantiles"
        }
    }

    /// The distribution with these values of the family's parameters, in their order.
    func distribution(_ values: [Double]) throws(DistributionProblem) -> Distribution {
        switch self {
        case .lognormalByP95: try Distribution.lognormal(median: values[0], p95: values[1])
        case .lognormalBySigma: Distribution(.lognormal(median: values[0], sigma: values[1]))
        case .normal: Distribution(.normal(mean: values[0], standardDeviation: values[1]))
        case .uniform: Distribution(.uniform(min: values[0], max: values[1]))
        case .gamma: Distribution(.gamma(shape: values[0], mean: values[1]))
        case .studentT: Distribution(.studentT(mean: values[0], scale: values[1], degrees: values[2]))
        case .exponential: Distribution(.exponential(mean: values[0]))
        case .quantiles: preconditionFailure("a curve has points, and no parameters")
        }
    }
}
