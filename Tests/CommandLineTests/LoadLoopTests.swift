import Basics
import Foundation
import ScenarioFiles
import Testing

/// The way from a load test's record back to a scenario, and from a server's log to a run, as a user meets them.
@Suite struct LoadLoopTests {
    /// The record by h2load of a server with 4 servers of 180 ms (gamma, shape 4) and room for 12 in its queue
    /// (`Tests/Reference/queue_server.py`).
    private static let record = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .appending(path: "Reference/h2load-log.tsv").path

    @Test func `a record of h2load gives the limits of its server, as a fragment that runs`() throws {
        let study = try StudyScenario()
        let file = study.out + ".service.yaml"
        let ended = try BuiltCommand.run(["calibrate", "--service", Self.record, "--out", file])
        #expect(ended.status == 0, "\(ended.error)")
        #expect(
            ended.output.contains("h2load: 300 requests in 13.09s: 279 answered, 21 refused, 0 unanswered"),
            "\(ended.output)")
        let fragment = try String(contentsOfFile: file, encoding: .utf8)
        #expect(fragment.contains("      servers: 4\n") && fragment.contains("      queue: 12\n"), "\(fragment)")
        let scenario = try study.write(
            "calibrated.yaml", String(contentsOfFile: study.scenario, encoding: .utf8) + fragment)
        let run = try BuiltCommand.run(["run", scenario, "--out", study.out, "--quiet"])
        #expect(run.status == 0, "\(run.error)")
        #expect(FileManager.default.fileExists(atPath: study.out + "/service.csv"))
        // The same record gives the same bytes.
        #expect(try BuiltCommand.run(["calibrate", "--service", Self.record]).output == fragment)
    }

    @Test func `wrong records and options are a sentence each`() throws {
        let wrong = try BuiltCommand.run(
            ["calibrate", "--service", "-"], input: "time,latency_ms,status\n1,2\n1,x,200\n")
        #expect(
            wrong.status == 65 && wrong.lastErrorLine == "2 problems; nothing was fitted or written", "\(wrong.error)")
        #expect(try BuiltCommand.run(["calibrate", "--service", "/nowhere/record"]).status == 66)
        #expect(
            try BuiltCommand.run(["calibrate", "--service", "-", "--zone", "Europe/Berlin"], input: "").status == 64)
        #expect(try BuiltCommand.run(["calibrate", "--service", "-", "--columns", "person=x"], input: "").status == 64)
        let packed = try BuiltCommand.run(["calibrate", "--service", "-"], shell: "echo a | gzip | \"$@\"")
        #expect(packed.status == 65 && packed.error.contains("found \"a\""), "\(packed.error)")
    }

    @Test
    func `a run agrees with the log that its own export makes, and a log of twice as much asks for twice the people`()
        throws
    {
        let study = try StudyScenario()
        #expect(
            try BuiltCommand.run(["run", study.scenario, "--set", "duration=1d", "--out", study.out, "--quiet"]).status
                == 0)
        let load = try CSVTable.read(file: study.out + "/load.csv")
        let places = try ["bin_start_utc", "requests"].map { name in try #require(load.header.firstIndex(of: name)) }
        func log(times: Int) -> String {
            load.rows.map { row in
                // A log has each request on a line of its own.
                let line = "{\"time\":\"\(row[places[0]])\",\"path\":\"/v1/\"}\n"
                return String(repeating: line, count: times * (Int(row[places[1]]) ?? 0))
            }.joined()
        }
        func compared(_ times: Int) throws -> BuiltCommand.Outcome {
            let file = try study.write("log.\(times).json", log(times: times))
            return try BuiltCommand.run(["compare", study.out, "--log", file, "--log-path", "/v1"])
        }
        let same = try compared(1)
        #expect(same.status == 0 && !same.output.contains("people:"), "\(same.output)\(same.error)")
        let twice = try compared(2)
        #expect(twice.status == 0 && twice.output.contains("level: people:"), "\(twice.output)\(twice.error)")
        #expect(
            twice.output.contains("\nshare_aligned_minutes") && twice.output.contains("hour, UTC"), "\(twice.output)")
        #expect(try BuiltCommand.run(["compare", study.scenario, "--log", "-"], input: "").status == 64)
        #expect(
            try BuiltCommand.run(["compare", study.out, "--log", "-", "--stage", "origin"], input: "{\"time\":1}")
                .status == 65)
        #expect(try BuiltCommand.run(["compare", study.out, "--log", "-", "--all"], input: "").status == 64)
        #expect(try BuiltCommand.run(["compare", study.out, "--log-path", "/a"]).status == 64)
    }
}
