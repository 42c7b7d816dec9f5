import Basics
import Foundation
import ScenarioFiles

/// The form of a load test's result.
package enum ResultForm: Hashable, Sendable {
    /// `k6 run --out json`: objects of points, of which those of `http_req_duration` are requests.
    case k6JSON
    /// `k6 run --out csv`, with the places of its columns.
    case k6CSV(name: Int, time: Int, value: Int, status: Int, width: Int)
    /// `vegeta encode`: an object a request, times in nanoseconds.
    case vegeta
    /// `h2load --log-file`: start in microseconds since 1970, status, microseconds to the end of the answer, with tabs
    /// between them.
    case h2load
    /// A percentile distribution of HdrHistogram as text (`outputPercentileDistribution`).
    case percentiles
    /// CSV with a header, by the places of its columns.
    case plain(time: Int, latency: Int, status: Int, width: Int)

    static let all =
        "the result of k6 (JSON or CSV), vegeta (`vegeta encode`), h2load (--log-file), the percentiles of an HdrHistogram, or CSV with the columns time,latency_ms,status"

    package var name: String {
        switch self {
        case .k6JSON: "k6 (JSON)"
        case .k6CSV: "k6 (CSV)"
        case .vegeta: "vegeta"
        case .h2load: "h2load"
        case .percentiles: "HdrHistogram"
        case .plain: "CSV"
        }
    }

    var isK6CSV: Bool { if case .k6CSV = self { true } else { false } }
    var notesEnds: Bool { self == .k6JSON || isK6CSV }

    /// Whether the line that tells the form has no request.
    var hasHeader: Bool {
        switch self {
        case .k6CSV, .plain, .percentiles: true
        case .k6JSON, .vegeta, .h2load: false
        }
    }

    /// The form that a first line is of.
    static func tell(_ line: UnsafeBufferPointer<UInt8>, _ columns: ColumnNames) throws(LineFault) -> ResultForm {
        let text = String(decoding: line, as: UTF8.self)
        let words = text.split(whereSeparator: { $0 == " " || $0 == "\t" })
        if text.hasPrefix("{") {
            let object = try JSONLine(line)
            if object["metric"] != nil { return .k6JSON }
            if object["latency"] != nil && object["timestamp"] != nil { return .vegeta }
            throw LineFault(
                expected: all, found: "an object without `metric` (k6), and without `timestamp` and `latency` (vegeta)")
        }
        if text.hasPrefix("#[") || text.contains("StartTimestamp") {
            throw LineFault(
                expected: all,
                found: "an interval log of HdrHistogram, which is packed (HistogramLogProcessor makes its percentiles)")
        }
        if words.first == "Value" && words.contains("Percentile") { return .percentiles }
        if text.contains("\t"), words.count >= 3, words.prefix(3).allSatisfy({ Int64($0) != nil }) { return .h2load }
        var fields: [CSVFields.Field] = []
        CSVFields.split(line, into: &fields)
        let names = fields.map { $0.text(in: line).lowercased() }
        func place(_ name: String) -> Int? { names.firstIndex(of: name.lowercased()) }
        if let name = place("metric_name"), let time = place("timestamp"), let value = place("metric_value"),
            let status = place("status")
        {
            return .k6CSV(name: name, time: time, value: value, status: status, width: names.count)
        }
        let wanted = ["time", "latency_ms", "status"].map { columns[$0] }
        let places = wanted.map(place)
        guard let time = places[0], let latency = places[1], let status = places[2] else {
            let missing = zip(wanted, places).filter { $0.1 == nil }.map(\.0)
            let isHeader = names.count > 1 && Double(names[0]) == nil
            throw LineFault(
                expected: all,
                found: isHeader
                    ? "a header without \(missing.map { "'\($0)'" }.joined(separator: ", ")) (--columns time=…,latency_ms=…,status=… names them)"
                    : quotedCut(text))
        }
        return .plain(time: time, latency: latency, status: status, width: names.count)
    }

    /// One request: microseconds since 1970 or any other beginning, microseconds, and the status, 0 for none.
    struct Row {
        var stamp: Int64
        var latency: Int64
        var status: Int16
    }

    /// The request of a line; nil for a line of something else.
    func row(_ line: UnsafeBufferPointer<UInt8>) throws(LineFault) -> Row? {
        switch self {
        case .k6JSON: try Self.k6(line)
        case .vegeta: try Self.vegeta(line)
        case .h2load: try Self.h2load(line)
        case .k6CSV(let name, let time, let value, let status, let width):
            try Self.fields(line, width) { (text, column) throws(LineFault) in
                if try text(name) != "http_req_duration" { return nil }
                return Row(
                    stamp: try Stamp.microseconds(try text(time), column: column(time)),
                    latency: try Self.milliseconds(try text(value), column: column(value)),
                    status: try Self.status(try text(status), column: column(status)))
            }
        case .plain(let time, let latency, let status, let width):
            try Self.fields(line, width) { (text, column) throws(LineFault) in
                Row(
                    stamp: try Stamp.microseconds(try text(time), column: column(time), isSeconds: true),
                    latency: try Self.milliseconds(try text(latency), column: column(latency)),
                    status: try Self.status(try text(status), column: column(status)))
            }
        case .percentiles: nil
        }
    }

    // MARK: Forms

    private static func k6(_ line: UnsafeBufferPointer<UInt8>) throws(LineFault) -> Row? {
        // Most points are of other metrics; they need not be taken apart.
        guard contains(line, "\"http_req_duration\"") else { return nil }
        let object = try JSONLine(line)
        guard object["type"] as? String == "Point", object["metric"] as? String == "http_req_duration" else {
            return nil
        }
        guard let data = object["data"] as? [String: Any], let time = data["time"] as? String,
            let value = data["value"] as? Double
        else {
            throw LineFault(expected: "a point with `data.time` and `data.value`", found: "one without them")
        }
        let tags = data["tags"] as? [String: Any]
        return Row(
            stamp: try Stamp.microseconds(time, column: 1), latency: try microseconds(value * 1_000, column: 1),
            status: try status(tags?["status"] as? String ?? "0", column: 1))
    }

    private static func vegeta(_ line: UnsafeBufferPointer<UInt8>) throws(LineFault) -> Row {
        let object = try JSONLine(line)
        guard let time = object["timestamp"] as? String, let latency = object["latency"] as? Double,
            let code = object["code"] as? Int
        else {
            throw LineFault(expected: "an object with `timestamp`, `latency` and `code`", found: "one without them")
        }
        return Row(
            stamp: try Stamp.microseconds(time, column: 1), latency: try microseconds(latency / 1_000, column: 1),
            status: try status("\(code)", column: 1))
    }

    /// More columns may follow (h2load's manual).
    private static func h2load(_ line: UnsafeBufferPointer<UInt8>) throws(LineFault) -> Row {
        let fields = line.split(separator: 9, omittingEmptySubsequences: false).map {
            String(decoding: $0, as: UTF8.self)
        }
        guard fields.count >= 3, let start = Int64(fields[0]), let latency = Int64(fields[2]), start >= 0, latency >= 0,
            start < Stamp.end, latency < Stamp.longest
        else {
            throw LineFault(
                expected:
                    "a start in microseconds, a status and a response time in microseconds, with tabs between them",
                found: quotedCut(String(decoding: line, as: UTF8.self)))
        }
        return Row(stamp: start, latency: latency, status: try status(fields[1], column: 1))
    }

    private static func fields(
        _ line: UnsafeBufferPointer<UInt8>, _ width: Int,
        _ read: (_ text: (Int) throws(LineFault) -> String, _ column: (Int) -> Int) throws(LineFault) -> Row?
    ) throws(LineFault) -> Row? {
        var fields: [CSVFields.Field] = []
        CSVFields.split(line, into: &fields)
        if let last = fields.last, last.isUnclosed {
            throw LineFault(
                column: last.column, expected: "a closing quote before the end of the line",
                found: "only the opening one")
        }
        guard fields.count == width else {
            throw LineFault(expected: "\(width) fields, as in the header", found: "\(fields.count)")
        }
        let all = fields
        return try read({ all[$0].text(in: line) }, { all[$0].column })
    }

    // MARK: Values

    static func milliseconds(_ text: String, column: Int) throws(LineFault) -> Int64 {
        guard let value = Double(text), value.isFinite else {
            throw LineFault(column: column, expected: "a latency in milliseconds", found: quotedCut(text))
        }
        return try microseconds(value * 1_000, column: column)
    }

    private static func microseconds(_ value: Double, column: Int) throws(LineFault) -> Int64 {
        guard value >= 0, value < Double(Stamp.longest) else {
            throw LineFault(
                column: column, expected: "a latency from 0 to a day",
                found: "one of \(FigureText.threeDigits(value / 1_000)) ms")
        }
        return Int64(cutting: value.rounded())
    }

    /// No status, or one that is no number above 0, stands for no answer.
    static func status(_ text: String, column: Int) throws(LineFault) -> Int16 {
        if text.isEmpty { return 0 }
        guard let value = Int(text), (-1...999).contains(value) else {
            throw LineFault(column: column, expected: "an HTTP status, or 0 for no answer", found: quotedCut(text))
        }
        return Int16(max(0, value))
    }

    private static func contains(_ line: UnsafeBufferPointer<UInt8>, _ text: StaticString) -> Bool {
        text.withUTF8Buffer { line.contains($0) }
    }

    static func quotedCut(_ text: String) -> String {
        QuotedText.quoted(text.count > 60 ? String(text.prefix(60)) + "…" : text, escape: { _ in nil })
    }
}

/// The members of one line of JSON.
struct JSONLine {
    private let members: [String: Any]

    init(_ line: UnsafeBufferPointer<UInt8>) throws(LineFault) {
        do {
            guard let members = try JSONSerialization.jsonObject(with: Data(line)) as? [String: Any] else {
                throw LineFault(expected: "a JSON object", found: "another value")
            }
            self.members = members
        } catch let fault as LineFault {
            throw fault
        } catch {
            throw LineFault(
                expected: "a JSON object", found: ResultForm.quotedCut(String(decoding: line, as: UTF8.self)))
        }
    }

    subscript(_ name: String) -> Any? { members[name] }
}

/// Instants as load tools and servers write them.
enum Stamp {
    /// The first instant of 2100 in microseconds since 1970.
    static let end: Int64 = 4_102_444_800_000_000
    /// A day in microseconds: no request takes longer.
    static let longest: Int64 = 86_400_000_000

    /// Microseconds since 1970: a date-time with an offset and up to nine decimals; a number of seconds, milliseconds,
    /// microseconds or nanoseconds, told by its size.
    ///
    /// - Parameter isSeconds: whether numbers are seconds, whatever their size.
    static func microseconds(_ text: String, column: Int, isSeconds: Bool = false) throws(LineFault) -> Int64 {
        let fault = LineFault(
            column: column, expected: "a date-time with an offset, or seconds", found: ResultForm.quotedCut(text))
        if let value = Double(text) {
            let scale: Double = isSeconds || value < 1e11 ? 1e6 : value < 1e14 ? 1e3 : value < 1e17 ? 1 : 1e-3
            guard value >= 0, value * scale < Double(end) else { throw fault }
            // Whole numbers of nanoseconds have more digits than a double.
            if scale < 1, let whole = Int64(text) { return whole / 1_000 }
            return Int64(cutting: (value * scale).rounded())
        }
        if let (unix, _) = CalendarText.instant(text) { return unix }
        if let (unix, _) = CalendarText.instant(toMicroseconds(text)) { return unix }
        throw fault
    }

    /// A date-time without its seventh to ninth decimal, which programs in Go and Java write.
    static func toMicroseconds(_ text: String) -> String {
        text.wholeMatch(of: /(.*\.\d{6})\d{1,3}(Z|[+-]\d\d:\d\d)/).map { String($0.1 + $0.2) } ?? text
    }
}
