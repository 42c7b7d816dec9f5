import Foundation
import Testing

/// How modules and folders depend on each other.
@Suite struct StructureTests {
    static let structure = Result { try Structure(of: ModuleTableTests.sources) }

    @Test func `no two folders of a module depend on each other`() throws {
        for (_, _, sentence) in try Self.structure.get().pairsBothWays { Issue.record("\(sentence)") }
    }

    @Test func `every folder holds more than one file`() throws {
        for (folder, files) in try Self.structure.get().files.sorted(by: { $0.key < $1.key }) where files < 2 {
            Issue.record("\(folder.module)/\(folder.path)")
        }
    }

    @Test func `every module says in five lines what belongs there and what does not`() throws {
        for module in ModuleTableTests.table.keys.sorted() where module != "ReloadsimMain" {
            let lines = try Document.text("Sources/\(module)/Module.swift").split(separator: "\n")
            #expect(lines.count == 5 && lines.allSatisfy { $0.hasPrefix("// ") }, "\(module)")
            #expect(
                lines.contains { $0.hasPrefix("// Here: ") || $0.contains(" are ") }
                    && lines.contains { $0.hasPrefix("// Not here: ") }, "\(module)")
        }
    }

    /// With `RELOADSIM_REWRITE=1` the test rewrites the document.
    @Test func `the picture of ARCHITECTURE is that of the sources`() throws {
        let file = Document.root.appending(path: "ARCHITECTURE.md")
        let text = try String(contentsOf: file, encoding: .utf8)
        let picture = #/(?s)(<!-- structure -->\n```text\n)(.*?)(\n```)/#
        let found = try #require(text.firstMatch(of: picture), "ARCHITECTURE.md has no picture of the structure")
        let made = try Self.structure.get().picture
        if ProcessInfo.processInfo.environment["RELOADSIM_REWRITE"] == "1" {
            try text.replacing(picture) { "\($0.1)\(made)\($0.3)" }.write(to: file, atomically: true, encoding: .utf8)
        } else {
            #expect(found.2 == made)
        }
    }
}
