import ResultFiles
import Foundation
import FuzzTargets
import Pages
import Reporting
import Testing

/// Folders whose tables were changed, with hashes that are right again: whoever makes their page gets it, or a
/// sentence.
@Suite struct AlteredTableTests {
    /// The page of a folder with one file in place of its own; empty, or the sentence of the problem.
    private static func problem(_ sort: SampleFolders.Sort, _ file: String, _ text: String) -> String {
        var files = Dictionary(
            uniqueKeysWithValues: SampleFolders.shared.files(sort).map { ($0, SampleFolders.shared.bytes(sort, $0)) })
        files[file] = Array(text.utf8)
        do throws(OutputProblem) {
            _ = try PageFile.html(of: PageSource(name: "results", files: files))
            return ""
        } catch { return error.description }
    }

    @Test(arguments: SampleFolders.Sort.allCases)
    func `every table, altered in every way, gives a page or a sentence that names it`(sort: SampleFolders.Sort) {
        let tables = SampleFolders.shared.files(sort).filter { $0.hasSuffix(".csv") }
        #expect(sort == .sensitivity || !tables.isEmpty)
        // All ways take minutes: without RELOADSIM_ALTERATIONS=all one in 24, another one of each table, and
        // all that change more than a column.
        let every = ProcessInfo.processInfo.environment["RELOADSIM_ALTERATIONS"] == "all" ? 1 : 24
        for (place, table) in tables.enumerated() {
            let text = String(decoding: SampleFolders.shared.bytes(sort, table), as: UTF8.self)
            #expect(Self.problem(sort, table, text) == "")
            for (number, altered) in TableAlteration.all(of: text).enumerated()
            where number < TableAlteration.wholeCount || number % every == place % every {
                let said = Self.problem(sort, table, altered.text)
                #expect(
                    said.isEmpty || said.hasPrefix("results/\(table)") || said.hasPrefix("results: "),
                    "\(table), \(altered.name): \(said)")
            }
        }
    }

    @Test(arguments: [SampleFolders.Sort.study, .sensitivity]) func `a design without a row is no study`(
        sort: SampleFolders.Sort
    ) {
        let header = String(decoding: SampleFolders.shared.bytes(sort, "design.csv").prefix { $0 != 10 }, as: UTF8.self)
        #expect(
            Self.problem(sort, "design.csv", header + "\n")
                == "results/design.csv: expected the points of the study, found no row")
    }

    @Test func `a cell of another form is told with its row and its column`() throws {
        let text = String(decoding: SampleFolders.shared.bytes(.run, "load_peaks.csv"), as: UTF8.self)
        var rows = text.split(separator: "\n").map {
            $0.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
        }
        let column = try #require(rows[0].firstIndex(of: "sliding_peak_requests"))
        rows[2][column] = "1e308"
        let said = Self.problem(.run, "load_peaks.csv", rows.map { $0.joined(separator: ",") + "\n" }.joined())
        #expect(
            said
                == "results/load_peaks.csv: row 2, column sliding_peak_requests: expected a number of 0 or more, or nothing, found '1e308'"
        )
    }

    /// With every row looked for from the first one on, this took a minute.
    @Test func `a table of 34,000 windows is read once`() {
        let text = String(decoding: SampleFolders.shared.bytes(.run, "load_peaks.csv"), as: UTF8.self)
        let lines = text.split(separator: "\n")
        let rows = (0..<34_000).map { lines[1 + $0 % (lines.count - 1)] }
        #expect(Self.problem(.run, "load_peaks.csv", ([lines[0]] + rows).joined(separator: "\n") + "\n") == "")
    }
}
