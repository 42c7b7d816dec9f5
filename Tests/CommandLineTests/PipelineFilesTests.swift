import Foundation
import FoundationXML
import ResultFiles
import Testing

@testable import Commands

/// The files that a pipeline reads of a run: demands as tests, figures in Markdown.
@Suite struct PipelineFilesTests {
    private static let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().path
    private static let service = """
        name: "a <b> & c"
        start: "2026-03-02T00:00:00Z"
        duration: 6h
        people: 200
        kinds: [{id: k, policy: {after: 30m}, versions: {source: steady, every: 1h}}]
        service:
          pools: [{id: o, servers: 5, service_time: 50ms}]
          objectives: [{name: quick, share: 0.5, within: 10s}, {name: never, share: 0.999, within: 1ms}]
          events: [{outage: {name: fire, span: [2h, 3h], pool: o}}]
        population: {devices: [{kind: phone, instances: [{id: i, kind: k}]}]}
        thresholds: [{metric: share_fresh, op: ">=", value: 0}, {metric: requests_total, op: "<", value: 1}]
        """

    private func run(_ scenario: String, _ arguments: [String]) throws -> (status: Int32, output: String, folder: URL) {
        let folder = FileManager.default.temporaryDirectory.appending(path: "pipeline-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        try scenario.write(to: folder.appending(path: "s.yaml"), atomically: true, encoding: .utf8)
        let ended = try BuiltCommand.run(
            ["run", "s.yaml", "--out", "out", "--junit", "j.xml", "--step-summary", "s.md"] + arguments,
            in: folder.path)
        return (ended.status, ended.output + ended.error, folder)
    }

    private func text(_ folder: URL, _ name: String) throws -> String {
        try String(contentsOf: folder.appending(path: name), encoding: .utf8)
    }

    @Test func `each demand is a test, a missed one ends with 99, and the files of results are the same`() throws {
        let (status, output, folder) = try run(Self.service, [])
        defer { try? FileManager.default.removeItem(at: folder) }
        #expect(status == 99, "\(output)")
        let junit = try text(folder, "j.xml")
        let parsed = try XMLDocument(xmlString: junit)
        let tests = try parsed.nodes(forXPath: "//testcase")
        #expect(tests.count == 4)
        #expect(try parsed.nodes(forXPath: "/testsuites/testsuite/@name").first?.stringValue == "a <b> & c")
        let failed = try parsed.nodes(forXPath: "//testcase[failure]/@name").compactMap(\.stringValue)
        #expect(failed == ["requests_total < 1", "objective never"])
        #expect(try parsed.nodes(forXPath: "/testsuites/@failures").first?.stringValue == "2")
        let markdown = try text(folder, "s.md")
        for part in ["❌ **2 of 4 thresholds and objectives hold.**", "| quick: objective", "| Fresh views | ", "fingerprint"] {
            #expect(markdown.contains(part), "\(markdown)")
        }
        #expect(output.contains("objective quick holds: ") && output.contains("verdict   2 of 4 thresholds and objectives hold"))
        // So do those of an earlier version, which is said.
        let manifest = try text(folder, "out/manifest.json")
        try manifest.replacing("\"reloadsim\": \"\(ReloadsimVersion.text)\"", with: "\"reloadsim\": \"0.0.9\"").write(
            to: folder.appending(path: "out/manifest.json"), atomically: true, encoding: .utf8)
        let old = try BuiltCommand.run(["report", "out", "--out", "old.html", "--junit", "l.xml"], in: folder.path)
        #expect(old.status == 0 && old.error.contains("warning: out: it is of reloadsim 0.0.9"), "\(old.error)")
        #expect(try text(folder, "l.xml") == junit && text(folder, "old.html").contains("Made by reloadsim 0.0.9"))
        let beside = try BuiltCommand.run(["compare", "out", "out"], in: folder.path)
        #expect(beside.status == 0 && beside.error.contains("moved numbers since (rules "), "\(beside.error)")
        let resumed = try BuiltCommand.run(["run", "s.yaml", "--out", "out", "--resume"], in: folder.path)
        #expect(resumed.status != 0 && resumed.error.contains("moved numbers since"), "\(resumed.error)")
        try manifest.write(to: folder.appending(path: "out/manifest.json"), atomically: true, encoding: .utf8)
        // Results that are there give the same, and the summary is added to.
        let again = try BuiltCommand.run(
            ["report", "out", "--junit", "k.xml", "--step-summary", "s.md"], in: folder.path)
        #expect(again.status == 0, "\(again.error)")
        #expect(try text(folder, "k.xml") == junit && text(folder, "s.md") == markdown + markdown)
    }

    @Test func `other code finds the same budgets of all regions and of each`() throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "levels-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let objectives = "[{name: quick, share: 0.9, within: 1s}, {name: answered, share: 0.8}]"
        let ended = try BuiltCommand.run(
            [
                "run", Self.root + "/Scenarios/region-lost.yaml", "--people", "2000", "--quiet", "--no-report",
                "--out", "out", "--set", "service.objectives=\(objectives)", "--set", "load_bin=1m",
            ], in: folder.path)
        #expect(ended.status == 0 || ended.status == 99, "\(ended.error)")
        let levels = try text(folder, "out/service_levels.csv").split(separator: "\n")
        #expect(levels.count > 4, "\(levels)")
        let checked = Process()
        checked.executableURL = URL(filePath: "/usr/bin/env")
        checked.arguments = ["python3", Self.root + "/scripts/check-service-levels", folder.path + "/out"]
        let output = Pipe()
        checked.standardOutput = output
        try checked.run()
        let said = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        checked.waitUntilExit()
        #expect(checked.terminationStatus == 0 && said.contains("every budget and alert is the same"), "\(said)")
    }

    @Test func `a run without demands is one test`() throws {
        let plain = Self.service.split(separator: "\n").filter { !$0.contains("objectives") && !$0.contains("thresholds") }
        let (status, output, folder) = try run(plain.joined(separator: "\n"), ["--quiet", "--no-report"])
        defer { try? FileManager.default.removeItem(at: folder) }
        #expect(status == 0, "\(output)")
        #expect(try text(folder, "j.xml").contains("name=\"the run is complete\"/>"))
        #expect(try text(folder, "s.md").contains("No thresholds and no objectives are set."))
    }

    @Test func `what cannot be written is refused before anything is simulated, and stays as it was`() throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "pipeline-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        try Self.service.write(to: folder.appending(path: "s.yaml"), atomically: true, encoding: .utf8)
        for (options, sentence) in [
            (["--junit", "s.yaml"], "--junit s.yaml exists and was not written by reloadsim"),
            (["--junit", "no/j.xml"], "expected a folder that is there, found no no"),
            (["--step-summary", "no/s.md"], "expected a folder that is there, found no no"),
            (["--step-summary", "out/summary.csv"], "lies among the results"),
            (["--junit", "a", "--step-summary", "a"], "take a file each"), (["--junit", "."], "folder"),
        ] {
            let ended = try BuiltCommand.run(["run", "s.yaml", "--out", "out"] + options, in: folder.path)
            #expect(ended.status != 0 && ended.status != 99 && ended.error.contains(sentence), "\(ended.error)")
            #expect(!FileManager.default.fileExists(atPath: folder.path + "/out"), "\(options)")
        }
        #expect(try text(folder, "s.yaml") == Self.service)
    }

    @Test func `a threshold on an objective's metric is a threshold, and bounds have all their digits`() throws {
        let lines = Self.service.replacing(
            "value: 0}", with: "value: 0}, {metric: objective.quick.share_good, op: \"<\", value: 0.00012345}"
        ).replacing("share: 0.5", with: "share: 0.99999")
        let (status, output, folder) = try run(lines, [])
        defer { try? FileManager.default.removeItem(at: folder) }
        #expect(status == 99 && output.contains("good for 99.999 %"), "\(output)")
        let junit = try text(folder, "j.xml")
        let names = try XMLDocument(xmlString: junit).nodes(forXPath: "//testcase/@name").compactMap(\.stringValue)
        #expect(Set(names).count == 5 && names.contains("objective.quick.share_good < 0.00012345"), "\(names)")
    }
}
