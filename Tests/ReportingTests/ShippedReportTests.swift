import Foundation
import Testing

@testable import Reporting

/// `Reports/weather-week` is what docs/findings.md says of it.
@Suite struct ShippedReportTests {
    private static let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()

    /// Run `scripts/update-weather-week` after a change of tables or numbers.
    @Test func `the shipped week has the tables that the findings cite`() throws {
        let folder = Self.root.appending(path: "Reports/weather-week")
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
        let tables = RunTable.all.map(\.declaration.fileName)
        for name in names where name.hasSuffix(".csv") {
            #expect(tables.contains(name), "\(name) is no table of a run")
        }
        let findings = try String(contentsOf: Self.root.appending(path: "docs/findings.md"), encoding: .utf8)
        let section = try #require(findings.firstMatch(of: #/(?s)\n## A week of a million phones\n(.*?)\n## /#)?.1)
        let cited = Set(section.matches(of: #/`(\w+\.csv)`/#).map { String($0.1) })
        #expect(
            cited.count >= 5 && cited.isSubset(of: names),
            "docs/findings.md cites \(cited.subtracting(names)), which are not shipped")
    }
}
