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

/// Reads access logs in the common and the combined form of Apache and nginx, and as JSON lines (`compare --log`). Each
/// line tells its form by its first character.
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
        var (left, lines) = (0, 0)
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
        }
        return try finish(counts, left: left, lines: lines, choice)
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
        return try finish(assembly.counts, left: assembly.left, lines: assembly.lines, choice)
    }

    private static func finish(_ counts: LoggedMinutes, left: Int, lines: Int, _ choice: AccessLogChoice)
        throws(RecordProblems) -> AccessLog
    {
        var notes: [String] = []
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
        lines += 1
        do throws(LineFault) {
            let minute = line.first(where: { $0 != 32 }) == UInt8(ascii: "{") ? try json(line) : try common(line)
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

    /// `host ident user [10/Oct/2000:13:55:36 -0700] "GET /path HTTP/1.0" 200 2326`, with whatever follows; the minute
    /// since 1970, or nil for another path.
    private mutating func common(_ line: UnsafeBufferPointer<UInt8>) throws(LineFault) -> Int64? {
        guard let open = line.firstIndex(of: UInt8(ascii: "[")),
            let close = line[open...].firstIndex(of: UInt8(ascii: "]"))
        else {
            throw LineFault(
                expected: "a line of the common or combined form, with its time in brackets, or a JSON object",
                found: ResultForm.quotedCut(String(decoding: line, as: UTF8.self)))
        }
        let time = line[(open + 1)..<close]
        let minute: Int64
        if time.elementsEqual(last.text) {
            minute = last.minute
        } else {
            let text = String(decoding: time, as: UTF8.self)
            guard let found = LogTime.minute(text) else {
                throw LineFault(
                    column: open + 2, expected: "a time with its offset from UTC, such as 10/Oct/2000:13:55:36 -0700",
                    found: ResultForm.quotedCut(text))
            }
            minute = found
            last = (Array(time), minute)
        }
        guard let path = choice.path else { return minute }
        guard let quote = line[close...].firstIndex(of: UInt8(ascii: "\"")) else {
            throw LineFault(
                column: close + 2, expected: "a request in quotes",
                found: ResultForm.quotedCut(String(decoding: line[close...], as: UTF8.self)))
        }
        // The method, then the path.
        let words = line[(quote + 1)...].split(separator: 32, maxSplits: 2, omittingEmptySubsequences: false)
        return words.count > 1 && words[1].starts(with: path.utf8) ? minute : nil
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

/// The times of the common form.
enum LogTime {
    private static let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]

    /// The minute since 1970 of `10/Oct/2000:13:55:36 -0700`, or of a date-time with an offset; nil for anything else.
    static func minute(_ text: String) -> Int64? {
        let bytes = Array(text.utf8)
        guard bytes.count == 26, bytes[2] == UInt8(ascii: "/"), bytes[6] == UInt8(ascii: "/"),
            bytes[11] == UInt8(ascii: ":"), bytes[20] == 32,
            let month = months.firstIndex(of: String(decoding: bytes[3..<6], as: UTF8.self))
        else { return CalendarText.instant(text).map { $0.unixMicroseconds / 60_000_000 } }
        func part(_ range: Range<Int>) -> String { String(decoding: bytes[range], as: UTF8.self) }
        let iso =
            "\(part(7..<11))-\(TimeText.padded(month + 1, to: 2))-\(part(0..<2))T\(part(12..<20))\(part(21..<24)):\(part(24..<26))"
        return CalendarText.instant(iso).map { $0.unixMicroseconds / 60_000_000 }
    }
}
