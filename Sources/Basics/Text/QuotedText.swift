/// A text in double quotes on one line, as JSON and YAML both read it.
package enum QuotedText {
    /// - Parameter escape: what stands for a character that is neither printable ASCII, a tab nor an end of line; nil
    ///   for the character itself.
    package static func quoted(_ text: String, escape: (Unicode.Scalar) -> String?) -> String {
        // Most texts have nothing to escape.
        let isPlain = text.utf8.allSatisfy {
            (0x20..<0x7F).contains($0) && $0 != UInt8(ascii: "\"") && $0 != UInt8(ascii: "\\")
        }
        if isPlain { return "\"" + text + "\"" }
        var quoted = "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"": quoted += "\\\""
            case "\\": quoted += "\\\\"
            case "\n": quoted += "\\n"
            case "\r": quoted += "\\r"
            case "\t": quoted += "\\t"
            default:
                if let escaped = escape(scalar) {
                    quoted += escaped
                } else {
                    quoted.unicodeScalars.append(scalar)
                }
            }
        }
        return quoted + "\""
    }
}

/// Texts for a terminal: what a name of a file, a key or a column holds is shown, and never obeyed.
package enum VisibleText {
    /// The text with every character written out, as `\u{1B}`, that a terminal acts on or that changes how its
    /// neighbours read: control characters of both sets, the marks of writing direction, separators of lines and
    /// paragraphs, characters without a shape, and what is no character.
    ///
    /// - Parameter keepsLines: whether line feeds and tabs stay, as in a text of several lines of the program's own;
    ///   otherwise they are `\n` and `\t`.
    package static func of(_ text: String, keepsLines: Bool = false) -> String {
        func stays(_ scalar: Unicode.Scalar) -> Bool {
            isPlain(scalar) || keepsLines && (scalar == "\n" || scalar == "\t")
        }
        if text.unicodeScalars.allSatisfy(stays) { return text }
        var visible = String.UnicodeScalarView()
        for scalar in text.unicodeScalars {
            if stays(scalar) {
                visible.append(scalar)
            } else {
                visible.append(contentsOf: written(scalar).unicodeScalars)
            }
        }
        return String(visible)
    }

    static func written(_ scalar: Unicode.Scalar) -> String {
        switch scalar {
        case "\n": "\\n"
        case "\r": "\\r"
        case "\t": "\\t"
        default: "\\u{" + String(scalar.value, radix: 16, uppercase: true) + "}"
        }
    }

    /// Whether a terminal shows the character and does nothing else with it.
    static func isPlain(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x20..<0x7F: true
        case 0..<0x20, 0x7F..<0xA0: false
        // Soft hyphen; marks of direction, embeddings, overrides and isolates; separators; joiners and spaces without
        // width; byte order mark; annotations; tags; what is no character.
        case 0xAD, 0x061C, 0x180E, 0x200B...0x200F, 0x2028...0x202E, 0x2060...0x206F, 0xFEFF, 0xFFF9...0xFFFB,
            0xE0000...0xE007F, 0xFDD0...0xFDEF:
            false
        default: scalar.value & 0xFFFE != 0xFFFE
        }
    }
}

extension Sequence where Element == UInt8 {
    /// Two hex digits a byte, in small letters.
    package var hex: String {
        let digits = Array("0123456789abcdef".utf8)
        return String(decoding: flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }, as: UTF8.self)
    }
}

extension FixedWidthInteger {
    /// All its hex digits with leading zeros, two a byte, in small letters.
    public var hex: String {
        stride(from: Self.bitWidth - 8, through: 0, by: -8).map { UInt8(truncatingIfNeeded: self >> Self($0)) }.hex
    }
}

/// A word of a vocabulary, of which scenarios and tables have one name.
public protocol NamedCase {
    /// The case's text, or its name with underscores, `ifChanged` as `if_changed`, unless the type has its own.
    var name: String { get }
}

extension NamedCase {
    public var name: String {
        var name: [UInt8] = []
        for letter in (caseName(self).map { String(cString: $0) } ?? "\(self)").utf8 {
            let isCapital = (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(letter)
            if isCapital { name.append(UInt8(ascii: "_")) }
            name.append(isCapital ? letter | 0x20 : letter)
        }
        return String(decoding: name, as: UTF8.self)
    }
}

extension NamedCase where Self: RawRepresentable<String> {
    public var name: String { rawValue }
}

/// The name of an enum's case, as the standard library finds it to print one. Printing itself first looks whether the
/// type has a text of its own, among all conformances of the program and for each type: a twentieth of a run of ten
/// people.
@_silgen_name("swift_EnumCaseName") private func caseName<Case>(_ value: Case) -> UnsafePointer<CChar>?
