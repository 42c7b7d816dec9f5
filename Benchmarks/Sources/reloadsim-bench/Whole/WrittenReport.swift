import ResultFiles
import Foundation
import Reporting
import ScenarioFiles
import Simulation

/// The reports of a run, written into a folder that is then removed: what that took, in seconds.
struct WrittenReport {
    let coreSeconds, wallSeconds: Double

    init(_ result: RunResult, _ read: ParsedScenario) throws {
        let path = NSTemporaryDirectory() + "reloadsim-bench-\(ProcessInfo.processInfo.processIdentifier)"
        let wall = Clocks.wall
        let (_, core) = try Clocks.coreTime {
            let report = RunReport(result)
            let folder = try OutputFolder(path: path, replacing: true)
            try report.write(
                to: folder, resolvedScenario: read.resolvedText,
                circumstances: RunCircumstances(threads: 1, wallSeconds: 0))
        }
        (coreSeconds, wallSeconds) = (core, Clocks.wall - wall)
        do { try FileManager.default.removeItem(atPath: path) } catch { throw OutputProblem("cannot remove \(path)") }
    }
}
