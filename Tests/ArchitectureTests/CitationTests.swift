import Foundation
import Testing

/// Everything that a sentence cites is in the repository: a reader can open it.
@Suite struct CitationTests {
    static let document = "docs/calibration-data.md"

    /// All that the patterns below match has this in it. The search for bytes is much faster than a pattern.
    private static let common = Data("alibration".utf8)

    /// The lines of the repository's own texts that may cite the document, with where they stand.
    private static func lines() throws -> [(place: String, text: String)] {
        var found: [(String, String)] = []
        let kinds = [".swift", ".md", ".yaml", ".json", ".py", ".txt"]
        for top in [
            "README.md", "MODEL.md", "ARCHITECTURE.md", "CONTRIBUTING.md", "Sources", "Tests", "Scenarios", "Reports",
            "docs", "scripts",
        ] {
            let path = Document.root.appending(path: top).path
            let names = FileManager.default.enumerator(atPath: path)?.compactMap { $0 as? String } ?? []
            for name in names.isEmpty ? [top] : names.map({ top + "/" + $0 }).sorted() {
                guard kinds.contains(where: name.hasSuffix) || top == "scripts", !name.contains("/.build"),
                    !name.hasSuffix("CitationTests.swift"),
                    let bytes = try? Data(contentsOf: Document.root.appending(path: name)),
                    bytes.range(of: common) != nil
                else { continue }
                let text = String(decoding: bytes, as: UTF8.self)
                for (number, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated()
                where Data(line.utf8).range(of: common) != nil {
                    found.append(("\(name):\(number + 1)", String(line)))
                }
            }
        }
        return found
    }

    @Test func `every citation of the data behind the habits names a section that is there`() throws {
        let sections = Set(try Document.text(Self.document).matches(of: #/(?m)^## §(\d+) /#).compactMap { Int($0.1) })
        #expect(sections == Set(1...9))
        var citations = 0
        for (place, line) in try Self.lines() where !place.hasPrefix(Self.document) {
            #expect(!line.contains(/[Cc]alibration (§|section)/), "\(place) cites a document without its path")
            for match in line.matches(of: #/calibration-data\.md(?:\]\([^)]*\))? §(\d+)((?:(?:,| to| and) §\d+)*)/#) {
                for number in [String(match.1)] + match.2.matches(of: /\d+/).map({ String($0.0) }) {
                    citations += 1
                    #expect(
                        sections.contains(Int(number) ?? 0),
                        "\(place) cites §\(number), which is not in \(Self.document)")
                }
            }
            for match in line.matches(of: #/calibration-data\.md#([a-z0-9-]+)/#) {
                #expect(
                    try Self.anchors().contains(String(match.1)),
                    "\(place) leads to #\(match.1), which is not in \(Self.document)")
            }
        }
        #expect(citations > 60, "\(citations) citations were found")
    }

    /// The anchors of the document's headings, as Markdown's renderers make them.
    private static func anchors() throws -> Set<String> {
        Set(
            try Document.text(document).matches(of: /(?m)^## (.+)$/).map {
                $0.1.lowercased().replacing(" ", with: "-").filter { $0.isLetter || $0.isNumber || $0 == "-" }
            })
    }

    @Test func `links between documents lead to files that are there`() throws {
        for document in [
            "README.md", "MODEL.md", "ARCHITECTURE.md", "CONTRIBUTING.md", "Scenarios/README.md", "Reports/README.md",
        ]
            + (try FileManager.default.contentsOfDirectory(atPath: Document.root.appending(path: "docs").path).filter {
                $0.hasSuffix(".md")
            }.sorted().map { "docs/" + $0 })
        {
            let folder = (document as NSString).deletingLastPathComponent
            for match in try Document.text(document).matches(of: #/\]\(([^)#\s]+)(?:#[^)]*)?\)/#)
            where !match.1.contains("://") {
                let path = folder.isEmpty ? String(match.1) : folder + "/" + match.1
                #expect(Document.exists(path), "\(document) leads to \(match.1), which is not there")
            }
        }
    }
}
