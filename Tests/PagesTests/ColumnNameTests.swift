import Foundation
import Testing

/// Pages read the tables of a folder, whichever version wrote them, so they name columns as the files do.
@Suite struct ColumnNameTests {
    /// The dictionary is made from the declarations of all tables.
    @Test func `every column that a page names is declared by a table`() throws {
        var root = URL(filePath: #filePath)
        for _ in 0..<3 { root.deleteLastPathComponent() }
        func text(_ path: String) throws -> String {
            try String(contentsOf: root.appending(path: path), encoding: .utf8)
        }
        let rows = /^\| `([a-z0-9_]+)` \|/.anchorsMatchLineEndings()
        let declared = Set(try text("Reports/README.md").matches(of: rows).map(\.1))
        let reads = #/(?:\.(?:number|amount|count|cell|flag|place)\(|\brow\[)"([a-z0-9_]+)"[,)\]]/#
        var (named, unknown): (Set<String>, Set<String>) = ([], [])
        for file in try FileManager.default.contentsOfDirectory(atPath: root.appending(path: "Sources/Pages").path)
        where file.hasSuffix(".swift") {
            for read in try text("Sources/Pages/" + file).matches(of: reads) {
                named.insert(String(read.1))
                if !declared.contains(read.1) { unknown.insert("\(file): \(read.1)") }
            }
        }
        #expect(named.count > 100 && unknown.isEmpty, "\(named.count), \(unknown.sorted())")
    }
}
