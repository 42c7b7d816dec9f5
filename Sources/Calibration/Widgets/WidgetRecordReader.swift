import Basics
import Foundation
import ScenarioFiles

/// Reads what apps export of Android's `AppWidgetEvent`s (`calibrate --widgets`): CSV under a header, or an object of
/// JSON a line, with the same names for columns and members.
package enum WidgetRecordReader {
    /// - Parameters:
    ///   - file: a path, or `-` for standard input.
    ///   - zone: the zone whose clock people live by; without it, each time's own offset is their clock's.
    ///   - limit: bytes; a record with more is refused.
    ///   - columns: the names of the columns, or of the members.
    package static func read(
        file: String, zone: String? = nil, limit: Int = RecordLines.usualLimit, columns: ColumnNames = .ofWidgets
    ) throws(RecordProblems) -> WidgetRecord {
        var assembly = WidgetRecordAssembly(file: file == "-" ? "stdin" : file, zone: zone, columns)
        try RecordLines.read(file: file, limit: limit, content: "a record of widgets as CSV or JSON lines") { line, _ in
            assembly.takeLine(line)
            return !assembly.isHopeless
        }
        return try assembly.finish()
    }

    package static func read(
        text: String, file: String = "widgets.csv", zone: String? = nil, columns: ColumnNames = .ofWidgets
    ) throws(RecordProblems) -> WidgetRecord {
        var assembly = WidgetRecordAssembly(file: file, zone: zone, columns)
        try RecordLines.split(Array(text.utf8), file: file) { line, _ in
            assembly.takeLine(line)
            return true
        }
        return try assembly.finish()
    }
}

/// Makes a record of widgets of its lines.
private struct WidgetRecordAssembly {
    /// The form that the first line shows.
    private enum Form {
        case unknown
        case json
        /// The places of the columns, in the order of their names.
        case csv(places: [Int], width: Int)
        /// CSV without the columns: no row can be read.
        case unreadable
    }

    private let names: ColumnNames
    private var clock: RecordClock
    private var form = Form.unknown
    private var faults: LineFaults
    private var people: [PersonSpans] = []
    private var indices: [String: Int] = [:]
    /// By person and name.
    private var widgets: [[String: Int32]] = []
    private var ignored: [String] = []
    private var line = 0
    private var rows = 0
    private var fields: [CSVFields.Field] = []

    var isHopeless: Bool { faults.isHopeless }

    init(file: String, zone: String?, _ names: ColumnNames) {
        faults = LineFaults(file: file)
        clock = RecordClock(zone: zone)
        self.names = names
    }

    private var wanted: String { names.columns.map(\.name).joined(separator: ",") }

    mutating func finish() throws(RecordProblems) -> WidgetRecord {
        try faults.check()
        if case .unknown = form {
            try faults.fail(
                LineFault(
                    expected: "a header with the columns \(wanted), or JSON objects with these members",
                    found: "an empty file"))
        }
        if rows == 0 { try faults.fail(LineFault(expected: "rows below the header", found: "none")) }
        var notes: [String] = []
        if !ignored.isEmpty {
            notes.append("left out: the column\(ignored.count == 1 ? "" : "s") \(ignored.joined(separator: ", "))")
        }
        if let note = clock.note { notes.append(note) }
        return WidgetRecord(people: people, rows: rows, notes: notes)
    }

    mutating func takeLine(_ bytes: UnsafeBufferPointer<UInt8>) {
        line += 1
        var bytes = bytes[...]
        if bytes.last == 13 { bytes = bytes.dropLast() }
        if line == 1, bytes.starts(with: [0xEF, 0xBB, 0xBF]) { bytes = bytes.dropFirst(3) }
        if bytes.allSatisfy({ $0 == 32 || $0 == 9 }) { return }
        let row = UnsafeBufferPointer(rebasing: bytes)
        do throws(LineFault) {
            switch form {
            case .unreadable: break
            case .json: try takeObject(row)
            case .csv(let places, let width): try takeRow(row, places, width: width)
            case .unknown:
                if row.first == UInt8(ascii: "{") {
                    form = .json
                    try takeObject(row)
                } else {
                    form = .unreadable
                    try takeHeader(row)
                }
            }
        } catch {
            faults.add(error, line: line)
        }
    }

    // MARK: CSV

    private mutating func takeHeader(_ row: UnsafeBufferPointer<UInt8>) throws(LineFault) {
        CSVFields.split(row, into: &fields)
        let texts = fields.map { $0.text(in: row) }
        let found = texts.map { $0.lowercased() }
        var places: [Int] = []
        for (role, name) in names.columns {
            if found.count(where: { $0 == name.lowercased() }) > 1 {
                throw LineFault(expected: "one column '\(name)'", found: "several")
            }
            guard let place = found.firstIndex(of: name.lowercased()) else {
                let nearest = Nearest.name(to: name.lowercased(), among: found)
                throw LineFault(
                    expected: "a header with the columns \(wanted), or JSON objects with these members",
                    found: "no '\(name)'"
                        + (nearest.map { "; is it '\($0)'? (--columns \(role)=\($0))" }
                            ?? "; --columns \(role)=… names it"))
            }
            places.append(place)
        }
        ignored = texts.indices.filter { !places.contains($0) }.map { texts[$0] }
        form = .csv(places: places, width: texts.count)
    }

    private mutating func takeRow(_ row: UnsafeBufferPointer<UInt8>, _ places: [Int], width: Int) throws(LineFault) {
        CSVFields.split(row, into: &fields)
        if let last = fields.last, last.isUnclosed {
            throw LineFault(
                column: last.column, expected: "a closing quote before the end of the line",
                found: "only the opening one")
        }
        guard fields.count == width else {
            throw LineFault(
                expected: "\(width) fields, as in the header",
                found: "\(fields.count)" + (fields.count > width ? "; a field with a comma needs double quotes" : ""))
        }
        try add(places.map { Value(text: fields[$0].text(in: row), column: fields[$0].column) })
    }

    // MARK: JSON lines

    private mutating func takeObject(_ row: UnsafeBufferPointer<UInt8>) throws(LineFault) {
        let object = try JSONLine(row)
        var values: [Value] = []
        for (role, name) in names.columns {
            switch object[name] {
            case let text as String: values.append(Value(text: text, column: 1))
            case let list as [Any] where role == "clicked":
                values.append(Value(text: list.map { "\($0)" }.joined(separator: " "), column: 1))
            case is NSNull where role == "clicked": values.append(Value(text: "", column: 1))
            case let number as NSNumber: values.append(Value(text: "\(number)", column: 1))
            case nil where role == "clicked": values.append(Value(text: "", column: 1))
            case nil:
                throw LineFault(
                    expected: "an object with `\(name)`", found: "one without (--columns \(role)=… names it)")
            default: throw LineFault(expected: "a text or number as `\(name)`", found: "another value")
            }
        }
        try add(values)
    }

    // MARK: Rows

    private struct Value {
        var text: String
        var column: Int
        var quoted: String { ResultForm.quotedCut(text) }
    }

    /// - Parameter values: by the order of the columns' names.
    private mutating func add(_ values: [Value]) throws(LineFault) {
        rows += 1
        let (person, widget) = (values[0], values[1])
        for (value, what) in [(person, "a person"), (widget, "a widget")] where value.text.isEmpty {
            throw LineFault(column: value.column, expected: "the name or number of \(what)", found: "nothing")
        }
        let (start, offset) = try time(values[2])
        let (end, _) = try time(values[3])
        guard start <= end else {
            throw LineFault(
                column: values[3].column, expected: "an end that is not before its start", found: values[3].quoted)
        }
        guard end - start <= Stamp.longest else {
            throw LineFault(
                column: values[3].column, expected: "an end within a day of its start", found: values[3].quoted)
        }
        guard let milliseconds = Double(values[4].text), milliseconds >= 0 else {
            throw LineFault(
                column: values[4].column, expected: "the visible time in milliseconds, 0 or more",
                found: values[4].quoted)
        }
        // Both times are cut to milliseconds, each by itself.
        guard milliseconds * 1_000 <= Double(end - start) + 2_000 else {
            throw LineFault(
                column: values[4].column,
                expected: "a visible time of at most \((end - start) / 1_000) ms, from start to end",
                found: values[4].quoted)
        }
        let span = WidgetSpan(
            start: start, end: end, offset: offset, widget: 0,
            visible: Int64(cutting: (milliseconds * 1_000).rounded()),
            isClicked: try isClicked(values[5]))
        keep(span, of: person.text, widget.text)
    }

    private mutating func time(_ value: Value) throws(LineFault) -> (unix: Int64, offset: Int32) {
        try clock.read(Array(Stamp.toMicroseconds(value.text).utf8), column: value.column) { value.text }
    }

    /// Whether there is an identifier of a view among them; each is a whole number.
    private func isClicked(_ value: Value) throws(LineFault) -> Bool {
        let parts = value.text.split { " ;|[]".contains($0) }
        for part in parts where Int64(part) == nil {
            throw LineFault(
                column: value.column,
                expected: "identifiers of views, whole numbers with blanks between them, or nothing",
                found: value.quoted)
        }
        return !parts.isEmpty
    }

    private mutating func keep(_ span: WidgetSpan, of person: String, _ widget: String) {
        let index = indices[person] ?? people.count
        if index == people.count {
            indices[person] = index
            people.append(PersonSpans(name: person))
            widgets.append([:])
        }
        var span = span
        span.widget = widgets[index][widget] ?? Int32(widgets[index].count)
        widgets[index][widget] = span.widget
        people[index].spans.append(span)
    }
}
