/// Names that nobody gives and somebody could: parts that end a comment, a text, a cell or a line in one of the
/// languages of an export, alone and in random company.
enum HostileNames {
    static let parts = [
        // Ends of lines, and escapes of them.
        "\n", "\r", "\r\n", "\u{85}", "\u{2028}", "\u{2029}", "\u{B}", "\u{C}", "\\n", "\\r", "\\u000a", "\\uuu000A",
        "\\\\u000a", "\\u000d", "\\x0a", "&#10;", "%0A",
        // Statements that would be executed if they came to stand on a line of its own, or elsewhere.
        "import os; os.system('touch owned')", "require('child_process').exec('touch owned');",
        "static { System.exit(1); }", "process.exit(1)",
        "injected: true", "- injected", "? injected", "${__groovy(\"touch owned\".execute())}", "${__BeanShell(1)}",
        "#{owned}", "{{ owned }}", "$(touch owned)",
        "`touch owned`", "; touch owned", "| touch owned", "&& touch owned",
        // Ends of comments, texts and tags, with and without an accent over them.
        "*/", "/*", "//", "<!--", "-->", "]]>", "</stringProp>", "<hashTree/>", "&", "&amp;", "'''", "\"\"\"", "'",
        "\"", "`", "\"\u{301}", "'\u{301}", "<\u{338}", "&\u{301}",
        "\\", "\\\"", "\\'", "\\\\", "#", "%", "---", "...", "%YAML 9.9",
        // Choices of another encoding.
        "coding: unicode_escape", "coding=utf-7", "+AAo-import os", "-*- coding: latin-1 -*-", "\u{FEFF}",
        // Formulas, and ends of requests and records.
        "=cmd|' /C calc'!A0", "=1+1", "+1+1", "-1+1", "@SUM(1)", "\t=1", "\u{FF1D}1", ",", ";",
        " HTTP/1.1\r\nHost: other", "\r\n\r\n", "\n🐵🙈🙉\n", "\tPOST",
        // Characters that a format does not have, or that hide.
        "\0", "\u{1}", "\u{1B}[2J", "\u{7F}", "\u{9B}", "\u{202E}", "\u{2066}", "\u{200D}", "\u{200B}", "\u{E000}",
        "\u{E0041}",
        noCharacter(0xFFFE), noCharacter(0xFFFF), noCharacter(0xFDD0), noCharacter(0x1FFFE),
        // Letters.
        "Ωλ", "東京", "é", "é", "👩‍👩‍👧", "x", "Weather", " ", "-", "a b",
    ]

    /// Swift has no literals of these.
    private static func noCharacter(_ value: UInt32) -> String { String(Unicode.Scalar(value)!) }

    /// So many names, the same every time.
    static func names(_ count: Int) -> [String] {
        var state: UInt64 = 33
        func next(below bound: Int) -> Int {
            // SplitMix64.
            state &+= 0x9e37_79b9_7f4a_7c15
            var bits = state
            bits = (bits ^ bits >> 30) &* 0xbf58_476d_1ce4_e5b9
            bits = (bits ^ bits >> 27) &* 0x94d0_49bb_1331_11eb
            return Int((bits ^ bits >> 31) % UInt64(bound))
        }
        var names = parts
        while names.count < count {
            names.append((0..<(2 + next(below: 5))).map { _ in parts[next(below: parts.count)] }.joined())
        }
        return Array(names.prefix(count))
    }
}
