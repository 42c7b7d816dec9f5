/// Words as a POSIX shell reads them.
package enum ShellText {
    /// In single quotes, unless nothing in it has a meaning.
    ///
    /// Quotes are found among the scalars: a quote with an accent over it is one character to a reader of Unicode, and
    /// a quote to a shell.
    package static func quoted(_ word: String) -> String {
        let isPlain =
            !word.isEmpty && word.utf8.first != UInt8(ascii: "=")
            && word.utf8.allSatisfy { byte in
                (48...57).contains(byte) || (65...90).contains(byte) || (97...122).contains(byte)
                    || "_-+=./:,@%".utf8.contains(byte)
            }
        if isPlain { return word }
        var quoted = "'"
        for scalar in word.unicodeScalars {
            if scalar == "'" { quoted += "'\\''" } else { quoted.unicodeScalars.append(scalar) }
        }
        return quoted + "'"
    }

    /// Whether a word stays on its line, and shows a terminal nothing but itself: programs that read commands by lines
    /// take one of several lines for several.
    package static func isOneLine(_ word: String) -> Bool { word.unicodeScalars.allSatisfy(NameText.isRight) }
}
