/// A text that another program executes or parses: a script, a plan, a row, a line of a shell.
///
/// It is made of literals of the source and of parts that pass an escape of its language, by construction: an
/// interpolation takes nothing else, and literals are static, so no text of a scenario gets into one as it is.
/// `\(name)` of a `String` does not compile; `\(comment: name)` does, where the language has comments.
package struct ScriptText<Language: ScriptLanguage>: ExpressibleByStringInterpolation, Sendable {
    /// In UTF-8.
    package let bytes: [UInt8]

    package var text: String { String(decoding: bytes, as: UTF8.self) }

    private init(_ bytes: [UInt8]) { self.bytes = bytes }

    package init(stringLiteral literal: StaticString) { bytes = literal.withUTF8Buffer { Array($0) } }

    package init(stringInterpolation interpolation: StringInterpolation) { bytes = interpolation.bytes }

    /// Some texts with a separator between each two.
    package static func joined(_ parts: some Sequence<ScriptText>, separator: ScriptText) -> ScriptText {
        var bytes: [UInt8] = []
        for (index, part) in parts.enumerated() {
            if index > 0 { bytes += separator.bytes }
            bytes += part.bytes
        }
        return ScriptText(bytes)
    }

    package struct StringInterpolation: StringInterpolationProtocol {
        fileprivate var bytes: [UInt8] = []

        package init(literalCapacity: Int, interpolationCount: Int) {
            bytes.reserveCapacity(literalCapacity + interpolationCount * 16)
        }

        package mutating func appendLiteral(_ literal: StaticString) { literal.withUTF8Buffer { bytes += $0 } }

        package mutating func appendInterpolation(_ part: ScriptText) { bytes += part.bytes }

        package mutating func appendInterpolation(_ number: some FixedWidthInteger) { bytes += String(number).utf8 }

        /// A whole number with zeros before it, up to so many digits.
        package mutating func appendInterpolation(_ number: some FixedWidthInteger, digits: Int, radix: Int = 10) {
            let text = String(number, radix: radix)
            bytes += String(repeating: "0", count: max(0, digits - text.utf8.count)).utf8
            bytes += text.utf8
        }

        /// Words in a comment that ends with its line.
        package mutating func appendInterpolation(comment words: String) where Language: CommentedLanguage {
            bytes += VisibleText.of(words).utf8
        }

        /// The value of a label with its quotes: a line end, a quote and a backslash have escapes, and nothing else
        /// has.
        package mutating func appendInterpolation(quoted text: String) where Language == Script.OpenMetrics {
            bytes += QuotedText.quoted(text) { NameText.isRight($0) ? nil : "\\" + VisibleText.written($0) }.utf8
        }

        /// A whole number of millionths as a decimal without trailing zeros.
        package mutating func appendInterpolation(millionths value: Int64) {
            let (whole, fraction) = value.magnitude.quotientAndRemainder(dividingBy: 1_000_000)
            if value < 0 { bytes.append(UInt8(ascii: "-")) }
            appendInterpolation(whole)
            if fraction == 0 { return }
            bytes.append(UInt8(ascii: "."))
            appendInterpolation(fraction, digits: 6)
            while bytes.last == UInt8(ascii: "0") { bytes.removeLast() }
        }

        /// A value as JSON, without a line end at its end.
        package mutating func appendInterpolation(json value: JSONText, _ layout: JSONText.Layout = .itemsOnLines)
        where Language == Script.JSON {
            bytes += value.text(layout).utf8.dropLast()
        }

        /// A cell of a row.
        package mutating func appendInterpolation(field text: String) where Language == Script.CSV {
            CSVText.append(text, to: &bytes)
        }

        /// An address, or its path and query.
        package mutating func appendInterpolation(address text: String) where Language: AddressedLanguage {
            Script.append(address: text, to: &bytes)
        }

        /// A word of a command.
        package mutating func appendInterpolation(word text: String) where Language == Script.Shell {
            bytes += ShellText.quoted(text).utf8
        }
    }
}

/// A language of scripts; the protocols below say what a text can be in it.
package protocol ScriptLanguage: Sendable {}

/// A language with comments that end with their line.
package protocol CommentedLanguage: ScriptLanguage {}

/// A language with addresses.
package protocol AddressedLanguage: ScriptLanguage {}

/// The languages.
package enum Script {
    package enum JavaScript: CommentedLanguage {}

    package enum Lua: ScriptLanguage {}

    package enum JSON: ScriptLanguage {}

    package enum CSV: ScriptLanguage {}

    /// Lines of a time, a tab and an address.
    package enum TimingScript: AddressedLanguage {}

    /// Records of requests by HTTP/1.1.
    package enum GoReplay: AddressedLanguage {}

    package enum OpenMetrics: CommentedLanguage {}

    /// A line for a POSIX shell. A word of several lines would be several commands to a program that reads them by
    /// lines.
    package enum Shell: CommentedLanguage {}

    /// Every byte that an address cannot have as `%20`.
    fileprivate static func append(address text: String, to bytes: inout [UInt8]) {
        for byte in text.utf8 {
            if (0x21..<0x7F).contains(byte) && !"\"<>\\^`{|}".utf8.contains(byte) {
                bytes.append(byte)
            } else {
                bytes += "%\(byte.hex.uppercased())".utf8
            }
        }
    }
}
