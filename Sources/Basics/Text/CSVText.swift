/// Texts as cells of CSV.
package enum CSVText {
    /// Adds a text as a cell: in quotes if it holds a comma, a quote or a line end (RFC 4180), or a formula for a
    /// spreadsheet that divides cells at semicolons or tabs; behind an apostrophe if the whole would be one.
    package static func append(_ text: String, to bytes: inout [UInt8]) {
        let quote = UInt8(ascii: "\"")
        let isFormula = isFormula(text)
        func divides(_ byte: UInt8) -> Bool { byte == UInt8(ascii: ";") || byte == UInt8(ascii: "\t") }
        let mustQuote =
            text.utf8.contains {
                $0 == UInt8(ascii: ",") || $0 == quote || $0 == UInt8(ascii: "\n") || $0 == UInt8(ascii: "\r")
            }
            || text.utf8.contains(where: divides)
                && text.utf8.split(omittingEmptySubsequences: false, whereSeparator: divides).dropFirst().contains {
                    Self.isFormula(String(decoding: $0, as: UTF8.self))
                }
        if mustQuote { bytes.append(quote) }
        if isFormula { bytes.append(UInt8(ascii: "'")) }
        guard mustQuote else {
            bytes.append(contentsOf: text.utf8)
            return
        }
        for byte in text.utf8 {
            if byte == quote { bytes.append(quote) }
            bytes.append(byte)
        }
        bytes.append(quote)
    }

    /// Whether a spreadsheet takes a cell for a formula: it begins with `=`, `+`, `-` or `@`, or with a tab or a line
    /// end, before which spreadsheets look further.
    ///
    /// A number is none, nor a number with a unit, such as `-5%` or `+1h30m`. East Asian spreadsheets know the four
    /// signs in full width, too.
    package static func isFormula(_ text: String) -> Bool {
        let first = text.utf8.first ?? 0
        switch first {
        case UInt8(ascii: "="), UInt8(ascii: "@"), 9, 10, 13: return true
        case UInt8(ascii: "+"), UInt8(ascii: "-"): return !isQuantity(text.utf8.dropFirst())
        // The first byte of the signs in full width, U+FF0B, U+FF0D, U+FF1D and U+FF20.
        case 0xEF:
            return text.unicodeScalars.first.map { [0xFF0B, 0xFF0D, 0xFF1D, 0xFF20].contains($0.value) } ?? false
        default: return false
        }
    }

    /// Whether a text without its sign is a number, with a unit or without.
    private static func isQuantity(_ text: Substring.UTF8View) -> Bool {
        guard let first = text.first, (48...57).contains(first) || first == UInt8(ascii: ".") && text.count > 1 else {
            return false
        }
        var before: UInt8 = 0
        return text.allSatisfy { byte in
            defer { before = byte }
            switch byte {
            case 48...57, 65...90, 97...122, UInt8(ascii: "."), UInt8(ascii: "_"), UInt8(ascii: "%"): return true
            // The sign of an exponent.
            case UInt8(ascii: "+"), UInt8(ascii: "-"): return before == UInt8(ascii: "e") || before == UInt8(ascii: "E")
            default: return false
            }
        }
    }
}
