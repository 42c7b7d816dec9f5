import Basics
import ResultFiles
import ScenarioModel
import Simulation

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

/// The declaration of one table: what a row states, and its columns in their order.
package struct TableDeclaration: Hashable, Sendable {
    /// The file's name without its ending.
    package let name: String
    /// The meaning of one row, and which rows there are: whole sentences.
    package let meaning: String
    package let columns: [Column]

    package var fileName: String { name + ".csv" }
    package var header: String { columns.map(\.name).joined(separator: ",") }
    /// The columns that tell rows apart.
    package var primaryKey: [String] { columns.filter { $0.adds == .key }.map(\.name) }
}

extension TableDeclaration {
    /// The rows of a table's text as JSON: a list of objects, whose members are the columns; what is empty is null.
    package func json(ofCSV text: some Sequence<UInt8>) -> JSONText {
        .array(
            Self.lines(of: text).dropFirst().map { cells in
                precondition(
                    cells.count == columns.count, "\(cells.count) cells in \(columns.count) columns of \(name)")
                return .object(JSONMembers(zip(columns, cells).map { ($0.name, Self.json($1, $0.type)) }))
            })
    }

    private static func json(_ cell: (text: String, isQuoted: Bool), _ type: Column.ValueType) -> JSONText {
        if cell.text.isEmpty && !cell.isQuoted { return .null }
        switch type {
        case .string, .datetime: return .string(cell.text)
        case .integer, .number: return .digits(cell.text)
        case .boolean: return .boolean(cell.text == "true")
        }
    }

    /// The cells of text that this module has written (RFC 4180).
    private static func lines(of text: some Sequence<UInt8>) -> [[(text: String, isQuoted: Bool)]] {
        let (quote, comma, end) = (UInt8(ascii: "\""), UInt8(ascii: ","), UInt8(ascii: "\n"))
        var lines: [[(text: String, isQuoted: Bool)]] = []
        var line: [(text: String, isQuoted: Bool)] = []
        var cell: [UInt8] = []
        var (isOpen, isQuoted, wasQuote) = (false, false, false)
        func finished() -> (text: String, isQuoted: Bool) { (String(decoding: cell, as: UTF8.self), isQuoted) }
        for byte in text {
            if isOpen && byte != quote {
                cell.append(byte)
            } else if byte == quote {
                // Two in a row inside of quotes stand for one.
                if !isOpen && wasQuote { cell.append(quote) }
                isOpen.toggle()
                isQuoted = true
            } else if byte == comma || byte == end {
                line.append(finished())
                (cell, isQuoted) = ([], false)
                if byte == end {
                    lines.append(line)
                    line = []
                }
            } else {
                cell.append(byte)
            }
            wasQuote = byte == quote && !isOpen
        }
        return lines
    }
}

extension Table {
    package func json(_ rows: some Sequence<Row>) throws -> JSONText { declaration.json(ofCSV: try text(rows).utf8) }
}

extension RunReport {
    /// The object that `reloadsim run --json` prints besides the place of the results: the summary, the verdict and the
    /// largest windows.
    package func json() throws -> JSONMembers {
        try Self.json(result.scenario, fingerprint: fingerprint, holds: verdicts.allSatisfy(\.holds)) {
            (table) throws(OutputProblem) in try table.json(self)
        }
    }

    /// The object for complete results that stand in a folder.
    ///
    /// - Parameters:
    ///   - scenario: the one that they are of.
    ///   - holds: whether they hold its thresholds.
    /// - Throws: the sentence that a file cannot be read, or is none of such results.
    package static func json(ofFolder folder: String, _ scenario: Scenario, holds: Bool) throws(OutputProblem)
        -> JSONMembers
    {
        func bytes(_ name: String) throws(OutputProblem) -> [UInt8] {
            guard let bytes = try FileContent.bytes(of: folder + "/" + name, limit: largestTable) else {
                throw OutputProblem("\(folder): expected complete results, found no \(name) in it")
            }
            return bytes
        }
        guard let fingerprint = Manifest.fingerprint(in: try bytes(OutputFolder.manifestName)) else {
            throw OutputProblem(
                "\(folder)/\(OutputFolder.manifestName): expected the manifest of a run, found something else")
        }
        return try json(scenario, fingerprint: fingerprint, holds: holds) { (table) throws(OutputProblem) in
            table.declaration.json(ofCSV: try bytes(table.declaration.fileName))
        }
    }

    /// More than a summary has, or the windows of many endpoints.
    private static var largestTable: Int { 64 << 20 }

    private static func json(
        _ scenario: Scenario, fingerprint: String, holds: Bool, _ rows: (RunTable) throws(OutputProblem) -> JSONText
    ) throws(OutputProblem) -> JSONMembers {
        return [
            "scenario": scenario.name, "seed": String(scenario.plan.seed), "fingerprint": fingerprint,
            "zone": scenario.report.zone.name, "holds": holds, "thresholds": try rows(.thresholds),
            "summary": try rows(.summary), "load_peaks": try rows(.loadPeaks),
        ]
    }
}
