import Statistics

/// The key of an instance's content (L7, R5).
public enum LocationChoice: Hashable, Sendable {
    /// Nothing: the same content for everybody.
    case none
    /// The place where the person is.
    case current
    /// One of some places or symbols, each as likely as its popularity says.
    case chosen([String], popularity: ChoicePopularity = .even)
}

/// How often each of some choices is taken (R5).
public enum ChoicePopularity: Hashable, Sendable {
    case even
    /// In the order of the choices, the r-th in proportion to 1 / r^exponent.
    case zipf(exponent: Double)
    /// In proportion to weights, one a choice, 0 or more and not all 0.
    case weights([Double])
}

extension ChoicePopularity {
    /// The weights of some choices, in their order.
    package func weights(_ count: Int) -> [Double] {
        switch self {
        case .even: Array(repeating: 1, count: count)
        // Rank r from 1 has the weight 1 / r^exponent.
        case .zipf(let exponent): (0..<count).map { DeterministicMath.pow(Double($0 + 1), -exponent) }
        case .weights(let weights): weights
        }
    }
}
