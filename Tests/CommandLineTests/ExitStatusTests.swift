import Foundation
import ResultFiles
import Testing

/// Every end has the exit status that the help text promises, and says what is still true.
@Suite struct ExitStatusTests {
    let scratch = Scratch()
    let scenario: String
    let out: String
    /// A run that is over in a moment.
    let small = ["--people", "5", "--set", "warmup=0s", "--set", "duration=1d"]

    init() throws {
        scenario = scratch.path + "/weather.yaml"
        out = scratch.path + "/results"
        #expect(try BuiltCommand.run(["init", scenario]).status == 0)
    }

    private func exists(_ path: String) -> Bool { FileManager.default.fileExists(atPath: path) }

    @Test
    func `a run that is done ends with 0, writes nothing to standard output, and the fingerprint is its last word`()
        throws
    {
        let ended = try BuiltCommand.run(["run", scenario, "--out", out] + small)
        #expect(ended.status == 0)
        #expect(ended.output == "")
        #expect(ended.error.hasPrefix("reloadsim \(ReloadsimVersion.text)\nscenario  weather\nseed      1\n"))
        #expect(ended.lastErrorLine.wholeMatch(of: /fingerprint [0-9a-f]{16}/) != nil)
        #expect(exists(out + "/manifest.json"))
        #expect(
            try String(contentsOfFile: out + "/manifest.json", encoding: .utf8).contains(
                ended.lastErrorLine.dropFirst("fingerprint ".count)))
    }

    @Test func `the number of threads changes no file but the manifest`() throws {
        let one = try BuiltCommand.run([
            "run", scenario, "--out", out, "--threads", "1", "--people", "300", "--set", "warmup=0s", "--set",
            "duration=1d",
        ])
        let three = try BuiltCommand.run([
            "run", scenario, "--out", out + "3", "--threads", "3", "--people", "300", "--set", "warmup=0s", "--set",
            "duration=1d",
        ])
        #expect(one.lastErrorLine == three.lastErrorLine)
        for name in try FileManager.default.contentsOfDirectory(atPath: out) where name != "manifest.json" {
            #expect(FileManager.default.contentsEqual(atPath: out + "/" + name, andPath: out + "3/" + name), "\(name)")
        }
    }

    @Test func `quiet runs say nothing`() throws {
        let ended = try BuiltCommand.run(["run", scenario, "--out", out, "--quiet"] + small)
        #expect(ended.status == 0 && ended.output == "" && ended.error == "")
    }

    @Test func `a dry run writes nothing`() throws {
        let ended = try BuiltCommand.run(["run", scenario, "--dry-run"] + small, in: scratch.path)
        #expect(ended.status == 0)
        #expect(ended.error.contains("estimate"))
        #expect(try scratch.names == ["weather.yaml"])
    }

    @Test func `results go to a folder named after the scenario unless one is named`() throws {
        #expect(try BuiltCommand.run(["run", scenario, "--set", "name=a/b c"] + small, in: scratch.path).status == 0)
        #expect(exists(scratch.path + "/out/a-b-c/manifest.json"))
    }

    @Test func `wrong usage is 64`() throws {
        for arguments in [
            [], ["fly"], ["run"], ["run", scenario, "--nonsense"], ["run", scenario, "--threads", "0"],
            ["run", scenario, "--threads", "two"],
            ["run", scenario, "--out", ""], ["run", scenario, "--color", "blue"],
            ["run", scenario, "--people", "many"],
            ["trace", scenario],
            ["trace", scenario, "--person", "-1"], ["trace", scenario, "--person", "0", "--device", "d"],
            ["trace", scenario, "--device", "d"], ["trace", scenario, "--person=99999999"], ["validate"],
        ] as [[String]] where arguments != [] {
            let ended = try BuiltCommand.run(arguments, in: scratch.path)
            #expect(ended.status == 64, "\(arguments)")
            #expect(ended.output == "" && !ended.error.isEmpty, "\(arguments)")
        }
        #expect(try scratch.names == ["weather.yaml"])
        // The choices stand on one line, as the parser's own list would not.
        let chosen = try BuiltCommand.run(["init", "--for", "stock"], in: scratch.path)
        #expect(chosen.error.contains("'--for <widget>'. It is one of: agent, calendar,"), "\(chosen.error)")
    }

    @Test func `a wrong scenario is 65, with every problem and its place`() throws {
        let broken = scratch.path + "/broken.yaml"
        try "people: -3\nstart: noon\nkindz: []\n".write(toFile: broken, atomically: false, encoding: .utf8)
        for command in ["run", "resolve", "validate"] {
            let ended = try BuiltCommand.run([command, broken], in: scratch.path)
            #expect(ended.status == 65, "\(command)")
            #expect(ended.output == "")
            #expect(ended.error.contains("error: \(broken):1:9: people: expected"))
            #expect(ended.error.contains("error: \(broken):2:8: start: expected"))
            #expect(ended.error.contains("did you mean 'kinds'?"))
        }
        #expect(try scratch.names == ["broken.yaml", "weather.yaml"])
    }

    @Test func `an override that does not fit is 65`() throws {
        let ended = try BuiltCommand.run(["run", scenario, "--out", out, "--set", "people=none"])
        #expect(ended.status == 65)
        #expect(ended.error.contains("--set people=none"))
        #expect(!exists(out))
    }

    @Test func `a threshold on an unknown metric is 65 before anything is simulated`() throws {
        let ended = try BuiltCommand.run(["run", try withThreshold("load_peek_1s", "<=", 1e9), "--out", out] + small)
        #expect(ended.status == 65)
        #expect(ended.error.contains("did you mean 'load_peak_1s'?"))
        #expect(!exists(out))
    }

    @Test func `a missing scenario is 66`() throws {
        for command in [["run"], ["trace", "--person", "0"], ["resolve"], ["validate"]] {
            #expect(
                try BuiltCommand.run(command + [scratch.path + "/nowhere.yaml"], in: scratch.path).status == 66,
                "\(command)")
        }
    }

    @Test func `missing recorded events are 66`() throws {
        let scratch = Scratch()
        let scenario = """
            start: "2026-03-02T00:00:00Z"
            end: 1d
            replay: nowhere.csv
            kinds: [{id: k, policy: never}]
            devices: [{id: d, zone: UTC, instances: [{id: w, kind: k}]}]
            """
        try scenario.write(toFile: scratch.path + "/s.yaml", atomically: true, encoding: .utf8)
        let ended = try BuiltCommand.run(["validate", "s.yaml"], in: scratch.path)
        #expect(ended.status == 66 && ended.error.contains("nowhere.csv"), "\(ended.error)")
    }

    @Test func `one missing scenario among wrong ones is 66, and all are checked`() throws {
        let broken = scratch.path + "/broken.yaml"
        try "kinds: 3\n".write(toFile: broken, atomically: false, encoding: .utf8)
        let ended = try BuiltCommand.run(["validate", broken, scratch.path + "/nowhere.yaml", scenario])
        #expect(ended.status == 66)
        #expect(ended.error.contains("\(scenario): right"))
    }

    @Test func `a scenario can come from standard input, thresholds and all`() throws {
        let text = try String(contentsOfFile: withThreshold("load_peak_1s", "<=", 1e9), encoding: .utf8)
        #expect(try BuiltCommand.run(["run", "-", "--out", out] + small, input: text).status == 0)
    }

    @Test func `a folder that is not empty is 74 and stays as it is, and --force replaces it`() throws {
        #expect(try BuiltCommand.run(["run", scenario, "--out", out] + small).status == 0)
        let before = try Data(contentsOf: URL(filePath: out + "/manifest.json"))
        let refused = try BuiltCommand.run(["run", scenario, "--out", out, "--seed", "2"] + small)
        #expect(refused.status == 74)
        #expect(
            refused.error
                == "error: the output folder \(out) is not empty; nothing was changed (--force replaces the results in it)\n"
        )
        #expect(try Data(contentsOf: URL(filePath: out + "/manifest.json")) == before)
        #expect(try BuiltCommand.run(["run", scenario, "--out", out, "--seed", "2", "--force"] + small).status == 0)
        #expect(try Data(contentsOf: URL(filePath: out + "/manifest.json")) != before)
    }

    @Test func `an output folder that cannot be made is 74`() throws {
        for folder in [scenario + "/results", scenario, "/proc/reloadsim/results"] {
            let ended = try BuiltCommand.run(["run", scenario, "--out", folder] + small)
            #expect(ended.status == 74, "\(folder)")
            #expect(ended.error.hasPrefix("error: "))
        }
    }

    @Test func `a disk that takes no more is 74 and leaves nothing`() throws {
        // A limit on file sizes stops the writes in the middle, as a full disk does.
        let ended = try BuiltCommand.run(["run", scenario, "--out", out] + small, shell: "ulimit -f 8; exec \"$@\"")
        #expect(ended.status == 74)
        #expect(ended.lastErrorLine.hasSuffix("File too large; nothing of this run was left in \(out)"))
        #expect(try scratch.names == ["weather.yaml"])
    }

    @Test func `standard output that takes no more is 74`() throws {
        for arguments in [
            ["schema"], ["init"], ["--help"], ["--version"], ["resolve", scenario],
            ["trace", scenario, "--person", "0", "--format", "csv"],
        ] {
            let ended = try BuiltCommand.run(arguments, shell: "exec \"$@\" > /dev/full")
            #expect(ended.status == 74, "\(arguments)")
            #expect(
                ended.error
                    == "error: cannot write standard output: No space left on device; what reached it is incomplete\n",
                "\(arguments)")
        }
    }

    @Test func `a reader that goes away has what it wanted`() throws {
        let ended = try BuiltCommand.run(
            ["trace", scenario, "--person", "0"],
            shell: "set +o pipefail; \"$@\" | head -n 1 > /dev/null; exit ${PIPESTATUS[0]}")
        #expect(ended.status == 0)
        #expect(ended.error == "")
    }

    @Test func `people are counted as a scenario counts them, and one is a person`() throws {
        for count in ["20", "2_0", "2e1"] {
            let ended = try BuiltCommand.run(["run", scenario, "--dry-run", "--people", count])
            #expect(ended.status == 0 && ended.error.contains("\nfleet     20 people, about "), "\(ended.error)")
        }
        #expect(try BuiltCommand.run(["run", scenario, "--dry-run", "--people", "1.5"]).status == 64)
        let one = try BuiltCommand.run(["run", scenario, "--dry-run", "--people", "1", "--threads", "1"])
        #expect(
            one.error.contains("\nfleet     1 person, about ") && one.error.contains(" on 1 thread, "), "\(one.error)")
        let nobody = try BuiltCommand.run(["trace", scenario, "--people", "1", "--person", "1"])
        #expect(
            nobody.error == "error: the scenario has 1 person, numbered 0, so there is no person 1\n", "\(nobody.error)"
        )
    }

    @Test func `a threshold of the command line joins the scenario's`() throws {
        let holds = try BuiltCommand.run(
            ["run", scenario, "--out", out, "--threshold", "age_p50_s < 2h", "--threshold", "people <= 1e3"] + small)
        #expect(holds.status == 0 && holds.error.contains("verdict   2 of 2 thresholds hold"), "\(holds.error)")
        #expect(try String(contentsOfFile: out + "/thresholds.csv", encoding: .utf8).contains("age_p50_s,<,7200"))
        let broken = try BuiltCommand.run(
            ["run", scenario, "--out", out, "--force", "--threshold", "weather.views < 1"] + small)
        #expect(
            broken.status == 99 && broken.error.contains("broken    weather.views < 1: measured "), "\(broken.error)")
        #expect(broken.error.contains("verdict   0 of 1 threshold holds"), "\(broken.error)")
        let unknown = try BuiltCommand.run(["run", scenario, "--threshold", "share_stael < 1"] + small)
        #expect(
            unknown.status == 65
                && unknown.error.contains("--threshold 'share_stael < 1': metric: expected a metric of the summary"),
            "\(unknown.error)")
    }

    @Test func `an unknown metric of a threshold is told with what else is wrong, and a bound beyond all shares`()
        throws
    {
        let both = try BuiltCommand.run(["run", scenario, "--threshold", "load_peek_1s < 5", "--set", "peple=3"])
        #expect(
            both.status == 65 && both.error.contains("did you mean 'load_peak_1s'?")
                && both.error.contains("did you mean 'people'?"), "\(both.error)")
        let share = try BuiltCommand.run(["run", scenario, "--threshold", "share_stale <= 95"] + small)
        #expect(
            share.status == 65
                && share.error.contains("value: expected a share from 0 to 1 (95 % is 0.95 or 95%), found 95"),
            "\(share.error)")
    }

    @Test func `help on an unknown command is wrong usage, and a page of no folder lacks its input`() throws {
        let help = try BuiltCommand.run(["help", "swep"])
        #expect(
            help.status == 64 && help.output == ""
                && help.error.hasPrefix("error: there is no command 'swep'; did you mean `sweep`?"), "\(help.error)")
        for words in [["help"], ["help", "sweep"]] {
            let ended = try BuiltCommand.run(words)
            #expect(ended.status == 0 && ended.output.contains("USAGE: reloadsim"), "\(words)")
        }
        let missing = try BuiltCommand.run(["report", scratch.path + "/nowhere"])
        #expect(missing.status == 66 && missing.error.contains("found no such folder"), "\(missing.error)")
    }

    @Test func `a number as options write it is refused in a key with the number that is meant`() throws {
        for words in [["run", scenario, "--set", "people=2.5k"], ["sweep", scenario, "--vary", "people=2.5k,3k"]] {
            let ended = try BuiltCommand.run(words, in: scratch.path)
            #expect(
                ended.status == 65 && ended.error.contains("found '2.5k'; did you mean '2500'?"), "\(ended.error)")
        }
    }

    @Test func `standard output is no folder`() throws {
        for command in [
            ["run", scenario], ["sweep", scenario], ["plan", scenario, "--find", "people=1,2"],
            ["sensitivity", scenario], ["compare", scenario, scenario],
        ] {
            let ended = try BuiltCommand.run(command + ["--out", "-"], in: scratch.path)
            #expect(
                ended.status == 64
                    && ended.error.hasPrefix(
                        "error: --out takes a folder for several files, and - would be standard output"),
                "\(ended.error)")
        }
        #expect(try scratch.names == ["weather.yaml"])
    }

    @Test func `errors begin alike, whoever finds them`() throws {
        for words in [["run"], ["run", scenario, "--threads", "0"], ["rum"], ["run", scratch.path + "/none.yaml"]] {
            let ended = try BuiltCommand.run(words)
            #expect(ended.status != 0 && ended.error.hasPrefix("error: "), "\(ended.error)")
            #expect(!ended.error.contains("Error:"), "\(ended.error)")
        }
    }

    @Test func `a broken threshold is 99, and the results are complete`() throws {
        let ended = try BuiltCommand.run(["run", try withThreshold("weather.views", "<", 1), "--out", out] + small)
        #expect(ended.status == 99)
        #expect(ended.error.contains("broken    weather.views < 1: measured "))
        #expect(exists(out + "/manifest.json"))
        #expect(try String(contentsOfFile: out + "/thresholds.csv", encoding: .utf8).contains("weather.views,<,1.0,"))
    }

    @Test(arguments: [(SIGINT, Int32(130)), (SIGTERM, Int32(143))])
    func `a signal ends a run, which leaves its checkpoint or nothing`(
        number: Int32, status: Int32
    ) throws {
        for interval in ["1m", "never"] {
            let running = try BuiltCommand.Running([
                BuiltCommand.path, "run", scenario, "--out", out, "--people", "5000000", "--checkpoint-every", interval,
            ])
            let deadline = ContinuousClock.now + .seconds(30)
            while !running.errorSoFar.contains("estimate"), ContinuousClock.now < deadline { usleep(20_000) }
            usleep(700_000)
            kill(running.process.processIdentifier, number)
            let ended = running.end()
            #expect(running.process.terminationReason == .exit)
            #expect(ended.status == status)
            // On a busy machine the signal may come before anybody has lived.
            if interval == "never" || !exists(out) {
                #expect(ended.lastErrorLine == "interrupted; nothing was written to \(out)")
                #expect(!exists(out))
            } else {
                let end =
                    " % of the run; \(out)/run.checkpoint holds what is done, and the same command with --resume continues from there"
                #expect(
                    ended.lastErrorLine.contains(/^interrupted at \d+ %/) && ended.lastErrorLine.hasSuffix(end),
                    "\(ended.error)")
                #expect(try FileManager.default.contentsOfDirectory(atPath: out) == ["run.checkpoint"])
                try FileManager.default.removeItem(atPath: out)
            }
        }
    }

    @Test func `a file that exists is not overwritten by a new scenario`() throws {
        let before = try String(contentsOfFile: scenario, encoding: .utf8)
        let ended = try BuiltCommand.run(["init", scenario])
        #expect(ended.status == 74)
        #expect(ended.error == "error: \(scenario) exists already; it was not changed\n")
        #expect(try String(contentsOfFile: scenario, encoding: .utf8) == before)
        #expect(try scratch.names == ["weather.yaml"])
    }

    /// The scenario with one threshold.
    private func withThreshold(_ metric: String, _ op: String, _ bound: Double) throws -> String {
        let path = scratch.path + "/threshold.yaml"
        let text =
            try String(contentsOfFile: scenario, encoding: .utf8)
            + "\nthresholds:\n  - {metric: \(metric), op: \"\(op)\", value: \(bound)}\n"
        try text.write(toFile: path, atomically: false, encoding: .utf8)
        return path
    }
}
