/// A small CSV file as a whole: its header, and its rows as texts.
package struct CSVTable: Hashable, Sendable {
    package let header: [String]
    /// Each has as many fields as the header.
    package let rows: [[String]]

    /// Larger files are no tables of this sort.
    private static let largestFile = 64 << 20

    /// Reads a file, or standard input for `-`.
    ///
    /// - Throws: a sentence that names the file and the line.
    package static func read(file: String) throws(CSVProblem) -> CSVTable {
        let bytes: [UInt8]
        do throws(FileBytes.Unreadable) {
            bytes = try FileBytes.read(file, limit: largestFile)
            if bytes.count > largestFile { throw FileBytes.Unreadable(reason: "one of more than 64 MiB") }
        } catch {
            throw CSVProblem(
                description: "\(file): expected a file that can be read, found \(error.reason)", isMissingInput: true)
        }
        return try CSVTable(bytes, file: file)
    }

    private init(header: [String], rows: [[String]]) { (self.header, self.rows) = (header, rows) }

    /// With the columns that an earlier version did not write, whose cells are empty: what is not known. Nil if they
    /// cannot be, as those of counts and flags.
    package func completed(with columns: [ResultColumn]) -> CSVTable? {
        let missing = columns.filter { !header.contains($0.name) }
        if missing.contains(where: { $0.kind == .count || $0.kind == .flag }) { return nil }
        return CSVTable(
            header: header + missing.map(\.name), rows: rows.map { $0 + Array(repeating: "", count: missing.count) })
    }

    /// - Parameter file: the name that problems show.
    package init(_ bytes: [UInt8], file: String) throws(CSVProblem) {
        if PackedBytes.isGzip(bytes) {
            throw CSVProblem(description: "\(file): expected CSV, found \(PackedBytes.found)")
        }
        let text = TableText(bytes)
        guard let top = text.lines.first else {
            throw CSVProblem(description: "\(file): expected a header, found no line")
        }
        // Spreadsheets of some countries write semicolons; a header of one column has no separator.
        let separator = TableText.Separator.byte(CSVFields.separator(of: top.bytes))
        do throws(TableText.Fault) {
            let header = try TableText.cells(top, separator)
            var rows: [[String]] = []
            rows.reserveCapacity(text.lines.count - 1)
            for line in text.lines.dropFirst() {
                rows.append(try TableText.cells(line, separator, count: header.count))
            }
            (self.header, self.rows) = (header, rows)
        } catch {
            throw CSVProblem(
                description: "\(file):\(error.line): expected \(error.expected), found \(error.found)")
        }
        var seen: Set<String> = []
        for name in header where !seen.insert(name).inserted {
            throw CSVProblem(description: "\(file):1: expected every column once, found '\(name)' twice")
        }
    }
}

/// A fault of a CSV file, in one sentence.
package struct CSVProblem: Error, Hashable, Sendable, CustomStringConvertible {
    package let description: String
    package let isMissingInput: Bool

    package init(description: String, isMissingInput: Bool = false) {
        (self.description, self.isMissingInput) = (description, isMissingInput)
    }
}
