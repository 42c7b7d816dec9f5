import Basics
import Fleet
import ResultFiles
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
    /// One a threshold, in the scenario's order, then one an objective of its service.
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
        verdicts = result.scenario.demands.map { threshold in
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
            case .objective, .event: true
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

/// The circumstances of a run that its manifest states besides the results: the only file in which they stand.
public struct RunCircumstances: Sendable {
    package var threads: Int
    /// From the start of the simulation to its end.
    package var wallSeconds: Double
    /// SHA-256 of the recorded events, hex; nil but for a replay.
    package var recordSHA256: String?
    /// How many shards were merged; nil for a run in one piece.
    package var shards: Int?
    /// The words of the command that made the run; nil where no command of its own did.
    package var command: [String]?
    /// The request for the run; nil where it is not known.
    package var request: RunRequest?
    /// Seconds of core time: as they were estimated, and as all processes together have used them; nil where that is
    /// not known.
    package var estimatedCoreSeconds, usedCoreSeconds: Double?
    /// The most memory that the process has had, MiB, asked for when everything else is written; nil where it did more
    /// than this run, or was not all of it.
    package var peakMemory: (@Sendable () -> Double?)?

    public init(
        threads: Int, wallSeconds: Double, recordSHA256: String? = nil, shards: Int? = nil, command: [String]? = nil,
        request: RunRequest? = nil,
        estimatedCoreSeconds: Double? = nil, usedCoreSeconds: Double? = nil,
        peakMemory: (@Sendable () -> Double?)? = nil
    ) {
        self.command = command
        self.request = request
        self.estimatedCoreSeconds = estimatedCoreSeconds
        self.usedCoreSeconds = usedCoreSeconds
        self.peakMemory = peakMemory
        self.threads = threads
        self.wallSeconds = wallSeconds
        self.recordSHA256 = recordSHA256
        self.shards = shards
    }
}

/// The files of a run that are written.
package enum KeptFiles: String, CaseIterable, Sendable {
    case all
    /// The summary, the verdicts on thresholds and the totals of the kinds, by which runs are compared; with the
    /// scenario, the manifest and the description of these.
    case summary

    /// Whether a complete run in a folder has them.
    package func areKept(in folder: String) -> Bool {
        self == .summary || FolderPath.exists(folder + "/" + RunTable.load.declaration.fileName)
    }
}

extension RunReport {
    /// The leave of a command that replaces results of a run.
    package static var force: OutputFolder.Leave {
        .force(
            names: RunTable.all.map(\.declaration.fileName) + [
                DataPackage.fileName, OutputFolder.resolvedScenarioName, OutputFolder.pageName,
            ])
    }

    /// The names of the tables that the run has, in the order of writing.
    package var tableNames: [String] { tables.map(\.declaration.name) }

    /// A table as CSV; nil if the run has none of that name.
    package func csv(_ name: String) throws(OutputProblem) -> String? {
        guard let table = tables.first(where: { $0.declaration.name == name }) else { return nil }
        var bytes: [UInt8] = []
        try table.write(self) { (chunk) throws(OutputProblem) in bytes.append(contentsOf: chunk) }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// The tables that the run has, in the order of writing.
    var tables: [RunTable] {
        RunTable.tables(of: result)
    }

    /// Writes every file of the run but a page, and gives them their final names: all, or none.
    public func write(to folder: OutputFolder, resolvedScenario: String, circumstances: RunCircumstances)
        throws(OutputProblem)
    {
        try write(to: folder, resolvedScenario: resolvedScenario, circumstances: circumstances, page: nil)
    }

    /// Writes the files of the run and gives them their final names: all, or none.
    ///
    /// - Parameter page: writes the page of the tables, given what the manifest is going to say; nil for none.
    package func write(
        to folder: OutputFolder, keeping kept: KeptFiles = .all, resolvedScenario: String,
        circumstances: RunCircumstances, page: PageWriter? = nil
    )
        throws(OutputProblem)
    {
        let hasPage = page != nil
        let tables = kept == .all ? self.tables : [.summary, .thresholds, .reloadTotals]
        for table in tables {
            try folder.write(table.declaration.fileName) { (sink) throws(OutputProblem) in try table.write(self, sink) }
        }
        try folder.writeDataPackage(
            of: tables.map(\.declaration), name: "reloadsim-run",
            title: "Results of the scenario \(result.scenario.name)", hasPage: hasPage)
        try folder.write(OutputFolder.resolvedScenarioName, text: resolvedScenario)
        let members = manifest(of: folder.files, circumstances)
        if let page { try page(folder, members) }
        let written = Set(tables.map(\.declaration.name))
        let missing =
            RunTable.all.map(\.declaration).filter { !written.contains($0.name) }.map(\.fileName)
            + (hasPage ? [] : [OutputFolder.pageName])
        try folder.complete(members, removing: missing)
    }

    /// The manifest's part about the run.
    private func manifest(of files: [OutputFolder.WrittenFile], _ circumstances: RunCircumstances) -> JSONMembers {
        let scenario = result.scenario
        let plan = scenario.plan
        guard let resolved = files.first(where: { $0.name == OutputFolder.resolvedScenarioName }) else {
            preconditionFailure("a manifest without the scenario")
        }
        var members: JSONMembers = [
            "scenario": scenario.name, "scenario_sha256": resolved.sha256,
        ]
        members.add("record_sha256", circumstances.recordSHA256)
        members.add("user_code", scenario.userCode.isEmpty ? nil : scenario.userCode)
        members += [
            // A text: not every reader of JSON keeps 64 bits.
            "seed": String(plan.seed),
            "fingerprint": fingerprint, "tables_hash": result.tablesHash, "people": scenario.people,
            "start": WrittenTime(.start, plan.clock).text,
            "report_start": WrittenTime(.start + plan.warmup, plan.clock).text,
            "end": WrittenTime(plan.end, plan.clock).text, "report_s": scenario.reportedSpan.inSeconds,
            "zone": scenario.report.zone.name, "threads": circumstances.threads, "wall_s": circumstances.wallSeconds,
        ]
        members.add("command", circumstances.command)
        members.add("overrides", circumstances.request?.overrides)
        // Without the folders and numbers of threads, on which nothing depends: this is what the page shows.
        members.add("asked", circumstances.request?.command)
        members.add("estimated_core_s", circumstances.estimatedCoreSeconds)
        members.add("used_core_s", circumstances.usedCoreSeconds)
        members.add("peak_memory_mib", circumstances.peakMemory?())
        members.add("shards", circumstances.shards)
        return members
    }
}

/// A stratum of the measures under its names: the instances of one widget kind on one kind of device in one segment.
struct ReportStratum: Sendable {
    let segment, kind: String
    let device: DeviceKind
    /// The unit of the kind's forecasts; nil if it has none.
    let forecastUnit: String?
    /// The place in `MeasureLayout.strata`.
    let index: Int
    /// How its instances can be placed.
    let faces: [MeasureLayout.Face]
    /// Where its instances can be counted.
    let surfaces: [Surface]
    /// The length of the report.
    let span: Duration
}

/// A row of most tables: a stratum, or a part of it, with its counts.
struct StratumRow<Part, Counts> {
    let stratum: ReportStratum
    let part: Part
    let counts: Counts
}

extension Array {
    /// The rows of some parts of each stratum, each with the counts of the stratum.
    func by<Part, Counts>(_ parts: [Part]) -> [StratumRow<Part, Counts>]
    where Element == StratumRow<Void, Counts> {
        flatMap { row in parts.map { StratumRow(stratum: row.stratum, part: $0, counts: row.counts) } }
    }

    func by<A, B, Counts>(_ a: [A], _ b: [B]) -> [StratumRow<(A, B), Counts>]
    where Element == StratumRow<Void, Counts> {
        by(a.flatMap { a in b.map { (a, $0) } })
    }
}

/// The rows that most tables have: strata of the measures, or parts of them.
extension RunReport {
    /// In the order of segments, kinds and kinds of device.
    var strata: [ReportStratum] {
        let layout = result.measures.layout
        return layout.strata.enumerated().map { index, stratum in
            ReportStratum(
                segment: names.segments[stratum.segment], kind: names.kinds[stratum.kind], device: stratum.device,
                forecastUnit: result.scenario.plan.kinds[stratum.kind].forecast?.unit, index: index,
                faces: stratum.faces,
                surfaces: layout.surfaces(ofStratum: index), span: span)
        }
    }

    /// Every stratum with its counts of reloads and budgets.
    var stratumReloads: [StratumRow<Void, BlockSum<ReloadCounts>>] {
        rows { BlockSum(result.measures, at: layout.place(ofStratum: $0.index)) }
    }

    func rows<Counts>(_ counts: (ReportStratum) -> Counts) -> [StratumRow<Void, Counts>] {
        strata.map { StratumRow(stratum: $0, part: (), counts: counts($0)) }
    }

    /// The views of a stratum's instances in some location modes, or all, on some surfaces, or all.
    func views(
        _ stratum: ReportStratum, modes: [CountedMode] = CountedMode.allCases,
        surfaces: [Surface]? = nil
    )
        -> BlockSum<ViewCounts>
    {
        BlockSum(
            result.measures,
            at: modes.flatMap { mode in
                (surfaces ?? stratum.surfaces).map {
                    layout.viewPlace(ofStratum: stratum.index, mode: mode, surface: $0)
                }
            })
    }

    private var layout: MeasureLayout { result.measures.layout }
}
