import Basics
import Foundation
import ResultFiles

/// A page as one file that fetches nothing: style, drawings and tables are in it, and it is complete without its
/// script.
struct PageDocument {
    /// One part of a page with its charts.
    struct Section {
        let id: String
        /// One word or two, for the contents.
        let name: String
        /// The whole section but its heading.
        let html: String

        init(_ id: String, _ name: String, html: String) { (self.id, self.name, self.html) = (id, name, html) }

        /// Charts beside each other where there is room; nil if there are none.
        ///
        /// - Parameter areSmall: whether the charts need little room, so that more of them stand beside each other.
        init?(_ id: String, _ name: String, _ charts: [Chart?], areSmall: Bool = false) {
            let html = charts.compactMap { $0.map { "<div\($0.isWide ? " class=\"full\"" : "")>\($0.html)</div>" } }
            if html.isEmpty { return nil }
            self.init(
                id, name, html: "<div class=\"charts\(areSmall ? " small" : "")\">" + html.joined() + "</div>")
        }
    }

    /// The sort of the page's subject: `run`, `study`.
    let sort: String
    let title: String
    /// Below the title; empty for nothing.
    var lead = ""
    /// The facts of the run, in a line.
    let facts: Phrase
    let verdict: String
    /// Those that there are.
    let sections: [Section?]
    let version: String

    /// The whole file, UTF-8 with a final line end.
    var html: String {
        let sections = sections.compactMap { $0 }
        let policy =
            "default-src 'none'; style-src 'sha256-\(Self.hash(PageStyle.css))'; script-src 'sha256-\(Self.hash(PageScript.text))'; base-uri 'none'; "
            + "form-action 'none'"
        var html = "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
        html += "<meta http-equiv=\"Content-Security-Policy\" content=\"\(policy)\">\n"
        html +=
            "<meta name=\"viewport\" content=\"width=device-width,initial-scale=1\">\n<meta name=\"color-scheme\" content=\"light dark\">\n"
        html += OutputFolder.pageMark + "\(Markup.escaped(version))\">\n"
        html +=
            "<title>\(Markup.escaped(title)) · reloadsim \(Markup.escaped(sort))</title>\n<style>\(PageStyle.css)</style>\n</head>\n<body>\n"
        html += "<header><p class=\"eyebrow\">reloadsim \(Markup.escaped(sort))</p><h1>\(Markup.escaped(title))</h1>"
        if !lead.isEmpty { html += "<p class=\"lead\">\(Markup.escaped(lead))</p>" }
        html +=
            "<p class=\"facts\">\(facts.html)</p></header>\n<main>\n<section id=\"verdict\" aria-label=\"Verdict\">\(verdict)</section>\n"
        if sections.count > 1 {
            html +=
                "<nav aria-label=\"Contents\"><ul>"
                + sections.map { "<li><a href=\"#\($0.id)\">\(Markup.escaped($0.name))</a></li>" }.joined()
                + "</ul></nav>\n"
        }
        for section in sections {
            html += "<section id=\"\(section.id)\"><h2>\(Markup.escaped(section.name))</h2>\(section.html)</section>\n"
        }
        html +=
            "</main>\n<footer><p>Made by reloadsim \(Markup.escaped(version)). One file: nothing is fetched, and every figure stands in a table "
            + "beside it.</p></footer>\n"
        return html + "<script>\(PageScript.text)</script>\n</body>\n</html>\n"
    }

    /// The hash of the text between two tags, as the policy of a page names it.
    static func hash(_ text: String) -> String { Data(SHA256.hash(data: Data(text.utf8))).base64EncodedString() }
}

/// Pieces of HTML that several pages have.
enum PageParts {
    /// The people of a result, `1,000,000 people, from 3,000 simulated people`.
    ///
    /// - Parameter represented: how many those simulated stand for; nil if they stand for themselves.
    static func people(_ simulated: Int, standingFor represented: Int?) -> String {
        let all = FigureText.counted(represented ?? simulated, "person", "people")
        guard represented != nil else { return all }
        return all + ", from \(FigureText.grouped(simulated)) simulated \(simulated == 1 ? "person" : "people")"
    }

    /// Figures in a row, each below its name. Where one is wider than its place, a line ends before its unit.
    static func cards(_ cards: [(name: String, figure: Phrase, note: Phrase)]) -> String {
        "<dl class=\"cards\">"
            + cards.map {
                "<div><dt>\(Markup.escaped($0.name))</dt><dd>\($0.figure.html.replacing("\u{A0}", with: " "))</dd>\($0.note.isEmpty ? "" : "<dd class=\"note\">\($0.note.html)</dd>")</div>"
            }.joined()
            + "</dl>"
    }

    /// A mark and a word: what holds and what does not differ in shape, word and colour.
    static func mark(holds: Bool) -> String {
        let path = holds ? "M3 8.5l3.5 3.5L13 4.5" : "M4 4l8 8M12 4l-8 8"
        return
            "<span class=\"mark \(holds ? "holds" : "broken")\"><svg width=\"16\" height=\"16\" viewBox=\"0 0 16 16\" aria-hidden=\"true\"><path "
            + "d=\"\(path)\"/></svg>\(holds ? "holds" : "broken")</span>"
    }

    /// More columns than stand beside each other on a sheet of paper upright.
    private static let mostUpright = 9

    /// A table that is not folded away.
    static func table(_ columns: [String], _ rows: [[String]], label: String) -> String {
        "<div class=\"scroll\(columns.count > mostUpright ? " wide" : "")\" tabindex=\"0\" role=\"region\" aria-label=\"\(Markup.escaped(label))\"><table><thead><tr>"
            + columns.map { "<th scope=\"col\">\(Markup.heading($0))</th>" }.joined() + "</tr></thead><tbody>"
            + rows.map { row in
                "<tr><th scope=\"row\">\(row[0])</th>" + row.dropFirst().map { "<td>\($0)</td>" }.joined() + "</tr>"
            }.joined()
            + "</tbody></table></div>"
    }

    static func folded(_ summary: String, _ html: String) -> String {
        "<details><summary>\(Markup.escaped(summary))</summary>\(html)</details>"
    }

    /// Facts, each below its name; those that are not known are left out.
    static func facts(_ facts: [(String, Phrase?)]) -> String {
        let known = facts.compactMap { name, fact in fact.map { "<dt>\(Markup.escaped(name))</dt><dd>\($0.html)</dd>" }
        }
        return "<dl class=\"facts\">" + known.joined() + "</dl>"
    }
}
