import Foundation
import Testing

@testable import Commands

/// Messages on standard error as JSON.
@Suite struct MessageFormTests {
    private static let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().path

    private static func run(_ words: [String]) throws -> (status: Int32, error: String) {
        let folder = FileManager.default.temporaryDirectory.appending(path: "messages-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let ended = try BuiltCommand.run(
            words.map { $0.hasPrefix("Scenarios/") ? root + "/" + $0 : $0 }, in: folder.path)
        return (ended.status, ended.error)
    }

    private static func objects(_ words: [String]) throws -> (status: Int32, objects: [[String: String]]) {
        let ended = try run(words)
        let objects = try ended.error.split(separator: "\n").map { line in
            try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: String], "\(line)")
        }
        return (ended.status, objects)
    }

    @Test func `each message of a run is an object, with the same words as the text`() throws {
        let words = ["run", "Scenarios/first-look.yaml", "--people", "50", "--threshold", "share_fresh >= 1"]
        let (status, objects) = try Self.objects(words + ["--out", "json", "--messages", "json"])
        let text = try Self.run(words + ["--out", "text", "--messages=text"])
        #expect(status == 99 && text.status == 99)
        #expect(
            objects.allSatisfy { Set($0.keys).isSubset(of: ["level", "subject", "text"]) && $0["level"] == "info" })
        let subjects = objects.compactMap { $0["subject"] }
        #expect(
            ["reloadsim", "scenario", "seed", "views", "broken", "verdict", "fingerprint"].allSatisfy(subjects.contains)
        )
        let lines = text.error.split(separator: "\n")
        #expect(objects.count == lines.count)
        for (object, line) in zip(objects, lines) where !["results", "estimate"].contains(object["subject"]) {
            #expect(line.hasSuffix(object["text"] ?? "-"), "\(line) \(object)")
        }
    }

    @Test(arguments: [
        ["run", "nothing.yaml", "--messages", "json"], ["run", "--messages=json", "--nothing"],
        ["run", "Scenarios/first-look.yaml", "--set", "people=-1", "--messages", "json"],
    ])
    func `what is wrong is an error`(words: [String]) throws {
        let (status, objects) = try Self.objects(words)
        #expect(status != 0 && objects.first?["level"] == "error")
    }

    @Test func `an error keeps its first word`() throws {
        let (_, objects) = try Self.objects(["run", "reloadsim x.yaml", "--messages", "json"])
        #expect(objects.first?["text"]?.hasPrefix("reloadsim x.yaml: ") == true, "\(objects)")
    }
}
