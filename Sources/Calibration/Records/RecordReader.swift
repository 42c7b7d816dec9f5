import Basics
import Foundation
import ScenarioFiles

/// A record of what people's phones noted, read and found right row by row.
package struct ParsedRecord<Person: Sendable>: Sendable {
    package var people: [Person]
    package var rows: Int
    /// Rows that are known and yet left out, and those that are probably not meant; a sentence each.
    package var notes: [String]
    /// Whether it has counts by the hour and no single events.
    package var isByHour = false
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
}

extension RecordProblems {
    /// One problem of a whole file, or of a line.
    init(_ file: String, line: Int = 0, expected: String, found: String, isMissingInput: Bool = false) {
        self.init(
            problems: [
                ScenarioProblem(file: file, line: line, column: min(1, line), expected: expected, found: found)
            ], count: 1, isMissingInput: isMissingInput)
    }
}

/// Reads records with the columns or members `person`, `time` and `event` (`calibrate`).
///
/// The file is read in pieces and its text is not kept, so that tens of millions of rows fit in memory: 16 bytes a row.
package enum RecordReader {
    /// - Parameters:
    ///   - zone: the zone whose clock people live by; without it, each time's own offset is their clock's.
    ///   - columns: the names of the columns.
    ///   - events: other words for events, by their own.
    package static func read(
        _ source: RecordSource, zone: String? = nil, columns: ColumnNames = .ofRecord, events: [String: String] = [:]
    ) throws(RecordProblems) -> ParsedRecord<RecordedPerson> {
        let buckets = ForeignRecord.Buckets()
        return try RecordAssembly(file: source.name, zone: zone, columns: columns, events: events, buckets: buckets)
            .read(source) { ForeignRecord.lines(ofActivityWatch: $0, $1, columns, buckets) }
    }

    /// A size such as `8GB` in bytes; nil for anything else, for none, and for more than any machine has.
    package static func limit(_ text: String) -> Int? {
        guard let bytes = ScalarText.quantity(text, in: UnitTable.sizes), (1...1_000_000_000_000_000).contains(bytes)
        else { return nil }
        return Int(bytes)
    }

    /// A sentence on a zone that the zone database does not know; nil for one that it knows.
    package static func unknownZone(_ name: String) -> String? {
        ZoneNames.contains(name)
            ? nil
            : "no zone is called '\(name)'" + (ZoneNames.nearest(to: name).map { "; did you mean '\($0)'?" } ?? ".")
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
private struct RecordAssembly: LineAssembly {
    private var clock: RecordClock
    private var table: RecordTable
    private var people: [RecordedPerson] = []
    private var indices: [String: Int] = [:]
    /// The person of the last row, since rows mostly come person by person.
    private var last: (bytes: [UInt8], index: Int) = ([], -1)
    private var leftOut: [String: Int] = [:]
    /// Other words for events.
    private let events: [String: String]
    /// The last unlock of each person, and how many came within a second of it: some systems tell one in two events.
    private var lastUnlocks: [Int: Int64] = [:]
    private var toldTwice = 0
    private let columns: ColumnNames
    /// Those of ActivityWatch that have no unlocks.
    private let buckets: ForeignRecord.Buckets
    /// Whether the first lines have told which program's record it is.
    private var isDecided = false
    private var first: [(bytes: [UInt8], number: Int)] = []
    private var hourCounts: HourCounts?
    private var isUsageStats = false
    private var unlocks = 0
    private var otherRows = 0
    private var repeated = RepeatedEvents()

    /// So many lines may come before the first event of Android's own list.
    private static let mostBefore = 5_000

    init(
        file: String, zone: String?, columns: ColumnNames, events: [String: String], buckets: ForeignRecord.Buckets
    ) {
        self.events = events
        self.columns = columns
        self.buckets = buckets
        table = RecordTable(file: file, columns)
        clock = RecordClock(zone: zone)
    }

    /// Takes the lines that did not tell another program's record.
    private mutating func takeFirst() {
        isDecided = true
        let lines = first
        first = []
        for (bytes, number) in lines { bytes.withUnsafeBufferPointer { takeLine($0, number) } }
    }

    mutating func finish() throws(RecordProblems) -> ParsedRecord<RecordedPerson> {
        if !isDecided { takeFirst() }
        // The local clock shows the same in both passes.
        repeated.forEachOfSecond { person, place, shift in
            people[person].events[place].unix += shift
            people[person].events[place].offset -= Int32(shift / 1_000_000)
        }
        if !buckets.others.isEmpty && people.isEmpty {
            var faults = LineFaults(file: table.faults.file)
            try faults.fail(
                LineFault(
                    expected:
                        "a bucket of unlocks in the export of ActivityWatch, as aw-watcher-android-unlock writes it",
                    found: buckets.others.sorted().prefix(5).joined(separator: ", ")))
        }
        if hourCounts != nil || isUsageStats {
            try table.faults.check()
            return foreign()
        }
        try table.check()
        var notes = table.notes
        let events = RecordReader.leftOut.compactMap { name in leftOut[name].map { "\($0) \(name)" } }
        if !events.isEmpty { notes.append("left out: " + events.joined(separator: ", ")) }
        if toldTwice > 0 {
            notes.append("\(FigureText.counted(toldTwice, "unlock")) within a second of the one before left out")
        }
        if let note = clock.note { notes.append(note) }
        notes += bucketNotes
        return ParsedRecord(people: people, rows: table.rows, notes: notes)
    }

    private var bucketNotes: [String] {
        buckets.others.isEmpty ? [] : ["left out: the buckets " + buckets.others.sorted().joined(separator: ", ")]
    }

    /// The record of another program.
    private func foreign() -> ParsedRecord<RecordedPerson> {
        var notes: [String] = []
        if let hourCounts {
            notes.append(
                "pickups by the hour: nights and days are told to half an hour, and what lies between two pickups is not known"
            )
            if !hourCounts.ignored.isEmpty {
                notes.append("left out: the columns \(hourCounts.ignored.joined(separator: ", "))")
            }
        } else {
            notes.append(
                "Android's usage events: KEYGUARD_HIDDEN is an unlock and KEYGUARD_SHOWN a lock, of one person; \(FigureText.counted(otherRows, "other line")) left out"
            )
        }
        if let note = clock.note { notes.append(note) }
        return ParsedRecord(people: people, rows: unlocks, notes: notes, isByHour: hourCounts != nil)
    }

    mutating func take(_ line: UnsafeBufferPointer<UInt8>, _ number: Int) -> Bool {
        if !isDecided {
            if line.allSatisfy({ $0 == 32 || $0 == 9 }) { return true }
            if first.isEmpty, let counts = HourCounts(line, columns) {
                (hourCounts, isDecided) = (counts, true)
                return true
            }
            if !columns.areStated, ForeignRecord.line(ofUsageStats: line) != nil {
                (isUsageStats, isDecided) = (true, true)
                otherRows += first.count
                first = []
            } else {
                first.append((Array(line), number))
                // A table's header has a separator, and lists of Android begin with words.
                let isTable = first[0].bytes.contains { ",;\t{".utf8.contains($0) }
                if isTable || first.count >= Self.mostBefore || columns.areStated { takeFirst() }
                return !table.faults.isHopeless
            }
        }
        takeLine(line, number)
        return !table.faults.isHopeless
    }

    /// Unlocks of a row of another program's record.
    private mutating func takeForeign(_ line: UnsafeBufferPointer<UInt8>, _ number: Int) throws(LineFault) {
        if line.allSatisfy({ $0 == 32 || $0 == 9 }) { return }
        if isUsageStats {
            guard let (time, event) = ForeignRecord.line(ofUsageStats: line) else {
                otherRows += 1
                return
            }
            let (unix, offset) = try clock.read(Array(time.utf8), column: 1) { time }
            unlocks += 1
            append(RecordedEvent(unix: unix, offset: offset, kind: Self.kinds[event]!), to: person("one"))
            return
        }
        for row in try hourCounts?.rows(line) ?? [] {
            let (unix, offset) = try clock.read(Array(row.time.utf8), column: 1) { row.time }
            unlocks += row.count
            let place = person(row.person)
            // Evenly over the hour: where in it they were is not known.
            let hour: Int64 = 3_600_000_000
            for index in 0..<Int64(row.count) {
                let at = unix + (2 * index + 1) * hour / (2 * Int64(row.count))
                people[place].events.append(RecordedEvent(unix: at, offset: offset, kind: .unlock))
            }
        }
    }

    private mutating func person(_ name: String) -> Int {
        if let known = indices[name] { return known }
        indices[name] = people.count
        people.append(RecordedPerson(name: name))
        return people.count - 1
    }

    private mutating func takeLine(_ row: UnsafeBufferPointer<UInt8>, _ number: Int) {
        if hourCounts != nil || isUsageStats {
            do throws(LineFault) { try takeForeign(row, number) } catch { table.refuse(error, line: number) }
            return
        }
        guard table.take(row) else { return }
        let before = table.faults.count
        let kind = kind(row, table.fields[2])
        let time = time(row, table.fields[1])
        let person = person(row, table.fields[0])
        guard before == table.faults.count, let kind, let (unix, offset) = time, let person else { return }
        if kind == .unlock {
            let isTwice = (unix - lastUnlocks[person, default: .min / 2]).magnitude <= 1_000_000
            lastUnlocks[person] = unix
            if isTwice {
                toldTwice += 1
                return
            }
        }
        append(RecordedEvent(unix: unix, offset: offset, kind: kind), to: person)
    }

    private mutating func append(_ event: RecordedEvent, to person: Int) {
        repeated.take(person, at: people[person].events.count, unix: event.unix, laterBy: clock.laterBy)
        people[person].events.append(event)
    }

    // MARK: Fields

    /// By the names of their cases.
    fileprivate static let kinds = Dictionary(
        uniqueKeysWithValues: RecordedEvent.Kind.allCases.map { ("\($0)", $0) } + [(EventWords.unlock.alias, .unlock)])

    private mutating func kind(_ row: UnsafeBufferPointer<UInt8>, _ field: LineField) -> RecordedEvent.Kind? {
        let word = field.text(in: row)
        let text = events[word] ?? word
        if let kind = Self.kinds[text] { return kind }
        if RecordReader.leftOut.contains(text) {
            leftOut[text, default: 0] += 1
            return nil
        }
        let known = RecordedEvent.Kind.allCases.map { "\($0)" } + RecordReader.leftOut
        table.refuse(
            LineFault(
                column: field.column,
                expected: "unlock, lock, glance, view, wake or sleep (--events \(text)=… maps another word)",
                found: RawNode.quoted(text)),
            nearest: Nearest.name(to: text, among: known))
        return nil
    }

    private mutating func time(_ row: UnsafeBufferPointer<UInt8>, _ field: LineField) -> (
        unix: Int64, offset: Int32
    )? {
        do throws(LineFault) {
            return try clock.read(UnsafeBufferPointer(rebasing: row[field.range]), column: field.column) {
                field.text(in: row)
            }
        } catch {
            table.refuse(error)
            return nil
        }
    }

    private mutating func person(_ row: UnsafeBufferPointer<UInt8>, _ field: LineField) -> Int? {
        let bytes = row[field.range]
        if last.index >= 0, bytes.elementsEqual(last.bytes) { return last.index }
        guard !field.range.isEmpty, String(validating: bytes, as: UTF8.self) != nil else {
            table.refuse(
                LineFault(
                    column: field.column, expected: "the name or number of a person",
                    found: field.range.isEmpty ? "nothing" : "bytes that are no UTF-8"))
            return nil
        }
        let name = field.text(in: row)
        let index = indices[name] ?? people.count
        if index == people.count {
            indices[name] = index
            people.append(RecordedPerson(name: name))
        }
        last = (Array(bytes), index)
        return index
    }
}
