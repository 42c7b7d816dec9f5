import Basics
import Foundation

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
