/// A JSON value whose members keep their order, so that the same value gives the same bytes.
package indirect enum JSONText {
    case string(String), integer(Int64), number(Double), boolean(Bool), null
    /// A number in the digits in which it is to be written.
    case digits(String)
    case array([JSONText])
    case object(JSONMembers)

    /// How lists of texts and numbers are laid out; all other lists have an item a line, or everything is one line.
    package enum Layout { case itemsOnLines, scalarsOnOneLine, everythingOnOneLine }

    /// Indented by two spaces, with a final line end.
    package var text: String { text(.itemsOnLines) }

    package func text(_ layout: Layout) -> String {
        var text = ""
        append(to: &text, indent: "", layout)
        return text + "\n"
    }

    private func append(to text: inout String, indent: String, _ layout: Layout) {
        switch self {
        case .string(let value): text += Self.quoted(value)
        case .integer(let value): text += String(value)
        case .number(let value):
            precondition(value.isFinite, "JSON has no number \(value)")
            text += value.description
        case .digits(let digits): text += digits
        case .boolean(let value): text += value ? "true" : "false"
        case .null: text += "null"
        case .array(let items)
        where layout == .everythingOnOneLine || layout == .scalarsOnOneLine && items.allSatisfy(\.isScalar):
            Self.write(items, between: "[", "]", separator: ", ", to: &text) { item, text in
                item.append(to: &text, indent: indent, layout)
            }
        case .array(let items):
            let inner = indent + "  "
            Self.write(items, between: "[\n", "\n" + indent + "]", separator: ",\n", to: &text) { item, text in
                text += inner
                item.append(to: &text, indent: inner, layout)
            }
        case .object(let members) where layout == .everythingOnOneLine:
            Self.write(members.all, between: "{", "}", separator: ", ", to: &text) { member, text in
                text += Self.quoted(member.name) + ": "
                member.value.append(to: &text, indent: "", layout)
            }
        case .object(let members):
            let inner = indent + "  "
            Self.write(members.all, between: "{\n", "\n" + indent + "}", separator: ",\n", to: &text) { member, text in
                text += inner
                text += Self.quoted(member.name)
                text += ": "
                member.value.append(to: &text, indent: inner, layout)
            }
        }
    }

    /// Nothing stands between the brackets of what is empty.
    private static func write<Part>(
        _ parts: [Part], between opening: String, _ closing: String, separator: String, to text: inout String,
        part: (Part, inout String) -> Void
    ) {
        guard !parts.isEmpty else {
            text += opening.prefix(1) + closing.suffix(1)
            return
        }
        text += opening
        for (index, each) in parts.enumerated() {
            if index > 0 { text += separator }
            part(each, &text)
        }
        text += closing
    }

    private var isScalar: Bool {
        switch self {
        case .object, .array: false
        case .string, .integer, .number, .digits, .boolean, .null: true
        }
    }

    /// A text with its quotes. Besides what JSON demands, characters are written as `\u2028` that a terminal obeys,
    /// that change how their neighbours read or that other languages with JSON in them do not have: those that are not
    /// shown plainly (`VisibleText`). The value stays the same.
    static func quoted(_ text: String) -> String {
        QuotedText.quoted(text) { scalar in
            VisibleText.isPlain(scalar) ? nil : scalar.utf16.map { "\\u" + $0.hex }.joined()
        }
    }
}

extension JSONText: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral, ExpressibleByBooleanLiteral,
    ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral
{
    package init(stringLiteral text: String) { self = .string(text) }
    package init(integerLiteral number: Int64) { self = .integer(number) }
    package init(booleanLiteral isTrue: Bool) { self = .boolean(isTrue) }
    package init(arrayLiteral items: JSONText...) { self = .array(items) }
    package init(dictionaryLiteral members: (String, JSONText)...) { self = .object(JSONMembers(members)) }
}

/// The members of a JSON object, in their order.
package struct JSONMembers: ExpressibleByDictionaryLiteral {
    package private(set) var all: [(name: String, value: JSONText)]

    package init(_ members: [(String, JSONText)]) { all = members.map { ($0, $1) } }
    package init(dictionaryLiteral members: (String, any JSONValue)...) { all = members.map { ($0, $1.json) } }

    /// Adds a member at the end; none without a value.
    package mutating func add(_ name: String, _ value: (some JSONValue)?) {
        if let value { all.append((name, value.json)) }
    }

    package static func += (a: inout JSONMembers, b: JSONMembers) { a.all += b.all }
    package static func + (a: JSONMembers, b: JSONMembers) -> JSONMembers {
        var sum = a
        sum += b
        return sum
    }
}

/// A value that has a form in JSON; nil is `null`.
package protocol JSONValue { var json: JSONText { get } }
extension JSONText: JSONValue { package var json: JSONText { self } }
extension String: JSONValue { package var json: JSONText { .string(self) } }
extension Bool: JSONValue { package var json: JSONText { .boolean(self) } }
extension Int: JSONValue { package var json: JSONText { .integer(Int64(self)) } }
extension Int64: JSONValue { package var json: JSONText { .integer(self) } }
extension Double: JSONValue { package var json: JSONText { .number(self) } }
extension Array: JSONValue where Element: JSONValue { package var json: JSONText { .array(map(\.json)) } }
extension Optional: JSONValue where Wrapped: JSONValue { package var json: JSONText { self?.json ?? .null } }
