import Foundation
import Testing

/// Input that would act on a terminal, never end, or look like an option: the built command says a sentence, and soon.
@Suite struct HostileInputTests {
    let scratch = Scratch()

    /// Whether a text has anything in it that a terminal acts on.
    private func isPlain(_ text: String) -> Bool {
        text.unicodeScalars.allSatisfy { $0 == "\n" || $0 == "\t" || ($0.properties.generalCategory != .control && $0.value != 0x202E) }
    }

    @Test(arguments: ["\u{1B}]0;owned\u{7}", "a\rb", "\u{202E}cba", "\u{9B}2J", "two\nlines"])
    func `the name of a file reaches the terminal written out`(name: String) throws {
        let file = scratch.path + "/" + name + ".yaml"
        for arguments in [["validate", file], ["run", file], ["merge", file], ["calibrate", file], ["compare", file, file]] {
            let ended = try BuiltCommand.run(arguments)
            #expect(ended.status != 0)
            #expect(isPlain(ended.error), "\(arguments[0]): \(ended.error.debugDescription)")
            #expect(isPlain(ended.output))
        }
    }

    @Test func `what a scenario, an override or the header of a record says reaches the terminal written out`() throws {
        let file = scratch.path + "/s.yaml"
        try "\"k\\x1b[31m\": \"\\x07\\x9b\"\nkinds: \"\\u202E\"\n".write(toFile: file, atomically: false, encoding: .utf8)
        let record = scratch.path + "/r.csv"
        try "person,time,event,\u{1B}[2J\np,x\u{7},\u{9B}31m,\n".write(toFile: record, atomically: false, encoding: .utf8)
        for arguments in [["validate", file], ["validate", file, "--set", "a\u{1B}[1m=\u{202E}"], ["calibrate", record], ["run", "--\u{1B}[31m"]] {
            let ended = try BuiltCommand.run(arguments)
            #expect(ended.status == 65 || ended.status == 64)
            #expect(isPlain(ended.error), "\(arguments): \(ended.error.debugDescription)")
        }
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
        for arguments in [["calibrate", "/dev/zero"], ["calibrate", "/dev/urandom"], ["validate", "/dev/zero"], ["sweep", scenario, "--design", "csv:/dev/zero"]] {
            #expect(try BuiltCommand.run(arguments).status == 66, "\(arguments)")
        }
        #expect(begin.duration(to: clock.now) < .seconds(20))
        // From a pipe that never ends a record is read to its limit.
        let endless = try BuiltCommand.run(["calibrate", "-", "--record-limit", "3MB"], shell: "cat /dev/zero | \"$@\"")
        #expect(endless.status == 65)
    }

    @Test func `a dry run of many replications looks at some of them`() throws {
        let scenario = scratch.path + "/weather.yaml"
        #expect(try BuiltCommand.run(["init", scenario]).status == 0)
        let clock = ContinuousClock()
        let begin = clock.now
        let ended = try BuiltCommand.run(["sweep", scenario, "--repeat", "65536", "--dry-run", "--out", scratch.path + "/o"])
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
