import Basics
import Fleet
import Statistics
import Testing

@testable import RefreshService
@testable import Reporting
@testable import Simulation

/// The tables of a service agree with one another, with the load and with the closed forms; a run without one has none
/// of them.
@Suite struct ServiceReportTests {
    let report = RunReport(SyntheticService.result())

    func table(_ table: RunTable) throws -> WrittenTable { try WrittenTable(table, of: report) }

    func metric(_ name: String, pool: String? = nil) -> Int128 {
        WrittenTable.millionths(report.value("service." + (pool.map { $0 + "." } ?? "") + name).text)
    }

    func number(_ name: String, pool: String) throws -> Double {
        try #require(report.value("service.\(pool).\(name)").asDouble)
    }

    @Test func `a run has the tables of a service only with one`() {
        #expect(RunReport(SyntheticRun.result()).tables.map(\.declaration) == RunTable.ofEveryRun.map(\.declaration))
        #expect(!RunReport(SyntheticRun.result()).summary.contains { $0.scope == .pool })
        #expect(report.tables.map(\.declaration) == (RunTable.ofEveryRun + RunTable.ofService).map(\.declaration))
    }

    @Test func `with a service that does nothing every other table has the same bytes`() throws {
        let bare = SyntheticRun.result()
        var scenario = bare.scenario
        scenario.service = SyntheticService.plan
        let measures = ServiceMeasures(
            pools: 2, regions: 2, minutes: bare.load.minutes, reportFrom: .start + .days(1),
            originLoad: LoadCurve(endpoints: 2, regions: 2, minutes: bare.load.minutes))
        measures.originLoad.merge(bare.load)
        let with = RunReport(
            RunResult(
                scenario: scenario, measures: bare.measures, load: bare.load, service: measures,
                tablesHash: bare.tablesHash))
        let without = RunReport(bare)
        // Without a service these tell of the edge alone.
        let ofEdgeAlone = ["load_duration", "load_peak_window", "load_peak_minutes"]
        for declared in RunTable.ofEveryRun {
            var text = try WrittenTable.text(declared, of: with)
            if ofEdgeAlone.contains(declared.declaration.name) {
                let lines = text.split(separator: "\n").map(String.init)
                let origin = lines.filter { $0.hasPrefix("origin,") }
                #expect(
                    !origin.isEmpty
                        && origin.map { $0.dropFirst(6) }
                            == lines.filter { $0.hasPrefix("edge,") }.map { $0.dropFirst(4) }
                )
                text = lines.filter { !$0.hasPrefix("origin,") }.joined(separator: "\n") + "\n"
            }
            // The summary continues with the service.
            if declared.declaration.name == "summary" {
                let own = text.split(separator: "\n").filter { !$0.hasPrefix("pool,") && !$0.hasPrefix("event,") }
                text = own.joined(separator: "\n") + "\n"
            }
            #expect(text == (try WrittenTable.text(declared, of: without)), "\(declared.declaration.name)")
        }
        #expect(with.fingerprint != without.fingerprint)
    }

    @Test func `the rows of a table have keys of their own and the declared header`() throws {
        for declared in RunTable.ofService {
            let written = try table(declared)
            #expect(written.header == declared.declaration.columns.map(\.name))
            let keys = written.rows.map { row in declared.declaration.primaryKey.map { row[$0]! } }
            #expect(!keys.isEmpty && Set(keys).count == keys.count, "\(declared.declaration.name)")
            #expect(
                try WrittenTable.text(declared, of: RunReport(SyntheticService.result()))
                    == WrittenTable.text(declared, of: report))
        }
    }

    @Test func `what is offered is the load at the edge, and what reaches the origin the load there`() throws {
        let service = try table(.service)
        let load = try table(.load)
        #expect(service.rows.count == 120 * 4)
        for (pool, endpoint) in zip(SyntheticService.pools, SyntheticRun.endpoints) {
            for region in SyntheticRun.zones {
                for row in service.rows where row["pool"] == pool && row["region"] == region {
                    let arrived = load.sum("requests") {
                        $0["endpoint"] == endpoint && $0["region"] == region && $0["bin_start_s"] == row["bin_start_s"]
                    }
                    #expect(WrittenTable.millionths(row["offered"]!) == arrived)
                }
            }
            let origin = report.origin.analysis.endpoints[SyntheticRun.endpoints.firstIndex(of: endpoint)!]
            #expect(service.sum("origin_requests") { $0["pool"] == pool } == Int128(origin.requests) * 1_000_000)
            #expect(metric("origin_peak_1s", pool: pool) == Int128(origin[.second].sliding!.requests) * 1_000_000)
            let peak = Double(origin[.minute].aligned!.requests) / 60
            #expect(report.value("service.\(pool).origin_peak_1m_per_s") == .number(peak))
        }
        #expect(metric("origin_peak_1s") == Int128(report.origin.analysis.all[.second].sliding!.requests) * 1_000_000)
    }

    @Test func `in inFlight is what was, and what came, less what ended`() throws {
        let service = try table(.service)
        for pool in SyntheticService.pools {
            for region in SyntheticRun.zones {
                var inFlight = Int128(SyntheticService.carriedIn) * 1_000_000
                for row in service.rows where row["pool"] == pool && row["region"] == region {
                    func count(_ column: String) -> Int128 { WrittenTable.millionths(row[column]!) }
                    inFlight += count("offered") - count("served") - count("refused") - count("timed_out")
                    #expect(count("in_flight") == inFlight && inFlight >= 0)
                    // Each minute's requests end in the minute after, those that are shed at once.
                    #expect(inFlight == count("offered") - count("shed_by_queue"))
                }
            }
        }
        let last = service.rows.filter { $0["bin_start_s"] == "7140" }
        #expect(last.count == 4)
        #expect(metric("unfinished") == last.reduce(0) { $0 + WrittenTable.millionths($1["in_flight"]!) })
        #expect(metric("carried_in") == Int128(4 * SyntheticService.carriedIn) * 1_000_000)
    }

    @Test func `wide bins hold what their minutes hold, and the state at their end`() throws {
        let wide = try WrittenTable(.service, of: RunReport(SyntheticService.result(loadBin: .minutes(30))))
        let narrow = try table(.service)
        #expect(wide.rows.count == 4 * 4)
        for row in wide.rows {
            let start = Int(row["bin_start_s"]!)!
            func fits(_ other: [String: String]) -> Bool {
                other["pool"] == row["pool"] && other["region"] == row["region"]
                    && Int(other["bin_start_s"]!)! / 1_800 * 1_800 == start
            }
            for column in RunTable.service.declaration.columns where column.adds == .sum {
                #expect(
                    narrow.sum(column.name, where: fits) == WrittenTable.millionths(row[column.name]!), "\(column.name)"
                )
            }
            let last = try #require(narrow.rows.last(where: fits))
            #expect(row["in_flight"] == last["in_flight"] && row["servers"] == last["servers"])
            #expect(row["longest_queue"] == "6")
            #expect(abs(Double(row["queue_mean"]!)! - Double(row["queue_slot_s"]!)! / 1_800) < 1e-12)
        }
    }

    @Test func `use adds up over regions, and servers without a limit are missing`() throws {
        let service = try table(.service)
        for (bin, rows) in Dictionary(
            grouping: service.rows.filter { $0["pool"] == "steady" }, by: { $0["bin_start_s"]! })
        {
            let busy = rows.reduce(0.0) { $0 + Double($1["busy_s"]!)! }
            let use = rows.reduce(0.0) { $0 + Double($1["utilisation"]!)! }
            #expect(abs(use - busy / 240) < 1e-12, "\(bin)")
            #expect(rows.allSatisfy { $0["servers"] == "4" })
        }
        #expect(service.rows.allSatisfy { $0["pool"] == "steady" || ($0["utilisation"] == "" && $0["servers"] == "") })
    }

    @Test func `a region without requests has no rows`() throws {
        let result = SyntheticService.result()
        let measures = ServiceMeasures(
            pools: 2, regions: 2, minutes: 120, reportFrom: .start + .days(1),
            originLoad: LoadCurve(endpoints: 2, regions: 2, minutes: 120))
        measures[.offered, pool: 1, region: 0, minute: 7] = 3
        measures[.served, pool: 1, region: 0, minute: 9] = 2
        measures[.queueTime, pool: 1, region: 0, minute: 7] = 1_500_000
        measures[.queueSlotTime, pool: 1, region: 0, minute: 7] = 1_800_000
        let service = try WrittenTable(
            .service,
            of: RunReport(
                RunResult(
                    scenario: result.scenario, measures: result.measures, load: result.load, service: measures,
                    tablesHash: "")))
        #expect(service.rows.count == 120)
        #expect(service.rows.allSatisfy { $0["pool"] == "wide, open" && $0["region"] == SyntheticRun.zones[0] })
        #expect(service.rows[5...9].map { $0["in_flight"]! } == ["0", "0", "3", "3", "1"])
        #expect(service.rows[7]["queue_s"] == "1.5" && service.rows[7]["queue_mean"] == "0.03")
    }

    @Test func `every field of the measures has its column, in its order`() {
        var totals = ServiceTotals()
        for field in ServiceField.allCases { totals[field] = Int64(field.rawValue) }
        let values = Figures.flows.all.map { figure -> Int128? in
            switch figure.value(totals) {
            case .count(let count): Int128(count)
            case .millionths(let count): count
            case .number, .missing: nil
            }
        }
        #expect(values == ServiceField.allCases.map { Int128($0.rawValue) })
    }

    @Test func `latencies are those of the histograms, and those of none have no row`() throws {
        let latencies = try table(.serviceLatencies)
        #expect(
            latencies.rows.map { [$0["pool"]!, $0["measure"]!, $0["requests"]!] } == [
                ["steady", "queue_wait", "200"], ["steady", "origin_time", "200"], ["wide, open", "queue_wait", "200"],
                ["wide, open", "origin_time", "200"], ["wide, open", "response_time", "100"],
            ])
        let response = latencies.rows[4]
        #expect(response["longest_s"] == "0.139" && response["mean_s"] == "0.0895")
        #expect(abs(Double(response["p50_s"]!)! - 0.09) < 0.09 / 64)
        #expect(report.value("service.wide, open.response_time_p99_s").text == response["p99_s"])
        #expect(report.value("service.response_time_p99_s").text == response["p99_s"], "the other pool answers nobody")
        #expect(report.value("service.steady.response_time_p99_s") == .missing)
    }

    @Test func `events say how long it took until all was well`() throws {
        #expect(
            try WrittenTable.text(.serviceEvents, of: report).split(separator: "\n").dropFirst() == [
                "fire,steady,-3600,2026-03-02T23:00:00.000000Z,2026-03-02T23:00:00.000000+00:00,600,2026-03-03T00:10:00.000000Z,2026-03-03T00:10:00.000000+00:00,1.5,3",
                "fire,\"wide, open\",-3600,2026-03-02T23:00:00.000000Z,2026-03-02T23:00:00.000000+00:00,600,2026-03-03T00:10:00.000000Z,2026-03-03T00:10:00.000000+00:00,0,0",
                "new version,steady,-86400,2026-03-02T00:00:00.000000Z,2026-03-02T00:00:00.000000+00:00,-79200,2026-03-02T02:00:00.000000Z,2026-03-02T02:00:00.000000+00:00,,",
            ])
    }

    @Test func `the names of a service's metrics are known before a run, and are those of its rows`() {
        let names = SummaryMetrics.names(for: report.result.scenario)
        #expect(names == report.summary.map(\.name))
        #expect(Set(names).count == names.count)
        #expect(names.contains("service.steady.share_shed") && names.contains("service.share_reloads_ended_well"))
        // A kind of widget may be called `service`: its metrics stand under the same beginning.
        let own = Set(Figures.use.all.map(\.name) + Figures.forecastError(unit: "").all.map(\.name))
        #expect(own.isDisjoint(with: report.summary.filter { $0.scope == .pool }.map(\.metric)))
    }

    @Test func `the summary has the totals of the minutes, and pools add up`() throws {
        let service = try table(.service)
        for name in Figures.flows.all.map(\.name) {
            #expect(metric(name) == service.sum(name), "\(name)")
            for pool in SyntheticService.pools {
                #expect(metric(name, pool: pool) == service.sum(name) { $0["pool"] == pool }, "\(name)")
            }
        }
        let all = try #require(report.value("service.cost_servers_per_month").asDouble)
        let sum = try SyntheticService.pools.reduce(0) { $0 + (try number("cost_servers_per_month", pool: $1)) }
        #expect(abs(all - sum) < 1e-9 * all)
    }

    @Test func `shares and ratios are of what they say`() throws {
        let pool = "steady"
        func count(_ name: String) throws -> Double { try number(name, pool: pool) }
        #expect(try number("share_hits", pool: pool) == count("hits") / count("offered"))
        #expect(report.value("service.wide, open.share_hits") == .missing, "nothing of it is kept at the edge")
        #expect(report.value("service.share_hits") == report.value("service.steady.share_hits"))
        #expect(try number("share_shed", pool: pool) == count("shed_by_queue") / count("origin_requests"))
        #expect(
            try number("share_served", pool: pool) == count("served")
                / (count("served") + count("refused") + count("timed_out")))
        #expect(try number("share_wasted", pool: pool) == count("wasted") / count("completed"))
        #expect(try number("retry_amplification", pool: pool) == count("offered") / count("first_attempts"))
        let failed = try #require(report.value("share_reloads_failed").asDouble)
        #expect(try abs(#require(report.value("service.share_reloads_ended_well").asDouble) + failed - 1) < 1e-15)
        #expect(report.value("service.steady.over_capacity_s") == .count(3))
        #expect(report.value("service.steady.outage_s") == .count(10))
    }

    @Test func `the need of servers is that of the closed forms at the busiest minute`() throws {
        let pool = "steady"
        let peak = try number("origin_peak_1m_per_s", pool: pool)
        let mean = try number("origin_mean_per_s", pool: pool)
        #expect(try number("offered_load_peak_1m_erlangs", pool: pool) == peak * 0.5)
        #expect(try number("offered_load_mean_erlangs", pool: pool) == mean * 0.5)
        let queue = ServerQueue(servers: 4, arrivalRate: mean, serviceTime: 0.5)
        #expect(try number("servers_mean", pool: pool) == 4)
        #expect(report.value("service.steady.queue_wait_p99_erlang_c_s") == .init(queue.waitQuantile(0.99)))
        #expect(report.value("service.steady.queue_wait_mean_erlang_c_s") == .init(queue.meanWait))
        // A constant time of service halves the wait.
        #expect(report.value("service.steady.queue_wait_mean_allen_cunneen_s") == .init(queue.meanWait.map { $0 / 2 }))
        let least = Int64(
            try #require(
                Staffing.leastServers(for: .wait(quantile: 0.99, atMost: 0.05), arrivalRate: peak, serviceTime: 0.5)))
        // The pool had more than it can take for some seconds, so its requests do not come at random.
        for name in ["servers_erlang_c_wait_p99_50ms", "servers_erlang_c_n_plus_1", "headroom"] {
            #expect(report.value("service.steady.\(name)") == .missing, "\(name)")
        }
        let result = SyntheticService.result()
        result.service!.secondsOverCapacity[0] = 0
        let calm = RunReport(result)
        #expect(calm.value("service.steady.servers_erlang_c_wait_p99_50ms") == .count(least))
        #expect(calm.value("service.steady.servers_erlang_c_n_plus_1") == .count(least + 1))
        #expect(calm.value("service.steady.servers_erlang_c_n_plus_2") == .count(least + 2))
        #expect(
            try #require(calm.value("service.steady.headroom").asDouble)
                == 1 - number("utilisation_peak_1m", pool: pool))
        // A pool without a limit has a need, and no use to compare.
        #expect(try number("offered_load_peak_1m_erlangs", pool: "wide, open") > 0)
        for name in [
            "servers_mean", "utilisation_mean", "utilisation_peak_1m", "headroom", "queue_wait_p99_erlang_c_s",
        ] {
            #expect(report.value("service.wide, open.\(name)") == .missing, "\(name)")
        }
    }

    @Test func `two hours are no month, but for servers whose number stays`() throws {
        #expect(try number("cost_servers_per_month", pool: "steady") == 4 * 730.5 * 0.5)
        #expect(try number("cost_servers_per_month", pool: "wide, open") == 0)
        let ofCounts = ["requests", "origin_requests", "edge_gigabytes", "origin_gigabytes"]
            + ["requests", "bytes", "edge_bytes", "origin_bytes"].map { "cost_" + $0 } + ["cost"]
        for name in ofCounts.map({ $0 + "_per_month" }) {
            for scope in ["service", "service.steady"] {
                #expect(report.value("\(scope).\(name)") == .missing, "\(scope).\(name)")
            }
        }
        // No pool sends pushes; all together do, and two hours of none have no price.
        #expect(report.value("service.steady.cost_pushes_per_month") == .missing)
        #expect(report.value("service.cost_pushes_per_month") == .number(0))
        #expect(report.summary.filter { $0.metric.hasPrefix("cost_") }.allSatisfy { $0.unit == "EUR" })
    }

    @Test func `a threshold can be on a service`() {
        let thresholds = [
            Threshold(metric: "service.steady.over_capacity_s", op: .atMost, value: 3),
            Threshold(metric: "service.wide, open.over_capacity_s", op: .atMost, value: 3),
            Threshold(metric: "service.steady.response_time_p99_s", op: .atMost, value: 3),
        ]
        #expect(
            RunReport(SyntheticService.result(thresholds: thresholds)).verdicts.map(\.holds) == [true, false, false])
    }

    @Test func `peaks at the origin are those of its own load`() throws {
        let peaks = try table(.loadPeaks)
        let causes = try table(.loadPeakCauses)
        let service = try table(.service)
        for (pool, endpoint) in zip(SyntheticService.pools, SyntheticRun.endpoints) {
            let row = try #require(
                peaks.rows.first { $0["stage"] == "origin" && $0["endpoint"] == endpoint && $0["window_s"] == "3600" })
            let origin = service.sum("origin_requests") { $0["pool"] == pool }
            #expect(Double(row["mean_requests"]!)! * 2 == Double(origin) / 1e6)
        }
        for peak in peaks.rows {
            let keys = ["stage", "endpoint", "window_s"]
            #expect(
                causes.sum("minute_requests") { row in keys.allSatisfy { row[$0] == peak[$0] } }
                    >= WrittenTable.millionths(peak["sliding_peak_requests"]!))
        }
        #expect(
            peaks.rows.map { $0["stage"]! } == Array(repeating: "edge", count: 15)
                + Array(repeating: "origin", count: 15))
    }

    @Test func `latencies of the bins are those of their minutes, and the worst bin is the worst of them`() throws {
        let bins = try table(.serviceLatencyBins)
        let whole = try table(.serviceLatencies)
        for row in whole.rows {
            let own = bins.rows.filter { $0["pool"] == row["pool"] && $0["measure"] == row["measure"] }
            #expect(own.reduce(0) { $0 + Int($1["requests"]!)! } == Int(row["requests"]!)!)
            #expect(own.map { Double($0["longest_s"]!)! }.max() == Double(row["longest_s"]!)!)
            // 200 requests are too few for a minute of their own: all of them count together.
            let worst = try number("\(row["measure"]!)_p99_worst_1m_s", pool: row["pool"]!)
            #expect(abs(worst / Double(row["p99_s"]!)! - 1) < 1 / 32)
        }
        let service = try table(.service)
        for pool in SyntheticService.pools {
            let minutes = Dictionary(grouping: service.rows.filter { $0["pool"] == pool }, by: { $0["bin_start_s"]! })
            // Minutes with fewer than a hundred count with those that follow, and the last with those before.
            var groups: [(failed: Double, all: Double)] = [(0, 0)]
            for (_, rows) in minutes.sorted(by: { Double($0.key)! < Double($1.key)! }) {
                func sum(_ column: String) -> Double { rows.reduce(0) { $0 + Double($1[column]!)! } }
                if groups[groups.count - 1].all >= 100 { groups.append((0, 0)) }
                let failed = sum("refused") + sum("timed_out")
                groups[groups.count - 1].failed += failed
                groups[groups.count - 1].all += failed + sum("served")
            }
            if groups.count > 1, let rest = groups.last, rest.all < 100 {
                groups.removeLast()
                let whole = groups[groups.count - 1]
                groups.append((whole.failed + rest.failed, whole.all + rest.all))
            }
            let shares = groups.map { $0.failed / $0.all }
            #expect(try number("share_failed_worst_1m", pool: pool) == shares.max())
        }
    }
}
