import Basics
import Foundation
import ScenarioFiles

/// A record of what people's phones noted, read and found right row by row.
package struct ParsedRecord: Sendable {
    package var people: [RecordedPerson]
    package var rows: Int
    /// Rows that are known and yet left out, and those that are probably not meant; a sentence each.
    package var notes: [String]
}

/// All problems of a record's rows, the first ones with their places.
package struct RecordProblems: Error, Sendable {
    package static let mostShown = 20

    /// At most `mostShown`, in the order of the file.
    package let problems: [ScenarioProblem]
    /// How many there are.
    package let count: Int
    /// Whether the record could not be read at all.
    package let isMissingInput: Bool
    /// Whether the record was read to its end; one with very many problems is not.
    package var isComplete = true

    package init(problems: [ScenarioProblem], count: Int, isMissingInput: Bool, isComplete: Bool = true) {
        (self.problems, self.count, self.isMissingInput, self.isComplete) = (
            problems, count, isMissingInput, isComplete
        )
    }

    /// One problem of a whole file, or of a line.
    init(_ file: String, line: Int = 0, expected: String, found: String, isMissingInput: Bool = false) {
        self.init(
            problems: [
                ScenarioProblem(file: file, line: line, column: min(1, line), expected: expected, found: found)
            ], count: 1, isMissingInput: isMissingInput)
    }
}

/// Reads records: CSV with the columns `person`, `time` and `event` under a header; other columns are left out
/// (`calibrate`).
///
/// The file is read in pieces and its text is not kept, so that tens of millions of rows fit in memory: 16 bytes a row.
package enum RecordReader {
    /// - Parameters:
    ///   - file: a path, or `-` for standard input.
    ///   - zone: the zone whose clock people live by; without it, each time's own offset is their clock's.
    ///   - limit: bytes; a record with more is refused, since what never ends would fill the memory.
    ///   - columns: the names of the columns.
    ///   - events: other words for events, by their own.
    package static func read(
        file: String, zone: String? = nil, limit: Int = usualLimit, columns: ColumnNames = .ofRecord,
        events: [String: String] = [:]
    ) throws(RecordProblems) -> ParsedRecord {
        var assembly = RecordAssembly(file: file == "-" ? "stdin" : file, zone: zone, columns: columns, events: events)
        // A file with very many faults is no record, and need not have an end.
        try RecordLines.read(file: file, limit: limit) { line, _ in
            assembly.takeLine(line)
            return !assembly.isHopeless
        }
        return try assembly.finish()
    }

    package static var usualLimit: Int { RecordLines.usualLimit }

    /// A size such as `8GB` in bytes; nil for anything else, for none, and for more than any machine has.
    package static func limit(_ text: String) -> Int? {
        guard let bytes = ScalarText.quantity(text, in: UnitTable.sizes), (1...1_000_000_000_000_000).contains(bytes)
        else { return nil }
        return Int(bytes)
    }

    package static func read(
        text: String, file: String = "events.csv", zone: String? = nil, columns: ColumnNames = .ofRecord,
        events: [String: String] = [:]
    )
        throws(RecordProblems) -> ParsedRecord
    {
        var assembly = RecordAssembly(file: file, zone: zone, columns: columns, events: events)
        try RecordLines.split(Array(text.utf8), file: file) { line, _ in
            assembly.takeLine(line)
            return true
        }
        return try assembly.finish()
    }

    /// Whether the zone database knows a zone, and the nearest name if not.
    package static func checkZone(_ name: String) -> (isKnown: Bool, nearest: String?) {
        ZoneNames.contains(name) ? (true, nil) : (false, ZoneNames.nearest(to: name))
    }

    /// Words for events as `KEYGUARD_HIDDEN=unlock` states them; nil for a text of another form.
    package static func events(_ text: String) -> [String: String]? {
        var words: [String: String] = [:]
        for part in text.split(separator: ",", omittingEmptySubsequences: false) {
            let sides = part.split(separator: "=", omittingEmptySubsequences: false).map(String.init)
            guard sides.count == 2, !sides[0].isEmpty, words[sides[0]] == nil,
                RecordAssembly.kinds[sides[1]] != nil || leftOut.contains(sides[1])
            else { return nil }
            words[sides[0]] = sides[1]
        }
        return words
    }

    /// The events that a record may have beside those that are fitted: what people do, and no habit of their phone.
    static let leftOut = EventWords.ofWays
}

/// Makes a record of the pieces of a file.
struct RecordAssembly {
    private var clock: RecordClock
    private let names: ColumnNames
    private var people: [RecordedPerson] = []
    private var indices: [String: Int] = [:]
    /// The person of the last row, since rows mostly come person by person.
    private var last: (bytes: [UInt8], index: Int) = ([], -1)
    private var columns: (person: Int, time: Int, event: Int)?
    private var width = 0
    private var separator = UInt8(ascii: ",")
    private var ignoredColumns: [String] = []
    private var leftOut: [String: Int] = [:]
    /// Other words for events.
    private let events: [String: String]
    /// The last unlock of each person, and how many came within a second of it: some systems tell one in two events.
    private var lastUnlocks: [Int: Int64] = [:]
    private var toldTwice = 0
    private var faults: LineFaults
    private var line = 0
    private var rows = 0
    private var fields: [CSVFields.Field] = []
    var isHopeless: Bool { faults.isHopeless }

    init(file: String, zone: String?, columns: ColumnNames, events: [String: String]) {
        self.events = events
        faults = LineFaults(file: file)
        names = columns
        clock = RecordClock(zone: zone)
    }

    mutating func finish() throws(RecordProblems) -> ParsedRecord {
        try faults.check()
        line = 0
        if columns == nil {
            refuse(0, expected: "a header with the columns \(wantedColumns)", found: "an empty file")
        } else if rows == 0 {
            refuse(0, expected: "rows below the header", found: "none")
        }
        try faults.check()
        var notes: [String] = []
        if !ignoredColumns.isEmpty {
            notes.append(
                "left out: the column\(ignoredColumns.count == 1 ? "" : "s") \(ignoredColumns.joined(separator: ", "))")
        }
        let events = RecordReader.leftOut.compactMap { name in leftOut[name].map { "\($0) \(name)" } }
        if !events.isEmpty { notes.append("left out: " + events.joined(separator: ", ")) }
        if toldTwice > 0 {
            notes.append("\(FigureText.counted(toldTwice, "unlock")) within a second of the one before left out")
        }
        if let note = clock.note, rows > 0 { notes.append(note) }
        return ParsedRecord(people: people, rows: rows, notes: notes)
    }

    // MARK: Lines

    mutating func takeLine(_ row: UnsafeBufferPointer<UInt8>) {
        line += 1
        if row.allSatisfy({ $0 == 32 || $0 == 9 }) { return }
        if columns == nil { separator = CSVFields.separator(of: row) }
        CSVFields.split(row, separator: separator, into: &fields)
        if let last = fields.last, last.isUnclosed {
            refuse(last.column, expected: "a closing quote before the end of the line", found: "only the opening one")
            if columns == nil { columns = (-1, -1, -1) }
            return
        }
        guard let columns else {
            takeHeader(row)
            return
        }
        // Without its columns no row can be read.
        if columns.person < 0 { return }
        rows += 1
        guard fields.count == width else {
            refuse(
                1, expected: "\(width) fields, as in the header", found: "\(fields.count)",
                hint: fields.count > width ? "; a field with a comma needs double quotes" : "")
            return
        }
        let before = faults.count
        let kind = kind(row, fields[columns.event])
        let time = time(row, fields[columns.time])
        let person = person(row, fields[columns.person])
        guard before == faults.count, let kind, let (unix, offset) = time, let person else { return }
        if kind == .unlock {
            let isTwice = (unix - lastUnlocks[person, default: .min / 2]).magnitude <= 1_000_000
            lastUnlocks[person] = unix
            if isTwice {
                toldTwice += 1
                return
            }
        }
        people[person].events.append(RecordedEvent(unix: unix, offset: offset, kind: kind))
    }

    private var wantedColumns: String { names.columns.map(\.name).joined(separator: ",") }

    private mutating func takeHeader(_ row: UnsafeBufferPointer<UInt8>) {
        let texts = fields.map { $0.text(in: row) }
        let found = texts.map { $0.lowercased() }
        width = found.count
        func index(_ role: String) -> Int? { found.firstIndex(of: names[role].lowercased()) }
        for (role, name) in names.columns {
            if found.count(where: { $0 == name.lowercased() }) > 1 {
                refuse(1, expected: "one column '\(name)'", found: "several")
            }
            if index(role) == nil {
                let nearest = Nearest.name(to: name.lowercased(), among: found).flatMap { found.firstIndex(of: $0) }.map
                { texts[$0] }
                refuse(
                    1, expected: "a header with the columns \(wantedColumns)", found: "no '\(name)'",
                    hint: nearest.map { "; is it '\($0)'? (--columns \(role)=\($0))" }
                        ?? (texts.isEmpty ? "" : "; --columns \(role)=… names it"))
            }
        }
        ignoredColumns = found.filter { name in !names.columns.contains { $0.name.lowercased() == name } }
        columns = faults.count > 0 ? (-1, -1, -1) : (index("person")!, index("time")!, index("event")!)
    }

    // MARK: Fields

    /// By the names of their cases.
    fileprivate static let kinds = Dictionary(
        uniqueKeysWithValues: RecordedEvent.Kind.allCases.map { ("\($0)", $0) } + [(EventWords.unlock.alias, .unlock)])

    private mutating func kind(_ row: UnsafeBufferPointer<UInt8>, _ field: CSVFields.Field) -> RecordedEvent.Kind? {
        let word = field.text(in: row)
        let text = events[word] ?? word
        if let kind = Self.kinds[text] { return kind }
        if RecordReader.leftOut.contains(text) {
            leftOut[text, default: 0] += 1
            return nil
        }
        let known = RecordedEvent.Kind.allCases.map { "\($0)" } + RecordReader.leftOut
        refuse(
            field.column, expected: "unlock, lock, glance, view, wake or sleep (--events \(text)=… maps another word)",
            found: RawNode.quoted(text),
            nearest: Nearest.name(to: text, among: known))
        return nil
    }

    private mutating func time(_ row: UnsafeBufferPointer<UInt8>, _ field: CSVFields.Field) -> (
        unix: Int64, offset: Int32
    )? {
        do throws(LineFault) {
            return try clock.read(UnsafeBufferPointer(rebasing: row[field.range]), column: field.column) {
                field.text(in: row)
            }
        } catch {
            faults.add(error, line: line)
            return nil
        }
    }

    private mutating func person(_ row: UnsafeBufferPointer<UInt8>, _ field: CSVFields.Field) -> Int? {
        let bytes = row[field.range]
        if last.index >= 0, bytes.elementsEqual(last.bytes) { return last.index }
        guard !field.range.isEmpty, String(validating: bytes, as: UTF8.self) != nil else {
            refuse(
                field.column, expected: "the name or number of a person",
                found: field.range.isEmpty ? "nothing" : "bytes that are no UTF-8"
            )
            return nil
        }
        let name = field.text(in: row)
        let index: Int
        if let known = indices[name] {
            index = known
        } else {
            index = people.count
            indices[name] = index
            people.append(RecordedPerson(name: name))
        }
        last = (Array(bytes), index)
        return index
    }

    private mutating func refuse(
        _ column: Int, expected: String, found: String, nearest: @autoclosure () -> String? = nil, hint: String = ""
    ) {
        faults.add(LineFault(column: column, expected: expected, found: found + hint), line: line, nearest: nearest())
    }
}
