import Foundation
import Testing

/// Runs in shards, as a cluster starts them.
@Suite struct ShardTests {
    let scratch = Scratch()
    private let small = ["--people", "200", "--set", "warmup=0s", "--set", "duration=1d", "--quiet"]

    static func shipped(_ name: String) -> String {
        URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
            .appending(path: "Scenarios/\(name).yaml").path
    }

    /// Every file of a folder but the manifest.
    static func files(_ folder: String) throws -> [String: Data] {
        var files: [String: Data] = [:]
        for name in try FileManager.default.contentsOfDirectory(atPath: folder) where name != "manifest.json" {
            files[name] = try Data(contentsOf: URL(filePath: folder + "/" + name))
        }
        return files
    }

    private func shard(
        _ text: String, _ scenario: String = "weather-week", environment: String = "", more: [String] = []
    ) throws
        -> BuiltCommand.Outcome
    {
        try BuiltCommand.run(
            ["run", Self.shipped(scenario), "--out", scratch.path + "/parts", "--shard", text] + small + more,
            shell: "exec env \(environment) \"$@\"")
    }

    @Test(arguments: ["weather-week", "world-day", "banking-privacy"], [1, 2, 3, 7])
    func `merged shards are the bytes of one process`(
        scenario: String, count: Int
    ) throws {
        for number in 1...count {
            let ended = try shard("\(number)/\(count)", scenario, more: ["--threads", "\(number % 3 + 1)"])
            try #require(ended.status == 0, "\(ended.error)")
        }
        #expect(try FileManager.default.contentsOfDirectory(atPath: scratch.path + "/parts").count == count)
        let merged = try BuiltCommand.run([
            "merge", scratch.path + "/parts", "--out", scratch.path + "/merged", "--quiet",
        ])
        let whole = try BuiltCommand.run(["run", Self.shipped(scenario), "--out", scratch.path + "/whole"] + small)
        #expect(merged.status == whole.status && merged.error == whole.error)
        let files = try Self.files(scratch.path + "/whole")
        #expect(files.count > 10)
        #expect(try Self.files(scratch.path + "/merged") == files)
        let manifest = try String(contentsOfFile: scratch.path + "/merged/manifest.json", encoding: .utf8)
        for member in [
            "\"shards\": \(count),", "\"command\": [", "\"asked\": [", "\"estimated_core_s\": ", "\"used_core_s\": ",
        ] {
            #expect(manifest.contains(member), "\(member)")
        }
        let page = String(decoding: try #require(files["report.html"]), as: UTF8.self)
        #expect(
            page.contains("<dd>reloadsim run \(scenario).yaml --set warmup=0s --set duration=1d --set people=200</dd>"))
    }

    @Test func `a cluster's task finds its shard`() throws {
        let slurm =
            "SLURM_ARRAY_TASK_COUNT=3 SLURM_ARRAY_TASK_MIN=1 SLURM_ARRAY_TASK_MAX=3 SLURM_ARRAY_TASK_STEP=1 SLURM_ARRAY_TASK_ID="
        let fromZero =
            "SLURM_ARRAY_TASK_COUNT=3 SLURM_ARRAY_TASK_MIN=0 SLURM_ARRAY_TASK_MAX=4 SLURM_ARRAY_TASK_STEP=2 SLURM_ARRAY_TASK_ID="
        let batch = "AWS_BATCH_JOB_ARRAY_SIZE=3 AWS_BATCH_JOB_ARRAY_INDEX="
        let index = "JOB_COMPLETION_INDEX="
        for (text, environment, part) in [
            ("auto", slurm + "1", "shard-1-of-3"), ("auto/3", slurm + "3", "shard-3-of-3"),
            ("auto", fromZero + "0", "shard-1-of-3"),
            ("auto", fromZero + "4", "shard-3-of-3"), ("auto", batch + "0", "shard-1-of-3"),
            ("auto/3", index + "1", "shard-2-of-3"),
        ] {
            let ended = try shard(text, environment: environment, more: ["--force"])
            #expect(ended.status == 0, "\(environment): \(ended.error)")
            #expect(try FileManager.default.contentsOfDirectory(atPath: scratch.path + "/parts") == [part + ".part"])
            try FileManager.default.removeItem(atPath: scratch.path + "/parts")
        }
        let list =
            "SLURM_ARRAY_TASK_COUNT=3 SLURM_ARRAY_TASK_MIN=1 SLURM_ARRAY_TASK_MAX=7 SLURM_ARRAY_TASK_STEP=1 SLURM_ARRAY_TASK_ID=1"
        for (text, environment, sentence) in [
            ("auto", "", "none of them is set"), ("auto", index + "0", "Kubernetes does not tell the number of shards"),
            ("auto", index + "0 " + batch + "1", "cannot tell which to follow"),
            ("auto/4", slurm + "1", "Slurm has 3 tasks in the array"),
            ("auto", list, "does not go in even steps"),
            ("auto/3", index + "3", "Kubernetes calls this task number 4, and there are 3 shards"),
            ("auto", index + "x", "which is not the number of a task"),
            ("auto", fromZero + "3", "which is not a task of an array from 0 in steps of 2"),
        ] {
            let ended = try shard(text, environment: environment)
            #expect(ended.status == 64 && ended.error.contains(sentence), "\(environment): \(ended.error)")
        }
        #expect(try scratch.names == [])
    }

    @Test func `what cannot be divided is refused with the reason`() throws {
        for (scenario, text, sentence) in [
            ("market-open-cdn", "1/2", "the scenario has a service"),
            ("weather-week", "1/201", "the scenario has 200 people, fewer than shards"),
        ] {
            let ended = try shard(text, scenario)
            #expect(ended.status == 64 && ended.error.contains(sentence), "\(ended.error)")
        }
        for text in ["0/2", "3/2", "2", "1/0", "a/b", "auto/0", "1/2/3", "auto/x", ""] {
            #expect(try shard(text).status == 64, "\(text)")
        }
        #expect(try scratch.names == [])
    }

    @Test func `a part that exists is kept, unless it is wrong and replaced by force`() throws {
        #expect(try shard("1/2").status == 0)
        let part = scratch.path + "/parts/shard-1-of-2.part"
        let first = try Data(contentsOf: URL(filePath: part))
        let refused = try shard("1/2")
        #expect(refused.status == 74 && refused.error.hasPrefix("error: \(part) exists already; nothing was changed"))
        let kept = try BuiltCommand.run(
            ["run", Self.shipped("weather-week"), "--out", scratch.path + "/parts", "--shard", "1/2", "--resume"]
                + small.dropLast())
        #expect(kept.status == 0 && kept.lastErrorLine == "\(part) is complete already; nothing was simulated")
        let other = try shard("1/2", more: ["--resume", "--seed", "5"])
        #expect(
            other.status == 74 && other.error.contains("belongs to another run: its seed is 1, and this run's is 5"))
        try first.dropLast(7).write(to: URL(filePath: part))
        let damaged = try shard("1/2", more: ["--resume"])
        #expect(damaged.status == 74 && damaged.error.contains("\(part) is damaged"))
        #expect(try shard("1/2", more: ["--resume", "--force"]).status == 0)
        #expect(try shard("1/2", more: ["--resume"]).status == 0)
    }

    @Test func `a merge that cannot be right writes nothing`() throws {
        #expect(try shard("1/3").status == 0)
        #expect(try shard("3/3").status == 0)
        let parts = scratch.path + "/parts"
        let missing = try BuiltCommand.run(["merge", parts, "--out", scratch.path + "/out"])
        #expect(missing.status == 66 && missing.error == "error: shard 2 of 3 is missing; nothing was merged\n")
        let part = URL(filePath: parts + "/shard-3-of-3.part")
        var bytes = try Data(contentsOf: part)
        bytes[bytes.count / 2] ^= 4
        try bytes.write(to: part)
        let damaged = try BuiltCommand.run(["merge", parts, "--out", scratch.path + "/out"])
        #expect(damaged.status == 65 && damaged.error.contains("shard-3-of-3.part is damaged"))
        #expect(try scratch.names == ["parts"])
    }
}
