import Basics
import ResultFiles
import Foundation
import Pages
import Reporting
import ScenarioFiles

/// Where a study's results stand: `runs/<name>` for each run, and its tables beside them, the manifest last.
package struct StudyFolder: Sendable {
    package let path: String
    /// The folder's lock, while this command works in it.
    package let lock: FolderLock?
    /// The beginnings that its runs have in common, while this command works in it.
    let beginnings: SharedBeginnings?
    /// Says what its services have to do in a month; nil if the runs themselves do.
    package var month: MonthlyRun?

    package init(path: String) { (self.path, lock, beginnings) = (path, nil, nil) }

    private init(path: String, lock: FolderLock) {
        (self.path, self.lock, beginnings) = (path, lock, SharedBeginnings(in: path))
    }

    package func path(of run: StudyRun) -> String { path + "/runs/" + run.name }

    /// The figures of a run whose results stand there.
    package func figures(of run: StudyRun) throws(CSVProblem) -> RunFigures {
        let figures = try RunFigures(folder: path(of: run))
        return month?.completing(figures) ?? figures
    }

    /// Does work in the folder while no other command can: two that wrote the same runs at once would spoil each
    /// other's files. The operating system gives the folder back, however the process ends.
    ///
    /// Makes the folder; it goes again if nothing is in it afterwards.
    ///
    /// - Parameters:
    ///   - kind: of the results that are going to stand there.
    ///   - work: takes the folder with its lock.
    package func alone<Result>(
        for kind: ResultKind, _ leave: OutputFolder.Leave = .own, _ work: (StudyFolder) throws -> Result
    ) throws -> Result {
        let whole = try WorkFolder(path, and: "runs", for: kind, leave)
        defer { whole.discard() }
        FolderPath.removeLeftovers(of: [SharedBeginnings.name], in: path)
        return try work(StudyFolder(path: path, lock: whole.lock))
    }

    /// Whether the run's results stand in its folder, complete and unchanged. Results that cannot be read count as
    /// absent: the run itself will say why.
    package func has(_ run: StudyRun, keeping kept: KeptFiles) -> Bool {
        do throws(OutputProblem) {
            return try CompleteRun.check(folder: path(of: run), identity: run.identity) == .complete
                && kept.areKept(in: path(of: run))
        } catch {
            return false
        }
    }
}

extension OutputFolder {
    /// Describes the tables that are written already, writes their page if it is wanted, and the manifest last.
    ///
    /// - Parameter stale: files that an earlier command may have left and this one has not written.
    package func finish(
        _ tables: [TableDeclaration], of kind: ResultKind, titled title: String, _ members: JSONMembers, hasPage: Bool,
        status: String = Manifest.complete, removing stale: [String] = []
    ) throws(OutputProblem) {
        try writeDataPackage(of: tables, name: "reloadsim-\(kind.rawValue)", title: title, hasPage: hasPage)
        if hasPage { try writePage(members) }
        try complete(members, status: status, removing: stale + (hasPage ? [] : [Self.pageName]))
    }
}

/// A run whose results are complete.
package enum FinishedRun {
    /// Whether it breaks a threshold of its scenario, by its `thresholds.csv`.
    package static func breaksThreshold(folder: String) throws(CSVProblem) -> Bool {
        let file = folder + "/thresholds.csv"
        guard FileManager.default.fileExists(atPath: file) else { return false }
        let holds = ResultColumn.flag("holds")
        return try CSVTable.read(file: file, columns: [holds]).rows.contains { !$0.holds(holds) }
    }
}
