import Basics
import ResultFiles
import Calibration
import Foundation
import Reporting
import ScenarioFiles
import Studies

/// A study on the disk of which one file after another is replaced, with its hashes made again, and read as `compare`
/// reads it.
final class AlteredStudy: @unchecked Sendable {
    // Safety: a process of the fuzzer has one thread, and tests take a target's inputs one after another.
    static let shared = AlteredStudy()

    private let folder = SampleFolders.shared.path(.study)
    private let ranking = SampleFolders.shared.path(.sensitivity)
    /// Each with its folder and its content.
    private let files: [(folder: String, name: String, content: [UInt8])]
    /// The manifests of the study and of its first run.
    private let manifests: [(path: String, content: Data)]

    private init() {
        let runs = ((try? FileManager.default.contentsOfDirectory(atPath: folder + "/runs")) ?? []).sorted()
        let run = folder + "/runs/" + (runs.first ?? "")
        let read =
            [(folder, "design.csv"), (ranking + "/sensitivity", "indices.csv")]
            + ["summary.csv", "reload_totals.csv", "thresholds.csv"].map { (run, $0) }
        files = read.map { ($0.0, $0.1, Array(FileManager.default.contents(atPath: $0.0 + "/" + $0.1) ?? Data())) }
        manifests = [folder, run, ranking + "/sensitivity"].map {
            ($0 + "/manifest.json", FileManager.default.contents(atPath: $0 + "/manifest.json") ?? Data())
        }
    }

    var seeds: [[UInt8]] { files.enumerated().map { [UInt8($0)] + $1.content.prefix(16_000) } }

    func take(_ bytes: [UInt8], _ check: (String) -> Void) {
        guard let first = bytes.first else { return }
        let file = files[Int(first) % files.count]
        let content = Array(bytes.dropFirst())
        do { try AlteredFolder.write(content, to: file.name, in: file.folder) } catch {
            preconditionFailure("\(error)")
        }
        defer {
            do {
                try Data(file.content).write(to: URL(filePath: file.folder + "/" + file.name))
                for manifest in manifests { try manifest.content.write(to: URL(filePath: manifest.path)) }
            } catch { preconditionFailure("\(error)") }
        }
        do {
            for comparison in try Comparison.within(SavedRuns(folder: folder), by: "people", baseline: nil) {
                check(comparison.baseline)
            }
        } catch { checkProblem(error, check) }
        do { _ = try FinishedRun.breaksThreshold(folder: file.folder) } catch { checkProblem(error, check) }
        do { _ = try KeyRanking(folder: ranking) } catch { checkProblem(error, check) }
    }

    /// Problems of these sorts end a command with 65, 66 or 74; another one would be a fault of the program.
    private func checkProblem(_ error: any Error, _ check: (String) -> Void) {
        switch error {
        case let problem as StudyProblem: check(problem.description)
        case let problem as CSVProblem: check(problem.description)
        case let problem as OutputProblem: check(problem.description)
        case let problem as LogProblem: check(problem.description)
        default: preconditionFailure("a problem that no command expects: \(error)")
        }
    }
}
