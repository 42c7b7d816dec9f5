import Foundation
import Testing

/// The replay that is shipped runs, and what its people do in the run is what the record has.
@Suite struct ReplayScenarioTests {
    private static let folder = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()
        .appending(path: "Scenarios/replay")

    @Test func `the shipped replay has the sessions and glances of its record`() throws {
        let scratch = Scratch()
        let ended = try BuiltCommand.run(
            [
                "run", Self.folder.appending(path: "recorded-days.yaml").path, "--out", scratch.path + "/out",
                "--quiet", "--json",
            ])
        #expect(ended.status == 0, "\(ended.error)")
        let record = try String(contentsOf: Self.folder.appending(path: "recorded-days.csv"), encoding: .utf8).split(
            separator: "\n"
        ).dropFirst()
        var events: [Substring: Int] = [:]
        for row in record { events[row.split(separator: ",", omittingEmptySubsequences: false)[2], default: 0] += 1 }
        let lines = try String(contentsOfFile: scratch.path + "/out/fleet.csv", encoding: .utf8).split(separator: "\n")
            .map { $0.split(separator: ",", omittingEmptySubsequences: false) }
        func sum(_ column: Substring) throws -> Int {
            let place = try #require(lines[0].firstIndex(of: column), "no column \(column) in \(lines[0])")
            return lines.dropFirst().reduce(0) { $0 + (Int($1[place]) ?? 0) }
        }
        #expect(try sum("sessions") == events["unlock"] && sum("glances") == events["glance"])
        #expect(try sum("devices") == 2 && events["unlock", default: 0] > 500)
        // Each of its two widgets reloads and is seen.
        let said = try #require(try JSONSerialization.jsonObject(with: Data(ended.output.utf8)) as? [String: Any])
        let summary = try #require(said["summary"] as? [[String: Any]])
        for metric in ["views", "reloads_charged", "requests_total"] {
            #expect(
                summary.contains { $0["metric"] as? String == metric && ($0["value"] as? Int ?? 0) > 50 }, "\(metric)")
        }
    }
}
