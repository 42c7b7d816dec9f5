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
    private var clock: RecordClock
    private var table: RecordTable
    private var people: [PersonSpans] = []
    private var indices: [String: Int] = [:]
    /// By person and name.
    private var widgets: [[String: Int32]] = []

    var isHopeless: Bool { table.faults.isHopeless }

    init(file: String, zone: String?, _ names: ColumnNames) {
        table = RecordTable(file: file, names, optional: "clicked")
        clock = RecordClock(zone: zone)
    }

    mutating func finish() throws(RecordProblems) -> WidgetRecord {
        try table.check()
        return WidgetRecord(
            people: people, rows: table.rows, notes: table.notes + (clock.note.map { [$0] } ?? []))
    }

    mutating func takeLine(_ row: UnsafeBufferPointer<UInt8>) {
        guard table.take(row) else { return }
        do throws(LineFault) {
            try add(table.fields.map { Value(text: $0.text(in: row), column: $0.column) })
        } catch {
            table.refuse(error)
        }
    }

    // MARK: Rows

    private struct Value {
        var text: String
        var column: Int
        var quoted: String { QuotedCut.text(text) }
    }

    /// - Parameter values: by the order of the columns' names.
    private mutating func add(_ values: [Value]) throws(LineFault) {
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
