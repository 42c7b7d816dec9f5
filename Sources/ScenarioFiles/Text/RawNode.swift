/// A node of a scenario's text before it means anything: every value with its place, scalars as the characters that
/// were written.
package struct RawNode: Sendable {
    indirect enum Content: Sendable {
        /// `isPlain` if it stands without quotes.
        case scalar(String, isPlain: Bool)
        case list([RawNode])
        case mapping([RawField])
    }

    var content: Content
    var origin: Origin

    /// A node that states nothing: `key:` with no value, `~` or `null`.
    var isNothing: Bool {
        if case .scalar(let text, isPlain: true) = content { return ["", "~", "null", "Null", "NULL"].contains(text) }
        return false
    }

    /// The value that a problem says it found.
    var found: String {
        switch content {
        case .scalar(let text, _): isNothing ? "nothing" : Self.quoted(text)
        case .list(let items): items.isEmpty ? "an empty list" : "a list"
        case .mapping(let fields): fields.isEmpty ? "an empty mapping" : "a mapping"
        }
    }

    /// The text in quotes, cut to a readable length, on one line.
    package static func quoted(_ text: String) -> String {
        "'\(cut(text))'"
    }

    /// A text on one line and cut to a readable length, without quotes.
    static func cut(_ text: String) -> String {
        let line = String(text.map { $0.isNewline || $0 == "\t" ? " " : $0 })
        return line.count > 60 ? "\(line.prefix(57))…" : line
    }

    /// The value at a key of a mapping. One that is set stands in place of the key's own, or as one more; setting
    /// changes nothing but mappings.
    subscript(key: String) -> RawNode? {
        get {
            if case .mapping(let fields) = content { return fields.first { $0.key == key }?.value }
            return nil
        }
        set {
            guard case .mapping(var fields) = content else { return }
            if let newValue, let at = fields.firstIndex(where: { $0.key == key }) {
                fields[at].value = newValue
            } else if let newValue {
                fields.append(RawField(key: key, origin: origin, value: newValue))
            } else {
                fields.removeAll { $0.key == key }
            }
            content = .mapping(fields)
        }
    }

    /// The characters of a scalar.
    var scalarText: String? { if case .scalar(let text, _) = content { text } else { nil } }

    static func emptyMapping(at origin: Origin) -> RawNode { RawNode(content: .mapping([]), origin: origin) }

    /// A mapping with one more key, a text.
    func adding(_ key: String, _ text: String) -> RawNode {
        var node = self
        node[key] = RawNode(content: .scalar(text, isPlain: true), origin: origin)
        return node
    }
}

/// One key of a mapping with its value.
struct RawField: Sendable {
    var key: String
    var origin: Origin
    var value: RawNode
}
