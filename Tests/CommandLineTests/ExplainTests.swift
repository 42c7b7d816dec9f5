import Foundation
import Reporting
import ScenarioFiles
import Studies
import Testing
@testable import Commands

/// `reloadsim explain` prints any entry of the dictionaries.
@Suite struct ExplainTests {
    @Test func `every key, table, column, metric, event and rule is explained under its own name`() {
        for key in KeyCatalogue.descriptions {
            let entries = Dictionaries.entries(named: key.name)
            #expect(
                entries.contains { $0.sort == .key && $0.name == key.path && $0.meaning == key.meaning }, "\(key.path)")
        }
        for (_, table) in ReportDictionary.tables + StudyTables.all {
            #expect(
                Dictionaries.entries(named: table.name).contains { $0.sort == .table && $0.meaning == table.meaning })
            for column in table.columns {
                let entries = Dictionaries.entries(named: "\(table.name).\(column.name)")
                #expect(
                    entries.contains { $0.sort == .column && $0.meaning == column.meaning },
                    "\(table.name).\(column.name)")
            }
        }
        for metric in ReportDictionary.metrics {
            for name in [metric.name, "weather.\(metric.name)", "segment.all.\(metric.name)"] {
                #expect(
                    Dictionaries.entries(named: name).contains { $0.sort == .metric && $0.meaning == metric.meaning },
                    "\(name)")
            }
        }
        for event in ReportDictionary.traceEvents {
            #expect(
                Dictionaries.entries(named: event.name).contains { $0.sort == .event && $0.meaning == event.meaning })
        }
        for rule in ModelRule.all { #expect(Dictionaries.entries(named: rule.id).map(\.rules) == [[rule]]) }
    }

    @Test func `a key is told with its values, its default, its range and its rule`() throws {
        let ended = try BuiltCommand.run(["explain", "parameters.min_gap"])
        #expect(ended.status == 0 && ended.error.isEmpty)
        for part in [
            "parameters.min_gap  (key)", "value     a duration from 0s to 1d", "default   5m",
            "sweep     0 to 15 min",
            "evidence  assumption; a minimum exists [KUTD]", "rule G2   Gap", "Evidence: ",
        ] {
            #expect(ended.output.contains(part), "\(part)\n\(ended.output)")
        }
        for line in ended.output.split(separator: "\n") { #expect(line.count <= 80, "\(line)") }
    }

    @Test func `where a key names code of one's own, it is told which there is and how to make more`() throws {
        let provider = try BuiltCommand.run(["explain", "provider"]).output
        for part in ["here      this program has none of its own", "init --package my-widget", "--provider", "rule P9"]
        {
            #expect(provider.contains(part), "\(part)\n\(provider)")
        }
        let server = try BuiltCommand.run(["explain", "service.pools.server"]).output
        #expect(server.contains("docs/own-servers.md") && server.contains("rule S9"), "\(server)")
        let program = URL(filePath: try BuiltCommand.path).deletingLastPathComponent().appending(path: "MyWidget").path
        let own = try BuiltCommand.Running([program, "explain", "provider"]).end()
        #expect(own.output.contains("here      mine"), "\(own.output)")
        #expect(try BuiltCommand.run(["explain", "own provider"]).output.contains("kinds[].policy.provider"))
    }

    @Test func `edge regions are told with their cities, and keys that take one say which there are`() throws {
        for name in ["edges", "us-east", "New York"] {
            let ended = try BuiltCommand.run(["explain", name])
            #expect(ended.status == 0 && ended.output.hasPrefix("edges  (names)\n"), "\(name): \(ended.output)")
            #expect(ended.output.contains("  us-east   New York, Philadelphia,"), "\(ended.output)")
            for line in ended.output.split(separator: "\n") { #expect(line.count <= 80, "\(line)") }
        }
        let key = try BuiltCommand.run(["explain", "service.failover.to"]).output
        #expect(key.contains("  regions   us-east, us-central,") && key.contains("explain edges"), "\(key)")
        // A word that is empty asks for what no word asks for.
        #expect(try BuiltCommand.run(["explain", ""]).output == BuiltCommand.run(["explain"]).output)
    }

    @Test func `a word that is no name finds what speaks of it, and one that nothing has is refused`() throws {
        let ended = try BuiltCommand.run(["explain", "drawn"])
        #expect(ended.status == 0 && ended.error.isEmpty, "\(ended.error)")
        let lines = ended.output.split(separator: "\n")
        for sort in ["(key)", "(column)", "(rule)"] { #expect(lines.contains { $0.contains(sort) }, "\(sort)") }
        // Names that have the word come first.
        let named = lines.map { $0.prefix { $0 != " " }.lowercased().contains("drawn") }
        if let last = named.lastIndex(of: true) { #expect(!named[...last].contains(false), "\(ended.output)") }
        let entries = Dictionaries.entries(mentioning: "DRAWN")
        #expect(entries.count >= lines.count - 1 && Set(entries.map(\.sort)).count > 2)
        let none = try BuiltCommand.run(["explain", "zzyzzxq"])
        #expect(none.status == 64 && none.error.contains("'zzyzzxq', and no text has the word"))
    }

    @Test func `a name that is an ordinary word is followed by what else speaks of it, a line each`() throws {
        let ended = try BuiltCommand.run(["explain", "budget"])
        let parts = ended.output.components(separatedBy: "'budget' also stands in:\n")
        // The word's meaning in the field comes first: a key can end with the word and mean something else.
        #expect(parts.count == 2 && parts[0].hasPrefix("in the field 'budget' also means: "), "\(ended.output)")
        #expect(parts[0].contains("\nlive_activities.limits.budget  (key)"), "\(ended.output)")
        let lines = parts[parts.count - 1].split(separator: "\n")
        #expect((4...22).contains(lines.count) && lines.last?.hasPrefix("  and ") == true, "\(ended.output)")
        #expect(lines.dropLast().allSatisfy { $0.hasSuffix(")") } && lines.contains { $0.contains("(rule)") })
    }

    @Test func `a column is told with its unit and how it adds up, and one name may mean several`() throws {
        let column = try BuiltCommand.run(["explain", "fleet.session_time_s"]).output
        for part in [
            "fleet.session_time_s  (column)", "in        fleet.csv", "type      number", "adds      sum", "unit      s",
        ] {
            #expect(column.contains(part), "\(column)")
        }
        let several = try BuiltCommand.run(["explain", "kinds.timeline.spacing"]).output
        #expect(several.components(separatedBy: "(key)").count == 3, "\(several)")
        // Many entries take a line each.
        let many = try BuiltCommand.run(["explain", "segment"]).output
        #expect(many.split(separator: "\n").allSatisfy { $0.contains("segment") || $0.contains("(") }, "\(many)")
    }

    @Test func `a wrong name ends with status 64 and the nearest one, after those that are right`() throws {
        let ended = try BuiltCommand.run(["explain", "kinds.policy.jiter", "B7"])
        #expect(ended.status == 64)
        #expect(ended.output.hasPrefix("B7 Pushes  (rule)"))
        #expect(ended.error.contains("'kinds.policy.jiter'; did you mean 'kinds.policy.jitter'?"), "\(ended.error)")
        #expect(try BuiltCommand.run(["explain", "--json"]).status == 64)
    }

    @Test func `without a name it prints where to look`() throws {
        let ended = try BuiltCommand.run(["explain"])
        #expect(ended.status == 0)
        for name in ["kinds.policy", "load_peaks", "How hard do requests hit"] { #expect(ended.output.contains(name)) }
    }

    @Test func `every name that a word of the field leads to is in the dictionaries`() {
        for name in PlainWords.allNames { #expect(!Dictionaries.entries(named: name).isEmpty, "\(name)") }
    }

    /// Words of planners, developers and operators for the dictionaries' terms, also in other forms.
    private static let words = """
        poll, polling, polls, interval, schedule, scheduled, cron, crontab, thundering herd, thundering-herd, herd, stampede, stagger, staggered, splay, smear, \
        background refresh, app refresh, BGAppRefreshTask, workmanager, JobScheduler, FCM, APNs, silent push, complication, WidgetKit, reload budget, throttle, \
        throttling, quota, rate limit, rate-limit, rate limiting, 429, 503, etag, 304, bandwidth, egress, throughput, concurrency, concurrent, latency, \
        percentile, percentiles, p99, warmup, warm up, replication, rps, QPS, back off, backoff, retry, retries, retry storm, circuit breaker, rollout, \
        staged rollout, phased, canary, doze, battery saver, low power, offline, bucket, capacity, prescale, keepalive, keep-alive, TTL, CDN, caching, SLO, SLA, \
        error budget, A/B test, feature flag, dau, cost, autoscaling, scale out, failover, multi region, outage, brownout, chaos, queue, backlog, freshness, \
        stale-while-revalidate, conditional request, token bucket, single flight, jitter, randomize, timezone, DST, session, unlocks, geofence, cooldown, debounce
        """.split(separator: ",").map { String($0.filter { $0 != "\n" }).trimmingCharacters(in: .whitespaces) }

    @Test(arguments: words) func `a word of the field leads somewhere`(word: String) {
        let entries =
            Dictionaries.entries(named: word) + Dictionaries.entries(meant: word)
            + Dictionaries.entries(speakingOf: word)
        #expect(!entries.isEmpty, "\(word)")
    }

    @Test func `a word of the field is answered with the keys that it means, and says so beside a name of its own`()
        throws
    {
        let poll = try BuiltCommand.run(["explain", "polling"])
        #expect(poll.status == 0 && poll.output.hasPrefix("kinds[].policy.after  (key)"), "\(poll.output.prefix(300))")
        let capacity = try BuiltCommand.run(["explain", "capacity"]).output
        #expect(
            capacity.contains("in the field 'capacity' also means: ") && capacity.contains("service.pools[].servers"))
    }

    @Test func `a block lists its keys, and what is printed has bounds`() throws {
        for (name, keys) in [
            ("service.pools.autoscaling", "keys      target, interval, tolerance"),
            ("population.apps", "<app>.openings_per_day"),
            ("kinds", "id, app, endpoint"),
        ] {
            let text = try BuiltCommand.run(["explain", name]).output
            #expect(text.replacing(#/\n +/#, with: " ").replacing("keys  ", with: "keys  ").contains(keys), "\(text)")
        }
        let all = try BuiltCommand.run(["explain", "e"]).output
        #expect(all.split(separator: "\n").count <= 60, "\(all.count)")
        let json = try BuiltCommand.run(["explain", "e", "--json"]).output
        #expect(json.utf8.count < 1_000_000 && json.contains("\"left_out\": "))
        let long = try BuiltCommand.run(["explain", String(repeating: "x", count: 100_000)])
        #expect(long.status == 64 && long.error.utf8.count < 2_000, "\(long.error.prefix(300))")
    }
}
