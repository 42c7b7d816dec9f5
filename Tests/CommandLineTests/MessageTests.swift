import Basics
import Foundation
import Testing

@testable import Commands

/// Mistakes that end in one clear sentence, and words of users in the output.
@Suite struct MessageTests {
    private let study: StudyScenario

    init() throws { study = try StudyScenario(StudyScenario.service) }

    @Test func `a line is broken between words at the edge of a terminal, and hangs under its text`() {
        let line = "figures   the largest second brings 6,053 requests, the largest minute 41,200"
        let broken = Console.wrapped(line, columns: 40)
        #expect(
            broken
                == "figures   the largest second brings\n          6,053 requests, the largest\n          minute 41,200"
        )
        #expect(Console.wrapped(line, columns: line.count) == line)
        #expect(Console.wrapped("error: expected a folder", columns: 16) == "error: expected\n  a folder")
        // A line under a heading of an earlier one.
        #expect(
            Console.wrapped("          114 in 1 h at 00:03:27 Mon 2 Mar", columns: 30)
                == "          114 in 1 h at\n          00:03:27 Mon 2 Mar")
        for columns in 1...90 {
            let lines = Console.wrapped(line, columns: columns).split(separator: "\n")
            #expect(lines.map { $0.drop { $0 == " " } }.joined(separator: " ") == line, "\(columns)")
            #expect(columns < 20 || lines.allSatisfy { $0.count <= columns }, "\(columns)")
        }
    }

    @Test func `no command is 64 with the help, and an unknown option is named before anything else`() throws {
        let ended = try BuiltCommand.run([])
        #expect(ended.status == 64 && ended.output == "" && ended.error.contains("USAGE: reloadsim <subcommand>"))
        for (words, option) in [
            (["--nonsense"], "--nonsense"), (["run", "--nonsense"], "--nonsense"),
            (["run", "--peeple", "0", "--threads", "0"], "--peeple"), (["report", "--nonsense=1"], "--nonsense"),
            (["run", study.scenario, "--threads", "0", "--nonsense"], "--nonsense"),
        ] {
            let ended = try BuiltCommand.run(words)
            #expect(
                ended.status == 64 && ended.error.hasPrefix("error: Unknown option '\(option)'"),
                "\(words): \(ended.error)")
        }
        #expect(try BuiltCommand.run(["run"]).error.hasPrefix("error: Missing expected argument"))
    }

    @Test func `the headline says the cause of a peak and what is shown of no place`() throws {
        let out = study.folder + "/look"
        let ended = try BuiltCommand.run(
            [
                "run", ShardTests.shipped("first-look"), "--people", "100", "--out", out, "--threshold",
                "share_stale < 0.1",
            ])
        #expect(
            ended.error.contains(#/\(cause after: \d+ % of the requests of its minute\), /#)
                && ended.error.contains(#/ stale, \d.* % of another place, \d.* % of no place; age /#),
            "\(ended.error)")
        // As many digits as people read.
        #expect(ended.error.contains(#/broken    share_stale < 0\.1: measured 0\.\d{2,5}\n/#), "\(ended.error)")
    }

    @Test func `figures of those stood for before a service say so, as do those of the sample`() throws {
        let ended = try BuiltCommand.run(
            ["run", study.scenario, "--represents", "400", "--out", study.out])
        #expect(ended.status == 0, "\(ended.error)")
        for line in [
            #/\nestimate .* requests? from 400 people, /#, #/\nrequests  [0-9,]+ from 400 people, /#,
            #/\nviews     [0-9,]+ from 40 people: /#,
        ] { #expect(ended.error.contains(line), "\(ended.error)") }
        let plain = try BuiltCommand.run(["run", study.scenario, "--out", study.out, "--force"])
        #expect(!plain.error.contains(#/(requests|views)  .* from \d+ people/#), "\(plain.error)")
    }

    @Test func `lengths of time in a trace have no microseconds beside seconds`() {
        for (text, short) in [
            ("waited under idle 5h11m38s144ms922us", "waited under idle 5h11m38s"), ("after 144ms922us", "after 144ms"),
            ("after 3s7us and 12us", "after 3s and 12us"), ("for cell 59767784424", "for cell 59767784424"),
        ] { #expect(TraceText.shortened(text) == short) }
    }

    @Test func `a sensitivity names its page, and refuses a study's scenarios with the way to leave them out`() throws {
        let words = ["--vary", "\(StudyScenario.jitter)=range(0s,10m)", "--vary", "people=range(20,40)"]
        let more = ["--trajectories", "2", "--metric", "requests_total", "--out", study.out]
        let ended = try BuiltCommand.run(["sensitivity", study.scenario] + words + more)
        let page = study.out + "/sensitivity/report.html"
        #expect(ended.status == 0 && ended.error.contains("\npage      \(page)\n"), "\(ended.error)")
        #expect(FileManager.default.fileExists(atPath: page))
        let unknown = try BuiltCommand.run(["sensitivity", study.scenario, "--metric", "load_peek_1s"] + words)
        #expect(unknown.status == 65 && unknown.error.contains("did you mean 'load_peak_1s'?"), "\(unknown.error)")
        let file = try study.write(
            "named.yaml", StudyScenario.text + "study: {scenarios: {usual: {}, few: {people: 10}}}\n")
        let refused = try BuiltCommand.run(["sensitivity", file] + words)
        #expect(refused.status == 65 && refused.error.contains("--set 'study.scenarios={}'"), "\(refused.error)")
        let left = try BuiltCommand.run(["sensitivity", file, "--set", "study.scenarios={}", "--dry-run"] + words)
        #expect(left.status == 0, "\(left.error)")
    }

    @Test func `a key that is set twice is 64`() throws {
        for words in [
            ["--people", "20", "--set", "people=30"], ["--set", "people=20", "--set", "people=30"],
            ["--seed", "2", "--set", "seed=2"],
        ] {
            let ended = try BuiltCommand.run(["validate", study.scenario] + words)
            #expect(ended.status == 64 && ended.error.contains("expected each key once on the command line"))
        }
        let refined = ["--set", "kinds.quote.policy={after: 1h}", "--set", "kinds.quote.policy.jitter=1m"]
        #expect(try BuiltCommand.run(["validate", study.scenario] + refined).status == 0)
    }

    @Test func `pools by region in a replay without devices are problems and no crash`() throws {
        let file = try study.write(
            "replay.yaml",
            """
            start: "2026-04-14T08:00:00+00:00"
            end: 1h
            service:
              pools: [{id: east, servers: 5, service_time: 200ms}]
              endpoints: [{id: quote, pools: {us-west: east}}]
            kinds: [{id: quote, policy: {after: 5m}}]
            replay: {file: r.csv}
            """)
        _ = try study.write("r.csv", "device,time,event,detail\n")
        let ended = try BuiltCommand.run(["validate", file])
        #expect(ended.status == 65 && ended.error.hasPrefix("error: \(file)") && ended.error.contains("devices"))
    }

    @Test func `a wrong key of a study's scenarios is found by validate`() throws {
        let file = try study.write(
            "study.yaml",
            StudyScenario.text
                + "study: {scenarios: {usual: {}, hourly: {kinds.quoted.policy: {after: 1h}}}, axes: {people: [20, 30]}}\n"
        )
        for words in [["validate", file], ["validate", file, "--json"]] {
            let ended = try BuiltCommand.run(words)
            #expect(ended.status == 65)
            #expect(
                (ended.output + ended.error).contains("study.scenarios.hourly: kinds.quoted: expected"),
                "\(ended.error)")
        }
    }

    @Test func `compare knows the metrics that thresholds of a run know, and 5 % of nothing is nothing`() throws {
        let run = study.folder + "/run"
        #expect(
            try BuiltCommand.run([
                "run", study.scenario, "--quiet", "--threshold", "service.share_shed <= 0", "--out", run,
            ]).status == 0)
        for metric in ["service.share_shed", "service.origin_peak_1s", "service.origin.share_shed"] {
            let ended = try BuiltCommand.run(["compare", run, run, "--metric", metric])
            #expect(ended.status == 0 && ended.output.contains("\nservice.origin."), "\(ended.error) \(ended.output)")
        }
        for (demand, status) in [
            ("service.share_shed <= 5%", 0), ("service.share_shed <= -5%", 99), ("requests_total <= 5%", 0),
        ] as [(String, Int32)] {
            #expect(try BuiltCommand.run(["compare", run, run, "--threshold", demand]).status == status, "\(demand)")
        }
    }

    @Test func `a command that is none and a folder in place of a scenario name the way on`() throws {
        let out = study.folder + "/run"
        #expect(try BuiltCommand.run(["run", study.scenario, "--out", out, "--quiet"]).status == 0)
        for (words, status, way) in [
            (["rnu", study.scenario], 64, "there is no command 'rnu'; did you mean `run`?"),
            ([study.scenario], 64, "did you mean `reloadsim run \(study.scenario)`?"),
            ([out], 64, "`reloadsim report \(out)` makes the page of results"),
            (["trace", out], 66, "found a folder of results; the scenario as it ran is \(out)/scenario.resolved.yaml"),
            (["run", out], 66, "found a folder of results; the scenario as it ran is"),
            (["run", study.folder], 66, "expected a scenario, found a folder"),
            (["trace", study.scenario], 64, "--person 0"),
        ] as [([String], Int32, String)] {
            let ended = try BuiltCommand.run(words)
            #expect(ended.status == status && ended.error.contains(way), "\(words): \(ended.error)")
        }
    }

    @Test func `a life is looked for from a person on`() throws {
        let find = ["trace", study.scenario, "--find", "due", "--most", "2", "--person", "5", "--event", "due"]
        let ended = try BuiltCommand.run(find)
        #expect(ended.status == 0 && ended.error.contains("found     2 people among "), "\(ended.error)")
        #expect(ended.error.contains("looks at 20 people from person 5 on, each in a run of all 40"), "\(ended.error)")
        let people = ended.error.matches(of: #/person ([0-9]+), /#).compactMap { Int($0.1) }
        #expect(people.count == 2 && people.allSatisfy { $0 >= 5 }, "\(ended.error)")
        #expect(try BuiltCommand.run(find.map { $0 == "5" ? "100000" : $0 }).status == 64)
    }

    @Test func `a plan counts the grown fleets, and says its answer though a later fleet is refused`() throws {
        let plan = [
            "plan", study.scenario, "--find", "service.pools.origin.servers=1,2", "--target", "service.share_shed <= 1",
            "--repeat", "1", "--out", study.out,
        ]
        func runs(_ words: [String]) throws -> Int {
            let ended = try BuiltCommand.run(plan + words + ["--dry-run"])
            return try #require(Int(ended.error.firstMatch(of: /at most about (\d+);/)?.1 ?? ""), "\(ended.error)")
        }
        let growth = ["--growth", "500 %/month for 9 months"]
        #expect(try runs([]) == 2 && runs(growth) > 2)
        let ended = try BuiltCommand.run(plan + growth + ["--quiet"])
        #expect(ended.status != 0 && ended.error.contains("memory"), "\(ended.error)")
        #expect(ended.output.contains("the first of them is 1"), "\(ended.output)")
        #expect(FileManager.default.fileExists(atPath: study.out + "/plan.csv"))
    }

    @Test func `a plan from a sample is verified by one run of all people with the answer`() throws {
        let plan = [
            "plan", study.scenario, "--find", "service.pools.origin.servers=1,2", "--target",
            "service.origin.queue_wait_p99_s <= 10s", "--repeat", "1", "--quiet", "--verify", "--out", study.out,
        ]
        let ended = try BuiltCommand.run(plan + ["--represents", "400"])
        #expect(ended.status == 0, "\(ended.error)")
        let sentence = try #require(
            ended.output.firstMatch(of: /all 400 people, simulated once, at 1 the targets hold: (.*)/))
        let whole = study.folder + "/whole"
        let run = ["run", study.scenario, "--people", "400", "--set", "service.pools.origin.servers=1", "--quiet"]
        #expect(try BuiltCommand.run(run + ["--out", whole]).status == 0)
        let summary = try study.text("summary.csv", in: whole)
        let wait = try #require(summary.firstMatch(of: /pool,origin,queue_wait_p99_s,s,([0-9.]+)/)?.1)
        #expect(sentence.1 == "service.origin.queue_wait_p99_s is \(Figures.short(try #require(Double(wait)))) s")
        #expect(try study.text("manifest.json").contains("all 400 people, simulated once"))
        #expect(try study.text("report.html").contains("all 400 people, simulated once"))
        // A bound between what the sample and all people wait holds by the sample alone.
        let sample = study.folder + "/sample"
        let represented = [
            "--represents", "400", "--set", "service.pools.origin.servers=1", "--quiet", "--out", sample,
        ]
        #expect(try BuiltCommand.run(["run", study.scenario] + represented).status == 0)
        let summaryOfSample = try study.text("summary.csv", in: sample)
        let waitOfSample = try #require(
            summaryOfSample.firstMatch(of: /pool,origin,queue_wait_p99_s,s,([0-9.]+)/)?.1)
        let (few, all) = (try #require(Double(waitOfSample)), try #require(Double(wait)))
        try #require(few != all)
        let bound =
            "service.origin.queue_wait_p99_s \(few < all ? "<=" : ">=") \(((few + all) * 500_000).rounded() / 1_000)ms"
        let refused = try BuiltCommand.run(
            plan.map { $0 == "service.origin.queue_wait_p99_s <= 10s" ? bound : $0 } + ["--represents", "400"])
        #expect(refused.status == 99 && refused.error.contains("at 1 the targets do not hold"), "\(refused.error)")
        #expect(refused.output.contains("at 1 the targets do not hold"), "\(refused.output)")
        // All people who are simulated need nobody else.
        #expect(try BuiltCommand.run(plan).status == 65)
    }

    @Test(arguments: [
        ("a_b|c", #"a\_b\|c"#), ("@octocat", #"\@&#8203;octocat"#), ("#12", ##"\#&#8203;12"##), ("&lt;", #"\&lt;"#),
        ("https://a.example", "https:&#8203;//a.example"), ("www.a.example", "www&#8203;.a.example"), ("5:30", "5:30"),
    ])
    func `Markdown shows the words of users and makes nothing of them`(text: String, cell: String) {
        #expect(AlignedTable.markdownCell(text) == cell)
    }

    @Test(arguments: [
        ("scenario/fleet.yaml", "did you mean 'Scenarios/fleet.yaml'?"),
        ("Scenarios/flet.yaml", "did you mean 'Scenarios/fleet.yaml'?"),
        ("elsewhere/fleet.yaml", "found no such file\n"),
        ("Scenarios/weather-week.yaml", "found no such file\n"),
    ])
    func `a file that there is not is told with the nearest one`(path: String, hint: String) throws {
        let scratch = Scratch()
        try FileManager.default.createDirectory(
            atPath: scratch.path + "/Scenarios", withIntermediateDirectories: true)
        try Data().write(to: URL(filePath: scratch.path + "/Scenarios/fleet.yaml"))
        let ended = try BuiltCommand.run(["validate", path], in: scratch.path)
        #expect(ended.status == 66 && ended.error.contains(hint), "\(ended.error)")
    }

    @Test(arguments: [["--set", "kinds.w.policy={after:", "1h,", "x:", "2}"], ["--set=kinds.w.cities=[a,", "b]"]])
    func `a value that the shell has cut is told with its quotes`(words: [String]) throws {
        let ended = try BuiltCommand.run(["run", "fleet.yaml"] + words)
        #expect(ended.status == 64)
        #expect(ended.error.contains("The shell has cut the value of kinds.w."), "\(ended.error)")
        let whole = words.joined(separator: " ").drop { $0 != "k" }
        #expect(ended.error.contains("--set '\(whole)'"), "\(ended.error)")
    }
}
