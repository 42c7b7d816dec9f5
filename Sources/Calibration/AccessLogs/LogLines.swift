import Basics

/// Reads the lines of a log by one form.
struct LogLines {
    /// A line as it was read.
    enum Line {
        /// In minutes since 1970, the first of two if the clock came to its time twice, and then `laterBy` minutes
        /// later too; on another path if `isWanted` is false. `at` is the first instant in microseconds.
        case request(minute: Int64, at: Int64, laterBy: Int64?, isWanted: Bool)
        /// A header or a comment.
        case heading
        /// A line that is no request, and why.
        case other(LineFault)
    }

    let preset: LogPreset
    private let path: String?
    /// Whether a line without a path is a request.
    let countsWithoutPath: Bool
    private var reader: FieldReader
    private(set) var clock: RecordClock
    /// The last time and its instant in microseconds, since lines mostly share their second.
    private var last: (text: [UInt8], at: Int64, laterBy: Int64?) = ([], 0, nil)
    /// For each of the paths, whether it may be words.
    private let areTexts: [Bool]

    init(_ usual: LogPreset, _ choice: AccessLogChoice, countsWithoutPath: Bool) {
        var preset = usual.with(choice.columns)
        if choice.wantsClients && preset.clients.isEmpty { preset.clients = LogPreset.usualClients }
        self.preset = preset
        path = choice.path
        self.countsWithoutPath = path == nil && (countsWithoutPath || preset.paths.isEmpty)
        let filter = preset.filter.map { [$0.name] } ?? []
        reader = FieldReader(
            preset.layout, names: preset.times + preset.paths + preset.clients + preset.versions + filter)
        clock = RecordClock(zone: choice.zone)
        areTexts = preset.paths.map(LogPreset.usualTexts.contains)
    }

    mutating func read(_ line: UnsafeBufferPointer<UInt8>) -> Line {
        if line.first == UInt8(ascii: "#") {
            _ = preset.layout == .extended && reader.takeHeader(line)
            return .heading
        }
        if reader.awaitsHeader {
            if preset.layout == .table {
                _ = reader.takeHeader(line)
                return .heading
            }
            return .other(LineFault(expected: "a line that begins with #Fields:", found: QuotedCut.text(line)))
        }
        if var fault = reader.read(line) {
            if case .template = preset.layout { fault.expected = "a line in the form of \(preset.title)" }
            return .other(fault)
        }
        if let filter = preset.filter {
            guard let field = reader.fields.last ?? nil, line[field.range].starts(with: filter.begin.utf8) else {
                return .other(LineFault(expected: "\(filter.name) \(filter.begin)", found: QuotedCut.text(line)))
            }
        }
        guard let at = instant(line) else { return .other(timeFault(line)) }
        let minute = at / 60_000_000
        let laterBy = last.laterBy.map { $0 / 60_000_000 }
        let paths = reader.fields[preset.times.count..<(preset.times.count + preset.paths.count)]
        var found: [UInt8]?
        for (field, isText) in zip(paths, areTexts) where found == nil {
            if let field { found = requestPath(field, line, isText: isText) }
        }
        guard let found else {
            if countsWithoutPath { return .request(minute: minute, at: at, laterBy: laterBy, isWanted: true) }
            return .other(
                LineFault(
                    expected: "a request"
                        + (preset.paths.isEmpty ? "" : " as \(preset.paths.prefix(3).joined(separator: " or "))"),
                    found: QuotedCut.text(line)))
        }
        return .request(
            minute: minute, at: at, laterBy: laterBy, isWanted: path.map { found.starts(with: $0.utf8) } ?? true)
    }

    private func requestPath(_ field: LineField, _ line: UnsafeBufferPointer<UInt8>, isText: Bool) -> [UInt8]? {
        if field.form == .plain {
            return RequestLine.path(line, field.range, isText: isText).map { path == nil ? [] : Array($0) }
        }
        let bytes = Array(field.text(in: line).utf8)
        return bytes.withUnsafeBufferPointer { RequestLine.path($0, 0..<$0.count, isText: isText).map { Array($0) } }
    }

    private mutating func instant(_ line: UnsafeBufferPointer<UInt8>) -> Int64? {
        let times = reader.fields[..<preset.times.count]
        if preset.hasDate {
            guard let day = times[0], let time = times[1] else { return nil }
            // Both of these forms write UTC.
            return instant(of: line[day.range] + [UInt8(ascii: "T")] + line[time.range] + [UInt8(ascii: "Z")])
        }
        guard let field = times.lazy.compactMap({ $0 }).first else { return nil }
        if field.form != .plain { return instant(of: Array(field.text(in: line).utf8)) }
        if line[field.range].elementsEqual(last.text) { return last.at }
        return instant(of: Array(line[field.range]))
    }

    private mutating func instant(of text: [UInt8]) -> Int64? {
        guard let (unix, _) = clock.unix(text) else { return nil }
        last = (text, unix, clock.laterBy)
        return unix
    }

    /// The digest of the client of the line that was read last; nil where it names none.
    func client(_ line: UnsafeBufferPointer<UInt8>) -> UInt64? {
        let first = preset.times.count + preset.paths.count
        guard let range = value(of: first..<(first + preset.clients.count), line) else { return nil }
        return ClientDigest.of(line[range])
    }

    /// The version of the line that was read last; nil where it names none.
    func version(_ line: UnsafeBufferPointer<UInt8>) -> String? {
        let first = preset.times.count + preset.paths.count + preset.clients.count
        return value(of: first..<(first + preset.versions.count), line).map {
            String(decoding: line[$0], as: UTF8.self)
        }
    }

    /// The bytes of the first of some fields that a line has, and that is neither empty nor the `-` of servers.
    private func value(of places: Range<Int>, _ line: UnsafeBufferPointer<UInt8>) -> Range<Int>? {
        for place in places {
            guard let field = reader.fields[place], !field.range.isEmpty else { continue }
            if field.range.count == 1, line[field.range.lowerBound] == UInt8(ascii: "-") { continue }
            return field.range
        }
        return nil
    }

    private func timeFault(_ line: UnsafeBufferPointer<UInt8>) -> LineFault {
        let field = reader.fields[..<preset.times.count].lazy.compactMap { $0 }.first
        let name = preset.times.prefix(3).joined(separator: " or ")
        return LineFault(
            column: field.map { $0.range.lowerBound + 1 } ?? 1,
            expected:
                "a date and time, or seconds to nanoseconds since 1970, as \(name) (--log-columns time=… names it)",
            found: field.map { QuotedCut.text($0.text(in: line)) } ?? "none")
    }
}
