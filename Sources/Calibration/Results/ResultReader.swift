import Basics
import ScenarioFiles

/// The result of a load test as it was read.
package struct ParsedResult: Sendable {
    package enum Content: Sendable {
        case requests(RequestRecord)
        /// Latencies without their requests: each in microseconds, with how many there were.
        case latencies([(microseconds: Double, count: Int)])
        /// The figures that a tool prints at its end.
        case summary(LoadSummary)
    }

    package var content: Content
    /// The program or form that the record is of.
    package var form: String
    /// Rows that are left out, and what is probably not meant; a sentence each.
    package var notes: [String]
}

/// Reads the results of load tests in the forms of several programs, told apart by their first line (`calibrate
/// --service`).
package enum ResultReader {
    /// - Parameters:
    ///   - columns: the names of the columns of a plain CSV file.
    ///   - part: the requests that count.
    package static func read(
        _ source: RecordSource, columns: ColumnNames = .ofResult, part: RecordPart = RecordPart()
    ) throws(RecordProblems) -> ParsedResult {
        try ResultAssembly(file: source.name, columns: columns, part: part).read(source)
    }
}

/// Makes a result of the lines of a file.
private struct ResultAssembly: LineAssembly {
    private let columns: ColumnNames
    private let part: RecordPart
    private var faults: LineFaults
    private var lines: ResultLines?
    private var histogram: PercentileText?
    private var requests: [RecordedRequest] = []
    /// The line of each request.
    private var places: [UInt32] = []
    /// The latencies of a record without times.
    private var latencies: [(microseconds: Double, count: Int)] = []
    /// The starts that count, once the form is known.
    private var span = Int64.min..<Int64.max
    /// Requests that start outside of them, lines of something else, and requests of which nobody knows how they ended.
    private var (left, otherLines, unknown) = (0, 0, 0)
    private var isInSeconds = true
    /// The first line that is of no form, by which the fault is told if none follows that is.
    private var first: (fault: LineFault, line: Int)?
    private var linesBefore = 0
    /// The text before any form was known: a summary, perhaps.
    private var text: [UInt8] = []
    /// A row whose quoted text continues in the next line.
    private var open: (bytes: [UInt8], number: Int)?

    /// So many lines of other things may come before the first request, such as those of virtual users that begin.
    private static let mostBefore = 10_000
    /// A quoted text is no longer than this.
    private static let longestRow = 1 << 14

    init(file: String, columns: ColumnNames, part: RecordPart) {
        self.columns = columns
        self.part = part
        faults = LineFaults(file: file)
    }

    mutating func take(_ line: UnsafeBufferPointer<UInt8>, _ number: Int) -> Bool {
        if lines == nil && histogram == nil && text.count < LoadSummary.largest { text += line + [10] }
        takeLine(line, number)
        return !faults.isHopeless && linesBefore < Self.mostBefore
    }

    private mutating func takeLine(_ line: UnsafeBufferPointer<UInt8>, _ number: Int) {
        if let (bytes, begin) = open {
            open = nil
            let whole = bytes + [10] + line
            return whole.withUnsafeBufferPointer { takeLine($0, begin) }
        }
        if line.allSatisfy({ $0 == 32 || $0 == 9 }) { return }
        do throws(LineFault) {
            if histogram != nil {
                try histogram?.take(line)
            } else if lines != nil {
                try read(line, number)
            } else if let found = PercentileText(line) {
                histogram = found
                span = try part.span(in: nil)
            } else if let found = ResultLines.tell(line, columns) {
                lines = found
                span = try part.span(in: found.form)
                otherLines += linesBefore
                if !found.hasHeader { try read(line, number) }
            } else {
                linesBefore += 1
                if first == nil { first = (unknownForm(line), number) }
            }
        } catch {
            faults.add(error, line: number)
        }
    }

    /// Says why a line is of no form.
    private func unknownForm(_ line: UnsafeBufferPointer<UInt8>) -> LineFault {
        let text = String(decoding: line.prefix(4_096), as: UTF8.self)
        if let (program, option) = ResultForm.options.first(where: { $0.marks.contains(where: text.contains) })
            .map({ ($0.program, $0.option) })
        {
            return LineFault(
                expected: ResultForm.known,
                found: "\(program)'s own form without figures of latencies; `\(option)` writes each request")
        }
        if text.hasPrefix("#[") || text.contains("StartTimestamp") {
            return LineFault(
                expected: ResultForm.known,
                found: "an interval log of HdrHistogram, which is packed (HistogramLogProcessor makes its percentiles)")
        }
        var header = FieldReader(.table, names: ["time", "latency_ms", "status"].map { columns[$0] })
        _ = header.takeHeader(line)
        let missing = header.names.indices.filter { !header.hasColumns([$0]) }.map { "'\(header.names[$0])'" }
        let isHeader = line.contains(44) && line.first != UInt8(ascii: "{") && Double(text.prefix { $0 != "," }) == nil
        return LineFault(
            expected: ResultForm.known,
            found: isHeader
                ? "a header without \(missing.joined(separator: ", ")) (--columns time=…,latency_ms=…,status=… names them; latency_s=… are seconds)"
                : QuotedCut.text(line))
    }

    private mutating func read(_ line: UnsafeBufferPointer<UInt8>, _ number: Int) throws(LineFault) {
        let row: ResultLines.Row?
        do throws(LineFault) { row = try lines?.row(line) } catch {
            if lines?.isUnclosed == true && line.count < Self.longestRow {
                open = (Array(line), number)
                return
            }
            throw error
        }
        guard let row else {
            otherLines += 1
            return
        }
        if row.status == nil { unknown += 1 }
        guard let start = row.start else {
            latencies.append((Double(row.latency), 1))
            return
        }
        guard span.contains(start) else {
            left += 1
            return
        }
        if row.stamp % 1_000_000 != 0 { isInSeconds = false }
        // An ending that nobody knows counts as an answer.
        requests.append(RecordedRequest(start: start, latency: row.latency, status: row.status ?? 200))
        places.append(UInt32(clamping: number))
    }

    mutating func finish() throws(RecordProblems) -> ParsedResult {
        if let (_, number) = open {
            faults.add(
                LineFault(expected: "a closing quote before the end of the record", found: "only the opening one"),
                line: number)
        }
        try faults.check()
        if let histogram {
            if histogram.latencies.isEmpty {
                try faults.fail(LineFault(expected: "values with their percentiles and counts", found: "none"))
            }
            return ParsedResult(
                content: .latencies(histogram.latencies), form: histogram.name,
                notes: histogram.isUnitTold ? [] : ["the values of the histogram are taken for milliseconds"])
        }
        guard let lines else {
            if let summary = LoadSummary(text) {
                // A summary has no times.
                do throws(LineFault) { _ = try part.span(in: nil) } catch { try faults.fail(error) }
                return ParsedResult(content: .summary(summary), form: "the summary of \(summary.name)", notes: [])
            }
            if let (fault, line) = first { try faults.fail(fault, line: line) }
            try faults.fail(LineFault(expected: ResultForm.known, found: "an empty file"))
        }
        if !latencies.isEmpty {
            return ParsedResult(
                content: .latencies(latencies), form: lines.form.name,
                notes: ["the record has no times, so arrivals and servers cannot be told"])
        }
        if requests.isEmpty && left > 0 {
            try faults.fail(
                LineFault(
                    expected: "requests that start between --from and --to",
                    found: "\(FigureText.counted(left, "request")) at other times"))
        }
        if requests.isEmpty {
            try faults.fail(
                LineFault(
                    expected: "requests in the result of \(lines.form.name)",
                    found: otherLines > 0 ? "\(FigureText.counted(otherLines, "line")) of other things" : "none"))
        }
        try checkPauses()
        return notes(lines.form, lines.hasLocalTimes)
    }

    private func notes(_ form: ResultForm, _ hasLocalTimes: Bool) -> ParsedResult {
        var notes: [String] = []
        if left > 0 { notes.append("\(FigureText.counted(left, "request")) left out by --from and --to") }
        if unknown > 0 {
            notes.append(
                "\(FigureText.counted(unknown, "request")) without a status: nobody knows how they ended, and they count as answered"
            )
        }
        if form.name == "CSV", columns.units["latency_ms"] == nil, requests.allSatisfy({ $0.latency < 1_000 }) {
            notes.append(
                "all latencies are below 1 ms; if they are seconds, --columns latency_s=\(form.latency.name) says so")
        }
        if hasLocalTimes { notes.append("times without an offset from UTC are read as UTC") }
        // A whole second each time is a clock of seconds; few requests can lie so by chance.
        let step: Int64 = isInSeconds && requests.count >= 20 ? 1_000_000 : 0
        if step > 0 {
            notes.append(
                form.name == "k6 (CSV)"
                    ? "k6 writes whole seconds to CSV unless K6_CSV_TIME_FORMAT=unix_micro says otherwise; --out json has microseconds"
                    : "all times are whole seconds")
        }
        return ParsedResult(content: .requests(RequestRecord(requests, clockStep: step)), form: form.name, notes: notes)
    }

    /// Throws if a request starts so long after the one before it that both cannot be of one load test: a clock that
    /// was wrong for a row, or several tests in one file.
    private mutating func checkPauses() throws(RecordProblems) {
        guard let first = requests.lazy.map(\.start).min(), let last = requests.lazy.map(\.start).max(),
            last - first > ResultLines.longest
        else { return }
        let order = requests.indices.sorted { (requests[$0].start, $0) < (requests[$1].start, $1) }
        for (before, after) in zip(order, order.dropFirst()) {
            let pause = requests[after].start - requests[before].start
            if pause <= ResultLines.longest { continue }
            faults.add(
                LineFault(
                    expected:
                        "a start within a day of the request before it, in line \(places[before]), as in one load test "
                        + "(--from and --to choose a part of the record)",
                    found: "one \(FigureText.threeDigits(Double(pause) / Double(ResultLines.longest))) days later"),
                line: Int(places[after]))
        }
        try faults.check()
    }
}

/// The part of a load test's record that counts: the requests that start from one time on and before another, which are
/// written as the record writes its own.
package struct RecordPart: Sendable {
    let from, to: String?

    /// - Parameters:
    ///   - from: nil for the beginning of the record.
    ///   - to: nil for its end; a request that starts then is left out.
    package init(from: String? = nil, to: String? = nil) { (self.from, self.to) = (from, to) }

    /// Whether a text can be the time of some form.
    package static func isTime(_ text: String) -> Bool { time(text, unit: nil) != nil }

    private static func time(_ text: String, unit: TimeUnit?) -> Int64? {
        var clock = RecordClock(zone: nil)
        return clock.unix(Array(text.utf8), unit: unit)?.unix
    }

    /// The starts in microseconds, as a record of a form counts them.
    ///
    /// - Parameter form: nil for percentiles.
    func span(in form: ResultForm?) throws(LineFault) -> Range<Int64> {
        if from == nil && to == nil { return .min..<Int64.max }
        guard let time = form?.time else {
            throw LineFault(
                expected: "a record with the times of its requests for --from and --to",
                found: form?.name ?? "percentiles alone")
        }
        func instant(_ text: String) throws(LineFault) -> Int64 {
            // A time in the record's unit, or written out.
            guard let instant = Self.time(text, unit: time.unit) ?? Self.time(text, unit: nil) else {
                throw LineFault(expected: "a time of the record for --from and --to", found: QuotedCut.text(text))
            }
            return instant
        }
        let (first, last) = (try from.map(instant) ?? .min, try to.map(instant) ?? .max)
        guard first < last else {
            throw LineFault(
                expected: "a time of --to that is later than that of --from", found: "\(from ?? "") and \(to ?? "")")
        }
        return first..<last
    }
}
