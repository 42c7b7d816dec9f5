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
    /// Whether requests are kept by their clients, whose field then has a name, stated or usual.
    var wantsClients = false
    /// Only requests of this version of the app count; nil for all, which then must be of one.
    package var version: String?

    package init(
        columns: ColumnNames = .ofAccessLog, format: String? = nil, path: String? = nil, zone: String? = nil,
        isStrict: Bool = false, version: String? = nil
    ) {
        (self.columns, self.format, self.path, self.zone, self.isStrict) = (columns, format, path, zone, isStrict)
        self.version = version
    }

    /// Whether the log is a table of counts or rates.
    var isTable: Bool { columns.isStated("count") || columns.isStated("rate") }
    /// Whether every line with a time is a request, since that alone is stated.
    var countsEachTime: Bool { columns.isStated("time") && !columns.isStated("path") }
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
        for source in sources {
            if choice.isTable {
                try counts.take(table: source, day: span.lowerBound, choice)
            } else {
                counts = try AccessLogAssembly(file: source.name, counts, choice)
                    .read(source) { record, _ in JSONDocument.lines(ofStream: record) }
            }
        }
        return try counts.log(choice)
    }

    /// Reads the requests by their clients, as digests; twenty bytes of memory a request.
    package static func readClients(_ sources: [RecordSource], _ stated: AccessLogChoice) throws(RecordProblems)
        -> ClientLog
    {
        var choice = stated
        choice.wantsClients = true
        var counts = AccessLogCounts(LoggedMinutes(span: 0..<0))
        for source in sources {
            counts = try AccessLogAssembly(file: source.name, counts, choice)
                .read(source) { record, _ in JSONDocument.lines(ofStream: record) }
        }
        let log = try counts.log(choice)
        let name = sources.count == 1 ? sources[0].name : "\(sources.count) logs"
        let clients = counts.clients
        if choice.version == nil, clients.versions.count > 1 {
            let most = clients.versions.sorted { ($1.value, $0.key) < ($0.value, $1.key) }.prefix(5)
                .map { "\($0.key.isEmpty ? "none" : $0.key) (\(FigureText.counted($0.value, "request")))" }
            throw RecordProblems(
                name, expected: "one version of the app, since others ask at other times (--client-version states it)",
                found: most.joined(separator: ", ") + (clients.versions.count > 5 ? ", …" : ""))
        }
        guard clients.count > 0 else {
            throw RecordProblems(
                name,
                expected: "a client in the lines (--log-columns client=… names its field)"
                    + (choice.version.map { " of the version \(QuotedCut.text($0))" } ?? ""),
                found: "none")
        }
        var notes = log.notes
        if clients.withoutClient > 0 {
            notes.append("\(FigureText.counted(clients.withoutClient, "request")) left out that no client is named for")
        }
        let (times, bounds) = counts.clients.sorted()
        return ClientLog(times: times, bounds: bounds, forms: log.forms, notes: notes)
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
    /// Requests that a template or `--log-columns` without a path counts.
    var withoutPath = 0
    /// The step of the coarsest table, in minutes.
    var step = 1
    /// Sentences on tables.
    var tableNotes: [String] = []
    /// Empty unless they are asked for.
    var clients = ClientRequests()

    init(_ minutes: LoggedMinutes) { self.minutes = minutes }

    mutating func add(_ fault: LineFault, at place: String) {
        others[fault.expected, default: 0] += 1
        if firstOthers.count < 3 { firstOthers.append("\(place): \(fault.found)") }
    }

    /// Adds a request to its client's.
    mutating func addClient(
        of line: UnsafeBufferPointer<UInt8>, at: Int64, _ lines: LogLines, _ choice: AccessLogChoice
    ) {
        if !lines.preset.versions.isEmpty {
            let version = lines.version(line) ?? ""
            clients.count(version: version)
            if let wanted = choice.version, version != wanted { return }
        }
        clients.add(client: lines.client(line), at: at)
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
        if withoutPath > 0 {
            notes.append(
                "\(FigureText.counted(withoutPath, "line")) with a time counted as a request each, since nothing states a path"
            )
        }
        notes += tableNotes
        if hasLocalTimes {
            notes.append("times without an offset from UTC are read as UTC (--log-zone states another zone)")
        }
        if onOtherPaths > 0, let path = choice.path {
            notes.append(
                "\(FigureText.counted(onOtherPaths, "line")) of \(FigureText.grouped(requests)) left out: their path does not begin with \(path)"
            )
        }
        var minutes = try minutes.minutes(notes: &notes)
        minutes.step = step
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
    /// By their days since 1970.
    private var repeatedHours: [Int64: RepeatedHour] = [:]
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
        for hours in repeatedHours.values {
            for (minute, count) in hours.minutes { counts.minutes.add(minute, at: (file, 1), count: count) }
        }
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
            if lines.countsWithoutPath && lines.preset.name != "nlb" { counts.withoutPath += requests }
        }
        return counts
    }

    /// Takes the form by which most of the first lines can be read: with the paths of requests, or without any where
    /// the time alone is stated.
    private mutating func tellForm() {
        for countsWithoutPath in [false, true] where lines == nil && (!countsWithoutPath || choice.countsEachTime) {
            let readings = readings(countsWithoutPath: countsWithoutPath)
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
        if lines == nil, let named = choice.format.flatMap(LogPreset.named) {
            lines = LogLines(named, choice, countsWithoutPath: false)
        }
        guard lines != nil else {
            if let (bytes, number) = sample.first(where: { $0.bytes.first != UInt8(ascii: "#") }) {
                faults.add(withoutRequests(bytes), line: number)
            }
            return
        }
        for (bytes, number) in sample { bytes.withUnsafeBufferPointer { count($0, number) } }
        sample = []
    }

    private func readings(countsWithoutPath: Bool) -> [(lines: LogLines, minutes: [Int: Int64])] {
        let named = choice.format.flatMap(LogPreset.named).map { [$0] }
        return (named ?? LogPreset.all.filter { $0.isGeneral || !choice.columns.areStated }).map { preset in
            reading(LogLines(preset, choice, countsWithoutPath: countsWithoutPath))
        }
    }

    /// Says what lines have that no form reads as requests.
    private func withoutRequests(_ first: [UInt8]) -> LineFault {
        let text = Array(sample.map(\.bytes).joined(separator: [10]))
        if let (time, values) = LoadTable.names(text), !choice.columns.isStated("path"), choice.path == nil {
            let name = values.count == 1 ? values[0] : LoadTable.every
            return LineFault(
                expected:
                    "requests with a path, or for a table of numbers --log-columns \(LogPreset.stated("time", time)),\(LogPreset.stated("count", name)) where they are requests in each interval, and \(LogPreset.stated("rate", name)) where they are requests a second",
                found: "a table of \(([time] + values).prefix(4).joined(separator: ", ")) without a path")
        }
        let timed = readings(countsWithoutPath: true).map(\.minutes.count).max() ?? 0
        if timed > 0, choice.path == nil {
            let fields = LineFields.names(first)
            return LineFault(
                expected:
                    "a request or its path in the lines (--log-columns time=…,path=… names their fields, --log-format states a form; --log-columns time=… alone counts each line as a request)",
                found:
                    "\(timed) of \(FigureText.counted(sample.count, "line")) with a time and none with a request"
                    + (fields.isEmpty ? "" : "; fields are \(fields.prefix(12).joined(separator: ", "))"))
        }
        return LineFault(
            expected:
                "a line of an access log that is known, or --log-format with its form, or --log-columns time=…,path=… for CSV and JSON with other names",
            found: choice.wantsClients ? "another line" : QuotedCut.text(first))
    }

    /// The minutes of the first lines by one form; the lines come again afterwards.
    private func reading(_ fresh: LogLines) -> (lines: LogLines, minutes: [Int: Int64]) {
        var lines = fresh
        var minutes: [Int: Int64] = [:]
        // By its place: the records of a JSON document may share a line.
        for (place, line) in sample.enumerated() {
            line.bytes.withUnsafeBufferPointer {
                if case .request(let minute, _, _, _) = lines.read($0) { minutes[place] = minute }
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
        case .request(let minute, let at, let laterBy, let isWanted):
            if isWanted, choice.wantsClients, let lines { counts.addClient(of: line, at: at, lines, choice) }
            requests += 1
            counts.requests += 1
            if !isWanted { counts.onOtherPaths += 1 }
            if let laterBy {
                repeatedHours[minute / 1_440, default: RepeatedHour(shift: laterBy)].add(minute, isWanted ? 1 : 0)
            } else {
                for day in repeatedHours.keys { repeatedHours[day]?.follow(minute) }
                if isWanted { counts.minutes.add(minute, at: (file, number)) }
            }
        case .other(var fault):
            // Lines have clients' names in them, which are said nowhere.
            if choice.wantsClients { fault.found = "another line" }
            counts.add(fault, at: "\(file):\(number)")
            if firstFault == nil { firstFault = (fault, number) }
            if choice.isStrict { faults.add(fault, line: number) }
        case .heading, nil: break
        }
    }
}

// MARK: Tables

extension AccessLogCounts {
    /// Counts the requests of a table of counts or rates.
    ///
    /// - Parameter day: a minute of the day that times without a date are of.
    fileprivate mutating func take(table source: RecordSource, day: Int64, _ choice: AccessLogChoice)
        throws(RecordProblems)
    {
        let areCounts = choice.columns.isStated("count")
        var faults = LineFaults(file: source.name)
        let bytes = try RecordLines.bytes(source, limit: LoadTable.largest)
        let table: LoadTable
        do throws(LoadTable.Fault) {
            table = try LoadTable(
                bytes, time: choice.columns.isStated("time") ? choice.columns["time"] : nil,
                value: choice.columns[areCounts ? "count" : "rate"],
                path: choice.columns.isStated("path") || choice.path != nil ? choice.columns["path"] : nil)
        } catch {
            try faults.fail(LineFault(expected: error.expected, found: error.found), line: error.line)
        }
        if table.others.count > 0 {
            if choice.isStrict {
                try faults.fail(LineFault(expected: "a time", found: "none"), line: table.others.first)
            }
            tableNotes.append(
                "\(FigureText.counted(table.others.count, "row")) without a time left out (\(source.name):\(table.others.first))"
            )
        }
        if table.empty > 0 {
            tableNotes.append("\(FigureText.counted(table.empty, "value")) left out that are empty or no numbers")
        }
        if let row = table.rows.first(where: { if case .minute = $0.time { true } else { false } }) {
            try faults.fail(
                LineFault(expected: "a column of times for --log-columns time=…", found: "minutes without a date"),
                line: row.line)
        }
        let isOfClocks = table.rows.contains { if case .clock = $0.time { true } else { false } }
        let rows: [(unix: Int64, value: Double)]
        do throws(LoadTable.Fault) {
            rows = try table.instants(
                zone: choice.zone, beginning: day * 60_000_000, hasLocalTimes: &hasLocalTimes,
                where: { path in choice.path.map { path?.hasPrefix($0) == true } ?? true })
        } catch {
            try faults.fail(LineFault(expected: error.expected, found: error.found), line: error.line)
        }
        if rows.isEmpty {
            try faults.fail(LineFault(expected: "rows in the table", found: "none on the path of --log-path"))
        }
        guard let series = LoadSeries(rows, areCounts: areCounts) else {
            try faults.fail(
                LineFault(expected: "rows of two times at least, which tell how long an interval is", found: "one time")
            )
        }
        let first = series.intervals[0].from
        let last = series.intervals[series.intervals.count - 1].from + series.step
        guard last - first <= 3_660 * 86_400_000_000 else {
            try faults.fail(LineFault(expected: "a table of at most 3,660 days", found: "a longer one"))
        }
        if isOfClocks {
            tableNotes.append(
                "times without a date are taken for those of \(MinuteCounts.text(day).prefix(10))")
        }
        // By the minute, and then rounded so that sums are right.
        var minutes: [Int64: Double] = [:]
        for interval in series.intervals {
            var at = interval.from
            let end = interval.from + series.step
            while at < end {
                let minute = at / 60_000_000
                let next = min(end, (minute + 1) * 60_000_000)
                minutes[minute, default: 0] += interval.perSecond * Double(next - at) * 1e-6
                at = next
            }
        }
        var (sum, taken) = (0.0, Int64(0))
        for minute in minutes.keys.sorted() {
            sum += minutes[minute]!
            let whole = Int64(cutting: (sum + 1e-6).rounded(.down))
            if whole > taken { self.minutes.add(minute, at: (source.name, 1), count: whole - taken) }
            taken = whole
        }
        let rest = Int64(cutting: sum.rounded()) - taken
        if rest > 0, let last = minutes.keys.max() { self.minutes.add(last, at: (source.name, 1), count: rest) }
        requests += Int(taken + rest)
        guard taken + rest > 0 else {
            try faults.fail(LineFault(expected: "requests in the table", found: "none"))
        }
        let length = Int((series.step + 59_999_999) / 60_000_000)
        step = max(step, length)
        let form =
            "a table of \(areCounts ? "requests" : "requests a second") in intervals of \(FitText.fine(seconds: Double(series.step) * 1e-6))"
        if !forms.contains(form) { forms.append(form) }
        if length > 1 {
            tableNotes.append(
                "the table says nothing of single minutes\(length > 60 ? " and hours" : ""), and figures of them are left out"
            )
        }
    }
}
