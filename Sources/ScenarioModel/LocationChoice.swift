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
