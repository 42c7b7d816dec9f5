import PlainText
import SimulatedTime
import Simulation

/// What a manifest says besides the results: the only file in which it stands.
public struct RunCircumstances: Hashable, Sendable {
    public var threads: Int
    /// From the start of the simulation to its end.
    public var wallSeconds: Double
    /// SHA-256 of the recorded events, hex; nil but for a replay.
    public var recordSHA256: String?
    /// How many shards were merged; nil for a run in one piece.
    public var shards: Int?

    public init(threads: Int, wallSeconds: Double, recordSHA256: String? = nil, shards: Int? = nil) {
        self.threads = threads
        self.wallSeconds = wallSeconds
        self.recordSHA256 = recordSHA256
        self.shards = shards
    }
}

extension ReportTable {
    /// Every CSV file of a run, in the order of writing; those of a service come last.
    public static let all = withoutService + ofService

    /// The files that every run has.
    public static let withoutService: [ReportTable] = [
        .summary, .thresholds, .fleet, .load, .loadPeaks, .loadPeakCauses, .budget, .budgetTotals, .budgetWaits, .reloads, .reloadCauses,
        .reloadTotals,
        .reloadDelays, .staleness, .location, .presentation, .presentationSurfaces,
    ]

    /// The files that a run has only if its scenario has a service.
    public static let ofService: [ReportTable] = [.service, .serviceLatencies, .serviceEvents, .serviceSummary]
}

extension RunReport {
    public static let resolvedScenarioName = "scenario.resolved.yaml"

    /// Whether a file of this name can be what an interrupted run has left: no results, since a manifest is not among them.
    public static func isLeftByInterruption(_ name: String) -> Bool {
        let final = ReportTable.all.map(\.fileName) + [DataPackage.fileName, resolvedScenarioName]
        let temporary = (final + [OutputFolder.manifestName, CheckpointedRun.name]).map(OutputFolder.temporaryName)
        return name == CheckpointedRun.name || final.contains(name) || temporary.contains(name)
    }

    /// The tables that the run has, in the order of writing.
    public var tables: [ReportTable] { result.service == nil ? ReportTable.withoutService : ReportTable.all }

    /// Writes every file of the run and gives them their final names: all, or none.
    public func write(to folder: OutputFolder, resolvedScenario: String, circumstances: RunCircumstances) throws(OutputProblem) {
        for table in tables { try write(table, to: folder) }
        try folder.writeDataPackage(of: tables, name: "reloadsim-run", title: "Results of the scenario \(result.scenario.name)")
        try folder.write(Self.resolvedScenarioName, text: resolvedScenario)
        try folder.write(OutputFolder.manifestName, text: manifest(of: folder.files, circumstances))
        try folder.complete(removing: ReportTable.all.filter { !tables.contains($0) }.map(\.fileName))
    }

    func write(_ table: ReportTable, to folder: OutputFolder) throws(OutputProblem) {
        try folder.write(table.fileName) { (sink) throws(OutputProblem) in
            try withoutActuallyEscaping(sink) { (sink) throws(OutputProblem) in try rows(of: table, into: sink) }
        }
    }

    /// The whole text of a table.
    func rows(of table: ReportTable, into sink: @escaping CSVWriter.Sink) throws(OutputProblem) {
        var csv = CSVWriter(table, into: sink)
        switch table {
        case .summary: try writeSummary(&csv)
        case .thresholds: try writeThresholds(&csv)
        case .fleet: try writeFleet(&csv)
        case .load: try writeLoad(&csv)
        case .loadPeaks: try writeLoadPeaks(&csv)
        case .loadPeakCauses: try writeLoadPeakCauses(&csv)
        case .budget: try writeBudget(&csv)
        case .budgetTotals: try writeBudgetTotals(&csv)
        case .budgetWaits: try writeBudgetWaits(&csv)
        case .reloads: try writeReloads(&csv)
        case .reloadCauses: try writeReloadCauses(&csv)
        case .reloadTotals: try writeReloadTotals(&csv)
        case .reloadDelays: try writeReloadDelays(&csv)
        case .staleness: try writeStaleness(&csv)
        case .location: try writeLocation(&csv)
        case .presentation: try writePresentation(&csv)
        case .presentationSurfaces: try writePresentationSurfaces(&csv)
        case .service: try writeService(&csv)
        case .serviceLatencies: try writeServiceLatencies(&csv)
        case .serviceEvents: try writeServiceEvents(&csv)
        case .serviceSummary: try writeServiceSummary(&csv)
        default: preconditionFailure("no rows for the table \(table.name)")
        }
        try csv.flush()
    }

    private func manifest(of files: [OutputFolder.WrittenFile], _ circumstances: RunCircumstances) -> String {
        let scenario = result.scenario
        let plan = scenario.plan
        guard let resolved = files.first(where: { $0.name == Self.resolvedScenarioName }) else {
            preconditionFailure("a manifest without the scenario")
        }
        let record: [(String, JSONText)] = circumstances.recordSHA256.map { [("record_sha256", .string($0))] } ?? []
        let shards: [(String, JSONText)] = circumstances.shards.map { [("shards", .integer(Int64($0)))] } ?? []
        var members: [(String, JSONText)] = [
            ("status", .string("complete")),
            ("reloadsim", .string(ReloadsimVersion.text)),
            ("scenario", .string(scenario.name)),
            ("scenario_sha256", .string(resolved.sha256)),
        ]
        members += record
        members += [
            // A text: not every reader of JSON keeps 64 bits.
            ("seed", .string(String(plan.seed))),
            ("fingerprint", .string(fingerprint)),
            ("tables_hash", .string(result.tablesHash)),
            ("people", .integer(Int64(scenario.people))),
            ("start", .string(CellText.utc(.start, plan.clock))),
            ("report_start", .string(CellText.utc(.start + plan.warmup, plan.clock))),
            ("end", .string(CellText.utc(plan.end, plan.clock))),
            ("threads", .integer(Int64(circumstances.threads))),
            ("wall_s", .number(circumstances.wallSeconds)),
        ]
        members += shards
        members.append(("files", .files(files)))
        return JSONText.object(members).text
    }
}
