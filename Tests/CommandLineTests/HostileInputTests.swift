import Foundation
import Testing

/// Input that would act on a terminal, never end, or look like an option: the built command says a sentence, and soon.
@Suite struct HostileInputTests {
    let scratch = Scratch()

    /// Whether a text has anything in it that a terminal acts on.
    private func isPlain(_ text: String) -> Bool {
        text.unicodeScalars.allSatisfy {
            $0 == "\n" || ($0.properties.generalCategory != .control && $0.value != 0x202E)
        }
    }

    @Test(arguments: ["\u{1B}]0;owned\u{7}", "a\rb", "\u{202E}cba", "\u{9B}2J", "two\nlines"])
    func `the name of a file reaches the terminal written out`(name: String) throws {
        let file = scratch.path + "/" + name + ".yaml"
        for arguments in [
            ["validate", file], ["run", file], ["merge", file], ["calibrate", file], ["compare", file, file],
        ] {
            let ended = try BuiltCommand.run(arguments)
            #expect(ended.status != 0)
            #expect(isPlain(ended.error), "\(arguments[0]): \(ended.error.debugDescription)")
            #expect(isPlain(ended.output))
        }
    }

    @Test func `what a scenario, an override or the header of a record says reaches the terminal written out`() throws {
        let file = scratch.path + "/s.yaml"
        try "\"k\\x1b[31m\": \"\\x07\\x9b\"\nkinds: \"\\u202E\"\n".write(
            toFile: file, atomically: false, encoding: .utf8)
        let record = scratch.path + "/r.csv"
        try "person,time,event,\u{1B}[2J\np,x\u{7},\u{9B}31m,\n".write(
            toFile: record, atomically: false, encoding: .utf8)
        for arguments in [
            ["validate", file], ["validate", file, "--set", "a\u{1B}[1m=\u{202E}"], ["calibrate", record],
            ["run", "--\u{1B}[31m"],
        ] {
            let ended = try BuiltCommand.run(arguments)
            #expect(ended.status == 65 || ended.status == 64)
            #expect(isPlain(ended.error), "\(arguments): \(ended.error.debugDescription)")
        }
    }

    @Test func `what a pattern, an option or a folder says reaches the terminal written out, on its line`() throws {
        let file = scratch.path + "/weather.yaml"
        #expect(try BuiltCommand.run(["init", file]).status == 0)
        for arguments in [
            ["trace", file, "--find", "withheld\tx"],
            ["trace", file, "--find", "view kind=a\tb", "--among", "3", "--people", "10"],
            ["run", "--a\nb"], ["run", file, "a\nb"], ["run", file, "--people", "1\n2"],
            ["run", file, "--out", scratch.path + "/a\nb\tc", "--people", "20", "--set", "duration=1h"],
            ["sweep", file, "--name", "a\nb"], ["sweep", file, "--vary", "people=1\t0", "--dry-run"],
            ["export", file, "--format", "csv", "--span", "a\u{85}b", "--out", "x"],
        ] {
            let ended = try BuiltCommand.run(arguments)
            #expect(isPlain(ended.error), "\(arguments): \(ended.error.debugDescription)")
            #expect(
                !ended.error.contains("\nb") && !ended.error.contains("\n2"),
                "\(arguments): \(ended.error.debugDescription)")
        }
    }

    @Test(arguments: ["x\\nimport os; os.system('touch owned')\\n", "x\\u2028process.exit(1)", "\\u000b"])
    func `a name with code in it is refused before it gets into a script`(name: String) throws {
        let file = scratch.path + "/weather.yaml"
        #expect(try BuiltCommand.run(["init", file]).status == 0)
        let text = try String(contentsOfFile: file, encoding: .utf8).split(separator: "\n").filter {
            !$0.hasPrefix("name:")
        }.joined(separator: "\n")
        try "name: \"\(name)\"\n\(text)\n".write(toFile: file, atomically: false, encoding: .utf8)
        for format in ["k6", "h2load", "gor", "csv"] {
            let out = scratch.path + "/" + format
            let ended = try BuiltCommand.run(
                [
                    "export", file, "--people", "20", "--format", format, "--span", "1h/2h", "--url",
                    "https://staging.example/{endpoint}", "--out", out,
                ])
            #expect(ended.status == 65)
            #expect(
                ended.error.contains("weather.yaml:1:7: name: expected a name on one line without control characters"),
                "\(ended.error)")
            #expect(!FileManager.default.fileExists(atPath: out))
        }
    }

    @Test func `the lines of a sweep's commands are words to a shell, whatever the values hold`() throws {
        let file = scratch.path + "/weather.yaml"
        #expect(try BuiltCommand.run(["init", file]).status == 0)
        let values = [
            "it''s $(touch owned)", "`touch owned`; touch owned", "''\u{301}; touch owned; ''\u{301}", "a \\ b",
        ]
        let axis = "description=" + values.map { "'\($0)'" }.joined(separator: ",")
        let ended = try BuiltCommand.run([
            "sweep", file, "--people", "10", "--vary", axis, "--commands", "--out", scratch.path + "/it's",
        ])
        #expect(ended.status == 0, "\(ended.error)")
        let lines = ended.output.split(separator: "\n")
        #expect(lines.count == values.count)
        for (line, value) in zip(lines, values) {
            let words = try BuiltCommand.run(
                [], shell: "read -r line; eval \"set -- $line\"; printf '%s\\n' \"$@\"", input: line + "\n",
                in: scratch.path)
            #expect(
                words.output.split(separator: "\n").contains { $0 == "description='\(value)'" },
                "\(line): \(words.output)")
        }
        #expect(try !scratch.names.contains("owned"))
        let refused = try BuiltCommand.run([
            "sweep", file, "--people", "10", "--vary", "description='a\n$(touch owned)',b", "--commands",
        ])
        #expect(refused.status == 65 && refused.output.isEmpty)
        #expect(
            refused.error.contains("--commands: expected values, files and folders on one line"), "\(refused.error)")
    }

    @Test func `a value that a spreadsheet would take for a formula stands behind an apostrophe, and numbers do not`()
        throws
    {
        let file = scratch.path + "/weather.yaml"
        #expect(try BuiltCommand.run(["init", file]).status == 0)
        let ended = try BuiltCommand.run([
            "sweep", file, "--people", "10", "--vary", "description==1+1,+A1,-5,-5%", "--design-csv",
        ])
        #expect(ended.status == 0, "\(ended.error)")
        #expect(
            ended.output.split(separator: "\n").dropFirst().map { $0.split(separator: ",").last } == [
                "'=1+1", "'+A1", "-5", "-5%",
            ])
        let named = try BuiltCommand.run(["sweep", file, "--name", "=1+1", "--dry-run"])
        #expect(named.status == 64 && named.error.contains("--name takes a name on one line"))
        let axis = try BuiltCommand.run(["sweep", file, "--vary", "-a:people=1,2", "--dry-run"])
        #expect(axis.status != 0)
    }

    @Test func `a pipe is read as a file is, and one that nobody writes into is named`() throws {
        let file = scratch.path + "/weather.yaml"
        #expect(try BuiltCommand.run(["init", file]).status == 0)
        let substituted = try BuiltCommand.run(["validate"], shell: "\"$@\" <(cat '\(file)')")
        #expect(substituted.status == 0, "\(substituted.error)")
        let pipe = scratch.path + "/pipe"
        #expect(mkfifo(pipe, 0o600) == 0)
        for (words, feed) in [(["validate", pipe], "cat '\(file)'"), (["calibrate", pipe], "echo no,record")] {
            let ended = try BuiltCommand.run(
                words, shell: "(sleep 4; \(feed) > '\(pipe)') & \"$@\"; status=$?; wait; exit $status")
            #expect(ended.status == (words[0] == "validate" ? 0 : 65), "\(ended.error)")
            #expect(
                ended.error.hasPrefix("waiting   for \(pipe), a pipe into which nobody has written yet\n"),
                "\(ended.error)")
        }
    }

    @Test func `a file's name can have one character`() throws {
        #expect(try BuiltCommand.run(["init", "x"], in: scratch.path).status == 0)
        let ended = try BuiltCommand.run(["validate", "x"], in: scratch.path)
        #expect(ended.status == 0 && ended.error == "x: right\n", "\(ended.error)")
    }

    @Test func `a replay that is not UTF-8 is wrong, at a byte`() throws {
        let file = scratch.path + "/s.yaml"
        try """
        start: 2026-03-07T00:00:00Z
        end: 3d
        kinds: [{id: k, policy: never}]
        devices: [{id: d, zone: UTC, instances: [{id: w, kind: k}]}]
        replay: r.csv
        """.write(toFile: file, atomically: false, encoding: .utf8)
        try Data(Array("d,1,pickup,\nd,2,".utf8) + [0xFF]).write(to: URL(filePath: scratch.path + "/r.csv"))
        let ended = try BuiltCommand.run(["validate", file])
        #expect(ended.status == 65)
        #expect(ended.error.contains("r.csv: expected UTF-8 text, found the byte 0xff at offset 16"))
    }

    @Test func `a device as a record, a replay or a design is refused at once`() throws {
        let scenario = scratch.path + "/weather.yaml"
        #expect(try BuiltCommand.run(["init", scenario]).status == 0)
        let clock = ContinuousClock()
        let begin = clock.now
        for arguments in [
            ["calibrate", "/dev/zero"], ["calibrate", "/dev/urandom"], ["validate", "/dev/zero"],
            ["sweep", scenario, "--design", "csv:/dev/zero"],
        ] {
            #expect(try BuiltCommand.run(arguments).status == 66, "\(arguments)")
        }
        #expect(begin.duration(to: clock.now) < .seconds(20))
        // From a pipe that never ends a record is read to its limit.
        let endless = try BuiltCommand.run(
            ["calibrate", "-", "--record-limit", "3MB"], shell: "cat /dev/zero | \"$@\"")
        #expect(endless.status == 65)
    }

    @Test func `a dry run of many replications looks at some of them`() throws {
        let scenario = scratch.path + "/weather.yaml"
        #expect(try BuiltCommand.run(["init", scenario]).status == 0)
        let clock = ContinuousClock()
        let begin = clock.now
        let ended = try BuiltCommand.run([
            "sweep", scenario, "--repeat", "65536", "--dry-run", "--out", scratch.path + "/o",
        ])
        #expect(ended.status == 0)
        #expect(ended.error.contains("runs      65536, of which 20 were looked at"))
        // To read all of them would take some hundred times as long.
        #expect(begin.duration(to: clock.now) < .seconds(150))
    }

    @Test func `an autoscaler that aims at nothing wants the most that it may have`() throws {
        let file = scratch.path + "/s.yaml"
        try """
        start: 2026-03-07T00:00:00Z
        duration: 30m
        people: 20
        kinds: [{id: k, policy: {after: 1m}}]
        parameters: {gates: none}
        population: {zones: {UTC: 1}, devices: [{kind: phone, instances: [{id: w, kind: k, surface: home_first, family: system_small}]}]}
        service: {pools: [{id: o, servers: 2, service_time: 1s, autoscaling: {target: 1e-300, least: 2, most: 9}}], endpoints: [{id: k, pool: o}]}
        """.write(toFile: file, atomically: false, encoding: .utf8)
        let ended = try BuiltCommand.run(["run", file, "--out", scratch.path + "/o", "--quiet"])
        #expect(ended.status == 0, "\(ended.error)")
    }
}
