import Basics

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
