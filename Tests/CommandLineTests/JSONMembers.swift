import Foundation

/// The members of the objects that commands print with `--json`, as Reports/README.md has them.
struct JSONMembers {
    struct Column {
        let name, type: String
        let isOptional: Bool
        /// Whether only an option brings it.
        let isConditional: Bool
    }

    let commands: [String: JSONValue]
    /// The columns by the title of a table, and whether the table has others, which a study names.
    let tables: [String: (columns: [Column], isOpen: Bool)]

    static func documented() throws -> JSONMembers {
        let file = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().appending(path: "Reports/README.md")
        var tables: [String: (columns: [Column], isOpen: Bool)] = [:]
        var commands: [String: JSONValue] = [:]
        for section in try String(contentsOf: file, encoding: .utf8).components(separatedBy: "\n## ") {
            let title = String(section.prefix { $0 != "\n" })
            if let block = section.firstMatch(of: /```json\n((?s:.*?))```/),
                case .object(let members) = try JSONValue(String(block.1))
            {
                commands = members
            }
            var (columns, isOpen): ([Column], Bool) = ([], false)
            for row in section.matches(of: /(?m)^\| (.+?) \| (\w+)(, may be empty)? \| .*$/) {
                if row.1.contains("each ") {
                    isOpen = true
                } else if row.1.hasPrefix("`") {
                    columns.append(
                        Column(
                            name: String(row.1.dropFirst().dropLast()), type: String(row.2), isOptional: row.3 != nil,
                            isConditional: row.0.contains("there with `--")))
                }
            }
            tables[title] = (columns, isOpen)
        }
        return JSONMembers(commands: commands, tables: tables)
    }

    /// The names of the members of a command's object.
    func names(of command: String) -> Set<String> {
        guard case .object(let members)? = commands[command] else { return [] }
        return Set(members.keys).union(["command", "reloadsim"])
    }

    /// The problems of an object that a command has printed.
    func problems(of value: JSONValue, command: String) -> [String] {
        guard case .object(var members)? = commands[command] else { return ["\(command) is not documented"] }
        (members["command"], members["reloadsim"]) = (.string(command), .string("string"))
        return problems(of: value, as: .object(members), at: command)
    }

    private func problems(of value: JSONValue, as shape: JSONValue, at place: String) -> [String] {
        switch (shape, value) {
        case (.object(let known), .object(let members)):
            return Set(known.keys).symmetricDifference(members.keys).map { "\(place): \($0) is on one side alone" }
                + known.flatMap { name, shape in
                    members[name].map { problems(of: $0, as: shape, at: "\(place).\(name)") } ?? []
                }
        case (.array(let shapes), .array(let items)):
            return items.enumerated().flatMap { problems(of: $1, as: shapes[0], at: "\(place)[\($0)]") }
        case (.string(let words), _):
            let found = words.components(separatedBy: " | ").map { problems(of: value, asWord: $0, at: place) }
            return found.contains { $0.isEmpty } ? [] : found.min { $0.count < $1.count } ?? []
        default: return ["\(place): \(value) is not \(shape)"]
        }
    }

    /// A word is a type, the title of a table, or the text itself.
    private func problems(of value: JSONValue, asWord word: String, at place: String) -> [String] {
        guard let table = tables[word] else {
            return value.isOf(word) || value == .string(word) ? [] : ["\(place): \(value) is not \(word)"]
        }
        guard case .object(let row) = value else { return ["\(place): \(value) is no row"] }
        let names = Set(table.columns.map(\.name))
        return table.columns.compactMap { column in
            guard let cell = row[column.name] else {
                return column.isConditional ? nil : "\(place): no \(column.name)"
            }
            let type = column.type == "datetime" ? "string" : column.type
            return cell.isOf(type) || column.isOptional && cell == .null
                ? nil : "\(place): \(column.name) is \(cell) and no \(column.type)"
        } + (table.isOpen ? [] : row.keys.filter { !names.contains($0) }.map { "\(place): \($0) is no column" })
    }
}

/// A value of JSON.
enum JSONValue: Decodable, Equatable {
    case null, boolean(Bool), number(Double), string(String), array([JSONValue]), object([String: JSONValue])

    init(_ text: String) throws { self = try JSONDecoder().decode(JSONValue.self, from: Data(text.utf8)) }

    init(from decoder: Decoder) throws {
        let container = try decoder.singleValueContainer()
        if container.decodeNil() {
            self = .null
            return
        }
        let readings: [() throws -> JSONValue] = [
            { .boolean(try container.decode(Bool.self)) }, { .number(try container.decode(Double.self)) },
            { .string(try container.decode(String.self)) },
            { .array(try container.decode([JSONValue].self)) },
        ]
        for reading in readings {
            do {
                self = try reading()
                return
            } catch DecodingError.typeMismatch {}
        }
        self = .object(try container.decode([String: JSONValue].self))
    }

    func isOf(_ type: String) -> Bool {
        switch (type, self) {
        case ("null", .null), ("boolean", .boolean), ("number", .number), ("string", .string): true
        case ("integer", .number(let number)): number == number.rounded()
        default: false
        }
    }
}
