import ResultFiles
import Basics
import Fleet
import Simulation
import Statistics
import WidgetPlatform

/// The contents of a run's files: the measures of a result under their names, and the figures computed from them.
///
/// Making it costs a pass over the load curve; the files, the summary and the verdicts read the same numbers.
public struct RunReport: Sendable {
    package let result: RunResult
    /// The digest of all measures (`RunResult.fingerprint`).
    package let fingerprint: String
    /// One row a metric, in the order of `SummaryMetrics.names(for:)`; those of the service and of Live
    /// Activities, if there are any, come last.
    package let summary: [SummaryRow]
    /// One a threshold, in the scenario's order.
    package let verdicts: [ThresholdVerdict]

    /// The service before the people that those of the run stand for; nil if they stand for themselves.
    package var scaled: ScaledService? { result.scaled }

    let names: Names
    /// The Live Activities of all kinds together, and of each; none without any.
    let activities: [ActivityFigures]
    /// The pushes sent of all sorts together, and of each; none if nothing is counted as it is sent.
    let sends: [LoadAnalysis.Endpoint]
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
            layout.segments == names.segments.count && layout.strata.allSatisfy { $0.kind < plan.kinds.count },
            "measures of another scenario")
        precondition(result.load.regions == names.regions.count, "a load curve of another scenario")
        self.result = result
        fingerprint = result.fingerprint
        let (people, represented) = (result.scenario.people, result.scenario.report.represents)
        let ofPeople = LoadStage(
            LoadStage.edgeName, result.load, of: result.scenario, people: people, represented: represented)
        // With a service that many people meet for whom these stand, all load is theirs.
        edge =
            result.scaled.map {
                LoadStage(LoadStage.edgeName, $0.outcome.load, of: result.scenario, people: $0.people)
            } ?? ofPeople
        // Without a service both stages are the same requests (S6).
        origin =
            result.service.map {
                LoadStage(
                    LoadStage.originName, $0.originLoad, of: result.scenario, people: people,
                    represented: result.scaled == nil ? represented : nil)
            } ?? LoadStage(name: LoadStage.originName, curve: edge.curve, analysis: edge.analysis)
        let sent = Self.sendAnalysis(result)
        sends = sent.map { [$0.all] + $0.endpoints.indices.map($0.one) } ?? []
        let source = SummarySource(
            counts: SummaryCounts(result.measures, requests: ofPeople.analysis.endpoints.map(\.requests)),
            load: ofPeople.analysis, scenario: result.scenario, sends: Self.activitySends(result, sent))
        activities = source.activities
        var rows = source.rows
        SamplingError(result, source)?.add(to: &rows)
        if represented != nil { for i in rows.indices { rows[i].standsForOthers = true } }
        if let measures = result.service {
            var ofService = ServiceSummary.rows(
                measures, result.scenario, edge: edge, origin: origin, use: source.useOfAll)
            if let scaled = result.scaled {
                ScaledFigures(scaled, result.scenario, source, edge: edge).replace(&rows, &ofService)
            }
            rows.insert(contentsOf: ofService, at: rows.firstIndex { $0.scope == .live } ?? rows.endIndex)
        }
        summary = rows
        let values = Dictionary(uniqueKeysWithValues: summary.map { ($0.name, $0.valueOfRepresented) })
        verdicts = result.scenario.thresholds.map { threshold in
            guard let measured = values[threshold.metric] else {
                preconditionFailure("a threshold on \(threshold.metric), which no run measures")
            }
            return ThresholdVerdict(threshold: threshold, measured: measured)
        }
    }

    /// A metric with its range in other draws, for all people that those of the run stand for; nil where it is not
    /// known.
    package func range(_ metric: String) -> SamplingRange? {
        summary.first { $0.name == metric }.flatMap { $0.standsForOthers ? $0.represented : $0.redraw }
    }

    /// The value of a metric for all people that those of the run stand for; it can be known without a range.
    package func representedValue(_ metric: String) -> Double? {
        summary.first { $0.name == metric }?.valueOfRepresented.asDouble
    }

    /// The value of a metric as thresholds name it; a name that the run does not have is an error of the code.
    package func value(_ metric: String) -> MetricValue {
        guard let row = summary.first(where: { $0.name == metric }) else { preconditionFailure("no metric \(metric)") }
        return row.value
    }
}

/// The counts that the tables read.
extension RunReport {
    /// The summary without what stands there twice: the figures of the only segment, kind, endpoint or pool, and of
    /// phones where there is no other device, are those of all together.
    var summaryOnce: [SummaryRow] {
        let plan = result.scenario.plan
        let pools = result.scenario.service?.pools.count ?? 0
        let use = Set(Figures<UseCounts>.use.all.map(\.name))
        let ofService = Set(Figures.serviceUse.all.map(\.name))
        return summary.filter { row in
            switch row.scope {
            case .run: true
            case .segment: names.segments.count > 1
            // A forecast's error has no figure of the run beside it.
            case .kind: names.kinds.count > 1 || !use.contains(row.metric)
            case .device: plan.deviceKinds != [.phone]
            case .endpoint: names.endpoints.count > 1
            case .live: activities.count > 2 || row.part == SummaryScope.allParts
            case .pool: pools > 1 || row.part != SummaryScope.allParts || ofService.contains(row.metric)
            }
        }
    }

    var span: Duration { result.scenario.reportedSpan }

    /// The instant so long after the start of the report.
    func instant(after time: Duration) -> ReportInstant {
        let plan = result.scenario.plan
        let instant = Instant.start + plan.warmup + time
        return ReportInstant(
            time: time, utc: WrittenTime(instant, plan.clock),
            local: WrittenTime(instant, in: result.scenario.report.zone))
    }
}
