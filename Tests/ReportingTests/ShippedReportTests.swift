import Foundation
import Testing

@testable import Reporting

/// `Reports/weather-week` is what README says of it.
@Suite struct ShippedReportTests {
    private static let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()

    /// Run `scripts/update-weather-week` after a change of tables or numbers.
    @Test func `the shipped week has the tables that README cites`() throws {
        let folder = Self.root.appending(path: "Reports/weather-week")
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
        let tables = RunTable.all.map(\.declaration.fileName)
        for name in names where name.hasSuffix(".csv") {
            #expect(tables.contains(name), "\(name) is no table of a run")
        }
        let readme = try String(contentsOf: Self.root.appending(path: "README.md"), encoding: .utf8)
        let section = try #require(readme.firstMatch(of: #/(?s)\n## One result\n(.*?)\n## /#)?.1)
        let cited = Set(section.matches(of: #/`(\w+\.csv)`/#).map { String($0.1) })
        #expect(
            cited.count >= 5 && cited.isSubset(of: names),
            "README cites \(cited.subtracting(names)), which are not shipped")
    }
}
