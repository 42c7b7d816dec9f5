import Foundation
import Testing

@testable import ScenarioFiles

/// Input that nobody would write is refused in a sentence, and at once.
@Suite struct HostileInputTests {
    private static func problems(_ text: String, replay: String? = nil, overrides: [String] = []) -> [ScenarioProblem] {
        do throws(ScenarioProblems) {
            _ = try ScenarioReader.read(text: text, replay: replay, overrides: overrides)
            return []
        } catch { return error.problems }
    }

    private static func replay(fetched: String = "0s", installed: String = "0s", id: String = "d") -> String {
        """
        start: 2026-03-07T00:00:00Z
        end: 3d
        kinds: [{id: k, policy: never}]
        devices: [{id: \(id), zone: UTC, instances: [{id: w, kind: k, installed_at: \(installed), initial: {fetched: \(fetched)}}]}]
        """
    }

    @Test(arguments: ["d,-9223372036854.775808,pickup,", "d,9223372036854.775807,pickup,", "d,0,move,h 0 -9223372036854775.808", "d,0,move,h 9223372036854775.807 0"])
    func `times and places at the ends of the numbers are no times and no places`(line: String) throws {
        let problem = try #require(Self.problems(Self.replay(), replay: line).first)
        #expect(problem.line == 1)
    }

    @Test func `content is there when its instance comes, or was before`() throws {
        #expect(Self.problems(Self.replay(fetched: "1h", installed: "2h"), replay: "d,1,pickup,").isEmpty)
        #expect(Self.problems(Self.replay(fetched: "2h", installed: "2h"), replay: "d,1,pickup,").isEmpty)
        let problem = try #require(Self.problems(Self.replay(fetched: "2h", installed: "1h"), replay: "d,1,pickup,").first)
        #expect(problem.keyPath == "devices.d.instances.w.initial.fetched")
        #expect(problem.expected == "content fetched when the instance comes to the device or before, at 1h")
        #expect(problem.found == "2h")
    }

    @Test(arguments: ["{median: 1, sigma: 7}", "{median: 100, sigma: 20}", "{median: 100000, sigma: 20}"])
    func `counts whose mean nobody comes to are refused, and those that are clipped are not`(distribution: String) throws {
        func problems(_ distribution: String) -> [ScenarioProblem] {
            Self.problems(
                """
                start: 2026-03-07T00:00:00Z
                duration: 1d
                people: 10
                kinds: [{id: k, policy: never}]
                population:
                  zones: {UTC: 1}
                  pickups: {unlocks_per_day: \(distribution)}
                  devices: [{kind: phone, instances: [{id: w, kind: k, surface: home_first, family: system_small}]}]
                """)
        }
        let problem = try #require(problems(distribution).first)
        #expect(problem.keyPath.hasSuffix("pickups.unlocks_per_day"))
        #expect(problem.expected == "a distribution with a mean of at most 1,000,000")
        #expect(problems("{median: 60, sigma: 0.6, clip: [1, 500]}").isEmpty)
    }

    @Test(arguments: ["-d", "--out", "-"]) func `a name does not look like an option`(name: String) throws {
        #expect(Self.problems(Self.replay(id: "\"\(name)\""), replay: "").contains { $0.keyPath.hasSuffix("id") && $0.expected.hasSuffix("does not begin with '-'") })
    }

    @Test func `an override of sixty thousand levels is refused in a sentence of readable length`() throws {
        let path = Array(repeating: "a", count: 60_000).joined(separator: ".")
        let problem = try #require(Self.problems(Self.replay(), replay: "", overrides: [path + "=1"]).first { $0.file.hasPrefix("--set") })
        #expect(problem.found == "one of 60000")
        #expect(problem.description.count < 400)
    }

    @Test(arguments: [
        ([0x61, 0xFF], 1), ([0xC3], 0), ([0x61, 0xC3, 0x28], 1), ([0xE2, 0x82, 0xAC, 0x80], 3), ([0xED, 0xA0, 0x80], 0), ([0xF4, 0x90, 0x80, 0x80], 0),
        ([0xC0, 0xAF], 0), ([0xF0, 0x9F, 0x98], 0), ([0xE2, 0x82, 0xAC], 3), ([], 0),
    ] as [([UInt8], Int)])
    func `the first byte that is not UTF-8 is found`(bytes: [UInt8], offset: Int) {
        #expect(UTF8Bytes.firstWrong(in: bytes) == offset)
        #expect((String(validating: bytes, as: UTF8.self) != nil) == (offset == bytes.count))
    }

    @Test func `a device that never ends is no file`() {
        #expect(throws: FileBytes.Unreadable.self) { try FileBytes.read("/dev/zero", limit: 1 << 30) }
        #expect(throws: RecordProblems.self) { try RecordReader.read(file: "/dev/urandom") }
    }

    @Test(arguments: [("4GB", 4_000_000_000), ("1B", 1), ("2MiB", 2_097_152), ("0B", nil), ("-1GB", nil), ("1", nil), ("9e9GB", nil)] as [(String, Int?)])
    func `the limit of a record is a size`(text: String, bytes: Int?) { #expect(RecordReader.limit(text) == bytes) }

    @Test func `a record beyond its limit is refused before it is read`() throws {
        let file = NSTemporaryDirectory() + "record-\(UUID().uuidString).csv"
        defer { try? FileManager.default.removeItem(atPath: file) }
        try ("person,time,event\n" + String(repeating: "p,2026-03-02T07:00:00Z,unlock\n", count: 10)).write(toFile: file, atomically: false, encoding: .utf8)
        _ = try RecordReader.read(file: file, limit: 318)
        do {
            _ = try RecordReader.read(file: file, limit: 100)
            Issue.record("a record of 318 bytes within 100")
        } catch {
            #expect(error.problems.first?.expected == "a record of at most 100B, or a larger --record-limit")
            #expect(!error.isMissingInput)
        }
    }
}
