import Foundation
import Testing

/// The scripts in scripts/studies perform a sweep by other means: their tables have the bytes of the sweep's own.
@Suite struct StudyScriptTests {
    static let axes = [
        "--people", "50", "--vary", "\(StudyScenario.jitter)=0s,5m", "--set", "duration=3h", "--vary", "people=30,40",
        "--repeat", "2",
    ]
    static let scripts = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()
        .appending(path: "scripts/studies").path

    /// - Parameter environment: words of `env` before the script.
    private func run(_ script: String, _ arguments: [String], environment: [String] = [], in folder: String) throws
        -> BuiltCommand.Outcome
    {
        try BuiltCommand.run(
            environment + [Self.scripts + "/" + script] + arguments,
            shell: "RELOADSIM=$1; export RELOADSIM; shift; exec env \"$@\"",
            in: folder)
    }

    private func has(_ program: String) throws -> Bool {
        try BuiltCommand.run([program], shell: "command -v \"$2\" > /dev/null").status == 0
    }

    private func expectSameTables(_ study: StudyScenario, _ other: String, _ what: String) throws {
        for table in ["runs.csv", "study.csv", "points.csv", "design.csv", "datapackage.json"] {
            #expect(try study.text(table) == study.text(table, in: other), "\(what): \(table)")
        }
    }

    @Test(arguments: ["parallel", "parallel-csv", "xargs"])
    func `a script gives the tables of a sweep, and does nothing the second time`(
        script: String
    ) throws {
        if script != "xargs", try !has("parallel") { return }
        let study = try StudyScenario()
        #expect(try study.sweep(Self.axes + ["--quiet"]).status == 0)
        let other = study.folder + "/by script"
        for _ in 0..<2 {
            let ended = try run(script, [other, study.scenario] + Self.axes, in: study.folder)
            #expect(ended.status == 0 && ended.output.contains("in brackets"), "\(ended.output) \(ended.error)")
            #expect(ended.lastErrorLine == "8 runs: 0 done, 8 skipped, 0 failed", "\(ended.error)")
        }
        try expectSameTables(study, other, script)
    }

    @Test(arguments: ["parallel", "xargs"])
    func `a script takes named scenarios, names of axes, and values with blanks, commas and quotes`(
        script: String
    ) throws {
        if script != "xargs", try !has("parallel") { return }
        let study = try StudyScenario(
            "study: {scenarios: {plain: {}, told: {description: \"it's \\\"told\\\", $HOME\"}}}\n")
        let axes = ["--vary", "p:kinds.quote.policy={after: 30m, jitter: 1m},{after: 40m}"]
        #expect(try study.sweep(axes + ["--quiet"]).status == 0)
        let other = study.folder + "/by script"
        let ended = try run(script, [other, study.scenario] + axes, in: study.folder)
        #expect(ended.lastErrorLine == "4 runs: 0 done, 4 skipped, 0 failed", "\(ended.error)")
        try expectSameTables(study, other, script)
    }

    @Test func `a design with commas in its values goes through GNU parallel as CSV`() throws {
        guard try has("parallel"), try BuiltCommand.run([], shell: "perl -MText::CSV -e 1").status == 0 else { return }
        let study = try StudyScenario()
        let axes = [
            "--vary", "kinds.quote.policy={after: 30m, jitter: 1m},{after: 40m}", "--vary",
            "description=\"it's \\\"told\\\", $HOME\",b",
        ]
        #expect(try study.sweep(axes + ["--quiet"]).status == 0)
        let other = study.folder + "/by script"
        let ended = try run("parallel-csv", [other, study.scenario] + axes, in: study.folder)
        #expect(ended.status == 0 && ended.lastErrorLine == "4 runs: 0 done, 4 skipped, 0 failed", "\(ended.error)")
        try expectSameTables(study, other, "parallel-csv")
    }

    @Test(arguments: ["parallel", "xargs"])
    func `runs that break a threshold are complete, and the sweep's status is the script's`(
        script: String
    ) throws {
        if script != "xargs", try !has("parallel") { return }
        let study = try StudyScenario("thresholds: [{metric: people, op: \"<\", value: 35}]\n")
        let ended = try run(script, [study.out, study.scenario] + Self.axes, in: study.folder)
        #expect(ended.status == 99, "\(ended.error)")
        #expect(ended.lastErrorLine == "8 runs: 0 done, 8 skipped, 0 failed; 4 break a threshold", "\(ended.error)")
    }

    @Test func `make performs a sweep, and again only what is missing`() throws {
        guard try has("make") else { return }
        let study = try StudyScenario("thresholds: [{metric: people, op: \"<\", value: 9}]\n")
        // Make's names have no blanks.
        try FileManager.default.copyItem(atPath: study.scenario, toPath: study.scratch.path + "/small.yaml")
        let sweep = try BuiltCommand.run(
            ["sweep", "small.yaml", "--out", "whole", "--quiet"] + Self.axes, in: study.scratch.path)
        #expect(sweep.status == 99, "\(sweep.error)")
        let whole = study.scratch.path + "/whole"
        for round in 0..<3 {
            let ended = try BuiltCommand.run(
                [
                    "-j", "2", "-s", "-f", Self.scripts + "/Makefile", "OUT=out/made", "SCENARIO=small.yaml",
                    "SWEEP=" + Self.axes.map { "'\($0)'" }.joined(separator: " "),
                ], shell: "RELOADSIM=$1; export RELOADSIM; shift; make \"$@\"", in: study.scratch.path)
            #expect(
                ended.error.contains("\n8 runs: 0 done, 8 skipped, 0 failed; 8 break a threshold\n"), "\(ended.error)")
            let made = study.scratch.path + "/out/made"
            for table in ["runs.csv", "study.csv", "design.csv"] {
                #expect(try study.text(table, in: whole) == study.text(table, in: made))
            }
            if round == 0 {
                let runs = try FileManager.default.contentsOfDirectory(atPath: made + "/runs").sorted()
                try FileManager.default.removeItem(atPath: made + "/runs/\(runs[0])")
            }
        }
    }

    @Test(arguments: [(0, 1, 3), (1, 1, 1), (2, 3, 4), (0, 1, 11)])
    func `the tasks of a Slurm array perform a sweep, whatever their numbers`(
        first: Int, step: Int, count: Int
    ) throws {
        let study = try StudyScenario()
        #expect(try study.sweep(Self.axes + ["--quiet"]).status == 0)
        let other = study.folder + "/by slurm"
        var performed: [Int] = []
        for task in (0..<count).reversed() {
            let ended = try run(
                "slurm-array.sbatch", [other, study.scenario] + Self.axes,
                environment: [
                    "SLURM_ARRAY_TASK_ID=\(first + task * step)", "SLURM_ARRAY_TASK_MIN=\(first)",
                    "SLURM_ARRAY_TASK_STEP=\(step)",
                    "SLURM_ARRAY_TASK_COUNT=\(count)",
                ], in: study.folder)
            #expect(ended.status == 0 && ended.output == "" && ended.error == "", "\(ended.error)")
            let runs = other + "/runs"
            performed.append(
                FileManager.default.fileExists(atPath: runs)
                    ? try FileManager.default.contentsOfDirectory(atPath: runs).count : 0)
        }
        // Each task has its share.
        #expect(performed.last == 8 && performed.first == 8 / count, "\(performed)")
        let ended = try run("slurm-array.sbatch", [other, study.scenario] + Self.axes, in: study.folder)
        #expect(ended.status == 0 && ended.lastErrorLine == "8 runs: 0 done, 8 skipped, 0 failed", "\(ended.error)")
        try expectSameTables(study, other, "slurm-array")
    }

    @Test func `a task of a Slurm array with a run that fails ends with 75 after its other runs`() throws {
        let study = try StudyScenario()
        let list = try study.sweep(Self.axes + ["--list"]).output.split(separator: "\n")
        let name = list[1].split(separator: ",")[3]
        try FileManager.default.createDirectory(atPath: study.out + "/runs", withIntermediateDirectories: true)
        try "x".write(toFile: study.out + "/runs/\(name)", atomically: true, encoding: .utf8)
        let ended = try run(
            "slurm-array.sbatch", [study.out, study.scenario] + Self.axes,
            environment: ["SLURM_ARRAY_TASK_ID=0", "SLURM_ARRAY_TASK_MIN=0", "SLURM_ARRAY_TASK_COUNT=1"],
            in: study.folder)
        #expect(ended.status == 75 && ended.error.contains("not a folder"), "\(ended.error)")
        #expect(try study.runs.count == 8)
    }

    @Test func `the shards of a Slurm array are the whole run`() throws {
        let study = try StudyScenario()
        #expect(try BuiltCommand.run(["run", study.scenario, "--out", study.out, "--quiet"]).status == 0)
        let other = study.folder + "/shards"
        for task in 1...3 {
            let ended = try run(
                "slurm-shards.sbatch", [other, study.scenario, "--quiet"],
                environment: ["SLURM_ARRAY_TASK_ID=\(task)", "SLURM_ARRAY_TASK_MIN=1", "SLURM_ARRAY_TASK_COUNT=3"],
                in: study.folder)
            #expect(ended.status == 0, "\(ended.error)")
        }
        let merged = try run("slurm-shards.sbatch", [other, study.scenario, "--quiet"], in: study.folder)
        #expect(merged.status == 0, "\(merged.error)")
        for name in try FileManager.default.contentsOfDirectory(atPath: study.out) where name != "manifest.json" {
            #expect(
                FileManager.default.contentsEqual(atPath: study.out + "/" + name, andPath: other + "/run/" + name),
                "\(name)")
        }
    }

    @Test func `scripts without their arguments say how they are used`() throws {
        for script in ["parallel", "parallel-csv", "xargs", "slurm-array.sbatch", "slurm-shards.sbatch"] {
            let ended = try run(script, [], in: "/tmp")
            #expect(ended.status == 64 && ended.error.hasPrefix("usage: \(script) OUT SCENARIO"), "\(ended.error)")
        }
    }

    @Test func `a wrong study stops a script before anything is run`() throws {
        for script in try has("parallel") ? ["parallel", "parallel-csv", "xargs"] : ["xargs"] {
            let study = try StudyScenario()
            let ended = try run(script, [study.out, study.scenario, "--vary", "people=30,many"], in: study.folder)
            #expect(
                ended.status == 65 && ended.error.contains("people: expected a whole number"),
                "\(script) \(ended.status) \(ended.error)")
            #expect(!FileManager.default.fileExists(atPath: study.out + "/runs"), "\(script)")
        }
    }
}
