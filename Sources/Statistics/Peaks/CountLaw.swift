import CGSL

/// The distribution of a count of independent contributions with a given mean and variance: Poisson if they are equal,
/// negative binomial if contributions come in groups, binomial if each of a bounded number contributes once.
///
/// It keeps what all counts have in common, so that many can be asked for.
struct CountLaw {
    let mean, variance: Double
    /// The size of the negative binomial or binomial distribution with this mean and variance; not for Poisson.
    private let size: Double
    /// The logarithms of the lesser of mean and variance over the greater, and of 1 less that; for Poisson, that of the
    /// mean.
    private let logs: (Double, Double)
    /// The logarithm of Γ(size), once it was needed.
    private var logGammaOfSize: Double?

    /// - Parameters:
    ///   - mean: above 0.
    ///   - variance: above 0. Within a millionth of the mean it counts as the mean.
    init(mean: Double, variance: Double) {
        precondition(mean > 0 && variance > 0, "a count of mean \(mean) and variance \(variance)")
        self.mean = mean
        self.variance = variance
        size = mean * mean / (variance - mean).magnitude
        let share = min(mean, variance) / max(mean, variance)
        logs =
            Self.isPoisson(mean, variance)
            ? (DeterministicMath.log(mean), 0) : (DeterministicMath.log(share), DeterministicMath.log(1 - share))
    }

    private static func isPoisson(_ mean: Double, _ variance: Double) -> Bool {
        (variance - mean).magnitude <= 1e-6 * mean
    }

    private var isPoisson: Bool { Self.isPoisson(mean, variance) }

    /// The probability of exactly `count`, 0 or more.
    ///
    /// - Parameter logFactorial: of the count, which many distributions are asked for.
    mutating func probability(of count: Double, logFactorial: Double) -> Double {
        if isPoisson { return DeterministicMath.exp(count * logs.0 - mean - logFactorial) }
        if variance > mean {
            return DeterministicMath.exp(logOfRisingSize(count) - logFactorial + size * logs.0 + count * logs.1)
        }
        if count > size { return 0 }
        return DeterministicMath.exp(
            Self.logOfRising(size - count + 1, count) - logFactorial + count * logs.1 + (size - count) * logs.0)
    }

    /// The logarithm of the product of so many factors, each greater by 1 than the one before: Γ(first + count) over
    /// Γ(first), of a whole count. Few are multiplied.
    private static func logOfRising(_ first: Double, _ count: Double) -> Double {
        if count > 12 || first > 1e20 {
            return SpecialFunctions.fastLogGamma(first + count) - SpecialFunctions.fastLogGamma(first)
        }
        var product = 1.0
        for i in stride(from: 0, to: count, by: 1) { product *= first + i }
        return DeterministicMath.log(product)
    }

    private mutating func logOfRisingSize(_ count: Double) -> Double {
        if count <= 12 && size <= 1e20 { return Self.logOfRising(size, count) }
        let known = logGammaOfSize ?? SpecialFunctions.fastLogGamma(size)
        logGammaOfSize = known
        return SpecialFunctions.fastLogGamma(size + count) - known
    }

    /// The probability of `count`, 1 or more, or more.
    func probability(ofAtLeast count: Double) -> Double {
        if skewness < Self.small { return normalProbability(ofAtLeast: count) }
        if mean >= Self.large { return gsl_cdf_gamma_Q(count - 0.5, mean * mean / variance, variance / mean) }
        if isPoisson { return gsl_cdf_gamma_P(mean, count, 1) }
        if variance > mean { return gsl_cdf_beta_P(1 - mean / variance, count, size) }
        return count >= size ? 0 : gsl_cdf_beta_P(1 - variance / mean, count, size - count + 1)
    }

    /// That of all three distributions.
    private var skewness: Double { (2 * variance / mean - 1) / variance.squareRoot() }

    /// Below this skewness the normal distribution with the next term of its series is as good as one needs.
    private static let small = 0.01
    /// From this mean on GSL's continued fraction for the beta distribution no longer converges. A count that is skew
    /// in spite of it varies far more than at random: it is a gamma distribution but for single requests.
    private static let large = 100_000.0

    /// The first terms of Edgeworth's series: within a hundredth of the probability as far as four deviations out.
    private func normalProbability(ofAtLeast count: Double) -> Double {
        let z = (count - 0.5 - mean) / variance.squareRoot()
        let density = DeterministicMath.exp(-z * z / 2) * 0.3989422804014327
        return min(1, max(0, SpecialFunctions.normalBelow(-z) + density * skewness / 6 * (z * z - 1)))
    }
}

/// Another draw's count where this draw's is small, so that no normal distribution fits.
public enum RareCount {
    /// The range of 95 % of other draws, which have `scale` times as many contributors: of a Poisson count whose mean
    /// is known from one count, with Jeffreys' prior: negative binomial (Gelman et al., "Bayesian Data Analysis", 2013,
    /// ch. 2.6).
    ///
    /// - Parameters:
    ///   - count: 0 or more.
    ///   - dispersion: the variance over the mean of counts, 1 or more: contributions come so many together.
    ///   - scale: above 0.
    public static func range(of count: Int64, dispersion: Double, scale: Double) -> ClosedRange<Double> {
        let ends = quantiles([0.025, 0.975], of: count, dispersion: dispersion, scale: scale)
        return ends[0]...ends[1]
    }

    /// The smallest counts that are not exceeded with these probabilities, in the same way.
    public static func quantiles(_ probabilities: [Double], of count: Int64, dispersion: Double, scale: Double)
        -> [Double]
    {
        let groups = (Double(count) / dispersion + 0.5) * scale
        let law = CountLaw(mean: dispersion * groups, variance: dispersion * dispersion * groups * (1 + scale))
        /// The smallest count that is exceeded with at most this probability.
        func quantile(exceeded probability: Double) -> Double {
            var (below, above) = (-1.0, 1.0)
            while law.probability(ofAtLeast: above + 1) > probability { (below, above) = (above, 2 * above) }
            while above - below > 1 {
                let middle = ((below + above) / 2).rounded(.down)
                if law.probability(ofAtLeast: middle + 1) > probability { below = middle } else { above = middle }
            }
            return above
        }
        return probabilities.map { quantile(exceeded: 1 - $0) }
    }
}
