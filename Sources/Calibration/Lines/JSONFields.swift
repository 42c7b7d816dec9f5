/// Finds members of a line's JSON object by their paths, such as `request.uri`, without making the object.
struct JSONFields {
    private let wanted: [[UInt8]]

    /// - Parameter names: paths, with dots between the names of members; a name with a dot in it is found too.
    init(_ names: [String]) { wanted = names.map { Array($0.utf8) } }

    /// Sets the values under the names, in their order: of texts and numbers, of `true` and `false`, and of lists, with
    /// all that stands in their brackets; nil where there is none, or `null`.
    ///
    /// - Returns: whether the line is an object, which may begin behind other words, such as those of a syslog.
    func read(_ line: UnsafeBufferPointer<UInt8>, into fields: inout [LineField?]) -> Bool {
        for index in wanted.indices { fields[index] = nil }
        guard let first = line.firstIndex(of: UInt8(ascii: "{")) else { return false }
        var scanner = Scanner(line: line, at: first, wanted: wanted)
        guard scanner.value(into: &fields, isWanted: true) else { return false }
        scanner.skipBlanks()
        return scanner.at == line.endIndex
    }

    private struct Scanner {
        let line: UnsafeBufferPointer<UInt8>
        var at: Int
        let wanted: [[UInt8]]
        var path: [UInt8] = []
        var depth = 0

        /// No log has members in members so deep.
        private static let deepest = 64

        private var next: UInt8? { at < line.count ? line[at] : nil }

        mutating func skipBlanks() {
            while let byte = next, byte == 32 || byte == 9 || byte == 10 || byte == 13 { at += 1 }
        }

        private mutating func take(_ byte: UInt8) -> Bool {
            skipBlanks()
            guard next == byte else { return false }
            at += 1
            return true
        }

        /// Reads past a value, and keeps what is wanted of it.
        mutating func value(into fields: inout [LineField?], isWanted: Bool) -> Bool {
            skipBlanks()
            switch next {
            case UInt8(ascii: "{"):
                return parts(until: UInt8(ascii: "}")) { $0.member(into: &fields, isWanted: isWanted) }
            case UInt8(ascii: "["):
                let begin = at + 1
                let isRead = parts(until: UInt8(ascii: "]")) { $0.value(into: &fields, isWanted: false) }
                guard isRead else { return false }
                if isWanted { keep(LineField(range: begin..<(at - 1), form: .list), into: &fields) }
                return true
            case UInt8(ascii: "\""):
                guard let text = text() else { return false }
                if isWanted { keep(text, into: &fields) }
                return true
            case nil: return false
            default:
                let begin = at
                while let byte = next, !(byte == 44 || byte == 125 || byte == 93 || byte <= 32) { at += 1 }
                guard at > begin, "-0123456789tfn".utf8.contains(line[begin]) else { return false }
                if isWanted && line[begin] != UInt8(ascii: "n") { keep(LineField(range: begin..<at), into: &fields) }
                return true
            }
        }

        /// Reads what stands in brackets, with commas between.
        private mutating func parts(until end: UInt8, _ part: (inout Self) -> Bool) -> Bool {
            at += 1
            depth += 1
            defer { depth -= 1 }
            if depth > Self.deepest { return false }
            if take(end) { return true }
            repeat { guard part(&self) else { return false } } while take(44)
            return take(end)
        }

        private mutating func member(into fields: inout [LineField?], isWanted: Bool) -> Bool {
            skipBlanks()
            guard next == UInt8(ascii: "\""), let name = text(), take(UInt8(ascii: ":")) else { return false }
            let length = path.count
            if isWanted {
                if length > 0 { path.append(UInt8(ascii: ".")) }
                path.append(contentsOf: line[name.range])
            }
            guard value(into: &fields, isWanted: isWanted) else { return false }
            path.removeSubrange(length...)
            return true
        }

        /// A text in quotes.
        private mutating func text() -> LineField? {
            let begin = at + 1
            var isEscaped = false
            at = begin
            while let byte = next {
                if byte == UInt8(ascii: "\"") {
                    at += 1
                    return LineField(range: begin..<(at - 1), form: isEscaped ? .escaped : .plain)
                }
                if byte == UInt8(ascii: "\\") {
                    isEscaped = true
                    at += 1
                }
                at += 1
            }
            return nil
        }

        private func keep(_ field: LineField, into fields: inout [LineField?]) {
            for (index, name) in wanted.enumerated() where name.count == path.count && name == path {
                fields[index] = field
            }
        }
    }
}
