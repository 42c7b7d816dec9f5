import ResultFiles
import Foundation
import Simulation
import Testing
@testable import Reporting

/// The steps of adding a column or a table (CONTRIBUTING.md), with declarations that only these tests have.
@Suite struct AdditionTests {
    private struct Shop {
        let name: String
        let visitors: Int64
        let late: Int64
        let open: Double?
    }

    private static let rows = [
        Shop(name: "corner", visitors: 12, late: 3, open: 28_800),
        Shop(name: "market", visitors: 3, late: 0, open: nil),
    ]
    private static let columns: [Columns<Shop>] = [
        .key("shop", "The shop.", \.name), .sum("visitors", "Visitors.", \.visitors),
    ]

    @Test func `a new column is one declaration, from which header, cells and dictionary come`() throws {
        let new: Columns<Shop> = .derived(
            "open_s", unit: "s", "How long it was open; empty where nobody noted it.", \.open)
        let before = Table("shops", "One shop a row.", Self.columns)
        let after = Table("shops", "One shop a row.", Self.columns + [new])
        #expect(try before.text(Self.rows) == "shop,visitors\ncorner,12\nmarket,3\n")
        #expect(try after.text(Self.rows) == "shop,visitors,open_s\ncorner,12,28800.0\nmarket,3,\n")
        let dictionary = ReportDictionary.markdown(studies: [("shops.csv", after.declaration)])
        #expect(
            dictionary.contains(
                "| `open_s` | number, may be empty | s | not additive | How long it was open; empty where nobody noted it. |"
            ))
    }

    @Test func `a new figure is one declaration, for a table and for the summary`() throws {
        let figure: Figures<Shop> = .share("share_late", \.late, of: \.visitors, "Visitors after eight, of all.")
        let table = Table("shops", "One shop a row.", Self.columns + [.figures(figure)])
        #expect(try table.text(Self.rows) == "shop,visitors,share_late\ncorner,12,0.25\nmarket,3,0.0\n")
        #expect(figure.known(.segment, "north").map(\.name) == ["segment.north.share_late"])
        let metric = figure.rows(Self.rows[0], .segment, "north")[0]
        #expect(metric.value == .number(0.25) && metric.unit == "share")
        #expect(metric.name == "segment.north.share_late")
    }

    @Test func `a new table of a run is one declaration with its rows`() throws {
        let seeds = RunTable("seeds", "The seed of the run, one row.", [.key("seed", "The seed.") { $0 }]) {
            (report, add: Table<UInt64>.RowSink) throws(OutputProblem) in
            try add(report.result.scenario.plan.seed)
        }
        #expect(seeds.declaration.fileName == "seeds.csv")
        #expect(try WrittenTable.text(seeds, of: RunReport(SyntheticRun.result())) == "seed\n7\n")
    }

    @Test func `every table of a run answers a question of the dictionary`() {
        let asked = Set(ReportDictionary.questions.flatMap(\.tables))
        let missing = RunTables.names.filter { !asked.contains($0) }
        #expect(missing.isEmpty, "no question of ReportDictionary.swift names \(missing)")
    }

    /// The compiler does not miss a table that nothing writes.
    @Test func `every table that is declared is among a run's files`() throws {
        let folder = DeclarationTests.root.appending(path: "Sources/Reporting")
        let list = try String(contentsOf: folder.appending(path: "RunTable.swift"), encoding: .utf8)
        let tables = folder.appending(path: "Tables")
        var declared = 0
        for file in try FileManager.default.contentsOfDirectory(atPath: tables.path).sorted() {
            let text = try String(contentsOf: tables.appending(path: file), encoding: .utf8)
            for match in text.matches(of: /static let (\w+): RunTable = RunTable\(/) {
                let isListed = list.contains(try Regex("\\.\(match.1)\\b"))
                #expect(isListed, "\(file) declares \(match.1), which RunTable.swift does not list")
                declared += 1
            }
        }
        #expect(declared == RunTable.all.count)
    }
}
