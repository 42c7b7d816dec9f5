import Basics
import CGSL

/// The quantile of a shape at the probability of a standard normal score: what a Gaussian copula needs to give
/// correlated scores any marginal distribution.
///
/// Scores are correlated by adding multiples of independent ones, and the table turns each into a draw. Between nodes
/// 1/64 apart it is linear; its relative error against GSL is below 2e-4 for Student's t from 3 degrees on. Scores
/// beyond ± 8, due once in 10^15, count as ± 8.
@frozen public struct ScoreTable: @unchecked Sendable, BitwiseCopyable {
    @usableFromInline static var nodesPerUnit: Double { 64 }
    @usableFromInline static var farthest: Double { 8 }

    /// Unchecked sendability: the memory is written before the table exists, never changed and never freed.
    @usableFromInline let nodes: UnsafePointer<Double>

    /// - Throws: a problem if the shape's parameter is out of range or its quantiles cannot be rounded alike on every
    ///   processor.
    public init(_ shape: StandardShape) throws(DistributionProblem) {
        try shape.check()
        _ = StandardShape.gslIsQuiet
        let half = Int(Self.farthest * Self.nodesPerUnit)
        var values: [Double] = []
        for index in -half...half {
            let score = Double(index) / Self.nodesPerUnit
            // A symmetric shape's upper half mirrors its lower one.
            if index > 0 && shape.isSymmetric {
                values.append(-values[half - index])
            } else {
                values.append(shape.quantile(index < 0 ? .lower : .upper, gsl_cdf_ugaussian_Q(score.magnitude)))
            }
        }
        guard let grid = RoundingGrid.first(for: values, margin: 1e-13), values.allSatisfy(\.isFinite) else {
            throw DistributionProblem(
                name: shape.name, found: "quantiles that could round differently on another processor",
                expected: "a slightly different shape parameter")
        }
        // A node more, so that the farthest score has a right neighbour.
        nodes = SetUpMemory.keep((values + [values.last!]).map(grid.rounded))
    }

    /// The 64-bit FNV-1a hash of the table's numbers, the same on every machine.
    var hash: UInt64 {
        var hash = FNV1a()
        for index in 0...Int(2 * Self.farthest * Self.nodesPerUnit) { hash.add(nodes[index].bitPattern) }
        return hash.value
    }

    /// The quantile at the probability of `score`, monotone in it.
    @inlinable
    public func value(_ score: Double) -> Double {
        let bounded = max(-Self.farthest, min(Self.farthest, score))
        let place = (bounded + Self.farthest) * Self.nodesPerUnit
        let index = Int(place)
        return nodes[index] + (nodes[index + 1] - nodes[index]) * (place - Double(index))
    }
}
