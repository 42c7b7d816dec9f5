import Basics
import Foundation
import Testing

/// A region that is out is told alike on the terminal, on the page and in the table.
@Suite struct IncidentTextTests {
    private let scratch = Scratch()

    @Test(arguments: ["region-lost", "region-return", "outage-echo"])
    func `terminal, page and table have the same figures of an incident`(scenario: String) throws {
        let out = scratch.path + "/out"
        let ended = try BuiltCommand.run(["run", ShardTests.shipped(scenario), "--people", "600", "--out", out])
        #expect(ended.status == 0)
        let lines = ended.error.split(separator: "\n").map(String.init)
        let place = try #require(lines.firstIndex { $0.hasPrefix("incident  ") }, "\(ended.error)")
        let consequences = lines[place + 1].trimmingCharacters(in: .whitespaces)

        // On a page no line ends between a number and its unit.
        let page = try String(contentsOfFile: out + "/report.html", encoding: .utf8).replacing("\u{A0}%", with: " %")
        #expect(page.contains(consequences + "."), "the verdict of the page lacks '\(consequences)'")
        #expect(page.contains("<div class=\"panel ill\">") && page.contains("class=\"shade\""))
        let title = try #require(page.firstMatch(of: #/id="failures"><figcaption><h3>([^<]+)</#)?.output.1)
        #expect(title.hasSuffix(consequences), "\(title)")

        let table = try CSVTable.read(file: out + "/service_incidents.csv")
        func cell(_ column: String) throws -> String {
            let region = try #require(table.header.firstIndex(of: "region"))
            let row = try #require(table.rows.first { $0[region] == "*" })
            return row[try #require(table.header.firstIndex(of: column))]
        }
        func grouped(_ column: String) throws -> String { FigureText.grouped(try #require(Int64(try cell(column)))) }
        let share = FigureText.threeDigits(100 * (try #require(Double(try cell("share_failed")))))
        #expect(
            consequences.hasPrefix(
                "\(try grouped("failed")) of \(try grouped("requests")) requests failed (\(share) %)"))
        #expect(
            consequences.contains(" \(try grouped("worst_minute_failed")) of \(try grouped("worst_minute_requests")) (")
        )
        #expect(consequences.contains("all was well again at ") == (try cell("well_after_s") != ""))
        #expect(
            lines[place].contains(try cell("start_local").dropFirst(11).prefix(5)), "\(lines[place])")
    }
}
