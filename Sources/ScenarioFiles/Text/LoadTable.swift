import Basics

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
