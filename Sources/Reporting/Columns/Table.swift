import ResultFiles

/// A table of rows of one type: what is said of it, and the cells of a row.
///
/// Its text is RFC 4180 with LF line ends: `.` decimals, no locale, empty for missing.
package struct Table<Row>: Sendable {
    /// Adds a row to the table.
    package typealias RowSink = (Row) throws(OutputProblem) -> Void

    package let declaration: TableDeclaration
    private let columns: [Columns<Row>]

    package init(_ name: String, _ meaning: String, _ columns: [Columns<Row>]) {
        declaration = TableDeclaration(name: name, meaning: meaning, columns: columns.flatMap(\.columns))
        self.columns = columns.filter { !$0.isEmpty }
    }

    /// Writes the header and the rows that `rows` adds, about a megabyte at a time.
    package func write(into sink: ByteSink, _ rows: (_ add: RowSink) throws(OutputProblem) -> Void)
        throws(OutputProblem)
    {
        try withoutActuallyEscaping(sink) { (sink) throws(OutputProblem) in
            var bytes = Array((declaration.header + "\n").utf8)
            bytes.reserveCapacity(Self.chunk + 4096)
            try rows { (row) throws(OutputProblem) in
                columns.append(row, to: &bytes)
                bytes.append(UInt8(ascii: "\n"))
                try bytes.flush(into: sink, from: Self.chunk)
            }
            try bytes.flush(into: sink)
        }
    }

    /// The whole text of the table with these rows.
    package func text(_ rows: some Sequence<Row>) throws(OutputProblem) -> String {
        var bytes: [UInt8] = []
        try write(into: { (chunk) throws(OutputProblem) in bytes.append(contentsOf: chunk) }) {
            (add) throws(OutputProblem) in
            for row in rows { try add(row) }
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    private static var chunk: Int { 1 << 20 }
}

extension OutputFolder {
    /// Writes a table under its name.
    package func write<Row>(_ table: Table<Row>, _ rows: (_ add: Table<Row>.RowSink) throws(OutputProblem) -> Void)
        throws(OutputProblem)
    {
        try write(table.declaration.fileName) { (sink) throws(OutputProblem) in try table.write(into: sink, rows) }
    }

    /// Writes a table with these rows under its name.
    package func write<Row>(_ table: Table<Row>, _ rows: some Sequence<Row>) throws(OutputProblem) {
        try write(table) { (add) throws(OutputProblem) in for row in rows { try add(row) } }
    }

    /// Writes the description of tables that are written already.
    ///
    /// - Parameter hasPage: whether a page is going to stand beside them.
    package func writeDataPackage(of tables: [TableDeclaration], name: String, title: String, hasPage: Bool = false)
        throws(OutputProblem)
    {
        try write(
            DataPackage.fileName,
            text: DataPackage.text(of: tables, in: files, name: name, title: title, hasPage: hasPage))
    }
}
