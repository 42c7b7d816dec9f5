import Basics
import ScenarioModel
import Statistics

/// An app's background fetch, prepared.
struct PreparedFetch {
    let app: Int
    let every: Duration
    let isAligned, followsUse: Bool
    let isPresent: Bernoulli
    let spread: DurationDistribution
    let endpoint: Int
    let requests: Int
    /// Whether a provider of the app's shows what it brings (C6).
    let isRead: Bool

    init(_ fetch: BackgroundFetch, isRead: Bool, _ tables: inout StandardTables) throws(DistributionProblem) {
        app = fetch.app
        every = fetch.every
        (isAligned, followsUse) = (fetch.isAligned, fetch.followsUse)
        isPresent = try Bernoulli(probability: fetch.share)
        spread = try fetch.spread.preparedDurations(with: &tables)
        endpoint = fetch.endpoint
        requests = fetch.requests
        self.isRead = isRead
    }
}
