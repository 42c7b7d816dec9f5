import Basics
import Foundation
import Testing

/// The points of a sweep and the candidates of a plan say the same in every form.
@Suite struct PointTests {
    private static let axes = ["--vary", "jitter:\(StudyScenario.jitter)=0s,5m,10m", "--vary", "people=30,40"]

    private static func object(_ ended: BuiltCommand.Outcome) throws -> [String: Any] {
        try #require(
            try JSONSerialization.jsonObject(with: Data(ended.output.utf8)) as? [String: Any],
            "\(ended.output.prefix(300)) \(ended.error)")
    }

    /// The rows of a table without quotes.
    private static func rows(_ text: String) -> [[String: String]] {
        let lines = text.split(separator: "\n").map { $0.split(separator: ",", omittingEmptySubsequences: false) }
        return lines.dropFirst().map { cells in
            Dictionary(uniqueKeysWithValues: zip(lines[0], cells).map { (String($0), String($1)) })
        }
    }

    /// Whether a member of JSON is what a cell of CSV says.
    private static func agree(_ member: Any?, _ cell: String) -> Bool {
        switch member {
        case let text as String: text == cell
        case let number as NSNumber:
            // Foundation reads the last digit otherwise now and then.
            Double(cell).map { abs(number.doubleValue - $0) <= 1e-12 * abs($0) }
                ?? (cell == (number.boolValue ? "true" : "false"))
        default: cell.isEmpty
        }
    }

    @Test func `a sweep's JSON is its file, with targets and a frontier`() throws {
        let study = try StudyScenario()
        let ended = try study.sweep(
            Self.axes + [
                "--repeat", "2", "--metric", "requests_total", "--frontier", "load_peak_1s,share_stale", "--target",
                "load_peak_1m <= 6", "--json", "--quiet",
            ])
        #expect(ended.status == 0, "\(ended.error)")
        let said = try Self.object(ended)
        let points = try #require(said["points"] as? [[String: Any]])
        let rows = Self.rows(try study.text("points.csv"))
        #expect(points.count == 6 && rows.count == 6)
        for (point, row) in zip(points, rows) {
            #expect(Set(point.keys) == Set(row.keys))
            for (name, cell) in row { #expect(Self.agree(point[name], cell), "\(name): \(cell)") }
        }
        #expect(said["axes"] as? [String] == ["jitter", "people"])
        #expect(said["frontier"] as? [String] == ["load_peak_1s", "share_stale"])
        // The frontier by its definition, among the points that hold.
        let holding = rows.filter { $0["holding"] == "2" }
        #expect(!holding.isEmpty && holding.count < 6)
        for row in rows {
            func number(_ row: [String: String], _ name: String) -> Double { Double(row[name] ?? "") ?? .nan }
            let (x, y) = (number(row, "load_peak_1s"), number(row, "share_stale"))
            let isBeaten = holding.contains {
                let (a, b) = (number($0, "load_peak_1s"), number($0, "share_stale"))
                return a <= x && b <= y && (a < x || b < y)
            }
            #expect(row["frontier"] == (row["holding"] == "2" && !isBeaten ? "true" : "false"), "\(row)")
        }
        // The page has the chart, and begins with what holds.
        let page = try study.text("report.html")
        #expect(page.contains("id=\"frontier-chart\""))
        #expect(
            page.contains("<h2>\(holding.count) of 6 points hold 'load_peak_1m &lt;= 6': jitter="),
            "\(page.prefix(20_000))")
        let again = try study.sweep(
            Self.axes + [
                "--repeat", "2", "--frontier", "load_peak_1s,share_stale", "--target", "load_peak_1s <= 2",
                "--resume",
            ])
        #expect(again.output.contains("frontier: no other point that holds the targets has less of load_peak_1s"))
    }

    @Test func `a target that no point meets is 99, and the table is there`() throws {
        let study = try StudyScenario()
        let ended = try study.sweep(["--vary", "people=30,40", "--target", "load_peak_1s < 1"])
        #expect(ended.status == 99 && ended.output.contains("broken"), "\(ended.error)")
        #expect(ended.lastErrorLine == "error: no point holds 'load_peak_1s < 1'")
        #expect(
            try study.text("report.html").contains(
                "<div class=\"panel ill\"><h2>No point holds 'load_peak_1s &lt; 1'.</h2>"))
        for (arguments, sentence) in [
            (["--target", "load_peak_1s < 5m"], "--target: expected a bound in requests, found 'load_peak_1s < 5m'"),
            (["--target", "load_peek < 5"], "did you mean 'load_peak_1s"),
            (["--target", "load_peek < 5", "--set", "peple=3"], "did you mean 'load_peak_1s"),
            (["--target", "share_stale < 5"], "--target: expected a share from 0 to 1 (95 % is 0.95 or 95%)"),
            (["--frontier", "views,load_peek_1s"], "--frontier: expected a metric of summary.csv"),
        ] {
            let ended = try study.sweep(["--vary", "people=30,40", "--force"] + arguments)
            #expect(ended.status == 65 && ended.error.contains(sentence), "\(ended.error)")
        }
        for arguments in [
            ["--frontier", "views"], ["--frontier", "views,views"], ["--json", "--list", "--commands"],
        ] {
            #expect(try study.sweep(["--vary", "people=30,40", "--force"] + arguments).status == 64)
        }
    }

    @Test func `a study's page begins with what changes most where nothing was asked for`() throws {
        let study = try StudyScenario()
        #expect(try study.sweep(["--vary", "after:kinds.quote.policy.after=20m,2h"]).status == 0)
        let page = try study.text("report.html")
        // The heading is about fresh views.
        let heading = try #require(page.firstMatch(of: #/<h2>(.*?)<\/h2>/#)).1
        #expect(heading.hasPrefix("Fresh views: "), "\(heading)")
        let found = try #require(page.firstMatch(of: #/<p class="say">([^<]+): the largest ratio, from /#))
        // The least and the most of each metric stand below.
        let rows = page.matches(
            of: #/<th scope="row">([^<]+)<\/th><td><data value="([^"]+)".*?<td><data value="([^"]+)"/#)
        let ratios = rows.map { (name: $0.1, ratio: (Double($0.3) ?? 0) / (Double($0.2) ?? 0)) }
        let most = try #require(ratios.filter { $0.ratio.isFinite }.max { $0.ratio < $1.ratio })
        #expect(found.1.lowercased() == most.name.lowercased(), "\(ratios)")
        let same = try StudyScenario()
        #expect(try same.sweep(["--vary", "kinds.quote.policy.after=20m,20m30s", "--repeat", "2"]).status == 0)
        #expect(try same.text("report.html").contains("<p class=\"say\">All 4 runs are complete.</p>"))
    }

    @Test func `a plan's page says whom the people stand for, and paints by all targets`() throws {
        let study = try StudyScenario()
        let ended = try BuiltCommand.run([
            "plan", study.scenario, "--find", "\(StudyScenario.jitter)=0s,5m", "--target", "load_peak_1s <= 100000",
            "--target",
            "share_stale <= 1", "--repeat", "1", "--represents", "10k", "--out", study.out, "--quiet",
        ])
        #expect(ended.status == 0, "\(ended.error)")
        let page = try study.text("report.html")
        #expect(page.contains(" · 10,000 people, from 40 simulated people · seed 1"))
        for word in ["all targets hold", "a target is broken"] { #expect(page.contains("</svg>\(word)</li>")) }
        #expect(page.contains(">target: &lt;= 1</text>") && !page.contains(">share_stale &lt;= 1</text>"))
    }

    @Test func `the jitter script is one sweep and names what holds`() throws {
        let study = try StudyScenario()
        let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().path
        let command = try BuiltCommand.path
        for (bound, status) in [("200", Int32(0)), ("1", 99)] {
            let ended = try BuiltCommand.run(
                ["--jitters", "0s 5m", "--under", bound, "--people", "300", "--out", study.out],
                shell: "shift; RELOADSIM='\(command)' bash '\(root)/scripts/sweep-jitter' \"$@\"")
            #expect(ended.status == status && ended.output.contains("targets: load_peak_1s <= \(bound)"), "\(ended)")
        }
    }

    @Test func `a part of a day has no month, and takes that of another run in proportion to the people`() throws {
        let study = try StudyScenario(
            "service: {pools: [{id: origin, servers: 1, service_time: 5s}], timeout: 10m, prices: {server_hour: 0.1, million_requests: 2, gigabyte: 3}}\n"
        )
        let day = study.folder + "/day"
        let made = try BuiltCommand.run([
            "run", study.scenario, "--set", "duration=1d", "--people", "20", "--out", day, "--quiet", "--no-report",
        ])
        #expect(made.status == 0, "\(made.error)")
        let wait = ["--target", "service.queue_wait_p99_worst_1m_s <= 3s"]
        let plan = ["plan", study.scenario, "--find", "service.pools.origin.servers=range(1,12,1)", "--quiet", "--out"]
        func figures(_ folder: String) throws -> [String: String] {
            Dictionary(
                uniqueKeysWithValues: Self.rows(try String(contentsOfFile: folder + "/plan.csv", encoding: .utf8)).map {
                    ($0["figure"]!, $0["value"]!)
                })
        }
        let alone = try BuiltCommand.run(plan + [study.out] + wait)
        #expect(alone.status == 0, "\(alone.error)")
        let own = try figures(study.out)
        for metric in ["requests_per_month", "cost_requests_per_month", "cost_per_month"] {
            #expect(own["service.\(metric)"] == "", "\(metric) of two hours")
        }
        let months = study.folder + "/months"
        let ended = try BuiltCommand.run(plan + [months] + wait + ["--month", day])
        #expect(ended.status == 0 && ended.output.contains("those of \(day), a report of 1d of 20 people"), "\(ended)")
        let rows = Self.rows(try String(contentsOfFile: day + "/summary.csv", encoding: .utf8))
        func ofDay(_ metric: String) throws -> Double {
            try #require(
                rows.first { $0["scope"] == "pool" && $0["metric"] == metric }.flatMap { Double($0["value"]!) })
        }
        #expect(try abs(ofDay("requests_per_month") - 30.4375 * ofDay("offered")) < 1e-6)
        #expect(try abs(ofDay("cost_requests_per_month") - ofDay("requests_per_month") / 1e6 * 2) < 1e-9)
        let gigabytes = try ofDay("edge_gigabytes_per_month") + ofDay("origin_gigabytes_per_month")
        #expect(try abs(ofDay("cost_bytes_per_month") - gigabytes * 3) < 1e-9)
        let found = try figures(months)
        func value(_ metric: String) throws -> Double { try #require(found["service.\(metric)"].flatMap(Double.init)) }
        for metric in [
            "requests_per_month", "edge_gigabytes_per_month", "cost_requests_per_month", "cost_bytes_per_month",
        ] {
            let twice = try 2 * ofDay(metric)
            #expect(try abs(value(metric) - twice) <= 1e-9 * twice, "\(metric)")
        }
        let servers: Double = try #require(found["answer"].flatMap(Double.init))
        let whole = try servers * 730.5 * 0.1 + 2 * (ofDay("cost_requests_per_month") + ofDay("cost_bytes_per_month"))
        #expect(try abs(value("cost_per_month") - whole) < 1e-9 * whole)
        for (arguments, problem) in [
            (wait + ["--month", day, "--set", "service.prices.server_hour=0.2"], "a run with the same prices"),
            (wait + ["--month", months], "complete results of a run"),
            (["--target", "service.cost_per_month <= 100"], "--target: expected a report of whole days"),
            (["--month", day, "--unknowns", "8", "--target", "service.cost_per_month <= 100"], "no target of a month"),
        ] {
            let refused = try BuiltCommand.run(plan + [study.folder + "/no"] + arguments)
            #expect(refused.status != 0 && refused.error.contains(problem), "\(arguments): \(refused.error)")
        }
        let jitter = try BuiltCommand.run(
            ["plan", study.scenario, "--find", "\(StudyScenario.jitter)=0s,5m", "--quiet", "--month", day, "--out"]
                + [study.folder + "/no"] + wait)
        #expect(jitter.error.contains("--month: expected to find servers or machines"), "\(jitter.error)")
    }

    @Test func `a run's unknowns are drawn beside it, and a study that follows leaves no intervals`() throws {
        let study = try StudyScenario()
        let run = ["run", study.scenario, "--quiet", "--no-report", "--out", study.out + "/", "--unknowns", "8"]
        let ended = try BuiltCommand.run(run)
        #expect(ended.status == 0, "\(ended.error)")
        let folder = study.out + "-unknowns"
        let rows = Self.rows(try String(contentsOfFile: folder + "/intervals.csv", encoding: .utf8))
        let summary = Self.rows(try study.text("summary.csv"))
        let total = try #require(rows.first { $0["metric"] == "requests_total" })
        #expect(
            total["value"].flatMap(Double.init)
                == summary.first { $0["metric"] == "requests_total" }?["value"].flatMap(Double.init))
        let runs = try CSVTable.read(file: folder + "/runs.csv")
        let (name, cell) = try (
            #require(runs.header.firstIndex(of: "metric")), #require(runs.header.firstIndex(of: "value"))
        )
        let drawn = runs.rows.filter { $0[name] == "requests_total" }.compactMap { Double($0[cell]) }
        let (low, high) = (Double(total["unknowns_p2_5"]!)!, Double(total["unknowns_p97_5"]!)!)
        #expect(drawn.count == 8 && drawn.min()! <= low && low <= high && high <= drawn.max()!)
        // A metric that is the same in all draws follows nothing.
        for row in rows where row["unknowns_p2_5"] == row["unknowns_p97_5"] { #expect(row["unknown"] == "", "\(row)") }
        let again = try BuiltCommand.run(
            [
                "sweep", study.scenario, "--vary", "\(StudyScenario.jitter)=0s,5m", "--out", folder, "--quiet",
                "--resume",
            ])
        #expect(again.status == 0, "\(again.error)")
        #expect(!FileManager.default.fileExists(atPath: folder + "/intervals.csv"))
        for (arguments, problem) in [
            (["--unknown", "parameters.a_min=1,2"], "--unknown takes --unknowns"),
            (["--unknowns", "8", "--json"], "--json prints one run"),
            (
                ["--unknowns", "8", "--set", "parameters.a_max=15"],
                "--unknowns: expected draws that the scenario takes"
            ),
        ] {
            let refused = try BuiltCommand.run(["run", study.scenario, "--out", study.folder + "/no"] + arguments)
            #expect(refused.status != 0 && refused.error.contains(problem), "\(arguments): \(refused.error)")
            #expect(!FileManager.default.fileExists(atPath: study.folder + "/no"))
        }
    }

    @Test func `a plan's candidates are its trials, and the money adds up`() throws {
        let study = try StudyScenario(
            "service: {pools: [{id: origin, servers: 1, service_time: 5s}], timeout: 10m, prices: {server_hour: 0.1, million_requests: 2, gigabyte: 3, million_pushes: 4}}\n"
        )
        let arguments = [
            "plan", study.scenario, "--find", "service.pools.origin.servers=range(1,12,1)", "--target",
            "service.queue_wait_p99_worst_1m_s <= 3s", "--repeat", "2", "--out", study.out, "--quiet", "--set",
            "duration=1d",
        ]
        let ended = try BuiltCommand.run(arguments + ["--json", "--growth", "50 %/month for 3 months"])
        #expect(ended.status == 0, "\(ended.error)")
        let said = try Self.object(ended)
        let rows = Self.rows(try study.text("points.csv"))
        let points = try #require(said["points"] as? [[String: Any]])
        #expect(points.count == rows.count && rows.count > 1)
        for (point, row) in zip(points, rows) {
            for (name, cell) in row { #expect(Self.agree(point[name], cell), "\(name): \(cell)") }
        }
        let trials = Self.rows(try study.text("trials.csv"))
        let axis = "service.pools.origin.servers"
        for row in rows {
            let own = trials.filter { $0[axis] == row[axis + "_text"] }
            #expect(!own.isEmpty && row["holding"] == "\(own.count { $0["holds"] == "true" })")
            let name = "service.queue_wait_p99_worst_1m_s"
            let values = own.compactMap { Double($0[name] ?? "") }
            let mean = values.reduce(0, +) / Double(values.count)
            let stated: Double = try #require(Double(row[name] ?? ""))
            #expect(abs(mean - stated) < 1e-12)
            func cost(_ part: String) -> Double { Double(row["service.cost_\(part)per_month"] ?? "") ?? .nan }
            let parts = ["servers_", "requests_", "edge_bytes_", "origin_bytes_", "pushes_"].map(cost).reduce(0, +)
            let whole = cost("")
            #expect(abs(parts - whole) < 1e-9 * whole, "\(row)")
            let servers: Double = try #require(Double(row[axis] ?? ""))
            let price: Double = servers * 730.5 * 0.1
            #expect(abs(cost("servers_") - price) < 1e-9)
        }
        let growth = try #require(said["growth"] as? [[String: Any]])
        let months = Self.rows(try study.text("growth.csv"))
        #expect(growth.count == 1 && months.first?["month"] == "0" && months.first?["people"] == "40")
        let breaks = try #require(growth[0]["breaks_in_month"] as? Int)
        for month in months {
            let number = try #require(Int(month["month"] ?? ""))
            #expect((month["holding"] == month["replications"]) == (number < breaks), "\(month)")
        }
        let last = said["growth_answer"] as? String
        let people = FigureText.grouped(Int(months.last?["people"] ?? "") ?? 0)
        let needs =
            last.map { "in month 3, with \(people) people, \(axis) \($0) meets the targets" }
            ?? "in month 3, with \(people) people, no \(axis) asked for meets the targets"
        #expect(Int(last ?? "12") ?? 0 > Int(said["answer"] as? String ?? "") ?? 12 || last == nil)
        let manifest = try study.text("manifest.json")
        #expect(manifest.contains(needs) && manifest.contains("\"seed\": \"1\"") && manifest.contains("\"people\": 40"))
        #expect(manifest.contains("\"scenario_sha256\"") && manifest.contains("\"command\""))
        let page = try study.text("report.html")
        for part in [
            "<dt>Seed</dt><dd>1</dd>", "<dt>People</dt><dd>40</dd>", "<dt>Command</dt>", needs,
        ] {
            #expect(page.contains(part), "\(part)")
        }
        let table = try BuiltCommand.run(arguments + ["--growth", "50 %/month for 3 months"])
        #expect(table.output.contains(needs), "\(table.output)")
        #expect(table.output.contains("breaks in month \(breaks), with "), "\(table.output)")
        #expect(table.output.contains(" people, the earliest of 2 replications"), "\(table.output)")
        let costs = table.output.split(separator: "\n").filter { $0.contains("cost_per_month") }
        #expect(costs.count == 3, "\(costs)")
        #expect(table.output.contains(", the answer") && !table.output.contains("█"))
        let markdown = try BuiltCommand.run(arguments + ["--format", "markdown", "--every-candidate"])
        #expect(markdown.output.hasPrefix("**the least") && markdown.output.contains("<details>"), "\(markdown.output)")
        #expect(Self.rows(try study.text("points.csv")).map { $0["replications"] } == Array(repeating: "2", count: 12))
        #expect(!FileManager.default.fileExists(atPath: study.out + "/growth.csv"))
    }

    /// With the terminal of `script`.
    @Test(.enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/bin/script")))
    func `a terminal gets bars, in ASCII where the locale has no more`() throws {
        for (locale, bar) in [("C.UTF-8", "█"), ("C", "#")] {
            let study = try StudyScenario()
            let command = try BuiltCommand.path
            let ended = try BuiltCommand.run(
                [study.scenario, study.out],
                shell:
                    "unset LC_ALL LC_CTYPE; export LANG=\(locale) TERM=xterm; script -qec \"'\(command)' sweep '$2' --out '$3' --vary people=20,40 --metric views --quiet --no-report\" /dev/null"
            )
            let quiet = ended.output
            #expect(ended.status == 0 && !quiet.contains(bar), "\(quiet) \(ended.error)")
            let shown = try BuiltCommand.run(
                [study.scenario, study.out],
                shell:
                    "unset LC_ALL LC_CTYPE; export LANG=\(locale) TERM=xterm; script -qec \"'\(command)' sweep '$2' --out '$3' --vary people=20,40 --metric views --resume --no-report\" /dev/null"
            )
            let lines = shown.output.split { $0.isNewline }
            let most = lines.first { $0.contains("40  ") && $0.contains(String(repeating: bar, count: 24)) }
            #expect(most != nil, "\(shown.output)")
            let piped = try study.sweep(["--vary", "people=20,40", "--metric", "views", "--resume", "--no-report"])
            #expect(!piped.output.contains(bar), "\(piped.output)")
        }
    }
}
