import Basics
import Foundation
import Reporting
import ResultFiles
import ScenarioFiles

/// Runs that were made before, with their places in a study: what comparisons read.
package struct SavedRuns: Sendable {
    package struct Run: Sendable {
        /// The values of the columns.
        package let values: [String]
        package let replication: Int
        package let seed: String
        let folder: String
    }

    /// The study's name, or the run's scenario.
    package let name: String
    /// The columns that tell points apart; none for a single run.
    package let columns: [String]
    package let runs: [Run]
    /// The value of `scenario` that others are compared with.
    package let baseline: String?
    /// How many runs of the study are not there, because they failed.
    package let missing: Int

    /// Reads the manifest of a run's or a study's folder, and checks all that it names: results that were changed, lost
    /// or made by another version are refused.
    ///
    /// - Throws: a sentence that says what is missing in the folder.
    package init(folder: String) throws {
        let path = folder + "/" + OutputFolder.manifestName
        if !FileManager.default.fileExists(atPath: folder) {
            throw CSVProblem(
                description: "\(folder): expected the folder of a run or a study, found nothing", isMissingInput: true)
        }
        guard let bytes = try FileContent.bytes(of: path, limit: OutputFolder.largestManifest) else {
            throw StudyProblem(
                "\(folder): expected a folder with complete results of a run or a study, found no \(OutputFolder.manifestName) in it"
            )
        }
        let manifest: Manifest
        do { manifest = try JSONDecoder().decode(Manifest.self, from: Data(bytes)) } catch {
            throw StudyProblem("\(path): expected the manifest of a run or a study, found something else")
        }
        if let study = manifest.study, let columns = manifest.columns, let listed = manifest.runs {
            name = study
            self.columns = columns
            baseline = manifest.baseline
            try Self.check(study: folder, manifest, bytes)
            runs = try Self.runs(listed, columns, folder)
            missing = listed.count - runs.count
            for (run, saved) in zip(listed.filter { $0.failure == nil }, runs) {
                try Self.check(run: saved.folder, scenario: run.scenario_sha256)
            }
        } else if let scenario = manifest.scenario, let seed = manifest.seed, manifest.fingerprint != nil {
            name = scenario
            columns = []
            baseline = nil
            missing = 0
            runs = [Run(values: [], replication: 1, seed: seed, folder: folder)]
            try Self.check(run: folder, scenario: nil)
        } else {
            throw StudyProblem("\(path): expected the manifest of a run or a study, found something else")
        }
    }

    /// Throws unless a run's folder is complete, unchanged and of a version that can be read.
    ///
    /// - Parameter scenario: the SHA-256 of its scenario, if it is known.
    private static func check(run folder: String, scenario: String?) throws {
        switch try CompleteRun.check(folder: folder, readsEarlier: true) {
        case .complete: break
        case .absent:
            throw StudyProblem(
                "\(folder): expected complete results, found no \(OutputFolder.manifestName) in it (run it again)")
        case .other(let reason): throw StudyProblem("\(folder): \(reason) (run it again with this version)")
        case .damaged(let reason): throw StudyProblem("\(folder): \(reason) (run it again)")
        }
        guard let scenario else { return }
        let resolved = folder + "/" + OutputFolder.resolvedScenarioName
        if try FileContent.sha256(of: resolved) != scenario {
            throw StudyProblem(
                "\(folder): expected the run that the study's manifest names, found one of another scenario (run the study again)"
            )
        }
    }

    /// Throws unless a study's own files are unchanged and of this version.
    private static func check(study folder: String, _ manifest: Manifest, _ bytes: [UInt8]) throws {
        let path = folder + "/" + OutputFolder.manifestName
        if let difference = CompleteRun.reasonNotToRead(version: manifest.reloadsim ?? "an unknown version") {
            throw StudyProblem("\(folder): \(difference) (run it again with this version)")
        }
        guard manifest.status == ResultFiles.Manifest.complete || manifest.status == "incomplete",
            let files = ResultFiles.Manifest.files(in: bytes)
        else {
            throw StudyProblem("\(path): expected the manifest of a run or a study, found something else")
        }
        if let damage = try CompleteRun.damage(folder, files) {
            throw StudyProblem("\(damage) (`sweep --resume` writes the tables again)")
        }
    }

    /// Runs of a study that has just been performed.
    package init(of study: Study, runs: [StudyRun], in folder: StudyFolder) {
        name = study.name
        columns = study.columns
        baseline = nil
        missing = 0
        self.runs = runs.map {
            Run(
                values: study.values(of: $0.point), replication: $0.replication, seed: String($0.seed),
                folder: folder.path(of: $0))
        }
    }

    private static func runs(_ listed: [Manifest.ListedRun], _ columns: [String], _ folder: String) throws -> [Run] {
        let design = try CSVTable.read(file: folder + "/design.csv")
        guard design.rows.count == listed.count,
            let first = columns.isEmpty ? 0 : design.header.firstIndex(of: columns[0]),
            columns.isEmpty || Array(design.header[first...]) == columns
        else { throw StudyProblem("\(folder)/design.csv does not belong to the manifest beside it") }
        return try zip(listed, design.rows).compactMap { run, row in
            if run.failure != nil { return nil }
            // A name must not lead out of the folder.
            if run.run.isEmpty || run.run.contains("/") || run.run == ".." {
                throw StudyProblem(
                    "\(folder)/\(OutputFolder.manifestName): expected the names of runs, found '\(run.run)'")
            }
            return Run(
                values: columns.isEmpty ? [] : Array(row[first...]), replication: run.replication, seed: run.seed,
                folder: folder + "/runs/" + run.run)
        }
    }

    private struct Manifest: Decodable {
        struct ListedRun: Decodable {
            let run: String
            let replication: Int
            let seed: String
            let failure: String?
            let scenario_sha256: String
        }

        let status, reloadsim, study, baseline, scenario, seed, fingerprint: String?
        let columns: [String]?
        let runs: [ListedRun]?
    }
}

/// How much a run simulated: what two runs must have in common for their totals and peaks to be compared.
struct RunExtent: Hashable, Sendable {
    let people: Int64
    /// The length of the report.
    let seconds: Double
    /// The widget kinds, in the order of the tables.
    let kinds: [String]

    /// Reads the manifest and `reload_totals.csv` of a run's folder, which are there and right.
    init(folder: String) throws {
        let path = folder + "/" + OutputFolder.manifestName
        guard let bytes = try FileContent.bytes(of: path, limit: OutputFolder.largestManifest) else {
            throw StudyProblem("\(path): expected the manifest of a run, found none")
        }
        let manifest: Manifest
        do { manifest = try JSONDecoder().decode(Manifest.self, from: Data(bytes)) } catch {
            throw StudyProblem("\(path): expected the manifest of a run, found something else")
        }
        (people, seconds) = (manifest.people, manifest.report_s)
        kinds = try CSVTable.read(file: folder + "/reload_totals.csv", columns: ["kind"]).cells("kind").uniqued
    }

    private struct Manifest: Decodable {
        let people: Int64
        let report_s: Double
    }

    /// The differences between the two, as the end of a sentence; nil if there are none.
    func difference(from other: RunExtent) -> String? {
        var parts: [String] = []
        if people != other.people {
            parts.append("\(FigureText.grouped(people)) and \(FigureText.counted(other.people, "person", "people"))")
        }
        if seconds != other.seconds {
            parts.append("reports of \(Self.length(seconds)) and \(Self.length(other.seconds))")
        }
        if Set(kinds) != Set(other.kinds) {
            parts.append("the kinds \(kinds.joined(separator: ", ")) and \(other.kinds.joined(separator: ", "))")
        }
        return parts.isEmpty ? nil : parts.joined(separator: "; ")
    }

    private static func length(_ seconds: Double) -> String {
        TimeText.duration(Duration(microseconds: Int64(cutting: seconds * 1e6 + 0.5)))
    }
}
