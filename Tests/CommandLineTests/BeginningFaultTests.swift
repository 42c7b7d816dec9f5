import Foundation
import ResultFiles
import Testing

@testable import Commands
@testable import Studies

/// The testing library has a type of the same name.
private typealias Status = Commands.ExitStatus

/// A study whose runs have the beginning of their devices in common, on a disk that does not take it.
@Suite struct BeginningFaultTests {
    private let study: StudyScenario
    private let attic: String

    init() throws {
        study = try StudyScenario(StudyScenario.service)
        attic = study.scratch.path + "/attic"
        try FileManager.default.createDirectory(atPath: attic, withIntermediateDirectories: true)
    }

    private func sweep(_ out: String, on disk: FaultyDisk) -> Status {
        Disk.$calls.withValue(disk) {
            ReloadsimProgram.end(of: [
                "sweep", study.scenario, "--vary", "service.pools.origin.servers=1,2,3", "--jobs", "1", "--threads",
                "1", "--out", out, "--quiet",
            ])
        }
    }

    /// Every file of a study's results but the manifests, which tell times.
    private func files(_ out: String) -> [String: Data] {
        var files: [String: Data] = [:]
        for case let name as String in FileManager.default.enumerator(atPath: out) ?? .init()
        where !name.hasSuffix("manifest.json") {
            files[name] = FileManager.default.contents(atPath: out + "/" + name)
        }
        return files
    }

    @Test func `runs begin by themselves where their common beginning cannot be written`() throws {
        let whole = FaultyDisk(attic: attic)
        #expect(sweep(study.out, on: whole) == .done, "\(whole.said)")
        let expected = files(study.out)
        #expect(expected.count > 60)
        let open = try #require(
            whole.calls.firstIndex { $0.hasPrefix("open ") && $0.contains("/.\(SharedBeginnings.name).") })
        let write = try #require(whole.calls[open...].firstIndex(of: "write"))
        let close = try #require(whole.calls[write...].firstIndex { $0.hasPrefix("sync ") })
        #expect(whole.calls.count { $0.contains("/.\(SharedBeginnings.name).") && $0.hasPrefix("open ") } == 1)
        for (fault, place) in [
            (.error(ENOSPC), open), (.error(EACCES), open), (.full, write), (.error(EIO), write), (.short, write),
            (.error(EIO), close),
        ] as [(FaultyDisk.Fault, Int)] {
            let disk = FaultyDisk(fault, at: place + 1, attic: attic)
            let out = study.folder + "/\(place)-\(fault)"
            #expect(sweep(out, on: disk) == .done, "\(fault) at \(whole.calls[place]): \(disk.said)")
            #expect(files(out) == expected, "\(fault) at \(whole.calls[place])")
        }
    }

    @Test func `on a disk that stays full a run fails with one sentence, and none is there in half`() throws {
        let whole = FaultyDisk(attic: attic)
        #expect(sweep(study.out, on: whole) == .done, "\(whole.said)")
        let expected = files(study.out)
        let open = try #require(
            whole.calls.firstIndex { $0.hasPrefix("open ") && $0.contains("/.\(SharedBeginnings.name).") })
        let out = study.folder + "/full"
        let disk = FaultyDisk(.full, at: open + 1, attic: attic)
        #expect(sweep(out, on: disk) != .done)
        #expect(disk.said.contains("No space left on device"), "\(disk.said)")
        for case let name as String in FileManager.default.enumerator(atPath: out + "/runs") ?? .init()
        where !name.contains("/") {
            #expect(try CompleteRun.check(folder: out + "/runs/" + name) == .complete, "\(name)")
        }
        #expect(files(out).keys.allSatisfy { !$0.hasPrefix(".") && !$0.contains("/.") })
        // The next command makes the others.
        #expect(sweep(out, on: FaultyDisk(attic: attic)) == .done)
        #expect(files(out) == expected)
    }
}
