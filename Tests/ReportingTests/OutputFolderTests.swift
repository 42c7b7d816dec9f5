import ResultFiles
import Foundation
import Testing

@testable import Reporting

@Suite struct OutputFolderTests {
    let scratch: Scratch
    let out: String

    init() throws {
        scratch = try Scratch()
        out = scratch.path + "/a/b"
    }

    private func names(_ path: String) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: path).sorted()
    }

    /// Writes a few files and gives them their names.
    private func write(_ folder: OutputFolder) throws {
        for name in ["load.csv", "reloads.csv", "scenario.resolved.yaml"] {
            try folder.write(name, text: "of \(name)\n")
        }
        try folder.complete(["name": "small", "fingerprint": "0"])
    }

    @Test func `a complete folder holds its files and a manifest that names them with their hashes`() throws {
        let folder = try OutputFolder(path: out, replacing: false)
        try write(folder)
        #expect(try names(out) == ["load.csv", "manifest.json", "reloads.csv", "scenario.resolved.yaml"])
        let manifest = try #require(
            try JSONSerialization.jsonObject(with: Data(contentsOf: URL(filePath: out + "/manifest.json")))
                as? [String: Any])
        #expect(manifest["status"] as? String == "complete" && manifest["name"] as? String == "small")
        #expect(manifest["reloadsim"] as? String == ReloadsimVersion.text)
        let files = try #require(manifest["files"] as? [[String: Any]])
        #expect(files.compactMap { $0["name"] as? String } == ["load.csv", "reloads.csv", "scenario.resolved.yaml"])
        #expect(files.compactMap { $0["bytes"] as? Int } == [12, 15, 26])
    }

    @Test func `what an earlier run left and this one does not have goes, and other files stay`() throws {
        try write(OutputFolder(path: out, replacing: false))
        for name in ["mine.csv", "notes.txt"] {
            try "mine".write(toFile: out + "/" + name, atomically: false, encoding: .utf8)
        }
        let folder = try OutputFolder(path: out, replacing: true)
        try folder.write("load.csv", text: "1\n")
        try folder.complete([:], removing: ["reloads.csv", "scenario.resolved.yaml", "mine.csv", "never.csv"])
        #expect(try names(out) == ["load.csv", "manifest.json", "mine.csv", "notes.txt"])
    }

    @Test func `a folder that is not empty is refused and stays as it is`() throws {
        try FileManager.default.createDirectory(atPath: out, withIntermediateDirectories: true)
        try "mine".write(toFile: out + "/notes.txt", atomically: false, encoding: .utf8)
        #expect {
            _ = try OutputFolder(path: out, replacing: false)
        } throws: {
            "\($0)" == "the output folder \(out) is not empty; nothing was changed (--force replaces the results in it)"
        }
        #expect(try names(out) == ["notes.txt"])
    }

    @Test func `a failure in the middle leaves neither files nor folders`() throws {
        let folder = try OutputFolder(path: out, replacing: false)
        try folder.write("first.csv", text: "1\n")
        #expect {
            try folder.write("second.csv") { (_) throws(OutputProblem) in
                throw .system("cannot write second.csv", ENOSPC)
            }
        } throws: {
            "\($0)" == "cannot write second.csv: No space left on device; nothing of this run was left in \(out)"
        }
        #expect(!FileManager.default.fileExists(atPath: scratch.path + "/a"))
    }

    @Test func `a failure while results are replaced keeps the earlier ones`() throws {
        try write(OutputFolder(path: out, replacing: false))
        let before = try Data(contentsOf: URL(filePath: out + "/manifest.json"))
        let folder = try OutputFolder(path: out, replacing: true)
        try folder.write("load.csv", text: "other\n")
        #expect {
            try folder.write("reloads.csv") { (_) throws(OutputProblem) in
                throw .system("cannot write reloads.csv", ENOSPC)
            }
        } throws: { "\($0)".hasSuffix("nothing of this run was left in \(out), and what it held before is unchanged") }
        #expect(try Data(contentsOf: URL(filePath: out + "/manifest.json")) == before)
        #expect(try names(out) == ["load.csv", "manifest.json", "reloads.csv", "scenario.resolved.yaml"])
    }

    @Test func `a folder by the name of the manifest is not replaced`() throws {
        let folder = try OutputFolder(path: out, replacing: false)
        // A folder comes to stand where a file must go.
        try FileManager.default.createDirectory(atPath: out + "/manifest.json/x", withIntermediateDirectories: true)
        #expect { try write(folder) } throws: {
            "\($0)".hasPrefix("\(out)/manifest.json ") && "\($0)".hasSuffix("nothing of this run was left in \(out)")
        }
        #expect(try names(out) == ["manifest.json"])
    }

    @Test func `a folder by the name of a file keeps the results that were there`() throws {
        try write(OutputFolder(path: out, replacing: false))
        let before = try Data(contentsOf: URL(filePath: out + "/manifest.json"))
        try FileManager.default.removeItem(atPath: out + "/reloads.csv")
        try FileManager.default.createDirectory(atPath: out + "/reloads.csv/x", withIntermediateDirectories: true)
        let folder = try OutputFolder(path: out, replacing: true)
        try folder.write("load.csv", text: "other\n")
        try folder.write("reloads.csv", text: "other\n")
        #expect { try folder.complete([:]) } throws: {
            "\($0)".hasPrefix("\(out)/reloads.csv ") && "\($0)".hasSuffix("and what it held before is unchanged")
        }
        #expect(try Data(contentsOf: URL(filePath: out + "/manifest.json")) == before)
        #expect(try String(contentsOfFile: out + "/load.csv", encoding: .utf8) == "of load.csv\n")
        #expect(try names(out) == ["load.csv", "manifest.json", "reloads.csv", "scenario.resolved.yaml"])
    }

    @Test func `a folder is one writer's at a time`() throws {
        let first = try OutputFolder(path: out, replacing: false)
        #expect { _ = try OutputFolder(path: out, replacing: true) } throws: {
            "\($0)" == "another command is at work in \(out); nothing was changed"
        }
        try write(first)
    }

    @Test func `names of temporary files are drawn, and are told from all others`() throws {
        let names = (0..<100).map { _ in TemporaryName.fresh(for: "load.csv") }
        #expect(Set(names).count == 100 && names.allSatisfy { TemporaryName.original(of: $0)?.name == "load.csv" })
        for name in [
            "load.csv", ".load.csv.partial", "load.csv.0123456789abcdef.partial", ".load.csv.0123456789ABCDEF.partial",
            ".load.csv.0123.partial",
            "..0123456789abcdef.partial", ".load.csv.0123456789abcdef.previous", ".partial",
        ] { #expect(TemporaryName.original(of: name) == nil, "\(name)") }
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
