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
