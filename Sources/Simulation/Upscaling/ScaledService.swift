import Basics
import RefreshService
import Statistics

/// A service before many people, for whom those of a sample stand.
public struct ScaledService: Sendable {
    /// How many people they stand for.
    public let people: Int
    /// The measures of the service, and the requests that reached the edge.
    public let outcome: Outcome
    /// Likewise from a quarter of the sample's people each: between them lies what another sample would change.
    public let quarters: [Outcome]
    /// Likewise with copies spread over shorter blocks, and over longer ones.
    public let blocks: [Outcome]
    /// How the outcomes of reloads and what follows from them agree.
    public let agreement: Agreement

    public struct Outcome: Sendable {
        public let service: ServiceMeasures
        public let load: LoadCurve
    }

    /// The search for outcomes that bring about themselves: reloads that fail come back, and what comes back decides
    /// what fails.
    public struct Agreement: Hashable, Sendable {
        /// How often the sample was simulated.
        public var rounds: Int
        /// The share of reloads that the last round moved, to another minute or from well to failed.
        public var moved: Double
        /// The share of reloads that failed after their last try.
        public var failed: Double
        /// That share where the search began with a service that fails everybody; nil if it did not, since nothing
        /// fails.
        public var failedFromOutage: Double?
        /// Whether the last round moved next to nothing, and both searches came to the same outcomes.
        public var isReached: Bool

        package init(rounds: Int, moved: Double, failed: Double, failedFromOutage: Double?, isReached: Bool) {
            (self.rounds, self.moved, self.failed) = (rounds, moved, failed)
            (self.failedFromOutage, self.isReached) = (failedFromOutage, isReached)
        }
    }
}
