import Statistics

/// How often people turn a stack that they see (V3).
struct StackFlips: BitwiseCopyable {
    /// Pickups to the next one at which they do.
    let first: Geometric
    /// Whether they turn it once more.
    let further: Bernoulli

    /// Nil for a share of 0.
    init?(share: Double, _ exponential: QuantileTable) throws(DistributionProblem) {
        further = try Bernoulli(probability: share)
        if share == 0 { return nil }
        first = Geometric(probability: share, exponential: exponential)
    }
}
