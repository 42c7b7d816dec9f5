import ResultFiles
import Basics
import Foundation
import Simulation
import Testing
@testable import Reporting

/// The contents of a folder of a run.
@Suite struct ReportFolderTests {
    /// A path for one test; everything in it goes when the test is over.
    private final class Scratch {
        let path = NSTemporaryDirectory() + "reloadsim-" + UUID().uuidString
        deinit { do { try FileManager.default.removeItem(atPath: path) } catch { Issue.record("\(error)") } }
    }

    private let scratch = Scratch()
    private var out: String { scratch.path + "/a/b" }

    private func names(_ path: String) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: path).sorted()
    }

    private func write(_ folder: OutputFolder, _ result: RunResult = SyntheticRun.result(), wallSeconds: Double = 1)
        throws
    {
        try RunReport(result).write(
            to: folder, resolvedScenario: "name: synthetic\n",
            circumstances: RunCircumstances(threads: 2, wallSeconds: wallSeconds))
    }

    @Test func `a complete run is its tables, the package, the scenario and the manifest, and nothing else`() throws {
        try write(OutputFolder(path: out, replacing: false))
        let expected =
            RunTable.ofEveryRun.map(\.declaration.fileName) + [
                "datapackage.json", "manifest.json", "scenario.resolved.yaml",
            ]
        #expect(try names(out) == expected.sorted())
    }

    @Test func `a run with a service has its tables too, and the package describes all of them`() throws {
        try write(OutputFolder(path: out, replacing: false), SyntheticService.result())
        let expected =
            (RunTable.ofEveryRun + RunTable.ofService).map(\.declaration.fileName) + [
                "datapackage.json", "manifest.json", "scenario.resolved.yaml",
            ]
        #expect(try names(out) == expected.sorted())
        let package = try #require(
            try JSONSerialization.jsonObject(with: Data(contentsOf: URL(filePath: out + "/datapackage.json")))
                as? [String: Any])
        let resources = try #require(package["resources"] as? [[String: Any]])
        #expect(
            resources.compactMap { $0["path"] as? String }
                == (RunTable.ofEveryRun + RunTable.ofService).map(\.declaration.fileName))
    }

    @Test func `a run without a service that replaces one with a service leaves none of its tables`() throws {
        try write(OutputFolder(path: out, replacing: false), SyntheticService.result())
        try write(OutputFolder(path: out, replacing: true))
        #expect(try names(out).count == RunTable.ofEveryRun.count + 3)
        #expect(try names(out).allSatisfy { !$0.hasPrefix("service") })
    }

    @Test func `the manifest names every other file with its size and hash`() throws {
        try write(OutputFolder(path: out, replacing: false))
        let manifest = try #require(
            try JSONSerialization.jsonObject(with: Data(contentsOf: URL(filePath: out + "/manifest.json")))
                as? [String: Any])
        #expect(manifest["status"] as? String == "complete")
        #expect(manifest["seed"] as? String == "7")
        #expect(manifest["reloadsim"] as? String == ReloadsimVersion.text)
        let files = try #require(manifest["files"] as? [[String: Any]])
        #expect(try Set(files.compactMap { $0["name"] as? String }) == Set(names(out)).subtracting(["manifest.json"]))
        for file in files {
            let data = try Data(contentsOf: URL(filePath: out + "/" + (file["name"] as! String)))
            #expect(file["bytes"] as? Int == data.count)
            #expect(file["sha256"] as? String == SHA256.hash(data: data).hex)
        }
        let scenario = files.first { $0["name"] as? String == "scenario.resolved.yaml" }
        #expect(manifest["scenario_sha256"] as? String == scenario?["sha256"] as? String)
    }

    @Test func `only the manifest tells how long a run took`() throws {
        try write(OutputFolder(path: out, replacing: false), wallSeconds: 1)
        try write(OutputFolder(path: scratch.path + "/other", replacing: false), wallSeconds: 2)
        for name in try names(out) {
            let same = FileManager.default.contentsEqual(
                atPath: out + "/" + name, andPath: scratch.path + "/other/" + name)
            #expect(same == (name != "manifest.json"), "\(name)")
        }
    }

    @Test func `replacing leaves other files alone`() throws {
        try write(OutputFolder(path: out, replacing: false))
        try "mine".write(toFile: out + "/notes.txt", atomically: false, encoding: .utf8)
        try write(OutputFolder(path: out, replacing: true))
        #expect(try names(out).count == RunTable.ofEveryRun.count + 4)
    }

    @Test func `a manifest names the record of a replay and the number of merged shards, and neither without them`()
        throws
    {
        func manifest(_ circumstances: RunCircumstances) throws -> String {
            try RunReport(SyntheticRun.result()).write(
                to: OutputFolder(path: out, replacing: true), resolvedScenario: "name: synthetic\n",
                circumstances: circumstances)
            return try String(contentsOfFile: out + "/manifest.json", encoding: .utf8)
        }
        let text = try manifest(RunCircumstances(threads: 1, wallSeconds: 1, recordSHA256: "aa", shards: 7))
        #expect(text.contains("\"record_sha256\": \"aa\",") && text.contains("\"shards\": 7,"))
        let plain = try manifest(RunCircumstances(threads: 1, wallSeconds: 1))
        #expect(!plain.contains("record_sha256") && !plain.contains("shards"))
    }
}
