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
    /// Each part takes the first place at which it is found, and no earlier one is tried again, so a line takes time in
    /// proportion to its length.
    ///
    /// - Returns: whether the line is of this form.
    func read(_ line: UnsafeBufferPointer<UInt8>, names: [String], into fields: inout [LineField?]) -> Bool {
        for index in names.indices { fields[index] = nil }
        var at = 0
        var hasGap = false
        for (index, part) in parts.enumerated() {
            let next = index + 1 < parts.count ? parts[index + 1] : nil
            switch part {
            case .gap: hasGap = true
            case .text(let text):
                guard let end = Self.end(of: text, in: line, from: at, hasGap: hasGap, before: next, parts, index)
                else { return false }
                (at, hasGap) = (end, false)
            case .field(let name):
                let range: Range<Int>?
                if hasGap && Self.requests.contains(name) {
                    range = RequestLine.find(in: line, from: at)
                } else if hasGap && Self.times.contains(name) {
                    range = Self.time(in: line, from: at, before: next)
                } else {
                    range = Self.value(in: line, from: at, before: next)
                }
                guard let range else { return false }
                if let place = names.firstIndex(of: name) { fields[place] = LineField(range: range) }
                (at, hasGap) = (range.upperBound, false)
            }
        }
        return true
    }

    /// Where a text between fields ends: behind a gap the first one after which a time can be read, if one must follow.
    private static func end(
        of text: [UInt8], in line: UnsafeBufferPointer<UInt8>, from: Int, hasGap: Bool, before next: Part?,
        _ parts: [Part], _ index: Int
    ) -> Int? {
        if !hasGap { return line[from...].starts(with: text) ? from + text.count : nil }
        var at = from
        while let found = find(text, in: line, from: at) {
            let end = found + text.count
            guard case .field(let name) = next, times.contains(name) else { return end }
            let after = index + 2 < parts.count ? parts[index + 2] : nil
            // No further: a line of nothing but such texts would be read to its end from each of them.
            let near = UnsafeBufferPointer(rebasing: line[..<min(line.count, end + longestTime)])
            if let range = value(in: near, from: end, before: after), isTime(line[range]) { return end }
            at = found + 1
        }
        return nil
    }

    /// No time is written with more characters.
    private static let longestTime = 64

    private static func isTime(_ bytes: Slice<UnsafeBufferPointer<UInt8>>) -> Bool {
        // The number of a process in brackets is shorter than a time since 1970.
        CalendarText.dateTime(bytes) != nil || bytes.count >= 10 && UnixText.microseconds(bytes) != nil
    }

    /// A time at the beginning, or the first of the line's words that is a date and a time.
    private static func time(in line: UnsafeBufferPointer<UInt8>, from: Int, before next: Part?) -> Range<Int>? {
        if let range = value(in: line, from: from, before: next), isTime(line[range]) { return range }
        var at = from
        for _ in 0..<16 where at < line.count {
            let end = line[at...].firstIndex(of: 32) ?? line.count
            if CalendarText.dateTime(line[at..<end]) != nil { return at..<end }
            at = end + 1
        }
        return nil
    }

    /// The value of a field: up to the text that follows, or to the end of the word.
    private static func value(in line: UnsafeBufferPointer<UInt8>, from: Int, before next: Part?) -> Range<Int>? {
        switch next {
        case .text(let text): return find(text, in: line, from: from).map { from..<$0 }
        case .gap: return from..<(line[from...].firstIndex { $0 == 32 || $0 == 9 } ?? line.count)
        case .field, nil: return from..<line.count
        }
    }

    /// The first place of a text; a quote behind a backslash ends no field.
    private static func find(_ text: [UInt8], in line: UnsafeBufferPointer<UInt8>, from: Int) -> Int? {
        guard let first = text.first else { return from }
        var at = from
        while at + text.count <= line.count, let found = line[at...].firstIndex(of: first) {
            let isEscaped = first == UInt8(ascii: "\"") && found > from && line[found - 1] == UInt8(ascii: "\\")
            if !isEscaped && line[found...].starts(with: text) { return found }
            at = found + 1
        }
        return nil
    }
}

/// The request of a line: `GET /path HTTP/1.1`, or its path alone.
enum RequestLine {
    /// The first request in a line, which stands in quotes or by itself: its method, target and protocol.
    static func find(in line: UnsafeBufferPointer<UInt8>, from: Int) -> Range<Int>? {
        var at = from
        while at < line.count {
            // A word that may be a method, in capitals.
            var end = at
            while end < line.count, (65...90).contains(line[end]) || line[end] == UInt8(ascii: "-") { end += 1 }
            if end - at >= 3 && end - at <= 20, end < line.count, line[end] == 32 {
                let isQuoted = at > from && line[at - 1] == UInt8(ascii: "\"")
                let rest = line[(end + 1)...]
                let target = rest.prefix { $0 != 32 && !(isQuoted && $0 == UInt8(ascii: "\"")) }
                let after = rest.dropFirst(target.count)
                if !target.isEmpty, after.dropFirst().starts(with: "HTTP/".utf8) || isQuoted && after.first != 32 {
                    let version = after.prefix { $0 != UInt8(ascii: "\"") && $0 != 10 }.dropFirst()
                    let word = version.prefix { $0 != 32 }
                    return at..<max(target.endIndex, word.endIndex)
                }
            }
            // On to the next word.
            while at < line.count, line[at] != 32 && line[at] != UInt8(ascii: "\"") && line[at] != 9 { at += 1 }
            at += 1
        }
        return nil
    }

    /// The path of a request line, of a whole address or of a path; nil for what is none of these.
    static func path(_ line: UnsafeBufferPointer<UInt8>, _ range: Range<Int>) -> Slice<UnsafeBufferPointer<UInt8>>? {
        let value = line[range]
        func path(of target: Slice<UnsafeBufferPointer<UInt8>>) -> Slice<UnsafeBufferPointer<UInt8>>? {
            if target.first == UInt8(ascii: "/") { return target }
            // Those of `https://` come before.
            var slashes = 0
            guard let colon = target.firstIndex(of: UInt8(ascii: ":")), target[colon...].starts(with: "://".utf8) else {
                return nil
            }
            guard
                let slash = target.firstIndex(where: {
                    if $0 == UInt8(ascii: "/") { slashes += 1 }
                    return slashes == 3
                })
            else { return target.suffix(0) }
            return target[slash...]
        }
        if let whole = path(of: value) { return whole }
        guard let request = find(in: line, from: range.lowerBound), request.upperBound <= range.upperBound else {
            return nil
        }
        let words = line[request].split(separator: 32, maxSplits: 2, omittingEmptySubsequences: false)
        // `OPTIONS *` and `CONNECT host:443` have a target that is no path.
        return words.count > 1 ? path(of: words[1]) ?? words[1] : nil
    }
}
