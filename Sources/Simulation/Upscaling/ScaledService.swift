import Basics
import Fleet
import RefreshService
import Statistics

/// A service before many people, for whom those of a sample stand.
public struct ScaledService: Sendable {
    /// How many people they stand for.
    public let people: Int
    /// The measures of the service, and the requests that reached the edge.
    public let outcome: Outcome
    /// Likewise from a half of the sample's people each (`HalfSamples`), with draws of its own; none without ranges.
    public let halves: [Outcome]
    /// How the outcomes of reloads and what follows from them agree.
    public let agreement: Agreement

    public struct Outcome: Sendable {
        public let service: ServiceMeasures
        public let load: LoadCurve
        /// The measures of the sample's people, all of them, whose reloads end as they did in this computation; nil
        /// where they are those of the run.
        public internal(set) var people: RunMeasures?
    }

    /// The search for outcomes that bring about themselves: reloads that fail come back, and what comes back decides
    /// what fails.
    public struct Agreement: Sendable {
        /// How often the sample was simulated.
        public var rounds: Int
        /// The share of reloads that the last round moved, to another minute or from well to failed, in the minutes in
        /// which reloads fail.
        public var moved: Double
        /// The share of reloads that failed after their last try.
        public var failed: Double
        /// That share from each half of the people; nil if nothing fails, or the rounds of all came to no end.
        public var failedOfHalves: (Double, Double)?
        /// Whether the last rounds moved next to nothing, those of the halves, too.
        public var isSettled: Bool
        /// Whether both halves came to the same outcomes as all people.
        public var halvesAgree = true
        /// Whether the outcomes can be taken for those of all people.
        public var isReached: Bool { isSettled && halvesAgree }
    }
}

/// Balanced half samples of the people of a sample (McCarthy, "Pseudo-replication: half samples", 1969): people are
/// divided into seven strata of two groups each, and a half sample has one group of every stratum, chosen by the
/// columns of a Hadamard matrix of order eight.
///
/// The mean square of the differences between a figure from each half sample and that from all is the variance of the
/// figure between samples, with seven degrees of freedom. A figure that is no sum is less off in halves than in smaller
/// parts.
package enum HalfSamples {
    package static let count = 8
    static let strata = count - 1
    /// A sample of fewer leaves groups empty.
    static let leastPeople = 2 * strata

    /// Whether a person of the sample is in a half sample.
    static func holds(_ half: Int, person: Int) -> Bool {
        let (stratum, group) = (person / 2 % strata + 1, person % 2)
        return (half & stratum).nonzeroBitCount % 2 == group
    }
}
