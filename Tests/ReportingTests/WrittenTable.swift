import ResultFiles
import Simulation
@testable import Reporting

/// A table read back from its text, as a user of the files would.
struct WrittenTable {
    let header: [String]
    let rows: [[String: String]]

    init(_ table: RunTable, of report: RunReport) throws { self.init(text: try Self.text(table, of: report)) }

    init(text: String) {
        let lines = Self.cells(of: text)
        let header = lines[0]
        self.header = header
        rows = lines.dropFirst().map { Dictionary(uniqueKeysWithValues: zip(header, $0)) }
    }

    static func text(_ table: RunTable, of report: RunReport) throws -> String {
        var bytes: [UInt8] = []
        try table.write(report) { (chunk) throws(OutputProblem) in bytes.append(contentsOf: chunk) }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// The exact sum of a column over the rows that fit, in millionths.
    func sum(_ column: String, where fits: ([String: String]) -> Bool = { _ in true }) -> Int128 {
        rows.filter(fits).reduce(0) { $0 + Self.millionths($1[column]!) }
    }

    static func millionths(_ text: String) -> Int128 {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        let fraction = parts.count > 1 ? String(parts[1]) : ""
        let zeros = String(repeating: "0", count: 6 - fraction.count)
        return Int128(String(parts[0]) + fraction + zeros)!
    }

    private static func cells(of text: String) -> [[String]] {
        var lines: [[String]] = []
        var line: [String] = []
        var cell = ""
        var isQuoted = false
        var characters = Array(text.unicodeScalars)[...]
        while let c = characters.popFirst() {
            if isQuoted {
                if c == "\"" && characters.first == "\"" {
                    cell.unicodeScalars.append(characters.removeFirst())
                } else if c == "\"" {
                    isQuoted = false
                } else {
                    cell.unicodeScalars.append(c)
                }
            } else if c == "\"" {
                isQuoted = true
            } else if c == "," {
                line.append(cell)
                cell = ""
            } else if c == "\n" {
                lines.append(line + [cell])
                line = []
                cell = ""
            } else {
                cell.unicodeScalars.append(c)
            }
        }
        return lines
    }
}
