import Basics
import Foundation
import RefreshService
import Simulation
import Testing

@testable import Reporting

/// A scenario's names in the files of every format, as if the reader of scenarios had let them pass.
@Suite struct HostileNameTests {
    private static let formats: [ExportFormat] = ExportFormat.allCases

    /// The files of all formats with a name wherever a scenario's names stand: a few requests to two endpoints.
    private static func files(_ name: String, clock: ScenarioClock) throws -> [String: [UInt8]] {
        var files: [String: [UInt8]] = [:]
        for format in formats {
            let settings = ExportSettings(
                format: format, stage: .edge, span: .start ..< .start + .seconds(40), thinning: .none, speed: .usual,
                target: try URLTemplate("https://staging.example/v1/{endpoint}/{key}?region={region}"), mostLines: nil)
            let collected = CollectedArrivals(settings, endpoints: 2)
            for number in 0..<12 {
                collected.take(
                    Arrival(
                        at: .start + .seconds(Int64(number * 3)), key: Int64(number % 2), person: UInt32(number),
                        sequence: 0, endpoint: UInt16(number % 2),
                        region: 0, slot: 0, cause: 0, isPersonal: false))
            }
            let contents = ExportContents(
                settings: settings, collected: collected,
                names: ArrivalNames(endpoints: [name, "other"], regions: [name]) { _ in name }, clock: clock,
                origin: "Simulated by reloadsim 1: \(name), from then to then, at the edge.")
            for file in contents.files {
                var bytes: [UInt8] = []
                try file.put(into: { bytes += $0 })
                files[file.name] = bytes
            }
        }
        return files
    }

    private static func clock() throws -> ScenarioClock {
        try Shipped.scenario("first-look", ["people=10"]).scenario.plan.clock
    }

    /// Every end of a line in any of the languages.
    private static func lines(_ bytes: [UInt8]) throws -> [[Unicode.Scalar]] {
        let text = try #require(String(validating: bytes, as: UTF8.self))
        return text.unicodeScalars.split(omittingEmptySubsequences: false) {
            [0xA, 0xB, 0xC, 0xD, 0x85, 0x2028, 0x2029].contains($0.value)
        }.map { Array($0) }
    }

    @Test func `no name changes more of a script than the line of a comment`() throws {
        let clock = try Self.clock()
        let harmless = try Self.files("harmless", clock: clock)
        let comments = ["load.js": "// "]
        for name in HostileNames.names(300) {
            let files = try Self.files(name, clock: clock)
            #expect(files.keys.sorted() == harmless.keys.sorted())
            // A cell in quotes can have several lines.
            for (file, bytes) in files where !file.hasSuffix(".csv") {
                let (own, usual) = (try Self.lines(bytes), try Self.lines(try #require(harmless[file])))
                #expect(own.count == usual.count, "\(file) has other lines with the name \(name.debugDescription)")
                guard let comment = comments[file], own.count == usual.count else { continue }
                for (own, usual) in zip(own, usual) where own != usual {
                    #expect(
                        own.starts(with: comment.unicodeScalars), "\(file): \(String(String.UnicodeScalarView(own)))")
                    #expect(
                        !own.contains { $0.properties.generalCategory == .control },
                        "\(file) with the name \(name.debugDescription)")
                }
            }
        }
    }

    @Test(arguments: ["=1+1", "+A1", "-1+1", "@A1", "\t=1", "\r=1", "a,\"b\"", "\"\u{301}"])
    func `a cell is quoted, and no formula`(name: String) throws {
        let text = String(
            decoding: try #require(try Self.files(name, clock: Self.clock())["requests.csv"]), as: UTF8.self)
        for line in text.split(separator: "\n") {
            #expect(line.first.map { !"=+-@\t\r".contains($0) } ?? true, "\(line)")
        }
        if name.unicodeScalars.contains("\"") {
            #expect(text.contains("\"\""))
        } else {
            #expect(text.contains("'" + name))
        }
    }

    /// The languages' own parsers, as far as they are installed; with prometheus_client in reach it
    /// parses all.
    @Test(.enabled(if: HostileNameTests.python != nil, "there is no python3"))
    func `parsers of the languages find nothing in a script that the harmless name does not give`() throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "hostile-" + UUID().uuidString)
        defer { do { try FileManager.default.removeItem(at: folder) } catch { Issue.record("\(error)") } }
        let clock = try Self.clock()
        for (number, name) in (["harmless"] + HostileNames.names(300)).enumerated() {
            let own = folder.appending(path: number == 0 ? "harmless" : String(1_000 + number))
            try FileManager.default.createDirectory(at: own, withIntermediateDirectories: true)
            try Data(name.utf8).write(to: own.appending(path: "name.txt"))
            for (file, bytes) in try Self.files(name, clock: clock) {
                try Data(bytes).write(to: own.appending(path: file))
            }
        }
        let parsers = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent().appending(
            path: "Reference/hostile_scripts.py")
        let process = Process()
        let output = Pipe()
        process.executableURL = try #require(Self.python)
        process.arguments = [parsers.path, folder.path]
        (process.standardOutput, process.standardError) = (output, output)
        try process.run()
        let said = String(decoding: try output.fileHandleForReading.readToEnd() ?? Data(), as: UTF8.self)
        process.waitUntilExit()
        #expect(process.terminationStatus == 0, "\(said)")
        #expect(said.contains("requests.csv: 300 parsed by csv"))
        // For scripts/check-export.
        print(said)
    }

    static let python: URL? = (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":").lazy
        .map { URL(filePath: String($0)).appending(path: "python3") }.first {
            FileManager.default.isExecutableFile(atPath: $0.path)
        }
}
