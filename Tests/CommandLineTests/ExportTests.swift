import ResultFiles
import Foundation
import Reporting
import Testing

/// `reloadsim export` as a user meets it. What the formats say is checked by scripts/check-export, with readers that
/// are not ours.
@Suite struct ExportTests {
    private static let url = "https://staging.example/v1/{endpoint}/{key}?region={region}"

    /// An hour of quotes behind a small service, with a herd at half past.
    private static let scenario = """
        name: opening
        start: "2026-03-09T00:00:00Z"
        warmup: 9h
        duration: 1h
        people: 400
        kinds:
          - {id: quote, app: stocks, policy: {after: {at: ["09:30"], zone: UTC}}}
          - {id: list, app: stocks, endpoint: lists, policy: {after: 15m}}
        service:
          pools: [{id: p, servers: 40, service_time: 20ms}]
          endpoints: [{id: quote, cache: {ttl: 5s}}, {id: lists}]
        population:
          zones: {UTC: 1}
          devices:
            - kind: phone
              instances:
                - {id: a, kind: quote, surface: home_first, location: {chosen: {count: 20}, popularity: zipf}}
                - {id: b, kind: list, surface: lock_screen}

        """

    /// The folder of a run of it.
    private func run(in scratch: Scratch) throws -> String {
        try Self.scenario.write(toFile: scratch.path + "/opening.yaml", atomically: true, encoding: .utf8)
        let folder = scratch.path + "/run"
        let ended = try BuiltCommand.run([
            "run", scratch.path + "/opening.yaml", "--out", folder, "--quiet", "--no-report",
        ])
        try #require(ended.status == 0, "\(ended.error)")
        return folder
    }

    private func rows(_ file: String) throws -> [[String]] {
        try String(contentsOfFile: file, encoding: .utf8).split(separator: "\n").dropFirst().map {
            $0.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
        }
    }

    @Test(arguments: ["edge", "origin"])
    func `the export of a sample has the requests of all for whom it stands, and a share of them`(stage: String) throws {
        let scratch = Scratch()
        try Self.scenario.write(toFile: scratch.path + "/opening.yaml", atomically: true, encoding: .utf8)
        let many = ["--represents", "4000"]
        let run = scratch.path + "/run"
        let ended = try BuiltCommand.run(
            ["run", scratch.path + "/opening.yaml", "--out", run, "--no-report", "--no-progress"] + many)
        try #require(ended.status == 0, "\(ended.error)")
        // 4,000 devices for an hour, and not the 400 that are simulated.
        let said = try #require(ended.error.firstMatch(of: /requests  ([\d,]+) .*, ([\d.]+) a device-day/))
        let total = try #require(Double(said.output.1.replacing(",", with: "")))
        #expect(abs(Double(said.output.2)! / (total / 4_000 * 24) - 1) < 0.02, "\(said.output.0)")
        var load: [String: Int] = [:]
        for row in try rows(run + "/load.csv") {
            load[String(row[1].prefix(16)), default: 0] += Int(row[7])!
        }
        func exported(_ source: [String], _ name: String) throws -> [String: Int] {
            let out = scratch.path + "/" + name
            let ended = try BuiltCommand.run(
                ["export"] + source
                    + ["--format", "csv", "--stage", stage, "--span", "9h20m/9h40m", "--out", out])
            try #require(ended.status == 0, "\(ended.error)")
            var minutes: [String: Int] = [:]
            for row in try rows(out + "/requests.csv") { minutes[String(row[1].prefix(16)), default: 0] += 1 }
            return minutes
        }
        let whole = try exported([scratch.path + "/opening.yaml"] + many, "all")
        #expect(whole.values.reduce(0, +) > 1_000)
        #expect(try exported([run], "of-folder") == whole, "the run's folder and its scenario are one run")
        // load.csv has what reaches the edge.
        if stage == "edge" { for (minute, requests) in whole { #expect(load[minute] == requests, "\(minute)") } }
        let tenth = try exported([run, "--scale", "0.1"], "tenth").values.reduce(0, +)
        let share = Double(tenth) / Double(whole.values.reduce(0, +))
        #expect((0.07...0.13).contains(share), "\(share)")
    }

    @Test func `the export of a whole run has the requests of load.csv and the peak of load_peaks.csv`() throws {
        let scratch = Scratch()
        let run = try run(in: scratch)
        let out = scratch.path + "/all"
        let ended = try BuiltCommand.run(["export", run, "--format", "csv", "--span", "9h/10h", "--out", out])
        #expect(ended.status == 0, "\(ended.error)")
        var own: [[String]: Int] = [:]
        for row in try rows(out + "/requests.csv") {
            own[[String(row[1].prefix(16)), row[3], row[2], row[5]], default: 0] += 1
        }
        var load: [[String]: Int] = [:]
        for row in try rows(run + "/load.csv") {
            load[[String(row[1].prefix(16)), row[3], row[4], row[5]], default: 0] += Int(row[7])!
        }
        #expect(own == load)
        let peak = try #require(
            try rows(run + "/load_peaks.csv").first { $0[0] == "edge" && $0[1] == "*" && $0[2] == "1" })
        let total = own.values.reduce(0, +)
        #expect(
            total > 400 && ended.error.replacing(",", with: "").contains("requests  \(total) as many"), "\(ended.error)"
        )
        #expect(
            ended.error.contains("peak      \(peak[3]) requests in the second from 2026-03-09T09:30:"), "\(ended.error)"
        )
        #expect(try FileManager.default.contentsOfDirectory(atPath: out).sorted() == ["manifest.json", "requests.csv"])
    }

    @Test
    func `a folder and its scenario give the same bytes, round a peak at the origin too, on any number of threads`()
        throws
    {
        let scratch = Scratch()
        let run = try run(in: scratch)
        for stage in ["edge", "origin"] {
            let words = [
                "--format", "h2load", "--around", "load_peak_1s", "--width", "30s", "--stage", stage, "--url", Self.url,
            ]
            let names = [scratch.path + "/a-" + stage, scratch.path + "/b-" + stage]
            for (source, (out, threads)) in zip([run, scratch.path + "/opening.yaml"], zip(names, ["1", "3"])) {
                let ended = try BuiltCommand.run(["export", source, "--out", out, "--threads", threads] + words)
                #expect(ended.status == 0, "\(ended.error)")
            }
            let texts = try names.map { try String(contentsOfFile: $0 + "/requests.tsv", encoding: .utf8) }
            #expect(texts[0] == texts[1] && texts[0].contains("\thttps://staging.example/v1/quote/"))
        }
    }

    @Test(.enabled(if: python != nil, "there is no python3"))
    func `the recipes of the document start as many requests in every second as the table has`() throws {
        let scratch = Scratch()
        let run = try run(in: scratch)
        let out = scratch.path + "/table"
        let words = ["--format", "csv", "--around", "load_peak_1s", "--width", "20s", "--url", Self.url, "--out", out]
        let ended = try BuiltCommand.run(["export", run] + words)
        #expect(ended.status == 0, "\(ended.error)")
        let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
        let process = Process()
        let output = Pipe()
        process.executableURL = try #require(Self.python)
        process.arguments = ["Tests/Reference/recipes.py", "docs/load-test.md", out + "/requests.csv"]
        process.currentDirectoryURL = root
        (process.standardOutput, process.standardError) = (output, output)
        try process.run()
        let said = String(decoding: try output.fileHandleForReading.readToEnd() ?? Data(), as: UTF8.self)
        process.waitUntilExit()
        #expect(process.terminationStatus == 0, "\(said)")
        for tool in ["Gatling", "JMeter", "Artillery", "Locust"] { #expect(said.contains(tool + ": "), "\(said)") }
    }

    private static let python: URL? = (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":").lazy
        .map { URL(filePath: String($0)).appending(path: "python3") }.first {
            FileManager.default.isExecutableFile(atPath: $0.path)
        }

    @Test func `a format that went away is refused with the way on`() throws {
        for format in ["gatling", "jmeter", "artillery", "locust"] {
            for words in [["--format", format], ["--format=" + format]] {
                let ended = try BuiltCommand.run(["export", "x.yaml", "--span", "9h/10h"] + words)
                #expect(ended.status == 64 && ended.output.isEmpty)
                #expect(ended.error.contains("docs/load-test.md has the recipe"), "\(ended.error)")
            }
        }
    }

    @Test func `thinning keeps a subset, and speed moves nothing but time`() throws {
        let scratch = Scratch()
        let run = try run(in: scratch)
        func texts(_ name: String, _ words: [String]) throws -> [[String]] {
            let out = scratch.path + "/" + name
            let ended = try BuiltCommand.run(
                ["export", run, "--format", "csv", "--span", "9h20m/9h40m", "--out", out] + words)
            #expect(ended.status == 0, "\(ended.error)")
            return try rows(out + "/requests.csv")
        }
        let all = try texts("all", [])
        let few = try texts("few", ["--scale", "0.25"])
        let fast = try texts("fast", ["--speed", "2"])
        #expect(Set(few).isSubset(of: Set(all)) && few.count > all.count / 8 && few.count < all.count / 2)
        #expect(fast.map { Array($0[1...]) } == all.map { Array($0[1...]) })
        #expect(zip(fast, all).allSatisfy { abs(2 * (Double($0[0]) ?? 0) - (Double($1[0]) ?? -1)) < 3e-6 })
    }

    @Test func `what cannot be exported is refused in one sentence, and nothing is written`() throws {
        let scratch = Scratch()
        let run = try run(in: scratch)
        let out = scratch.path + "/out"
        let csv = ["--format", "csv", "--out", out]
        let cases: [([String], Int32, String)] = [
            ([run, "--format", "k6", "--span", "9h/10h", "--out", out], 64, "there is no default target: --url"),
            (
                [run, "--span", "8h/10h"] + csv, 64,
                "expected a part of the report, 2026-03-09T09:00:00Z to 2026-03-09T10:00:00Z"
            ),
            ([run, "--span", "9h30m/9h30m"] + csv, 64, "so the span is empty"),
            ([run] + csv, 64, "Name the part of the run"),
            (
                [run, "--span", "9h/9h0.1s", "--scale", "0.0001"] + csv, 64,
                "and none is kept; nothing was written (another --span, or a larger --scale)"
            ),
            ([run, "--around", "load_peak_1s"] + csv, 64, "--around and --width go together"),
            ([run, "--around", "load_peak_1s", "--width", "0s"] + csv, 64, "--width takes a time such as 10m"),
            ([run, "--span", "9h/10h", "--scale", "0"] + csv, 64, "--scale takes a share"),
            ([run, "--span", "9h/10h", "--speed", "0"] + csv, 64, "--speed takes a factor"),
            (
                [run, "--span", "9h/10h", "--format", "openmetrics", "--speed", "2", "--out", out], 64,
                "it takes no --speed"
            ),
            (
                [run, "--span", "9h/10h", "--format", "openmetrics", "--url", Self.url, "--out", out], 64,
                "it takes no --url"
            ),
            ([run, "--span", "9h/10h", "--seed", "7"] + csv, 64, "is the folder of a run, which has its own values"),
            (
                [scratch.path, "--span", "9h/10h"] + csv, 65,
                "expected complete results of a run, found no manifest.json in it"
            ),
            ([scratch.path + "/nothing", "--span", "9h/10h"] + csv, 66, "expected a file that can be read"),
        ]
        for (words, status, part) in cases {
            let ended = try BuiltCommand.run(["export"] + words)
            #expect(ended.status == status && ended.output.isEmpty, "\(words): \(ended.status) \(ended.error)")
            #expect(ended.error.contains(part), "\(words): \(ended.error)")
            #expect(!FileManager.default.fileExists(atPath: out), "\(words)")
        }
    }

    @Test func `--shift moves time stamps and nothing else, by a time or onto a date`() throws {
        let scratch = Scratch()
        let run = try run(in: scratch)
        func export(_ name: String, _ words: [String]) throws -> [[String]] {
            let out = scratch.path + "/" + name
            let all = ["export", run, "--format", "csv", "--span", "9h/10h", "--out", out] + words
            let ended = try BuiltCommand.run(all)
            #expect(ended.status == 0, "\(ended.error)")
            return try rows(out + "/requests.csv")
        }
        let plain = try export("plain", [])
        for (name, words, day) in [
            ("later", ["--shift", "7d"], "2026-03-16"), ("earlier", ["--shift", "2026-03-01"], "2026-03-01"),
        ] {
            let moved = try export(name, words)
            #expect(moved == plain.map { row in row.indices.map { $0 == 1 ? day + row[1].dropFirst(10) : row[$0] } })
        }
        for (shift, isAhead) in [("2020-01-01", false), ("30000d", true)] {
            let ended = try BuiltCommand.run([
                "export", run, "--format", "csv", "--span", "9h/10h", "--shift", shift, "--out",
                scratch.path + "/" + shift,
            ])
            #expect(ended.status == 0 && ended.error.contains(" ahead of now, ") == isAhead, "\(ended.error)")
        }
        let k6 = ["export", run, "--format", "k6", "--url", Self.url, "--span", "9h/10h", "--shift", "7d"]
        #expect(try BuiltCommand.run(k6).error.contains("has no time stamps, so it takes no --shift"))
        for text in ["soon", "-1d", "1969-12-31", "9999-12-31"] {
            let wrong = try BuiltCommand.run([
                "export", run, "--format", "csv", "--span", "9h/10h", "--shift=" + text, "--out", scratch.path + "/no",
            ])
            #expect(wrong.status == 64 && wrong.error.contains("--shift: expected a time such as 7d or a date"))
        }
    }

    @Test func `folders of other versions, changed ones and those of another build are refused`() throws {
        let scratch = Scratch()
        let run = try run(in: scratch)
        let manifest = run + "/manifest.json"
        let text = try String(contentsOfFile: manifest, encoding: .utf8)
        func refusal(_ changed: String) throws -> String {
            try changed.write(toFile: manifest, atomically: true, encoding: .utf8)
            let ended = try BuiltCommand.run([
                "export", run, "--span", "9h/10h", "--format", "csv", "--out", scratch.path + "/out",
            ])
            #expect(ended.status == 65 && ended.output.isEmpty)
            #expect(!FileManager.default.fileExists(atPath: scratch.path + "/out"))
            return ended.lastErrorLine
        }
        #expect(
            try refusal(text.replacing("\"reloadsim\": \"\(ReloadsimVersion.text)\"", with: "\"reloadsim\": \"0.0.9\""))
                == "error: \(run): it is of reloadsim 0.0.9, and this is \(ReloadsimVersion.text)\(Changelog.changes(since: "0.0.9").clause) (run it again with this version)"
        )
        #expect(
            try refusal(text.replacing("\"status\": \"complete\"", with: "\"status\": \"half\"")).contains(
                "is not the manifest of a complete run"))
        let fingerprint = try #require(text.firstMatch(of: /"fingerprint": "([0-9a-f]{16})"/)).1
        #expect(
            try refusal(text.replacing(fingerprint, with: "0123456789abcdef")).contains(
                "another build of this version made it"))
        try text.write(toFile: manifest, atomically: true, encoding: .utf8)
        try "x".write(toFile: run + "/load.csv", atomically: true, encoding: .utf8)
        #expect(try refusal(text).contains("load.csv has 1 bytes and had"))
    }

    @Test func `an export that is there is replaced by force alone, the files of another format with it`() throws {
        let scratch = Scratch()
        let run = try run(in: scratch)
        let out = scratch.path + "/out"
        let words = ["export", run, "--span", "9h/9h10m", "--out", out, "--url", Self.url, "--format"]
        #expect(try BuiltCommand.run(words + ["k6"]).status == 0)
        let again = try BuiltCommand.run(words + ["gor"])
        #expect(again.status == 74 && again.lastErrorLine.contains("is not empty; nothing was changed"))
        #expect(
            try FileManager.default.contentsOfDirectory(atPath: out).sorted() == [
                "load.js", "manifest.json", "scenario.json", "targets.json",
            ])
        #expect(try BuiltCommand.run(words + ["gor", "--force"]).status == 0)
        #expect(try FileManager.default.contentsOfDirectory(atPath: out).sorted() == ["manifest.json", "requests.gor"])
        for (format, files) in [("openmetrics", ["dashboard.json", "requests.om"]), ("csv", ["requests.csv"])] {
            let ended = try BuiltCommand.run([
                "export", run, "--span", "9h/9h10m", "--out", out, "--force", "--format", format,
            ])
            #expect(ended.status == 0, "\(ended.error)")
            #expect(
                try FileManager.default.contentsOfDirectory(atPath: out).filter { $0 != "manifest.json" }.sorted()
                    == files)
        }
    }
}
