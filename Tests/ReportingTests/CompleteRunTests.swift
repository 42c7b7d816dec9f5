import Basics
import ResultFiles
import Foundation
import Testing

@testable import Reporting

@Suite struct CompleteRunTests {
    private let scratch: Scratch
    private let out: String
    private let scenario = "name: synthetic\n"

    init() throws {
        scratch = try Scratch()
        out = scratch.path + "/out"
    }

    private func identity(
        scenario: String? = nil, record: String? = nil, seed: UInt64 = 7, version: String = ReloadsimVersion.text
    )
        -> RunIdentity
    {
        RunIdentity(resolvedScenario: scenario ?? self.scenario, recordSHA256: record, seed: seed, version: version)
    }

    /// A run's folder with one table.
    private func write(record: String? = nil) throws {
        let folder = try OutputFolder(path: out, replacing: false)
        try folder.write("load.csv", text: "bin_start_s,requests\n0,1\n60,2\n")
        try folder.write(OutputFolder.resolvedScenarioName, text: scenario)
        let identity = identity(record: record)
        var members: JSONMembers = ["scenario_sha256": identity.scenarioSHA256, "seed": "\(identity.seed)"]
        members.add("record_sha256", record)
        try folder.complete(members)
    }

    @Test func `a run's own folder is complete, and a folder without a manifest or none at all is absent`() throws {
        #expect(try CompleteRun.check(folder: out, identity: identity()) == .absent)
        try write()
        #expect(try CompleteRun.check(folder: out, identity: identity()) == .complete)
        try FileManager.default.removeItem(atPath: out + "/manifest.json")
        #expect(try CompleteRun.check(folder: out, identity: identity()) == .absent)
    }

    @Test func `another scenario, record, seed or version is another run, and the reason says which`() throws {
        try write(record: "aa")
        #expect(try CompleteRun.check(folder: out, identity: identity(record: "aa")) == .complete)
        #expect(
            try CompleteRun.check(folder: out, identity: identity(record: "bb"))
                == .other(reason: "its recorded events differ from this run's"))
        #expect(
            try CompleteRun.check(folder: out, identity: identity(scenario: "name: b\n", record: "aa"))
                == .other(reason: "its scenario differs from this run's"))
        #expect(
            try CompleteRun.check(folder: out, identity: identity(record: "aa", seed: 8))
                == .other(reason: "its seed is 7, and this run's is 8"))
        #expect(
            try CompleteRun.check(folder: out, identity: identity(record: "aa", version: "9.9.9"))
                == .other(reason: "it is of reloadsim \(ReloadsimVersion.text), and this is 9.9.9\(Changelog.changes(since: ReloadsimVersion.text).clause)"))
    }

    @Test func `a file that is missing, shorter or changed by one bit is damage, and the reason names it`() throws {
        try write()
        let file = out + "/load.csv"
        let whole = try Data(contentsOf: URL(filePath: file))
        var flipped = whole
        flipped[whole.count / 2] ^= 1
        try flipped.write(to: URL(filePath: file))
        #expect(
            try CompleteRun.check(folder: out, identity: identity())
                == .damaged(reason: "\(file) is not as it was written"))
        try whole.dropLast().write(to: URL(filePath: file))
        #expect(
            try CompleteRun.check(folder: out, identity: identity())
                == .damaged(reason: "\(file) has \(whole.count - 1) bytes and had \(whole.count)"))
        try FileManager.default.removeItem(atPath: file)
        #expect(try CompleteRun.check(folder: out, identity: identity()) == .damaged(reason: "\(file) is missing"))
    }

    @Test func `a manifest that is cut anywhere is damage`() throws {
        try write()
        let path = URL(filePath: out + "/manifest.json")
        let whole = try Data(contentsOf: path)
        for count in stride(from: 0, to: whole.count - 2, by: 17) {
            try whole.prefix(count).write(to: path)
            guard case .damaged = try CompleteRun.check(folder: out, identity: identity()) else {
                Issue.record("a manifest of \(count) bytes of \(whole.count) passes")
                continue
            }
        }
    }

}
