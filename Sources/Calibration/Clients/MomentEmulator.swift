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

    /// Those with more numbers than moments.
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

    /// The emulator of moments that a factor has made independent of each other.
    func whitened(by factor: CholeskyFactor) -> MomentEmulator {
        let terms = coefficients[0].count
        var others = [[Double]](repeating: [Double](repeating: 0, count: terms), count: coefficients.count)
        for term in 0..<terms {
            for (moment, value) in factor.whitened(coefficients.map { $0[term] }).enumerated() {
                others[moment][term] = value
            }
        }
        return MomentEmulator(self, coefficients: others)
    }
}

/// How far the moments of a log are from those of simulated ones, and the settings that are near.
struct MomentDistance: Sendable {
    private let emulator: MomentEmulator
    private let target: [Double]
    /// The standard error of each moment's difference.
    let errors: [Double]

    /// - Parameters:
    ///   - values: the log's moments.
    ///   - perClient: the covariance of the moments of one client.
    ///   - clients: how many the log has.
    ///   - simulated: how many a simulation of the emulator's had, under each seed others.
    /// - Returns: nil if the covariance is singular.
    init?(_ emulator: MomentEmulator, _ values: [Double], perClient: [[Double]], clients: Int, simulated: Int) {
        let count = values.count
        var covariance = [[Double]](repeating: [Double](repeating: 0, count: count), count: count)
        // By the log's clients and by those of all seeds.
        let scale = 1 / Double(clients) + 1 / Double(max(1, simulated * emulator.seeds))
        for row in 0..<count {
            for column in 0..<count {
                // Covariances of so many moments are known with an error that leaves the smallest directions too
                // small: those off the diagonal are shrunk a little.
                covariance[row][column] =
                    (perClient[row][column] * scale + emulator.leverage * emulator.residuals[row][column])
                    * (row == column ? 1 : 0.98)
            }
        }
        guard let factor = CholeskyFactor(covariance) else { return nil }
        errors = covariance.indices.map { covariance[$0][$0].squareRoot() }
        self.emulator = emulator.whitened(by: factor)
        target = factor.whitened(values)
    }

    /// The squared distance at a point of the region; infinite outside of the ranges of simulated settings, and far
    /// from all of them.
    func squared(atPoint point: [Double]) -> Double {
        if point.reduce(0, { $0 + $1 * $1 }) > emulator.reach { return .infinity }
        if zip(emulator.place(of: point), emulator.ranges).contains(where: { !$1.contains($0) }) { return .infinity }
        let values = emulator.values(atPoint: point)
        var sum = 0.0
        for index in values.indices { sum += (target[index] - values[index]) * (target[index] - values[index]) }
        return sum
    }

    /// The nearest point, from several starts.
    func nearest(starts most: Int = 4) -> (point: [Double], squared: Double) {
        let dimensions = emulator.middle.count
        var best: (point: [Double], squared: Double) = (emulator.point(of: emulator.middle), .infinity)
        best.squared = squared(atPoint: best.point)
        var sobol = SobolSequence(dimensions: dimensions)
        var starts = [best.point]
        for _ in 0..<(16 * dimensions) {
            let point = emulator.point(of: sobol.next())
            if squared(atPoint: point).isFinite { starts.append(point) }
        }
        starts = starts.map { ($0, squared(atPoint: $0)) }.sorted { $0.1 < $1.1 }.prefix(most).map(\.0)
        for start in starts {
            let found = Minimum(
                of: { squared(atPoint: $0) }, from: start, steps: Array(repeating: 0.5, count: dimensions), size: 1e-4,
                mostIterations: 4_000)
            if found.value < best.squared { best = (found.point, found.value) }
        }
        return best
    }

    /// Places drawn with the likelihood of the log's moments, if all within the ranges are equally likely before: four
    /// chains by Metropolis, whose steps adapt while they warm up.
    func sample(count: Int, from start: [Double], seed: UInt64) -> [[Double]] {
        let dimensions = start.count
        let chains = 4
        var places: [[Double]] = []
        for chain in 0..<chains {
            var random = RandomStream(seed: seed, person: UInt64(chain), purpose: .designPlace)
            var (point, distance) = (start, squared(atPoint: start))
            var shape: CholeskyFactor?
            var scale = 0.1
            var kept: [[Double]] = []
            let warmUp = 2_000 + 400 * dimensions
            let thinning = 4 * dimensions
            let steps = warmUp + count / chains * thinning
            var accepted = 0
            for step in 0..<steps {
                let normals = (0..<dimensions).map { _ in Self.normal(&random) }
                let move = shape.map { $0.coloured(normals) } ?? normals
                let next = zip(point, move).map { $0 + scale * $1 }
                let other = squared(atPoint: next)
                let isTaken = DeterministicMath.log(random.nextUniform()) < (distance - other) / 2
                if isTaken { (point, distance) = (next, other) }
                if step < warmUp {
                    accepted += isTaken ? 1 : 0
                    kept.append(point)
                    if (step + 1) % 200 == 0 {
                        let rate = Double(accepted) / 200
                        accepted = 0
                        scale *= rate > 0.3 ? 1.3 : rate < 0.15 ? 0.7 : 1
                        if kept.count >= 600 {
                            let recent = Array(kept.suffix(kept.count / 2))
                            let middle = (0..<dimensions).map { index in
                                recent.reduce(0) { $0 + $1[index] } / Double(recent.count)
                            }
                            var covariance = MomentEmulator.covariance(recent, middle)
                            for index in 0..<dimensions { covariance[index][index] += 1e-6 }
                            if let factor = CholeskyFactor(covariance) {
                                if shape == nil { scale = 2.4 / Double(dimensions).squareRoot() }
                                shape = factor
                            }
                        }
                    }
                } else if (step - warmUp) % thinning == thinning - 1 {
                    places.append(emulator.place(of: point).map { min(1, max(0, $0)) })
                }
            }
        }
        return places
    }

    /// A draw from the normal distribution, by Box and Muller's polar form as Marsaglia has it.
    static func normal(_ random: inout RandomStream) -> Double {
        while true {
            let (x, y) = (2 * random.nextUniform() - 1, 2 * random.nextUniform() - 1)
            let square = x * x + y * y
            if square > 0 && square < 1 { return x * (-2 * DeterministicMath.log(square) / square).squareRoot() }
        }
    }
}
