import Statistics

extension Likelihood {
    /// Points and weights of Gauss and Hermite for nine values of a standard normal error.
    private static let points: [(at: Double, weight: Double)] = [
        (0, 0.40634920634920635), (1.023255663789133, 0.24409750289493934), (-1.023255663789133, 0.24409750289493934),
        (2.0768479786778302, 0.049916406765217905), (-2.0768479786778302, 0.049916406765217905),
        (3.205429002856470, 0.002789141321231769),
        (-3.205429002856470, 0.002789141321231769), (4.512745863399783, 0.00002234584400774658),
        (-4.512745863399783, 0.00002234584400774658),
    ]

    /// A distribution over people of values that were each measured with a normal error: its parameters by maximum
    /// likelihood.
    ///
    /// - Parameters:
    ///   - values: above 0.
    ///   - errors: the variances of their errors.
    ///   - logDensity: of the distribution at a value above 0.
    init(_ values: [Double], errors: [Double], start: [Double], _ logDensity: (Double, [Double]) -> Double) {
        self.init(terms: values.count, start: start) { index, point in
            let deviation = errors[index].squareRoot()
            if deviation < 1e-6 * values[index] { return logDensity(values[index], point) }
            var density = 0.0
            for (at, weight) in Self.points {
                let value = values[index] + deviation * at
                if value > 0 { density += weight * DeterministicMath.exp(logDensity(value, point)) }
            }
            return density > 0 ? DeterministicMath.log(density) : -700
        }
    }
}

struct GammaOverPeople {
    let shape, mean: Double
    let shapeInterval, meanInterval: (low: Double, high: Double)?
    let aic: Double

    /// - Parameters:
    ///   - values: above 0, two or more.
    ///   - errors: the variances of their errors.
    init(_ values: [Double], errors: [Double]) {
        precondition(values.count > 1 && values.allSatisfy { $0 > 0 }, "values of a gamma distribution")
        let count = Double(values.count)
        let middle = values.reduce(0, +) / count
        let variance = values.reduce(0) { $0 + ($1 - middle) * ($1 - middle) } / (count - 1)
        let own = max(variance - errors.reduce(0, +) / count, 1e-3 * middle * middle)
        let start = [DeterministicMath.log(min(500, max(0.1, middle * middle / own))), DeterministicMath.log(middle)]
        let fit = Likelihood(values, errors: errors, start: start) { value, point in
            let shape = DeterministicMath.exp(min(20, max(-10, point[0])))
            return Self.logDensity(value, shape: shape, mean: DeterministicMath.exp(point[1]))
        }
        shape = DeterministicMath.exp(fit.parameters[0])
        mean = DeterministicMath.exp(fit.parameters[1])
        shapeInterval = fit.interval(0).map { (DeterministicMath.exp($0.low), DeterministicMath.exp($0.high)) }
        meanInterval = fit.interval(1).map { (DeterministicMath.exp($0.low), DeterministicMath.exp($0.high)) }
        aic = fit.aic
    }

    static func logDensity(_ value: Double, shape: Double, mean: Double) -> Double {
        let rate = shape / mean
        return shape * DeterministicMath.log(rate) + (shape - 1) * DeterministicMath.log(value) - rate * value
            - SpecialFunctions.logGamma(shape)
    }
}

/// The likelihood of one person's k given their daily counts, over a grid of its logarithm.
///
/// The counts are negative binomial with the variance μ + μ²/k, and μ is their mean. Cox and Reid's adjustment takes
/// out what fitting the mean does to k.
struct DailyShapeProfile {
    /// The natural logarithms of k.
    static let grid: [Double] = (0...100).map { -2 + 0.15 * Double($0) }
    /// The least k of the grid.
    static let leastK = DeterministicMath.exp(grid[0])

    /// At the points of the grid, less the greatest.
    let logLikelihood: [Double]
    /// How much the best k has over chance alone.
    let gainOverPoisson: Double
    let days: Int

    /// - Parameter counts: of whole days, with at least one unlock among them.
    init(_ counts: [Int]) {
        days = counts.count
        let mean = Double(counts.reduce(0, +)) / Double(counts.count)
        let found = Self.grid.map { Self.value(counts, mean: mean, k: DeterministicMath.exp($0)) }
        let most = found.max()!
        logLikelihood = found.map { $0 - most }
        gainOverPoisson = most - found[found.count - 1]
    }

    static func value(_ counts: [Int], mean: Double, k: Double) -> Double {
        let part = DeterministicMath.log(k / (k + mean))
        let other = DeterministicMath.log(mean / (k + mean))
        var sum = -Double(counts.count) * SpecialFunctions.logGamma(k)
        for count in counts {
            sum +=
                SpecialFunctions.logGamma(Double(count) + k) - SpecialFunctions.logGamma(Double(count) + 1) + k * part
                + Double(count)
                * other
        }
        return sum + 0.5 * DeterministicMath.log(mean + mean * mean / k)
    }

    /// One k for all, with the interval of its profile likelihood.
    static func common(_ profiles: [DailyShapeProfile]) -> (k: Double, interval: (low: Double, high: Double)?) {
        let total = grid.indices.map { index in profiles.reduce(0) { $0 + $1.logLikelihood[index] } }
        let best = total.indices.max { total[$0] < total[$1] }!
        // Between the grid's points by a parabola through the three at the top.
        var log = grid[best]
        var top = total[best]
        if best > 0, best < grid.count - 1 {
            let (a, b, c) = (total[best - 1], total[best], total[best + 1])
            let bend = a - 2 * b + c
            if bend < 0 {
                let shift = 0.5 * (a - c) / bend
                log += shift * 0.15
                top = b - 0.25 * (a - c) * shift
            }
        }
        func crossing(_ step: Int) -> Double? {
            var index = best
            while index + step >= 0, index + step < grid.count {
                let next = index + step
                if total[next] < top - 1.9207 {
                    let share = (total[index] - (top - 1.9207)) / (total[index] - total[next])
                    return DeterministicMath.exp(grid[index] + (grid[next] - grid[index]) * share)
                }
                index = next
            }
            return nil
        }
        let interval: (low: Double, high: Double)? = crossing(-1).map { ($0, crossing(1) ?? .infinity) }
        return (DeterministicMath.exp(log), interval)
    }
}

/// The lognormal distribution of k over people, with the noise of each person's k integrated out.
struct DailyShapeOverPeople {
    let median, sigma: Double
    let medianInterval, sigmaInterval: (low: Double, high: Double)?

    /// The least and the greatest σ that is looked for: below, the distribution is narrower than the grid; above,
    /// wider.
    static let sigmas = 0.1...20.0

    /// Whether people differ by no more than the least σ: it is a bound then and not an estimate.
    var isSigmaLeast: Bool { sigma <= Self.sigmas.lowerBound }

    /// At the second parameter of the likelihood.
    private static func sigma(at logarithm: Double) -> Double {
        min(sigmas.upperBound, max(sigmas.lowerBound, DeterministicMath.exp(min(4, logarithm))))
    }

    /// - Parameter profiles: two or more.
    init(_ profiles: [DailyShapeProfile]) {
        let weights = profiles.map { $0.logLikelihood.map { DeterministicMath.exp($0) } }
        let start = DailyShapeProfile.common(profiles).k
        let fit = Likelihood(terms: profiles.count, start: [DeterministicMath.log(start), DeterministicMath.log(0.6)]) {
            index, point in
            let sigma = Self.sigma(at: point[1])
            var (sum, norm) = (0.0, 0.0)
            for (place, log) in DailyShapeProfile.grid.enumerated() {
                let score = (log - point[0]) / sigma
                if score.magnitude > 8 { continue }
                let density = DeterministicMath.exp(-0.5 * score * score)
                sum += density * weights[index][place]
                norm += density
            }
            // A distribution that lies beyond the grid.
            guard norm > 0, sum > 0 else { return -700 }
            return DeterministicMath.log(sum / norm)
        }
        median = DeterministicMath.exp(fit.parameters[0])
        let sigma = Self.sigma(at: fit.parameters[1])
        self.sigma = sigma
        // Where people hardly differ, the likelihood does not bend in σ, and k is as if it were one for all.
        medianInterval =
            fit.interval(0).map { (DeterministicMath.exp($0.low), DeterministicMath.exp($0.high)) }
            ?? DailyShapeProfile.common(profiles).interval
        sigmaInterval =
            Self.sigmas.lowerBound < sigma && sigma < Self.sigmas.upperBound
            ? fit.interval(1).map { (Self.sigma(at: $0.low), Self.sigma(at: $0.high)) } : nil
    }
}
