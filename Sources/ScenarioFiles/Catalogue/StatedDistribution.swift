import Basics
import Statistics

/// A distribution as a scenario states it: a constant, or a mapping of parameters whose names tell the family.
struct StatedDistribution: Hashable, Sendable {
    /// A parameter: seconds or a plain number, with its canonical text.
    struct Quantity: Hashable, Sendable {
        var value: Double
        var text: String
    }

    /// A value with the probability of less, from 0 to 1.
    struct Quantile: Hashable, Sendable {
        var probability: Double
        var value: Quantity
    }

    enum Shape: Hashable, Sendable {
        case constant(Quantity)
        /// With the values of the family's parameters, in their order.
        case family(DistributionFamily, [Quantity])
        case quantiles([Quantile])
    }

    var subject: DistributionSubject
    var shape: Shape
    /// A fixed part that is added to every draw (S5).
    var minimum: Quantity?
    /// The range to which draws are clipped.
    var clip: [Quantity]?

    /// The distribution to draw from. A quantity that begins at nothing is never drawn below it: a normal duration is
    /// cut at 0.
    func distribution() throws(DistributionProblem) -> Distribution {
        var distribution =
            switch shape {
            case .constant(let constant): Distribution(.constant(constant.value))
            case .family(let family, let values): try family.distribution(values.map(\.value))
            case .quantiles(let quantiles):
                Distribution(
                    .quantiles(
                        QuantileCurve(
                            quantiles.map { QuantileCurve.Point(probability: $0.probability, value: $0.value.value) })))
            }
        distribution.shift = minimum?.value ?? 0
        if let clip {
            distribution.range = clip[0].value...clip[1].value
        } else if case .family(let family, _) = shape, family == .normal || family == .studentT {
            distribution.range = subject == .clock ? 0...86_399 : 0...Double.infinity
        }
        try distribution.check()
        return distribution
    }

    /// The canonical text: a constant alone, or a mapping on one line.
    var text: String {
        var fields: [(DistributionParameter, String)]
        switch shape {
        case .constant(let value):
            if minimum == nil && clip == nil { return value.text }
            fields = [(.min, value.text), (.max, value.text)]
        case .family(let family, let values): fields = zip(family.parameters, values).map { ($0, $1.text) }
        case .quantiles(let quantiles):
            let points = quantiles.map { "\(FigureText.shortest($0.probability)): \($0.value.text)" }
            fields = [(.quantiles, "{\(points.joined(separator: ", "))}")]
        }
        if let minimum { fields.append((.minimum, minimum.text)) }
        if let clip { fields.append((.clip, "[\(clip[0].text), \(clip[1].text)]")) }
        return "{" + fields.map { "\($0.0.rawValue): \($0.1)" }.joined(separator: ", ") + "}"
    }
}

/// A key of a distribution's mapping.
enum DistributionParameter: String, CaseIterable {
    case median, p95, sigma, mean, sd, min, max, shape, scale, degrees
    case quantiles, samples
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
        /// A file of values.
        case file
    }

    var meaning: Meaning {
        switch self {
        case .median, .p95, .mean, .min, .max: .value
        case .sd, .scale: .spread
        case .sigma, .shape, .degrees: .number
        case .minimum: .offset
        case .clip: .range
        case .quantiles: .curve
        case .samples: .file
        }
    }

    /// Whether every family can have it.
    var isCommon: Bool { self == .minimum || self == .clip }
}

/// The families of distributions, which the names of their parameters tell apart, in the order in which sentences name
/// them.
enum DistributionFamily: CaseIterable {
    case lognormalByP95, lognormalBySigma, normal, uniform, gamma, studentT, exponential, quantiles, samples

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
        case .samples: [.samples]
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
        case .samples: "by the quantiles of a file's values"
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
        case .quantiles, .samples: preconditionFailure("a curve has points, and no parameters")
        }
    }
}
