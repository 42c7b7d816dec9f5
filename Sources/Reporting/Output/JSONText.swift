/// A JSON value whose members keep their order, so that the same value gives the same bytes.
public indirect enum JSONText {
    case string(String), integer(Int64), number(Double), boolean(Bool), null
    case array([JSONText])
    case object([(String, JSONText)])

    /// Indented by two spaces, with a final line end.
    public var text: String { rendered(indent: "") + "\n" }

    private func rendered(indent: String) -> String {
        let inner = indent + "  "
        switch self {
        case .string(let value): return Self.quoted(value)
        case .integer(let value): return String(value)
        case .number(let value):
            precondition(value.isFinite, "JSON has no number \(value)")
            return value.description
        case .boolean(let value): return value ? "true" : "false"
        case .null: return "null"
        case .array(let values):
            if values.isEmpty { return "[]" }
            return "[\n" + values.map { inner + $0.rendered(indent: inner) }.joined(separator: ",\n") + "\n" + indent + "]"
        case .object(let members):
            if members.isEmpty { return "{}" }
            return "{\n" + members.map { inner + Self.quoted($0) + ": " + $1.rendered(indent: inner) }.joined(separator: ",\n") + "\n"
                + indent + "}"
        }
    }

    private static func quoted(_ value: String) -> String {
        var text = "\""
        for scalar in value.unicodeScalars {
            switch scalar {
            case "\"": text += "\\\""
            case "\\": text += "\\\\"
            case "\n": text += "\\n"
            case "\r": text += "\\r"
            case "\t": text += "\\t"
            case _ where scalar.value < 0x20:
                let hex = String(scalar.value, radix: 16)
                text += "\\u" + String(repeating: "0", count: 4 - hex.count) + hex
            default: text.unicodeScalars.append(scalar)
            }
        }
        return text + "\""
    }
}
