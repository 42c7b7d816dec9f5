import Foundation
import ScenarioFiles
import Testing

@testable import Studies

/// A scenario that takes a few milliseconds, and folders that go when the test is over.
enum StudyFixture {
    static let text = """
        start: "2026-03-02T00:00:00Z"
        warmup: 0s
        duration: 2h
        people: 40
        kinds:
          - id: quote
            timeline: {shape: single}
            policy: {after: 20m, jitter: 0s}
            versions: {source: steady, every: 10m}
        population:
          devices:
            - kind: phone
              instances: [{id: first, kind: quote, surface: home_first}]

        """

    static func scenario() -> ScenarioText { ScenarioText(text: text, file: "small.yaml") }

    static func study(_ axes: [String], seeds: Study.Seeds = .byReplication) throws -> Study {
        let axes = try axes.map { try Axis.read($0) }
        return try Study(name: "small", scenario: scenario(), design: StudyDesign(axes: axes), seeds: seeds)
    }

    static func perform(
        _ study: Study, _ runs: [StudyRun], in folder: StudyFolder, jobs: Int = 2, repeats: Bool = false
    ) -> [RunOutcome] {
        RunQueue(study.scenario, in: folder, .init(jobs: jobs, threads: 1, memory: 1e9, repeats: repeats)).perform(
            runs, cancelled: { false })
    }

    /// Performs a whole study and writes its tables.
    @discardableResult
    static func perform(_ study: Study, replications: Int, in folder: StudyFolder, jobs: Int = 2) throws -> [RunOutcome]
    {
        let runs = try study.runs(replications: replications)
        let outcomes = perform(study, runs, in: folder, jobs: jobs)
        try study.writeResults(of: runs, outcomes, in: folder) { false }
        return outcomes
    }
}

/// A folder that goes when the test is over.
final class StudyScratch {
    let folder: StudyFolder

    init() throws {
        let path = NSTemporaryDirectory() + "reloadsim-study-" + UUID().uuidString
        folder = StudyFolder(path: path)
    }

    deinit {
        do { try FileManager.default.removeItem(atPath: folder.path) } catch {}
    }

    func bytes(_ name: String) throws -> Data { try Data(contentsOf: URL(filePath: folder.path + "/" + name)) }

    var runFolders: [String] {
        get throws { try FileManager.default.contentsOfDirectory(atPath: folder.path + "/runs").sorted() }
    }
}
