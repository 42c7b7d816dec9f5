import EmbeddedTexts
import Foundation
import Testing

@testable import ScenarioFiles

/// Other YAML programs read `08:01` without quotes as a number of base 60 (YAML 1.1): no file that we ship or write has
/// one.
@Suite struct ClockQuoteTests {
    private static let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()

    /// The numbers of base 60 among the values and keys of a text; nil if it is no YAML.
    private static func found(in text: String, _ file: String) -> [String]? {
        guard let node = NodeComposition.root(of: text, log: ProblemLog(file: file)) else { return nil }
        var found: [String] = []
        collect(node, text.split(separator: "\n", omittingEmptySubsequences: false), &found)
        return found.map { "\(file): \($0)" }
    }

    private static func isBase60(_ text: String) -> Bool {
        text.contains(":") && text.wholeMatch(of: #/[-+]?[0-9][0-9_]*(:[0-5]?[0-9])+(\.[0-9_]*)?/#) != nil
    }

    private static func collect(_ node: RawNode, _ lines: [Substring], _ found: inout [String]) {
        switch node.content {
        case .scalar(let text, let isPlain): if isPlain && isBase60(text) { found.append(text) }
        case .list(let items): for item in items { collect(item, lines, &found) }
        case .mapping(let fields):
            for field in fields {
                if isBase60(field.key), case .file(let line, let column) = field.origin,
                    lines[line - 1].dropFirst(column - 1).first.map({ $0 != "\"" && $0 != "'" }) == true
                {
                    found.append(field.key)
                }
                collect(field.value, lines, &found)
            }
        }
    }

    /// Every file below a folder of the repository with an ending.
    private static func files(_ folder: String, _ ending: String) throws -> [String] {
        let names = try #require(FileManager.default.enumerator(atPath: root.appending(path: folder).path))
        return names.compactMap { $0 as? String }.filter { $0.hasSuffix(ending) }.map { folder + "/" + $0 }.sorted()
    }

    private static func text(_ file: String) throws -> String {
        try String(contentsOf: root.appending(path: file), encoding: .utf8)
    }

    @Test func `a clock time without quotes is found, as a value, in a list and as a key`() {
        #expect(
            Self.found(
                in:
                    "at: 08:01\nlist: [7:30, \"9:00\", 1:02:03]\n8:15: x\n'9:15': y\nlabel: 08:01 sharp\nzone: 2026-03-02T08:01:00Z\n",
                "f")?.sorted()
                == ["f: 08:01", "f: 1:02:03", "f: 7:30", "f: 8:15"])
    }

    @Test func `no scenario, no worked case and no shipped result has one`() throws {
        let files = try ["Scenarios", "Tests/WorkedCases", "Reports"].flatMap { try Self.files($0, ".yaml") }
        #expect(files.count > 100)
        for file in files { #expect(Self.found(in: try Self.text(file), file) == [], "\(file)") }
    }

    @Test func `none stands in the YAML of a document`() throws {
        var blocks = 0
        for file in try Self.files("docs", ".md") + [
            "README.md", "MODEL.md", "Scenarios/README.md", "Tests/WorkedCases/README.md",
        ] {
            for block in try Self.text(file).matches(of: #/(?s)```ya?ml\n(.*?)```/#) {
                guard let found = Self.found(in: String(block.1), file) else { continue }
                blocks += 1
                #expect(found == [])
            }
        }
        #expect(blocks > 10)
    }

    @Test func `what is written has none: the template, and every scenario as it is resolved`() throws {
        #expect(Self.found(in: ScenarioTemplate.text, "template") == [])
        for file in try Self.files("Scenarios", ".yaml") {
            let read = try ScenarioText(file: Self.root.appending(path: file).path).read(overrides: [])
            #expect(Self.found(in: read.resolvedText, file) == [])
        }
    }
}
