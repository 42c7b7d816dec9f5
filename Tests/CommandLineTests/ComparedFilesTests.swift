import Foundation
import Testing

/// `compare` trusts no file that it reads.
@Suite struct ComparedFilesTests {
    private let scratch = Scratch()
    private let scenario: String

    init() throws { scenario = try RecordedScenario.write(in: scratch.path) }

    private static func compare(_ folders: [String]) throws -> BuiltCommand.Outcome {
        try BuiltCommand.run(["compare"] + folders)
    }

    @Test
    func `what was changed, lost or made by another version is refused, and a value that is no number names its place`()
        throws
    {
        let run = scratch.path + "/checked"
        func compare(after change: (String) throws -> Void) throws -> String {
            #expect(try BuiltCommand.run(["run", scenario, "--out", run, "--quiet", "--force"]).status == 0)
            try change(run)
            let ended = try Self.compare([run, run])
            #expect(ended.status == 65 && ended.output == "", "\(ended.output)")
            return ended.error
        }
        func edit(_ path: String, _ old: String, _ new: String) throws {
            let text = try String(contentsOfFile: path, encoding: .utf8)
            #expect(text.contains(old))
            try text.replacing(old, with: new, maxReplacements: 1).write(
                toFile: path, atomically: true, encoding: .utf8)
        }
        #expect(
            try compare { try edit($0 + "/summary.csv", "run,,people,people,1", "run,,people,people,2") }
                == "error: \(run): \(run)/summary.csv is not as it was written (run it again)\n")
        #expect(
            try compare { try FileManager.default.removeItem(atPath: $0 + "/load.csv") }
                == "error: \(run): \(run)/load.csv is missing (run it again)\n")
        #expect(
            try compare { try edit($0 + "/manifest.json", "\"reloadsim\": \"", "\"reloadsim\": \"9.") }.hasPrefix(
                "error: \(run): it is of reloadsim 9."))
        #expect(
            try compare { try edit($0 + "/manifest.json", "\"complete\"", "\"begun\"") }.contains(
                "is not the manifest of a complete run"))
        let study = scratch.path + "/study"
        #expect(
            try BuiltCommand.run(["sweep", scenario, "--vary", "end=1h,2h", "--out", study, "--quiet"]).status == 0)
        // A study, one of whose runs is another's, and one whose own table was changed.
        let manifest = try String(contentsOfFile: study + "/manifest.json", encoding: .utf8)
        let names = try FileManager.default.contentsOfDirectory(atPath: study + "/runs").sorted()
        try FileManager.default.moveItem(atPath: study + "/runs/" + names[0], toPath: scratch.path + "/aside")
        try FileManager.default.copyItem(atPath: study + "/runs/" + names[1], toPath: study + "/runs/" + names[0])
        let exchanged = try Self.compare([study])
        #expect(
            exchanged.status == 65 && exchanged.error.contains("found one of another scenario"), "\(exchanged.error)")
        try FileManager.default.removeItem(atPath: study + "/runs/" + names[0])
        #expect(try Self.compare([study]).error.contains("found no manifest.json in it"))
        try FileManager.default.moveItem(atPath: scratch.path + "/aside", toPath: study + "/runs/" + names[0])
        #expect(try Self.compare([study]).status == 0)
        try edit(study + "/design.csv", "2h", "3h")
        #expect(try Self.compare([study]).error.contains("design.csv is not as it was written"))
        try edit(study + "/design.csv", "3h", "2h")
        try manifest.replacing("\"reloadsim\": \"", with: "\"reloadsim\": \"9.").write(
            toFile: study + "/manifest.json", atomically: true, encoding: .utf8)
        #expect(try Self.compare([study]).error.contains("it is of reloadsim 9."))
    }
}
