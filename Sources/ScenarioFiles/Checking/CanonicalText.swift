import Basics

/// The canonical YAML of checked values: every key in the catalogue's order, every default filled in, one way to write
/// each value.
///
/// Reading it again gives the same values, and so the same text.
enum CanonicalText {
    static func document(_ root: CheckedValue) -> String {
        var text = ""
        write(root.fields, indent: 0, to: &text)
        return text
    }

    private static func write(_ fields: [(key: String, value: CheckedValue)], indent: Int, to text: inout String) {
        let margin = String(repeating: " ", count: indent)
        for (key, value) in fields where !value.isAbsent {
            text += margin + scalar(key) + ":"
            write(value, indent: indent, to: &text)
        }
    }

    /// The value after `key:`.
    private static func write(_ value: CheckedValue, indent: Int, to text: inout String) {
        if value.isMapping {
            let stated = value.fields.filter { !$0.value.isAbsent }
            if stated.isEmpty {
                text += " {}\n"
            } else {
                text += "\n"
                write(stated, indent: indent + 2, to: &text)
            }
        } else if value.isList && value.items.contains(where: \.isMapping) {
            text += "\n"
            for item in value.items { write(item: item, indent: indent + 2, to: &text) }
        } else {
            text += " " + inline(value) + "\n"
        }
    }

    /// A list item: its first key stands after the dash.
    private static func write(item: CheckedValue, indent: Int, to text: inout String) {
        var body = ""
        write(item.fields, indent: indent + 2, to: &body)
        text += String(repeating: " ", count: indent) + "- " + body.dropFirst(indent + 2)
    }

    /// A value on one line.
    static func inline(_ value: CheckedValue) -> String {
        switch value.content {
        case .absent, .invalid: preconditionFailure("\(value.path) has no text")
        case .duration(let duration): TimeText.duration(duration)
        case .count(let count): "\(count)"
        case .number(let number): FigureText.shortest(number)
        case .amount(let millionths): DecimalText.text(millionths: millionths)
        case .flag(let flag): "\(flag)"
        case .text(let string): scalar(string)
        case .instant(.afterStart(let duration)): TimeText.duration(duration)
        case .instant(.absolute(let unix, let offset)):
            "\"\(CalendarText.text(unixMicroseconds: unix, offset: offset))\""
        case .clock(let clock): "\"\(CalendarText.text(clock))\""
        case .date(let date): TimeText.date(date)
        case .distance(let millimetres): Form.text(millimetres: millimetres)
        case .speed(_, let string): string
        case .bytes(let bytes): Form.text(bytes: bytes)
        case .bound(let bound): FigureText.shortest(bound.value)
        case .place(let name, let x, let y):
            scalar("\(name) \(TimeText.decimal(x, places: 3)) \(TimeText.decimal(y, places: 3))")
        case .distribution(let distribution): distribution.text
        case .node(let node): node.flowText
        case .list(let items): "[" + items.map(inline).joined(separator: ", ") + "]"
        case .mapping(let fields):
            "{"
                + fields.filter { !$0.value.isAbsent }.map { "\(scalar($0.key)): \(inline($0.value))" }.joined(
                    separator: ", ") + "}"
        }
    }

    /// A text as a YAML scalar: plain if no reader could take it for anything else, otherwise in double quotes.
    static func scalar(_ text: String) -> String {
        let isPlain =
            text.first.map { $0.isASCII && $0.isLetter } == true
            && text.utf8.allSatisfy { byte in
                (48...57).contains(byte) || (65...90).contains(byte) || (97...122).contains(byte)
                    || "_-+/".utf8.contains(byte)
            }
        let hasMeaning = ["true", "false", "null", "yes", "no", "on", "off", "y", "n"].contains(text.lowercased())
        return isPlain && !hasMeaning ? text : quoted(text)
    }

    /// A text as a YAML scalar in double quotes, on one line.
    static func quoted(_ text: String) -> String {
        QuotedText.quoted(text) { character in
            switch character.value {
            case 0x85: "\\N"
            case 0xA0: "\\_"
            case 0x2028: "\\L"
            case 0x2029: "\\P"
            // A character that no text of a scenario may contain, but that it can still mean.
            case 0..<32, 127..<160: "\\x" + UInt8(character.value).hex
            case 0xE000...0xF8FF, 0xFEFF, 0xFFFE...0xFFFF: "\\u" + UInt16(character.value).hex
            // And what would turn the rest of its line round, or hide in it, is seen.
            case 0x061C, 0x200B...0x200F, 0x202A...0x202E, 0x2060...0x206F, 0xFFF9...0xFFFB:
                "\\u" + UInt16(character.value).hex
            default: nil
            }
        }
    }
}

extension CheckedValue {
    /// The value on one line, for sentences.
    var canonicalText: String { CanonicalText.inline(self) }
}

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
