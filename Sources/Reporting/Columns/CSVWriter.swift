/// Writes the rows of one table as RFC 4180 text with LF line ends: `.` decimals, no locale, empty for missing.
///
/// Cells come in the order of the table's columns; a row that does not fit the declaration is an error of the code. Bytes are gathered and handed
/// to `sink` about a megabyte at a time.
struct CSVWriter {
    typealias Sink = (UnsafeRawBufferPointer) throws(OutputProblem) -> Void

    let table: ReportTable
    private let sink: Sink
    private var bytes: [UInt8] = []
    private var cells = 0

    private static let flushSize = 1 << 20

    /// Begins a table with its header.
    init(_ table: ReportTable, into sink: @escaping Sink) {
        self.table = table
        self.sink = sink
        bytes.reserveCapacity(Self.flushSize + 4096)
        bytes.append(contentsOf: table.header.utf8)
        bytes.append(UInt8(ascii: "\n"))
    }

    mutating func text(_ value: String) {
        begin(.string)
        CellText.append(value, to: &bytes)
    }

    /// Text without anything to quote: the names of the vocabulary, times.
    mutating func plain(_ value: String, as type: Column.ValueType = .string) {
        begin(type)
        bytes.append(contentsOf: value.utf8)
    }

    mutating func integer(_ value: some BinaryInteger) {
        begin(.integer)
        CellText.append(Int64(value), to: &bytes)
    }

    mutating func integer(_ value: Int64?) {
        if let value { integer(value) } else { missing() }
    }

    mutating func number(_ value: Double?) {
        guard let value else { return missing() }
        begin(.number)
        CellText.append(value, to: &bytes)
    }

    /// A number known to a millionth, such as seconds from microseconds or tokens from microtokens: exact.
    mutating func millionths(_ value: Int128) {
        begin(.number)
        CellText.appendMillionths(value, to: &bytes)
    }

    mutating func boolean(_ value: Bool) {
        begin(.boolean)
        bytes.append(contentsOf: (value ? "true" : "false").utf8)
    }

    mutating func missing() {
        assert(table.columns[cells].isOptional, "\(table.name).\(table.columns[cells].name) is never missing")
        separate()
    }

    /// Several cells at once, already written as CSV without the separators at the ends.
    mutating func prepared(_ text: [UInt8], cells count: Int) {
        if cells > 0 { bytes.append(UInt8(ascii: ",")) }
        cells += count
        bytes.append(contentsOf: text)
    }

    mutating func endRow() throws(OutputProblem) {
        precondition(cells == table.columns.count, "a row of \(cells) cells in \(table.name), which has \(table.columns.count) columns")
        bytes.append(UInt8(ascii: "\n"))
        cells = 0
        if bytes.count >= Self.flushSize { try flush() }
    }

    /// Hands on what is still gathered. After the last row.
    mutating func flush() throws(OutputProblem) {
        precondition(cells == 0, "an unfinished row in \(table.name)")
        var problem: OutputProblem?
        bytes.withUnsafeBytes { buffer in
            do throws(OutputProblem) { try sink(buffer) } catch { problem = error }
        }
        bytes.removeAll(keepingCapacity: true)
        if let problem { throw problem }
    }

    private mutating func begin(_ type: Column.ValueType) {
        precondition(cells < table.columns.count, "a row of \(table.name) has more cells than columns")
        assert(
            table.columns[cells].type == type || (type == .integer && table.columns[cells].type == .number),
            "\(table.name).\(table.columns[cells].name) is not of type \(type)")
        separate()
    }

    private mutating func separate() {
        if cells > 0 { bytes.append(UInt8(ascii: ",")) }
        cells += 1
    }
}
