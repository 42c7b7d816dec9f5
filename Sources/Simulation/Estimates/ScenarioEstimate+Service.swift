import Basics
import ScenarioModel

/// Whether the pools of a service can serve their mean load at all.
extension ScenarioEstimate {
    /// The mean load of each pool of the service by the estimate of first tries and background fetches, requests a
    /// second, and whether edges may answer others besides.
    ///
    /// Answers that edges may keep are left out of the load, so it is not too high for a pool behind a cache; bursts,
    /// retries, events and failovers are left out too. Traffic from outside the fleet is included.
    package func poolLoads(of scenario: Scenario) -> [(perSecond: Double, isKept: Bool)] {
        guard let service = scenario.service else { return [] }
        let seconds = (scenario.plan.end - scenario.plan.begin).inSeconds
        var loads = Array(repeating: 0.0, count: service.pools.count)
        var isKept = Array(repeating: false, count: service.pools.count)
        func add(_ rate: Double, to endpoint: Int, by weights: [Double], isKept kept: Bool) {
            let total = max(weights.reduce(0, +), .leastNormalMagnitude)
            for (region, weight) in weights.enumerated() where weight > 0 {
                let pool = service.pool(endpoint: endpoint, region: region)
                if kept { isKept[pool] = true } else { loads[pool] += rate * weight / total }
            }
        }
        let people = scenario.plan.peopleByRegion
        for (index, kind) in scenario.plan.kinds.enumerated() {
            let keeps = service.endpoints[kind.endpoint].cache != nil && !kind.isPersonal
            add(firstTries[index] / seconds, to: kind.endpoint, by: people, isKept: keeps)
        }
        for background in service.background {
            add(
                background.meanRate(from: scenario.plan.begin, until: scenario.plan.end), to: background.endpoint,
                by: background.regionWeights,
                isKept: service.endpoints[background.endpoint].cache != nil)
        }
        for (endpoint, count) in fetchRequests.enumerated() {
            add(count / seconds, to: endpoint, by: people, isKept: false)
        }
        return zip(loads, isKept).map { ($0, $1) }
    }
}
