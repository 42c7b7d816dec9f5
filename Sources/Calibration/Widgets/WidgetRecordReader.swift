import Basics
import Foundation
import ScenarioFiles

/// Reads what apps export of Android's `AppWidgetEvent`s (`calibrate --widgets`): CSV under a header, or an object of
/// JSON a line, with the same names for columns and members.
package enum WidgetRecordReader {
    /// - Parameters:
    ///   - zone: the zone whose clock people live by; without it, each time's own offset is their clock's.
    ///   - columns: the names of the columns, or of the members.
    package static func read(
        _ source: RecordSource, zone: String? = nil, columns: ColumnNames = .ofWidgets
    ) throws(RecordProblems) -> ParsedRecord<PersonSpans> {
        try WidgetRecordAssembly(file: source.name, zone: zone, columns).read(source)
    }
}

/// Makes a record of widgets of its lines.
private struct WidgetRecordAssembly: LineAssembly {
    private var clock: RecordClock
    private var table: RecordTable
    private var people: [PersonSpans] = []
    private var indices: [String: Int] = [:]
    /// By person and name.
    private var widgets: [[String: Int32]] = []
    private var repeated = RepeatedEvents()

    init(file: String, zone: String?, _ names: ColumnNames) {
        table = RecordTable(file: file, names, optional: "clicked")
        clock = RecordClock(zone: zone)
    }

    mutating func finish() throws(RecordProblems) -> ParsedRecord<PersonSpans> {
        try table.check()
        repeated.forEachOfSecond { person, place, shift in
            people[person].spans[place].start += shift
            people[person].spans[place].offset -= Int32(shift / 1_000_000)
            // An end in the hour is of the same pass.
            if people[person].spans[place].end < people[person].spans[place].start {
                people[person].spans[place].end += shift
            }
        }
        return ParsedRecord(
            people: people, rows: table.rows, notes: table.notes + (clock.note.map { [$0] } ?? []))
    }

    mutating func take(_ line: UnsafeBufferPointer<UInt8>, _ number: Int) -> Bool {
        do throws(LineFault) {
            if table.take(line) { try add(table.fields.map { Value(text: $0.text(in: line), column: $0.column) }) }
        } catch {
            table.refuse(error)
        }
        return !table.faults.isHopeless
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
        let laterBy = clock.laterBy
        var (end, _) = try time(values[3])
        // It begins in the first pass of an hour that comes twice, and ends in the second.
        if start > end, laterBy != nil, let shift = clock.laterBy { end += shift }
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
        keep(span, of: person.text, widget.text, laterBy: laterBy)
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

    private mutating func keep(_ span: WidgetSpan, of person: String, _ widget: String, laterBy: Int64?) {
        let index = indices[person] ?? people.count
        if index == people.count {
            indices[person] = index
            people.append(PersonSpans(name: person))
            widgets.append([:])
        }
        var span = span
        span.widget = widgets[index][widget] ?? Int32(widgets[index].count)
        widgets[index][widget] = span.widget
        repeated.take(index, at: people[index].spans.count, unix: span.start, laterBy: laterBy)
        people[index].spans.append(span)
    }
}
