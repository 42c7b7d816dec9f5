import Basics
import Fleet
import RefreshService
import Statistics

/// Whether the pools of a service can serve their mean load at all.
extension ScenarioEstimate {
    /// The mean load of each pool of the service by the estimate of first tries and background fetches, requests a
    /// second, and whether edges may answer others besides.
    ///
    /// Answers that edges may keep are left out of the load, so it is not too high for a pool behind a cache; bursts,
    /// retries and events are left out too. Traffic from outside the fleet is included.
    package func poolLoads(of scenario: Scenario) -> [(perSecond: Double, isKept: Bool)] {
        guard let service = scenario.service else { return [] }
        let seconds = (scenario.plan.end - .start).inSeconds
        var loads = Array(repeating: 0.0, count: service.pools.count)
        var isKept = Array(repeating: false, count: service.pools.count)
        for (index, kind) in scenario.plan.kinds.enumerated() {
            let endpoint = service.endpoints[kind.endpoint]
            if endpoint.cache != nil && !kind.isPersonal {
                isKept[endpoint.pool] = true
            } else {
                loads[endpoint.pool] += firstTries[index] / seconds
            }
        }
        for background in service.background {
            let endpoint = service.endpoints[background.endpoint]
            if endpoint.cache != nil {
                isKept[endpoint.pool] = true
            } else {
                loads[endpoint.pool] += background.meanRate(until: scenario.plan.end)
            }
        }
        for (endpoint, count) in fetchRequests.enumerated() {
            loads[service.endpoints[endpoint].pool] += count / seconds
        }
        return zip(loads, isKept).map { ($0, $1) }
    }
}
