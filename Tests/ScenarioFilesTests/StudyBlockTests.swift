import Foundation
import Reporting
import Simulation
import Testing

@testable import ScenarioFiles

/// The study of a scenario: every key in its block, and none in the scenario of one run.
@Suite struct StudyBlockTests {
    private static let base = ScenarioReaderTests.head + ScenarioReaderTests.kinds + ScenarioReaderTests.population

    private static let whole = """
        study:
          name: jitter-and-cache
          design: grid
          axes:
            kinds.weather.policy.jitter: [0s, 1m, {plus_minus: 5m}]
            ttl: {key: service.endpoints.weather.cache.ttl, values: "range(0s, 10m, 2m)"}
            people: log(1000, 100000, 3)
            at: {key: kinds.weather.policy.after, values: [{at: ["09:30", "16:00"], zone: local}, 1h]}
            warmup:
              values:
                - 1d
                - 2d
          zip: [[ttl, people], [at, warmup]]
          where: ["people <= 10000 or ttl > 1m", warmup == 1d]
          repeat: 5
          seeds: per_run
          scenarios:
            plain: {}
            cached:
              service.pools: [{id: origin, servers: 1e3, service_time: 5ms}]
              kinds.weather.policy.jitter: 30s
          baseline: cached

        """

    private static func study(_ keys: String, overrides: [String] = []) throws -> StudyBlock {
        try #require(try ScenarioReader.read(text: base + "study: {" + keys + "}\n", overrides: overrides).study)
    }

    @Test func `every key of a study arrives in its block`() throws {
        let study = try #require(try ScenarioReader.read(text: Self.base + Self.whole).study)
        #expect(
            study
                == StudyBlock(
                    name: "jitter-and-cache", design: "grid",
                    axes: [
                        .init(
                            name: "kinds.weather.policy.jitter", key: "kinds.weather.policy.jitter",
                            values: .listed(["0s", "1m", "{plus_minus: 5m}"])),
                        .init(
                            name: "ttl", key: "service.endpoints.weather.cache.ttl",
                            values: .expression("range(0s, 10m, 2m)")),
                        .init(name: "people", key: "people", values: .expression("log(1000, 100000, 3)")),
                        .init(
                            name: "at", key: "kinds.weather.policy.after",
                            values: .listed([#"{at: ["09:30", "16:00"], zone: local}"#, "1h"])),
                        .init(name: "warmup", key: "warmup", values: .listed(["1d", "2d"])),
                    ], zip: [["ttl", "people"], ["at", "warmup"]],
                    conditions: ["people <= 10000 or ttl > 1m", "warmup == 1d"],
                    replications: 5, seedsPerRun: true,
                    variants: [
                        .init(name: "plain", overrides: []),
                        .init(
                            name: "cached",
                            overrides: [
                                "service.pools=[{id: origin, servers: 1e3, service_time: 5ms}]",
                                "kinds.weather.policy.jitter=30s",
                            ]
                        ),
                    ], baseline: "cached"))
    }

    @Test func `what a study leaves out has its default`() throws {
        #expect(try Self.study("") == StudyBlock())
        #expect(try ScenarioReader.read(text: Self.base).study == nil)
        #expect(try Self.study("scenarios: {a: {people: 5}, b: {}}").baseline == "a")
        #expect(try Self.study("where: people > 5").conditions == ["people > 5"])
        #expect(
            try Self.study("axes: {people: 5}").axes == [.init(name: "people", key: "people", values: .expression("5"))]
        )
    }

    @Test func `the number of a design's points is in digits`() throws {
        for (text, design) in [
            ("grid", "grid"), ("sobol:1024", "sobol:1024"), ("lhs:1e6", "lhs:1000000"), ("\"lhs:1_0\"", "lhs:10"),
            ("csv:points.csv", "csv:points.csv"), ("csv:a:b.csv", "csv:a:b.csv"),
        ] { #expect(try Self.study("design: \(text)").design == design) }
    }

    @Test func `the scenario of one run knows nothing of the study`() throws {
        let (plain, studied) = (
            try ScenarioReader.read(text: Self.base), try ScenarioReader.read(text: Self.base + Self.whole)
        )
        #expect(studied.resolvedText == plain.resolvedText && studied.warnings() == plain.warnings())
        #expect("\(studied.scenario)" == "\(plain.scenario)")
        let first = try ScenarioReader.read(text: Self.whole + Self.base, overrides: ["people=7"])
        #expect(first.resolvedText == (try ScenarioReader.read(text: Self.base, overrides: ["people=7"])).resolvedText)
    }

    @Test func `a replay may have a study`() throws {
        let text = """
            start: "2026-03-02T00:00:00-05:00"
            end: 1d
            devices: [{id: d, zone: America/New_York, instances: [{id: w, kind: weather}]}]
            kinds: [{id: weather, policy: {after: 30m}}]
            study: {axes: {kinds.weather.policy.after: [30m, 1h]}}
            """
        let study = try ScenarioReader.read(text: text, replay: "device,time,event,detail\nd,3600,pickup,\n").study
        #expect(study?.axes.count == 1)
    }

    @Test func `overrides reach a study's keys, also those with dots in them`() throws {
        let read = try ScenarioReader.read(
            text: Self.base + Self.whole,
            overrides: [
                "study.repeat=3", "study.axes.kinds.weather.policy.jitter=[5m]", "study.axes.ttl.values=[1m]",
                "study.design=csv:x.csv",
                "study.scenarios.cached.kinds.weather.policy.jitter=1h",
            ])
        let study = try #require(read.study)
        #expect(study.replications == 3 && study.design == "csv:x.csv")
        #expect(study.axes[0].values == .listed(["5m"]) && study.axes[1].values == .listed(["1m"]))
        #expect(study.variants[1].overrides[1] == "kinds.weather.policy.jitter=1h")
        let made = try ScenarioReader.read(
            text: Self.base, overrides: ["study.axes.people=[10, 20]", "study.repeat=2"]
        ).study
        #expect(
            made
                == StudyBlock(
                    axes: [.init(name: "people", key: "people", values: .listed(["10", "20"]))], replications: 2))
    }

    @Test func `a study in JSON is the same study`() throws {
        let json = """
            {"start": "2026-03-02T00:00:00-05:00", "duration": "1d", "people": 100, "kinds": [{"id": "weather", "policy": {"after": "30m"}}],
             "population": {"devices": [{"instances": [{"id": "here", "kind": "weather"}]}]},
             "study": {"design": "lhs:8", "axes": {"people": [100, 1e3], "jitter": {"key": "kinds.weather.policy.jitter", "values": ["0s", "1m"]}},
                       "zip": [["people", "jitter"]], "where": "people > 5", "repeat": 2, "scenarios": {"a": {}, "b": {"warmup": "1d"}}}}
            """
        let study = try #require(try ScenarioReader.read(text: json).study)
        #expect(
            study
                == StudyBlock(
                    design: "lhs:8",
                    axes: [
                        .init(name: "people", key: "people", values: .listed(["100", "1e3"])),
                        .init(
                            name: "jitter", key: "kinds.weather.policy.jitter", values: .listed([#""0s""#, #""1m""#])),
                    ], zip: [["people", "jitter"]], conditions: ["people > 5"], replications: 2,
                    variants: [.init(name: "a", overrides: []), .init(name: "b", overrides: [#"warmup="1d""#])],
                    baseline: "a"))
    }

    // MARK: Texts of values

    /// The same characters, the same quotes, the same structure; places aside, and what means nothing is one.
    private static func shape(_ node: RawNode) -> String {
        switch node.content {
        case .scalar(let text, let isPlain):
            node.isNothing ? "~" : "\(isPlain ? "plain" : "quoted") \(text.debugDescription)"
        case .list(let items): "[" + items.map(shape).joined(separator: ", ") + "]"
        case .mapping(let fields):
            "{" + fields.map { "\($0.key.debugDescription): \(shape($0.value))" }.joined(separator: ", ") + "}"
        }
    }

    /// The node that an override with the text sets at `key`.
    private static func set(_ text: String) throws -> RawNode {
        let log = ProblemLog(file: "x")
        let override = try #require(Override("key=" + text, log: log), "\(text): \(log.problems)")
        return try #require(override.applied(to: RawNode(content: .mapping([]), origin: .catalogue), log: log)["key"])
    }

    private static func composed(_ yaml: String) throws -> RawNode {
        let log = ProblemLog(file: "x")
        return try #require(NodeComposition.root(of: yaml, log: log), "\(yaml): \(log.problems)")
    }

    @Test func `the text of a value reads back to the same value, as written and in an override`() throws {
        let values = [
            "5m", "1e5", "1_000", "-0.5", ".94", "010", "true", "never", "America/New_York", "New York", "a:b",
            "2026-03-02T00:00:00-05:00",
            "-5",
            "40km/h", "home 0 -12.5", "grün", "a#b", "a & b", "x*y", "50%", "it's", "say \"so\"", "?x", ":x", "a=b=c",
            "<=", "--5",
            "csv:a.csv",
            "\"09:30\"", "'09:30'", "\"5\"", "\"true\"", "\"\"", "''", "\"a\\nb\\tc\\\\d\\\"e\"", "\" a \"",
            "\"# no comment\"", "\"---\"",
            "\"\\u0007\\x85\\xA0\\u2028\\uFEFF\\uE123\"", "\"[a, b]\"", "\"~\"", "\"null\"",
            "[]", "{}", "[[]]", "[{}]", "[a, \"b\", [1e3, {c: ~, \"d e\": [\"07:30\"]}]]",
            "{at: [\"09:30\"], zone: local}",
            "{1: a, \"true\": b}",
            "[a:b, x::y, -5, --5, 50%]", "{shape: 3.1, mean: 107, clip: [8, 300]}", "[~, null, \"\"]", "{a.b: 1}",
        ]
        for text in values {
            let node = try Self.composed("value: " + text + "\n")["value"]!
            let (flow, expected) = (node.flowText, Self.shape(node))
            #expect(Self.shape(try Self.set(flow)) == expected, "\(text) as \(flow)")
        }
        // Words keep the way in which they were written.
        #expect(try Self.composed("[1e5, \"09:30\", 5m, 'x']").flowText == #"[1e5, "09:30", 5m, "x"]"#)
    }

    @Test func `a plain text that no bracket can hold is put in quotes`() throws {
        let node = try Self.composed(
            """
            - a, b
            - a [b] {c}
            - one
              two

              three
            - key: |
                lines
                of text
              "a.b": x:y
              empty:
            - ---
            """)
        let flow = node.flowText
        #expect(
            flow
                == #"["a, b", "a [b] {c}", "one two\nthree", {key: "lines\nof text\n", "a.b": x:y, empty: ~}, "---"]"#)
        #expect(
            Self.shape(try Self.set(flow)).replacing("quoted", with: "plain")
                == Self.shape(node).replacing("quoted", with: "plain"))
        #expect(try Self.composed("x: a, b")["x"]!.flowText == "a, b")
        #expect(Self.shape(try Self.set("a, b")) == "plain \"a, b\"")
    }

    @Test func `a listed value does in an override what it does in the file`() throws {
        let study = try Self.study(
            "axes: {kinds.weather.policy: [{after: {at: [\"07:30\", '18:15']}, jitter: 5m}, never, {after: 90m}]}")
        guard case .listed(let texts) = study.axes[0].values else { throw CancellationError() }
        for (text, policy) in zip(
            texts, ["{after: {at: [\"07:30\", \"18:15\"]}, jitter: 5m}", "never", "{after: 90m}"])
        {
            let asOverride = try ScenarioReader.read(text: Self.base, overrides: ["kinds.weather.policy=\(text)"])
            let inFile = try ScenarioReader.read(text: Self.base.replacingOccurrences(of: "{after: 30m}", with: policy))
            #expect(asOverride.resolvedText == inFile.resolvedText)
        }
    }

    // MARK: The text that is read once

    @Test func `a scenario's text is read many times, whatever becomes of its file`() throws {
        let folder = FileManager.default.temporaryDirectory.appending(
            path: "reloadsim-text-\(ProcessInfo.processInfo.processIdentifier)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let file = folder.appending(path: "fleet.yaml")
        try (Self.base + Self.whole).write(to: file, atomically: true, encoding: .utf8)
        let text = try ScenarioText(file: file.path)
        #expect(text.file == file.path && text.text == Self.base + Self.whole)
        try "people: none".write(to: file, atomically: true, encoding: .utf8)
        let first = try text.read()
        #expect(first.scenario.name == "fleet" && first.scenario.people == 100 && first.study?.axes.count == 5)
        #expect(try text.read(overrides: ["people=7"]).scenario.people == 7)
        #expect(try text.read().resolvedText == first.resolvedText)
    }

    @Test func `a text's problems are in every report of it`() throws {
        let text = ScenarioText(text: Self.base + "seed: !!int 3\n", file: "x.yaml")
        for override in ["people=5", "people=none"] {
            let problems = #expect(throws: ScenarioProblems.self) { try text.read(overrides: [override]) }
            #expect(problems?.problems.first?.found == "the tag '!!int'")
            #expect(problems?.problems.count == (override == "people=5" ? 1 : 2))
        }
        let hopeless = ScenarioText(text: "a: b: c")
        for _ in 0..<2 { #expect(throws: ScenarioProblems.self) { try hopeless.read(overrides: []) } }
    }
}
