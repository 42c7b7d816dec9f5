import Foundation
import Testing

@testable import Pages

/// Properties of every page, whatever its subject.
@Suite struct PageDocumentTests {
    @Test func `the script is small, and the policy allows it and the style sheet alone`() {
        #expect(PageScript.text.utf8.count <= 2_000)
        let html = PageDocument(sort: "run", title: "<b>", lead: "", facts: "", verdict: "", sections: [], version: "1")
            .html
        #expect(
            html.contains(
                "default-src 'none'; style-src 'sha256-\(PageDocument.hash(PageStyle.css))'; script-src 'sha256-\(PageDocument.hash(PageScript.text))'"
            ))
        #expect(
            html.contains("<style>\(PageStyle.css)</style>") && html.contains("<script>\(PageScript.text)</script>"))
        #expect(
            !html.contains("<b>") && !html.contains("style=") && !html.contains("http://") && !html.contains("https://")
        )
    }

    @Test func `a table of many columns is printed across the sheet, and its headings break at points and underscores`()
    {
        func table(_ columns: Int) -> String {
            PageParts.table(Array(repeating: "service.share_shed", count: columns), [], label: "t")
        }
        #expect(!table(9).contains("scroll wide") && table(10).contains("scroll wide"))
        #expect(PageStyle.css.contains("@page wide{size:A4 landscape}"))
        #expect(table(1).contains("<th scope=\"col\">service.<wbr>share_<wbr>shed</th>"))
    }

    @Test(arguments: [
        ([("a", "9", "8", "10"), ("b", "0.01", "0.001", "0.02")], "a matters most"),
        ([("a", "9", "8", "10"), ("b", "4", "3", "5")], "a matters most, then b"),
        ([("a", "9", "-1", "19"), ("b", "4", "-3", "11")], "No key matters by more than chance explains"),
        ([("a", "9", "-1", "19"), ("b", "4", "3", "5"), ("c", "3", "2", "4")], "Not converged: a ranks first, and its interval crosses that of b"),
        ([("a", "0", "", ""), ("b", "0", "", "")], "No key matters"),
    ])
    func `the page of a sensitivity names no key that may not matter`(
        rows: [(key: String, effect: String, low: String, high: String)], heading: String
    ) throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "sensitivity-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { do { try FileManager.default.removeItem(at: folder) } catch { Issue.record("\(error)") } }
        let table = rows.map { "views,\($0.key),4,\($0.effect),\($0.effect),\($0.low),\($0.high),0\n" }.joined()
        for (name, text) in [
            ("indices.csv", "output,factor,levels,mu,mu_star,mu_star_low,mu_star_high,sigma\n" + table),
            ("manifest.json", #"{"reloadsim": "1", "sensitivity": "small", "keys": ["a", "b"]}"#),
        ] { try text.write(to: folder.appending(path: name), atomically: true, encoding: .utf8) }
        let html = try SensitivityPage(PageSource(folder: folder.path)).html()
        #expect(html.contains("<h2>\(heading)</h2>"), "\(html.prefix(6_000))")
        #expect(html.contains("none of the keys by more than chance explains") == heading.contains("chance"))
    }

    @Test func `a figure of a cell carries the cell and where it stands`() {
        let figure = Figure(text: "13.6 %", value: "0.136", source: "summary.csv: value where metric=share_stale")
        let phrase: Phrase = "a & \(figure)"
        #expect(phrase.plain == "a & 13.6 %")
        #expect(
            phrase.html
                == "a &amp; <data value=\"0.136\" title=\"summary.csv: value where metric=share_stale\">13.6 %</data>")
    }

    @Test func `instants are read with their offsets`() {
        #expect(UnixTime("1970-01-02T00:00:00Z") == 86_400)
        #expect(UnixTime("2026-03-08T03:00:00.500000-04:00") == 1_772_953_200.5)
        for text in ["", "2026-03-08", "2026-13-08T03:00:00Z", "2026-03-08T03:00:00", "2026-03-08T03:00:00+4"] {
            #expect(UnixTime(text) == nil)
        }
    }
}

/// Long tables that come in chunks.
@Suite struct LineScannerTests {
    @Test(arguments: 1...7) func `lines are the same however a file is cut`(chunk: Int) {
        let text = Array("ab,c\n\nd\nefghijkl,9\n".utf8)
        var scanner = LineScanner()
        var lines: [String] = []
        for start in stride(from: 0, to: text.count, by: chunk) {
            text[start..<min(start + chunk, text.count)].withUnsafeBytes { bytes in
                scanner.scan(bytes) { lines.append(String(decoding: $0, as: UTF8.self)) }
            }
        }
        #expect(lines == ["ab,c", "", "d", "efghijkl,9"])
    }
}
