import Measures
import RefreshService
import Simulation

/// One figure of the service of a run: of one pool, or of all together.
package struct ServiceRow: Hashable, Sendable {
    /// The metric's name without the pool.
    package let metric: String
    /// `*` for all pools together.
    package let pool: String
    package let unit: String
    package let value: MetricValue

    /// What stands for all pools together; no pool can have this name.
    static let allName = "*"

    /// As thresholds name it.
    package var name: String { SummaryMetrics.prefix(pool: pool) + metric }
}

/// The names of a service's metrics and their rows, in one order: all pools together, then each.
enum ServiceSummary {
    /// As thresholds name them.
    static func names(pools: [String]) -> [String] {
        let traffic = (SummaryMetric<ServiceCounts>.traffic + SummaryMetric.cost(currency: "")).map(\.name)
        let all = SummaryMetric.serviceUse.map(\.name) + traffic
        let each = traffic + SummaryMetric<PoolNeed>.servers.map(\.name)
        return all.map { SummaryMetrics.prefix(pool: ServiceRow.allName) + $0 }
            + pools.flatMap { pool in each.map { SummaryMetrics.prefix(pool: pool) + $0 } }
    }

    /// - Parameters:
    ///   - edge: the requests at the edge.
    ///   - use: the counts of the whole fleet.
    static func rows(_ measures: ServiceMeasures, _ scenario: Scenario, edge: LoadAnalysis, origin: LoadStage, use: UseCounts)
        -> [ServiceRow]
    {
        guard let plan = scenario.service else { preconditionFailure("measures of a service that the scenario does not have") }
        precondition(
            measures.pools == plan.pools.count && measures.regions == plan.regions.count && plan.endpoints.count == edge.endpoints.count,
            "measures of another service")
        func counts(_ pools: [Int]) -> ServiceCounts {
            ServiceCounts(measures, plan, pools: pools, span: scenario.reportedSpan, load: edge, origin: origin)
        }
        let traffic = SummaryMetric<ServiceCounts>.traffic + SummaryMetric.cost(currency: plan.prices.currency)
        let all = counts(Array(plan.pools.indices))
        var rows =
            SummaryMetric.serviceUse.map { $0.row(use, pool: ServiceRow.allName) } + traffic.map { $0.row(all, pool: ServiceRow.allName) }
        for (i, pool) in plan.pools.enumerated() {
            let own = counts([i])
            let need = PoolNeed(own)
            rows += traffic.map { $0.row(own, pool: pool.name) } + SummaryMetric<PoolNeed>.servers.map { $0.row(need, pool: pool.name) }
        }
        return rows
    }
}

extension SummaryMetric {
    func row(_ source: Source, pool: String) -> ServiceRow { ServiceRow(metric: name, pool: pool, unit: unit, value: value(source)) }
}
