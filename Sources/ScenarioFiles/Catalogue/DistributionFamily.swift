/// A key of a distribution's mapping.
enum DistributionParameter: String, CaseIterable {
    case median, p95, sigma, mean, sd, min, max, shape, scale, degrees
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
    }

    var meaning: Meaning {
        switch self {
        case .median, .p95, .mean, .min, .max: .value
        case .sd, .scale: .spread
        case .sigma, .shape, .degrees: .number
        case .minimum: .offset
        case .clip: .range
        }
    }

    /// Whether every family can have it.
    var isCommon: Bool { self == .minimum || self == .clip }
}

/// The families of distributions, which the names of their parameters tell apart, in the order in which sentences name
/// them.
enum DistributionFamily: CaseIterable {
    case lognormalByP95, lognormalBySigma, normal, uniform, gamma, studentT, exponential

    var parameters: [DistributionParameter] {
        switch self {
        case .lognormalByP95: [.median, .p95]
        case .lognormalBySigma: [.median, .sigma]
        case .normal: [.mean, .sd]
        case .uniform: [.min, .max]
        case .gamma: [.shape, .mean]
        case .studentT: [.mean, .scale, .degrees]
        case .exponential: [.mean]
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
        }
    }

    /// The distribution's shape, from the value of each of the family's parameters.
    func shape(_ value: (DistributionParameter) -> StatedDistribution.Quantity) -> StatedDistribution.Shape {
        switch self {
        case .lognormalByP95: .lognormalP95(median: value(.median), p95: value(.p95))
        case .lognormalBySigma: .lognormalSigma(median: value(.median), sigma: value(.sigma))
        case .normal: .normal(mean: value(.mean), deviation: value(.sd))
        case .uniform: .uniform(min: value(.min), max: value(.max))
        case .gamma: .gamma(shape: value(.shape), mean: value(.mean))
        case .studentT: .studentT(mean: value(.mean), scale: value(.scale), degrees: value(.degrees))
        case .exponential: .exponential(mean: value(.mean))
        }
    }
}
