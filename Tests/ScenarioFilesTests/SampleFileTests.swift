import Basics
import Foundation
import RefreshService
import Statistics
import Testing

@testable import ScenarioFiles

/// Distributions by the values of a file.
@Suite struct SampleFileTests {
    private static func read(_ values: String, at key: String = "service.pools.o.service_time") throws -> ParsedScenario
    {
        let folder = FileManager.default.temporaryDirectory.appending(path: "samples-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        try values.write(to: folder.appending(path: "times.csv"), atomically: true, encoding: .utf8)
        let scenario = """
            start: "2026-03-02T00:00:00Z"
            duration: 1d
            people: 10
            kinds: [{id: k, policy: {after: 1h}}]
            service: {pools: [{id: o, servers: 5, service_time: 1s}]}
            population: {devices: [{kind: phone, instances: [{id: i, kind: k}]}]}
            """
        try scenario.write(to: folder.appending(path: "s.yaml"), atomically: true, encoding: .utf8)
        return try ScenarioReader.read(
            file: folder.appending(path: "s.yaml").path, overrides: ["\(key)={samples: times.csv}"])
    }

    @Test func `values with units, seconds or a heading draw what the file has`() throws {
        // 1 ms to 1 s, evenly.
        let lengths = (1...1_000).map { "\($0)ms" }.shuffled().joined(separator: "\n")
        let seconds = "seconds\n" + (1...1_000).map { "\(Double($0) / 1_000)" }.reversed().joined(separator: "\r\n")
        for text in [lengths, seconds] {
            let parsed = try Self.read(text)
            let time = try #require(parsed.scenario.service).pools[0].serviceTime
            #expect((try time.mean() - 0.5005).magnitude < 0.003)
            var tables = StandardTables()
            let draws = try time.prepared(with: &tables)
            for (probability, value) in [(0.05, 0.05), (0.25, 0.25), (0.5, 0.5), (0.95, 0.95)] {
                #expect((draws.draw(UInt64(probability * 0x1p64)) - value).magnitude < 0.006)
            }
            #expect(draws.draw(0) >= 0.001 && draws.draw(.max) <= 1)
            // The effective scenario has the quantiles, and needs the file no longer.
            #expect(!parsed.resolvedText.contains("times.csv"))
            let again = try ScenarioReader.read(text: parsed.resolvedText)
            #expect(again.scenario.service?.pools[0].serviceTime == time)
        }
    }

    @Test(arguments: [
        ("1ms\n2ms\n", "at least 10 values, found 2"),
        ("1s\nx\n", "in each line, seconds or a length of time with its unit, found 'x' in line 2 of"),
        ("1s\n0s\n", "a value above 0 and below 1,000,000,000 in each line"),
        ("wait\n\n1s\n\nx\n", "'x' in line 5 of"), ("12 mss\n1s\n", "'12 mss' in line 1 of"),
    ])
    func `what is no file of values is told`(values: String, words: String) {
        #expect { _ = try Self.read(values) } throws: { "\($0)".contains(words) }
    }

    @Test func `a file that is not there is told`() {
        #expect {
            _ = try ScenarioReader.read(
                text: "people: 1", overrides: ["service.latency_out={samples: a.csv}"])
        } throws: { "\($0)".contains("expected a file that can be read, found a.csv") }
    }

    @Test func `a file of lengths is none of numbers, whichever key reads it first`() throws {
        let lengths = (1...30).map { "\($0)ms" }.joined(separator: "\n")
        let folder = FileManager.default.temporaryDirectory.appending(path: "samples-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        try lengths.write(to: folder.appending(path: "times.csv"), atomically: true, encoding: .utf8)
        let file = folder.appending(path: "s.yaml")
        let count = "population.pickups.unlocks_per_day={samples: times.csv}"
        let length = "service.latency_out={samples: times.csv}"
        for overrides in [[count], [length, count], [count, length]] {
            try "people: 10\n".write(to: file, atomically: true, encoding: .utf8)
            #expect {
                _ = try ScenarioReader.read(file: file.path, overrides: overrides)
            } throws: { "\($0)".contains("in each line, a number, found '1ms' in line 1") }
        }
    }
}
