/// The rows of one table, cell by cell, for tables whose columns are known only in a run of the program, such as those of a study.
public struct TableRows {
    public enum Cell: Hashable, Sendable {
        case text(String)
        case integer(Int)
        /// A number that is finite; nil for an empty cell.
        case number(Double?)
        /// A number in the text that another file has of it; empty for an empty cell.
        case written(String)
        case boolean(Bool)
        case missing
    }

    private var csv: CSVWriter

    fileprivate init(_ table: ReportTable, into sink: @escaping CSVWriter.Sink) { csv = CSVWriter(table, into: sink) }

    /// Adds a row with a cell for each column.
    public mutating func add(_ cells: [Cell]) throws(OutputProblem) {
        for cell in cells {
            switch cell {
            case .text(let text): csv.text(text)
            case .integer(let value): csv.integer(value)
            case .number(let value): csv.number(value)
            case .written(""), .missing: csv.missing()
            case .written(let text): csv.plain(text, as: .number)
            case .boolean(let value): csv.boolean(value)
            }
        }
        try csv.endRow()
    }

    fileprivate mutating func finish() throws(OutputProblem) { try csv.flush() }

    /// The whole text of a table.
    public static func text(of table: ReportTable, _ body: (inout TableRows) throws(OutputProblem) -> Void) throws(OutputProblem) -> String
    {
        var bytes: [UInt8] = []
        var problem: OutputProblem?
        withoutActuallyEscaping({ (buffer: UnsafeRawBufferPointer) throws(OutputProblem) in bytes.append(contentsOf: buffer) }) { sink in
            var rows = TableRows(table, into: sink)
            do throws(OutputProblem) {
                try body(&rows)
                try rows.finish()
            } catch { problem = error }
        }
        if let problem { throw problem }
        return String(decoding: bytes, as: UTF8.self)
    }
}

extension OutputFolder {
    /// Writes a table under its name.
    public func write(_ table: ReportTable, _ body: (inout TableRows) throws(OutputProblem) -> Void) throws(OutputProblem) {
        try write(table.fileName) { (sink) throws(OutputProblem) in
            try withoutActuallyEscaping(sink) { (sink) throws(OutputProblem) in
                var rows = TableRows(table, into: sink)
                try body(&rows)
                try rows.finish()
            }
        }
    }

    /// Writes the description of tables that are written already.
    public func writeDataPackage(of tables: [ReportTable], name: String, title: String) throws(OutputProblem) {
        try write(DataPackage.fileName, text: DataPackage.text(of: tables, in: files, name: name, title: title))
    }
}
