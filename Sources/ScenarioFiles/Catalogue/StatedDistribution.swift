import Statistics

/// A distribution as a scenario states it: a constant, or a mapping of parameters whose names tell the family.
struct StatedDistribution: Hashable, Sendable {
    /// A parameter: seconds or a plain number, with its canonical text.
    struct Quantity: Hashable, Sendable {
        var value: Double
        var text: String
    }

    enum Shape: Hashable, Sendable {
        case constant(Quantity)
        case uniform(min: Quantity, max: Quantity)
        case exponential(mean: Quantity)
        case normal(mean: Quantity, deviation: Quantity)
        case lognormalSigma(median: Quantity, sigma: Quantity)
        case lognormalP95(median: Quantity, p95: Quantity)
        case gamma(shape: Quantity, mean: Quantity)
        case studentT(mean: Quantity, scale: Quantity, degrees: Quantity)
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
        var distribution: Distribution
        switch shape {
        case .constant(let value): distribution = Distribution(.constant(value.value))
        case .uniform(let min, let max): distribution = Distribution(.uniform(min: min.value, max: max.value))
        case .exponential(let mean): distribution = Distribution(.exponential(mean: mean.value))
        case .normal(let mean, let deviation):
            distribution = Distribution(.normal(mean: mean.value, standardDeviation: deviation.value))
        case .lognormalSigma(let median, let sigma):
            distribution = Distribution(.lognormal(median: median.value, sigma: sigma.value))
        case .lognormalP95(let median, let p95):
            distribution = try Distribution.lognormal(median: median.value, p95: p95.value)
        case .gamma(let shape, let mean): distribution = Distribution(.gamma(shape: shape.value, mean: mean.value))
        case .studentT(let mean, let scale, let degrees):
            distribution = Distribution(.studentT(mean: mean.value, scale: scale.value, degrees: degrees.value))
        }
        distribution.shift = minimum?.value ?? 0
        if let clip {
            distribution.range = clip[0].value...clip[1].value
        } else if reachesBelowZero {
            distribution.range = subject == .clock ? 0...86_399 : 0...Double.infinity
        }
        try distribution.check()
        return distribution
    }

    private var reachesBelowZero: Bool {
        switch shape {
        case .normal, .studentT: true
        case .constant, .uniform, .exponential, .lognormalSigma, .lognormalP95, .gamma: false
        }
    }

    /// The canonical text: a constant alone, or a mapping on one line.
    var text: String {
        var fields: [(DistributionParameter, String)]
        switch shape {
        case .constant(let value):
            if minimum == nil && clip == nil { return value.text }
            fields = [(.min, value.text), (.max, value.text)]
        case .uniform(let min, let max): fields = [(.min, min.text), (.max, max.text)]
        case .exponential(let mean): fields = [(.mean, mean.text)]
        case .normal(let mean, let deviation): fields = [(.mean, mean.text), (.sd, deviation.text)]
        case .lognormalSigma(let median, let sigma): fields = [(.median, median.text), (.sigma, sigma.text)]
        case .lognormalP95(let median, let p95): fields = [(.median, median.text), (.p95, p95.text)]
        case .gamma(let shape, let mean): fields = [(.shape, shape.text), (.mean, mean.text)]
        case .studentT(let mean, let scale, let degrees):
            fields = [(.mean, mean.text), (.scale, scale.text), (.degrees, degrees.text)]
        }
        if let minimum { fields.append((.minimum, minimum.text)) }
        if let clip { fields.append((.clip, "[\(clip[0].text), \(clip[1].text)]")) }
        return "{" + fields.map { "\($0.0.rawValue): \($0.1)" }.joined(separator: ", ") + "}"
    }
}
