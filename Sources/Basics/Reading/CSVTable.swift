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

    /// - Parameter file: the name that problems show.
    package init(_ bytes: [UInt8], file: String) throws(CSVProblem) {
        if PackedBytes.isGzip(bytes) {
            throw CSVProblem(description: "\(file): expected CSV, found \(PackedBytes.found)")
        }
        var fields: [CSVFields.Field] = []
        var header: [String]?
        var rows: [[String]] = []
        var line = 0
        // Some programs begin a file with a byte-order mark.
        let bytes = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? Array(bytes.dropFirst(3)) : bytes
        for row in bytes.split(separator: 10, omittingEmptySubsequences: false) {
            line += 1
            let row = row.last == 13 ? row.dropLast() : row
            if row.isEmpty { continue }
            CSVFields.split(row, into: &fields)
            if fields.contains(where: \.isUnclosed) {
                throw CSVProblem(description: "\(file):\(line): expected a closing quote, found the end of the line")
            }
            let texts = fields.map { $0.text(in: row) }
            guard let columns = header?.count else {
                header = texts
                continue
            }
            guard texts.count == columns else {
                throw CSVProblem(
                    description:
                        "\(file):\(line): expected \(columns) fields, as many as the header has, found \(texts.count)")
            }
            rows.append(texts)
        }
        guard let header else { throw CSVProblem(description: "\(file): expected a header, found no line") }
        var seen: Set<String> = []
        for name in header where !seen.insert(name).inserted {
            throw CSVProblem(description: "\(file):1: expected every column once, found '\(name)' twice")
        }
        self.header = header
        self.rows = rows
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
