import Basics
import Statistics

/// Parameters of greatest likelihood, with their covariance.
///
/// The covariance is that of the sandwich H⁻¹JH⁻¹, of the curvature H and the people's own slopes J, so that it holds
/// approximately for people who follow another distribution than the fitted one; for fewer than ten terms it is H⁻¹.
struct Likelihood {
    let parameters: [Double]
    /// By row and column; not a number where the likelihood has no curvature.
    let covariance: [[Double]]
    /// The logarithm of the likelihood there.
    let logValue: Double
    let terms: Int
    let isFound: Bool

    /// Akaike's criterion: smaller is better.
    var aic: Double { 2 * Double(parameters.count) - 2 * logValue }

    /// - Parameters:
    ///   - terms: how many people (or days) there are, 1 or more.
    ///   - start: where to begin; parameters on scales on which steps of `step` are small and any number is allowed.
    ///   - logLikelihood: that of one term.
    init(terms: Int, start: [Double], step: Double = 0.3, _ logLikelihood: (Int, [Double]) -> Double) {
        precondition(terms > 0, "a likelihood of nothing")
        func total(_ point: [Double]) -> Double { (0..<terms).reduce(0) { $0 - logLikelihood($1, point) } }
        let minimum = Minimum(of: total, from: start, steps: Array(repeating: step, count: start.count), size: 1e-5)
        let best = minimum.point
        parameters = best
        logValue = -minimum.value
        isFound = minimum.isFound
        self.terms = terms

        let count = best.count
        let h = 1e-3
        func moved(_ shifts: [(Int, Double)]) -> [Double] {
            var point = best
            for (index, by) in shifts { point[index] += by }
            return point
        }
        var curvature = Array(repeating: Array(repeating: 0.0, count: count), count: count)
        for a in 0..<count {
            for b in 0...a {
                let value: Double
                if a == b {
                    value = (total(moved([(a, h)])) - 2 * minimum.value + total(moved([(a, -h)]))) / (h * h)
                } else {
                    value =
                        (total(moved([(a, h), (b, h)])) - total(moved([(a, h), (b, -h)]))
                            - total(moved([(a, -h), (b, h)]))
                            + total(moved([(a, -h), (b, -h)]))) / (4 * h * h)
                }
                curvature[a][b] = value
                curvature[b][a] = value
            }
        }
        guard let inverse = Self.inverse(curvature) else {
            covariance = Array(repeating: Array(repeating: .nan, count: count), count: count)
            return
        }
        if terms < 10 {
            covariance = inverse
            return
        }
        var slopes = Array(repeating: Array(repeating: 0.0, count: count), count: count)
        for term in 0..<terms {
            let slope = (0..<count).map {
                (logLikelihood(term, moved([($0, h)])) - logLikelihood(term, moved([($0, -h)]))) / (2 * h)
            }
            for a in 0..<count { for b in 0..<count { slopes[a][b] += slope[a] * slope[b] } }
        }
        covariance = Self.product(Self.product(inverse, slopes), inverse)
    }

    /// The 95 % interval of a parameter, by Student's t.
    func interval(_ index: Int) -> (low: Double, high: Double)? {
        let variance = covariance[index][index]
        guard variance.isFinite, variance > 0 else { return nil }
        let reach = Self.reach(degrees: terms - parameters.count) * variance.squareRoot()
        return (parameters[index] - reach, parameters[index] + reach)
    }

    /// How many standard errors a 95 % interval reaches to either side.
    static func reach(degrees: Int) -> Double { StudentT.quantile(0.975, degreesOfFreedom: Double(max(1, degrees))) }

    static func product(_ a: [[Double]], _ b: [[Double]]) -> [[Double]] {
        a.map { row in b[0].indices.map { column in row.indices.reduce(0) { $0 + row[$1] * b[$1][column] } } }
    }

    /// The inverse of a small symmetric matrix, by Gauss and Jordan; nil if it is not positive on its diagonal on the
    /// way.
    static func inverse(_ matrix: [[Double]]) -> [[Double]]? {
        let count = matrix.count
        var left = matrix
        var right = (0..<count).map { row in (0..<count).map { $0 == row ? 1.0 : 0 } }
        for pivot in 0..<count {
            let value = left[pivot][pivot]
            guard value.isFinite, value > 1e-12 else { return nil }
            for column in 0..<count {
                left[pivot][column] /= value
                right[pivot][column] /= value
            }
            for row in 0..<count where row != pivot {
                let factor = left[row][pivot]
                for column in 0..<count {
                    left[row][column] -= factor * left[pivot][column]
                    right[row][column] -= factor * right[pivot][column]
                }
            }
        }
        return right
    }
}

/// Values over people that were each measured with some error: the mean and the standard deviation of what is behind
/// them.
///
/// Normal, by restricted likelihood: the spread is not made smaller by the mean having been fitted.
struct NormalOverPeople {
    let mean, spread: Double
    let meanInterval, spreadInterval: (low: Double, high: Double)?

    /// - Parameter errors: the variances of the values' errors; as many as there are values, of which there are 2 or
    ///   more.
    init(_ values: [Double], errors: [Double]) {
        precondition(values.count == errors.count && values.count > 1, "\(values.count) values")
        let count = Double(values.count)
        let middle = values.reduce(0, +) / count
        let variance = values.reduce(0) { $0 + ($1 - middle) * ($1 - middle) } / (count - 1)
        let error = errors.reduce(0, +) / count
        let start = max(variance - error, variance * 0.05, 1e-12)
        let scale = max(variance, 1e-12).squareRoot()
        // In units of the values' own deviation, so that steps suit minutes and years alike.
        let units = zip(values, errors).map { (($0 - middle) / scale, $1 / (scale * scale)) }
        let restriction = (count - 1) / count
        let fit = Likelihood(terms: values.count, start: [0, DeterministicMath.log(start.squareRoot() / scale)]) {
            index, point in
            let deviation = DeterministicMath.exp(point[1])
            let total = deviation * deviation + units[index].1
            let distance = units[index].0 - point[0]
            return -0.5 * (restriction * DeterministicMath.log(total) + distance * distance / total)
        }
        mean = middle + scale * fit.parameters[0]
        let deviation = DeterministicMath.exp(fit.parameters[1])
        // A spread far below the errors counts as 0.
        spread = deviation < 1e-3 ? 0 : scale * deviation
        meanInterval = fit.interval(0).map { (middle + scale * $0.low, middle + scale * $0.high) }
        spreadInterval =
            spread == 0
            ? nil
            : fit.interval(1).map { (scale * DeterministicMath.exp($0.low), scale * DeterministicMath.exp($0.high)) }
    }
}

/// The greatest distance between a sample's distribution function and the fitted one: Kolmogorov and Smirnov's.
struct Distance {
    let value: Double
    let count: Int
    /// The fitted probabilities at the sample's quartiles: 0.25, 0.5 and 0.75 for a perfect fit.
    let quartiles: [Double]

    /// - Parameter places: the fitted distribution function at each value of the sample.
    init?(_ places: [Double]) {
        guard !places.isEmpty else { return nil }
        let sorted = places.sorted()
        count = sorted.count
        var greatest = 0.0
        for (index, place) in sorted.enumerated() {
            greatest = max(greatest, place - Double(index) / Double(count), Double(index + 1) / Double(count) - place)
        }
        value = greatest
        quartiles = [0.25, 0.5, 0.75].map { sorted[min(sorted.count - 1, Int($0 * Double(sorted.count)))] }
    }

    /// More than chance (5 %), and more than a twentieth.
    var isBad: Bool { value > 0.05 && value > 1.36 / Double(count).squareRoot() }

    var text: String {
        "KS \(FitText.number(value, digits: 3)) (n \(FigureText.grouped(count))), quartiles at "
            + quartiles.map { FitText.number($0, digits: 2) }.joined(separator: " ")
    }
}
