import Basics
import ScenarioModel
import Statistics

/// An app's background fetch, prepared.
struct PreparedFetch {
    let app: Int
    let every: Duration
    let isAligned: Bool
    let isPresent: Bernoulli
    let spread: DurationDistribution
    let endpoint: Int
    let requests: Int

    init(_ fetch: BackgroundFetch, _ tables: inout StandardTables) throws(DistributionProblem) {
        app = fetch.app
        every = fetch.every
        isAligned = fetch.isAligned
        isPresent = try Bernoulli(probability: fetch.share)
        spread = try fetch.spread.preparedDurations(with: &tables)
        endpoint = fetch.endpoint
        requests = fetch.requests
    }
}
