/// Names that people choose, and that tables, pages and scripts repeat.
package enum NameText {
    /// The longest name, in Unicode scalars: as long as the name of a file can be.
    package static let longest = 255

    /// The form of a name, as the part of a sentence after `expected`.
    package static let words =
        "a name on one line without control characters that does not begin with '=', '+', '-' or '@'"

    /// The reason why a text is no name, as an addition to a sentence that quotes it; nil if it is one.
    ///
    /// Letters and marks of any language are right, joiners and marks of direction among them. Control characters,
    /// separators of lines and paragraphs, embeddings of the other direction and characters that Unicode has none for
    /// are not, nor is what a spreadsheet would take for a formula.
    package static func fault(_ text: String) -> String? {
        if text.isEmpty { return "it is empty" }
        var count = 0
        for scalar in text.unicodeScalars {
            count += 1
            if !isRight(scalar) {
                return "it holds the character U+" + padded(String(scalar.value, radix: 16, uppercase: true))
            }
        }
        if count > longest { return "it has \(count) characters, more than \(longest)" }
        if let first = text.unicodeScalars.first, isSignOfFormula(first) {
            return "it begins with '\(first)', as a formula of a spreadsheet does"
        }
        return nil
    }

    /// Whether a character can stand in a name.
    static func isRight(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x20..<0x7F: true
        case 0x202A...0x202E, 0x2066...0x2069: false
        default:
            switch scalar.properties.generalCategory {
            case .control, .lineSeparator, .paragraphSeparator: false
            default: !scalar.properties.isNoncharacterCodePoint
            }
        }
    }

    private static func isSignOfFormula(_ scalar: Unicode.Scalar) -> Bool {
        ["=", "+", "-", "@", "\u{FF1D}", "\u{FF0B}", "\u{FF0D}", "\u{FF20}"].contains(scalar)
    }

    private static func padded(_ digits: String) -> String {
        String(repeating: "0", count: max(0, 4 - digits.count)) + digits
    }
}
