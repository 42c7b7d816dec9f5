import Basics

/// A form of lines as servers state theirs: fields, and the text between them.
///
/// A line may have other words before it, such as those of a syslog, and more behind it.
struct LineTemplate: Sendable {
    enum Part: Hashable, Sendable {
        case text([UInt8])
        case field(String)
        /// Anything, up to where the next part is found.
        case gap
    }

    let parts: [Part]
    /// The parts between gaps.
    private let segments: [Range<Int>]

    /// Fields that are a time, and those that are a request line with its method or a path, by the names that servers
    /// give them.
    static let times = ["time_local", "time_iso8601", "msec", "t", "time"]
    static let requests = ["request", "r", "request_uri", "uri", "U", "path"]

    var fields: [String] { parts.compactMap { if case .field(let name) = $0 { name } else { nil } } }

    /// - Parameter text: in the words of nginx (`$remote_addr [$time_local] "$request"`), where `$*` is anything, or in
    ///   those of Apache (`%h %l %u %t "%r" %>s`).
    /// - Returns: nil for a text with neither, or with two fields that nothing separates.
    init?(_ text: String) {
        let read = text.contains("$") ? Self.nginx(Array(text.utf8)) : Self.apache(Array(text.utf8))
        guard let read, read.contains(where: { if case .field = $0 { true } else { false } }) else { return nil }
        for (part, next) in zip(read, read.dropFirst()) {
            if case .field(let name) = part, case .field = next, !Self.requests.contains(name) { return nil }
        }
        parts = [.gap] + read
        var segments: [Range<Int>] = []
        for index in parts.indices where parts[index] != .gap {
            if let last = segments.last, last.upperBound == index {
                segments[segments.count - 1] = last.lowerBound..<(index + 1)
            } else {
                segments.append(index..<(index + 1))
            }
        }
        self.segments = segments
    }

    private static func isName(_ byte: UInt8) -> Bool {
        (48...57).contains(byte) || (65...90).contains(byte) || (97...122).contains(byte) || byte == UInt8(ascii: "_")
    }

    private static func nginx(_ text: [UInt8]) -> [Part]? {
        var (parts, between, at): ([Part], [UInt8], Int) = ([], [], 0)
        func flush() {
            if !between.isEmpty { parts.append(.text(between)) }
            between = []
        }
        while at < text.count {
            guard text[at] == UInt8(ascii: "$") else {
                between.append(text[at])
                at += 1
                continue
            }
            flush()
            at += 1
            if at < text.count, text[at] == UInt8(ascii: "*") {
                parts.append(.gap)
                at += 1
                continue
            }
            let isBraced = at < text.count && text[at] == UInt8(ascii: "{")
            if isBraced { at += 1 }
            let name = text[at...].prefix(while: isName)
            at += name.count
            if isBraced {
                guard at < text.count, text[at] == UInt8(ascii: "}") else { return nil }
                at += 1
            }
            if name.isEmpty { return nil }
            parts.append(.field(String(decoding: name, as: UTF8.self)))
        }
        flush()
        return parts
    }

    private static func apache(_ text: [UInt8]) -> [Part]? {
        var (parts, between, at): ([Part], [UInt8], Int) = ([], [], 0)
        func flush() {
            if !between.isEmpty { parts.append(.text(between)) }
            between = []
        }
        while at < text.count {
            // Configurations write a quote as `\"`.
            if text[at] == UInt8(ascii: "\\"), at + 1 < text.count, text[at + 1] == UInt8(ascii: "\"") { at += 1 }
            guard text[at] == UInt8(ascii: "%") else {
                between.append(text[at])
                at += 1
                continue
            }
            at += 1
            while at < text.count, "<>!,0123456789".utf8.contains(text[at]) { at += 1 }
            var argument: String?
            if at < text.count, text[at] == UInt8(ascii: "{") {
                guard let end = text[at...].firstIndex(of: UInt8(ascii: "}")) else { return nil }
                argument = String(decoding: text[(at + 1)..<end], as: UTF8.self)
                at = end + 1
            }
            guard at < text.count else { return nil }
            let letter = text[at]
            at += 1
            if letter == UInt8(ascii: "%") {
                between.append(letter)
                continue
            }
            guard isName(letter) else { return nil }
            let name = String(decoding: [letter], as: UTF8.self)
            // `%t` writes its brackets itself.
            if name == "t" && argument == nil { between.append(UInt8(ascii: "[")) }
            flush()
            parts.append(.field(name == "t" ? "t" : argument ?? name))
            if name == "t" && argument == nil { between.append(UInt8(ascii: "]")) }
        }
        flush()
        return parts
    }

    // MARK: Lines

    /// Sets the fields of the names, in their order; nil where the line has none.
    ///
    /// The parts between two gaps take the first place at which all of them are found, with a time where one must be
    /// and a request where one must be. If no place has a request, the first place counts that has the rest: such a
    /// line is of this form and no request. Places before a gap are not tried again, and few in a gap, so a line takes
    /// time in proportion to its length.
    ///
    /// - Returns: whether the line is of this form.
    func read(_ line: UnsafeBufferPointer<UInt8>, names: [String], into fields: inout [LineField?]) -> Bool {
        read(line, names, &fields, wantsRequest: true) || read(line, names, &fields, wantsRequest: false)
    }

    /// So many places of a gap are tried for a request behind it.
    private static let mostTries = 64

    private func read(
        _ line: UnsafeBufferPointer<UInt8>, _ names: [String], _ fields: inout [LineField?], wantsRequest: Bool
    ) -> Bool {
        for index in names.indices { fields[index] = nil }
        var at = 0
        for segment in segments {
            var (from, tries): (Int?, Int) = (at, 0)
            var end: Int?
            while end == nil, let begin = from, begin <= line.count {
                from = nil
                switch parts[segment.lowerBound] {
                case .gap: return false
                case .text(let text):
                    guard let found = Self.find(text, in: line, from: begin) else { return false }
                    end = match(
                        segment.dropFirst(), line, at: found + text.count, names, &fields, wantsRequest: wantsRequest)
                    from = found + 1
                    // Looking for a time is looking at few characters.
                    if !isTime(segment.dropFirst().first) { tries += 1 }
                case .field(let name):
                    let next = part(segment.lowerBound + 1)
                    let range: Range<Int>?
                    if Self.requests.contains(name) {
                        range = RequestLine.find(in: line, from: begin)?.range
                        from = range.map { $0.lowerBound + 1 }
                        tries += 1
                    } else if Self.times.contains(name) {
                        range = Self.time(in: line, from: begin, before: next)
                    } else {
                        range = Self.value(in: line, from: begin, before: next)
                    }
                    guard let range else { return false }
                    keep(range, of: name, names, &fields)
                    end = match(
                        segment.dropFirst(), line, at: range.upperBound, names, &fields, wantsRequest: wantsRequest)
                }
                if tries >= Self.mostTries && end == nil { return false }
            }
            guard let end else { return false }
            at = end
        }
        return true
    }

    private func part(_ index: Int) -> Part? { parts.indices.contains(index) ? parts[index] : nil }

    private func isTime(_ index: Int?) -> Bool {
        guard let index, case .field(let name) = parts[index] else { return false }
        return Self.times.contains(name)
    }

    private func keep(_ range: Range<Int>, of name: String, _ names: [String], _ fields: inout [LineField?]) {
        if let place = names.firstIndex(of: name) { fields[place] = LineField(range: range) }
    }

    /// Where parts end that begin at a place; nil if they are not there.
    private func match(
        _ parts: Range<Int>, _ line: UnsafeBufferPointer<UInt8>, at begin: Int, _ names: [String],
        _ fields: inout [LineField?], wantsRequest: Bool
    ) -> Int? {
        var at = begin
        for index in parts {
            switch self.parts[index] {
            case .gap: return nil
            case .text(let text):
                guard Self.has(text, in: line, at: at) else { return nil }
                at += text.count
            case .field(let name):
                let next = part(index + 1)
                let range: Range<Int>?
                if Self.times.contains(name), index > 0 {
                    range =
                        Self.timeValue(in: line, from: at, before: next)
                        // Behind a text that a gap leads to a time must be one.
                        ?? (index == parts.lowerBound ? nil : Self.value(in: line, from: at, before: next))
                } else {
                    range = Self.value(in: line, from: at, before: next)
                }
                guard let range else { return nil }
                if wantsRequest, Self.requests.contains(name), RequestLine.path(line, range) == nil { return nil }
                keep(range, of: name, names, &fields)
                at = range.upperBound
            }
        }
        return at
    }

    /// No time is written with more characters.
    private static let longestTime = 64

    private static func isTime(_ bytes: Slice<UnsafeBufferPointer<UInt8>>) -> Bool {
        // The number of a process in brackets is shorter than a time since 1970.
        CalendarText.dateTime(bytes) != nil || bytes.count >= 10 && UnixText.microseconds(bytes) != nil
    }

    /// The first of the line's words that is a time, or a date and a time with the next one.
    private static func time(in line: UnsafeBufferPointer<UInt8>, from: Int, before next: Part?) -> Range<Int>? {
        var at = from
        for _ in 0..<16 where at < line.count {
            if let range = timeValue(in: line, from: at, before: next) { return range }
            let end = line[at...].firstIndex { $0 == 32 || $0 == 9 } ?? line.count
            if CalendarText.dateTime(line[at..<end]) != nil { return at..<end }
            at = end + 1
        }
        return nil
    }

    /// The longest time that begins at a place and ends where the next part may begin; nil if there is none.
    private static func timeValue(in line: UnsafeBufferPointer<UInt8>, from: Int, before next: Part?) -> Range<Int>? {
        // No further: a line of nothing but texts before times would be read to its end from each of them.
        let near = UnsafeBufferPointer(rebasing: line[..<min(line.count, from + longestTime)])
        var (end, best): (Int?, Range<Int>?) = (from, nil)
        for _ in 0..<8 {
            guard let begin = end else { break }
            switch next {
            case .text(let text): end = find(text, in: near, from: begin)
            case .gap: end = near[min(begin, near.count)...].firstIndex { $0 == 32 || $0 == 9 } ?? near.count
            case .field, nil: end = near.count
            }
            guard let found = end else { break }
            if found > from, isTime(near[from..<found]) { best = from..<found }
            end = found < near.count ? found + 1 : nil
        }
        return best
    }

    /// The value of a field: up to the text that follows, or to the end of the word.
    private static func value(in line: UnsafeBufferPointer<UInt8>, from: Int, before next: Part?) -> Range<Int>? {
        switch next {
        case .text(let text): return find(text, in: line, from: from).map { from..<$0 }
        case .gap: return from..<(line[from...].firstIndex { $0 == 32 || $0 == 9 } ?? line.count)
        case .field, nil: return from..<line.count
        }
    }

    /// Whether a text stands at a place; a blank in it is a blank or a tab.
    private static func has(_ text: [UInt8], in line: UnsafeBufferPointer<UInt8>, at: Int) -> Bool {
        guard at + text.count <= line.count else { return false }
        for (index, byte) in text.enumerated() {
            let own = line[at + index]
            if own != byte && !(byte == 32 && own == 9) { return false }
        }
        return true
    }

    /// The first place of a text; a quote behind a backslash ends no field.
    private static func find(_ text: [UInt8], in line: UnsafeBufferPointer<UInt8>, from: Int) -> Int? {
        guard let first = text.first else { return from }
        var at = from
        while at + text.count <= line.count,
            let found = line[at...].firstIndex(where: { $0 == first || first == 32 && $0 == 9 })
        {
            let isEscaped = first == UInt8(ascii: "\"") && found > from && line[found - 1] == UInt8(ascii: "\\")
            if !isEscaped && has(text, in: line, at: found) { return found }
            at = found + 1
        }
        return nil
    }
}

/// The request of a line: `GET /path HTTP/1.1`, or its path alone.
enum RequestLine {
    struct Found {
        /// With its method and protocol.
        var range: Range<Int>
        /// The span that is asked for.
        var target: Range<Int>
    }

    /// A request has no more quotes in it.
    private static let mostQuotes = 8

    /// The first request in a line: its method, target and protocol, in quotes or by itself. In quotes it may lack the
    /// protocol, as before HTTP/1.0, and have blanks and quotes in its target.
    static func find(in line: UnsafeBufferPointer<UInt8>, from: Int) -> Found? {
        var at = from
        while at < line.count {
            // A word that may be a method, in capitals.
            var end = at
            while end < line.count, (65...90).contains(line[end]) || line[end] == UInt8(ascii: "-") { end += 1 }
            if end - at >= 3 && end - at <= 20, end < line.count, line[end] == 32 {
                let isQuoted = at > 0 && line[at - 1] == UInt8(ascii: "\"")
                var begin = end
                while begin < line.count, line[begin] == 32 { begin += 1 }
                if let (target, end) = isQuoted ? quoted(line, begin) : bare(line, begin) {
                    return Found(range: at..<end, target: target)
                }
            }
            // On to the next word.
            while at < line.count, line[at] != 32 && line[at] != UInt8(ascii: "\"") && line[at] != 9 { at += 1 }
            at += 1
        }
        return nil
    }

    /// A target between blanks, with its protocol behind.
    private static func bare(_ line: UnsafeBufferPointer<UInt8>, _ begin: Int) -> (target: Range<Int>, end: Int)? {
        let end = line[begin...].firstIndex(of: 32) ?? line.count
        let version = line[end...].drop { $0 == 32 }
        guard end > begin, version.starts(with: "HTTP/".utf8) else { return nil }
        let word = version.prefix { $0 != 32 && $0 != UInt8(ascii: "\"") && $0 != 10 }
        return (begin..<end, word.endIndex)
    }

    /// A target in quotes that have begun.
    private static func quoted(_ line: UnsafeBufferPointer<UInt8>, _ begin: Int) -> (target: Range<Int>, end: Int)? {
        if let usual = bare(line, begin), line[usual.target].last != UInt8(ascii: "\"") { return usual }
        func trimmed(_ end: Int) -> Range<Int> {
            var end = end
            while end > begin, line[end - 1] == 32 { end -= 1 }
            return begin..<end
        }
        var from = begin
        for _ in 0..<mostQuotes {
            var quote = from
            while quote < line.count,
                line[quote] != UInt8(ascii: "\"") || quote > from && line[quote - 1] == UInt8(ascii: "\\")
            { quote += 1 }
            // The protocol is the last word that may be one.
            var blank = quote
            while blank > begin {
                guard let found = line[begin..<blank].lastIndex(of: 32) else { break }
                if line[(found + 1)..<quote].starts(with: "HTTP/".utf8) {
                    let target = trimmed(found)
                    return target.isEmpty
                        ? nil : (target, line[(found + 1)..<quote].prefix { $0 != 32 && $0 != 10 }.endIndex)
                }
                if quote - found > 64 { break }
                blank = found
            }
            let behind = quote + 1 < line.count ? line[quote + 1] : 32
            if quote >= line.count || behind == 32 || ",}]\t".utf8.contains(behind) {
                let target = trimmed(quote)
                guard let first = line[target].first, first == UInt8(ascii: "/") || path(of: line[target]) != nil
                else { return nil }
                // Words in a text are no path, unless a status follows, as in an access log.
                let status = line[min(quote + 2, line.count)...].prefix { (48...57).contains($0) }
                return line[target].contains(32) && (behind != 32 || status.count != 3)
                    ? nil : (target, target.upperBound)
            }
            from = quote + 1
        }
        return nil
    }

    /// The path of a target: a path, or what follows the host of an address.
    private static func path(of target: Slice<UnsafeBufferPointer<UInt8>>) -> Slice<UnsafeBufferPointer<UInt8>>? {
        if target.first == UInt8(ascii: "/") { return target }
        // Those of `https://` come before.
        var slashes = 0
        guard let colon = target.firstIndex(of: UInt8(ascii: ":")), target[colon...].starts(with: "://".utf8),
            target[..<colon].allSatisfy({ (97...122).contains($0 | 32) || (48...57).contains($0) || $0 == 43 })
        else { return nil }
        guard
            let slash = target.firstIndex(where: {
                if $0 == UInt8(ascii: "/") { slashes += 1 }
                return slashes == 3
            })
        else { return target.suffix(0) }
        return target[slash...]
    }

    /// The path of a request line, of a whole address or of a path; nil for what is none of these.
    ///
    /// - Parameter isText: whether it may be words, in which a path with a blank is none.
    static func path(_ line: UnsafeBufferPointer<UInt8>, _ range: Range<Int>, isText: Bool = false)
        -> Slice<UnsafeBufferPointer<UInt8>>?
    {
        if let whole = path(of: line[range]), !isText || !whole.contains(32) { return whole }
        guard let request = find(in: line, from: range.lowerBound), request.range.upperBound <= range.upperBound else {
            return nil
        }
        // `OPTIONS *` and `CONNECT host:443` have a target that is no path.
        return path(of: line[request.target]) ?? line[request.target]
    }
}
