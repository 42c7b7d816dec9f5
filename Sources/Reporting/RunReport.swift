import Basics
import Fleet
import Simulation
import WidgetPlatform

/// The contents of a run's files: the measures of a result under their names, and the figures computed from them.
///
/// Making it costs a pass over the load curve; the files, the summary and the verdicts read the same numbers.
public struct RunReport: Sendable {
    package let result: RunResult
    /// The first 16 hex digits of the SHA-256 of all measures.
    package let fingerprint: String
    /// One row a metric, in the order of `SummaryMetrics.names(for:)`; those of the service, if there is one, come
    /// last.
    package let summary: [SummaryRow]
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
            segments: plan.segments.map(\.name), kinds: plan.kinds.map(\.id), endpoints: plan.endpoints,
            regions: plan.regions)
        precondition(
            layout.segments == names.segments.count && layout.lines.allSatisfy { $0.kind < plan.kinds.count },
            "measures of another scenario")
        precondition(result.load.regions == names.regions.count, "a load curve of another scenario")
        self.result = result
        fingerprint = result.fingerprint
        let (people, represented) = (result.scenario.people, result.scenario.report.represents)
        edge = LoadStage(
            name: LoadStage.edgeName, curve: result.load,
            analysis: LoadAnalysis(result.load, names: plan.endpoints, people: people, represented: represented))
        let originCurve = result.service?.originLoad ?? result.load
        // Without a service both stages are the same requests (S6).
        origin = LoadStage(
            name: LoadStage.originName, curve: originCurve,
            analysis: result.service == nil
                ? edge.analysis
                : LoadAnalysis(originCurve, names: plan.endpoints, people: people, represented: represented))
        let all = Self.use(result, segments: names.segments.indices, devices: result.measures.layout.devices) { _ in
            true
        }
        var rows = Self.rows(result, names, edge.analysis, all)
        if let measures = result.service {
            rows += ServiceSummary.rows(measures, result.scenario, edge: edge.analysis, origin: origin, use: all)
        }
        summary = rows
        let values = Dictionary(uniqueKeysWithValues: summary.map { ($0.name, $0.value) })
        verdicts = result.scenario.thresholds.map { threshold in
            guard let measured = values[threshold.metric] else {
                preconditionFailure("a threshold on \(threshold.metric), which no run measures")
            }
            return ThresholdVerdict(threshold: threshold, measured: measured)
        }
    }

    /// The value of a metric as thresholds name it; a name that the run does not have is an error of the code.
    package func value(_ metric: String) -> MetricValue {
        guard let row = summary.first(where: { $0.name == metric }) else { preconditionFailure("no metric \(metric)") }
        return row.value
    }

    /// The counts of some segments, kinds of device and lines.
    private static func use(
        _ result: RunResult, segments: some Sequence<Int>, devices: [DeviceKind],
        where fits: (MeasureLayout.Line) -> Bool
    ) -> UseCounts {
        let lines = result.measures.layout.lines
        return UseCounts(
            totals: Totals(
                result.measures, segments: segments, devices: devices, lines: lines.indices.filter { fits(lines[$0]) }),
            span: result.scenario.reportedSpan)
    }

    private static func rows(_ result: RunResult, _ names: Names, _ load: LoadAnalysis, _ all: UseCounts)
        -> [SummaryRow]
    {
        let span = result.scenario.reportedSpan
        let lines = result.measures.layout.lines
        let allDevices = result.measures.layout.devices
        func use(_ segments: some Sequence<Int>, _ devices: [DeviceKind], where fits: (MeasureLayout.Line) -> Bool)
            -> UseCounts
        {
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
            rows += SummaryMetric.load.map { $0.row(source, .endpoint, endpoint.name) }
        }
        for (i, segment) in names.segments.enumerated() {
            let source = use([i], allDevices) { $0.segment == i }
            rows += (SummaryMetric.fleet + SummaryMetric.use).map { $0.row(source, .segment, segment) }
        }
        for device in result.scenario.plan.deviceKinds {
            let source = use(names.segments.indices, [device]) { $0.device == device }
            rows += (SummaryMetric.fleet + SummaryMetric.use).map { $0.row(source, .device, device.name) }
        }
        for (i, kind) in names.kinds.enumerated() {
            let source = use(names.segments.indices, allDevices) { $0.kind == i }
            rows += SummaryMetric.use.map { $0.row(source, .kind, kind) }
            guard let unit = result.scenario.plan.kinds[i].forecast?.unit else { continue }
            let forecasts = BlockSum<ForecastCounts>(
                result.measures, lines: lines.indices.filter { lines[$0].kind == i }, modes: CountedMode.allCases)
            rows += SummaryMetric.forecast(unit: unit).map { $0.row(forecasts, .kind, kind) }
        }
        return rows
    }
}

extension SummaryMetric {
    func row(_ source: Source, _ scope: SummaryScope = .run, _ part: String = "") -> SummaryRow {
        SummaryRow(scope: scope, part: part, metric: name, unit: unit, value: value(source))
    }
}

/// The counts that the tables read.
extension RunReport {
    /// The summary without what stands there twice: the figures of the only segment, kind, endpoint or pool, and of
    /// phones where there is no other device, are those of all together.
    var summaryOnce: [SummaryRow] {
        let plan = result.scenario.plan
        let pools = result.scenario.service?.pools.count ?? 0
        let use = Set(SummaryMetric<UseCounts>.use.map(\.name))
        let ofService = Set(SummaryMetric.serviceUse.map(\.name))
        return summary.filter { row in
            switch row.scope {
            case .run: true
            case .segment: names.segments.count > 1
            // A forecast's error has no figure of the run beside it.
            case .kind: names.kinds.count > 1 || !use.contains(row.metric)
            case .device: plan.deviceKinds != [.phone]
            case .endpoint: names.endpoints.count > 1
            case .pool: pools > 1 || row.part != SummaryRow.allPools || ofService.contains(row.metric)
            }
        }
    }

    var span: Duration { result.scenario.reportedSpan }

    /// The instant so long after the start of the report.
    func instant(after time: Duration) -> ReportInstant {
        let plan = result.scenario.plan
        let instant = Instant.start + plan.warmup + time
        return ReportInstant(
            time: time, utc: UTCTime(instant, plan.clock), local: ZonedTime(instant, in: result.scenario.report.zone))
    }
}
