extension RawNode {
    /// The node as YAML on one line, which reads back to the same node as the value of an override, `--set key=TEXT`.
    ///
    /// A scalar keeps its characters, and whether it stands in quotes: `1e5` stays a number and `"09:30"` a text. Only
    /// a plain one that cannot stand plainly on one line, or inside brackets, is put in quotes; no number, duration or
    /// word with a meaning is one of these.
    var flowText: String { flowText(isInside: false) }

    private func flowText(isInside: Bool) -> String {
        switch content {
        case .scalar("", isPlain: true): "~"
        case .scalar(let text, isPlain: true) where Self.standsPlain(text, isInside: isInside): text
        case .scalar(let text, _): CanonicalText.quoted(text)
        case .list(let items): "[" + items.map { $0.flowText(isInside: true) }.joined(separator: ", ") + "]"
        case .mapping(let fields):
            "{"
                + fields.map { CanonicalText.scalar($0.key) + ": " + $0.value.flowText(isInside: true) }.joined(
                    separator: ", ") + "}"
        }
    }

    /// Whether the text of a plain scalar can be written plainly at the beginning of a text, or between brackets.
    private static func standsPlain(_ text: String, isInside: Bool) -> Bool {
        // At the beginning of a line these end a document, wherever the scalar stood before.
        if text.hasPrefix("---") || text.hasPrefix("...") || text.contains(where: \.isNewline) { return false }
        if !isInside { return true }
        return !text.hasPrefix("?") && !text.hasPrefix(":") && !text.hasSuffix(":") && !text.contains(":?")
            && !text.contains { ",[]{}".contains($0) }
    }
}
