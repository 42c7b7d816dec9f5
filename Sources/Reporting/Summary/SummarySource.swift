import ResultFiles
import Basics
import Fleet
import ScenarioModel
import Simulation
import WidgetPlatform

/// Everything that the rows of a summary are computed from, but those of a service.
struct SummarySource {
    var counts: SummaryCounts
    var load: LoadAnalysis
    let scenario: Scenario
    /// The pushes sent to the Live Activities of all kinds together, and of each; none without any.
    var sends: [LoadAnalysis.Endpoint] = []
    /// Whether quantiles have all the digits that they are computed with.
    var isExact = false

    private var plan: FleetPlan { scenario.plan }
    private var strata: [MeasureLayout.Stratum] { counts.layout.strata }

    /// The counts of all people.
    var useOfAll: UseCounts { use(plan.segments.indices, counts.layout.devices) { _ in true } }

    /// The Live Activities of all kinds together, and of each; none without any.
    var activities: [ActivityFigures] { ActivitySummary.figures(plan.live?.kinds ?? [], counts, sends) }

    /// The rows in the order of `SummaryMetrics.all`, those of Live Activities last.
    var rows: [SummaryRow] {
        let ofFleet: Figures<UseCounts> = [.fleet, .use]
        let all = useOfAll
        func load(_ windows: LoadAnalysis.Endpoint, _ requests: Int64) -> LoadCounts {
            LoadCounts(windows: windows, requests: requests, span: scenario.reportedSpan)
        }
        var rows = rows(.fleet, all) + self.rows(.load, load(self.load.all, counts.requests)) + self.rows(.use, all)
        for (i, endpoint) in self.load.endpoints.enumerated() {
            rows += self.rows(.load, load(endpoint, counts.requests(atEndpoint: i)), .endpoint, endpoint.name)
        }
        for (i, segment) in plan.segments.enumerated() {
            let own = use([i], counts.layout.devices) { $0.segment == i }
            rows += self.rows(ofFleet, own, .segment, segment.name)
        }
        for device in plan.deviceKinds {
            let own = use(plan.segments.indices, [device]) { $0.device == device }
            rows += self.rows(ofFleet, own, .device, device.name)
        }
        for (i, kind) in plan.kinds.enumerated() {
            let own = use(plan.segments.indices, counts.layout.devices) { $0.kind == i }
            rows += self.rows(.use, own, .kind, kind.id)
            guard let unit = kind.forecast?.unit else { continue }
            var forecasts = BlockSum<ForecastCounts>()
            for stratum in strata.indices where strata[stratum].kind == i {
                counts.addForecasts(ofStratum: stratum, to: &forecasts)
            }
            rows += self.rows(.forecastError(unit: unit), forecasts, .kind, kind.id)
        }
        return rows + ActivitySummary.rows(activities, isExact: isExact)
    }

    private func rows<Source>(
        _ figures: Figures<Source>, _ source: Source, _ scope: SummaryScope = .run, _ part: String = ""
    ) -> [SummaryRow] { figures.rows(source, scope, part, isExact: isExact) }

    /// The counts of some segments, kinds of device and strata.
    private func use(
        _ segments: some Sequence<Int>, _ devices: [DeviceKind], where fits: (MeasureLayout.Stratum) -> Bool
    ) -> UseCounts {
        UseCounts(
            totals: Totals(
                counts, segments: segments, devices: devices, strata: strata.indices.filter { fits(strata[$0]) }),
            span: scenario.reportedSpan)
    }
}
