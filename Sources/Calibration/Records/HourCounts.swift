import Basics
import ScenarioFiles

/// The rows of a table of pickups by the hour, as Screen Time, Digital Wellbeing and dashboards give them: a date and
/// an hour, or a time, and a number; or a date and 24 numbers.
struct HourCounts {
    /// So many unlocks in the hour from a local time on.
    struct Row {
        var person: String
        /// A date-time as the clock reads it.
        var time: String
        var count: Int
    }

    private static let dates = ["date", "day", "datum"]
    private static let times = ["time", "timestamp", "datetime", "start"]
    private static let hours = ["hour", "stunde", "time of day"]
    private static let counts = ["pickups", "unlocks", "pick-ups", "phone unlocks", "number of pickups", "count"]

    private var reader = FieldReader(.table, names: [])
    private var date: Int?
    private var hour: Int?
    private var person: Int?
    /// One column, or those of the hours 0 to 23.
    private var values: [Int] = []
    /// Columns that are not read.
    let ignored: [String]

    /// - Returns: nil for a header of something else.
    init?(_ line: UnsafeBufferPointer<UInt8>, _ names: ColumnNames) {
        guard line.first != UInt8(ascii: "{") else { return nil }
        var header = FieldReader(.table, names: [])
        _ = header.takeHeader(line)
        let found = header.header.map { $0.lowercased() }
        func place(_ known: [String], stated role: String) -> Int? {
            if names.isStated(role) { return found.firstIndex(of: names[role].lowercased()) }
            return known.lazy.compactMap { found.firstIndex(of: $0) }.first
        }
        if found.contains(names["event"].lowercased()) { return nil }
        person = found.firstIndex(of: names["person"].lowercased())
        date = place(Self.dates + Self.times, stated: "time")
        hour = Self.hours.lazy.compactMap { found.firstIndex(of: $0) }.first
        if let count = place(Self.counts, stated: "count") {
            values = [count]
        } else {
            let columns = (0..<24).compactMap { hour in found.firstIndex { Self.hour($0) == hour } }
            guard columns.count == 24 else { return nil }
            values = columns
        }
        guard let date else { return nil }
        let read = Set(values + [date, hour ?? date, person ?? date])
        ignored = found.indices.filter { !read.contains($0) }.map { header.header[$0] }
        reader = FieldReader(.table, names: header.header)
        _ = reader.takeHeader(line)
    }

    /// The hour of `7`, `07:00`, `07:00-08:00` or `7 PM`; nil for anything else.
    private static func hour(_ text: String) -> Int? {
        let text = text.lowercased().trimmingCharacters(in: " h")
        guard let number = Int(text.prefix { $0.isASCII && $0.isNumber }), (0...24).contains(number) else { return nil }
        let rest = text.drop { $0.isASCII && $0.isNumber }.drop { $0 == " " }
        if rest.hasPrefix("am") || rest.hasPrefix("pm") {
            return (1...12).contains(number) ? number % 12 + (rest.hasPrefix("pm") ? 12 : 0) : nil
        }
        guard number < 24, rest.isEmpty || rest.first == ":" || rest.first == "-" || rest.first == "–" else {
            return nil
        }
        return number
    }

    /// The hours of a row with a pickup.
    mutating func rows(_ line: UnsafeBufferPointer<UInt8>) throws(LineFault) -> [Row] {
        if let fault = reader.read(line) { throw fault }
        func text(_ column: Int?) -> String? { column.flatMap { reader.fields[$0]?.text(in: line) } }
        func fault(_ column: Int, _ expected: String) -> LineFault {
            LineFault(
                column: reader.fields[column]?.column ?? 1, expected: expected,
                found: RawNode.quoted(text(column) ?? ""))
        }
        let name = text(person) ?? "one"
        let date = date ?? 0
        let day = text(date) ?? ""
        var found: [Row] = []
        for (index, column) in values.enumerated() {
            let written = text(column) ?? ""
            if written.isEmpty { continue }
            guard let count = Int(written), (0...10_000).contains(count) else {
                throw fault(column, "a whole number of pickups from 0 to 10,000")
            }
            var time = day
            let isDate = day.utf8.count == 10
            if values.count == 24 || hour != nil {
                guard let own = values.count == 24 ? index : Self.hour(text(hour) ?? "") else {
                    throw fault(hour ?? column, "an hour of the day")
                }
                guard isDate else { throw fault(date, "a date such as 2026-03-02") }
                time = "\(day)T\(TimeText.padded(own, to: 2)):00"
            } else if isDate {
                throw fault(
                    date,
                    "an hour with each date, in a column `hour` or behind the date, since nights and days are told by hours"
                )
            }
            if count > 0 { found.append(Row(person: name, time: time, count: count)) }
        }
        return found
    }
}

/// The exports of other programs, in place of a record with the columns `person`, `time` and `event`.
enum ForeignRecord {
    // MARK: ActivityWatch

    /// The buckets of an export by ActivityWatch that are left out.
    final class Buckets {
        var others: Set<String> = []
    }

    /// The rows of an event in ActivityWatch's export: an unlock of a bucket of unlocks, and none of any other; nil if
    /// it is no such export.
    static func lines(
        ofActivityWatch record: UnsafeBufferPointer<UInt8>, _ path: [String], _ names: ColumnNames, _ buckets: Buckets
    ) -> [[UInt8]]? {
        guard let at = path.firstIndex(of: "buckets"), path.indices.contains(at + 2), path.last == "events" else {
            return nil
        }
        let bucket = path[at + 1]
        guard bucket.contains("unlock") else {
            buckets.others.insert(bucket)
            return []
        }
        var reader = FieldReader(.json, names: ["timestamp"])
        guard reader.read(record) == nil, let time = reader.fields[0] else { return nil }
        let phone = bucket.split(separator: "_").last.map(String.init) ?? bucket
        let pairs = [(names["person"], phone), (names["time"], time.text(in: record)), (names["event"], "unlock")]
        let members = pairs.map { "\"\($0.0)\":\"\($0.1)\"" }.joined(separator: ",")
        return [Array("{\(members)}".utf8)]
    }

    // MARK: Android

    /// A row of `adb shell dumpsys usagestats` as this program's own; nil for any other line, and for events that are
    /// no unlock or lock.
    static func line(ofUsageStats line: UnsafeBufferPointer<UInt8>) -> (time: String, event: String)? {
        guard line.contains(UInt8(ascii: "=")) else { return nil }
        var reader = FieldReader(.pairs, names: ["time", "type"])
        guard reader.read(line) == nil, let time = reader.fields[0], let type = reader.fields[1] else { return nil }
        let events = ["KEYGUARD_HIDDEN": "unlock", "KEYGUARD_SHOWN": "lock"]
        guard let event = events[type.text(in: line)] else { return nil }
        return (time.text(in: line), event)
    }
}

extension String {
    /// Without some characters at both ends.
    fileprivate func trimmingCharacters(in characters: String) -> String {
        var text = Substring(self)
        while let first = text.first, characters.contains(first) { text = text.dropFirst() }
        while let last = text.last, characters.contains(last) { text = text.dropLast() }
        return String(text)
    }
}
