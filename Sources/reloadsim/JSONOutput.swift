import ArgumentParser
import PlainText
import Reporting
import RunFiles
import Studies

/// The object that a command prints as JSON on standard output.
enum JSONOutput {
    static func write(_ command: String, _ members: [(String, JSONText)]) throws {
        let head: [(String, JSONText)] = [("command", .string(command)), ("reloadsim", .string(ReloadsimVersion.text))]
        try StandardStream.output.write(JSONText.object(head + members).text)
    }

    static func texts(_ texts: some Sequence<String>) -> JSONText { .array(texts.map { .string($0) }) }

    private static let text = JSONText.object([("type", .string("string"))])
    private static let flag = JSONText.object([("type", .string("boolean"))])
    private static let listOfTexts = JSONText.object([("type", .string("array")), ("items", text)])

    private static let estimates: JSONText = {
        let number = JSONText.object([("type", .string("number"))])
        let optional = JSONText.object([("type", .array([.string("number"), .string("null")]))])
        let members: [(String, JSONText)] = [
            ("key", text), ("value", number), ("unit", .object([("enum", .array(["1", "h"].map { .string($0) }))])), ("interval_low", optional),
            ("interval_high", optional), ("n", .object([("type", .string("integer"))])), ("counted", text), ("method", text), ("fit", text),
        ]
        return .object([
            ("type", .string("array")),
            (
                "items",
                .object([
                    ("type", .string("object")), ("properties", .object(members)), ("required", .array(members.map { .string($0.0) })),
                ])
            ),
        ])
    }()

    /// The members of each command's object.
    private static var commands: [(name: String, members: [(String, JSONText)])] {
        return [
            ("run", [("results", text)] + RunReport.jsonSchema),
            (
                "plan",
                [
                    ("scenario", text), ("results", text), ("find", text), ("answer", text), ("targets", listOfTexts), ("is_confirmed", flag),
                    ("hidden", listOfTexts), ("plan", Table.plan.declaration.jsonSchema),
                ]
            ),
            ("compare", [("broken", listOfTexts), ("comparison", StudyTables.comparison(axes: []).jsonSchema(hasMore: true))]),
            ("sensitivity", [("scenario", text), ("results", text), ("indices", .object([("anyOf", .array(StudyTables.indexSchemas))]))]),
            (
                "validate",
                [
                    (
                        "scenarios",
                        .object([
                            ("type", .string("array")),
                            (
                                "items",
                                .object([
                                    ("type", .string("object")),
                                    (
                                        "properties",
                                        .object([
                                            ("file", text), ("is_right", flag), ("warnings", listOfTexts), ("problems", listOfTexts),
                                        ])
                                    ),
                                    ("required", .array(["file", "is_right", "warnings", "problems"].map { .string($0) })),
                                ])
                            ),
                        ])
                    )
                ]
            ),
            (
                "calibrate",
                [
                    ("record", text), ("extent", text), ("estimates", estimates), ("left_out", listOfTexts), ("untold", listOfTexts),
                    ("notes", listOfTexts), ("fragment", text),
                ]
            ),
            ("people", [("scenario", text), ("rows", .object([("anyOf", .array(PeopleReport.jsonSchemas))]))]),
        ]
    }

    /// The JSON Schema of all of them, told apart by their member `command`.
    static var schema: String {
        let head: [(String, JSONText)] = [("reloadsim", .object([("type", .string("string")), ("description", .string("The version."))]))]
        let objects = commands.map { command -> JSONText in
            let members = [("command", JSONText.object([("const", .string(command.name))]))] + head + command.members
            return .object([
                ("title", .string("reloadsim \(command.name) --json")), ("type", .string("object")), ("properties", .object(members)),
                ("required", .array(members.map { .string($0.0) })),
            ])
        }
        return JSONText.object([
            ("$schema", .string("https://json-schema.org/draft/2020-12/schema")), ("title", .string("The output of reloadsim's commands with --json")),
            ("oneOf", .array(objects)),
        ]).text(.scalarsOnOneLine)
    }
}
