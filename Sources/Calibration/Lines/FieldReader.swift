import Basics

/// How the lines of a file are split into fields that have names.
enum LineLayout: Hashable, Sendable {
    /// Objects of JSON, whose members are named by their paths.
    case json
    /// `name=value` and `name="value"`, with blanks between them.
    case pairs
    /// Values between separators, whose names stand in the first line.
    case table
    /// Values between separators, named by their numbers, from 1 on.
    case positions(separator: UInt8)
    /// The extended form of the W3C, whose columns a line names that begins with `#Fields:`.
    case extended
    /// A template in the words of nginx.
    case template(String)
}

/// Takes fields out of lines by their names.
struct FieldReader {
    let layout: LineLayout
    let names: [String]
    /// Those of the last line that was read, in the order of the names; nil where it has none.
    private(set) var fields: [LineField?]
    /// The columns of the names, once a header has told them; nil where it has none.
    private var columns: [Int?] = []
    /// The names of all columns of a header, and how many a row must have: 0 for any number.
    private(set) var header: [String] = []
    private var width = 0
    private var separator = UInt8(ascii: ",")
    private var cells: [CSVFields.Field] = []
    private let json: JSONFields
    private let template: LineTemplate?

    init(_ layout: LineLayout, names: [String]) {
        self.layout = layout
        self.names = names
        fields = Array(repeating: nil, count: names.count)
        json = JSONFields(names)
        switch layout {
        case .template(let text): template = LineTemplate(text)
        case .positions(let byte):
            template = nil
            separator = byte
            columns = names.map { name in Int(name).map { $0 - 1 } }
        case .json, .pairs, .table, .extended: template = nil
        }
    }

    /// Whether a line must come first that names the columns.
    var awaitsHeader: Bool { columns.isEmpty && (layout == .table || layout == .extended) }
    /// Whether names have columns of the header, by their places among the names.
    func hasColumns(_ indices: [Int]) -> Bool { indices.allSatisfy { columns[$0] != nil } }
    /// The fault of the last line if it ends in a quote that is open.
    var unclosed: LineFault? {
        guard let last = cells.last, last.isUnclosed else { return nil }
        return LineFault(
            column: last.column, expected: "a closing quote before the end of the line", found: "only the opening one")
    }

    /// Takes the names of the columns from a line: in a table from any, otherwise from one that begins with `#Fields:`.
    ///
    /// - Returns: whether the line is a header.
    mutating func takeHeader(_ line: UnsafeBufferPointer<UInt8>) -> Bool {
        if layout == .extended {
            let words = line.split { $0 == 32 || $0 == 9 }.map { String(decoding: $0, as: UTF8.self) }
            guard words.first?.lowercased() == "#fields:" else { return false }
            header = Array(words.dropFirst())
        } else {
            separator = CSVFields.separator(of: line)
            CSVFields.split(line, separator: separator, into: &cells)
            header = cells.map { $0.text(in: line) }
            width = header.count
        }
        let found = header.map { $0.lowercased() }
        columns = names.map { found.firstIndex(of: $0.lowercased()) }
        return true
    }

    /// Takes the fields of a line.
    ///
    /// - Returns: nil, or why the line is of another form.
    mutating func read(_ line: UnsafeBufferPointer<UInt8>) -> LineFault? {
        switch layout {
        case .json:
            return json.read(line, into: &fields)
                ? nil : LineFault(expected: "a JSON object", found: QuotedCut.text(line))
        case .template(let text):
            return template?.read(line, names: names, into: &fields) == true
                ? nil : LineFault(expected: "a line of the form \(text)", found: QuotedCut.text(line))
        case .pairs: return readPairs(line)
        case .table, .positions, .extended: return readCells(line)
        }
    }

    private mutating func readCells(_ line: UnsafeBufferPointer<UInt8>) -> LineFault? {
        if layout == .extended { separator = line.contains(9) ? 9 : 32 }
        CSVFields.split(line, separator: separator, into: &cells)
        if let unclosed { return unclosed }
        if width > 0 && cells.count != width {
            return LineFault(
                expected: "\(width) fields, as in the header",
                found: "\(cells.count)" + (cells.count > width ? "; a field with a comma needs double quotes" : ""))
        }
        for (index, column) in columns.enumerated() {
            fields[index] = column.flatMap { column in
                guard cells.indices.contains(column) else { return nil }
                let cell = cells[column]
                return LineField(range: cell.range, form: cell.isQuoted ? .quoted : .plain, column: cell.column)
            }
        }
        return nil
    }

    private mutating func readPairs(_ line: UnsafeBufferPointer<UInt8>) -> LineFault? {
        for index in fields.indices { fields[index] = nil }
        var (at, count) = (0, 0)
        while let equals = line[at...].firstIndex(of: UInt8(ascii: "=")) {
            let begin = line[at..<equals].lastIndex { $0 == 32 || $0 == 9 || $0 == 44 }.map { $0 + 1 } ?? at
            var field = LineField(range: (equals + 1)..<(equals + 1))
            if field.range.lowerBound < line.count, line[field.range.lowerBound] == UInt8(ascii: "\"") {
                var end = equals + 2
                while end < line.count, line[end] != UInt8(ascii: "\"") {
                    if line[end] == UInt8(ascii: "\\") {
                        field.form = .escaped
                        end += 1
                    }
                    end += 1
                }
                field.range = (equals + 2)..<max(equals + 2, min(end, line.count))
                at = min(end + 1, line.count)
            } else {
                let end = line[(equals + 1)...].firstIndex { $0 == 32 || $0 == 9 } ?? line.count
                field.range = (equals + 1)..<end
                at = end
            }
            count += 1
            for (index, name) in names.enumerated() where line[begin..<equals].elementsEqual(name.utf8) {
                if fields[index] == nil { fields[index] = field }
            }
        }
        return count >= 2 ? nil : LineFault(expected: "pairs as name=value", found: QuotedCut.text(line))
    }
}

/// A line in an error: quoted, and cut where it is long.
enum QuotedCut {
    static func text(_ bytes: some Collection<UInt8>) -> String {
        text(String(decoding: bytes.prefix(250), as: UTF8.self))
    }

    static func text(_ text: String) -> String {
        QuotedText.quoted(text.count > 60 ? String(text.prefix(60)) + "…" : text, escape: { _ in nil })
    }
}
