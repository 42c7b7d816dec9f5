import Fleet
import Measures
import Simulation
import SimulatedTime
import WidgetPlatform

/// What a run's files say: the measures of a result under their names, and what is computed from them.
///
/// Making it costs a pass over the load curve; the files, the summary and the verdicts read the same numbers.
public struct RunReport: Sendable {
    public let result: RunResult
    /// The first 16 hex digits of the SHA-256 of all measures.
    public let fingerprint: String
    /// One row a metric, in the order of `SummaryMetrics.names(for:)`.
    public let summary: [SummaryRow]
    /// One a threshold, in the scenario's order.
    public let verdicts: [ThresholdVerdict]

    let names: Names
    let load: LoadAnalysis

    /// The names behind the indices of the measures.
    struct Names: Sendable {
        let segments, kinds, endpoints, regions: [String]
    }

    public init(_ result: RunResult) {
        let plan = result.scenario.plan
        let layout = result.measures.layout
        names = Names(
            segments: plan.segments.map(\.name), kinds: plan.kinds.map(\.id), endpoints: plan.endpoints, regions: plan.regions)
        precondition(layout.segments == names.segments.count && layout.kinds == names.kinds.count, "measures of another scenario")
        precondition(result.load.regions == names.regions.count, "a load curve of another scenario")
        self.result = result
        fingerprint = result.fingerprint
        load = LoadAnalysis(result.load, names: plan.endpoints)
        summary = Self.rows(result, names, load)
        let values = Dictionary(uniqueKeysWithValues: summary.map { ($0.metric, $0.value) })
        verdicts = result.scenario.thresholds.map { threshold in
            guard let measured = values[threshold.metric] else {
                preconditionFailure("a threshold on \(threshold.metric), which no run measures")
            }
            return ThresholdVerdict(threshold: threshold, measured: measured)
        }
    }

    /// The value of a metric; a name that is not in the summary is an error of the code.
    public func value(_ metric: String) -> MetricValue {
        guard let row = summary.first(where: { $0.metric == metric }) else { preconditionFailure("no metric \(metric)") }
        return row.value
    }

    private static func rows(_ result: RunResult, _ names: Names, _ load: LoadAnalysis) -> [SummaryRow] {
        let span = result.scenario.reportedSpan
        func use(_ segments: some Sequence<Int>, _ kinds: some Sequence<Int>) -> UseCounts {
            UseCounts(totals: Totals(result.measures, segments: segments, kinds: kinds), span: span)
        }
        func requests(of endpoint: LoadAnalysis.Endpoint) -> LoadCounts {
            LoadCounts(windows: endpoint, requests: endpoint.requests, span: span)
        }
        let all = use(names.segments.indices, names.kinds.indices)
        var rows =
            SummaryMetric.fleet.map { $0.row(all) } + SummaryMetric.load.map { $0.row(requests(of: load.all)) }
            + SummaryMetric.use.map { $0.row(all) }
        for endpoint in load.endpoints {
            let source = requests(of: endpoint)
            rows += SummaryMetric.load.map { $0.row(source, prefix: SummaryMetrics.prefix(endpoint: endpoint.name)) }
        }
        for (i, segment) in names.segments.enumerated() {
            let source = use([i], names.kinds.indices)
            rows += (SummaryMetric.fleet + SummaryMetric.use).map { $0.row(source, prefix: SummaryMetrics.prefix(segment: segment)) }
        }
        for (i, kind) in names.kinds.enumerated() {
            let source = use(names.segments.indices, [i])
            rows += SummaryMetric.use.map { $0.row(source, prefix: SummaryMetrics.prefix(kind: kind)) }
            guard let unit = result.scenario.plan.kinds[i].forecast?.unit else { continue }
            let forecasts = Counts(
                forecastsIn: result.measures, segments: names.segments.indices, kinds: [i], modes: 0...MeasureLayout.modes - 1)
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
    func counts(segment: Int) -> Counts {
        var counts = Counts(size: SegmentField.size)
        counts.add(result.measures, at: result.measures.layout.segmentBlock(segment))
        return counts
    }

    /// A count for each unit and 24 hours of the report.
    func perDay(_ count: Int64, of units: Int64) -> Double? {
        Ratio.of(Int128(count) * 86_400_000_000, to: Int128(units) * Int128(result.scenario.reportedSpan.microseconds))
    }

    /// The instant so long after the start of the report, in UTC.
    func utc(after start: Duration) -> String {
        let plan = result.scenario.plan
        return CellText.utc(.start + plan.warmup + start, plan.clock)
    }

    /// Calls `body` for every segment and kind.
    func eachKind(_ body: (_ segment: String, _ kind: String, Counts) throws(OutputProblem) -> Void) throws(OutputProblem) {
        for (s, segment) in names.segments.enumerated() {
            for (k, kind) in names.kinds.enumerated() {
                var counts = Counts(size: KindField.size)
                counts.add(result.measures, at: result.measures.layout.kindBlock(s, k))
                try body(segment, kind, counts)
            }
        }
    }

    /// Calls `body` for every segment, kind and location mode with counts, all surfaces together, and with the counts of forecasts and their unit.
    func eachMode(
        _ body: (_ segment: String, _ kind: String, _ mode: String, Counts, _ forecasts: Counts, _ unit: String?) throws(OutputProblem) ->
            Void
    ) throws(OutputProblem) {
        for (s, segment) in names.segments.enumerated() {
            for (k, kind) in names.kinds.enumerated() {
                for (mode, name) in Column.modeNames.enumerated() {
                    let counts = views(s, k, modes: mode...mode, surfaces: 0...MeasureLayout.surfaces - 1)
                    if counts.isZero { continue }
                    let forecasts = Counts(forecastsIn: result.measures, segments: [s], kinds: [k], modes: mode...mode)
                    try body(segment, kind, name, counts, forecasts, result.scenario.plan.kinds[k].forecast?.unit)
                }
            }
        }
    }

    /// Calls `body` for every segment, kind and surface with counts, all location modes together.
    func eachSurface(_ body: (_ segment: String, _ kind: String, _ surface: String, Counts) throws(OutputProblem) -> Void)
        throws(OutputProblem)
    {
        for (s, segment) in names.segments.enumerated() {
            for (k, kind) in names.kinds.enumerated() {
                for surface in Surface.allCases {
                    let i = Int(surface.rawValue)
                    let counts = views(s, k, modes: 0...MeasureLayout.modes - 1, surfaces: i...i)
                    if !counts.isZero { try body(segment, kind, surface.name, counts) }
                }
            }
        }
    }

    private func views(_ segment: Int, _ kind: Int, modes: ClosedRange<Int>, surfaces: ClosedRange<Int>) -> Counts {
        var counts = Counts(size: ViewField.size)
        for mode in modes {
            for surface in surfaces {
                counts.add(result.measures, at: result.measures.layout.viewBlock(segment, kind, mode: mode, surface: surface))
            }
        }
        return counts
    }
}
