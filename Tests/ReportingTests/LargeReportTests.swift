import ResultFiles
import Basics
import Fleet
import Foundation
import ScenarioModel
import Statistics
import Testing
@testable import Reporting
@testable import Simulation

@Suite struct LargeReportTests {
    /// A week of four regions and fourteen causes in which every minute has every cause: 564,480 rows of load.
    @Test func `a full week is written whole`() throws {
        let scenario = { () -> Scenario in
            var scenario = SyntheticRun.scenario(hours: 168)
            scenario.plan.regions += scenario.plan.regions
            scenario.plan.endpoints = ["forecast"]
            return scenario
        }()
        let load = LoadCurve(endpoints: 1, regions: 4, minutes: 10_080)
        let requests = LoadBuffer(for: load)
        for minute in 0..<10_080 {
            for i in 0..<56 {
                requests.count(endpoint: 0, region: i % 4, cause: i / 4, tenth: minute * 600 + (i * 37 + minute) % 600)
            }
        }
        requests.flush()
        let measures = RunMeasures(layout: SyntheticRun.layout)
        let result = RunResult(scenario: scenario, measures: measures, load: load, tablesHash: "")
        let folder = try OutputFolder(path: NSTemporaryDirectory() + "reloadsim-" + UUID().uuidString, replacing: false)
        defer { do { try FileManager.default.removeItem(atPath: folder.path) } catch { Issue.record("\(error)") } }
        try RunReport(result).write(
            to: folder, resolvedScenario: "", circumstances: RunCircumstances(threads: 1, wallSeconds: 0))
        #expect(folder.files.first { $0.name == "load.csv" }!.bytes > 20_000_000)
    }
}
