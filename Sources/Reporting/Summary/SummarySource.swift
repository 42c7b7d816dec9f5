import Basics
import Fleet
import ScenarioModel
import Simulation
import WidgetPlatform

/// Everything that the rows of a summary are computed from, but those of a service.
struct SummarySource {
    var counts: SummaryCounts
    let load: LoadAnalysis
    let scenario: Scenario
    /// The pushes sent to the Live Activities of all kinds together, and of each; none without any.
    var sends: [SendFigures] = []
    /// Whether quantiles have the digits of their bins only.
    var roundsQuantiles = true

    private var plan: FleetPlan { scenario.plan }
    private var strata: [MeasureLayout.Stratum] { counts.layout.strata }

    /// The counts of all people.
    var useOfAll: UseCounts { use(plan.segments.indices, counts.layout.devices) { _ in true } }

    /// The Live Activities of all kinds together, and of each; none without any.
    var activities: [ActivityFigures] {
        ActivitySummary.figures(plan.live?.kinds ?? [], counts, sends, roundsQuantiles: roundsQuantiles)
    }

    /// The rows in the order of `SummaryMetrics.all`, those of Live Activities last.
    var rows: [SummaryRow] {
        let all = useOfAll
        let ofFleet = SummaryMetric<UseCounts>.fleet
        let ofUse = SummaryMetric<UseCounts>.use
        let ofLoad = SummaryMetric<LoadCounts>.load
        let requests = LoadCounts(windows: load.all, requests: counts.requests, span: scenario.reportedSpan)
        var rows = ofFleet.map { $0.row(all) } + ofLoad.map { $0.row(requests) } + ofUse.map { $0.row(all) }
        for (i, endpoint) in load.endpoints.enumerated() {
            let own = LoadCounts(
                windows: endpoint, requests: counts.requests(atEndpoint: i), span: scenario.reportedSpan)
            rows += ofLoad.map { $0.row(own, .endpoint, endpoint.name) }
        }
        for (i, segment) in plan.segments.enumerated() {
            let own = use([i], counts.layout.devices) { $0.segment == i }
            rows += (ofFleet + ofUse).map { $0.row(own, .segment, segment.name) }
        }
        for device in plan.deviceKinds {
            let own = use(plan.segments.indices, [device]) { $0.device == device }
            rows += (ofFleet + ofUse).map { $0.row(own, .device, device.name) }
        }
        for (i, kind) in plan.kinds.enumerated() {
            let own = use(plan.segments.indices, counts.layout.devices) { $0.kind == i }
            rows += ofUse.map { $0.row(own, .kind, kind.id) }
            guard let unit = kind.forecast?.unit else { continue }
            var forecasts = BlockSum<ForecastCounts>()
            for stratum in strata.indices where strata[stratum].kind == i {
                counts.addForecasts(ofStratum: stratum, to: &forecasts)
            }
            rows += SummaryMetric.forecast(unit: unit).map { $0.row(forecasts, .kind, kind.id) }
        }
        return rows + ActivitySummary.rows(activities)
    }

    /// The counts of some segments, kinds of device and strata.
    private func use(
        _ segments: some Sequence<Int>, _ devices: [DeviceKind], where fits: (MeasureLayout.Stratum) -> Bool
    ) -> UseCounts {
        UseCounts(
            totals: Totals(
                counts, segments: segments, devices: devices, strata: strata.indices.filter { fits(strata[$0]) }),
            span: scenario.reportedSpan, roundsQuantiles: roundsQuantiles)
    }
}
