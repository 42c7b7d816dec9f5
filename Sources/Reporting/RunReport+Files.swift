import ResultFiles
import Basics
import Simulation

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
    private func manifest(of files: [OutputFolder.WrittenFile], _ circumstances: RunCircumstances) -> [(
        String, JSONText
    )] {
        let scenario = result.scenario
        let plan = scenario.plan
        guard let resolved = files.first(where: { $0.name == OutputFolder.resolvedScenarioName }) else {
            preconditionFailure("a manifest without the scenario")
        }
        var members: [(String, JSONText)] = [
            ("scenario", .string(scenario.name)), ("scenario_sha256", .string(resolved.sha256)),
        ]
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
            ("report_s", .number(scenario.reportedSpan.inSeconds)),
            ("zone", .string(scenario.report.zone.name)),
            ("threads", .integer(Int64(circumstances.threads))),
            ("wall_s", .number(circumstances.wallSeconds)),
        ]
        if let command = circumstances.command { members.append(("command", .array(command.map { .string($0) }))) }
        if let request = circumstances.request {
            members.append(("overrides", .array(request.overrides.map { .string($0) })))
            // Without the folders and numbers of threads, on which nothing depends: this is what the page shows.
            members.append(("asked", .array(request.command.map { .string($0) })))
        }
        if let seconds = circumstances.estimatedCoreSeconds { members.append(("estimated_core_s", .number(seconds))) }
        if let seconds = circumstances.usedCoreSeconds { members.append(("used_core_s", .number(seconds))) }
        if let memory = circumstances.peakMemory?() { members.append(("peak_memory_mib", .number(memory))) }
        if let shards = circumstances.shards { members.append(("shards", .integer(Int64(shards)))) }
        return members
    }
}
