/// The fields of a line of CSV between its separators, without blanks round them; one in double quotes may contain
/// separators.
///
/// A line ends at a line feed, in quotes too.
package enum CSVFields {
    package struct Field {
        /// Where it begins, counted from 1.
        package var column: Int
        /// Its bytes in the line, without quotes and blanks round them.
        package var range: Range<Int>
        /// Whether two quotes in it stand for one.
        package var isQuoted: Bool
        /// Whether it begins with a quote that the line does not close; it has the rest of the line then.
        package var isUnclosed = false

        /// Its text; bytes that are no UTF-8 are replaced.
        package func text(in line: some RandomAccessCollection<UInt8>) -> String {
            let bytes = line.dropFirst(range.lowerBound).prefix(range.count)
            return isQuoted ? CSVFields.unquoted(bytes) : String(decoding: bytes, as: UTF8.self)
        }
    }

    /// The text of a field in quotes, in which two stand for one.
    package static func unquoted(_ bytes: some Sequence<UInt8>) -> String {
        var text: [UInt8] = []
        var isSecond = false
        for byte in bytes {
            isSecond = byte == 34 && !isSecond
            if !isSecond || byte != 34 { text.append(byte) }
        }
        return String(decoding: text, as: UTF8.self)
    }

    /// The separator of a table by its header: a comma, a semicolon or a tab, of which the most frequent counts.
    package static func separator(of header: some Collection<UInt8>) -> UInt8 {
        let known = [UInt8(ascii: ","), UInt8(ascii: ";"), UInt8(ascii: "\t")]
        let counts = known.map { byte in header.count { $0 == byte } }
        return known[counts.indices.max { (counts[$0], $1) < (counts[$1], $0) } ?? 0]
    }

    /// Splits a line into `fields`, whose memory is used again.
    package static func split<Bytes: RandomAccessCollection<UInt8>>(
        _ line: Bytes, separator: UInt8 = UInt8(ascii: ","), into fields: inout [Field]
    )
    where Bytes.Index == Int {
        fields.removeAll(keepingCapacity: true)
        let begin = line.startIndex
        let end = line.endIndex
        var at = begin
        while true {
            while at < end && line[at] == 32 && separator != 32 { at += 1 }
            let column = at - begin + 1
            var first = at
            var last: Int
            var isUnclosed = false
            let isQuoted = at < end && line[at] == 34
            if isQuoted {
                at += 1
                first = at
                while at < end {
                    if line[at] == 34 {
                        guard at + 1 < end, line[at + 1] == 34 else { break }
                        at += 1
                    }
                    at += 1
                }
                isUnclosed = at >= end
                last = at
                at += 1
                while at < end && line[at] != separator { at += 1 }
            } else {
                while at < end && line[at] != separator { at += 1 }
                last = at
                while last > first && line[last - 1] == 32 && separator != 32 { last -= 1 }
            }
            fields.append(
                Field(
                    column: column, range: (first - begin)..<(last - begin), isQuoted: isQuoted, isUnclosed: isUnclosed)
            )
            if at >= end { return }
            at += 1
        }
    }
}
