import Basics
import ResultFiles
import Foundation
import Reporting
import ScenarioFiles

/// Where a study's results stand: `runs/<name>` for each run, and its tables beside them, the manifest last.
package struct StudyFolder: Sendable {
    package let path: String
    /// The folder's lock, while this command works in it.
    package let lock: FolderLock?

    package init(path: String) { self.init(path: path, lock: nil) }

    private init(path: String, lock: FolderLock?) { (self.path, self.lock) = (path, lock) }

    package func path(of run: StudyRun) -> String { path + "/runs/" + run.name }

    /// Whether there is anything in it.
    package func isEmpty() throws(OutputProblem) -> Bool {
        guard FileManager.default.fileExists(atPath: path) else { return true }
        do { return try FileManager.default.contentsOfDirectory(atPath: path).isEmpty } catch {
            throw OutputProblem("cannot read the folder \(path); nothing was changed")
        }
    }

    /// Does work in the folder while no other command can: two that wrote the same runs at once would spoil each
    /// other's files. The operating system gives the folder back, however the process ends.
    ///
    /// Makes the folder; it goes again if nothing is in it afterwards.
    ///
    /// - Parameter work: takes the folder with its lock.
    package func alone<Result>(_ work: (StudyFolder) throws -> Result) throws -> Result {
        let whole = try WorkFolder(path, and: "runs")
        defer { whole.discard() }
        return try work(StudyFolder(path: path, lock: whole.lock))
    }

    /// Whether the run, which is complete, breaks a threshold of its scenario.
    package func breaksThreshold(_ run: StudyRun) throws(CSVProblem) -> Bool {
        try FinishedRun.breaksThreshold(folder: path(of: run))
    }

    /// Throws unless the folder's manifest, if there is one, is of the sort that the command writes: what another
    /// command has made is not replaced.
    ///
    /// - Parameter sort: the manifest's member that tells, `study` or `plan`.
    package func check(isFor sort: String) throws {
        guard let bytes = try FileContent.bytes(of: path + "/" + OutputFolder.manifestName, limit: Self.largestManifest)
        else { return }
        let manifest: [String: Any]?
        do { manifest = try JSONSerialization.jsonObject(with: Data(bytes)) as? [String: Any] } catch { manifest = nil }
        if manifest?[sort] == nil {
            throw OutputProblem(
                "\(path) holds other results than those of a \(sort); nothing was changed (choose another --out)")
        }
    }

    /// More than a study of a hundred thousand runs has.
    package static let largestManifest = 256 << 20

    /// Whether the run's results stand in its folder, complete and unchanged. Results that cannot be read count as
    /// absent: the run itself will say why.
    package func has(_ run: StudyRun) -> Bool {
        do throws(OutputProblem) {
            return try CompleteRun.check(folder: path(of: run), identity: run.identity) == .complete
        } catch {
            return false
        }
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
