/// How far the highest windows of a load are high together: people who come back every half hour are as many half an
/// hour later, so that fewer windows than there are have a chance of their own to be the largest.
///
/// Other draws are imitated by weights that are drawn for the groups of people, which leave what windows have in common
/// as it is (Chernozhukov, Chetverikov and Kato, "Gaussian approximations and multiplier bootstrap for maxima of sums
/// of high-dimensional random vectors", Annals of Statistics 41, 2013). A level that no window passes in half of the
/// draws is passed by ln 2 windows in the mean if each has its own chance, and by more if they pass together: by one
/// over the extremal index (Leadbetter, Lindgren and Rootzén, "Extremes and related properties of random sequences and
/// processes", 1983, ch. 3).
struct WindowDependence: Sendable {
    private var means: [Double] = []
    /// By window, the requests of each group beyond its share; their squares add up to the window's variance.
    private var residuals: [Double] = []
    private var groups = 0

    /// As many windows tell it well enough.
    var isFull: Bool { means.count >= 2_048 }

    mutating func add(mean: Double, residuals: [Double]) {
        means.append(mean)
        self.residuals += residuals
        groups = residuals.count
    }

    /// How many windows have a chance of their own to be the largest, as a share: 1 if all have.
    ///
    /// - Parameter scale: the people of the draw over those who were counted.
    func ownChances(scale: Double) -> Double {
        if means.count < 2 { return 1 }
        // Eight windows side by side, each summed in the order of its groups. Those that fill up the last eight lie
        // below all others.
        let blocks = (means.count + 7) / 8
        var starts = [SIMD8<Double>](repeating: SIMD8(repeating: -.infinity), count: blocks)
        var columns = [SIMD8<Double>](repeating: .zero, count: blocks * groups)
        for window in means.indices {
            let (block, place) = (window / 8, window % 8)
            starts[block][place] = means[window]
            for group in 0..<groups { columns[block * groups + group][place] = residuals[window * groups + group] }
        }
        var heights: [SIMD8<Double>] = []
        heights.reserveCapacity(Self.draws * blocks)
        var largest: [Double] = []
        for draw in 0..<Self.draws {
            let weights = weights(draw: draw, length: (Double(groups) / scale).squareRoot())
            var most = SIMD8<Double>.zero
            for block in 0..<blocks {
                var height = starts[block]
                for group in 0..<groups { height += weights[group] * columns[block * groups + group] }
                heights.append(height)
                most.replace(with: height, where: height .> most)
            }
            largest.append(most.max())
        }
        largest.sort()
        let level = (largest[Self.draws / 2 - 1] + largest[Self.draws / 2]) / 2
        var above = SIMD8<Int64>.zero
        for height in heights { above.replace(with: above &+ 1, where: height .> level) }
        // At least one in each of half of the draws.
        let passing = Double(above.wrappedSum()) / Double(Self.draws)
        return min(1, DeterministicMath.log(2) / passing)
    }

    /// A draw at random among all weights of the groups with so large a sum of squares: the same in every run.
    private func weights(draw: Int, length: Double) -> [Double] {
        var stream = RandomStream(seed: 0, person: UInt64(draw), purpose: .halfOfLoad, sub: 2)
        let weights = (0..<groups).map { _ in SpecialFunctions.normalQuantile(stream.nextUniform()) }
        let factor = length / weights.reduce(0) { $0 + $1 * $1 }.squareRoot()
        return weights.map { $0 * factor }
    }

    private static let draws = 64
}
