import Foundation
import RunFiles
import ScenarioFiles
import Testing

@testable import Studies

/// The metrics that are read back from a run's files.
@Suite struct RunFiguresTests {
    @Test func `a value that is no number names its file, row and column`() throws {
        let folder = NSTemporaryDirectory() + "reloadsim-" + UUID().uuidString
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        defer { do { try FileManager.default.removeItem(atPath: folder) } catch { Issue.record("\(error)") } }
        func figures(_ value: String) throws -> RunFigures {
            try "metric,unit,value\npeople,people,40\nviews,views,\(value)\n".write(
                toFile: folder + "/summary.csv", atomically: true, encoding: .utf8)
            return try RunFigures(folder: folder)
        }
        #expect(try figures("3.5").value("views") == 3.5)
        #expect(try figures("").value("views") == nil)
        for text in ["many", "nan", "inf", "1e999", "0x"] {
            #expect {
                _ = try figures(text)
            } throws: {
                "\($0)"
                    == "\(folder)/summary.csv: row 2, column value: expected a number, or nothing where views is not defined, found '\(text)'"
            }
        }
    }
}
