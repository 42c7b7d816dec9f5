import ResultFiles
import RefreshService
import ScenarioModel
import Simulation
import Statistics

/// The names of a service's metrics and their rows, in one order: all pools together, then each.
enum ServiceSummary {
    /// As thresholds name them.
    static func all(pools: [String], currency: String) -> [KnownMetric] {
        let traffic: Figures<ServiceCounts> = [.traffic, .cost(currency: currency)]
        return Figures.serviceUse.known(.pool, SummaryScope.allParts) + traffic.known(.pool, SummaryScope.allParts)
            + pools.flatMap { traffic.known(.pool, $0) + Figures.servers.known(.pool, $0) }
    }

    /// - Parameters:
    ///   - edge: the requests at the edge.
    ///   - use: the counts of the whole fleet.
    static func rows(
        _ measures: ServiceMeasures, _ scenario: Scenario, edge: LoadStage, origin: LoadStage, use: UseCounts
    ) -> [SummaryRow] {
        guard let plan = scenario.service else {
            preconditionFailure("measures of a service that the scenario does not have")
        }
        precondition(
            measures.pools == plan.pools.count && measures.regions == plan.regions.count
                && plan.endpoints.count == edge.analysis.endpoints.count, "measures of another service")
        // Each of the people stands for so many.
        let scale = Double(scenario.report.represents ?? scenario.people) / Double(scenario.people)
        let pushes = Int64(cutting: (Double(use.fleet[.pushes] + use.fleet[.silentPushes]) * scale).rounded())
        func counts(_ pools: [Int]) -> ServiceCounts {
            ServiceCounts(
                measures, plan, pools: pools, span: scenario.reportedSpan, edge: edge, origin: origin,
                pushes: pools.count == plan.pools.count ? pushes : nil)
        }
        let traffic: Figures<ServiceCounts> = [.traffic, .cost(currency: plan.prices.currency)]
        return Figures.serviceUse.rows(use, .pool, SummaryScope.allParts)
            + traffic.rows(counts(Array(plan.pools.indices)), .pool, SummaryScope.allParts)
            + plan.pools.enumerated().flatMap { i, pool in
                let own = counts([i])
                return traffic.rows(own, .pool, pool.name) + Figures.servers.rows(PoolNeed(own), .pool, pool.name)
            }
    }
}
