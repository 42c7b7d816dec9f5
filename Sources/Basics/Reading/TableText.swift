/// A table as text: its lines and their cells. Tables of results, of studies and of dashboards are read by it.
package struct TableText: Sendable {
    package struct Line: Sendable {
        package let bytes: ArraySlice<UInt8>
        /// In the file, from 1 on.
        package let number: Int
    }

    /// A fault of a table, with its line; 0 for all of it.
    package struct Fault: Error, Hashable, Sendable {
        package var line: Int
        package var expected, found: String

        package init(line: Int, expected: String, found: String) {
            (self.line, self.expected, self.found) = (line, expected, found)
        }
    }

    /// The separator between the cells of a line.
    package enum Separator: Hashable, Sendable {
        case byte(UInt8)
        case blanks
    }

    /// Without empty ones, and without a byte-order mark.
    package let lines: [Line]

    /// - Parameter isLoose: whether lines of blanks are empty, and lines that begin with `#` are comments, as in what
    ///   dashboards and databases write.
    package init(_ bytes: [UInt8], isLoose: Bool = false) {
        var begin = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
        // Line feeds are found in plain memory, and cells below: a slice is checked at each byte.
        var ends = bytes.withUnsafeBufferPointer { bytes in (begin..<bytes.count).filter { bytes[$0] == 10 } }
        ends.append(bytes.count)
        var lines: [Line] = []
        for (index, end) in ends.enumerated() {
            let line = bytes[begin..<(end > begin && bytes[end - 1] == 13 ? end - 1 : end)]
            begin = end + 1
            if line.isEmpty || isLoose && (line.allSatisfy { $0 <= 32 } || line.first == UInt8(ascii: "#")) {
                continue
            }
            lines.append(Line(bytes: line, number: index + 1))
        }
        self.lines = lines
    }

    /// By a header: a comma, a semicolon or a tab, of which the most frequent counts; blanks if it has none of them.
    package static func separator(of header: Line) -> Separator {
        let byte = CSVFields.separator(of: header.bytes)
        return header.bytes.contains(byte) ? .byte(byte) : .blanks
    }

    /// The cells of a line.
    package static func cells(_ line: Line, _ separator: Separator) throws(Fault) -> [String] {
        guard case .byte(let byte) = separator else {
            return line.bytes.split { $0 == 32 || $0 == 9 }.map { String(decoding: $0, as: UTF8.self) }
        }
        let cells = line.bytes.withUnsafeBufferPointer { bytes -> [String]? in
            var fields: [CSVFields.Field] = []
            CSVFields.split(bytes, separator: byte, into: &fields)
            return fields.contains(where: \.isUnclosed) ? nil : fields.map { $0.text(in: bytes) }
        }
        guard let cells else {
            throw Fault(line: line.number, expected: "a closing quote", found: "the end of the line")
        }
        return cells
    }

    /// The cells of a row, as many as its header has.
    package static func cells(_ line: Line, _ separator: Separator, count: Int) throws(Fault) -> [String] {
        let cells = try cells(line, separator)
        guard cells.count == count else {
            throw Fault(
                line: line.number, expected: "\(FigureText.counted(count, "field")), as in the header",
                found: "\(cells.count)" + (cells.count > count ? "; a field with a comma needs double quotes" : ""))
        }
        return cells
    }
}
