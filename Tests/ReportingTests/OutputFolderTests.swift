import Crypto
import Foundation
import PlainText
import Simulation
import Testing
@testable import Reporting

@Suite struct OutputFolderTests {
    /// A path for one test under which nothing stands yet; everything in it goes when the test is over.
    final class Scratch {
        let path = NSTemporaryDirectory() + "reloadsim-" + UUID().uuidString
        init() throws { try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true) }
        deinit { do { try FileManager.default.removeItem(atPath: path) } catch { Issue.record("\(error)") } }
    }

    let scratch: Scratch
    let out: String

    init() throws {
        scratch = try Scratch()
        out = scratch.path + "/a/b"
    }

    private func names(_ path: String) throws -> [String] { try FileManager.default.contentsOfDirectory(atPath: path).sorted() }

    private func write(_ folder: OutputFolder, _ result: RunResult = SyntheticRun.result(), wallSeconds: Double = 1) throws {
        try RunReport(result).write(
            to: folder, resolvedScenario: "name: synthetic\n", circumstances: RunCircumstances(threads: 2, wallSeconds: wallSeconds))
    }

    @Test func `a complete run is its tables, the package, the scenario and the manifest, and nothing else`() throws {
        try write(OutputFolder(path: out, replacing: false))
        let expected =
            RunTable.withoutService.map(\.declaration.fileName) + ["datapackage.json", "manifest.json", "scenario.resolved.yaml"]
        #expect(try names(out) == expected.sorted())
    }

    @Test func `a run with a service has its tables too, and the package describes all of them`() throws {
        try write(OutputFolder(path: out, replacing: false), SyntheticService.result())
        let expected = RunTable.all.map(\.declaration.fileName) + ["datapackage.json", "manifest.json", "scenario.resolved.yaml"]
        #expect(try names(out) == expected.sorted())
        let package = try #require(
            try JSONSerialization.jsonObject(with: Data(contentsOf: URL(filePath: out + "/datapackage.json"))) as? [String: Any])
        let resources = try #require(package["resources"] as? [[String: Any]])
        #expect(resources.compactMap { $0["path"] as? String } == RunTable.all.map(\.declaration.fileName))
    }

    @Test func `a run without a service that replaces one with a service leaves none of its tables`() throws {
        try write(OutputFolder(path: out, replacing: false), SyntheticService.result())
        try write(OutputFolder(path: out, replacing: true))
        #expect(try names(out).count == RunTable.withoutService.count + 3)
        #expect(try names(out).allSatisfy { !$0.hasPrefix("service") })
    }

    @Test func `the manifest names every other file with its size and hash`() throws {
        try write(OutputFolder(path: out, replacing: false))
        let manifest = try #require(
            try JSONSerialization.jsonObject(with: Data(contentsOf: URL(filePath: out + "/manifest.json"))) as? [String: Any])
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
            let same = FileManager.default.contentsEqual(atPath: out + "/" + name, andPath: scratch.path + "/other/" + name)
            #expect(same == (name != "manifest.json"), "\(name)")
        }
    }

    @Test func `a folder that is not empty is refused and stays as it is`() throws {
        try FileManager.default.createDirectory(atPath: out, withIntermediateDirectories: true)
        try "mine".write(toFile: out + "/notes.txt", atomically: false, encoding: .utf8)
        #expect {
            _ = try OutputFolder(path: out, replacing: false)
        } throws: { "\($0)" == "the output folder \(out) is not empty; nothing was changed (--force replaces the results in it)" }
        #expect(try names(out) == ["notes.txt"])
    }

    @Test func `replacing leaves other files alone`() throws {
        try write(OutputFolder(path: out, replacing: false))
        try "mine".write(toFile: out + "/notes.txt", atomically: false, encoding: .utf8)
        try write(OutputFolder(path: out, replacing: true))
        #expect(try names(out).count == RunTable.withoutService.count + 4)
    }

    @Test func `a failure in the middle leaves neither files nor folders`() throws {
        let folder = try OutputFolder(path: out, replacing: false)
        try folder.write("first.csv", text: "1\n")
        #expect {
            try folder.write("second.csv") { (_) throws(OutputProblem) in throw .system("cannot write second.csv", ENOSPC) }
        } throws: { "\($0)" == "cannot write second.csv: No space left on device; nothing of this run was left in \(out)" }
        #expect(!FileManager.default.fileExists(atPath: scratch.path + "/a"))
    }

    @Test func `a failure while results are replaced keeps the earlier ones`() throws {
        try write(OutputFolder(path: out, replacing: false))
        let before = try Data(contentsOf: URL(filePath: out + "/manifest.json"))
        // The temporary name is taken by a folder.
        try FileManager.default.createDirectory(atPath: out + "/.load.csv.partial", withIntermediateDirectories: true)
        let folder = try OutputFolder(path: out, replacing: true)
        #expect { try write(folder) } throws: {
            "\($0)".hasSuffix("nothing of this run was left in \(out), and what it held before is unchanged")
        }
        #expect(try Data(contentsOf: URL(filePath: out + "/manifest.json")) == before)
        #expect(try names(out).filter { $0.hasSuffix(".partial") } == [".load.csv.partial"])
    }

    @Test func `a failure while files get their names leaves no manifest`() throws {
        // A folder stands where a file must go.
        try FileManager.default.createDirectory(atPath: out + "/reloads.csv/x", withIntermediateDirectories: true)
        #expect { try write(OutputFolder(path: out, replacing: true)) } throws: { "\($0)".hasSuffix("\(out) holds no complete results") }
        #expect(try names(out) == ["reloads.csv"])
    }

    @Test func `an interruption leaves nothing`() throws {
        var calls = 0
        let folder = try OutputFolder(path: out, replacing: false) {
            calls += 1
            return calls > 3
        }
        #expect { try write(folder) } throws: { ($0 as? OutputProblem)?.isInterruption == true }
        #expect(!FileManager.default.fileExists(atPath: out))
    }
}
