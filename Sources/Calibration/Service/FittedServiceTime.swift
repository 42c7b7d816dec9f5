import Statistics

/// A distribution of service times that a pool accepts, fitted by maximum likelihood. Times in seconds.
///
/// One time in a thousand may be anything: a distribution fitted to real times shall not hang on a pause of the machine
/// (Huber's contaminated distribution, "Robust estimation of a location parameter", 1964). Among the distributions the
/// one with the least Bayesian criterion is taken (Schwarz, "Estimating the dimension of a model", 1978).
struct FittedServiceTime: Sendable {
    enum Family: String, CaseIterable, Sendable {
        case constant, exponential, gamma, lognormal

        /// The names of its parameters in a scenario.
        var parameters: [String] {
            switch self {
            case .constant: ["mean"]
            case .exponential: ["mean"]
            case .gamma: ["shape", "mean"]
            case .lognormal: ["median", "sigma"]
            }
        }
    }

    let family: Family
    /// As `parameters` of the family names them; of the part above the minimum.
    let values: [Double]
    /// Added to every draw.
    let minimum: Double
    let logLikelihood: Double
    let count: Int

    /// The share of times that may be anything.
    static let outliers = 0.001
    /// Relative to the typical time: a distribution that is narrower is constant.
    static let narrowest = 0.005

    var freeParameters: Int { values.count + (minimum > 0 ? 1 : 0) }
    /// Schwarz's criterion: smaller is better.
    var criterion: Double { Double(freeParameters) * DeterministicMath.log(Double(max(2, count))) - 2 * logLikelihood }

    var mean: Double {
        switch family {
        case .constant: values[0] + minimum
        case .exponential: values[0] + minimum
        case .gamma: values[1] + minimum
        case .lognormal: values[0] * DeterministicMath.exp(values[1] * values[1] / 2) + minimum
        }
    }

    /// The standard deviation over the mean.
    var variation: Double {
        let above = mean - minimum
        let deviation: Double =
            switch family {
            case .constant: 0
            case .exponential: above
            case .gamma: above / values[0].squareRoot()
            case .lognormal: above * max(0, DeterministicMath.exp(values[1] * values[1]) - 1).squareRoot()
            }
        return mean > 0 ? deviation / mean : 0
    }

    /// As the service draws from it.
    var distribution: Distribution {
        let shape: Distribution.Shape =
            switch family {
            case .constant: .constant(values[0])
            case .exponential: .exponential(mean: values[0])
            case .gamma: .gamma(shape: values[0], mean: values[1])
            case .lognormal: .lognormal(median: values[0], sigma: values[1])
            }
        return Distribution(shape, shift: minimum)
    }

    /// The probability of a shorter time.
    func below(_ time: Double) -> Double {
        let above = time - minimum
        if family == .constant { return above < values[0] ? 0 : 1 }
        if above <= 0 { return 0 }
        return switch family {
        case .constant, .exponential: 1 - DeterministicMath.exp(-above / values[0])
        case .gamma: SpecialFunctions.gammaBelow(above, shape: values[0], mean: values[1])
        case .lognormal: SpecialFunctions.normalBelow(DeterministicMath.log(above / values[0]) / values[1])
        }
    }

    // MARK: Densities

    /// The logarithm of the density at a time above the minimum, for parameters on the scales of a fit: logarithms.
    static func logDensity(_ family: Family, _ above: Double, _ point: [Double]) -> Double {
        switch family {
        case .constant, .exponential: return -point[0] - above * DeterministicMath.exp(-point[0])
        case .gamma:
            let shape = DeterministicMath.exp(min(6.9, max(-1.6, point[0])))
            return GammaOverPeople.logDensity(above, shape: shape, mean: DeterministicMath.exp(point[1]))
        case .lognormal:
            let sigma = DeterministicMath.exp(min(3, max(-10, point[1])))
            let score = (DeterministicMath.log(above) - point[0]) / sigma
            return -0.5 * score * score - DeterministicMath.log(above * sigma) - 0.9189385332046727
        }
    }

    /// The logarithm of the mixture of a density with anything within `reach`.
    static func contaminated(_ logDensity: Double, reach: Double) -> Double {
        DeterministicMath.log((1 - outliers) * DeterministicMath.exp(min(300, logDensity)) + outliers / (2 * reach))
    }
}

// MARK: Fits

extension FittedServiceTime {
    /// The sums from which every family has its first parameters in closed form.
    private struct Sums {
        var count = 0.0, sum = 0.0, squares = 0.0, logs = 0.0, logSquares = 0.0

        init(_ times: [Double], minimum: Double) {
            for time in times where time > minimum {
                let above = time - minimum
                let log = DeterministicMath.log(above)
                count += 1
                sum += above
                squares += above * above
                logs += log
                logSquares += log * log
            }
        }

        /// On the scales of a fit; nil without times.
        func start(_ family: Family) -> [Double]? {
            guard count > 0, sum > 0 else { return nil }
            let mean = sum / count
            switch family {
            case .constant, .exponential: return [DeterministicMath.log(mean)]
            case .gamma:
                let variance = max(squares / count - mean * mean, 1e-3 * mean * mean)
                return [DeterministicMath.log(mean * mean / variance), DeterministicMath.log(mean)]
            case .lognormal:
                let middle = logs / count
                let variance = max(logSquares / count - middle * middle, narrowest * narrowest)
                return [middle, 0.5 * DeterministicMath.log(variance)]
            }
        }
    }

    /// How likely the times are under the best of the families, roughly: with their parameters in closed form from the
    /// times above 0. Times of 0 or less count as what may be anything, so that a number of servers that makes many of
    /// them impossible is unlikely.
    ///
    /// - Parameter reach: seconds; the longest time there can be.
    static func roughLogLikelihood(_ times: [Double], reach: Double) -> Double {
        let sums = Sums(times, minimum: 0)
        let outlier = DeterministicMath.log(outliers / (2 * reach))
        guard sums.count > 0 else { return outlier * Double(times.count) }
        let families: [Family] = [.exponential, .gamma, .lognormal]
        return families.compactMap { family in
            guard let point = sums.start(family) else { return nil }
            return times.reduce(0) {
                $0 + ($1 > 0 ? contaminated(logDensity(family, $1, point), reach: reach) : outlier)
            }
        }.max() ?? outlier * Double(times.count)
    }

    /// No fit looks at more times than these, evenly taken.
    static let mostTimes = 50_000

    /// The minima that are tried, as shares of the shortest time. Nearer to it the likelihood of some distributions has
    /// no bound.
    private static let minima = [0, 0.5, 0.8, 0.9, 0.95]

    /// A fitted distribution and what is known of its parameters.
    struct Fit {
        let serviceTime: FittedServiceTime
        /// 95 % intervals of the family's parameters.
        let intervals: [(low: Double, high: Double)?]
        let meanInterval: (low: Double, high: Double)?
        let distance: Distance?
        /// The criterion of the best distribution of each other family, less that of the one that was taken.
        let others: [(family: Family, behind: Double)]
    }

    /// - Parameters:
    ///   - all: seconds; those of 0 or less are left out.
    ///   - step: the step of the record's clock in seconds.
    /// - Returns: nil without times.
    static func fit(_ all: [Double], step: Double) -> Fit? {
        let positive = all.filter { $0 > 0 }
        guard !positive.isEmpty else { return nil }
        let every = (positive.count + mostTimes - 1) / mostTimes
        let times = stride(from: 0, to: positive.count, by: every).map { positive[$0] }
        let sorted = times.sorted()
        let (least, median) = (sorted[0], sorted[sorted.count / 2])
        let reach = max(sorted[sorted.count - 1], 1e-6)
        // The middle 98 % lie within a step of the clock, or within what no load test can tell.
        let (low, high) = (sorted[sorted.count / 100], sorted[sorted.count - 1 - sorted.count / 100])
        if high - low <= max(2 * step, 2 * narrowest * median) || times.count < 5 {
            let serviceTime = FittedServiceTime(
                family: .constant, values: [median], minimum: 0, logLikelihood: 0, count: times.count)
            let interval = (low: low, high: high)
            return Fit(
                serviceTime: serviceTime, intervals: [interval], meanInterval: interval, distance: nil, others: [])
        }
        var best: (serviceTime: FittedServiceTime, likelihood: Likelihood)?
        var criteria: [(family: Family, criterion: Double)] = []
        for family in [Family.exponential, .gamma, .lognormal] {
            // The minimum by the closed forms, and the rest by the likelihood: a simplex on an edge of the likelihood
            // finds anything.
            let candidates = Self.minima.compactMap { share -> (minimum: Double, start: [Double], criterion: Double)? in
                let minimum = share * least
                guard let start = Sums(times, minimum: minimum).start(family) else { return nil }
                let value = logLikelihood(family, times, minimum: minimum, start, reach: reach)
                return (minimum, start, -2 * value + (minimum > 0 ? DeterministicMath.log(Double(times.count)) : 0))
            }
            let chosen = candidates.min { ($0.criterion, $0.minimum) < ($1.criterion, $1.minimum) }
            let own = chosen.map { maximum(family, times, minimum: $0.minimum, start: $0.start, reach: reach) }
            guard let own else { continue }
            criteria.append((family, own.serviceTime.criterion))
            if best.map({ own.serviceTime.criterion < $0.serviceTime.criterion }) ?? true { best = own }
        }
        guard let (serviceTime, likelihood) = best else { return nil }
        let own: [(low: Double, high: Double)?] = serviceTime.values.indices.map { index in
            likelihood.interval(index).map { (DeterministicMath.exp($0.low), DeterministicMath.exp($0.high)) }
        }
        return Fit(
            serviceTime: serviceTime, intervals: own, meanInterval: serviceTime.meanInterval(likelihood),
            distance: Distance(times.map(serviceTime.below)),
            others: criteria.filter { $0.family != serviceTime.family }.map {
                ($0.family, $0.criterion - serviceTime.criterion)
            })
    }

    /// The intervals of the parameters of the same family with the same minimum for other times; a value twice where
    /// there is none.
    func alike(_ times: [Double]) -> [(low: Double, high: Double)] {
        let sorted = times.sorted()
        guard family != .constant, let start = Sums(times, minimum: minimum).start(family) else {
            return [(sorted[sorted.count / 100], sorted[sorted.count - 1 - sorted.count / 100])]
        }
        let (other, likelihood) = Self.maximum(
            family, times, minimum: minimum, start: start, reach: max(sorted[sorted.count - 1], 1e-6))
        return other.values.indices.map { index in
            likelihood.interval(index).map { (DeterministicMath.exp($0.low), DeterministicMath.exp($0.high)) }
                ?? (other.values[index], other.values[index])
        }
    }

    private static func logLikelihood(
        _ family: Family, _ times: [Double], minimum: Double, _ point: [Double], reach: Double
    ) -> Double {
        times.reduce(0) {
            $0 + contaminated($1 > minimum ? logDensity(family, $1 - minimum, point) : -700, reach: reach)
        }
    }

    private static func maximum(_ family: Family, _ times: [Double], minimum: Double, start: [Double], reach: Double)
        -> (serviceTime: FittedServiceTime, likelihood: Likelihood)
    {
        let likelihood = Likelihood(terms: times.count, start: start, step: 0.1) { index, point in
            contaminated(
                times[index] > minimum ? logDensity(family, times[index] - minimum, point) : -700, reach: reach)
        }
        let values: [Double] =
            switch family {
            case .constant, .exponential: [DeterministicMath.exp(likelihood.parameters[0])]
            case .gamma:
                [
                    DeterministicMath.exp(min(6.9, max(-1.6, likelihood.parameters[0]))),
                    DeterministicMath.exp(likelihood.parameters[1]),
                ]
            case .lognormal:
                [
                    DeterministicMath.exp(likelihood.parameters[0]),
                    DeterministicMath.exp(min(3, max(-10, likelihood.parameters[1]))),
                ]
            }
        let serviceTime = FittedServiceTime(
            family: family, values: values, minimum: minimum, logLikelihood: likelihood.logValue, count: times.count)
        return (serviceTime, likelihood)
    }

    /// That of the mean, by the first derivatives of its logarithm above the minimum (the delta method).
    private func meanInterval(_ likelihood: Likelihood) -> (low: Double, high: Double)? {
        let slopes: [Double] =
            switch family {
            case .constant, .exponential: [1]
            case .gamma: [0, 1]
            case .lognormal: [1, values[1] * values[1]]
            }
        var variance = 0.0
        for a in slopes.indices {
            for b in slopes.indices { variance += slopes[a] * slopes[b] * likelihood.covariance[a][b] }
        }
        guard variance.isFinite, variance > 0 else { return nil }
        let reach = Likelihood.reach(degrees: likelihood.terms - slopes.count) * variance.squareRoot()
        let above = mean - minimum
        return (minimum + above * DeterministicMath.exp(-reach), minimum + above * DeterministicMath.exp(reach))
    }
}
