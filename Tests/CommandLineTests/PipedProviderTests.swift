import Foundation
import Testing

/// Providers that a command answers for, over a pipe.
///
/// Rules: P9.
@Suite struct PipedProviderTests {
    private static let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()
    private static let package = root.appending(path: "Tests/Examples/package")
    private static let scenario = package.appending(path: "scenario.yaml").path
    private static let python = "mine=python3 '\(root.appending(path: "Tests/Examples/Pipes/mine.py").path)'"

    /// The program with the same provider in Swift.
    private static var swift: String {
        get throws {
            URL(filePath: try BuiltCommand.path).deletingLastPathComponent().appending(path: "MyWidget").path
        }
    }

    let scratch = Scratch()

    private func run(_ words: [String], command: String = "run", people: Int = 40) throws -> BuiltCommand.Outcome {
        try BuiltCommand.run([command, Self.scenario, "--people", "\(people)"] + words, in: scratch.path)
    }

    /// The tables of a run whose provider is the Python example.
    private func tables(_ name: String, _ words: [String]) throws -> [String: Data] {
        let out = scratch.path + "/" + name
        let ended = try run(["--out", out, "--no-report", "--quiet", "--provider", Self.python] + words)
        try #require(ended.status == 0, "\(ended.error)")
        return try ShardTests.files(out)
    }

    private static let service =
        "service={timeout: 6s, retries: 1, failing: [[30h, 30h20m]], pools: [{id: origin, servers: 1, service_time: 300ms, queue: 3}]}"

    @Test(arguments: [[], ["--set", service], ["--set", "kinds.headlines.policy.with.shortest=20m"]])
    func `a provider in Python gives the bytes of the same one in Swift`(setting: [String]) throws {
        let ended = try BuiltCommand.Running(
            [
                Self.swift, "run", Self.scenario, "--people", "40", "--out", scratch.path + "/swift", "--no-report",
                "--quiet",
            ] + setting
        ).end()
        #expect(ended.status == 0, "\(ended.error)")
        let own = try ShardTests.files(scratch.path + "/swift")
        #expect(own.count > 10)
        for threads in 1...2 {
            let piped = try tables("threads-\(threads)", ["--threads", "\(threads)"] + setting)
            #expect(piped.keys == own.keys)
            for (name, content) in own { #expect(piped[name] == content, "\(name)") }
        }
    }

    @Test func `every command that runs a scenario knows it`() throws {
        let option = ["--provider", Self.python]
        let trace = try run(option + ["--person", "3"], command: "trace")
        #expect(trace.status == 0 && trace.output.contains("response"), "\(trace.error)")
        let sweep = try run(
            option + ["--vary", "kinds.headlines.policy.with.longest=1h,8h", "--out", "study", "--no-report"],
            command: "sweep")
        #expect(sweep.status == 0, "\(sweep.error)")
        let lines = try run(
            option + ["--vary", "kinds.headlines.policy.with.longest=1h,8h", "--commands"], command: "sweep")
        #expect(
            lines.output.split(separator: "\n").allSatisfy { $0.contains("--provider 'mine=python3") },
            "\(lines.output)")
        let plan = try run(
            option + [
                "--find", "kinds.headlines.policy.with.longest=1h,2h,8h", "--target", "share_fresh > 0.1", "--out",
                "plan",
            ], command: "plan")
        #expect(plan.status == 0, "\(plan.error)")
        #expect(try run(option, command: "resolve").output.contains("provider: mine"))
        #expect(try BuiltCommand.run(["validate", Self.scenario] + option).status == 0)
        #expect(try BuiltCommand.run(["validate", Self.scenario]).status == 65)
    }

    @Test func `parts of shards are merged by the same command alone, byte for byte`() throws {
        let whole = try tables("whole", [])
        for shard in ["1/2", "2/2"] {
            let ended = try run(["--shard", shard, "--out", "parts", "--quiet", "--provider", Self.python])
            #expect(ended.status == 0, "\(ended.error)")
        }
        func merge(_ provider: String) throws -> BuiltCommand.Outcome {
            try BuiltCommand.run(
                ["merge", "parts", "--out", "merged", "--no-report", "--quiet", "--provider", provider],
                in: scratch.path)
        }
        let other = try merge(Self.python.replacingOccurrences(of: "python3", with: "python3 -S"))
        #expect(
            other.status == 65 && other.error.contains("its own code is provider mine 1 python3 '"), "\(other.error)")
        #expect(try merge(Self.python).status == 0)
        let merged = try ShardTests.files(scratch.path + "/merged")
        for (name, content) in whole { #expect(merged[name] == content, "\(name)") }
    }

    @Test func `a script that has changed is another program`() throws {
        let script = scratch.path + "/mine.py"
        let text = try String(contentsOf: Self.root.appending(path: "Tests/Examples/Pipes/mine.py"), encoding: .utf8)
        var manifests: [String] = []
        for more in ["", "# longer\n"] {
            try (text + more).write(toFile: script, atomically: true, encoding: .utf8)
            let ended = try run(
                ["--provider", "mine=python3 mine.py", "--out", "out", "--force", "--quiet"], people: 5)
            #expect(ended.status == 0, "\(ended.error)")
            manifests.append(try String(contentsOfFile: scratch.path + "/out/manifest.json", encoding: .utf8))
        }
        let code = manifests.map { $0.split(separator: "\n").first { $0.contains("provider mine 1 python3 mine.py ") } }
        #expect(code[0] != nil && code[1] != nil && code[0] != code[1], "\(code)")
        // The command by which the same results are made again.
        #expect(manifests[0].contains("\"mine=python3 mine.py\""))
    }

    // MARK: Faults

    /// A provider in Python that answers rightly, with a line of its own before each answer to a timeline.
    private func fault(_ line: String, _ more: [String] = [], hello: String = "{\"usual_life\": \"1h\"}") throws
        -> String
    {
        let script = """
            import json, os, sys, time
            asked = 0
            for line in sys.stdin:
                question = json.loads(line)
                asked += 1
                answer = '{"policy": {"after": "30m"}}'
                if question["ask"] == "hello":
                    answer = \(hello.debugDescription)
                else:
                    \(line)
                print(answer, flush=True)
            """
        try script.write(toFile: scratch.path + "/bad.py", atomically: true, encoding: .utf8)
        let ended = try run(
            ["--set", "kinds.headlines.policy={provider: mine}", "--provider", "mine=python3 bad.py", "--quiet"] + more,
            people: 20)
        #expect(ended.status == 65, "\(ended.error)")
        #expect(ended.error.hasPrefix("error: ") && ended.error.split(separator: "\n").count == 1, "\(ended.error)")
        return ended.error
    }

    @Test(arguments: [
        ("sys.exit(3)", "provider 'mine' (python3 bad.py) ended with status 3 before it answered"),
        ("raise KeyError('parcel')", "ended with status 1 before it answered; its last words: 'KeyError: 'parcel''"),
        ("os.abort()", "was ended by signal 6 before it answered"),
        (
            "sys.stderr.write('w' * 9999999 + '\\nfull\\n'); os._exit(2)",
            "ended with status 2 before it answered; its last words: 'full'"
        ),
        ("answer = 'hi there'", "answered with what is no object of JSON: 'hi there'"),
        ("answer = '[1]'", "answered with what is no object of JSON: '[1]'"),
        ("answer = '{\"policy\": {\"after\": NaN}}'", "answered with what is no object of JSON"),
        ("answer = 'x' * 3000000", "answered with a line of more than a mebibyte"),
        ("answer = answer + chr(10) + answer", "wrote a line that no question asks for"),
        ("answer = '{\"error\": \"no such parcel\"}'", "says: 'no such parcel'"),
        ("answer = '{}'", "answered without a policy: expected 'at_end', 'never'"),
        ("answer = '{\"policy\": \"soon\"}'", "answered with policy 'soon': expected 'at_end'"),
        ("answer = '{\"policy\": {\"after\": -5}}'", "answered with policy '{\"after\":-5}': expected"),
        (
            "answer = '{\"policy\": \"never\", \"entrys\": 2}'",
            "answered with a member 'entrys': expected one of policy, entries"
        ),
        (
            "answer = '{\"policy\": \"never\", \"entries\": 0.5}'",
            "answered with entries '0.5': expected a whole number from 1 to 10000"
        ),
        (
            "answer = '{\"policy\": \"never\", \"entries\": true}'",
            "answered with entries 'true': expected a whole number from 1 to 10000"
        ),
        ("answer = '{\"policy\": {\"after\": true}}'", "answered with policy '{\"after\":true}': expected"),
        ("answer = '{\"policy\": \"never\", \"memory\": [1,2,3,4,5,6,7,8,9]}'", "expected a list of at most 8 numbers"),
        ("answer = '{\"policy\": \"never\", \"memory\": [true]}'", "expected a list of at most 8 numbers"),
        ("answer = '{\"policy\": {\"after\": %d}}' % (1800 + asked)", "answered one question in two ways"),
        (
            "answer = '{\"policy\": {\"after\": \"2126-03-02T00:00:00Z\"}}'",
            "asked for a date more than 3660 days after its fetch"
        ),
    ]) func `a command at fault ends the run with a sentence and its last words`(line: String, sentence: String) throws
    {
        let said = try fault(line)
        #expect(said.contains(sentence), "\(said)")
    }

    /// A process is no longer there. Whoever adopts it may take a moment to notice its end.
    private func expectEnded(_ number: Int32) {
        for _ in 0..<1_000 where kill(number, 0) == 0 { usleep(10_000) }
        #expect(kill(number, 0) != 0, "\(number) is still there")
    }

    @Test func `one that hangs is waited for as long as the limit says, and killed`() throws {
        let begin = ContinuousClock.now
        let said = try fault(
            "open('number', 'w').write(str(os.getpid())); print('waiting', file=sys.stderr, flush=True); time.sleep(100)",
            ["--provider-limit", "700ms", "--threads", "1"])
        #expect(said.contains("gave no answer within 700ms (--provider-limit); its last words: 'waiting'"), "\(said)")
        #expect(ContinuousClock.now - begin < .seconds(60))
        let number = try #require(Int32(try String(contentsOfFile: scratch.path + "/number", encoding: .utf8)))
        expectEnded(number)
    }

    @Test func `one that stays after the last question is killed`() throws {
        let script = try String(contentsOf: Self.root.appending(path: "Tests/Examples/Pipes/mine.py"), encoding: .utf8)
        try (script + "\nimport os, time\nopen(f'number-{os.getpid()}', 'w')\ntime.sleep(100)\n").write(
            toFile: scratch.path + "/mine.py", atomically: true, encoding: .utf8)
        #expect(try run(["--provider", "mine=python3 mine.py", "--quiet"], people: 5).status == 0)
        let numbers = try scratch.names.filter { $0.hasPrefix("number-") }.map { try #require(Int32($0.dropFirst(7))) }
        #expect(numbers.count >= 2)
        for number in numbers { expectEnded(number) }
    }

    @Test(arguments: [
        ("{}", "says no usual_life of itself"), ("{\"usual_life\": \"soon\"}", "answered with usual_life 'soon'"),
        ("{\"usual_life\": {\"clock\": [\"25:00\"]}}", "answered with usual_life"),
        ("{\"usual_life\": 1, \"live\": 2}", "answered with a member 'live'"),
        ("{\"usual_life\": \"1h\", \"version\": \"new\"}", "answered with version 'new'"),
        ("oh", "answered with what is no object of JSON: 'oh'"),
        ("{\"usual_life\": \"10ms\"}", "says a usualLife that is not from 1s"),
    ]) func `what it says of itself is checked at its place in the scenario`(hello: String, sentence: String) throws {
        let said = try fault("pass", hello: hello)
        #expect(said.contains("kinds.headlines.policy.provider") && said.contains(sentence), "\(said)")
    }

    @Test func `a command that there is not, and parameters that it refuses`() throws {
        let none = try run(["--provider", "mine=no-such-program"])
        #expect(none.status == 65 && none.error.contains("ended with status 127"), "\(none.error)")
        #expect(none.error.contains("scenario.yaml:10:") && none.error.contains("not found"), "\(none.error)")
        let refused = try run(["--provider", Self.python, "--set", "kinds.headlines.policy.with.shortest=2s"])
        #expect(refused.error.contains("with.shortest") && refused.error.contains("1m to 1d"), "\(refused.error)")
        let unknown = try run(["--provider", Self.python, "--set", "kinds.headlines.policy.with.shortset=20m"])
        #expect(unknown.error.contains("a key that provider 'mine' takes: shortest, longest"), "\(unknown.error)")
    }

    @Test(arguments: [
        ["--provider", "mine"], ["--provider", "mine="], ["--provider", "=python3"], ["--provider", "a b=python3"],
        ["--provider", python, "--provider", python], ["--provider-limit", "1s"],
        ["--provider", python, "--provider-limit", "never"],
    ]) func `options that name no provider or no command are refused`(words: [String]) throws {
        let ended = try run(words)
        #expect(ended.status == 64 && ended.error.contains("--provider"), "\(ended.error)")
    }

    @Test func `a program keeps its own`() throws {
        let ended = try BuiltCommand.Running([Self.swift, "run", Self.scenario, "--provider", Self.python]).end()
        #expect(ended.status == 64 && ended.error.contains("of its own: choose another name"), "\(ended.error)")
    }

    @Test func `no scenario names a command`() throws {
        let ended = try run(["--set", "kinds.headlines.policy.command=touch x"])
        #expect(ended.status == 65 && !FileManager.default.fileExists(atPath: scratch.path + "/x"))
    }
}
