import ResultFiles
import Foundation
import Reporting
import Testing

/// Commands beside other commands, and names in a folder that are not ours.
@Suite struct NeighbourTests {
    private let scratch = Scratch()
    /// A recorded device, which takes no time, and some drawn people, who can be shared out.
    private let scenario, drawn: String

    init() throws {
        scenario = try RecordedScenario.write(in: scratch.path)
        drawn = scratch.path + "/drawn.yaml"
        try StudyScenario.text.write(toFile: drawn, atomically: true, encoding: .utf8)
    }

    /// Starts the same command twice at once; gives how both ended.
    private func twice(_ words: [String], _ others: [String]? = nil) throws -> [BuiltCommand.Outcome] {
        let running = try [words, others ?? words].map { try BuiltCommand.Running([BuiltCommand.path] + $0) }
        return running.map { $0.end() }
    }

    private func isRefused(_ ended: BuiltCommand.Outcome) -> Bool {
        ended.status == 74 && ended.lastErrorLine.hasPrefix("error: another command is at work ")
            && ended.lastErrorLine.hasSuffix("; nothing was changed")
    }

    @Test func `of two runs on one folder one is complete, and the other is refused or replaces it`() throws {
        for number in 1...4 {
            let out = scratch.path + "/run\(number)"
            let ended = try twice(["run", scenario, "--out", out, "--force", "--quiet"])
            #expect(
                ended.allSatisfy { $0.status == 0 || isRefused($0) } && ended.contains { $0.status == 0 }, "\(ended)")
            #expect(try CompleteRun.check(folder: out) == .complete)
            #expect(try FileManager.default.contentsOfDirectory(atPath: out).allSatisfy { !$0.hasPrefix(".") })
        }
    }

    @Test func `a folder that another command has locked first stays, whichever of the two has made it`() throws {
        let counted = FaultyDisk(attic: scratch.path)
        try Disk.$calls.withValue(counted) {
            try OutputFolder(path: scratch.path + "/first", replacing: false).discard()
        }
        let lock = try #require(counted.calls.firstIndex(of: "lock"))
        let out = scratch.path + "/second"
        let refusal = #expect(throws: OutputProblem.self) {
            _ = try Disk.$calls.withValue(FaultyDisk(.error(EWOULDBLOCK), at: lock + 1, attic: scratch.path)) {
                try OutputFolder(path: out, replacing: false)
            }
        }
        #expect(refusal?.description == "another command is at work in \(out); nothing was changed")
        #expect(try FileManager.default.contentsOfDirectory(atPath: out) == [])
    }

    @Test func `a link that leads nowhere is no folder to write in`() throws {
        let link = scratch.path + "/link"
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: scratch.path + "/nowhere")
        let ended = try BuiltCommand.run(["run", scenario, "--out", link, "--quiet"])
        #expect(
            ended.status == 74
                && ended.error == "error: \(link) is a symbolic link that leads nowhere; nothing was changed\n",
            "\(ended.error)")
    }

    @Test func `equal shards keep out each other, different ones share the folder, and so do merges`() throws {
        let shard = ["run", drawn, "--quiet", "--force", "--out", scratch.path + "/parts", "--shard"]
        let equal = try twice(shard + ["1/2"])
        #expect(equal.allSatisfy { $0.status == 0 || isRefused($0) } && equal.contains { $0.status == 0 }, "\(equal)")
        #expect(try twice(shard + ["1/2"], shard + ["2/2"]).allSatisfy { $0.status == 0 })
        let names = try FileManager.default.contentsOfDirectory(atPath: scratch.path + "/parts").sorted()
        #expect(names == ["shard-1-of-2.part", "shard-2-of-2.part"])
        let ended = try twice([
            "merge", scratch.path + "/parts", "--out", scratch.path + "/merged", "--force", "--quiet",
        ])
        #expect(ended.allSatisfy { $0.status == 0 || isRefused($0) } && ended.contains { $0.status == 0 }, "\(ended)")
        #expect(try CompleteRun.check(folder: scratch.path + "/merged") == .complete)
    }

    @Test func `while one command has a folder every other that writes there is refused, whatever it is`() throws {
        let out = scratch.path + "/out"
        try FileManager.default.createDirectory(atPath: out, withIntermediateDirectories: true)
        let lock = try #require(try FolderLock.take(out))
        try lock.hold {
            for words in [
                ["run", scenario], ["run", scenario, "--resume"], ["run", drawn, "--shard", "1/2"],
                ["sweep", scenario, "--repeat", "2"],
            ] {
                let ended = try BuiltCommand.run(words + ["--out", out])
                #expect(isRefused(ended), "\(words): \(ended.error)")
            }
        }
        #expect(try FileManager.default.contentsOfDirectory(atPath: out) == [])
    }

    @Test func `a link that was put where a run writes leads nowhere, and a user's own partial file stays`() throws {
        let (out, victim) = (scratch.path + "/out", scratch.path + "/victim")
        try FileManager.default.createDirectory(atPath: out, withIntermediateDirectories: true)
        try "mine".write(toFile: victim, atomically: false, encoding: .utf8)
        for name in [".summary.csv.partial", "summary.csv", ".summary.csv.0123456789abcdef.partial"] {
            try FileManager.default.createSymbolicLink(atPath: out + "/" + name, withDestinationPath: victim)
        }
        let ended = try BuiltCommand.run(["run", scenario, "--out", out, "--force", "--quiet"])
        #expect(ended.status == 74 && ended.error.contains("/summary.csv was not written by reloadsim; nothing was"))
        try FileManager.default.removeItem(atPath: out + "/summary.csv")
        #expect(try BuiltCommand.run(["run", scenario, "--out", out, "--force", "--quiet"]).status == 0)
        #expect(try String(contentsOfFile: victim, encoding: .utf8) == "mine")
        #expect(try CompleteRun.check(folder: out) == .complete)
        let new = scratch.path + "/new.yaml"
        try "mine".write(toFile: new + ".partial", atomically: false, encoding: .utf8)
        #expect(try BuiltCommand.run(["init", new]).status == 0)
        #expect(try String(contentsOfFile: new + ".partial", encoding: .utf8) == "mine")
    }

    @Test func `what a killed run has left goes with the next one that is complete`() throws {
        let out = scratch.path + "/out"
        try FileManager.default.createDirectory(atPath: out, withIntermediateDirectories: true)
        for name in [".summary.csv.0123456789abcdef.partial", ".run.checkpoint.0123456789abcdef.partial"] {
            try "half".write(toFile: out + "/" + name, atomically: false, encoding: .utf8)
        }
        #expect(try BuiltCommand.run(["run", scenario, "--out", out, "--resume", "--quiet"]).status == 0)
        #expect(try FileManager.default.contentsOfDirectory(atPath: out).filter { $0.hasPrefix(".") } == [])
    }

    @Test func `a pipe by the name of a file that is read is one sentence`() throws {
        for (name, words) in [
            ("manifest.json", ["run", scenario, "--resume"]), ("run.checkpoint", ["run", scenario, "--resume"]),
            ("shard-1-of-2.part", ["run", drawn, "--resume", "--shard", "1/2"]),
            ("shard-1-of-2.checkpoint", ["run", drawn, "--resume", "--shard", "1/2"]),
            (".shard-1-of-2.part.lock", ["run", drawn, "--shard", "1/2"]),
            ("manifest.json", ["sweep", scenario, "--repeat", "2", "--resume"]),
        ] {
            let scratch = Scratch()
            #expect(mkfifo(scratch.path + "/" + name, 0o644) == 0)
            let ended = try BuiltCommand.run(words + ["--out", scratch.path], shell: "exec timeout 20 \"$@\"")
            #expect(
                ended.status == 74
                    && ended.error.contains("\(scratch.path)/\(name) is a named pipe and not a file: remove it"),
                "\(words): \(ended.error)")
        }
        let scratch = Scratch()
        #expect(mkfifo(scratch.path + "/x.part", 0o644) == 0)
        #expect(
            try BuiltCommand.run(
                ["merge", scratch.path, "--out", scratch.path + "/o"], shell: "exec timeout 20 \"$@\""
            ).status == 66)
    }

    @Test func `threads that cannot be had are 1 and a sentence`() throws {
        let out = scratch.path + "/out"
        let ended = try BuiltCommand.run(
            ["run", scenario, "--threads", "1000", "--memory", "100GiB", "--out", out, "--quiet"],
            shell: "ulimit -v 4000000; exec timeout 60 \"$@\"")
        #expect(
            ended.status == 1 && ended.error.hasPrefix("error: cannot start 1000 threads: "),
            "\(ended.status) \(ended.error)")
        #expect(!FileManager.default.fileExists(atPath: out))
    }

    @Test func `a small stack is enough`() throws {
        let ended = try BuiltCommand.run(
            ["run", scenario, "--out", scratch.path + "/out", "--quiet"], shell: "ulimit -s 64; exec \"$@\"")
        #expect(ended.status == 0, "\(ended.error)")
    }

    @Test(arguments: [(SIGINT, Int32(130)), (SIGTERM, Int32(143))])
    func `a signal in the first moments ends a command as later`(
        number: Int32, status: Int32
    ) throws {
        for delay in [0, 20_000, 60_000] as [useconds_t] {
            let out = scratch.path + "/\(number)-\(delay)"
            let running = try BuiltCommand.Running([
                BuiltCommand.path, "run", drawn, "--people", "5000000", "--out", out,
            ])
            usleep(delay)
            kill(running.process.processIdentifier, number)
            let ended = running.end()
            if running.process.terminationReason == .uncaughtSignal {
                // It had not come to its first line.
                #expect(ended.error == "" && ended.status == number)
            } else {
                #expect(ended.status == status && ended.lastErrorLine.hasPrefix("interrupted"), "\(ended.error)")
            }
        }
    }
}
