import PlainText
import RunFiles
import SimulatedTime
import Simulation

/// What a manifest says besides the results: the only file in which it stands.
public struct RunCircumstances: Hashable, Sendable {
    package var threads: Int
    /// From the start of the simulation to its end.
    package var wallSeconds: Double
    /// SHA-256 of the recorded events, hex; nil but for a replay.
    package var recordSHA256: String?
    /// How many shards were merged; nil for a run in one piece.
    package var shards: Int?

    public init(threads: Int, wallSeconds: Double, recordSHA256: String? = nil, shards: Int? = nil) {
        self.threads = threads
        self.wallSeconds = wallSeconds
        self.recordSHA256 = recordSHA256
        self.shards = shards
    }
}

extension RunReport {
    /// Whether a file of this name can be what an interrupted run has left: no results, since a manifest is not among them.
    package static func isLeftByInterruption(_ name: String) -> Bool {
        let final = RunTable.all.map(\.declaration.fileName) + [DataPackage.fileName, OutputFolder.resolvedScenarioName]
        let original = TemporaryName.original(ofAny: name)
        return name == CheckpointedRun.name || final.contains(name)
            || original.map { $0 == OutputFolder.manifestName || $0 == CheckpointedRun.name || final.contains($0) } ?? false
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
        try folder.write(OutputFolder.resolvedScenarioName, text: resolvedScenario)
        let missing = RunTable.all.dropFirst(tables.count)
        try folder.complete(manifest(of: folder.files, circumstances), removing: missing.map(\.declaration.fileName))
    }

    /// What the manifest says of the run.
    private func manifest(of files: [OutputFolder.WrittenFile], _ circumstances: RunCircumstances) -> [(String, JSONText)] {
        let scenario = result.scenario
        let plan = scenario.plan
        guard let resolved = files.first(where: { $0.name == OutputFolder.resolvedScenarioName }) else {
            preconditionFailure("a manifest without the scenario")
        }
        var members: [(String, JSONText)] = [("scenario", .string(scenario.name)), ("scenario_sha256", .string(resolved.sha256))]
        if let record = circumstances.recordSHA256 { members.append(("record_sha256", .string(record))) }
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
        if let shards = circumstances.shards { members.append(("shards", .integer(Int64(shards)))) }
        return members
    }
}
