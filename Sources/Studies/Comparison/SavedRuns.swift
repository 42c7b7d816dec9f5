import Foundation
import RunFiles
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

    /// Reads the manifest of a run's or a study's folder.
    ///
    /// - Throws: a sentence that says what is missing in the folder.
    package init(folder: String) throws {
        let path = folder + "/" + OutputFolder.manifestName
        if !FileManager.default.fileExists(atPath: folder) {
            throw CSVProblem(description: "\(folder): expected the folder of a run or a study, found nothing", isMissingInput: true)
        }
        guard let bytes = FileManager.default.contents(atPath: path) else {
            throw StudyProblem(
                "\(folder): expected a folder with complete results of a run or a study, found no \(OutputFolder.manifestName) in it")
        }
        let manifest: Manifest
        do { manifest = try JSONDecoder().decode(Manifest.self, from: bytes) } catch {
            throw StudyProblem("\(path): expected the manifest of a run or a study, found something else")
        }
        if let study = manifest.study, let columns = manifest.columns, let listed = manifest.runs {
            name = study
            self.columns = columns
            baseline = manifest.baseline
            runs = try Self.runs(listed, columns, folder)
        } else if let scenario = manifest.scenario, let seed = manifest.seed, manifest.fingerprint != nil {
            name = scenario
            columns = []
            baseline = nil
            runs = [Run(values: [], replication: 1, seed: seed, folder: folder)]
        } else {
            throw StudyProblem("\(path): expected the manifest of a run or a study, found something else")
        }
    }

    /// Runs of a study that has just been performed.
    package init(of study: Study, runs: [StudyRun], in folder: StudyFolder) {
        name = study.name
        columns = study.columns
        baseline = nil
        self.runs = runs.map {
            Run(values: study.values(of: $0.point), replication: $0.replication, seed: String($0.seed), folder: folder.path(of: $0))
        }
    }

    private static func runs(_ listed: [Manifest.ListedRun], _ columns: [String], _ folder: String) throws -> [Run] {
        let design = try CSVTable.read(file: folder + "/design.csv")
        guard design.rows.count == listed.count, let first = columns.isEmpty ? 0 : design.header.firstIndex(of: columns[0]),
            columns.isEmpty || Array(design.header[first...]) == columns
        else { throw StudyProblem("\(folder)/design.csv does not belong to the manifest beside it") }
        return zip(listed, design.rows).compactMap { run, row in
            if run.failure != nil { return nil }
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
        }

        let study: String?
        let columns: [String]?
        let runs: [ListedRun]?
        let baseline: String?
        let scenario: String?
        let seed: String?
        let fingerprint: String?
    }
}

extension SavedRuns.Run {
    package func figures() throws(CSVProblem) -> RunFigures { try RunFigures(folder: folder) }
}
