import Basics
import Statistics
import Testing
import WidgetPlatform
@testable import Reporting
@testable import Simulation

/// Files that count the same thing agree to the last unit.
///
/// Rules: C5.
@Suite struct AgreementTests {
    let report = RunReport(SyntheticRun.result())

    func table(_ table: RunTable) throws -> WrittenTable { try WrittenTable(table, of: report) }

    func metric(_ name: String) -> Int128 { WrittenTable.millionths(report.value(name).text) }

    @Test func `requests agree between the load, the summary, the peaks and the ledgers`() throws {
        let load = try table(.load)
        let totals = try table(.reloadTotals)
        let peaks = try table(.loadPeaks)
        let total = load.sum("requests")
        #expect(total == 9_000 * 1_000_000)
        #expect(metric("requests_total") == total)
        #expect(
            totals.sum("requests_sent") + totals.sum("requests_carried_in") - totals.sum("requests_carried_out")
                == total)
        #expect(try table(.reloadCauses).sum("requests") == totals.sum("requests_sent"))
        #expect(metric("requests_sent") == totals.sum("requests_sent"))
        for endpoint in SyntheticRun.endpoints {
            #expect(
                metric("endpoint.\(endpoint).requests_total") == load.sum("requests") { $0["endpoint"] == endpoint })
        }
        // Two hours are two whole windows of an hour.
        for row in peaks.rows where row["window_s"] == "3600" {
            let whole = load.sum("requests") { row["endpoint"] == "*" || $0["endpoint"] == row["endpoint"] }
            #expect(Double(row["mean_requests"]!)! * Double(row["windows"]!)! == Double(whole) / 1e6)
        }
    }

    @Test func `the causes of a peak are those of the load in its minutes`() throws {
        let load = try table(.load)
        let causes = try table(.loadPeakCauses)
        for peak in try table(.loadPeaks).rows {
            let start = Double(peak["sliding_start_s"]!)!
            let first = Int(start) / 60
            let last = Int((start + Double(peak["window_s"]!)! - 0.1) / 60)
            let inMinutes = load.sum("requests") { row in
                (peak["endpoint"] == "*" || row["endpoint"] == peak["endpoint"])
                    && (first...last).contains(Int(row["bin_start_s"]!)! / 60)
            }
            let keys = ["stage", "endpoint", "window_s"]
            #expect(causes.sum("minute_requests") { row in keys.allSatisfy { row[$0] == peak[$0] } } == inMinutes)
        }
    }

    @Test func `wide bins hold what their minutes hold`() throws {
        let wide = try WrittenTable(.load, of: RunReport(SyntheticRun.result(loadBin: .minutes(15))))
        let narrow = try table(.load)
        for bin in Set(wide.rows.map { Int($0["bin_start_s"]!)! }) {
            #expect(bin % 900 == 0)
            #expect(
                wide.sum("requests") { $0["bin_start_s"] == "\(bin)" }
                    == narrow.sum("requests") { Int($0["bin_start_s"]!)! / 900 * 900 == bin })
        }
    }

    @Test func `reloads agree between their tables and the summary`() throws {
        let totals = try table(.reloadTotals)
        let causes = try table(.reloadCauses)
        let reloads = try table(.reloads)
        #expect(totals.sum("carried_in") + totals.sum("started") == totals.sum("ended") + totals.sum("carried_out"))
        #expect(causes.sum("started_charged") + causes.sum("started_free") == totals.sum("started"))
        #expect(reloads.sum("reloads") == totals.sum("ended"))
        #expect(reloads.sum("reloads") { $0["charged"] == "true" } == causes.sum("ended_charged"))
        #expect(metric("reloads_charged") == causes.sum("started_charged"))
        #expect(metric("reloads_free") == causes.sum("started_free"))
        #expect(metric("reloads_merged") == causes.sum("merged"))
        for device in SyntheticRun.layout.devices.map(\.name) {
            #expect(metric("device.\(device).reloads_free") == causes.sum("started_free") { $0["device"] == device })
            #expect(metric("device.\(device).requests_sent") == totals.sum("requests_sent") { $0["device"] == device })
        }
        for kind in SyntheticRun.kinds {
            #expect(metric("\(kind).reloads_free") == causes.sum("started_free") { $0["kind"] == kind })
        }
    }

    @Test func `tokens agree between hours, totals and the summary, and every ledger is balanced`() throws {
        let hours = try table(.budget)
        let totals = try table(.budgetTotals)
        for row in totals.rows {
            func amount(_ column: String) -> Int128 { WrittenTable.millionths(row[column]!) }
            #expect(
                amount("opening_tokens") + amount("accrued_tokens") == amount("spent_tokens") + amount("expired_tokens")
                    + amount("closing_tokens"))
            for column in ["accrued_tokens", "spent_tokens", "expired_tokens"] {
                let isSame = { (other: [String: String]) in
                    ["segment", "kind", "device", "pool"].allSatisfy { other[$0] == row[$0] }
                }
                #expect(hours.sum(column, where: isSame) == amount(column))
            }
        }
        for name in ["opening_tokens", "accrued_tokens", "spent_tokens", "expired_tokens", "closing_tokens"] {
            #expect(metric(name) == totals.sum(name))
            #expect(metric(name) == SyntheticRun.segments.reduce(0) { $0 + metric("segment.\($1).\(name)") })
            #expect(metric(name) == SyntheticRun.kinds.reduce(0) { $0 + metric("\($1).\(name)") })
            #expect(metric(name) == SyntheticRun.layout.devices.reduce(0) { $0 + metric("device.\($1.name).\(name)") })
        }
    }

    @Test
    func
        `pushed reloads have a ledger of their own where there are such accounts, and the allowance is the instances' own`()
        throws
    {
        let totals = try table(.budgetTotals)
        let instances = try table(.reloadTotals).sum("instances")
        #expect(totals.sum("accounts") { $0["pool"] == "own" } == instances)
        #expect(Set(totals.rows.filter { $0["pool"] == "pushed" }.map { $0["kind"]! }) == ["stocks"])
        #expect(
            Set(totals.rows.map { "\($0["kind"]!) \($0["pool"]!)" }) == ["weather own", "stocks own", "stocks pushed"])
        #expect(
            Set(try table(.budget).rows.map { "\($0["kind"]!) \($0["pool"]!)" }) == [
                "weather own", "stocks own", "stocks pushed",
            ])
        let allowance = totals.rows.filter { $0["pool"] == "own" }.reduce(0.0) {
            $0 + Double($1["mean_allowance_tokens"]!)! * Double($1["accounts"]!)!
        }
        let mean = try #require(report.value("allowance_tokens_per_day").asDouble)
        #expect(abs(mean * Double(instances) / 1e6 - allowance) < 1e-9 * allowance)
    }

    @Test func `waits agree between their table and the summary`() throws {
        let waits = try table(.budgetWaits)
        #expect(waits.sum("waits") > 0)
        #expect(metric("waits") == waits.sum("waits") { $0["gate"] == "any" })
        for gate in Gate.allCases.map(\.name) {
            #expect(metric("waits_\(gate)") == waits.sum("waits") { $0["gate"] == gate })
        }
    }

    @Test func `views agree between staleness, presentation and the summary`() throws {
        let staleness = try table(.staleness)
        let presentation = try table(.presentation)
        let surfaces = try table(.presentationSurfaces)
        let hours = try table(.viewsByHour)
        #expect(staleness.sum("views") == presentation.sum("views"))
        #expect(hours.sum("views") == presentation.sum("views"))
        #expect(surfaces.sum("views") == presentation.sum("views"))
        #expect(metric("views") == presentation.sum("views"))
        #expect(metric("views_repeated") == surfaces.sum("repeated"))
        for state in ViewState.allCases {
            #expect(staleness.sum("views_\(state.name)") == presentation.sum("views") { $0["state"] == state.name })
            #expect(hours.sum("views_\(state.name)") == presentation.sum("views") { $0["state"] == state.name })
        }
        for row in staleness.rows {
            #expect(ViewState.allCases.reduce(0) { $0 + Int(row["views_\($1.name)"]!)! } == Int(row["views"]!)!)
        }
        #expect(staleness.sum("healed") == presentation.sum("healed") { $0["state"] != "fresh" })
        #expect(
            try table(.location).sum("views_wrong_place") == presentation.sum("views") { $0["state"] == "wrong_place" })
    }

    @Test func `views of every part agree between staleness, presentation and the summary`() throws {
        let staleness = try table(.staleness)
        let presentation = try table(.presentation)
        let surfaces = try table(.presentationSurfaces)
        func agree(_ prefix: String, _ column: String, _ value: String) throws {
            let fits = { (row: [String: String]) in row[column] == value }
            let views = presentation.sum("views", where: fits)
            #expect(views > 0)
            #expect(metric("\(prefix)views") == views, "\(prefix)")
            #expect(staleness.sum("views", where: fits) == views, "\(prefix)")
            #expect(surfaces.sum("views", where: fits) == views, "\(prefix)")
            let dimmed = presentation.sum("views") { fits($0) && $0["luminance"] == "low" }
            #expect(
                report.value("\(prefix)share_low_luminance") == .number(Double(dimmed) / Double(views)), "\(prefix)")
            let redacted = presentation.sum("views") { fits($0) && $0["redaction"] != "none" }
            #expect(report.value("\(prefix)share_redacted") == .number(Double(redacted) / Double(views)), "\(prefix)")
        }
        for segment in SyntheticRun.segments { try agree("segment.\(segment).", "segment", segment) }
        for kind in SyntheticRun.kinds { try agree("\(kind).", "kind", kind) }
        for device in SyntheticRun.layout.devices { try agree("device.\(device.name).", "device", device.name) }
        // Line by line, in both splits.
        let keys = ["segment", "kind", "device"]
        for line in try table(.reloadTotals).rows {
            let fits = { (row: [String: String]) in keys.allSatisfy { row[$0] == line[$0] } }
            #expect(staleness.sum("views", where: fits) == presentation.sum("views", where: fits))
            #expect(staleness.sum("instances", where: fits) == WrittenTable.millionths(line["instances"]!))
            #expect(surfaces.sum("instances", where: fits) == WrittenTable.millionths(line["instances"]!))
            for surface in Surface.allCases {
                let views = surfaces.sum("views") { fits($0) && $0["surface"] == surface.name }
                #expect(presentation.sum("views") { fits($0) && $0["surface"] == surface.name } == views)
            }
        }
        #expect(presentation.rows.allSatisfy { $0["views"] != "0" })
    }

    @Test func `what a cause is worth is its count for each instance and day, and its part of the requests`() throws {
        let causes = try table(.reloadCauses)
        for line in try table(.reloadTotals).rows {
            let rows = causes.rows.filter { row in ["segment", "kind", "device"].allSatisfy { row[$0] == line[$0] } }
            // Two hours are a twelfth of a day.
            let days = Double(line["instances"]!)! / 12
            for (rate, count) in [
                ("charged_per_instance_day", "started_charged"), ("free_per_instance_day", "started_free"),
                ("requests_per_instance_day", "requests"),
            ] {
                for row in rows { #expect(abs(Double(row[rate]!)! * days - Double(row[count]!)!) < 1e-9 * days + 1e-9) }
            }
            for row in rows {
                #expect(
                    Double(row["share_of_requests"]!)! == Double(row["requests"]!)! / Double(line["requests_sent"]!)!)
            }
            #expect(abs(rows.reduce(0) { $0 + Double($1["share_of_requests"]!)! } - 1) < 1e-12)
        }
    }

    @Test func `the fleet agrees between its table and the summary, by segment and by kind of device`() throws {
        let fleet = try table(.fleet)
        let parts =
            [("", { (_: [String: String]) in true })]
            + SyntheticRun.segments.map { segment in ("segment.\(segment).", { $0["segment"] == segment }) }
            + SyntheticRun.layout.devices.map { device in ("device.\(device.name).", { $0["device"] == device.name }) }
        for (prefix, fits) in parts {
            for name in ["people", "devices", "interactions", "rotations", "releases", "events"] {
                #expect(metric(prefix + name) == fleet.sum(name, where: fits), "\(prefix)\(name)")
            }
            let devices = Double(fleet.sum("devices", where: fits)) / 1e6
            for (name, column) in [
                ("sessions", "sessions"), ("glances", "glances"), ("looks", "looks"), ("pushes", "pushes"),
            ] {
                let count = Double(fleet.sum(column, where: fits)) / 1e6
                #expect(
                    report.value("\(prefix)\(name)_per_device_day") == .number(count * 12 / devices), "\(prefix)\(name)"
                )
            }
        }
        #expect(
            fleet.rows.map { [$0["segment"]!, $0["device"]!] }
                == zip(SyntheticRun.segments, SyntheticRun.devices).flatMap { segment, devices in
                    devices.map { [segment, $0.name] }
                })
    }

    @Test func `the lines of a table stand in the order of segments, kinds and kinds of device`() throws {
        let lines = SyntheticRun.layout.strata.map {
            [SyntheticRun.segments[$0.segment], SyntheticRun.kinds[$0.kind], $0.device.name]
        }
        for declared in [
            RunTable.budget, .budgetTotals, .budgetWaits, .reloads, .reloadCauses, .reloadTotals, .reloadDelays,
            .staleness, .location,
            .presentation, .presentationSurfaces, .viewsByHour,
        ] {
            let written = try table(declared).rows.map { row in ["segment", "kind", "device"].map { row[$0]! } }
            let inOrder = written.reduce(into: [[String]]()) { if $0.last != $1 { $0.append($1) } }
            #expect(inOrder == lines, "\(declared.declaration.name)")
        }
    }

    @Test func `the rows of a table have keys of their own and the declared header`() throws {
        for declared in report.tables {
            let written = try table(declared)
            #expect(written.header == declared.declaration.columns.map(\.name))
            let keys = written.rows.map { row in declared.declaration.primaryKey.map { row[$0]! } }
            #expect(Set(keys).count == keys.count, "\(declared.declaration.name)")
        }
    }

    @Test func `hours of the week agree with hours of the day, and their totals with their lines`() throws {
        let week = try table(.stalenessHours)
        let lines = week.rows.filter { $0["segment"] != "*" }
        let columns = ["views"] + ViewState.allCases.map { "views_\($0.name)" }
        for row in try table(.viewsByHour).rows {
            let own = lines.filter { other in
                ["segment", "kind", "device", "local_hour"].allSatisfy { other[$0] == row[$0] }
            }
            for column in columns { #expect(own.reduce(0) { $0 + Int($1[column]!)! } == Int(row[column]!)!) }
        }
        for total in week.rows where total["segment"] == "*" {
            let own = lines.filter { other in
                ["kind", "weekday"].allSatisfy { total[$0] == "*" || other[$0] == total[$0] }
                    && other["local_hour"] == total["local_hour"]
            }
            for column in columns + ["aged_views", "missed_views"] {
                #expect(own.reduce(0) { $0 + Int($1[column]!)! } == Int(total[column]!)!, "\(column)")
            }
        }
        #expect(Set(week.rows.filter { $0["segment"] == "*" }.map { $0["kind"]! }) == Set(["*"] + SyntheticRun.kinds))
    }

    @Test func `the surroundings of a peak hold the peak, and their minutes what the load has there`() throws {
        let (tenths, minutes, load) = (try table(.loadPeakWindow), try table(.loadPeakMinutes), try table(.load))
        for peak in try table(.loadPeaks).rows
        where peak["stage"] == "edge" && peak["endpoint"] == "*" && ["1", "60"].contains(peak["window_s"]) {
            let own = tenths.rows.filter { $0["window_s"] == peak["window_s"] }
            let width = Double(peak["window_s"]!)!
            let inPeak = own.filter { (0..<width).contains(Double($0["offset_s"]!)!) }
            #expect(inPeak.reduce(0) { $0 + Int($1["requests"]!)! } == Int(peak["sliding_peak_requests"]!)!)
            let start = Double(peak["sliding_start_s"]!)!
            for row in own {
                #expect(abs(Double(row["start_s"]!)! - Double(row["offset_s"]!)! - start) < 1e-9)
                #expect((-300..<width + 300).contains(Double(row["offset_s"]!)!))
            }
            for row in minutes.rows where row["window_s"] == peak["window_s"] {
                let keys = ["endpoint", "region", "cause", "first_cause"]
                let fits = { (other: [String: String]) in
                    keys.allSatisfy { other[$0] == row[$0] } && other["bin_start_s"] == row["start_s"]
                }
                #expect(load.sum("requests", where: fits) == WrittenTable.millionths(row["requests"]!))
            }
            // Whole minutes of the window have the same in tenths and by cause.
            let all = Dictionary(
                grouping: minutes.rows.filter { $0["window_s"] == peak["window_s"] }, by: { $0["start_s"]! })
            for (minute, rows) in all {
                let from = Double(minute)!
                guard from >= start - 300, from + 60 <= start + width + 300 else { continue }
                let counted = own.filter { (from..<from + 60).contains(Double($0["start_s"]!)!) }.reduce(0) {
                    $0 + Int($1["requests"]!)!
                }
                #expect(rows.reduce(0) { $0 + Int($1["requests"]!)! } == counted)
            }
        }
    }

    @Test func `the load-duration curve begins at the largest window, falls, and ends with all windows`() throws {
        let seconds = try WrittenTable(.loadSeconds, of: RunReport(SyntheticRun.result()))
        let peaks = try table(.loadPeaks)
        let groups = Dictionary(grouping: try table(.loadDuration).rows) { "\($0["endpoint"]!) \($0["window_s"]!)" }
        #expect(groups.count == 6)
        for rows in groups.values {
            let peak = try #require(
                peaks.rows.first { row in
                    row["stage"] == "edge" && ["endpoint", "window_s"].allSatisfy { row[$0] == rows[0][$0] }
                })
            #expect(rows[0]["windows"] == "1" && rows[0]["least_requests"] == peak["aligned_peak_requests"])
            #expect(rows.last!["windows"] == peak["windows"] && rows.last!["share"] == "1.0")
            for (one, next) in zip(rows, rows.dropFirst()) {
                #expect(
                    Int(one["windows"]!)! < Int(next["windows"]!)!
                        && Int(one["least_requests"]!)! >= Int(next["least_requests"]!)!)
            }
            // Against the seconds themselves, in order.
            guard rows[0]["window_s"] == "1" else { continue }
            let endpoint = rows[0]["endpoint"]!
            var counts: [Int: Int] = [:]
            for row in seconds.rows where endpoint == "*" || row["endpoint"] == endpoint {
                counts[Int(row["start_s"]!)!, default: 0] += Int(row["requests"]!)!
            }
            let sorted = (counts.values.sorted(by: >) + Array(repeating: 0, count: 7_200 - counts.count))
            for row in rows { #expect(sorted[Int(row["windows"]!)! - 1] == Int(row["least_requests"]!)!) }
        }
    }

    @Test func `the seconds of the load are those of its minutes, and are there only if asked for`() throws {
        var result = SyntheticRun.result()
        let report = RunReport(result)
        #expect(!report.tables.map(\.declaration.name).contains("load_seconds"))
        let (seconds, load) = (try WrittenTable(.loadSeconds, of: report), try table(.load))
        #expect(seconds.sum("requests") == load.sum("requests"))
        for minute in [0, 17, 119] {
            for endpoint in SyntheticRun.endpoints {
                #expect(
                    seconds.sum("requests") { $0["endpoint"] == endpoint && Int($0["start_s"]!)! / 60 == minute }
                        == load.sum("requests") { $0["endpoint"] == endpoint && $0["bin_start_s"] == "\(minute * 60)" })
            }
        }
        var scenario = result.scenario
        scenario.report.hasSeconds = true
        result = RunResult(
            scenario: scenario, measures: result.measures, load: result.load, tablesHash: result.tablesHash)
        #expect(RunReport(result).tables.map(\.declaration.name).contains("load_seconds"))
    }

    @Test func `instants of a column have one form, in UTC and in the report's zone`() throws {
        var scenario = SyntheticRun.result().scenario
        scenario.report.zone = scenario.plan.clock.zoneTable("America/New_York", until: scenario.plan.end)!
        let bare = SyntheticRun.result()
        let report = RunReport(
            RunResult(scenario: scenario, measures: bare.measures, load: bare.load, tablesHash: bare.tablesHash))
        for declared in report.tables {
            let written = try WrittenTable(declared, of: report)
            for column in declared.declaration.columns where column.type == .datetime {
                for row in written.rows {
                    let text = row[column.name]!
                    if column.name.hasSuffix("_utc") {
                        #expect(text.wholeMatch(of: /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z/) != nil, "\(text)")
                    } else {
                        #expect(
                            column.name.hasSuffix("_local")
                                && text.wholeMatch(of: /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}-05:00/) != nil, "\(text)")
                    }
                }
            }
        }
        let row = try WrittenTable(.load, of: report).rows[0]
        #expect(
            row["bin_start_utc"] == "2026-03-03T00:00:00.000000Z"
                && row["bin_start_local"] == "2026-03-02T19:00:00.000000-05:00")
    }

    @Test func `the same result gives the same bytes`() throws {
        let again = RunReport(SyntheticRun.result())
        for declared in report.tables {
            #expect(try WrittenTable.text(declared, of: report) == WrittenTable.text(declared, of: again))
        }
    }
}
