import Basics
import ScenarioFiles

/// The requests of a server's access logs, counted by the minute.
package struct AccessLog: Sendable {
    package var minutes: MinuteCounts
    /// The forms by which the logs were read.
    package var forms: [String]
    /// Lines that were left out, and what is probably not meant; a sentence each.
    package var notes: [String]
}

/// The requests of an access log that count, and how they are read.
package struct AccessLogChoice: Sendable {
    /// The names of the fields with the time and the path, where they are stated.
    package var columns: ColumnNames
    /// The name of a form, or a template; nil if the lines tell it.
    package var format: String?
    /// Only requests whose path begins so count; nil for all.
    package var path: String?
    /// The zone of times without an offset; nil for UTC.
    package var zone: String?
    /// Whether the first line that is no request ends the reading.
    package var isStrict: Bool

    package init(
        columns: ColumnNames = .ofAccessLog, format: String? = nil, path: String? = nil, zone: String? = nil,
        isStrict: Bool = false
    ) {
        (self.columns, self.format, self.path, self.zone, self.isStrict) = (columns, format, path, zone, isStrict)
    }
}

/// Reads access logs (`compare --log`) by one form each, which is stated or told by their first lines.
///
/// Nothing but the minute of each line is kept, so a log may be larger than memory.
package enum AccessLogReader {
    /// - Parameters:
    ///   - sources: logs of one server that follow each other or overlap, each line of which counts.
    ///   - span: the minutes of the run that the log stands beside. Where the log has requests in them, only these
    ///     count.
    package static func read(
        _ sources: [RecordSource], span: Range<Int64> = 0..<0, _ choice: AccessLogChoice = .init()
    ) throws(RecordProblems) -> AccessLog {
        var counts = AccessLogCounts(LoggedMinutes(span: span))
        for source in sources { counts = try AccessLogAssembly(file: source.name, counts, choice).read(source) }
        return try counts.log(choice)
    }
}

/// The lines of all logs so far.
private struct AccessLogCounts {
    var minutes: LoggedMinutes
    var forms: [String] = []
    var requests = 0
    /// Requests on other paths.
    var onOtherPaths = 0
    /// Lines that are no request, by what was expected, with the first ones and their places.
    var others: [String: Int] = [:]
    var firstOthers: [String] = []
    var hasLocalTimes = false

    init(_ minutes: LoggedMinutes) { self.minutes = minutes }

    mutating func add(_ fault: LineFault, at place: String) {
        others[fault.expected, default: 0] += 1
        if firstOthers.count < 3 { firstOthers.append("\(place): \(fault.found)") }
    }

    func log(_ choice: AccessLogChoice) throws(RecordProblems) -> AccessLog {
        var notes: [String] = []
        let count = others.values.reduce(0, +)
        if count > 0 {
            let reasons = others.sorted { ($1.value, $0.key) < ($0.value, $1.key) }
                .map { "\(FigureText.grouped($0.value)) where \($0.key) was expected" }
            notes.append(
                "\(FigureText.counted(count, "line")) of \(FigureText.grouped(requests + count)) left out as no request\(count == 1 ? "" : "s"): \(reasons.joined(separator: ", ")) (\(firstOthers.joined(separator: "; ")))"
            )
        }
        if hasLocalTimes {
            notes.append("times without an offset from UTC are read as UTC (--log-zone states another zone)")
        }
        if onOtherPaths > 0, let path = choice.path {
            notes.append(
                "\(FigureText.counted(onOtherPaths, "line")) of \(FigureText.grouped(requests)) left out: their path does not begin with \(path)"
            )
        }
        let minutes = try minutes.minutes(notes: &notes)
        if let (from, length) = minutes.longestGap, length >= 60 {
            notes.append(
                "no request for \(FigureText.grouped(length)) minutes from \(minutes.text(from)) on: a gap counts as minutes without load"
            )
        }
        return AccessLog(minutes: minutes, forms: forms, notes: notes)
    }
}

/// Counts the lines of a file.
private struct AccessLogAssembly: LineAssembly {
    private let file: String
    private let choice: AccessLogChoice
    private var counts: AccessLogCounts
    private var faults: LineFaults
    private var requests = 0
    private var firstFault: (fault: LineFault, line: Int)?
    /// Nil until the first lines have told the form.
    private var lines: LogLines?
    /// The lines by which a form is told, with their numbers.
    private var sample: [(bytes: [UInt8], number: Int)] = []

    /// So many lines tell the form of a log.
    private static let sampleSize = 100

    /// - Parameter counts: of the logs before it.
    init(file: String, _ counts: AccessLogCounts, _ choice: AccessLogChoice) {
        (self.file, self.counts, self.choice) = (file, counts, choice)
        faults = LineFaults(file: file)
        lines = choice.format.flatMap(LogPreset.named).map {
            LogLines(
                $0, choice, countsWithoutPath: choice.columns.isStated("time") && !choice.columns.isStated("path"))
        }
    }

    mutating func take(_ line: UnsafeBufferPointer<UInt8>, _ number: Int) -> Bool {
        if line.allSatisfy({ $0 == 32 || $0 == 9 }) { return true }
        if lines == nil {
            sample.append((Array(line), number))
            if sample.count < Self.sampleSize { return true }
            tellForm()
        } else {
            count(line, number)
        }
        return faults.count == 0
    }

    mutating func finish() throws(RecordProblems) -> AccessLogCounts {
        if lines == nil { tellForm() }
        try faults.check()
        if requests == 0 {
            if let (fault, line) = firstFault {
                // A log without requests follows from it.
                faults.add(fault, line: line)
                try faults.check()
            }
            try faults.fail(LineFault(expected: "requests in the log", found: "none"))
        }
        if counts.requests == counts.onOtherPaths {
            try faults.fail(LineFault(expected: "requests in the log", found: "none on the path of --log-path"))
        }
        if let lines {
            if !counts.forms.contains(lines.preset.title) { counts.forms.append(lines.preset.title) }
            counts.hasLocalTimes = counts.hasLocalTimes || lines.clock.hasLocalTimes
        }
        return counts
    }

    /// Takes the form by which most of the first lines can be read: with the paths of requests, if there are any.
    private mutating func tellForm() {
        for countsWithoutPath in [false, true] where lines == nil {
            let readings = LogPreset.all.filter { $0.isGeneral || !choice.columns.areStated }.map { preset in
                reading(LogLines(preset, choice, countsWithoutPath: countsWithoutPath))
            }
            guard let most = readings.map(\.minutes.count).max(), most > 0 else { continue }
            let best = readings.filter { $0.minutes.count == most }
            lines = best[0].lines
            if let other = best.first(where: { differs($0.minutes, best[0].minutes) }) {
                faults.add(
                    LineFault(
                        expected: "--log-format, since the times of the log can be read in several ways",
                        found: "\(best[0].lines.preset.name) and \(other.lines.preset.name)"), line: 1)
                return
            }
        }
        guard lines != nil else {
            if let (bytes, number) = sample.first(where: { $0.bytes.first != UInt8(ascii: "#") }) {
                faults.add(
                    LineFault(
                        expected:
                            "a line of an access log that is known, or --log-format with its form, or --log-columns time=…,path=… for CSV and JSON with other names",
                        found: QuotedCut.text(bytes)), line: number)
            }
            return
        }
        for (bytes, number) in sample { bytes.withUnsafeBufferPointer { count($0, number) } }
        sample = []
    }

    /// The minutes of the first lines by one form; the lines come again afterwards.
    private func reading(_ fresh: LogLines) -> (lines: LogLines, minutes: [Int: Int64]) {
        var lines = fresh
        var minutes: [Int: Int64] = [:]
        for (bytes, number) in sample {
            bytes.withUnsafeBufferPointer {
                if case .request(let minute, _) = lines.read($0) { minutes[number] = minute }
            }
        }
        return (fresh, minutes)
    }

    /// Whether the times of two forms are further apart than those of an event and of its line in the log.
    private func differs(_ one: [Int: Int64], _ other: [Int: Int64]) -> Bool {
        one.contains { line, minute in other[line].map { ($0 - minute).magnitude > 1 } ?? false }
    }

    private mutating func count(_ line: UnsafeBufferPointer<UInt8>, _ number: Int) {
        switch lines?.read(line) {
        case .request(let minute, let isWanted):
            requests += 1
            counts.requests += 1
            if isWanted { counts.minutes.add(minute, at: (file, number)) } else { counts.onOtherPaths += 1 }
        case .other(let fault):
            counts.add(fault, at: "\(file):\(number)")
            if firstFault == nil { firstFault = (fault, number) }
            if choice.isStrict { faults.add(fault, line: number) }
        case .heading, nil: break
        }
    }
}
