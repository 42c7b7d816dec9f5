import Foundation
import Simulation
import Testing

/// The fingerprints of every shipped scenario with few people, the same in debug and release, on every processor.
///
/// `scripts/update-baselines` rewrites the file; the commit that does so says why the numbers changed.
@Suite struct BaselineTests {
    static let file = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Baselines.txt")

    @Test func `shipped scenarios keep their fingerprints`() throws {
        var lines: [String] = []
        for scenario in Fixtures.shipped {
            let result = try Fixtures.run(String(contentsOf: scenario, encoding: .utf8), ["people=100"])
            lines.append(
                "\(scenario.deletingPathExtension().lastPathComponent) \(result.fingerprint) tables \(result.tablesHash)"
            )
        }
        let text = lines.joined(separator: "\n") + "\n"
        if ProcessInfo.processInfo.environment["RELOADSIM_REWRITE"] == "1" {
            try text.write(to: Self.file, atomically: true, encoding: .utf8)
        }
        #expect(
            try String(contentsOf: Self.file, encoding: .utf8) == text,
            "scripts/update-baselines rewrites them, if results were meant to change or counts were added")
    }
}
