import Basics
import Foundation

/// A load by the minute, hour or any other step, as dashboards and databases export it: a table with a column of times
/// and one or several of counts or rates, or JSON of Prometheus, CloudWatch, Graphite, InfluxDB or Datadog.
///
/// Series are added up. Rows without a value are left out.
package struct LoadTable: Sendable {
    package struct Row: Hashable, Sendable {
        package var time: LoadTime
        package var value: Double
        /// In the file, from 1 on; 0 for JSON.
        package var line: Int
        /// The text of the column of paths; nil without one.
        package var path: String?
    }

    package typealias Fault = TableText.Fault

    /// In the order of the file.
    package private(set) var rows: [Row] = []
    /// Rows whose value is empty, null or no number of JSON.
    package private(set) var empty = 0
    /// Rows without a time, such as that of a sum, and the line of the first of them.
    package private(set) var others: (count: Int, first: Int) = (0, 0)

    /// Larger files are no tables of this sort.
    package static let largest = 64 << 20
    /// The name of all columns but that of times.
    package static let every = "*"
    /// Names that columns of times have, in small letters.
    package static let times = [
        "time", "timestamp", "@timestamp", "ts", "date", "datetime", "_time", "period", "minute", "hour", "bucket",
        "label", "timestamps", "interval", "day",
    ]
    /// Rows before the header, such as a title.
    static let mostBefore = 20

    /// - Parameters:
    ///   - time: the name of the column of times; nil for one of the usual names, or the first column.
    ///   - value: that of counts or rates; `*` for all others whose values are numbers.
    ///   - path: that of paths; nil for none.
    package init(_ bytes: [UInt8], time: String?, value: String, path: String? = nil) throws(Fault) {
        let bytes = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? Array(bytes.dropFirst(3)) : bytes
        if PackedBytes.isGzip(bytes) { throw Fault(line: 0, expected: "a table", found: PackedBytes.found) }
        let first = bytes.first { $0 > 32 }
        if first == UInt8(ascii: "{") || first == UInt8(ascii: "[") {
            try takeJSON(bytes, time, value, path)
        } else {
            try takeTable(bytes, time, value, path)
        }
        if rows.isEmpty {
            throw Fault(
                line: 0, expected: "rows with a time and a number",
                found: empty > 0 ? "\(FigureText.counted(empty, "row")) without a number" : "none")
        }
    }

    private mutating func takeTable(_ bytes: [UInt8], _ time: String?, _ value: String, _ path: String?) throws(Fault) {
        let lines = TableText(bytes, isLoose: true).lines
        guard let top = lines.first else { throw Fault(line: 0, expected: "a table", found: "an empty file") }
        var header: (columns: Columns, separator: TableText.Separator, names: [String], at: Int)?
        for (index, line) in lines.prefix(Self.mostBefore).enumerated() {
            let separator = TableText.separator(of: line)
            let names = try TableText.cells(line, separator)
            if let columns = Self.columns(names, time, value, path), LoadTime(names[columns.time ?? 0]) == nil {
                header = (columns, separator, names, index + 1)
                break
            }
        }
        if header == nil, let columns = Self.positions(time, value) {
            header = (columns, TableText.separator(of: top), [], 0)
        }
        guard let (columns, separator, names, from) = header else {
            let wanted = [time, value == Self.every ? nil : value, path].compactMap { $0 }
            throw Fault(
                line: top.number, expected: "a header with the columns \(wanted.joined(separator: ", "))",
                found: try TableText.cells(top, TableText.separator(of: top)).joined(separator: ", "))
        }
        for line in lines[from...] {
            let number = line.number
            let cells =
                names.isEmpty
                ? try TableText.cells(line, separator)
                : try TableText.cells(line, separator, count: names.count)
            guard let place = columns.time else {
                for (minute, column) in columns.values.enumerated() {
                    try take(.minute(Int64(minute)), cells[column], separator, number)
                }
                continue
            }
            guard let time = Self.time(cells, place, isSplit: separator == .blanks) else {
                leaveOut(number)
                continue
            }
            let own = columns.path.map { cells[$0] }
            for column in columns.values where cells.indices.contains(column) {
                if value == Self.every, Self.number(cells[column], separator) == nil, !Self.isEmpty(cells[column]) {
                    continue
                }
                try take(time, cells[column], separator, number, own)
            }
        }
        if rows.isEmpty && others.count > 0 {
            throw Fault(
                line: others.first,
                expected: "times such as 2026-03-02 10:00, or seconds since 1970"
                    + (names.isEmpty ? "" : " in \(names[columns.time ?? 0])"),
                found: "none in \(FigureText.counted(others.count, "row"))")
        }
    }

    /// A time between blanks may have one in it.
    static func time(_ cells: [String], _ place: Int, isSplit: Bool) -> LoadTime? {
        guard cells.indices.contains(place) else { return nil }
        if isSplit, cells.indices.contains(place + 1), let time = LoadTime(cells[place] + " " + cells[place + 1]) {
            return time
        }
        return LoadTime(cells[place])
    }

    private static func isEmpty(_ text: String) -> Bool {
        ["", "-", "null", "nan", "undefined", "n/a", "none"].contains(text.lowercased())
    }

    /// A number as tables write it, also `1,234` in quotes and `0,5` between semicolons.
    static func number(_ text: String, _ separator: TableText.Separator) -> Double? {
        if let value = Double(text) { return value }
        if separator != .byte(UInt8(ascii: ",")), text.count(where: { $0 == "," }) == 1, !text.contains(".") {
            return Double(text.replacing(",", with: "."))
        }
        let groups = text.split(separator: ",", omittingEmptySubsequences: false)
        guard groups.count > 1, (1...3).contains(groups[0].count),
            groups.dropFirst().allSatisfy({ $0.prefix(while: \.isNumber).count == 3 })
        else { return nil }
        return Double(groups.joined())
    }

    mutating func take(
        _ time: LoadTime, _ text: String, _ separator: TableText.Separator, _ line: Int, _ path: String? = nil
    ) throws(Fault) {
        if Self.isEmpty(text) {
            takeEmpty()
            return
        }
        guard let value = Self.number(text, separator), value >= 0, value <= Self.most else {
            throw Fault(
                line: line, expected: "a number from 0 on (without a unit or letters for thousands)", found: text)
        }
        rows.append(Row(time: time, value: value, line: line, path: path))
    }

    /// A row without a time.
    mutating func leaveOut(_ line: Int) {
        others = (others.count + 1, others.count == 0 ? line : others.first)
    }

    mutating func takeEmpty() { empty += 1 }

    /// No interval has more requests.
    private static let most = 1e15
}

/// Which columns of a table have its times, values and paths: as they are named, or as far as they tell it themselves.
extension LoadTable {
    /// The columns of a header.
    struct Columns {
        var time: Int?
        var values: [Int]
        var path: Int?
        /// Whether each row has the minutes of a day in columns.
        var areMinutes = false
    }

    static func columns(_ header: [String], _ time: String?, _ value: String, _ path: String?) -> Columns? {
        let names = header.map { $0.lowercased() }
        let place = time.map { names.firstIndex(of: $0.lowercased()) }
        let usual = place ?? times.lazy.compactMap { names.firstIndex(of: $0) }.first
        let minutes = names.indices.filter { Int(names[$0]).map { (1...1_440).contains($0) } == true }
        if time == nil, usual == nil, value == every, minutes.count >= 2,
            minutes.map({ Int(names[$0])! }) == Array(1...minutes.count)
        {
            return Columns(time: nil, values: minutes, path: nil, areMinutes: true)
        }
        guard let at = place == nil ? usual ?? 0 : usual else { return nil }
        var columns = Columns(time: at, values: names.indices.filter { $0 != at })
        if let path {
            guard let found = names.firstIndex(of: path.lowercased()) else { return nil }
            columns.path = found
            columns.values.removeAll { $0 == found }
        }
        if value != every {
            guard let found = names.firstIndex(of: value.lowercased()), found != at else { return nil }
            columns.values = [found]
        }
        return columns
    }

    /// Columns by their numbers, from 1 on, of a table without a header.
    static func positions(_ time: String?, _ value: String) -> Columns? {
        guard let time = time.flatMap(Int.init), let value = Int(value), time > 0, value > 0, time != value else {
            return nil
        }
        return Columns(time: time - 1, values: [value - 1])
    }

    /// The names by which a file may be read as a table, from its first bytes: that of times, and those whose values
    /// are numbers; nil if it does not look like one.
    package static func names(_ bytes: [UInt8]) -> (time: String, values: [String])? {
        let lines = TableText(bytes, isLoose: true).lines.prefix(mostBefore)
        guard let top = lines.first else { return nil }
        if top.bytes.first == UInt8(ascii: "{") || top.bytes.first == UInt8(ascii: "[") {
            guard let text = parsed(bytes) ?? parsed(top.bytes) else { return nil }
            return names(json: text)
        }
        for (index, line) in lines.enumerated() where index + 1 < lines.count {
            let separator = TableText.separator(of: line)
            guard let (header, row) = cells(line, lines[index + 1], separator) else { continue }
            if separator == .blanks {
                guard header.count >= 2,
                    let place = header.indices.first(where: { time(header, $0, isSplit: true) != nil }),
                    let value = header.indices.first(where: { $0 != place && Double(header[$0]) != nil })
                else { continue }
                return ("\(place + 1)", ["\(value + 1)"])
            }
            guard header.count == row.count, header.allSatisfy({ LoadTime($0) == nil && Double($0) == nil }),
                let place = row.indices.first(where: { LoadTime(row[$0]) != nil })
            else { continue }
            let values = row.indices.filter { $0 != place && number(row[$0], separator) != nil }
            if !values.isEmpty && !areOfLog(header) { return (header[place], values.map { header[$0] }) }
        }
        return nil
    }

    /// Those of two lines; nil if a quote is left open.
    private static func cells(_ one: TableText.Line, _ next: TableText.Line, _ separator: TableText.Separator)
        -> ([String], [String])?
    {
        do throws(Fault) {
            return (try TableText.cells(one, separator), try TableText.cells(next, separator))
        } catch {
            return nil
        }
    }

    /// Whether names are those of a program's own words, which have numbers that are no counts.
    private static func areOfLog(_ names: [String]) -> Bool {
        let names = Set(names.map { $0.lowercased() })
        return !names.isDisjoint(with: ["level", "lvl", "severity", "msg", "message", "logger", "pid"])
    }

    private static func names(json: Any) -> (time: String, values: [String])? {
        if let list = json as? [Any] {
            if let pair = list.first as? [Any], pair.count == 2, list.allSatisfy({ ($0 as? [Any])?.count == 2 }),
                pair.contains(where: { text($0).flatMap(LoadTime.init) != nil })
            {
                return ("time", ["value"])
            }
            return list.lazy.compactMap { names(json: $0) }.first
        }
        guard let object = json as? [String: Any] else { return nil }
        let keys = object.keys.sorted()
        if let time = keys.first(where: { object[$0].flatMap(text).flatMap(LoadTime.init) != nil }) {
            let values = keys.filter { $0 != time && (object[$0].flatMap(text).flatMap(Double.init) != nil) }
            if !values.isEmpty && !areOfLog(keys) { return (time, values) }
        }
        return keys.lazy.compactMap { key in
            (object[key] is [Any] || object[key] is [String: Any]) ? object[key].flatMap { names(json: $0) } : nil
        }.first
    }
}

/// Tables as JSON: of Prometheus, CloudWatch, Graphite, InfluxDB and Datadog, or an object a line.
extension LoadTable {
    static func parsed(_ bytes: some Sequence<UInt8>) -> Any? {
        do { return try JSONSerialization.jsonObject(with: Data(bytes), options: .fragmentsAllowed) } catch {
            return nil
        }
    }

    mutating func takeJSON(_ bytes: [UInt8], _ time: String?, _ value: String, _ path: String?) throws(Fault) {
        if let whole = Self.parsed(bytes) { return try take(json: whole, time, value, path, 0) }
        for line in TableText(bytes, isLoose: true).lines {
            guard let object = Self.parsed(line.bytes) else {
                throw Fault(line: line.number, expected: "JSON", found: "a text that is none")
            }
            try take(json: object, time, value, path, line.number)
        }
        if rows.isEmpty && empty == 0 {
            throw Fault(
                line: 1, expected: "objects with \(time ?? "a time") and \(value)", found: "none with both")
        }
    }

    /// A member by its path, such as `data.time`.
    private static func member(_ object: [String: Any], _ path: String) -> Any? {
        if let own = object[path] { return own }
        var value: Any? = object
        for name in path.split(separator: ".").map(String.init) { value = (value as? [String: Any])?[name] }
        return value
    }

    static func text(_ value: Any) -> String? {
        if let text = value as? String { return text }
        guard let number = (value as? NSNumber)?.doubleValue else { return nil }
        return number == number.rounded() && number.magnitude < 9e15 ? "\(Int64(cutting: number))" : "\(number)"
    }

    private mutating func take(json: Any, _ time: String?, _ value: String, _ path: String?, _ line: Int)
        throws(Fault)
    {
        if let list = json as? [Any] {
            let pairs = list.compactMap { $0 as? [Any] }
            if !list.isEmpty, pairs.count == list.count, pairs.allSatisfy({ $0.count == 2 }) {
                return try take(pairs: pairs, line)
            }
            for element in list { try take(json: element, time, value, path, line) }
            return
        }
        guard let object = json as? [String: Any] else { return }
        if let names = object["columns"] as? [String], let rows = object["values"] as? [[Any]] {
            for row in rows where row.count == names.count {
                try take(
                    json: Dictionary(zip(names, row)) { first, _ in first }, time ?? names[0], value, path, line)
            }
            return
        }
        let names = time.map { [$0] } ?? object.keys.filter { Self.times.contains($0.lowercased()) }.sorted()
        let found = names.lazy.compactMap { Self.member(object, $0) }.first
        if let moments = found as? [Any], let values = Self.member(object, value) as? [Any],
            moments.count == values.count
        {
            for (moment, number) in zip(moments, values) { try take(json: moment, number, nil, line) }
            return
        }
        if let found, Self.text(found).flatMap(LoadTime.init) != nil {
            let own = path.flatMap { Self.member(object, $0) }.flatMap(Self.text)
            if value == Self.every {
                for name in object.keys.sorted() where !names.contains(name) {
                    if let number = object[name] as? NSNumber { try take(json: found, number, own, line) }
                }
            } else if let number = Self.member(object, value) {
                try take(json: found, number, own, line)
            }
            return
        }
        // The series of a document, in one order.
        for name in object.keys.sorted() {
            if let inner = object[name], inner is [Any] || inner is [String: Any] {
                try take(json: inner, time, value, path, line)
            }
        }
    }

    /// Pairs of a time and a number, in any order: of Prometheus, Datadog and Graphite.
    private mutating func take(pairs: [[Any]], _ line: Int) throws(Fault) {
        func isTime(_ place: Int) -> Bool {
            pairs.allSatisfy { Self.text($0[place]).flatMap(LoadTime.init) != nil }
        }
        guard let place = [0, 1].first(where: isTime) else { return }
        for pair in pairs { try take(json: pair[place], pair[1 - place], nil, line) }
    }

    private mutating func take(json time: Any, _ value: Any, _ path: String?, _ line: Int) throws(Fault) {
        guard let moment = Self.text(time).flatMap(LoadTime.init) else {
            leaveOut(line)
            return
        }
        guard let text = Self.text(value) else {
            takeEmpty()
            return
        }
        try take(moment, text, .blanks, line, path)
    }
}
