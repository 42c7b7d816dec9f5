import Statistics

/// Trajectories through the unit cube that change one factor at a time: which factors matter at all, for few runs
/// (Morris 1991).
///
/// A trajectory begins at a random point of a grid and takes one step along every factor, in random order, up or down:
/// one elementary effect for each factor. k factors and r trajectories cost r (k + 1) runs. For screening; what share
/// of the variance a factor has, `SaltelliDesign` tells.
package struct MorrisDesign: Sendable {
    package let factors, trajectories: Int
    /// How many equally spaced values of each factor the grid has, 0 and 1 among them: an even number, so that with
    /// this step all are equally likely.
    package let levels: Int
    package let seed: UInt64
    /// The points, one trajectory after another, each with one more point than there are factors: the order of SALib's
    /// samples.
    ///
    /// Coordinates are level / (levels − 1), from 0 to 1.
    package let points: [[Double]]
    /// For each trajectory, in the order of its steps: which factor changes, and whether it rises.
    private let steps: [[Step]]

    private struct Step: Sendable {
        let factor: Int
        let isRise: Bool
    }

    /// - Parameters:
    ///   - factors: 1 or more.
    ///   - trajectories: 2 or more; Campolongo et al. use 10 to 50.
    ///   - levels: even, from 2 to 2^20; 4 is usual.
    package init(factors: Int, trajectories: Int, levels: Int = 4, seed: UInt64) {
        precondition(factors > 0 && trajectories > 1, "\(trajectories) trajectories through \(factors) factors")
        precondition((2...1 << 20).contains(levels) && levels.isMultiple(of: 2), "\(levels) levels")
        (self.factors, self.trajectories, self.levels, self.seed) = (factors, trajectories, levels, seed)
        var points: [[Double]] = []
        var steps: [[Step]] = []
        for trajectory in 0..<trajectories {
            let walk = Self.walk(trajectory, factors, levels, seed)
            points += walk.points.map { $0.map { Double($0) / Double(levels - 1) } }
            steps.append(walk.steps)
        }
        (self.points, self.steps) = (points, steps)
    }

    /// How far a step reaches: p / (2 (p − 1)) for p levels, Morris's choice.
    package var delta: Double { Double(levels) / Double(2 * (levels - 1)) }

    /// The levels of a trajectory's points, and its steps.
    private static func walk(_ trajectory: Int, _ factors: Int, _ levels: Int, _ seed: UInt64) -> (
        points: [[Int]], steps: [Step]
    ) {
        let streams = RandomStreams(seed: seed, person: UInt64(trajectory))
        var starts = streams[.trajectoryStart]
        var directions = streams[.trajectoryDirection]
        var order = streams[.trajectoryOrder]
        // A step is half the levels, so a factor goes between one of the lower half and its counterpart of the upper
        // half.
        let reach = levels / 2
        let low = (0..<factors).map { _ in Int(starts.nextIndex(below: UInt64(reach))) }
        let rises = (0..<factors).map { _ in directions.nextIndex(below: 2) == 1 }
        var levelsNow = zip(low, rises).map { $1 ? $0 : $0 + reach }
        var points = [levelsNow]
        var steps: [Step] = []
        for factor in order.permutation(of: factors) {
            levelsNow[factor] += rises[factor] ? reach : -reach
            points.append(levelsNow)
            steps.append(Step(factor: factor, isRise: rises[factor]))
        }
        return (points, steps)
    }
}

/// The effect of a factor on an output when it alone changes, over the grid of a `MorrisDesign`. All in units of the
/// output for the factor's whole range.
package struct MorrisEffect: Hashable, Sendable {
    /// The factor's number, from 0.
    package let factor: Int
    /// The mean elementary effect μ; effects of both signs cancel in it.
    package let mu: Double
    /// The mean size μ* of an elementary effect, by which factors are ranked (Campolongo, Cariboni and Saltelli 2007).
    package let muStar: Double
    /// The standard deviation σ of the elementary effects: large beside μ* where the factor's effect bends or depends
    /// on other factors.
    package let sigma: Double
    /// The interval of μ*, with 95 % confidence: ± 1.96 standard deviations of a bootstrap over trajectories, as SALib
    /// has it.
    ///
    /// Too narrow for few trajectories: on Ishigami's function it held the μ* of the whole grid in 73 to 89 of 100
    /// designs of 10 trajectories, in 88 to 93 of 20, and in 91 to 93 of 50. It tells which ranks are uncertain, not
    /// more.
    package let muStarInterval: ConfidenceInterval?
}

extension MorrisDesign {
    /// The effects of each factor on the outputs, in the factors' order.
    ///
    /// - Parameter outputs: one for each point, in the points' order, all finite.
    package func effects(of outputs: [Double], resamples: Int = Bootstrap.usualResamples) -> [MorrisEffect] {
        precondition(outputs.count == points.count, "\(outputs.count) outputs for \(points.count) points")
        precondition(outputs.allSatisfy(\.isFinite), "outputs that are not finite")
        let bootstrap = Bootstrap(seed: seed, resamples: resamples)
        let taken = (0..<resamples).map { bootstrap.resample($0, of: trajectories) }
        return elementaryEffects(of: outputs).enumerated().map { factor, effects in
            let summary = SampleSummary(effects)
            let sizes = effects.map(\.magnitude)
            let muStar = SampleSummary(sizes).mean
            let replicates = taken.map { numbers in numbers.reduce(0) { $0 + sizes[$1] } / Double(trajectories) }
            return MorrisEffect(
                factor: factor, mu: summary.mean, muStar: muStar, sigma: summary.standardDeviation ?? 0,
                muStarInterval: bootstrap.normalInterval(around: muStar, replicates: replicates))
        }
    }

    /// For each factor, the change of the output over each trajectory's step along it, divided by the step.
    func elementaryEffects(of outputs: [Double]) -> [[Double]] {
        var effects = [[Double]](repeating: [Double](repeating: 0, count: trajectories), count: factors)
        for (trajectory, steps) in steps.enumerated() {
            let first = trajectory * (factors + 1)
            for (place, step) in steps.enumerated() {
                let change = outputs[first + place + 1] - outputs[first + place]
                effects[step.factor][trajectory] = (step.isRise ? change : -change) / delta
            }
        }
        return effects
    }
}

/// Pairs of points that differ in one factor alone, from which follows what share of an output's variance each factor
/// has (Saltelli 2002, Saltelli et al. 2010): Sobol indices of first and total order.
///
/// Each base row has a point A, a point B, and for each factor A with this factor's coordinate of B. k factors and n
/// base rows cost n (k + 2) runs. A and B are the halves of one point of Sobol's sequence in 2k dimensions, hence at
/// most 20 factors.
///
/// GSL's sequence is not scrambled, so it is shifted by the seed (`QuasiRandom`). Root mean square errors of all
/// indices over 30 seeds, measured on Ishigami's function and the g-function of eight factors, beside other base rows;
/// SALib's are scrambled Sobol sequences:
///
/// | | base rows | shifted | SALib | Latin hypercube | random |
/// |---|---|---|---|---|---|
/// | Ishigami | 256 | 0.028 | 0.042 | 0.052 | 0.062 |
/// | | 1,024 | 0.0107 | 0.0059 | 0.026 | 0.029 |
/// | | 4,096 | 0.0015 | 0.0027 | 0.0118 | 0.0152 |
/// | g-function | 256 | 0.0062 | 0.0192 | 0.0245 | 0.0265 |
/// | | 1,024 | 0.0013 | 0.0027 | 0.0135 | 0.0153 |
/// | | 4,096 | 0.0004 | 0.0009 | 0.0077 | 0.0068 |
///
/// The sequence as it is, from its first point or after as many left out as are taken, had errors of the shifted one's
/// size, and no seeds to tell them by.
package struct SaltelliDesign: Sendable {
    /// Two dimensions of Sobol's sequence each.
    package static let mostFactors = SobolSequence.mostDimensions / 2

    package let factors: Int
    /// How many base rows.
    package let base: Int
    package let seed: UInt64
    /// The points: for each base row A, then A with each factor of B in turn, then B. The order of SALib's `sobol`
    /// sample without second order.
    ///
    /// Coordinates lie strictly between 0 and 1.
    package let points: [[Double]]

    /// - Parameters:
    ///   - factors: from 1 to 20.
    ///   - base: 2 or more; a power of two is best, since the sequence is even after each. 256 rank strong factors,
    ///     1,024 and more give shares.
    package init(factors: Int, base: Int, seed: UInt64) {
        precondition((1...Self.mostFactors).contains(factors) && base > 1, "\(base) base rows of \(factors) factors")
        (self.factors, self.base, self.seed) = (factors, base, seed)
        points = QuasiRandom.points(count: base, dimensions: 2 * factors, seed: seed).flatMap { row in
            let a = Array(row[..<factors])
            let b = Array(row[factors...])
            let crossed = (0..<factors).map { factor in
                var point = a
                point[factor] = b[factor]
                return point
            }
            return [a] + crossed + [b]
        }
    }
}
