import ResultFiles
import ArgumentParser
import Basics
import Calibration
import Reporting
import Studies

/// The object that a command prints as JSON on standard output.
enum JSONOutput {
    static func write(_ command: String, _ members: [(String, JSONText)]) throws {
        let head: [(String, JSONText)] = [("command", .string(command)), ("reloadsim", .string(ReloadsimVersion.text))]
        try StandardStream.output.write(JSONText.object(head + members).text)
    }

    static func texts(_ texts: some Sequence<String>) -> JSONText { .array(texts.map { .string($0) }) }

    static func growth(_ verdict: GrowthStudy.Verdict) -> JSONText {
        func number(_ value: Int?) -> JSONText { value.map { .integer(Int64($0)) } ?? .null }
        return .object([
            ("target", .string(verdict.target)), ("breaks_in_month", number(verdict.breaksInMonth)),
            ("people", number(verdict.people)), ("holds_from_month", number(verdict.holdsFromMonth)),
        ])
    }

    static func array(_ estimates: [Estimate]) -> JSONText {
        .array(
            estimates.map { estimate in
                .object([
                    ("key", .string(estimate.key)), ("value", .number(estimate.value)),
                    ("unit", .string(estimate.unit.name)),
                    ("interval_low", estimate.interval.map { .number($0.low) } ?? .null),
                    ("interval_high", estimate.interval.map { .number($0.high) } ?? .null),
                    ("n", .integer(Int64(estimate.count))),
                    ("counted", .string(estimate.counted)), ("method", .string(estimate.method)),
                    ("fit", .string(estimate.quality)),
                ])
            })
    }

    private static let text = JSONText.object([("type", .string("string"))])
    private static let flag = JSONText.object([("type", .string("boolean"))])
    private static let listOfTexts = JSONText.object([("type", .string("array")), ("items", text)])

    /// - Parameter units: those that the estimates have.
    private static func estimates(_ units: [Estimate.Unit]) -> JSONText {
        let members: [(String, JSONText)] = [
            ("key", text), ("value", number), ("unit", .object([("enum", .array(units.map { .string($0.name) }))])),
            ("interval_low", optionalNumber),
            ("interval_high", optionalNumber), ("n", integer), ("counted", text), ("method", text), ("fit", text),
        ]
        return list(of: members)
    }

    private static let number = JSONText.object([("type", .string("number"))])
    private static let optionalNumber = JSONText.object([("type", .array([.string("number"), .string("null")]))])
    private static let optionalInteger = JSONText.object([("type", .array([.string("integer"), .string("null")]))])
    private static let integer = JSONText.object([("type", .string("integer"))])

    /// An array of objects with these members.
    private static func list(of members: [(String, JSONText)]) -> JSONText {
        .object([
            ("type", .string("array")),
            (
                "items",
                .object([
                    ("type", .string("object")), ("properties", .object(members)),
                    ("required", .array(members.map { .string($0.0) })),
                ])
            ),
        ])
    }

    /// Axes, metrics and marks stand beside the members that every point has.
    private static var points: JSONText {
        StudyTables.points.jsonSchema(furtherTypes: ["string", "number", "boolean", "null"])
    }

    /// The members of each command's object.
    private static var commands: [(name: String, members: [(String, JSONText)])] {
        return [
            ("run", [("results", text)] + RunReport.jsonSchema),
            (
                "plan",
                [
                    ("scenario", text), ("results", text), ("find", text), ("answer", text), ("targets", listOfTexts),
                    ("is_confirmed", flag),
                    ("hidden", listOfTexts), ("few_requests", listOfTexts), ("plan", Table.plan.declaration.jsonSchema),
                    ("points", points),
                    (
                        "growth",
                        list(of: [
                            ("target", text), ("breaks_in_month", optionalInteger), ("people", optionalInteger),
                            ("holds_from_month", optionalInteger),
                        ])
                    ), ("growth_points", StudyTables.growth.jsonSchema(furtherTypes: ["number", "null"])),
                ]
            ),
            (
                "compare",
                [
                    ("broken", listOfTexts),
                    ("comparison", StudyTables.comparison(axes: []).jsonSchema(furtherTypes: ["string"])),
                ]
            ),
            (
                "sweep",
                [
                    ("study", text), ("results", text), ("axes", listOfTexts),
                    ("metrics", list(of: [("metric", text), ("unit", text)])), ("targets", listOfTexts),
                    ("frontier", listOfTexts), ("points", points),
                ]
            ),
            (
                "compare --log",
                [
                    ("run_requests", integer), ("log_requests", integer), ("log_forms", listOfTexts),
                    (
                        "figures",
                        list(of: [
                            ("figure", text), ("unit", text), ("run", number), ("log", number),
                            ("ratio", optionalNumber),
                        ])
                    ),
                    (
                        "hours",
                        list(of: [("hour_utc", integer), ("run_per_s", optionalNumber), ("log_per_s", optionalNumber)])
                    ),
                    ("shape_distance", optionalNumber), ("keys", list(of: [("figure", text), ("sentence", text)])),
                    ("notes", listOfTexts),
                ]
            ),
            (
                "sensitivity",
                [
                    ("scenario", text), ("results", text),
                    ("indices", .object([("anyOf", .array(StudyTables.indexSchemas))])),
                ]
            ),
            (
                "validate",
                [
                    (
                        "scenarios",
                        list(of: [
                            ("file", text), ("is_right", flag), ("warnings", listOfTexts), ("problems", listOfTexts),
                        ])
                    )
                ]
            ),
            (
                "calibrate",
                [
                    ("record", text), ("extent", text), ("estimates", estimates([.plain, .duration])),
                    ("left_out", listOfTexts), ("untold", listOfTexts),
                    ("notes", listOfTexts), ("fragment", text),
                ]
            ),
            (
                "calibrate --service",
                [
                    ("record", text), ("extent", text), ("estimates", estimates([.plain, .seconds])),
                    ("replay", list(of: [("figure", text), ("unit", text), ("measured", number), ("fitted", number)])),
                    ("left_out", listOfTexts), ("untold", listOfTexts), ("notes", listOfTexts), ("fragment", text),
                ]
            ),
            (
                "explain",
                [
                    (
                        "entries",
                        list(of: [
                            ("sort", text), ("name", text), ("meaning", text),
                            ("facts", list(of: [("label", text), ("text", text)])),
                            ("rules", list(of: [("id", text), ("title", text), ("text", text)])),
                        ])
                    )
                ]
            ),
            ("people", [("scenario", text), ("rows", .object([("anyOf", .array(PeopleReport.jsonSchemas))]))]),
        ]
    }

    /// The JSON Schema of all of them, told apart by their member `command`.
    static var schema: String {
        let head: [(String, JSONText)] = [
            ("reloadsim", .object([("type", .string("string")), ("description", .string("The version."))]))
        ]
        let objects = commands.map { command -> JSONText in
            let members = [("command", JSONText.object([("const", .string(command.name))]))] + head + command.members
            return .object([
                ("title", .string("reloadsim \(command.name) --json")), ("type", .string("object")),
                ("properties", .object(members)),
                ("required", .array(members.map { .string($0.0) })),
            ])
        }
        return JSONText.object([
            ("$schema", .string("https://json-schema.org/draft/2020-12/schema")),
            ("title", .string("The output of reloadsim's commands with --json")),
            ("oneOf", .array(objects)),
        ]).text(.scalarsOnOneLine)
    }
}
