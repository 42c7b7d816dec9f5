import EmbeddedTexts
import ResultFiles
import Foundation
import Reporting
import ScenarioFiles
import Testing

/// Standard output.
@Suite struct OutputTests {
    let scratch = Scratch()

    @Test(arguments: GoldenHelp.texts.keys.sorted()) func `the help text is this`(command: String) throws {
        let words = command.split(separator: " ").map(String.init)
        let ended = try BuiltCommand.run(words + ["--help"])
        #expect(ended.status == 0 && ended.error == "")
        #expect(ended.output == GoldenHelp.texts[command])
    }

    @Test func `the version stands in one place`() throws {
        for word in ["--version", "-V"] { #expect(try BuiltCommand.run([word]).output == ReloadsimVersion.text + "\n") }
    }

    @Test func `the new scenario is right and is the template`() throws {
        let ended = try BuiltCommand.run(["init"])
        #expect(ended.output == ScenarioTemplate.text)
        #expect(try BuiltCommand.run(["validate", "-", "--quiet"], input: ended.output).status == 0)
    }

    @Test func `the schema is JSON`() throws {
        let ended = try BuiltCommand.run(["schema"])
        #expect(try JSONSerialization.jsonObject(with: Data(ended.output.utf8)) is [String: Any])
    }

    @Test func `a resolved scenario resolves to itself`() throws {
        let once = try BuiltCommand.run(["resolve", "-", "--people", "7"], input: ScenarioTemplate.text)
        #expect(once.status == 0 && once.output.contains("people: 7"))
        #expect(try BuiltCommand.run(["resolve", "-"], input: once.output).output == once.output)
    }

    @Test func `a trace as CSV has these columns, and rows in order of time`() throws {
        let ended = try BuiltCommand.run(
            ["trace", "-", "--person", "1", "--format", "csv", "--set", "duration=1d"], input: ScenarioTemplate.text)
        let lines = ended.output.split(separator: "\n")
        #expect(
            lines.first
                == "time_us,local_time,person,device,instance,event,cause,charged,balance,gate,rule,kind,wait_s,held_s,state,age_s,missed,detail"
        )
        #expect(lines.count > 10)
        let times = lines.dropFirst().compactMap { Int64($0.prefix { $0 != "," }) }
        #expect(times.count == lines.count - 1)
        #expect(times == times.sorted())
        #expect(ended.error == "")
    }

    /// The rows of a trace as CSV, by column.
    private func rows(_ arguments: [String]) throws -> (rows: [[String: String]], ended: BuiltCommand.Outcome) {
        let ended = try BuiltCommand.run(["trace"] + arguments + ["--format", "csv"], input: ScenarioTemplate.text)
        let lines = ended.output.split(separator: "\n").map { line in
            // A detail in quotes stands last.
            line.split(separator: ",", maxSplits: 17, omittingEmptySubsequences: false).map(String.init)
        }
        guard let header = lines.first else { return ([], ended) }
        return (lines.dropFirst().map { Dictionary(zip(header, $0), uniquingKeysWith: { first, _ in first }) }, ended)
    }

    private static let day = ["-", "--set", "duration=1d", "--people", "40"]

    @Test func `a trace holds waits and ages in seconds, and the sum of gates that held one after another is the wait`()
        throws
    {
        let (rows, _) = try rows(Self.day + ["--person", "1"])
        let withheld = rows.filter { $0["event"] == "withheld" }
        #expect(!withheld.isEmpty)
        for row in withheld {
            let wait = try #require(Double(row["wait_s"] ?? ""))
            let held = (row["held_s"] ?? "").split(separator: ";").compactMap {
                Double($0.split(separator: "=").last ?? "")
            }
            #expect(
                !held.isEmpty && held.allSatisfy { $0 >= 0 && $0 <= wait + 1e-6 } && held.reduce(0, +) >= wait - 1e-6,
                "\(row)")
            // The grant that ends the wait follows after so long.
            let begin = try #require(Int64(row["time_us"] ?? ""))
            let end = rows.first {
                $0["event"] != "withheld" && $0["instance"] == row["instance"]
                    && (Int64($0["time_us"] ?? "") ?? 0) - begin == Int64((wait * 1e6).rounded())
            }
            #expect(end != nil || row["detail"]?.contains("still waiting at the end") == true, "\(row)")
        }
        #expect(
            rows.filter { $0["event"] == "view" }.allSatisfy { $0["kind"] == "weather" && !($0["state"] ?? "").isEmpty }
        )
    }

    @Test func `a life is found by what it shows, and the first of those found is printed`() throws {
        let pattern = "withheld gate=idle longer=2h kind=weather"
        let (rows, ended) = try rows(Self.day + ["--find", pattern, "--most", "3"])
        #expect(ended.status == 0 && ended.error.hasPrefix("found     3 people among the first 40\n"), "\(ended.error)")
        func shows(_ row: [String: String]) -> Bool {
            let idle = (row["held_s"] ?? "").split(separator: ";").first { $0.hasPrefix("idle=") }.flatMap {
                Double($0.dropFirst(5))
            }
            return row["event"] == "withheld" && row["kind"] == "weather" && (idle ?? 0) > 7_200
        }
        let match = try #require(rows.first(where: shows))
        let named = ended.error.split(separator: "\n")[1]
        #expect(
            named.contains("person \(match["person"] ?? ""), phone")
                && named.contains("at \(match["local_time"] ?? ""): withheld"), "\(named)")
        // Each person's own life says the same: nobody before the first shows it.
        let first = try #require(Int(match["person"] ?? ""))
        for person in 0..<first {
            #expect(
                try !self.rows(Self.day + ["--person", "\(person)"]).rows.contains(where: shows), "person \(person)")
        }
        let nobody = try self.rows(Self.day + ["--find", "withheld longer=20d"])
        #expect(
            nobody.ended.status == 0 && nobody.ended.output == ""
                && nobody.ended.error.hasPrefix("nobody    of 40 people has such a moment"))
    }

    @Test func `a trace is narrowed by time, instance and event`() throws {
        let all = try rows(Self.day + ["--person", "1"]).rows
        let some = try rows(
            Self.day + ["--person", "1", "--from", "6h", "--to", "20h", "--event", "view", "--event", "pickup"]
        ).rows
        let range = 21_600_000_000..<Int64(72_000_000_000)
        #expect(
            some
                == all.filter {
                    range.contains(Int64($0["time_us"] ?? "") ?? -1) && ["view", "pickup"].contains($0["event"] ?? "")
                })
        #expect(!some.isEmpty)
        let instance = try #require(all.compactMap { $0["instance"] }.first { !$0.isEmpty })
        #expect(
            try rows(Self.day + ["--person", "1", "--instance", instance]).rows
                == all.filter { $0["instance"] == instance })
        for (option, sentence) in [
            (["--event", "veiw"], "--event: expected an event of a trace, found 'veiw'; did you mean 'view'?"),
            (["--instance", "none"], "--instance: the person has no instance 'none': known are "),
            (["--from", "noon"], "--from: expected a time after the start such as 7h, a date-time such as "),
            (["--from", "2h", "--to", "1h"], "--to lies before --from"),
        ] {
            let ended = try rows(Self.day + ["--person", "1"] + option).ended
            #expect(
                ended.status == 64 && ended.output == "" && ended.error.hasPrefix("error: " + sentence),
                "\(ended.error)")
        }
        for (pattern, sentence) in [
            ("gaet=idle", "--find: expected event, gate, cause"), ("withheld gate=lazy", "--find: expected a gate: "),
            ("withhold", "--find: expected an event of a trace, found 'withhold'; did you mean 'withheld'?"),
            ("withheld longer=2", "--find: expected a length of time such as 2h, found '2'"),
        ] {
            let ended = try rows(Self.day + ["--find", pattern]).ended
            #expect(ended.status == 64 && ended.error.hasPrefix("error: " + sentence), "\(ended.error)")
        }
        #expect(try rows(Self.day + ["--device", "phone", "--find", "view"]).ended.status == 64)
    }

    @Test
    func `a log gets lines of progress, and a terminal that can write over a line a bar and the load at a glance`()
        throws
    {
        try ScenarioTemplate.text.write(toFile: scratch.path + "/s.yaml", atomically: true, encoding: .utf8)
        let run = ["run", scratch.path + "/s.yaml", "--people", "3000", "--set", "duration=1d", "--threads", "1"]
        let log = try BuiltCommand.run(run + ["--out", scratch.path + "/log", "--progress-every", "1ms"])
        #expect(
            log.status == 0 && log.error.contains(/\nprogress  \d+ %  [\d,]+ device-days\/s  \S+ left\n/),
            "\(log.error)")
        #expect(!log.error.contains("\u{1B}") && !log.error.contains("day       ▁"))
        let silent = try BuiltCommand.run(
            run + ["--out", scratch.path + "/silent", "--progress-every", "1ms", "--no-progress"])
        #expect(!silent.error.contains("progress"))
        for (term, isDumb) in [("xterm", false), ("dumb", true)] {
            let shown = try BuiltCommand.run(
                run + ["--out", scratch.path + "/" + term],
                shell: "TERM=\(term) script -qec \"$(printf '%q ' \"$@\")\" /dev/null")
            #expect(shown.output.contains("\u{1B}") != isDumb, "\(term): \(shown.output)")
            #expect(
                shown.output.contains(/day {7}[▁▂▃▄▅▆▇█ ]{48}  0 to 24 h UTC/) != isDumb, "\(term): \(shown.output)")
            #expect(shown.output.contains(#/minute {4}[█▓▒░]{48}  /#) != isDumb, "\(term): \(shown.output)")
        }
    }

    @Test func `a plan says what it takes and what it tries`() throws {
        try ScenarioTemplate.text.write(toFile: scratch.path + "/s.yaml", atomically: true, encoding: .utf8)
        let plan = [
            "plan", scratch.path + "/s.yaml", "--people", "20", "--set", "duration=1d", "--set", "warmup=0s",
            "--repeat", "1", "--find",
            "kinds.weather.policy.after=10m,20m,30m,1h,2h", "--target", "requests_total < 500", "--out",
            scratch.path + "/plan",
        ]
        let dry = try BuiltCommand.run(plan + ["--dry-run"])
        #expect(
            dry.status == 0 && dry.output == ""
                && dry.error.contains("find      kinds.weather.policy.after among 5 values\n"), "\(dry.error)")
        #expect(dry.error.contains("estimate  ") && !FileManager.default.fileExists(atPath: scratch.path + "/plan"))
        let ended = try BuiltCommand.run(plan)
        let most = try #require(Int(ended.error.firstMatch(of: /at most about (\d+);/)?.1 ?? ""))
        let trials = ended.error.matches(of: /\ntrial     kinds.weather.policy.after [^:]+: (\d+) runs?/).compactMap {
            Int($0.1)
        }
        #expect(ended.status == 0 && !trials.isEmpty && trials.reduce(0, +) <= most, "\(ended.error)")
        #expect(!(try BuiltCommand.run(plan + ["--quiet"]).error.contains("trial")))
    }

    @Test func `a trace as a table is aligned`() throws {
        let ended = try BuiltCommand.run(
            ["trace", "-", "--person", "1", "--set", "duration=1d"], input: ScenarioTemplate.text)
        let lines = ended.output.split(separator: "\n")
        let title = try #require(lines.first)
        let rule = try #require(title.range(of: "rule")).lowerBound
        let column = title.distance(from: title.startIndex, to: rule)
        for line in lines.dropFirst() { #expect(line.dropFirst(column).first?.isUppercase == true, "\(line)") }
    }

    @Test func `a recorded device is asked for and named by its id`() throws {
        let scenario = """
            start: "2026-03-07T00:00:00Z"
            end: 1d
            kinds: [{id: k, policy: {after: 1h}}]
            replay: events.csv
            devices:
              - {id: anna, zone: UTC, instances: [{id: i, kind: k}]}
              - {id: bert, zone: UTC, instances: [{id: i, kind: k}]}
            """
        try scenario.write(toFile: scratch.path + "/replay.yaml", atomically: true, encoding: .utf8)
        try "device,time,event,detail\nanna,60,glance,\n".write(
            toFile: scratch.path + "/events.csv", atomically: true, encoding: .utf8)
        func trace(_ who: [String]) throws -> BuiltCommand.Outcome {
            try BuiltCommand.run(["trace", scratch.path + "/replay.yaml", "--format", "csv"] + who)
        }
        let (byId, byNumber) = (try trace(["--device", "bert"]), try trace(["--person", "1"]))
        #expect(byId.status == 0 && byId.output == byNumber.output)
        let rows = byId.output.split(separator: "\n").dropFirst()
        #expect(
            !rows.isEmpty && rows.allSatisfy { $0.split(separator: ",", omittingEmptySubsequences: false)[3] == "bert" }
        )
        let unknown = try trace(["--device", "carl"])
        #expect(
            unknown.status == 64 && unknown.error.contains("no recorded device 'carl': known are anna, bert"),
            "\(unknown.error)")
    }

    @Test func `colours are only for terminals and for those who ask`() throws {
        let missing = scratch.path + "/nowhere.yaml"
        #expect(try !BuiltCommand.run(["validate", missing]).error.contains("\u{1B}"))
        #expect(try BuiltCommand.run(["validate", missing, "--color", "always"]).error.contains("\u{1B}[31m"))
        #expect(try !BuiltCommand.run(["validate", missing, "--color", "never"]).error.contains("\u{1B}"))
    }
}
