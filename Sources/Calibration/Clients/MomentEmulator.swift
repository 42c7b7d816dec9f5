import Statistics

/// The moments of simulated logs as functions of the setting: a polynomial of the second degree for each, by least
/// squares over simulated settings of a region.
struct MomentEmulator: Sendable {
    /// The middle of the region, and its shape: a place u is x = L⁻¹(u − middle) in it.
    let middle: [Double]
    private let shape: CholeskyFactor
    /// By moment, then by term.
    private let coefficients: [[Double]]
    /// The covariance of the residuals: what one simulation scatters, and what the polynomial misses.
    let residuals: [[Double]]
    /// The share of the residuals' variance that the polynomial's own error has, on average.
    let leverage: Double
    /// How far from the middle, squared, simulated settings lie.
    let reach: Double
    /// How many seeds the settings share.
    let seeds: Int
    /// The part of each parameter's range that has simulated settings.
    let ranges: [ClosedRange<Double>]

    /// Settings under one seed have the same people, so that their differences scatter far less than each of them: what
    /// a seed adds to all its settings is estimated beside the polynomial, whose constant is the mean of the seeds.
    ///
    /// - Parameters:
    ///   - places: of the settings, each between 0 and 1; more than there are terms and seeds.
    ///   - values: the moments of each.
    ///   - seeds: so many, each of a setting in turn.
    init(_ places: [[Double]], _ values: [[Double]], seeds: Int = 1) {
        let (count, dimensions, moments) = (places.count, places[0].count, values[0].count)
        let middle = (0..<dimensions).map { index in places.reduce(0) { $0 + $1[index] } / Double(count) }
        var spread = Self.covariance(places, middle)
        for index in 0..<dimensions { spread[index][index] += 1e-8 }
        guard let shape = CholeskyFactor(spread) else { preconditionFailure("settings that lie in a plane") }
        let points = places.map { place in shape.whitened(zip(place, middle).map { $0 - $1 }) }
        let polynomial = Self.terms(dimensions)
        let terms = points.enumerated().map { place, point in
            // The last seed's part is what brings the sum of all to 0.
            let seed = place % seeds
            return Self.terms(point)
                + (0..<seeds - 1).map { seed == $0 ? 1 : seed == seeds - 1 ? -1 : 0 }
        }
        let number = terms[0].count
        precondition(count > number, "\(count) settings for \(number) terms")
        var gram = [[Double]](repeating: [Double](repeating: 0, count: number), count: number)
        for term in terms {
            for row in 0..<number {
                for column in 0...row { gram[row][column] += term[row] * term[column] }
            }
        }
        for row in 0..<number {
            for column in 0..<row { gram[column][row] = gram[row][column] }
            // A little shrinkage of what is not the mean keeps terms that the settings hardly tell apart small.
            if row > 0 && row < polynomial { gram[row][row] += 1e-3 * Double(count) }
        }
        guard let factor = CholeskyFactor(gram) else { preconditionFailure("a polynomial without a solution") }
        var coefficients: [[Double]] = []
        var errors = [[Double]](repeating: [Double](repeating: 0, count: moments), count: count)
        for moment in 0..<moments {
            var right = [Double](repeating: 0, count: number)
            for (term, value) in zip(terms, values) {
                for index in 0..<number { right[index] += term[index] * value[moment] }
            }
            let own = factor.solved(right)
            coefficients.append(Array(own.prefix(polynomial)))
            for (place, term) in terms.enumerated() {
                errors[place][moment] = values[place][moment] - Self.product(own, term)
            }
        }
        let zero = [Double](repeating: 0, count: moments)
        var residuals = Self.covariance(errors, zero)
        let correction = Double(count - 1) / Double(count - number)
        for row in 0..<moments { for column in 0..<moments { residuals[row][column] *= correction } }
        (self.middle, self.shape, self.coefficients, self.residuals) = (middle, shape, coefficients, residuals)
        leverage = Double(polynomial) / Double(count)
        reach = points.map { $0.reduce(0) { $0 + $1 * $1 } }.max() ?? 0
        self.seeds = seeds
        ranges = (0..<dimensions).map { index in
            let own = places.map { $0[index] }
            return own.min()!...own.max()!
        }
    }

    /// Other functions of the same settings.
    private init(_ other: MomentEmulator, coefficients: [[Double]]) {
        (middle, shape, residuals) = (other.middle, other.shape, other.residuals)
        (leverage, reach, seeds, ranges) = (other.leverage, other.reach, other.seeds, other.ranges)
        self.coefficients = coefficients
    }

    /// The covariance of some points round a middle.
    static func covariance(_ points: [[Double]], _ middle: [Double]) -> [[Double]] {
        let count = middle.count
        var sums = [[Double]](repeating: [Double](repeating: 0, count: count), count: count)
        for point in points {
            for row in 0..<count {
                let own = point[row] - middle[row]
                for column in 0...row { sums[row][column] += own * (point[column] - middle[column]) }
            }
        }
        let number = Double(max(1, points.count - 1))
        for row in 0..<count {
            for column in 0...row {
                sums[row][column] /= number
                sums[column][row] = sums[row][column]
            }
        }
        return sums
    }

    /// How many terms there are.
    static func terms(_ dimensions: Int) -> Int { 1 + dimensions + dimensions * (dimensions + 1) / 2 }

    /// 1, each coordinate, and each product of two.
    private static func terms(_ x: [Double]) -> [Double] {
        var terms = [1.0] + x
        for row in x.indices { for column in 0...row { terms.append(x[row] * x[column]) } }
        return terms
    }

    @inline(__always) private static func product(_ one: [Double], _ other: [Double]) -> Double {
        var sum = 0.0
        for index in one.indices { sum += one[index] * other[index] }
        return sum
    }

    /// The moments at a place.
    func values(at place: [Double]) -> [Double] { values(atPoint: point(of: place)) }

    func values(atPoint point: [Double]) -> [Double] {
        let terms = Self.terms(point)
        return coefficients.map { Self.product($0, terms) }
    }

    /// A place as the region has it.
    func point(of place: [Double]) -> [Double] { shape.whitened(zip(place, middle).map { $0 - $1 }) }
    /// A point of the region as a place.
    func place(of point: [Double]) -> [Double] { zip(shape.coloured(point), middle).map { $0 + $1 } }

    /// The slopes of the moments at a point, one list for each coordinate.
    func slopes(atPoint point: [Double]) -> [[Double]] {
        point.indices.map { index in
            func moved(by step: Double) -> [Double] {
                var moved = point
                moved[index] += step
                return values(atPoint: moved)
            }
            // The central difference of a polynomial of the second degree is its slope.
            return zip(moved(by: 0.5), moved(by: -0.5)).map { $0 - $1 }
        }
    }

    /// The emulator of numbers that are linear in the moments.
    func mapped(_ map: ([Double]) -> [Double]) -> MomentEmulator {
        let columns = coefficients[0].indices.map { term in map(coefficients.map { $0[term] }) }
        return MomentEmulator(
            self, coefficients: columns[0].indices.map { number in columns.map { $0[number] } })
    }

    /// The emulator with what simulated logs have beyond it: a linear function of the point, by least squares.
    ///
    /// - Parameters:
    ///   - points: of the logs, more than there are coordinates by two at least.
    ///   - values: of each log.
    /// - Returns: the corrected emulator, the covariance of what is left of the values, and the degrees of freedom that
    ///   it has.
    func corrected(by values: [[Double]], atPoints points: [[Double]]) -> (
        emulator: MomentEmulator, scatter: [[Double]], freedom: Int
    ) {
        let rests = zip(points, values).map { point, value in zip(value, self.values(atPoint: point)).map { $0 - $1 } }
        let terms = points.map { [1.0] + $0 }
        let number = terms[0].count
        precondition(terms.count > number, "\(terms.count) logs for \(number) terms")
        let gram = (0..<number).map { row in
            (0..<number).map { column in
                terms.reduce(0) { $0 + $1[row] * $1[column] } + (row == column ? 1e-6 * Double(terms.count) : 0)
            }
        }
        guard let factor = CholeskyFactor(gram) else { preconditionFailure("logs of settings that lie in a plane") }
        var others = coefficients
        var left = rests
        for moment in others.indices {
            let own = factor.solved(
                (0..<number).map { row in zip(terms, rests).reduce(0) { $0 + $1.0[row] * $1.1[moment] } })
            for row in 0..<number { others[moment][row] += own[row] }
            for log in left.indices { left[log][moment] -= Self.product(own, terms[log]) }
        }
        let freedom = terms.count - number
        let scale = Double(terms.count - 1) / Double(freedom)
        let scatter = Self.covariance(left, [Double](repeating: 0, count: others.count))
            .map { $0.map { scale * $0 } }
        return (MomentEmulator(self, coefficients: others), scatter, freedom)
    }
}
