import Foundation
import Testing

/// The output of each command with `--json`, held against Reports/README.md: every member that stands there is printed,
/// and no other.
@Suite struct JSONMembersTests {
    /// Checks the object that a command has printed, and gives it.
    @discardableResult
    private static func check(_ command: String, _ ended: BuiltCommand.Outcome) throws -> [String: JSONValue] {
        let said = try JSONValue(ended.output)
        let problems = try JSONMembers.documented().problems(of: said, command: command)
        #expect(problems.isEmpty, "\(problems.prefix(5).joined(separator: "\n")) \(ended.error)")
        guard case .object(let members) = said else { return [:] }
        return members
    }

    private struct Problem: Error, CustomStringConvertible {
        let description: String
        init(_ description: String) { self.description = description }
    }

    @Test(arguments: ["", "thresholds: [{metric: quote.views, op: \"<\", value: 1}]\n", StudyScenario.service])
    func `a run says what is documented, and the same of results that are there`(more: String) throws {
        let study = try StudyScenario(more)
        let made = try BuiltCommand.run(["run", study.scenario, "--out", study.out, "--json", "--quiet"])
        #expect(made.status == (more.contains("op: \"<\"") ? 99 : 0), "\(made.error)")
        let said = try Self.check("run", made)
        #expect(said["holds"] == .boolean(made.status == 0))
        let again = try BuiltCommand.run(["run", study.scenario, "--out", study.out, "--json", "--quiet", "--resume"])
        #expect(again.status == made.status && again.output == made.output, "\(again.error)")
    }

    @Test func `checks, people, their events and what is fitted to them are as documented`() throws {
        let study = try StudyScenario()
        let wrong = try study.write("wrong.yaml", "people: many\n")
        try Self.check("validate", BuiltCommand.run(["validate", study.scenario, wrong, "--json"]))
        try Self.check("people", BuiltCommand.run(["people", study.scenario, "--count", "3", "--json"]))
        let events = ["people", study.scenario, "--set", "duration=2d", "--print", "events"]
        try Self.check("people", BuiltCommand.run(events + ["--json"]))
        try Self.check(
            "calibrate", BuiltCommand.run(["calibrate", "-", "--json"], input: BuiltCommand.run(events).output))
    }

    @Test func `explained entries are as documented`() throws {
        let said = try Self.check(
            "explain", BuiltCommand.run(["explain", "after", "views", "share_stale", "B7", "granted", "--json"]))
        guard case .array(let entries)? = said["entries"] else { throw Problem("no entries") }
        #expect(entries.count > 5)
    }

    @Test func `a fitted service and a log beside a run are as documented`() throws {
        let study = try StudyScenario()
        let rows = (0..<200).map { "\(Double($0) / 10),\(50 + $0 * 7 % 40),\($0 % 20 == 0 ? 503 : 200)\n" }.joined()
        try Self.check(
            "calibrate --service",
            BuiltCommand.run(["calibrate", "--service", "-", "--json"], input: "time,latency_ms,status\n" + rows))
        #expect(try BuiltCommand.run(["run", study.scenario, "--out", study.out, "--quiet"]).status == 0)
        try Self.check(
            "compare --log",
            BuiltCommand.run(
                ["compare", study.out, "--log", "-", "--log-columns", "time=time", "--json"],
                input: "{\"time\":1}\n{\"time\":3600}\n"))
    }

    @Test func `comparisons are as documented: of runs, and within a study of two axes`() throws {
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

    @Test func `the points of a sweep are as documented`() throws {
        let study = try StudyScenario()
        let axes = ["--vary", "p:kinds.quote.policy={after: 20m},{after: 1h}", "--vary", "people=20,40"]
        let plain = try study.sweep(axes + ["--json", "--quiet"])
        #expect(plain.status == 0, "\(plain.error)")
        try Self.check("sweep", plain)
        let marks = ["--target", "load_peak_1s <= 40", "--frontier", "load_peak_1s,share_stale"]
        try Self.check("sweep", study.sweep(axes + marks + ["--json", "--quiet", "--resume"]))
    }

    @Test func `both methods of sensitivity, and a plan, are as documented`() throws {
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
        let map = try BuiltCommand.run(
            [
                "plan", ShardTests.shipped("metastable"), "--people", "1500", "--set", "duration=14m", "--set",
                "service.pools.origin.servers=1", "--map", "trigger=20s", "--map", "headroom=20%,50%",
            ]
                + ["--cure", "service.retries=0", "--repeat", "1", "--keep", "summary"]
                + ["--out", study.out + "-map", "--json", "--quiet"])
        #expect(map.status == 0, "\(map.error)")
        try Self.check("plan --map", map)
    }

    @Test func `an option that went away is refused with the way on`() throws {
        for (words, sentence) in [
            (["schema", "--output"], "Reports/README.md has their members"),
            (["sweep", "x.yaml", "--format", "csv"], "points.csv"), (["sweep", "x.yaml", "--format=json"], "--json"),
        ] {
            let ended = try BuiltCommand.run(words)
            #expect(ended.status == 64 && ended.output.isEmpty && ended.error.contains(sentence), "\(ended.error)")
        }
    }

    @Test func `a member too many, one too few and one of another type are seen`() throws {
        let table = [
            JSONMembers.Column(name: "a", type: "integer", isOptional: false, isConditional: false),
            JSONMembers.Column(name: "b", type: "string", isOptional: true, isConditional: false),
        ]
        let members = JSONMembers(
            commands: ["x": try JSONValue(#"{"rows": ["t.csv"], "c": "1 | h", "d": "number | null"}"#)],
            tables: ["t.csv": (table, false)])
        func problems(_ row: String, _ more: String = #""c": "h", "d": null"#) throws -> [String] {
            let text = #"{"command": "x", "reloadsim": "1", "rows": [\#(row)], \#(more)}"#
            return members.problems(of: try JSONValue(text), command: "x")
        }
        #expect(try problems(#"{"a": 1, "b": null}"#).isEmpty)
        for wrong in [
            #"{"b": "c"}"#, #"{"a": 1.5, "b": "c"}"#, #"{"a": true, "b": null}"#, #"{"a": 1, "b": null, "c": 2}"#,
            #"{"a": 1, "b": 2}"#, #"{"a": null, "b": "c"}"#, "[]",
        ] {
            #expect(try problems(wrong).count == 1, "\(wrong)")
        }
        for wrong in [#""c": "d", "d": 1"#, #""c": "1""#, #""c": "1", "d": "2""#, #""c": "1", "d": 2, "e": 3"#] {
            #expect(try problems("", wrong).count == 1, "\(wrong)")
        }
    }
}
