import Foundation
import RunFiles
import ScenarioFiles
import Testing

/// What goes to standard output.
@Suite struct OutputTests {
    let scratch = Scratch()

    @Test(arguments: GoldenHelp.texts.keys.sorted()) func `the help text is this`(command: String) throws {
        let words = command.split(separator: " ").map(String.init)
        let ended = try BuiltCommand.run(words + ["--help"])
        #expect(ended.status == 0 && ended.error == "")
        #expect(ended.output == GoldenHelp.texts[command])
    }

    @Test func `the version stands in one place`() throws {
        #expect(try BuiltCommand.run(["--version"]).output == ReloadsimVersion.text + "\n")
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
        #expect(lines.first == "time_us,local_time,person,device,instance,event,cause,charged,balance,gate,rule,detail")
        #expect(lines.count > 10)
        let times = lines.dropFirst().compactMap { Int64($0.prefix { $0 != "," }) }
        #expect(times.count == lines.count - 1)
        #expect(times == times.sorted())
        #expect(ended.error == "")
    }

    @Test func `a trace as a table is aligned`() throws {
        let ended = try BuiltCommand.run(["trace", "-", "--person", "1", "--set", "duration=1d"], input: ScenarioTemplate.text)
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
        try "device,time,event,detail\nanna,60,glance,\n".write(toFile: scratch.path + "/events.csv", atomically: true, encoding: .utf8)
        func trace(_ who: [String]) throws -> BuiltCommand.Ended {
            try BuiltCommand.run(["trace", scratch.path + "/replay.yaml", "--format", "csv"] + who)
        }
        let (byId, byNumber) = (try trace(["--device", "bert"]), try trace(["--person", "1"]))
        #expect(byId.status == 0 && byId.output == byNumber.output)
        let rows = byId.output.split(separator: "\n").dropFirst()
        #expect(!rows.isEmpty && rows.allSatisfy { $0.split(separator: ",", omittingEmptySubsequences: false)[3] == "bert" })
        let unknown = try trace(["--device", "carl"])
        #expect(unknown.status == 64 && unknown.error.contains("no recorded device 'carl': known are anna, bert"), "\(unknown.error)")
    }

    @Test func `colours are only for terminals and for those who ask`() throws {
        let missing = scratch.path + "/nowhere.yaml"
        #expect(try !BuiltCommand.run(["validate", missing]).error.contains("\u{1B}"))
        #expect(try BuiltCommand.run(["validate", missing, "--color", "always"]).error.contains("\u{1B}[31m"))
        #expect(try !BuiltCommand.run(["validate", missing, "--color", "never"]).error.contains("\u{1B}"))
    }
}
