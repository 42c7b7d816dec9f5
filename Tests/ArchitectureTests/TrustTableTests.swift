import Foundation
import Testing

/// The table of checks in docs/trust.md: each row can be done again as it says.
@Suite struct TrustTableTests {
    private static let rows: [[String]] = {
        let text = (try? Document.text("docs/trust.md")) ?? ""
        return text.split(separator: "\n").filter { $0.contains(#/^\| \d+ \|/#) }.map { line in
            line.split(separator: "|", omittingEmptySubsequences: false).map { $0.trimmingCharacters(in: .whitespaces) }
        }
    }()

    @Test func `the checks are numbered, and each has a figure and a date`() throws {
        #expect(Self.rows.map { $0[1] } == (1...52).map(String.init))
        for row in Self.rows {
            #expect(row.count == 7 && !row[2].isEmpty && !row[4].isEmpty, "\(row)")
            #expect(row[5].contains(#/^20\d\d-\d\d-\d\d$/#), "\(row)")
        }
    }

    @Test func `each command exists, and a test that is named is one of the suites`() throws {
        let tests = Document.root.appending(path: "Tests")
        let paths = (FileManager.default.enumerator(atPath: tests.path) ?? .init()).compactMap { $0 as? String }
        var suites: Set<String> = []
        for path in paths where path.hasSuffix(".swift") {
            let module = path.split(separator: "/")[0]
            for match in try Document.text("Tests/" + path).matches(of: #/@Suite[^\n]*struct (\w+)/#) {
                suites.formUnion([String(match.1), "\(module).\(match.1)"])
            }
        }
        for row in Self.rows {
            let words = row[3].trimmingCharacters(in: CharacterSet(charactersIn: "`")).split(separator: " ").map(
                String.init)
            #expect(Document.exists(words[0]), "\(row[3])")
            if let at = words.firstIndex(of: "--filter") { #expect(suites.contains(words[at + 1]), "\(row[3])") }
        }
    }
}
