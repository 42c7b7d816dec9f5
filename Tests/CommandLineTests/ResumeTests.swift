import Foundation
import Testing

/// Runs that are interrupted or killed, and resumed.
@Suite struct ResumeTests {
    let scratch = Scratch()
    private var out: String { scratch.path + "/out" }

    /// A run of some seconds, without and with a service.
    private static let runs: [[String]] = [
        ["run", ShardTests.shipped("weather-week"), "--people", "6000", "--set", "warmup=0s", "--set", "duration=2d"],
        ["run", ShardTests.shipped("market-open-cdn"), "--people", "40000"],
    ]

    /// Every file that the run writes but the manifest, when nobody disturbs it.
    private func undisturbed(_ run: [String]) throws -> [String: Data] {
        let ended = try BuiltCommand.run(run + ["--out", scratch.path + "/whole", "--quiet"])
        try #require(ended.status == 0 || ended.status == 99, "\(ended.error)")
        return try ShardTests.files(scratch.path + "/whole")
    }

    /// Starts it and waits until it simulates.
    private func start(_ run: [String], _ more: [String]) throws -> BuiltCommand.Running {
        let running = try BuiltCommand.Running([BuiltCommand.path] + run + ["--out", out] + more)
        let deadline = ContinuousClock.now + .seconds(30)
        while !running.errorSoFar.contains("estimate"), running.process.isRunning, ContinuousClock.now < deadline {
            usleep(5_000)
        }
        return running
    }

    @Test func `a broken threshold stays one when the run is asked for again`() throws {
        let study = try StudyScenario("thresholds: [{metric: views, op: \"<\", value: 1}]\n")
        for more in [[], ["--resume"]] {
            let ended = try BuiltCommand.run(["run", study.scenario, "--out", study.out, "--quiet"] + more)
            #expect(ended.status == 99 && ended.error.contains("broken"))
        }
    }

    private var checkpoint: String { out + "/run.checkpoint" }

    /// Runs it with its checkpoint written over and over, and sends a signal when there is a new one.
    private func interrupted(_ run: [String], by signal: Int32 = SIGINT) throws -> BuiltCommand.Outcome {
        let before = try identity(checkpoint)
        let running = try BuiltCommand.Running(
            [BuiltCommand.path] + run + ["--out", out, "--resume", "--checkpoint-every", "20ms"])
        while try running.process.isRunning && [before, nil].contains(identity(checkpoint)) { usleep(2_000) }
        kill(running.process.processIdentifier, signal)
        return running.end()
    }

    /// The number of a file; nil if there is none.
    private func identity(_ path: String) throws -> UInt64? {
        var status = stat()
        return lstat(path, &status) == 0 ? UInt64(status.st_ino) ^ UInt64(status.st_mtim.tv_nsec) << 32 : nil
    }

    @Test(arguments: runs, [(SIGINT, Int32(130)), (SIGTERM, Int32(143))])
    func `an interrupted run says what is left, and continues to the same bytes`(
        run: [String], signal: (number: Int32, status: Int32)
    ) throws {
        let whole = try undisturbed(run)
        var (interruptions, tries) = (0, 0)
        var isUnderWay = false
        while interruptions < 2 || !isUnderWay {
            tries += 1
            try #require(tries < 30, "the run is over before it can be interrupted")
            let ended = try interrupted(run, by: signal.number)
            isUnderWay = ended.status == signal.status
            guard isUnderWay else {
                // It was over before the signal came.
                #expect(ended.status == 0 || ended.status == 99, "\(ended.error)")
                #expect(try ShardTests.files(out) == whole)
                try FileManager.default.removeItem(atPath: out)
                continue
            }
            interruptions += 1
            #expect(
                ended.lastErrorLine.hasPrefix("interrupted ") && ended.lastErrorLine.hasSuffix("continues from there"),
                "\(ended.error)")
            #expect(try FileManager.default.contentsOfDirectory(atPath: out) == ["run.checkpoint"])
        }
        let refused = try BuiltCommand.run(run + ["--out", out, "--quiet"])
        #expect(refused.status == 74 && refused.error.contains("--resume continues from it"), "\(refused.error)")
        let last = try BuiltCommand.run(run + ["--out", out, "--quiet", "--resume"])
        #expect(last.status == 0 || last.status == 99, "\(last.error)")
        #expect(try ShardTests.files(out) == whole)
        // The last process had a part of the run alone.
        #expect(try !String(contentsOfFile: out + "/manifest.json", encoding: .utf8).contains("peak_memory_mib"))
    }

    @Test(arguments: runs) func `a killed run continues to the same bytes, as often as it is killed`(run: [String])
        throws
    {
        let whole = try undisturbed(run)
        for delay in [900_000, 400_000, 250_000] as [useconds_t] {
            let running = try start(run, ["--resume", "--checkpoint-every", "100ms"])
            usleep(delay)
            // Now and then this hits the writing of a checkpoint, or of the results.
            kill(running.process.processIdentifier, SIGKILL)
            _ = running.end()
        }
        let last = try BuiltCommand.run(run + ["--out", out, "--quiet", "--resume"])
        #expect(last.status == 0 || last.status == 99, "\(last.error)")
        #expect(try ShardTests.files(out) == whole)
    }

    @Test func `a checkpoint of another run or a damaged one is refused and stays, unless it is replaced by force`()
        throws
    {
        let run = Self.runs[0]
        var tries = 0
        while try interrupted(run).status != 130 {
            tries += 1
            try #require(tries < 10, "the run is over before it can be interrupted")
            try FileManager.default.removeItem(atPath: out)
        }
        let checkpoint = URL(filePath: checkpoint)
        let bytes = try Data(contentsOf: checkpoint)
        let seed = try BuiltCommand.run(run + ["--out", out, "--resume", "--seed", "4"])
        #expect(
            seed.status == 74
                && seed.error.contains(
                    "belongs to another run: its seed is 1, and this run's is 4; nothing was changed"),
            "\(seed.error)")
        let scenario = try BuiltCommand.run(run + ["--out", out, "--resume", "--set", "load_bin=5m"])
        #expect(scenario.status == 74 && scenario.error.contains("belongs to another run: its scenario differs"))
        #expect(try Data(contentsOf: checkpoint) == bytes)
        var damaged = bytes
        damaged[bytes.count / 3] ^= 16
        try damaged.write(to: checkpoint)
        let refused = try BuiltCommand.run(run + ["--out", out, "--resume"])
        #expect(refused.status == 74 && refused.error.split(separator: "\n").count == 1, "\(refused.error)")
        #expect(refused.error.contains("run.checkpoint is damaged: ") && refused.error.contains("--force begins again"))
        #expect(try Data(contentsOf: checkpoint) == damaged)
        let restarted = try BuiltCommand.run(run + ["--out", out, "--resume", "--force", "--people", "20", "--quiet"])
        #expect(
            restarted.status == 0 && restarted.error.contains("warning: ")
                && restarted.error.contains("the run begins again"), "\(restarted.error)")
        #expect(!FileManager.default.fileExists(atPath: checkpoint.path))
    }

    @Test func `results that are complete are not simulated again, and damaged ones are named`() throws {
        let run = ["run", ShardTests.shipped("weather-week"), "--people", "30", "--out", out]
        #expect(try BuiltCommand.run(run + ["--quiet", "--resume"]).status == 0)
        let manifest = try Data(contentsOf: URL(filePath: out + "/manifest.json"))
        let again = try BuiltCommand.run(run + ["--resume"])
        #expect(
            again.status == 0
                && again.error == "\(out) holds the complete results of this run already; nothing was simulated\n")
        #expect(try Data(contentsOf: URL(filePath: out + "/manifest.json")) == manifest)
        let other = try BuiltCommand.run(run + ["--resume", "--seed", "3"])
        #expect(
            other.status == 74
                && other.error.contains("holds the results of another run: its seed is 1, and this run's is 3"))
        try Data("x\n".utf8).write(to: URL(filePath: out + "/load.csv"))
        let damaged = try BuiltCommand.run(run + ["--resume"])
        #expect(
            damaged.status == 74 && damaged.error.contains("load.csv has 2 bytes and had")
                && damaged.error.contains("--force replaces them"))
        #expect(try BuiltCommand.run(run + ["--force", "--quiet"]).status == 0)
        #expect(try BuiltCommand.run(run + ["--resume", "--quiet"]).status == 0)
    }

    @Test func `a run that never keeps anything leaves nothing`() throws {
        let running = try start(Self.runs[0], ["--checkpoint-every", "never"])
        usleep(300_000)
        kill(running.process.processIdentifier, SIGINT)
        let ended = running.end()
        if ended.status == 130 {
            // In the run, or, where that took less, in the writing.
            let lines = [
                "interrupted; nothing was written to \(out)", "interrupted; nothing of this run was left in \(out)",
            ]
            #expect(lines.contains(ended.lastErrorLine), "\(ended.lastErrorLine)")
            #expect(try scratch.names == [])
        }
        for text in ["0s", "1", "m", "-1m", "soon", "1d"] {
            #expect(
                try BuiltCommand.run(Self.runs[0] + ["--out", out, "--checkpoint-every=\(text)"]).status == 64,
                "\(text)")
        }
    }

    @Test func `a shard that was interrupted continues`() throws {
        let run = Self.runs[0] + ["--shard", "1/2"]
        let running = try start(run, ["--resume"])
        usleep(250_000)
        kill(running.process.processIdentifier, SIGINT)
        let ended = running.end()
        #expect(ended.status == 130 || ended.status == 0)
        // On a busy machine the signal may come before anybody has lived.
        if ended.status == 130 && FileManager.default.fileExists(atPath: out) {
            #expect(try FileManager.default.contentsOfDirectory(atPath: out) == ["shard-1-of-2.checkpoint"])
        }
        #expect(try BuiltCommand.run(run + ["--out", out, "--resume", "--quiet"]).status == 0)
        #expect(try FileManager.default.contentsOfDirectory(atPath: out) == ["shard-1-of-2.part"])
        #expect(try BuiltCommand.run(Self.runs[0] + ["--shard", "2/2", "--out", out, "--quiet"]).status == 0)
        let whole = try undisturbed(Self.runs[0])
        #expect(try BuiltCommand.run(["merge", out, "--out", scratch.path + "/merged", "--quiet"]).status == 0)
        #expect(try ShardTests.files(scratch.path + "/merged") == whole)
    }
}
