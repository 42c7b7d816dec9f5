import Foundation
import Testing

/// A run's statements about the memory that it takes, and its behaviour where there is less.
@Suite struct MemoryTests {
    let scratch = Scratch()
    static let scenarios = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().appending(path: "Scenarios").path

    /// The announced and the real peak, MiB.
    private func peaks(of arguments: [String]) throws -> (said: Double, real: Double) {
        let out = scratch.path + "/out"
        let ended = try BuiltCommand.run(["run"] + arguments + ["--out", out, "--threads", "1", "--memory", "100GB"])
        try #require(ended.status == 0 || ended.status == 99, "\(ended.error)")
        let manifest =
            try JSONSerialization.jsonObject(with: Data(contentsOf: URL(filePath: out + "/manifest.json")))
            as? [String: Any]
        let real = try #require(manifest?["peak_memory_mib"] as? Double)
        let said = try #require(ended.error.firstMatch(of: /([0-9,]+) MiB of memory/)).1.filter { $0 != "," }
        return (try #require(Double(said)), real)
    }

    /// In debug the program itself is larger.
    #if !DEBUG
        @Test(arguments: [
            ["weather-week.yaml", "--people", "5", "--set", "duration=1d"],
            ["weather-week.yaml", "--people", "5", "--set", "duration=100d"],
            ["stack-of-five.yaml", "--people", "20"], ["everything.yaml", "--people", "20"],
            ["metastable.yaml", "--people", "3000"],
            ["autoscale-too-late.yaml", "--people", "5000", "--set", "duration=30m"],
            ["market-open-cdn.yaml", "--people", "20000", "--set", "duration=30m"],
            // A queue that grows to the end.
            ["metastable.yaml"],
            // All states of suspended devices become longer here.
            ["outage-echo.yaml"],
        ]) func `the memory that is announced is that of the peak within 15 %`(arguments: [String]) throws {
            let (said, real) = try peaks(of: [Self.scenarios + "/" + arguments[0]] + arguments.dropFirst())
            #expect(said < 1.15 * real && real < 1.15 * said, "\(arguments): \(said) MiB said, \(real) MiB at the peak")
        }
    #endif

    @Test
    func `a run beyond a limit on memory is refused with both figures, and one that is forced ends with a sentence`()
        throws
    {
        let arguments = [
            "run", Self.scenarios + "/weather-week.yaml", "--people", "5", "--set", "duration=366d", "--out",
            scratch.path + "/out", "--threads", "1",
        ]
        let limited = "ulimit -v 900000; \"$@\""
        let refused = try BuiltCommand.run(arguments, shell: limited)
        #expect(refused.status == 1)
        #expect(
            refused.error.wholeMatch(
                of:
                    /error: at its peak the run takes about 1\.[0-9] GiB more memory, and the limit of address space \(ulimit -v\) leaves [0-9]+ MiB; .*\n/
            ) != nil, "\(refused.error)")
        // Another limit on memory is no leave to replace results, nor the other way round.
        let replacing = try BuiltCommand.run(arguments + ["--force"], shell: limited)
        // Two processes are not of the same size to the page.
        let sentences = [refused, replacing].map { $0.error.replacing(#/leaves \d+ MiB/#, with: "") }
        #expect(sentences[0] == sentences[1])
        let forced = try BuiltCommand.run(arguments + ["--memory", "100GB"], shell: limited)
        #expect(forced.status == 1)
        #expect(
            forced.lastErrorLine.hasPrefix("error: the system gives no memory for the load curve, "), "\(forced.error)")
    }

    /// Queues that a few people for many fill before servers that cannot keep up.
    @Test func `requests that wait before an overload are announced, and end with a sentence where there is no memory`()
        throws
    {
        let arguments = [
            "run", Self.scenarios + "/region-lost.yaml", "--people", "100", "--represents", "30000", "--threads", "1",
            "--set", "duration=2h", "--set", "service.pools.east.servers=1", "--set", "service.pools.west.servers=1",
            "--set", "service.timeout=10s", "--set", "service.retries=20", "--set", "thresholds=[]", "--out",
            scratch.path + "/out",
        ]
        let refused = try BuiltCommand.run(arguments + ["--memory", "500MB"])
        #expect(refused.status == 64, "\(refused.error)")
        #expect(refused.error.contains("of it for requests that wait for pools that cannot serve them"))
        #expect(try scratch.names.isEmpty)
        let forced = try BuiltCommand.run(arguments + ["--memory", "100GB"], shell: "ulimit -v 700000; \"$@\"")
        #expect(forced.status == 1, "\(forced.error)")
        #expect(forced.lastErrorLine.hasPrefix("error: the system gives no memory for "), "\(forced.error)")
        #expect(!forced.error.contains("Fatal error"))
    }

    /// Refused clients wait long before they try again, so that a service is idle and reloads fill the memory.
    @Test func `clients of a sample end with a sentence where there is no memory for their reloads`() throws {
        let scenario = scratch.path + "/patient.yaml"
        try """
        start: "2026-03-10T18:00:00-04:00"
        warmup: 30m
        duration: 20m
        people: 200
        parameters: {gates: none}
        service:
          timeout: 10m
          retries: 20
          back_off: {kind: equal, base: 20m, factor: 1, cap: 20m}
          pools: [{id: origin, servers: 1, queue: 0, service_time: 100ms}]
        kinds: [{id: inbox, policy: {after: 5m}, versions: {source: steady, every: 10m}}]
        population:
          zones: {America/New_York: 1}
          devices: [{kind: phone, instances: [{id: home, kind: inbox}]}]
        """.write(toFile: scenario, atomically: true, encoding: .utf8)
        let ended = try BuiltCommand.run(
            ["run", scenario, "--represents", "400000", "--threads", "1", "--memory", "100GB", "--out"]
                + [scratch.path + "/out"], shell: "ulimit -v 300000; \"$@\"")
        #expect(ended.status == 1, "\(ended.error)")
        #expect(
            ended.lastErrorLine.hasPrefix("error: the system gives no memory for the reloads under way, "),
            "\(ended.error)")
        #expect(try FileManager.default.contentsOfDirectory(atPath: scratch.path + "/out").isEmpty)
    }

    @Test func `less memory than a run takes is wrong usage, in one sentence with the size that suffices`() throws {
        for command in [["run"], ["sweep", "--vary", "people=5,6"]] {
            let ended = try BuiltCommand.run(
                [command[0], Self.scenarios + "/first-look.yaml", "--memory", "1MB", "--out", scratch.path + "/out"]
                    + command.dropFirst())
            #expect(
                ended.status == 64
                    && ended.error.wholeMatch(
                        of: /error: at its peak .*, and --memory allows 1 MiB; .* \(--memory \d+MiB lets it try\)\n/)
                        != nil,
                "\(ended.error)")
        }
        #expect(try scratch.names.isEmpty)
    }

    @Test func `a merge beyond a limit on memory is refused before anything is made`() throws {
        let run = [
            "run", Self.scenarios + "/weather-week.yaml", "--people", "2", "--set", "duration=100d", "--out",
            scratch.path + "/parts", "--quiet",
        ]
        for shard in ["1/2", "2/2"] { #expect(try BuiltCommand.run(run + ["--shard", shard]).status == 0) }
        let merge = ["merge", scratch.path + "/parts", "--out", scratch.path + "/out", "--quiet"]
        let refused = try BuiltCommand.run(merge, shell: "ulimit -v 350000; \"$@\"")
        #expect(
            refused.status == 1 && refused.lastErrorLine.contains("the limit of address space (ulimit -v) leaves"),
            "\(refused.error)")
        #expect(try scratch.names == ["parts"])
        #expect(try BuiltCommand.run(merge).status == 0)
    }
}
