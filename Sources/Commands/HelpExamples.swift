/// The examples at the end of a command's help text.
enum HelpExamples {
    static let heading = "Examples:"

    /// The paragraph of these lines: a command each, after a line with `#` that says what it is for. The manual takes
    /// no backslash, so none continues a line.
    static func text(_ lines: String) -> String {
        "\n\n\(heading)\n" + lines.split(separator: "\n").map { "  " + $0 }.joined(separator: "\n")
    }
}
