import Foundation
import Reporting
import ScenarioFiles
import Testing

@testable import Studies

/// The metrics that are read back from a run's files.
@Suite struct RunFiguresTests {
    @Test func `metrics of several runs of a point are put together by name, new ones last`() throws {
        let folder = NSTemporaryDirectory() + "reloadsim-" + UUID().uuidString
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        defer { do { try FileManager.default.removeItem(atPath: folder) } catch { Issue.record("\(error)") } }
        var samples = MetricSamples()
        for (point, rows) in [
            (1, ["views,1", "people,2", "reloads,3"]), (1, ["people,4", "errors,5", "views,6"]), (2, ["people,7"]),
            (1, ["errors,8", "reloads,"]),
        ] {
            let text = rows.map { "run,,\($0.replacing(",", with: ",of,"))\n" }.joined()
            try ("scope,name,metric,unit,value\n" + text).write(
                toFile: folder + "/summary.csv", atomically: true, encoding: .utf8)
            samples.add(try RunFigures(folder: folder), at: point)
        }
        let first = samples.samples(at: 1)
        #expect(first.map(\.metric) == ["views", "people", "reloads", "errors"])
        #expect(first.map(\.values) == [[1, 6], [2, 4], [3], [5, 8]])
        #expect(samples.samples(at: 2).map(\.values) == [[7]] && samples.samples(at: 3).isEmpty)
    }

    @Test func `a value that is no number names its file, row and column`() throws {
        let folder = NSTemporaryDirectory() + "reloadsim-" + UUID().uuidString
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        defer { do { try FileManager.default.removeItem(atPath: folder) } catch { Issue.record("\(error)") } }
        func figures(_ value: String) throws -> RunFigures {
            try
                "scope,name,metric,unit,value\nrun,,people,people,40\nrun,,views,views,\(value)\npool,origin,offered,requests,7\n"
                .write(
                    toFile: folder + "/summary.csv", atomically: true, encoding: .utf8)
            return try RunFigures(folder: folder)
        }
        #expect(try figures("3.5").value("views") == 3.5)
        #expect(try figures("").value("views") == nil)
        // The probability of a wait can be as small as this.
        #expect(try figures("3.61387624746049e-254").value("views") == 0)
        // A part with figures of its own does not have those of the run.
        let several = try figures("3\nkind,weather,requests_sent,requests,5\nkind,news,requests_sent,requests,6")
        #expect(
            several.value("weather.requests_sent") == 5 && several.value("weather.views") == nil
                && several.value("views") == 3)
        // The only part is found under the names of either.
        let found = try figures("3")
        #expect(found.value("segment.everyone.views") == 3 && found.value("weather.views") == 3)
        #expect(found.value("service.origin.offered") == 7 && found.value("service.offered") == 7)
        #expect(found.value("service.refused") == nil && found.value("weather.refused") == nil)
        for text in ["many", "nan", "inf", "1e999", "0x", "1e308", "-1e300"] {
            #expect {
                _ = try figures(text)
            } throws: {
                "\($0)"
                    == "\(folder)/summary.csv: row 2, column value: expected a number, or nothing, found '\(text)'"
            }
        }
    }
}
