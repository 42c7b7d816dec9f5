import ResultFiles
import Foundation
import Reporting
import Simulation

extension RunResult {
    /// The files that a run writes, by name.
    ///
    /// - Throws: the `OutputProblem` of a folder that cannot be written, and what keeps a file from being read again.
    package func files() throws -> [String: Data] {
        let path = NSTemporaryDirectory() + "reloadsim-" + UUID().uuidString
        defer { _ = try? FileManager.default.removeItem(atPath: path) }
        try RunReport(self).write(
            to: OutputFolder(path: path, replacing: false), resolvedScenario: "",
            circumstances: RunCircumstances(threads: 1, wallSeconds: 1))
        var files: [String: Data] = [:]
        for name in try FileManager.default.contentsOfDirectory(atPath: path) {
            files[name] = try Data(contentsOf: URL(filePath: path + "/" + name))
        }
        return files
    }
}
