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
