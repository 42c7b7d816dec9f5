/// JSON to be written: keys in the given order, two spaces of indent, the same bytes every time.
indirect enum JSONText {
    case object([(String, JSONText)])
    case array([JSONText])
    case string(String)
    /// A number as it is to be written.
    case number(String)
    case boolean(Bool)

    var text: String {
        var text = ""
        write(to: &text, indent: 0)
        return text + "\n"
    }

    private func write(to text: inout String, indent: Int) {
        let margin = String(repeating: " ", count: indent + 2)
        switch self {
        case .object(let fields) where fields.isEmpty: text += "{}"
        case .object(let fields):
            text += "{\n"
            for (index, field) in fields.enumerated() {
                text += margin + Self.quoted(field.0) + ": "
                field.1.write(to: &text, indent: indent + 2)
                text += index < fields.count - 1 ? ",\n" : "\n"
            }
            text += margin.dropLast(2) + "}"
        case .array(let items) where items.allSatisfy(\.isScalar):
            text += "["
            for (index, item) in items.enumerated() {
                if index > 0 { text += ", " }
                item.write(to: &text, indent: indent)
            }
            text += "]"
        case .array(let items):
            text += "[\n"
            for (index, item) in items.enumerated() {
                text += margin
                item.write(to: &text, indent: indent + 2)
                text += index < items.count - 1 ? ",\n" : "\n"
            }
            text += margin.dropLast(2) + "]"
        case .string(let string): text += Self.quoted(string)
        case .number(let number): text += number
        case .boolean(let boolean): text += boolean ? "true" : "false"
        }
    }

    private var isScalar: Bool {
        switch self {
        case .object, .array: false
        default: true
        }
    }

    private static func quoted(_ string: String) -> String {
        var quoted = "\""
        for scalar in string.unicodeScalars {
            switch scalar {
            case "\"": quoted += "\\\""
            case "\\": quoted += "\\\\"
            case "\n": quoted += "\\n"
            default:
                precondition(scalar.value >= 32, "a control character in a schema's text")
                quoted.unicodeScalars.append(scalar)
            }
        }
        return quoted + "\""
    }
}
