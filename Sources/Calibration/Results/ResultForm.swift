import Basics
import ScenarioFiles

/// The form in which a program writes the result of a load test: how lines are split, and the fields of a request.
package struct ResultForm: Sendable {
    /// A field with a time or a length of time.
    struct Field: Sendable {
        var name: String
        /// Nil if the size of numbers tells it.
        var unit: TimeUnit?

        init(_ name: String, _ unit: TimeUnit? = nil) { (self.name, self.unit) = (name, unit) }
    }

    package var name: String
    var layout: LineLayout
    /// The instant of a request; nil where the record has none.
    var time: Field?
    /// Whether that is its end.
    var notesEnds = false
    var latency: Field
    /// Whether `latency` is the instant of the end.
    var latencyIsEnd = false
    /// The field with the status; nil where the record has none.
    var status: String?
    /// The fields that tell requests from other lines, with their values.
    var filter: [String: String] = [:]

    /// All that are known beside a plain table. Of two that a line is of, the first is taken.
    ///
    /// k6 notes a request when it ends (lib/netext/httpext: a sample has the trail's end for its time), the others when
    /// it starts.
    static let all: [ResultForm] = [
        ResultForm(
            name: "k6 (JSON)", layout: .json, time: Field("data.time"), notesEnds: true,
            latency: Field("data.value", .milliseconds), status: "data.tags.status",
            filter: ["metric": "http_req_duration", "type": "Point"]),
        ResultForm(
            name: "k6 (CSV)", layout: .table, time: Field("timestamp"), notesEnds: true,
            latency: Field("metric_value", .milliseconds), status: "status",
            filter: ["metric_name": "http_req_duration"]),
        ResultForm(
            name: "vegeta (JSON)", layout: .json, time: Field("timestamp"), latency: Field("latency", .nanoseconds),
            status: "code"),
        ResultForm(
            name: "vegeta (CSV)", layout: .positions(separator: 44), time: Field("1", .nanoseconds),
            latency: Field("3", .nanoseconds), status: "2"),
        ResultForm(
            name: "h2load", layout: .positions(separator: 9), time: Field("1", .microseconds),
            latency: Field("3", .microseconds), status: "2"),
        ResultForm(
            name: "JMeter", layout: .table, time: Field("timeStamp", .milliseconds),
            latency: Field("elapsed", .milliseconds), status: "responseCode"),
        ResultForm(
            name: "Gatling", layout: .positions(separator: 9), time: Field("4", .milliseconds),
            latency: Field("5", .milliseconds), latencyIsEnd: true, status: "6", filter: ["1": "REQUEST"]),
        ResultForm(
            name: "Gatling 3.3 and before", layout: .positions(separator: 9), time: Field("5", .milliseconds),
            latency: Field("6", .milliseconds), latencyIsEnd: true, status: "7", filter: ["1": "REQUEST"]),
        ResultForm(
            name: "Gatling 2", layout: .positions(separator: 9), time: Field("6", .milliseconds),
            latency: Field("7", .milliseconds), latencyIsEnd: true, status: "8", filter: ["1": "REQUEST"]),
        ResultForm(
            name: "hey", layout: .table, time: Field("offset", .seconds), latency: Field("response-time", .seconds),
            status: "status-code"),
        ResultForm(
            name: "oha", layout: .table, time: Field("request-start", .seconds),
            latency: Field("request-duration", .seconds), status: "status"),
        ResultForm(
            name: "ali", layout: .table, time: Field("timestamp"), latency: Field("latency_ns", .nanoseconds),
            status: "status_code"),
        ResultForm(
            name: "ab", layout: .table, time: Field("seconds", .seconds), latency: Field("ttime", .milliseconds)),
        ResultForm(
            name: "ghz (CSV)", layout: .table, latency: Field("duration (ms)", .milliseconds), status: "status"),
        ResultForm(
            name: "ghz (JSON lines)", layout: .json, time: Field("timestamp"),
            latency: Field("latency", .nanoseconds), status: "status"),
    ]

    /// A table with a header in nobody's form, by the names of its columns.
    static func plain(_ columns: ColumnNames) -> ResultForm {
        ResultForm(
            name: "CSV", layout: .table, time: Field(columns["time"], columns.units["time"]),
            latency: Field(columns["latency_ms"], columns.units["latency_ms"] ?? .milliseconds),
            status: columns["status"])
    }

    static let known =
        "the result of k6, vegeta, h2load, JMeter, Gatling, hey, oha, ali, ab or ghz, the percentiles of an HdrHistogram, of ab or of Locust, the summary of a load tool, or CSV with the columns time,latency_ms,status"

    /// Programs that write forms of which nothing is read, by words in their first lines, with the option that writes
    /// one that is.
    static let options: [(program: String, marks: [String], option: String)] = [
        ("oha", ["\"successRate\"", "\"responseTimeHistogram\""], "oha --output-format csv"),
        ("k6", ["\"root_group\"", "\"http_reqs\""], "k6 run --out json=FILE"),
        ("vegeta", ["\"bytes_in\"", "\"status_codes\""], "vegeta encode"),
        ("ghz", ["\"latencyDistribution\""], "ghz -O csv"),
        ("JMeter", ["<testResults"], "jmeter -Jjmeter.save.saveservice.output_format=csv -l results.jtl"),
    ]

    /// The names of its fields: time, latency and status, and those of the filter.
    fileprivate var fields: [String] { [time?.name ?? "", latency.name, status ?? ""] + filter.keys.sorted() }

    /// The meaning of statuses that are no numbers.
    fileprivate static let statuses: [String: Int16] = [
        "OK": 200, "KO": 500, "Unavailable": RecordedRequest.serviceUnavailable,
        "ResourceExhausted": RecordedRequest.serviceUnavailable, "DeadlineExceeded": 0, "Canceled": 0, "Unknown": 500,
        "InvalidArgument": 400, "NotFound": 404, "AlreadyExists": 409, "PermissionDenied": 403,
        "Unauthenticated": 401, "FailedPrecondition": 400, "Aborted": 409, "OutOfRange": 400, "Unimplemented": 501,
        "Internal": 500, "DataLoss": 500,
    ]
}

/// Reads the lines of a result by one form.
struct ResultLines {
    /// One request: microseconds since 1970 or any other beginning, microseconds, and the status, 0 for none.
    struct Row {
        /// Nil where the record has no times.
        var start: Int64?
        var latency: Int64
        /// Nil if the record does not say how it ended.
        var status: Int16?
        /// The instant as it was written, to see how fine its clock is.
        var stamp: Int64
    }

    let form: ResultForm
    private var reader: FieldReader
    private var clock = RecordClock(zone: nil)
    private let filter: [(index: Int, value: [UInt8])]

    /// A day in microseconds: no request takes longer.
    static let longest: Int64 = 86_400_000_000

    init(_ form: ResultForm) {
        self.form = form
        reader = FieldReader(form.layout, names: form.fields)
        filter = form.filter.sorted { $0.key < $1.key }.enumerated().map {
            (3 + $0.offset, Array($0.element.value.utf8))
        }
    }

    /// The lines of the form that a line is of, which is its header or a first row; nil if it is of none.
    ///
    /// - Parameter columns: the names of a plain table; if any was stated, the record is such a table.
    static func tell(_ line: UnsafeBufferPointer<UInt8>, _ columns: ColumnNames) -> ResultLines? {
        for form in (columns.areStated ? [] : ResultForm.all) + [.plain(columns)] {
            var lines = ResultLines(form)
            if lines.begins(line) { return lines }
        }
        return nil
    }

    private mutating func begins(_ line: UnsafeBufferPointer<UInt8>) -> Bool {
        switch form.layout {
        case .table:
            _ = reader.takeHeader(line)
            // k6 has no column of a tag that is switched off.
            return reader.hasColumns(
                form.fields.indices.filter { form.fields[$0] != "" && ($0 != 2 || filter.isEmpty) })
        case .positions(let separator):
            // Without a header only a row tells the form: one with commas by a time that has its date.
            return first(line)?.start.map { separator == 9 || $0 > 1_000_000_000_000_000 } ?? false
        case .json, .pairs, .extended, .template:
            guard let row = first(line) else { return false }
            return row.status != nil || form.status == nil || !filter.isEmpty
        }
    }

    /// The request of a line that may be of another form.
    private mutating func first(_ line: UnsafeBufferPointer<UInt8>) -> Row? {
        do throws(LineFault) { return try row(line) } catch { return nil }
    }

    /// Whether the line that tells the form has no request.
    var hasHeader: Bool { form.layout == .table }
    /// Whether the last line ends in a quote that is open.
    var isUnclosed: Bool { form.layout == .table && reader.unclosed != nil }
    /// Whether times had no offset and were read as UTC.
    var hasLocalTimes: Bool { clock.hasLocalTimes }

    /// The request of a line; nil for a line of something else.
    mutating func row(_ line: UnsafeBufferPointer<UInt8>) throws(LineFault) -> Row? {
        if let fault = reader.read(line) { throw fault }
        for (index, value) in filter {
            guard let field = reader.fields[index], line[field.range].elementsEqual(value) else { return nil }
        }
        guard let latency = reader.fields[1] else {
            throw LineFault(expected: "a latency as \(form.latency.name)", found: "none")
        }
        var (start, stamp): (Int64?, Int64) = (nil, 1)
        if let time = form.time {
            guard let field = reader.fields[0] else {
                throw LineFault(expected: "a time as \(time.name)", found: "none")
            }
            stamp = try instant(field, time.unit, line)
            start = stamp
        }
        let microseconds: Int64
        if form.latencyIsEnd {
            microseconds = try instant(latency, form.latency.unit, line) - (start ?? 0)
        } else {
            microseconds = try length(latency, line)
        }
        guard microseconds >= 0, microseconds < Self.longest else {
            throw LineFault(
                column: latency.column, expected: "a latency from 0 to a day",
                found: "one of \(FigureText.threeDigits(Double(microseconds) / 1_000)) ms")
        }
        if form.notesEnds { start = start.map { $0 - microseconds } }
        return Row(start: start, latency: microseconds, status: try status(line), stamp: stamp)
    }

    private mutating func instant(_ field: LineField, _ unit: TimeUnit?, _ line: UnsafeBufferPointer<UInt8>)
        throws(LineFault) -> Int64
    {
        let text = field.form == .plain ? Array(line[field.range]) : Array(field.text(in: line).utf8)
        guard let (unix, _) = clock.unix(text, unit: unit) else {
            throw LineFault(
                column: field.column, expected: "a date-time, or seconds to nanoseconds from any beginning",
                found: QuotedCut.text(text))
        }
        return unix
    }

    private func length(_ field: LineField, _ line: UnsafeBufferPointer<UInt8>) throws(LineFault) -> Int64 {
        let power = form.latency.unit?.rawValue ?? 3
        let scale = power == 6 ? 1e6 : power == 3 ? 1e3 : power == 0 ? 1 : 1e-3
        guard let value = Double(field.text(in: line)), value.isFinite, value.magnitude * scale < 9e18 else {
            throw LineFault(
                column: field.column, expected: "a latency as a number of \(form.latency.unit?.suffix ?? "ms")",
                found: QuotedCut.text(line[field.range]))
        }
        return Int64(cutting: (value * scale).rounded())
    }

    /// No status, or one that is no number above 0, stands for no answer; where there is no such field, nobody knows.
    private func status(_ line: UnsafeBufferPointer<UInt8>) throws(LineFault) -> Int16? {
        guard let field = reader.fields[2] else { return nil }
        let text = field.text(in: line)
        if text.isEmpty { return 0 }
        if let status = ResultForm.statuses[text] { return status }
        // JMeter's words for a request without an answer.
        if text.hasPrefix("Non HTTP response code") { return 0 }
        guard let value = Int(text), (-1...999).contains(value) else {
            throw LineFault(
                column: field.column, expected: "an HTTP status, or 0 for no answer", found: QuotedCut.text(text))
        }
        return Int16(max(0, value))
    }
}
