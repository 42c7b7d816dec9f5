import Foundation
import Pages
import Testing

/// The promises of `compare` to a shell.
@Suite struct CompareTests {
    let study: StudyScenario
    /// A study with two values of the jitter and three replications.
    let jitters: String
    /// One with other columns.
    let people: String

    init() throws {
        study = try StudyScenario()
        jitters = study.folder + "/jitters"
        people = study.folder + "/people"
        for (folder, axis) in [(jitters, "jitter:\(StudyScenario.jitter)=0s,10m"), (people, "people=30,40")] {
            let ended = try BuiltCommand.run([
                "sweep", study.scenario, "--vary", axis, "--repeat", "3", "--out", folder, "--quiet",
            ])
            #expect(ended.status == 0, "\(ended.error)")
        }
    }

    private func compare(_ arguments: [String]) throws -> BuiltCommand.Outcome {
        try BuiltCommand.run(["compare"] + arguments, in: study.folder)
    }

    @Test func `the points of a study are compared with the first, and the table is data`() throws {
        let ended = try compare([jitters, "--metric", "requests_total"])
        #expect(ended.status == 0 && ended.error == "", "\(ended.error)")
        #expect(ended.output.hasPrefix("first   jitter=0s\nsecond  jitter=10m\n3 pairs of runs"), "\(ended.output)")
        let lines = ended.output.split(separator: "\n")
        #expect(lines.dropLast().last?.hasPrefix("requests_total") == true)
        #expect(lines.last?.hasPrefix("variance: what pairing leaves of it, ") == true)
        let csv = try compare([jitters, "--format", "csv", "--by", "jitter", "--baseline", "10m"])
        #expect(
            csv.status == 0
                && csv.output.hasPrefix("baseline,variant,jitter,baseline_jitter,metric,unit,pairs,baseline_mean,"))
        #expect(
            csv.output.contains("\njitter=10m,jitter=0s,0s,10m,requests_total,requests,3,"), "\(csv.output.prefix(400))"
        )
    }

    @Test func `the usual figures come first, whether they differ or not`() throws {
        let rows = try compare([jitters]).output.split(separator: "\n").drop { !$0.hasPrefix("metric ") }.dropFirst()
        let names = rows.compactMap { $0.split(separator: " ").first.map(String.init) }
        let usual = UsualFigures.names.filter(names.contains)
        #expect(usual.count > 4 && Array(names.prefix(usual.count)) == usual, "\(names)")
    }

    @Test func `runs that are unlike in people, length or kinds get a warning`() throws {
        let other = try study.write("other.yaml", StudyScenario.text)
        let long = try BuiltCommand.run(["run", study.scenario, "--out", study.folder + "/a", "--quiet"])
        let short = try BuiltCommand.run(["run", other, "--people", "7", "--out", study.folder + "/b", "--quiet"])
        #expect(long.status == 0 && short.status == 0)
        let ended = try compare([study.folder + "/a", study.folder + "/b", "--metric", "people"])
        #expect(ended.status == 0)
        #expect(
            ended.error.contains("are unlike, so that totals and peaks say little: ")
                && ended.error.hasSuffix(" and 7 people\n"), "\(ended.error)")
        #expect(try compare([study.folder + "/a", study.folder + "/a", "--metric", "people"]).error == "")
        // Within a study it is what was asked for.
        #expect(try compare([people, "--metric", "people"]).error == "")
    }

    @Test func `the page of a comparison names the folders that are compared`() throws {
        for (folders, facts) in [
            ([jitters], "<dt>Study</dt><dd>\(jitters)</dd>"),
            ([jitters, jitters], "<dt>First</dt><dd>\(jitters)</dd><dt>Second</dt><dd>\(jitters)</dd>"),
        ] {
            let ended = try compare(folders + ["--out", study.folder + "/compared", "--metric", "requests_total"])
            #expect(ended.status == 0, "\(ended.error)")
            #expect(try study.text("report.html", in: study.folder + "/compared").contains(facts))
        }
    }

    @Test func `a broken threshold is told though the reader of the table has gone`() throws {
        let ended = try BuiltCommand.run(
            ["compare", jitters, "--all", "--threshold", "requests_total >= -1%"],
            shell: "\"$@\" | true; exit ${PIPESTATUS[0]}", in: study.folder)
        #expect(ended.status == 99, "\(ended.error)")
    }

    @Test func `a threshold on the difference that is broken is 99`() throws {
        #expect(try compare([jitters, "--threshold", "requests_total < 0"]).status == 0)
        let broken = try compare([jitters, "--threshold", "requests_total >= -1%", "--threshold", "people <= 0"])
        #expect(broken.status == 99, "\(broken.error)")
        #expect(broken.error.split(separator: "\n").count == 1)
        #expect(
            broken.error.wholeMatch(
                of: /broken    requests_total >= -1%, jitter=0s to jitter=10m: measured -[0-9.]+ %\n/) != nil,
            "\(broken.error)")
    }

    @Test func `a metric that nothing measures is refused with the nearest name, and prints nothing`() throws {
        for option in [["--metric", "request_total"], ["--threshold", "request_total < 0"]] {
            for what in [[jitters], [jitters, jitters], [study.scenario, study.scenario]] {
                let ended = try compare(what + option)
                #expect(ended.status == 65 && ended.output == "", "\(ended.output)")
                #expect(
                    ended.error.hasPrefix("error: \(option[0]): expected a metric of summary.csv")
                        && ended.error.hasSuffix("found 'request_total'; did you mean 'requests_total'?\n"),
                    "\(ended.error)")
            }
        }
        #expect(try !study.made.contains("out"))
    }

    @Test func `what rises from nothing stands after what has a change, and one pair says that it has no interval`()
        throws
    {
        let (a, b) = (study.folder + "/never", study.folder + "/usual")
        for (folder, more) in [(a, ["--set", "kinds.quote.policy=never"]), (b, [])] {
            #expect(
                try BuiltCommand.run(["run", study.scenario, "--out", folder, "--quiet"] + more).status == 0)
        }
        let ended = try compare([a, b, "--out", study.folder + "/risen"])
        #expect(ended.status == 0 && ended.output.contains("\nno interval or variance: one pair of runs"), "\(ended)")
        let rows = try study.text("comparison.csv", in: study.folder + "/risen").split(separator: "\n")
            .map { $0.split(separator: ",", omittingEmptySubsequences: false) }
        let header = try #require(rows.first)
        let (first, second) = (
            try #require(header.firstIndex(of: "baseline_mean")), try #require(header.firstIndex(of: "variant_mean"))
        )
        let isRisen = rows.dropFirst().map { Double($0[first]) == 0 && Double($0[second]) != 0 }
        let from = try #require(isRisen.firstIndex(of: true))
        #expect(from > 0 && isRisen[from...].allSatisfy { $0 })
        let several = try compare([jitters])
        #expect(!several.output.contains("no interval or variance"), "\(several.output)")
    }

    @Test func `a threshold that is none is 65`() throws {
        let share = try compare([jitters, "--threshold", "share_stale < 5"])
        #expect(
            share.status == 65 && share.error.contains("a difference of shares from -1 to 1"), "\(share.error)")
        for text in ["views", "views < many", "< 3", "views == 3"] {
            let ended = try compare([jitters, "--threshold", text])
            #expect(
                ended.status == 65 && ended.error.hasPrefix("error: --threshold: expected a metric, <, <=, > or >="),
                "\(ended.error)")
        }
    }

    @Test func `what cannot be compared is one sentence`() throws {
        let run = study.folder + "/run"
        #expect(try BuiltCommand.run(["run", study.scenario, "--out", run, "--quiet"]).status == 0)
        let empty = study.folder + "/empty"
        try FileManager.default.createDirectory(atPath: empty, withIntermediateDirectories: true)
        let odd = study.folder + "/odd"
        try FileManager.default.createDirectory(atPath: odd, withIntermediateDirectories: true)
        try "{\"a\": 1}".write(toFile: odd + "/manifest.json", atomically: true, encoding: .utf8)
        for (arguments, status, sentence) in [
            (
                [empty], 65,
                "\(empty): expected a folder with complete results of a run or a study, found no manifest.json in it"
            ),
            ([jitters, empty], 65, "\(empty): expected a folder with complete results"),
            ([odd], 65, "\(odd)/manifest.json: expected the manifest of a run or a study, found something else"),
            (
                [study.folder + "/none"], 66,
                "\(study.folder)/none: expected the folder of a run or a study, found nothing"
            ),
            ([jitters, study.scenario], 65, "expected two folders or two scenarios"),
            ([study.scenario, study.folder + "/none.yaml"], 66, "none.yaml: expected a file that can be read"),
            ([jitters, people], 65, "\(jitters) and \(people) vary different things: jitter and people"),
            ([jitters, run], 65, "\(jitters) and \(run) vary different things: jitter and nothing"),
            (
                [run], 65,
                "small is one run, or a study that varies nothing: expected a second to compare it with, found none"
            ),
            ([jitters, "--by", "people"], 65, "--by: expected a column of the study: jitter, found 'people'"),
            ([jitters, "--baseline", "5m"], 65, "--baseline: expected a value of jitter: 0s, 10m, found '5m'"),
        ] as [([String], Int32, String)] {
            let ended = try compare(arguments)
            #expect(ended.status == status && ended.output == "", "\(arguments)")
            #expect(ended.error.split(separator: "\n").count == 1 && ended.error.contains(sentence), "\(ended.error)")
        }
        for arguments in [
            [], [jitters, people, "--by", "jitter"], [jitters, "--repeat", "0"], [jitters, "--people", "3"],
            [jitters, jitters, "--seed", "3"],
        ] { #expect(try compare(arguments).status == 64, "\(arguments)") }
    }

    @Test func `two scenarios are run with the same seeds, and a second time nothing is run`() throws {
        let other = try study.write(
            "other.yaml", StudyScenario.text.replacing("jitter: 0s", with: "jitter: 10m"))
        let arguments = [
            study.scenario, other, "--repeat", "3", "--out", study.folder + "/compared", "--metric", "requests_total",
            "--quiet",
        ]
        let first = try compare(arguments)
        #expect(first.status == 0 && first.error == "", "\(first.error)")
        #expect(first.output.contains("3 pairs of runs\n"), "\(first.output)")
        #expect(first.output.hasSuffix("in the median of these rows\n"), "\(first.output)")
        let runs = study.folder + "/compared/runs"
        let names = try FileManager.default.contentsOfDirectory(atPath: runs)
        #expect(names.count == 6)
        let dates = try names.map {
            try FileManager.default.attributesOfItem(atPath: runs + "/\($0)/manifest.json")[.modificationDate] as? Date
        }
        #expect(try compare(arguments).output == first.output)
        #expect(
            try dates
                == names.map {
                    try FileManager.default.attributesOfItem(atPath: runs + "/\($0)/manifest.json")[.modificationDate]
                        as? Date
                }
        )
        // The same figures as those of one study.
        let within = try compare([jitters, "--metric", "requests_total"])
        #expect(within.output.split(separator: "\n").last == first.output.split(separator: "\n").last)
    }

    @Test func `runs without common random numbers are compared with a warning`() throws {
        let (a, b) = (study.folder + "/a", study.folder + "/b")
        for (folder, seed) in [(a, "1"), (b, "2")] {
            #expect(
                try BuiltCommand.run(["run", study.scenario, "--seed", seed, "--out", folder, "--quiet"]).status == 0)
        }
        let ended = try compare([a, b])
        #expect(ended.status == 0 && ended.error.contains("have no seed in common"), "\(ended.error)")
        #expect(ended.output.contains("1 pair of runs without common random numbers"))
    }

    @Test func `a signal ends a comparison of scenarios with how to continue`() throws {
        let running = try BuiltCommand.Running(
            [
                BuiltCommand.path, "compare", study.scenario, study.scenario, "--people", "3000000", "--out",
                study.folder + "/long",
            ])
        // The folder is made when a signal is no longer the end of the process.
        let deadline = ContinuousClock.now + .seconds(60)
        while ContinuousClock.now < deadline, !FileManager.default.fileExists(atPath: study.folder + "/long/runs") {
            usleep(10_000)
        }
        kill(running.process.processIdentifier, SIGINT)
        let ended = running.end()
        #expect(ended.status == 130 && ended.output == "")
        #expect(ended.lastErrorLine.hasPrefix("interrupted; the runs that are complete stay"), "\(ended.error)")
    }
}
