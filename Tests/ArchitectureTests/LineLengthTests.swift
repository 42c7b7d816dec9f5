import Foundation
import Testing

/// Lines of Swift are at most 120 characters long, as `.swift-format` has it; only what cannot be broken may be longer.
@Suite struct LineLengthTests {
    private static let most = 120

    @Test func `no line is longer but for a text or a name in it`() throws {
        let settings = try Document.text(".swift-format")
        #expect(settings.contains("\"lineLength\": \(Self.most)"))
        var lines = 0
        for top in ["Sources", "Tests", "Benchmarks", "Engines"] {
            let folder = Document.root.appending(path: top)
            for case let file as String in try #require(FileManager.default.enumerator(atPath: folder.path))
            where file.hasSuffix(".swift") && !file.contains(".build") {
                let text = try Document.text(top + "/" + file)
                var isText = false
                for (number, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
                    lines += 1
                    let wasText = isText
                    // A text over several lines keeps its lines.
                    if line.split(separator: "\"\"\"", omittingEmptySubsequences: false).count % 2 == 0 { isText.toggle() }
                    if wasText || isText { continue }
                    // Bytes are the quick bound of characters.
                    if line.utf8.count > Self.most && Self.isTooLong(line) {
                        Issue.record("\(top)/\(file):\(number + 1): \(line.count) characters")
                    }
                }
            }
        }
        #expect(lines > 80_000, "\(lines) lines were read")
    }

    @Test func `texts, names in backticks and words without a blank may be longer`() {
        let words = String(repeating: "word ", count: 30)
        #expect(Self.isTooLong("// \(words)") && Self.isTooLong("let a = \(words.replacing(" ", with: " + "))"))
        #expect(!Self.isTooLong("    \"\(words)\"") && !Self.isTooLong("@Test func `\(words)`() {"))
        #expect(!Self.isTooLong("/// https://\(words.replacing(" ", with: "/"))"))
    }

    private static func isTooLong(_ line: Substring) -> Bool { isTooLong(String(line)) }

    private static func isTooLong(_ line: String) -> Bool {
        if line.count <= most { return false }
        let words = line.drop { $0 == " " }
        if words.hasPrefix("//") { return words.drop { "/ ".contains($0) }.contains(" ") }
        return !line.contains("\"") && !line.contains("`") && !line.contains("#/") && !line.contains(" /")
    }
}
