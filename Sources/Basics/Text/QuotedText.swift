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
