import Foundation
import Testing

/// The JSON of commands, and the tables of many runs together.
@Suite struct JSONOutputTests {
    private static func object(_ ended: BuiltCommand.Outcome) throws -> [String: Any] {
        try #require(
            try JSONSerialization.jsonObject(with: Data(ended.output.utf8)) as? [String: Any],
            "\(ended.output.prefix(200)) \(ended.error)")
    }

    /// The members that Reports/README.md has of a command's object.
    private static func required(_ command: String) throws -> Set<String> {
        let names = try JSONMembers.documented().names(of: command)
        try #require(!names.isEmpty, "\(command)")
        return names
    }

    @Test func `a run says its summary, verdict and peaks in one object`() throws {
        let study = try StudyScenario("thresholds: [{metric: quote.views, op: \">=\", value: 0}]\n")
        let out = study.folder + "/run"
        let ended = try BuiltCommand.run(["run", study.scenario, "--out", out, "--json", "--quiet"])
        #expect(ended.status == 0 && ended.error == "", "\(ended.error)")
        let said = try Self.object(ended)
        #expect(Set(said.keys) == (try Self.required("run")))
        #expect(
            said["command"] as? String == "run" && said["holds"] as? Bool == true && said["zone"] as? String == "UTC")
        let summary = try #require(said["summary"] as? [[String: Any]])
        // One segment, one kind, one endpoint and phones alone: nothing stands there twice.
        #expect(Set(summary.compactMap { $0["scope"] as? String }) == ["run"])
        let lines = try study.text("summary.csv", in: out).split(separator: "\n")
        #expect(lines.count == summary.count + 1 && lines[0].hasPrefix("scope,name,metric,unit,value,standard_error,"))
        let views = try #require(summary.first { $0["metric"] as? String == "views" }?["value"] as? Int)
        #expect(lines.contains { $0.hasPrefix("run,,views,views,\(views),") })
        let manifest = try #require(
            try JSONSerialization.jsonObject(with: Data(study.text("manifest.json", in: out).utf8)) as? [String: Any])
        #expect(manifest["fingerprint"] as? String == said["fingerprint"] as? String)
        #expect(
            (manifest["command"] as? [String])?.dropFirst().first == "run" && manifest["overrides"] as? [String] == [])
        #expect(manifest["estimated_core_s"] is Double && manifest["used_core_s"] is Double)
        #expect(manifest["asked"] as? [String] == ["reloadsim", "run", "small.yaml"])
        let peak = try #require(manifest["peak_memory_mib"] as? Double)
        #expect(peak > 10 && peak < 500, "\(peak) MiB")
    }

    @Test func `the manifests of a study's runs say what they took and what was asked for`() throws {
        let study = try StudyScenario()
        let ended = try study.sweep(["--vary", "people=300,600", "--jobs", "2", "--quiet"])
        #expect(ended.status == 0, "\(ended.error)")
        for run in try study.runs {
            let text = try study.text("runs/\(run)/manifest.json")
            let manifest = try #require(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
            let asked = try #require(manifest["asked"] as? [String])
            #expect(
                asked.prefix(3) == ["reloadsim", "run", "small.yaml"]
                    && asked.contains("people=300") != asked.contains("people=600"))
            let used = try #require(manifest["used_core_s"] as? Double)
            #expect(used > 0 && used < 20 && manifest["estimated_core_s"] is Double, "\(used)")
        }
    }

    @Test func `checks say what is right and what is wrong`() throws {
        let study = try StudyScenario()
        let wrong = try study.write(
            "wrong.yaml", StudyScenario.text.replacingOccurrences(of: "people: 40", with: "people: many"))
        let ended = try BuiltCommand.run(["validate", study.scenario, wrong, "--json"])
        #expect(ended.status == 65)
        let said = try Self.object(ended)
        #expect(Set(said.keys) == (try Self.required("validate")))
        let scenarios = try #require(said["scenarios"] as? [[String: Any]])
        #expect(scenarios.compactMap { $0["is_right"] as? Bool } == [true, false])
        #expect((scenarios[1]["problems"] as? [String])?.count == 1)
    }

    @Test func `people and what is fitted to them are said too`() throws {
        let study = try StudyScenario()
        let people = try BuiltCommand.run(["people", study.scenario, "--count", "3", "--json"])
        let said = try Self.object(people)
        #expect(Set(said.keys) == (try Self.required("people")))
        #expect((said["rows"] as? [[String: Any]])?.count == 3)
        let events = try BuiltCommand.run(["people", study.scenario, "--set", "duration=3d", "--print", "events"])
        let fitted = try Self.object(BuiltCommand.run(["calibrate", "-", "--json"], input: events.output))
        #expect(Set(fitted.keys) == (try Self.required("calibrate")))
        let estimates = try #require(fitted["estimates"] as? [[String: Any]])
        #expect(
            !estimates.isEmpty && estimates.allSatisfy { $0["value"] is Double && $0.keys.contains("interval_low") })
    }

    @Test func `any table of the runs is gathered with point, replication, seed, run and axes`() throws {
        let study = try StudyScenario()
        let ended = try study.sweep([
            "--vary", "jitter:\(StudyScenario.jitter)=0s,10m", "--repeat", "2", "--gather", "load_peaks, staleness",
            "--quiet",
        ])
        #expect(ended.status == 0, "\(ended.error)")
        let runs = try study.runs
        for table in ["load_peaks", "staleness"] {
            let gathered = try study.lines(table + ".csv")
            let own = try runs.map { try study.text("runs/\($0)/\(table).csv").split(separator: "\n") }
            #expect(gathered[0] == "point,replication,seed,run,jitter,jitter_text," + own[0][0])
            #expect(gathered.count == own.reduce(1) { $0 + $1.count - 1 })
            for (run, lines) in zip(runs, own) {
                let rows = gathered.filter { $0.contains(",\(run),") }
                #expect(rows.count == lines.count - 1)
                for (row, line) in zip(rows, lines.dropFirst()) { #expect(row.hasSuffix(",\(line)")) }
            }
            #expect(gathered.contains { $0.contains(",600,10m,") } && gathered.contains { $0.contains(",0,0s,") })
        }
        #expect(
            try study.lines("runs.csv")[0]
                == "experiment,point,replication,seed,run,jitter,jitter_text,metric,value,unit")
        #expect(try study.text("datapackage.json").contains("\"load_peaks.csv\""))
        let wrong = try study.sweep(["--vary", "people=30", "--gather", "load_peak", "--resume"])
        #expect(
            wrong.status == 65 && wrong.error.contains("--gather: expected a table of a run")
                && wrong.error.contains("did you mean 'load_peaks'?"), "\(wrong.error)")
        for form in [["--json"], ["--format", "markdown"]] {
            let compared = try BuiltCommand.run(["compare", study.out, "--metric", "requests_total"] + form)
            #expect(compared.status == 0, "\(compared.error)")
            if form[0] == "--json" {
                let said = try Self.object(compared)
                #expect(Set(said.keys) == (try Self.required("compare")))
                let rows = try #require(said["comparison"] as? [[String: Any]])
                #expect(
                    rows.allSatisfy { $0["jitter"] as? String == "10m" && $0["baseline_jitter"] as? String == "0s" })
            } else {
                #expect(
                    compared.output.hasPrefix(
                        "**jitter=0s** → **jitter=10m**, 2 pairs of runs\n\n| metric | first | second |"),
                    "\(compared.output)")
                #expect(
                    compared.output.contains("\n| --- | ---: | ---: |")
                        && compared.output.contains("\n| requests\\_total | "), "\(compared.output)")
            }
        }
    }
}
