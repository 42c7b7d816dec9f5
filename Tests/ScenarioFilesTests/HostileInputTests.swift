import Calibration
import Basics
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

    @Test(arguments: [
        "d,-9223372036854.775808,pickup,", "d,9223372036854.775807,pickup,", "d,0,move,h 0 -9223372036854775.808",
        "d,0,move,h 9223372036854775.807 0",
    ])
    func `times and places at the ends of the numbers are no times and no places`(line: String) throws {
        let problem = try #require(Self.problems(Self.replay(), replay: line).first)
        #expect(problem.line == 1)
    }

    @Test func `content is there when its instance comes, or was before`() throws {
        #expect(Self.problems(Self.replay(fetched: "1h", installed: "2h"), replay: "d,1,pickup,").isEmpty)
        #expect(Self.problems(Self.replay(fetched: "2h", installed: "2h"), replay: "d,1,pickup,").isEmpty)
        let problem = try #require(
            Self.problems(Self.replay(fetched: "2h", installed: "1h"), replay: "d,1,pickup,").first)
        #expect(problem.keyPath == "devices.d.instances.w.initial.fetched")
        #expect(problem.expected == "content fetched when the instance comes to the device or before, at 1h")
        #expect(problem.found == "2h")
    }

    @Test(arguments: ["{median: 1, sigma: 7}", "{median: 100, sigma: 20}", "{median: 100000, sigma: 20}"])
    func `counts whose mean nobody comes to are refused, and those that are clipped are not`(distribution: String)
        throws
    {
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
        #expect(
            Self.problems(Self.replay(id: "\"\(name)\""), replay: "").contains {
                $0.keyPath.hasSuffix("id") && $0.expected.hasSuffix("does not begin with '-'")
            })
    }

    /// Characters that a name may not hold, in the escapes of YAML, and what is said of them.
    @Test(arguments: [
        ("x\\nimport os", "it holds the character U+000A"), ("x\\u2028y", "it holds the character U+2028"),
        ("x\\N", "it holds the character U+0085"),
        ("\\e[2J", "it holds the character U+001B"), ("a\\tb", "it holds the character U+0009"),
        ("\\u202Ex", "it holds the character U+202E"),
        ("a\\vb", "it holds the character U+000B"), ("\\uFFFE", "it holds the character U+FFFE"),
        ("=cmd|' /C calc'!A0", "it begins with '=', as a formula of a spreadsheet does"),
        ("@A1", "it begins with '@', as a formula of a spreadsheet does"),
        ("-1+1", "it begins with '-', as a formula of a spreadsheet does"),
    ])
    func `a name that is more than a line, or a formula, is refused at its place`(name: String, fault: String) throws {
        let drawn = """
            name: "NAME"
            start: 2026-03-07T00:00:00Z
            duration: 1d
            people: 10
            kinds: [{id: k, policy: never, forecast: {unit: "NAME"}}]
            population:
              zones: {UTC: 1}
              devices: [{kind: phone, instances: [{id: w, kind: k, surface: home_first, family: system_small, location: {chosen: "NAME"}}]}]
            service: {prices: {currency: "NAME", million_requests: 1}}
            study: {name: "NAME"}
            """
        let problems = Self.problems(drawn.replacingOccurrences(of: "NAME", with: name))
        for key in [
            "name", "kinds.k.forecast.unit", "population.devices.0.instances.w.location.chosen",
            "service.prices.currency", "study.name",
        ] {
            let problem = try #require(problems.first { $0.keyPath == key }, "\(key): \(problems.map(\.description))")
            #expect(
                problem.expected.contains("a name on one line without control characters")
                    && problem.found.hasSuffix(": " + fault), "\(problem)")
            #expect(problem.line > 0 && problem.column > 1)
        }
    }

    @Test(arguments: ["=h 0 0", "h\u{B}x 0 0", "@h 1 2", "a\u{2028}b 0 0"]) func `so is the name of a recorded place`(
        place: String
    ) throws {
        for event in ["move", "trip_end"] {
            let problem = try #require(Self.problems(Self.replay(), replay: "d,1,pickup,\nd,2,\(event),\(place)").first)
            #expect(problem.line == 2 && problem.column == 5 + event.count + 1, "\(problem)")
            #expect(problem.expected.hasPrefix("a place as 'name x y' in metres, with a name on one line"))
        }
        let problem = try #require(
            Self.problems(
                Self.replay().replacingOccurrences(of: "zone: UTC", with: "zone: UTC, place: \"=h 0 0\""),
                replay: "d,1,pickup,"
            ).first)
        #expect(
            problem.keyPath == "devices.d.place"
                && problem.found == "'=h 0 0': it begins with '=', as a formula of a spreadsheet does")
    }

    @Test(arguments: ["a\nb", "=x", "-x", "\u{1B}[2J"])
    func `a file whose name is none for a scenario has one that states it`(stem: String) throws {
        let text = Self.replay()
        do {
            _ = try ScenarioReader.read(text: text, file: "folder/\(stem).yaml", replay: "d,1,pickup,")
            Issue.record("\(stem) became a name")
        } catch {
            #expect(error.problems.map(\.keyPath) == ["name"])
            #expect(error.problems[0].expected.hasSuffix(", since the file's own is none"))
        }
        #expect(
            try ScenarioReader.read(text: "name: right\n" + text, file: "folder/\(stem).yaml", replay: "d,1,pickup,")
                .scenario.name == "right")
    }

    @Test func `names of every language are names, and come back from the resolved scenario`() throws {
        for name in [
            "東京 – Ωλ, é 👩‍👩‍👧", "می\u{200C}خواهم", "^GSPC", "a: b # c", "'quoted' \"twice\" \\u000a", "coding: utf-7",
            "${x}",
        ] {
            let read = try ScenarioReader.read(
                text: "name: " + "'" + name.replacingOccurrences(of: "'", with: "''") + "'\n" + Self.replay(),
                replay: "d,1,pickup,")
            #expect(read.scenario.name == name)
            #expect(try ScenarioReader.read(text: read.resolvedText, replay: "d,1,pickup,").scenario.name == name)
        }
    }

    @Test func `an axis whose column would look like a formula is refused`() throws {
        let problems = Self.problems(
            Self.replay() + "\nstudy: {axes: {\"-a\": {key: seed, values: [1, 2]}}}", replay: "d,1,pickup,")
        #expect(
            problems.contains { $0.keyPath == "study.axes.-a" && $0.expected.hasPrefix("an axis's name") },
            "\(problems)")
    }

    @Test func `a pipe that is silent for a second is named, and then read`() throws {
        let path = NSTemporaryDirectory() + "pipe-\(UUID().uuidString)"
        #expect(mkfifo(path, 0o600) == 0)
        defer { try? FileManager.default.removeItem(atPath: path) }
        let listener = Listener()
        let writer = Process()
        writer.executableURL = URL(filePath: "/bin/sh")
        writer.arguments = [
            "-c", "sleep 3; printf 'person,time,event\\np,2026-03-02T07:00:00Z,unlock\\n' > \"$0\"", path,
        ]
        try writer.run()
        let bytes = try InputWait.$listener.withValue(listener) { try FileBytes.read(path, limit: 1_000) }
        writer.waitUntilExit()
        #expect(bytes.count == 48)
        #expect(listener.heard.withLock { $0 } == ["waiting   for \(path), a pipe into which nobody has written yet"])
    }

    private struct Listener: InputListener {
        let heard = LockedValue<[String]>([])

        func hears(_ sentence: String) { heard.withLock { $0.append(sentence) } }
    }

    #if os(Linux)
        @Test func `a socket is no file`() throws {
            let path = NSTemporaryDirectory() + "s-\(UUID().uuidString.prefix(8))"
            defer { try? FileManager.default.removeItem(atPath: path) }
            let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
            defer { close(descriptor) }
            var address = sockaddr_un()
            address.sun_family = sa_family_t(AF_UNIX)
            withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
            let status = withUnsafePointer(to: &address) { pointer in
                pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                    bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
                }
            }
            #expect(status == 0)
            do { _ = try FileBytes.read(path, limit: 10) } catch { #expect(error.reason == "a socket") }
            #expect(throws: RecordProblems.self) { try RecordReader.read(.file(path)) }
        }
    #endif

    @Test func `an override of sixty thousand levels is refused in a sentence of readable length`() throws {
        let path = Array(repeating: "a", count: 60_000).joined(separator: ".")
        let problem = try #require(
            Self.problems(Self.replay(), replay: "", overrides: [path + "=1"]).first { $0.file.hasPrefix("--set") })
        #expect(problem.found == "one of 60000")
        #expect(problem.description.count < 400)
    }

    @Test(
        arguments: [
            ([0x61, 0xFF], 1), ([0xC3], 0), ([0x61, 0xC3, 0x28], 1), ([0xE2, 0x82, 0xAC, 0x80], 3),
            ([0xED, 0xA0, 0x80], 0), ([0xF4, 0x90, 0x80, 0x80], 0),
            ([0xC0, 0xAF], 0), ([0xF0, 0x9F, 0x98], 0), ([0xE2, 0x82, 0xAC], 3), ([], 0),
        ] as [([UInt8], Int)])
    func `the first byte that is not UTF-8 is found`(bytes: [UInt8], offset: Int) {
        #expect(UTF8Bytes.firstWrong(in: bytes) == offset)
        #expect((String(validating: bytes, as: UTF8.self) != nil) == (offset == bytes.count))
    }

    @Test func `a device that never ends is no file`() {
        #expect(throws: FileBytes.Unreadable.self) { try FileBytes.read("/dev/zero", limit: 1 << 30) }
        #expect(throws: RecordProblems.self) { try RecordReader.read(.file("/dev/urandom")) }
    }

    @Test(
        arguments: [
            ("4GB", 4_000_000_000), ("1B", 1), ("2MiB", 2_097_152), ("0B", nil), ("-1GB", nil), ("1", nil),
            ("9e9GB", nil),
        ] as [(String, Int?)])
    func `the limit of a record is a size`(text: String, bytes: Int?) { #expect(RecordReader.limit(text) == bytes) }

    @Test func `a record beyond its limit is refused before it is read`() throws {
        let file = NSTemporaryDirectory() + "record-\(UUID().uuidString).csv"
        defer { try? FileManager.default.removeItem(atPath: file) }
        try ("person,time,event\n" + String(repeating: "p,2026-03-02T07:00:00Z,unlock\n", count: 10)).write(
            toFile: file, atomically: false, encoding: .utf8)
        _ = try RecordReader.read(.file(file, limit: 318))
        do {
            _ = try RecordReader.read(.file(file, limit: 100))
            Issue.record("a record of 318 bytes within 100")
        } catch {
            #expect(error.problems.first?.expected == "a record of at most 100B, or a larger --record-limit")
            #expect(!error.isMissingInput)
        }
    }
}
