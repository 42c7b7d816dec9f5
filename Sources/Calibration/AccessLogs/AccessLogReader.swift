import Basics
import Foundation
import ScenarioFiles

/// The requests of a server's access logs, counted by the minute.
package struct AccessLog: Sendable {
    package var minutes: MinuteCounts
    /// Lines that were left out, and what is probably not meant; a sentence each.
    package var notes: [String]
}

/// The requests of an access log that count, and the names by which they are read.
package struct AccessLogChoice: Sendable {
    /// The names of the members of a log in JSON lines.
    package var columns: ColumnNames
    /// Only requests whose path begins so count; nil for all.
    package var path: String?

    package init(columns: ColumnNames = .ofAccessLog, path: String? = nil) {
        (self.columns, self.path) = (columns, path)
    }
}

/// Reads access logs (`compare --log`): the common and the combined form of Apache and nginx, those of HAProxy, Envoy
/// and AWS's load balancers, the W3C extended form of IIS and CloudFront, and JSON lines. Each line tells its form.
///
/// Nothing but the minute of each line is kept, so a log may be larger than memory.
package enum AccessLogReader {
    /// - Parameters:
    ///   - files: paths, or `-` for standard input: logs of one server that follow each other or overlap, each line of
    ///     which counts.
    ///   - limit: bytes of each.
    ///   - span: the minutes of the run that the log stands beside. Where the log has requests in them, only these
    ///     count.
    package static func read(
        files: [String], limit: Int = RecordLines.usualLimit, span: Range<Int64>, _ choice: AccessLogChoice = .init()
    ) throws(RecordProblems) -> AccessLog {
        var counts = LoggedMinutes(span: span)
        var (left, lines, hasLocalTimes) = (0, 0, false)
        for file in files {
            var assembly = AccessLogAssembly(file: file == "-" ? "stdin" : file, counts, choice)
            try RecordLines.read(file: file, limit: limit, content: "an access log as text") { line, number in
                assembly.take(line, number)
                return !assembly.faults.isHopeless
            }
            try assembly.check()
            counts = assembly.counts
            left += assembly.left
            lines += assembly.lines
            hasLocalTimes = hasLocalTimes || assembly.hasLocalTimes
        }
        return try finish(counts, left: left, lines: lines, hasLocalTimes: hasLocalTimes, choice)
    }

    package static func read(text: String, span: Range<Int64> = 0..<0, _ choice: AccessLogChoice = .init())
        throws(RecordProblems) -> AccessLog
    {
        var assembly = AccessLogAssembly(file: "access.log", LoggedMinutes(span: span), choice)
        try RecordLines.split(Array(text.utf8), file: "access.log") { line, number in
            assembly.take(line, number)
            return true
        }
        try assembly.check()
        return try finish(
            assembly.counts, left: assembly.left, lines: assembly.lines, hasLocalTimes: assembly.hasLocalTimes, choice)
    }

    private static func finish(
        _ counts: LoggedMinutes, left: Int, lines: Int, hasLocalTimes: Bool, _ choice: AccessLogChoice
    ) throws(RecordProblems) -> AccessLog {
        var notes: [String] = []
        if hasLocalTimes { notes.append("times without an offset from UTC are read as UTC") }
        if left > 0, let path = choice.path {
            notes.append(
                "\(FigureText.counted(left, "line")) of \(FigureText.grouped(lines)) left out: their path does not begin with \(path)"
            )
        }
        let minutes = try counts.minutes(notes: &notes)
        if let (from, length) = minutes.longestGap, length >= 60 {
            notes.append(
                "no request for \(FigureText.grouped(length)) minutes from \(minutes.text(from)) on: a gap counts as minutes without load"
            )
        }
        return AccessLog(minutes: minutes, notes: notes)
    }
}

/// Counts the lines of a file.
private struct AccessLogAssembly {
    var faults: LineFaults
    private(set) var counts: LoggedMinutes
    private(set) var left = 0
    private(set) var lines = 0
    /// Whether any time has no offset from UTC.
    private(set) var hasLocalTimes = false
    /// The columns that the file's latest `#Fields` line has named.
    private var fields: LogFields?
    private let choice: AccessLogChoice
    /// The text of the last time and its minute, since lines mostly share their second.
    private var last: (text: [UInt8], minute: Int64) = ([], 0)

    /// - Parameter counts: of the logs before it.
    init(file: String, _ counts: LoggedMinutes, _ choice: AccessLogChoice) {
        faults = LineFaults(file: file)
        self.counts = counts
        self.choice = choice
    }

    mutating func take(_ line: UnsafeBufferPointer<UInt8>, _ number: Int) {
        if line.allSatisfy({ $0 == 32 || $0 == 9 || $0 == 13 }) { return }
        do throws(LineFault) {
            if line.first == UInt8(ascii: "#") {
                fields = try LogFields(directive: line) ?? fields
                return
            }
            lines += 1
            let minute: Int64?
            if line.first(where: { $0 != 32 }) == UInt8(ascii: "{") {
                minute = try json(line)
            } else if let fields {
                minute = try fields.minute(of: line, path: choice.path)
            } else if let time = LogTime.balancerTime(line) {
                minute = try onPath(line[...]) ? time : nil
            } else {
                minute = try common(line)
            }
            if let minute { counts.add(minute, at: (faults.file, number)) } else { left += 1 }
        } catch {
            faults.add(error, line: number)
        }
    }

    mutating func check() throws(RecordProblems) {
        try faults.check()
        if lines == left {
            try faults.fail(
                LineFault(expected: "requests in the log", found: left > 0 ? "none on the path of --log-path" : "none"))
        }
    }

    /// `host ident user [10/Oct/2000:13:55:36 -0700] "GET /path HTTP/1.0" 200 2326`, with whatever precedes and
    /// follows, as the number of a process in brackets; the minute since 1970, or nil for another path.
    private mutating func common(_ line: UnsafeBufferPointer<UInt8>) throws(LineFault) -> Int64? {
        var from = line.startIndex
        var first: Range<Int>?
        while let open = line[from...].firstIndex(of: UInt8(ascii: "[")),
            let close = line[open...].firstIndex(of: UInt8(ascii: "]"))
        {
            let time = line[(open + 1)..<close]
            if time.elementsEqual(last.text) { return try onPath(line[close...]) ? last.minute : nil }
            if let minute = LogTime.minute(String(decoding: time, as: UTF8.self)) {
                last = (Array(time), minute)
                hasLocalTimes = hasLocalTimes || LogTime.isLocal(time)
                return try onPath(line[close...]) ? minute : nil
            }
            first = first ?? (open + 1)..<close
            from = close + 1
        }
        guard let first else {
            throw LineFault(
                expected: "a line of an access log, with its time in brackets, or a JSON object",
                found: ResultForm.quotedCut(String(decoding: line, as: UTF8.self)))
        }
        throw LineFault(
            column: first.lowerBound + 1,
            expected: "a time with its offset from UTC, such as 10/Oct/2000:13:55:36 -0700",
            found: ResultForm.quotedCut(String(decoding: line[first], as: UTF8.self)))
    }

    /// Whether the request in quotes after the time of a line is on the path that counts.
    private func onPath(_ rest: Slice<UnsafeBufferPointer<UInt8>>) throws(LineFault) -> Bool {
        guard let path = choice.path else { return true }
        guard let quote = rest.firstIndex(of: UInt8(ascii: "\"")) else {
            throw LineFault(
                column: rest.startIndex + 2, expected: "a request in quotes",
                found: ResultForm.quotedCut(String(decoding: rest, as: UTF8.self)))
        }
        // The method, then the path or the whole address.
        let words = rest[(quote + 1)...].split(separator: 32, maxSplits: 2, omittingEmptySubsequences: false)
        return words.count > 1 && LogTime.path(of: words[1]).starts(with: path.utf8)
    }

    private func json(_ line: UnsafeBufferPointer<UInt8>) throws(LineFault) -> Int64? {
        let object = try JSONLine(line)
        let name = choice.columns["time"]
        let minute: Int64
        if let text = object[name] as? String {
            if let found = LogTime.minute(text) {
                minute = found
            } else {
                minute = try Stamp.microseconds(text, column: 1) / 60_000_000
            }
        } else if let number = object[name] as? Double {
            minute = try Stamp.microseconds("\(number)", column: 1) / 60_000_000
        } else {
            throw LineFault(expected: "a member '\(name)' with the time (--log-columns time=… names it)", found: "none")
        }
        guard let path = choice.path else { return minute }
        let member = choice.columns["path"]
        guard let text = object[member] as? String else {
            throw LineFault(
                expected: "a member '\(member)' with the path (--log-columns path=… names it)", found: "none")
        }
        // Some servers write the whole request, `GET /path HTTP/1.1`.
        let words = text.split(separator: " ")
        return (words.count > 1 && !text.hasPrefix("/") ? String(words[1]) : text).hasPrefix(path) ? minute : nil
    }
}
