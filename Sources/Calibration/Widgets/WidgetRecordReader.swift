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
        try RecordLines.read(file: file, limit: limit) { line, _ in
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
    private let names: ColumnNames
    private var clock: RecordClock
    /// Nil before the first line, which shows the form.
    private var reader: FieldReader?
    private var faults: LineFaults
    private var people: [PersonSpans] = []
    private var indices: [String: Int] = [:]
    /// By person and name.
    private var widgets: [[String: Int32]] = []
    private var ignored: [String] = []
    private var line = 0
    private var rows = 0
    /// Whether the header lacks columns: no row can be read.
    private var isUnreadable = false

    var isHopeless: Bool { faults.isHopeless }

    init(file: String, zone: String?, _ names: ColumnNames) {
        faults = LineFaults(file: file)
        clock = RecordClock(zone: zone)
        self.names = names
    }

    private var wanted: String { names.columns.map(\.name).joined(separator: ",") }

    mutating func finish() throws(RecordProblems) -> WidgetRecord {
        try faults.check()
        if reader == nil {
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

    mutating func takeLine(_ row: UnsafeBufferPointer<UInt8>) {
        line += 1
        if isUnreadable || row.allSatisfy({ $0 == 32 || $0 == 9 }) { return }
        do throws(LineFault) {
            if reader == nil {
                let isObject = row.first == UInt8(ascii: "{")
                reader = FieldReader(isObject ? .json : .table, names: names.columns.map(\.name))
                if !isObject { return try takeHeader(row) }
            }
            try takeRow(row)
        } catch {
            faults.add(error, line: line)
        }
    }

    private mutating func takeHeader(_ row: UnsafeBufferPointer<UInt8>) throws(LineFault) {
        _ = reader?.takeHeader(row)
        let found = reader?.header ?? []
        isUnreadable = true
        for (role, name) in names.columns {
            let count = found.count { $0.lowercased() == name.lowercased() }
            if count > 1 { throw LineFault(expected: "one column '\(name)'", found: "several") }
            if count == 0 {
                let nearest = Nearest.name(to: name.lowercased(), among: found.map { $0.lowercased() })
                throw LineFault(
                    expected: "a header with the columns \(wanted), or JSON objects with these members",
                    found: "no '\(name)'"
                        + (nearest.map { "; is it '\($0)'? (--columns \(role)=\($0))" }
                            ?? "; --columns \(role)=… names it"))
            }
        }
        isUnreadable = false
        ignored = found.filter { name in
            !names.columns.contains { $0.name.lowercased() == name.lowercased() }
        }
    }

    private mutating func takeRow(_ row: UnsafeBufferPointer<UInt8>) throws(LineFault) {
        guard let fault = reader?.read(row) else {
            var values: [Value] = []
            for ((role, name), field) in zip(names.columns, reader?.fields ?? []) {
                guard let field else {
                    guard role == "clicked" else {
                        throw LineFault(
                            expected: "an object with `\(name)`", found: "one without (--columns \(role)=… names it)")
                    }
                    values.append(Value(text: "", column: 1))
                    continue
                }
                if field.form == .list && role != "clicked" {
                    throw LineFault(expected: "a text or number as `\(name)`", found: "another value")
                }
                values.append(Value(text: field.text(in: row), column: field.column))
            }
            return try add(values)
        }
        throw fault
    }

    // MARK: Rows

    private struct Value {
        var text: String
        var column: Int
        var quoted: String { QuotedCut.text(text) }
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
        guard end - start <= ResultLines.longest else {
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
        try clock.read(Array(value.text.utf8), column: value.column) { value.text }
    }

    /// Whether there is an identifier of a view among them; each is a whole number.
    private func isClicked(_ value: Value) throws(LineFault) -> Bool {
        let parts = value.text.split { " ,;|[]\"".contains($0) }
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
