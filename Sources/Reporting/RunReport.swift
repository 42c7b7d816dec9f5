import Fleet
import Simulation
import SimulatedTime
import WidgetPlatform

/// What a run's files say: the measures of a result under their names, and what is computed from them.
///
/// Making it costs a pass over the load curve; the files, the summary and the verdicts read the same numbers.
public struct RunReport: Sendable {
    package let result: RunResult
    /// The first 16 hex digits of the SHA-256 of all measures.
    package let fingerprint: String
    /// One row a metric, in the order of `SummaryMetrics.names(for:)`, which goes on with those of the service.
    package let summary: [SummaryRow]
    /// One row a metric of the service; none without a service.
    package let service: [ServiceRow]
    /// One a threshold, in the scenario's order.
    package let verdicts: [ThresholdVerdict]

    let names: Names
    let edge, origin: LoadStage

    /// The names behind the indices of the measures.
    struct Names: Sendable {
        let segments, kinds, endpoints, regions: [String]
    }

    public init(_ result: RunResult) {
        let plan = result.scenario.plan
        let layout = result.measures.layout
        names = Names(
            segments: plan.segments.map(\.name), kinds: plan.kinds.map(\.id), endpoints: plan.endpoints, regions: plan.regions)
        precondition(
            layout.segments == names.segments.count && layout.lines.allSatisfy { $0.kind < plan.kinds.count },
            "measures of another scenario")
        precondition(result.load.regions == names.regions.count, "a load curve of another scenario")
        self.result = result
        fingerprint = result.fingerprint
        edge = LoadStage(
            name: LoadStage.edgeName, curve: result.load, analysis: LoadAnalysis(result.load, names: plan.endpoints))
        let originCurve = result.service?.originLoad ?? result.load
        // Without a service both stages are the same requests (S6).
        origin = LoadStage(
            name: LoadStage.originName, curve: originCurve,
            analysis: result.service == nil ? edge.analysis : LoadAnalysis(originCurve, names: plan.endpoints))
        let all = Self.use(result, segments: names.segments.indices, devices: result.measures.layout.devices) { _ in true }
        summary = Self.rows(result, names, edge.analysis, all)
        let scenario = result.scenario
        service =
            if let measures = result.service {
                ServiceSummary.rows(measures, scenario, edge: edge.analysis, origin: origin, use: all)
            } else {
                []
            }
        let values = Dictionary(uniqueKeysWithValues: summary.map { ($0.metric, $0.value) } + service.map { ($0.name, $0.value) })
        verdicts = result.scenario.thresholds.map { threshold in
            guard let measured = values[threshold.metric] else {
                preconditionFailure("a threshold on \(threshold.metric), which no run measures")
            }
            return ThresholdVerdict(threshold: threshold, measured: measured)
        }
    }

    /// The value of a metric, of the summary or of the service; a name that the run does not have is an error of the code.
    package func value(_ metric: String) -> MetricValue {
        if let row = summary.first(where: { $0.metric == metric }) { return row.value }
        guard let row = service.first(where: { $0.name == metric }) else { preconditionFailure("no metric \(metric)") }
        return row.value
    }

    /// The counts of some segments, kinds of device and lines.
    private static func use(
        _ result: RunResult, segments: some Sequence<Int>, devices: [DeviceKind], where fits: (MeasureLayout.Line) -> Bool
    ) -> UseCounts {
        let lines = result.measures.layout.lines
        return UseCounts(
            totals: Totals(result.measures, segments: segments, devices: devices, lines: lines.indices.filter { fits(lines[$0]) }),
            span: result.scenario.reportedSpan)
    }

    private static func rows(_ result: RunResult, _ names: Names, _ load: LoadAnalysis, _ all: UseCounts) -> [SummaryRow] {
        let span = result.scenario.reportedSpan
        let lines = result.measures.layout.lines
        let allDevices = result.measures.layout.devices
        func use(_ segments: some Sequence<Int>, _ devices: [DeviceKind], where fits: (MeasureLayout.Line) -> Bool) -> UseCounts {
            Self.use(result, segments: segments, devices: devices, where: fits)
        }
        func requests(of endpoint: LoadAnalysis.Endpoint) -> LoadCounts {
            LoadCounts(windows: endpoint, requests: endpoint.requests, span: span)
        }
        var rows =
            SummaryMetric.fleet.map { $0.row(all) } + SummaryMetric.load.map { $0.row(requests(of: load.all)) }
            + SummaryMetric.use.map { $0.row(all) }
        for endpoint in load.endpoints {
            let source = requests(of: endpoint)
            rows += SummaryMetric.load.map { $0.row(source, prefix: SummaryMetrics.prefix(endpoint: endpoint.name)) }
        }
        for (i, segment) in names.segments.enumerated() {
            let source = use([i], allDevices) { $0.segment == i }
            rows += (SummaryMetric.fleet + SummaryMetric.use).map { $0.row(source, prefix: SummaryMetrics.prefix(segment: segment)) }
        }
        for device in result.scenario.plan.deviceKinds {
            let source = use(names.segments.indices, [device]) { $0.device == device }
            rows += (SummaryMetric.fleet + SummaryMetric.use).map { $0.row(source, prefix: SummaryMetrics.prefix(device: device.name)) }
        }
        for (i, kind) in names.kinds.enumerated() {
            let source = use(names.segments.indices, allDevices) { $0.kind == i }
            rows += SummaryMetric.use.map { $0.row(source, prefix: SummaryMetrics.prefix(kind: kind)) }
            guard let unit = result.scenario.plan.kinds[i].forecast?.unit else { continue }
            let forecasts = BlockSum<ForecastCounts>(
                result.measures, lines: lines.indices.filter { lines[$0].kind == i }, modes: CountedMode.allCases)
            rows += SummaryMetric.forecast(unit: unit).map { $0.row(forecasts, prefix: SummaryMetrics.prefix(kind: kind)) }
        }
        return rows
    }
}

extension SummaryMetric {
    func row(_ source: Source, prefix: String = "") -> SummaryRow { SummaryRow(metric: prefix + name, unit: unit, value: value(source)) }
}

/// What the tables read.
extension RunReport {
    var span: Duration { result.scenario.reportedSpan }

    /// The instant so long after the start of the report.
    func utc(after start: Duration) -> UTCTime {
        let plan = result.scenario.plan
        return UTCTime(.start + plan.warmup + start, plan.clock)
    }
}
