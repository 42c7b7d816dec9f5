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

extension RunReport {
    public static let resolvedScenarioName = "scenario.resolved.yaml"

    /// Whether a file of this name can be what an interrupted run has left: no results, since a manifest is not among them.
    public static func isLeftByInterruption(_ name: String) -> Bool {
        let final = RunTable.all.map(\.declaration.fileName) + [DataPackage.fileName, resolvedScenarioName]
        let temporary = (final + [OutputFolder.manifestName, CheckpointedRun.name]).map(OutputFolder.temporaryName)
        return name == CheckpointedRun.name || final.contains(name) || temporary.contains(name)
    }

    /// The tables that the run has, in the order of writing.
    var tables: [RunTable] { result.service == nil ? RunTable.withoutService : RunTable.all }

    /// Writes every file of the run and gives them their final names: all, or none.
    public func write(to folder: OutputFolder, resolvedScenario: String, circumstances: RunCircumstances) throws(OutputProblem) {
        for table in tables {
            try folder.write(table.declaration.fileName) { (sink) throws(OutputProblem) in try table.write(self, sink) }
        }
        try folder.writeDataPackage(
            of: tables.map(\.declaration), name: "reloadsim-run", title: "Results of the scenario \(result.scenario.name)")
        try folder.write(Self.resolvedScenarioName, text: resolvedScenario)
        try folder.write(OutputFolder.manifestName, text: manifest(of: folder.files, circumstances))
        let missing = RunTable.all.dropFirst(tables.count)
        try folder.complete(removing: missing.map(\.declaration.fileName))
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
            ("start", .string(UTCTime(.start, plan.clock).text)),
            ("report_start", .string(UTCTime(.start + plan.warmup, plan.clock).text)),
            ("end", .string(UTCTime(plan.end, plan.clock).text)),
            ("threads", .integer(Int64(circumstances.threads))),
            ("wall_s", .number(circumstances.wallSeconds)),
        ]
        members += shards
        members.append(("files", .files(files)))
        return JSONText.object(members).text
    }
}
