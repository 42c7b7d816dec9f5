import RefreshService
import ScenarioModel
import Simulation
import Statistics

/// The names of a service's metrics and their rows, in one order: all pools together, then each.
enum ServiceSummary {
    /// As thresholds name them.
    static func all(pools: [String], currency: String) -> [KnownMetric] {
        let traffic = (SummaryMetric<ServiceCounts>.traffic + SummaryMetric.cost(currency: currency)).map(\.known)
        let all = SummaryMetric.serviceUse.map(\.known) + traffic
        let each = traffic + SummaryMetric<PoolNeed>.servers.map(\.known)
        return all.map { SummaryRow.known($0, scope: .pool, part: SummaryRow.allPools) }
            + pools.flatMap { pool in each.map { SummaryRow.known($0, scope: .pool, part: pool) } }
    }

    /// - Parameters:
    ///   - edge: the requests at the edge.
    ///   - use: the counts of the whole fleet.
    static func rows(
        _ measures: ServiceMeasures, _ scenario: Scenario, edge: LoadStage, origin: LoadStage, use: UseCounts
    )
        -> [SummaryRow]
    {
        guard let plan = scenario.service else {
            preconditionFailure("measures of a service that the scenario does not have")
        }
        precondition(
            measures.pools == plan.pools.count && measures.regions == plan.regions.count
                && plan.endpoints.count == edge.analysis.endpoints.count,
            "measures of another service")
        let pushes = use.fleet[.pushes] + use.fleet[.silentPushes]
        func counts(_ pools: [Int]) -> ServiceCounts {
            ServiceCounts(
                measures, plan, pools: pools, span: scenario.reportedSpan, edge: edge, origin: origin,
                pushes: pools.count == plan.pools.count ? pushes : nil)
        }
        let traffic = SummaryMetric<ServiceCounts>.traffic + SummaryMetric.cost(currency: plan.prices.currency)
        let all = counts(Array(plan.pools.indices))
        var rows =
            SummaryMetric.serviceUse.map { $0.row(use, .pool, SummaryRow.allPools) }
            + traffic.map { $0.row(all, .pool, SummaryRow.allPools) }
        for (i, pool) in plan.pools.enumerated() {
            let own = counts([i])
            let need = PoolNeed(own)
            rows +=
                traffic.map { $0.row(own, .pool, pool.name) }
                + SummaryMetric<PoolNeed>.servers.map { $0.row(need, .pool, pool.name) }
        }
        return rows
    }
}
