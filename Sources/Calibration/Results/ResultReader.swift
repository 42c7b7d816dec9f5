import Basics
import ScenarioFiles

/// The result of a load test as it was read.
package struct ParsedResult: Sendable {
    package enum Content: Sendable {
        case requests(RequestRecord)
        /// Latencies without their requests: each in microseconds, with how many there were.
        case latencies([(microseconds: Double, count: Int)])
    }

    package var content: Content
    /// The program or form that the record is of.
    package var form: ResultForm
    /// Rows that are left out, and what is probably not meant; a sentence each.
    package var notes: [String]
}

/// Reads the results of load tests in the forms of several programs, told apart by their first line (`calibrate
/// --service`).
package enum ResultReader {
    /// - Parameters:
    ///   - file: a path, or `-` for standard input.
    ///   - limit: bytes; a record with more is refused.
    ///   - columns: the names of the columns of a plain CSV file.
    ///   - part: the requests that count.
    package static func read(
        file: String, limit: Int = RecordLines.usualLimit, columns: ColumnNames = .ofResult,
        part: RecordPart = RecordPart()
    ) throws(RecordProblems) -> ParsedResult {
        var assembly = ResultAssembly(file: file == "-" ? "stdin" : file, columns: columns, part: part)
        try RecordLines.read(file: file, limit: limit, content: "the result of a load test as text") { line, number in
            assembly.take(line, number)
            return !assembly.isHopeless
        }
        return try assembly.finish()
    }

    package static func read(
        text: String, file: String = "result", columns: ColumnNames = .ofResult, part: RecordPart = RecordPart()
    ) throws(RecordProblems) -> ParsedResult {
        var assembly = ResultAssembly(file: file, columns: columns, part: part)
        try RecordLines.split(Array(text.utf8), file: file) { line, number in
            assembly.take(line, number)
            return true
        }
        return try assembly.finish()
    }
}

/// Makes a result of the lines of a file.
struct ResultAssembly {
    private let columns: ColumnNames
    private let part: RecordPart
    private var faults: LineFaults
    private var form: ResultForm?
    private var requests: [RecordedRequest] = []
    /// The line of each request.
    private var lines: [UInt32] = []
    /// The starts that count, once the form is known.
    private var span = Int64.min..<Int64.max
    /// Requests that start outside of them.
    private var left = 0
    private var histogram = PercentileText()
    private var isInSeconds = true
    private var otherLines = 0
    /// Whether the form was told by the first line that is not empty; nothing is read of another one.
    private var isUnknown = false

    init(file: String, columns: ColumnNames, part: RecordPart) {
        self.columns = columns
        self.part = part
        faults = LineFaults(file: file)
    }

    var isHopeless: Bool { faults.isHopeless || isUnknown }

    mutating func take(_ line: UnsafeBufferPointer<UInt8>, _ number: Int) {
        var line = line
        if line.last == 13 { line = UnsafeBufferPointer(rebasing: line.dropLast()) }
        // Some programs begin a file with a byte-order mark.
        if number == 1 && line.starts(with: [0xEF, 0xBB, 0xBF]) {
            line = UnsafeBufferPointer(rebasing: line.dropFirst(3))
        }
        if line.allSatisfy({ $0 == 32 || $0 == 9 }) { return }
        do throws(LineFault) {
            guard let form else {
                let found = try ResultForm.tell(line, columns)
                span = try part.span(in: found)
                self.form = found
                if found.hasHeader { return }
                return try read(line, found, number)
            }
            try read(line, form, number)
        } catch {
            if form == nil { isUnknown = true }
            faults.add(error, line: number)
        }
    }

    private mutating func read(_ line: UnsafeBufferPointer<UInt8>, _ form: ResultForm, _ number: Int) throws(LineFault)
    {
        switch form {
        case .percentiles: try histogram.take(line)
        case .k6JSON, .k6CSV, .vegeta, .h2load, .plain:
            guard let row = try form.row(line) else {
                otherLines += 1
                return
            }
            // k6 notes a request when it ends (lib/netext/httpext: a sample has the trail's end for its time), the
            // others when it starts.
            let start = form.notesEnds ? row.stamp - row.latency : row.stamp
            guard span.contains(start) else {
                left += 1
                return
            }
            if row.stamp % 1_000_000 != 0 { isInSeconds = false }
            requests.append(RecordedRequest(start: start, latency: row.latency, status: row.status))
            lines.append(UInt32(clamping: number))
        }
    }

    mutating func finish() throws(RecordProblems) -> ParsedResult {
        try faults.check()
        guard let form else {
            try faults.fail(LineFault(expected: ResultForm.all, found: "an empty file"))
        }
        if form == .percentiles {
            let latencies = histogram.latencies
            if latencies.isEmpty {
                try faults.fail(LineFault(expected: "values with their percentiles and counts", found: "none"))
            }
            return ParsedResult(
                content: .latencies(latencies), form: form,
                notes: ["the values of the histogram are taken for milliseconds"])
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
                    expected: "requests in the result of \(form.name)",
                    found: otherLines > 0 ? "\(FigureText.counted(otherLines, "line")) of other things" : "none"))
        }
        try checkPauses()
        var notes: [String] = []
        if left > 0 { notes.append("\(FigureText.counted(left, "request")) left out by --from and --to") }
        // A whole second each time is a clock of seconds; few requests can lie so by chance.
        let step: Int64 = isInSeconds && requests.count >= 20 ? 1_000_000 : 0
        if step > 0 {
            notes.append(
                form.isK6CSV
                    ? "k6 writes whole seconds to CSV unless K6_CSV_TIME_FORMAT=unix_micro says otherwise; --out json has microseconds"
                    : "all times are whole seconds")
        }
        return ParsedResult(content: .requests(RequestRecord(requests, clockStep: step)), form: form, notes: notes)
    }

    /// Throws if a request starts so long after the one before it that both cannot be of one load test: a clock that
    /// was wrong for a row, or several tests in one file.
    private mutating func checkPauses() throws(RecordProblems) {
        guard let first = requests.lazy.map(\.start).min(), let last = requests.lazy.map(\.start).max(),
            last - first > Stamp.longest
        else { return }
        let order = requests.indices.sorted { (requests[$0].start, $0) < (requests[$1].start, $1) }
        for (before, after) in zip(order, order.dropFirst()) {
            let pause = requests[after].start - requests[before].start
            if pause <= Stamp.longest { continue }
            faults.add(
                LineFault(
                    expected:
                        "a start within a day of the request before it, in line \(lines[before]), as in one load test "
                        + "(--from and --to choose a part of the record)",
                    found: "one \(FigureText.threeDigits(Double(pause) / Double(Stamp.longest))) days later"),
                line: Int(lines[after]))
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
    package static func isTime(_ text: String) -> Bool {
        do throws(LineFault) {
            _ = try Stamp.microseconds(text, column: 1)
            return true
        } catch { return false }
    }

    /// The starts in microseconds, as a record of a form counts them.
    func span(in form: ResultForm) throws(LineFault) -> Range<Int64> {
        if from == nil && to == nil { return .min..<Int64.max }
        if form == .percentiles {
            throw LineFault(
                expected: "a record with the times of its requests for --from and --to",
                found: "the percentiles of an HdrHistogram")
        }
        func time(_ text: String) throws(LineFault) -> Int64 {
            if form == .h2load, let whole = Int64(text) { return whole }
            if case .plain = form { return try Stamp.microseconds(text, column: 1, isSeconds: true) }
            return try Stamp.microseconds(text, column: 1)
        }
        let (first, last) = (try from.map(time) ?? .min, try to.map(time) ?? .max)
        guard first < last else {
            throw LineFault(
                expected: "a time of --to that is later than that of --from", found: "\(from ?? "") and \(to ?? "")")
        }
        return first..<last
    }
}
