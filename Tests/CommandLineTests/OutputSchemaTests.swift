import Foundation
import Testing

/// The output of each command with `--json`, held against the shipped schema: every member is there, and none is
/// unknown to it.
@Suite struct OutputSchemaTests {
    private static let file = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()
        .appending(path: "Reports/output.schema.json")

    private static func value(_ text: String) throws -> JSONValue {
        try JSONDecoder().decode(JSONValue.self, from: Data(text.utf8))
    }

    /// Checks the object that a command has printed, and gives it.
    @discardableResult
    private static func check(_ command: String, _ ended: BuiltCommand.Outcome) throws -> [String: JSONValue] {
        guard case .object(let schema) = try value(try String(contentsOf: file, encoding: .utf8)),
            case .array(let objects)? = schema["oneOf"]
        else {
            throw Problem("the shipped schema has no objects")
        }
        let own = objects.first { object in
            if case .object(let members) = object {
                members["title"] == .string("reloadsim \(command) --json")
            } else {
                false
            }
        }
        let said = try value(ended.output)
        let problems = try #require(own).problems(of: said, at: command)
        #expect(problems.isEmpty, "\(problems.prefix(5).joined(separator: "\n")) \(ended.error)")
        guard case .object(let members) = said else { return [:] }
        return members
    }

    private struct Problem: Error, CustomStringConvertible {
        let description: String
        init(_ description: String) { self.description = description }
    }

    @Test func `the shipped schema is the one that is printed`() throws {
        let printed = try BuiltCommand.run(["schema", "--output"]).output
        if ProcessInfo.processInfo.environment["RELOADSIM_REWRITE"] != nil {
            try printed.write(to: Self.file, atomically: true, encoding: .utf8)
        }
        #expect(try String(contentsOf: Self.file, encoding: .utf8) == printed)
    }

    @Test(arguments: ["", "thresholds: [{metric: quote.views, op: \"<\", value: 1}]\n", StudyScenario.service])
    func `a run says what the schema has, and the same of results that are there`(more: String) throws {
        let study = try StudyScenario(more)
        let made = try BuiltCommand.run(["run", study.scenario, "--out", study.out, "--json", "--quiet"])
        #expect(made.status == (more.contains("op: \"<\"") ? 99 : 0), "\(made.error)")
        let said = try Self.check("run", made)
        #expect(said["holds"] == .boolean(made.status == 0))
        let again = try BuiltCommand.run(["run", study.scenario, "--out", study.out, "--json", "--quiet", "--resume"])
        #expect(again.status == made.status && again.output == made.output, "\(again.error)")
    }

    @Test func `checks, people, their events and what is fitted to them are as the schema has them`() throws {
        let study = try StudyScenario()
        let wrong = try study.write("wrong.yaml", "people: many\n")
        try Self.check("validate", BuiltCommand.run(["validate", study.scenario, wrong, "--json"]))
        try Self.check("people", BuiltCommand.run(["people", study.scenario, "--count", "3", "--json"]))
        let events = ["people", study.scenario, "--set", "duration=2d", "--print", "events"]
        try Self.check("people", BuiltCommand.run(events + ["--json"]))
        try Self.check(
            "calibrate", BuiltCommand.run(["calibrate", "-", "--json"], input: BuiltCommand.run(events).output))
    }

    @Test func `explained entries are as the schema has them`() throws {
        let said = try Self.check(
            "explain", BuiltCommand.run(["explain", "after", "views", "share_stale", "B7", "granted", "--json"]))
        guard case .array(let entries)? = said["entries"] else { throw Problem("no entries") }
        #expect(entries.count > 5)
    }

    @Test func `a fitted service and a log beside a run are as the schema has them`() throws {
        let study = try StudyScenario()
        let rows = (0..<200).map { "\(Double($0) / 10),\(50 + $0 * 7 % 40),\($0 % 20 == 0 ? 503 : 200)\n" }.joined()
        try Self.check(
            "calibrate --service",
            BuiltCommand.run(["calibrate", "--service", "-", "--json"], input: "time,latency_ms,status\n" + rows))
        #expect(try BuiltCommand.run(["run", study.scenario, "--out", study.out, "--quiet"]).status == 0)
        try Self.check(
            "compare --log",
            BuiltCommand.run(["compare", study.out, "--log", "-", "--json"], input: "{\"time\":1}\n{\"time\":3600}\n"))
    }

    @Test func `comparisons are as the schema has them: of runs, and within a study of two axes`() throws {
        let study = try StudyScenario()
        let axes = ["--vary", "jitter:\(StudyScenario.jitter)=0s,10m", "--vary", "people=20,40"]
        #expect(try study.sweep(axes + ["--repeat", "2", "--quiet"]).status == 0)
        try Self.check(
            "compare",
            BuiltCommand.run(["compare", study.out, "--by", "jitter", "--json", "--threshold", "requests_total < -90%"])
        )
        let runs = try study.runs.map { study.out + "/runs/" + $0 }
        try Self.check("compare", BuiltCommand.run(["compare", runs[0], runs[1], "--json"]))
    }

    @Test func `the points of a sweep are as the schema has them`() throws {
        let study = try StudyScenario()
        let axes = ["--vary", "p:kinds.quote.policy={after: 20m},{after: 1h}", "--vary", "people=20,40"]
        let plain = try study.sweep(axes + ["--json", "--quiet"])
        #expect(plain.status == 0, "\(plain.error)")
        try Self.check("sweep", plain)
        let marks = ["--target", "load_peak_1s <= 40", "--frontier", "load_peak_1s,share_stale"]
        try Self.check("sweep", study.sweep(axes + marks + ["--format", "json", "--quiet", "--resume"]))
    }

    @Test func `both methods of sensitivity, and a plan, are as the schema has them`() throws {
        let study = try StudyScenario()
        for (method, size) in [("morris", ["--trajectories", "2"]), ("sobol", ["--base", "2"])] {
            let ended = try BuiltCommand.run(
                ["sensitivity", study.scenario, "--method", method, "--vary", "\(StudyScenario.jitter)=range(0s,10m)"]
                    + ["--vary", "kinds.quote.policy.after=range(20m,1h)"] + size
                    + ["--repeat", "1", "--out", study.out + "-" + method, "--json", "--quiet"])
            #expect(ended.status == 0, "\(ended.error)")
            try Self.check("sensitivity", ended)
        }
        let plan = try BuiltCommand.run(
            [
                "plan", study.scenario, "--find", "\(StudyScenario.jitter)=range(0s,10m,5m)", "--target",
                "load_peak_1s <= 39", "--repeat", "2",
            ]
                + ["--growth", "30 %/month for 2 months", "--out", study.out + "-plan", "--json", "--quiet"])
        #expect(plan.status == 0, "\(plan.error)")
        try Self.check("plan", plan)
    }

    @Test func `a member too many, one too few and one of another type are seen`() throws {
        let schema = try Self.value(
            #"{"type": "object", "properties": {"a": {"type": "integer"}, "b": {"type": ["string", "null"]}}, "required": ["a"]}"#
        )
        #expect(schema.problems(of: try Self.value(#"{"a": 1, "b": null}"#), at: "").isEmpty)
        for wrong in [
            #"{"b": "c"}"#, #"{"a": 1.5}"#, #"{"a": true}"#, #"{"a": 1, "c": 2}"#, #"{"a": 1, "b": 2}"#, "[]",
        ] {
            #expect(schema.problems(of: try Self.value(wrong), at: "").count == 1, "\(wrong)")
        }
    }
}

/// A value of JSON, and what of a JSON Schema this program's own schema uses.
private enum JSONValue: Decodable, Equatable {
    case null, boolean(Bool), number(Double), string(String), array([JSONValue]), object([String: JSONValue])

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

    private func isOf(_ type: JSONValue) -> Bool {
        switch (type, self) {
        case (.string("null"), .null), (.string("boolean"), .boolean), (.string("number"), .number),
            (.string("string"), .string),
            (.string("array"), .array), (.string("object"), .object):
            true
        case (.string("integer"), .number(let number)): number == number.rounded()
        case (.array(let types), _): types.contains { isOf($0) }
        default: false
        }
    }

    /// The problems of a value by this schema. A keyword that is not known here is a problem too.
    func problems(of value: JSONValue, at place: String) -> [String] {
        guard case .object(let schema) = self else { return ["\(place): no schema"] }
        var problems: [String] = []
        for (keyword, rule) in schema {
            switch (keyword, rule) {
            case ("title", _), ("description", _), ("properties", _), ("additionalProperties", _): continue
            case ("type", _): if !value.isOf(rule) { return ["\(place): \(value) is not of the type \(rule)"] }
            case ("const", _): if value != rule { problems.append("\(place): \(value) is not \(rule)") }
            case ("enum", .array(let values)):
                if !values.contains(value) { problems.append("\(place): \(value) is none of \(values)") }
            case ("required", .array(let names)):
                guard case .object(let members) = value else { continue }
                for case .string(let name) in names where members[name] == nil {
                    problems.append("\(place): no \(name)")
                }
            case ("items", _):
                guard case .array(let items) = value else { continue }
                for (index, item) in items.enumerated() {
                    problems += rule.problems(of: item, at: "\(place)[\(index)]")
                }
            case ("anyOf", .array(let schemas)):
                let found = schemas.map { $0.problems(of: value, at: place) }
                if !found.contains(where: \.isEmpty) {
                    problems += found.min { $0.count < $1.count } ?? ["\(place): nothing is allowed"]
                }
            default: problems.append("\(place): the keyword \(keyword) is not known")
            }
        }
        guard case .object(let members) = value, case .object(let known)? = schema["properties"] else {
            return problems
        }
        for (name, member) in members {
            if let rule = known[name] ?? schema["additionalProperties"] {
                problems += rule.problems(of: member, at: place + "." + name)
            } else {
                problems.append("\(place): the member \(name) is not known")
            }
        }
        return problems
    }
}
