import Fleet
import Simulation
import WidgetPlatform

/// The names of all metrics of a scenario's summary, so that thresholds are checked before anything is simulated.
///
/// A metric of the whole run has a plain name (`share_stale`); one of a part has the part before it: `<kind>.share_stale`,
/// `segment.<segment>.share_stale`, `device.<kind of device>.share_stale`, `endpoint.<endpoint>.load_peak_1s`. Those of a service stand in
/// `service_summary.csv` and not in the summary: `service.share_shed` of all pools together, `service.<pool>.share_shed` of one.
public enum SummaryMetrics {
    /// In the order of the summary's rows, then of the service's.
    public static func names(for scenario: Scenario) -> [String] {
        let summary = names(
            kinds: scenario.plan.kinds.map(\.id), segments: scenario.plan.segments.map(\.name),
            devices: scenario.plan.deviceKinds.map(\.name), endpoints: scenario.plan.endpoints,
            forecasts: Set(scenario.plan.kinds.filter { $0.forecast != nil }.map(\.id)))
        return summary + (scenario.service.map { ServiceSummary.names(pools: $0.pools.map(\.name)) } ?? [])
    }

    /// In the order of the summary's rows.
    ///
    /// - Parameters:
    ///   - devices: the kinds of device that anybody can have.
    ///   - forecasts: the kinds whose content is a forecast.
    package static func names(kinds: [String], segments: [String], devices: [String], endpoints: [String], forecasts: Set<String>)
        -> [String]
    {
        let forecast = SummaryMetric<BlockSum<ForecastCounts>>.forecast(unit: "").map(\.name)
        let load = SummaryMetric<LoadCounts>.load.map(\.name)
        let fleet = SummaryMetric<UseCounts>.fleet.map(\.name)
        let use = SummaryMetric<UseCounts>.use.map(\.name)
        return fleet + load + use
            + endpoints.flatMap { endpoint in load.map { prefix(endpoint: endpoint) + $0 } }
            + segments.flatMap { segment in (fleet + use).map { prefix(segment: segment) + $0 } }
            + devices.flatMap { device in (fleet + use).map { prefix(device: device) + $0 } }
            + kinds.flatMap { kind in (use + (forecasts.contains(kind) ? forecast : [])).map { prefix(kind: kind) + $0 } }
    }

    static func prefix(endpoint: String) -> String { "endpoint.\(endpoint)." }
    static func prefix(segment: String) -> String { "segment.\(segment)." }
    static func prefix(device: String) -> String { "device.\(device)." }
    static func prefix(kind: String) -> String { "\(kind)." }
    /// A metric of `service_summary.csv` as thresholds name it.
    package static func name(_ metric: String, pool: String) -> String { prefix(pool: pool) + metric }

    static func prefix(pool: String) -> String { pool == ServiceRow.allName ? "service." : "service.\(pool)." }
}

extension FleetPlan {
    /// The kinds of device that anybody can have.
    var deviceKinds: [DeviceKind] {
        let present = Set(replay.isEmpty ? segments.flatMap { $0.devices.map(\.kind) } : replay.map(\.kind))
        return DeviceKind.allCases.filter(present.contains)
    }
}

/// One row of the summary.
package struct SummaryRow: Hashable, Sendable {
    package let metric: String
    package let unit: String
    package let value: MetricValue
}

/// A threshold with what was measured. A metric without a value does not meet it.
package struct ThresholdVerdict: Hashable, Sendable {
    package let threshold: Threshold
    package let measured: MetricValue

    package var holds: Bool { measured.asDouble.map { threshold.op.holds($0, threshold.value) } ?? false }
}
