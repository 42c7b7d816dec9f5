import Statistics

/// How far the moments of a log are from those of simulated ones, and the settings that are near.
struct MomentDistance: Sendable {
    private let emulator: MomentEmulator
    private let target: [Double]
    private let factor: CholeskyFactor
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
        self.init(emulator, values, covariance: covariance)
    }

    private init?(_ emulator: MomentEmulator, _ values: [Double], covariance: [[Double]]) {
        guard let factor = CholeskyFactor(covariance) else { return nil }
        errors = covariance.indices.map { covariance[$0][$0].squareRoot() }
        self.emulator = emulator.mapped(factor.whitened)
        self.factor = factor
        target = factor.whitened(values)
    }

    /// The distance of the log's estimate from those of simulated logs.
    ///
    /// A polynomial of many moments misses a little of each, and the fit follows it. Estimates that are linear in the
    /// moments miss the same whether a log is simulated or not, so that logs of known settings tell what to correct,
    /// and how far estimates scatter (indirect inference; Gouriéroux, Monfort and Renault 1993).
    ///
    /// - Parameters:
    ///   - logs: places and moments of simulated logs near the fit.
    ///   - point: where the slopes are taken that estimates are made with.
    ///   - share: of a simulated log's variance that the log has, which has more clients.
    /// - Returns: nil if estimates do not scatter.
    func ofEstimates(by logs: [(place: [Double], moments: [Double])], slopesAt point: [Double], share: Double)
        -> MomentDistance?
    {
        let slopes = emulator.slopes(atPoint: point)
        let dimensions = slopes.count
        let normal = slopes.enumerated().map { row, one in
            slopes.enumerated().map { column, other in
                // A coordinate that the moments do not tell stays where it is.
                zip(one, other).reduce(row == column ? 0.1 : 0) { $0 + $1.0 * $1.1 }
            }
        }
        guard let solver = CholeskyFactor(normal) else { return nil }
        func estimate(_ whitened: [Double]) -> [Double] {
            solver.solved(slopes.map { zip($0, whitened).reduce(0) { $0 + $1.0 * $1.1 } })
        }
        let (corrected, scatter, freedom) = emulator.mapped(estimate).corrected(
            by: logs.map { estimate(factor.whitened($0.moments)) },
            atPoints: logs.map { emulator.point(of: $0.place) })
        precondition(freedom > dimensions + 1, "\(logs.count) logs for \(dimensions) parameters")
        // The covariance is an estimate, too: a normal distribution that is so much wider varies as Student's does.
        let widening = Double(freedom) / Double(freedom - dimensions - 1)
        let scale = widening * (share + Double(logs.count - freedom) / Double(logs.count))
        return MomentDistance(
            corrected, estimate(target), covariance: scatter.map { $0.map { scale * $0 } })
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
