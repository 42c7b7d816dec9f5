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

    @Test func `colours are only for terminals and for those who ask`() throws {
        let missing = scratch.path + "/nowhere.yaml"
        #expect(try !BuiltCommand.run(["validate", missing]).error.contains("\u{1B}"))
        #expect(try BuiltCommand.run(["validate", missing, "--color", "always"]).error.contains("\u{1B}[31m"))
        #expect(try !BuiltCommand.run(["validate", missing, "--color", "never"]).error.contains("\u{1B}"))
    }
}
