/// How the values of a kind's versions differ (C1).
public enum ContentValue: Hashable, Sendable {
    /// Each version has a value of its own, evenly drawn from 0 to this.
    case steps(Double)
    /// The value walks at random: over a day it changes by this, as a standard deviation.
    case walk(Double)
}
