import EmbeddedTexts
import ResultFiles
import Foundation
import Pages
import Reporting
import ScenarioFiles
import Simulation
import Testing

@testable import Commands
@testable import Reporting
@testable import Studies

/// The testing library has a type of the same name.
private typealias Status = Commands.ExitStatus

/// Every command that writes, with a fault at one of its calls: what stands afterwards is the old state or the complete
/// new one.
///
/// Each call of a command's sequence has one fault, of a kind that follows from its number, or with
/// `RELOADSIM_FAULTS=all` one of each kind. A sweep and a resumed run write their results by the calls of a run, so
/// that without it they have a fault at every fourth.
@Suite struct FaultPointTests {
    private let scratch = Scratch()
    private let scenario: String
    private let out: String
    private let attic: String
    init() throws {
        (out, attic) = (scratch.path + "/tree/out", scratch.path + "/attic")
        scenario = try RecordedScenario.write(in: scratch.path)
        for folder in ["tree", "attic", "whole"] {
            try FileManager.default.createDirectory(
                atPath: scratch.path + "/" + folder, withIntermediateDirectories: true)
        }
    }

    private static let isThorough = ProcessInfo.processInfo.environment["RELOADSIM_FAULTS"] == "all"

    private static func faults(at place: Int) -> [FaultyDisk.Fault] {
        let all: [FaultyDisk.Fault] = [
            .kill, .crash(seed: UInt64(place)), .error(EIO), .full, .kill, .crash(seed: UInt64(place) + 1_000), .short,
            .interrupted,
        ]
        return isThorough ? Array(Set(all)) : [all[place % all.count]]
    }

    /// Does work on a disk with a fault at each call of its sequence, and hands on what came of it.
    ///
    /// - Parameters:
    ///   - name: of what is tried, for the thorough test's figures.
    ///   - step: of how many calls one has a fault.
    ///   - before: makes the state that the work finds.
    ///   - work: gives the exit status.
    ///   - check: judges what stands; told whether the process has ended in the middle, and its status otherwise.
    /// - Returns: how many faults there were.
    @discardableResult
    private func everyPoint(
        _ name: String = #function, step: Int = 1, before: () throws -> Void, _ work: () throws -> Status,
        check: (_ what: String, _ status: Status?) throws -> Void
    ) throws -> Int {
        func reset() throws {
            for folder in ["tree", "attic"] {
                try FileManager.default.removeItem(atPath: scratch.path + "/" + folder)
                try FileManager.default.createDirectory(
                    atPath: scratch.path + "/" + folder, withIntermediateDirectories: true)
            }
            try before()
        }
        try reset()
        let whole = FaultyDisk(attic: attic)
        #expect(try Disk.$calls.withValue(whole, operation: work) == .done, "\(whole.said)")
        try check("no fault", .done)
        // Work that the command has reported as done stands after a crash, too.
        whole.crash(under: scratch.path + "/tree", seed: 0)
        try check("a crash after the end", .done)
        var count = 0
        for place in stride(from: 1, through: whole.count, by: Self.isThorough ? 1 : step) {
            for fault in Self.faults(at: place) {
                try reset()
                let disk = FaultyDisk(fault, at: place, attic: attic)
                let status = try Disk.$calls.withValue(disk, operation: work)
                count += 1
                var ended: Status? = status
                switch fault {
                case .kill: ended = nil
                case .crash(let seed):
                    disk.crash(under: scratch.path + "/tree", seed: seed)
                    ended = nil
                case .short, .interrupted:
                    #expect(status == .done, "\(fault) at call \(place), \(whole.calls[place - 1]): \(disk.said)")
                case .error, .full: break
                }
                try check("\(fault) at call \(place) of \(whole.count), \(whole.calls[place - 1])", ended)
            }
        }
        if Self.isThorough { print("\(name): \(count) faults at \(whole.count) calls") }
        return count
    }

    /// The content of every file in a folder but the manifest, which tells times; empty if there is no folder.
    private func files(_ folder: String) throws -> [String: Data] {
        var files: [String: Data] = [:]
        guard FileManager.default.fileExists(atPath: folder) else { return files }
        for name in try FileManager.default.contentsOfDirectory(atPath: folder)
        where name != "manifest.json" && name != "runs" {
            files[name] = try Data(contentsOf: URL(filePath: folder + "/" + name))
        }
        return files
    }

    /// Whether a name is one that results have, and not what a killed process leaves.
    private func isFinal(_ name: String) -> Bool { !name.hasPrefix(".") && name != CheckpointedRun.name }

    private func run(_ more: [String] = []) -> Status {
        ReloadsimProgram.end(of: ["run", scenario, "--out", out, "--quiet"] + more)
    }

    /// The files that the run writes when nothing goes wrong.
    private func whole(_ more: [String] = []) throws -> [String: Data] {
        let folder = scratch.path + "/whole/of\(more.joined())"
        #expect(ReloadsimProgram.end(of: ["run", scenario, "--out", folder, "--quiet"] + more) == .done)
        return try files(folder)
    }

    /// That a folder holds a run's results in full or no manifest; after an error no name of results at all.
    private func checkNew(_ expected: [String: Data], _ what: String, _ status: Status?) throws {
        let found = try files(out)
        switch try CompleteRun.check(folder: out) {
        case .complete: #expect(found.filter { isFinal($0.key) } == expected, "\(what)")
        case .absent:
            #expect(status != .done, "\(what): the status of a run without results is 0")
            if status != nil { #expect(found.keys.filter(isFinal) == [], "\(what)") }
        case let other: Issue.record("\(what): \(other)")
        }
    }

    @Test func `a run into a new folder`() throws {
        let expected = try whole()
        var ends = 0
        let count = try everyPoint(before: {}) {
            run()
        } check: { (what, status) throws in
            try checkNew(expected, what, status)
            if status != nil { return }
            ends += 1
            if ends % 4 != 1 && !Self.isThorough { return }
            // The same command with --resume ends what was begun, and leaves nothing else.
            #expect(run(["--resume"]) == .done, "\(what)")
            #expect(try files(out) == expected, "\(what)")
        }
        #expect(count > 80)
    }

    @Test func `a run in the place of other results`() throws {
        let (old, new) = (try whole(["--seed", "2"]), try whole())
        try everyPoint {
            try FileManager.default.copyItem(atPath: scratch.path + "/whole/of--seed2", toPath: out)
        } _: {
            run(["--force"])
        } check: { (what, status) throws in
            if status == nil, let lock = try FolderLock.take(out) { try lock.hold { try OutputFolder.recover(out) } }
            let found = try files(out).filter { isFinal($0.key) }
            #expect(found == old || found == new, "\(what)")
            #expect(status != .done || found == new, "\(what)")
            #expect(try CompleteRun.check(folder: out) == .complete, "\(what)")
        }
    }

    @Test func `a run that continues from its checkpoint`() throws {
        let expected = try whole()
        try everyPoint(step: 4) {
            try checkpoint()
        } _: {
            run(["--resume"])
        } check: { (what, status) throws in
            let hasCheckpoint = FileManager.default.fileExists(atPath: out + "/" + CheckpointedRun.name)
            if try CompleteRun.check(folder: out) == .absent {
                #expect(hasCheckpoint, "\(what): neither the checkpoint nor the results")
            }
            #expect(run(["--resume"]) == .done, "\(what)")
            #expect(try files(out) == expected, "\(what)")
        }
    }

    /// Writes down a run that has done nothing yet.
    private func checkpoint() throws {
        let read = try ScenarioText(file: scenario).readChecked(overrides: [])
        let run = try ScenarioRun(read.scenario).begin(threads: 1)
        try FileManager.default.createDirectory(atPath: out, withIntermediateDirectories: true)
        let header = PartialHeader(.checkpoint, of: run, read, threads: 1)
        try PartialFile.write(run, header: header, folder: out, name: CheckpointedRun.name)
    }

    @Test func `a checkpoint in the place of another`() throws {
        let path = out + "/" + CheckpointedRun.name
        try everyPoint {
            try checkpoint()
        } _: {
            do { try checkpoint() } catch { return .inputOutput }
            return .done
        } check: { (what, _) throws in
            #expect(throws: Never.self, "\(what)") { _ = try PartialFile(path) }
        }
    }

    /// After the parts are read a merge makes the calls of `MergeCommand`: its folder, then the reports.
    @Test func `a merge`() throws {
        let read = try ScenarioText(file: scenario).readChecked(overrides: [])
        let report = RunReport(try #require(try ScenarioRun(read.scenario).run(threads: 1)))
        let expected = try whole()
        try everyPoint(before: {}) {
            do {
                let output = try OutputFolder(path: out, replacing: false)
                try report.write(
                    to: output, resolvedScenario: read.resolvedText,
                    circumstances: RunCircumstances(
                        threads: 1, wallSeconds: 1, recordSHA256: read.recordSHA256, shards: 1,
                        request: RunRequest(file: scenario, overrides: [])),
                    page: OutputFolder.pageWriter)
            } catch { return .inputOutput }
            return .done
        } check: { (what, status) throws in
            try checkNew(expected, what, status)
        }
    }

    @Test func `a sweep`() throws {
        let words = ["sweep", scenario, "--repeat", "1", "--jobs", "1", "--out", out, "--quiet"]
        #expect(ReloadsimProgram.end(of: words) == .done)
        let expected = try files(out)
        try everyPoint(step: 4, before: {}) {
            ReloadsimProgram.end(of: words)
        } check: { (what, status) throws in
            if FileManager.default.fileExists(atPath: out + "/manifest.json") {
                #expect(throws: Never.self, "\(what)") { _ = try SavedRuns(folder: out) }
                if status != .tryAgain { #expect(try files(out).filter { isFinal($0.key) } == expected, "\(what)") }
            }
            #expect(ReloadsimProgram.end(of: words + ["--resume"]) == .done, "\(what)")
            #expect(try files(out) == expected, "\(what)")
        }
    }

    @Test func `a new scenario`() throws {
        let path = scratch.path + "/tree/a.yaml"
        try everyPoint {
            try "mine".write(toFile: path + ".partial", atomically: false, encoding: .utf8)
        } _: {
            ReloadsimProgram.end(of: ["init", path])
        } check: { (what, status) throws in
            let found = FileManager.default.contents(atPath: path)
            #expect(found == nil || found == Data(ScenarioTemplate.text.utf8), "\(what)")
            #expect(found != nil || status != .done, "\(what)")
            #expect(try String(contentsOfFile: path + ".partial", encoding: .utf8) == "mine")
        }
    }
}
