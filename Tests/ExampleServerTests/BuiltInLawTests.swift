import Basics
import ExampleServers
import Foundation
import RefreshService
import RunLaws
import ScenarioFiles
import ScenarioModel
import Simulation
import Statistics
import Testing

/// A server that is a queue in order gives the built-in pool's bytes, and a run with one is a run as any other.
///
/// Rules: S2, S5, S9.
@Suite struct BuiltInLawTests {
    /// A fleet that overruns its pool, with retries, an outage and an edge.
    private static func fleet(_ pool: String, people: Int = 800, more: String = "") -> String {
        OwnServers.fleet(
            people: people, duration: "3h",
            kinds: "[{id: k, policy: {after: 4m}}, {id: cached, policy: {after: 3m}, requests_per_reload: 2}]",
            instances: "[{id: i, kind: k}, {id: j, kind: cached}]",
            service: """
                timeout: 9s
                retries: 2
                back_off: {kind: full, base: 2s, cap: 20s}
                retry_after: heeded
                failure_after: {min: 3m, max: 6m}
                origin_out: {median: 20ms, p95: 60ms}
                origin_back: 15ms
                pools: [\(pool)]
                endpoints: [{id: cached, cache: {ttl: 20s, stale_if_error: 5m}}]
                background: [{id: web, endpoint: k, rate: 1}]
                events: [{outage: {name: loud, span: [40m, 46m]}}, {outage: {name: silent, span: [80m, 83m], answer: none}}, {purge: {name: all, at: 100m}}\(more)]
                """)
    }

    private static let builtIn =
        "{id: p, servers: 6, service_time: {median: 700ms, p95: 2s}, queue: 40, retry_after: 20s}"
    private static let settled =
        "{id: p, server: in_order, with: {servers: 6, queue: 40}, service_time: {median: 700ms, p95: 2s}, retry_after: 20s}"
    private static let held =
        "{id: p, server: scheduled, with: {servers: 6, queue: 40}, service_time: {median: 700ms, p95: 2s}, retry_after: 20s}"

    /// The tables of a result by name, without what a server of a user's own cannot have: closed forms, and whether a
    /// pool is over its capacity.
    private static func tables(_ result: RunResult) throws -> [String: Data] {
        var files = try result.files()
        for name in files.keys where !name.hasSuffix(".csv") { files[name] = nil }
        let lines = String(decoding: try #require(files["summary.csv"]), as: UTF8.self).split(separator: "\n")
        let absent = ["erlang", "servers_square_root", "over_capacity_s", "headroom", "allen_cunneen"]
        files["summary.csv"] = Data(
            lines.filter { line in !absent.contains { line.contains($0) } }.joined(separator: "\n").utf8)
        return files
    }

    private static func expectEqual(_ one: RunResult, _ other: RunResult, _ what: String) throws {
        let (a, b) = (try tables(one), try tables(other))
        #expect(a.keys.sorted() == b.keys.sorted())
        for (name, table) in a.sorted(by: { $0.key < $1.key }) where table != b[name] {
            let lines = [table, b[name] ?? Data()].map { String(decoding: $0, as: UTF8.self).split(separator: "\n") }
            let differing = zip(lines[0], lines[1]).filter { $0 != $1 }.prefix(3).map { "\($0) | \($1)" }
            Issue.record("\(what): \(name): \(differing)")
        }
    }

    @Test(arguments: ["settled", "held"]) func `a queue in order gives the bytes of the built-in pool`(form: String)
        throws
    {
        let pool = form == "settled" ? Self.settled : Self.held
        let pools = try OwnServers.run(Self.fleet(Self.builtIn))
        let own = try OwnServers.run(Self.fleet(pool))
        for field in [ServiceField.shedByQueue, .waited, .lostInOutage, .wasted, .timedOut, .refused, .collapsed] {
            #expect(try pools.total(field) > 0, "\(field) never happened")
        }
        try Self.expectEqual(pools, own, form)
        try Self.expectEqual(own, OwnServers.run(Self.fleet(pool), threads: 1), "\(form) on one thread")
    }

    @Test(arguments: ["settled", "held"])
    func `a queue in order gives the bytes of the built-in pool where clients stay once they are served`(form: String)
        throws
    {
        let overrides = ["service.abandon=in_queue", "people=500"]
        try Self.expectEqual(
            OwnServers.run(Self.fleet(Self.builtIn), overrides),
            OwnServers.run(Self.fleet(form == "settled" ? Self.settled : Self.held), overrides), form)
    }

    /// Two servers that take 10 s, one may wait, and an outage takes what they have.
    @Test(arguments: ["in_order", "scheduled"])
    func `a queue in order gives the bytes of the built-in pool on a replay`(server: String) throws {
        let devices = (1...6).map {
            "{id: d\($0), zone: UTC, instances: [{id: i\($0), kind: k, surface: lock_screen, initial: {fetched: 0s}}]}"
        }
        let asks = (0..<60).map { number in
            "d\(number % 6 + 1),2026-04-14T14:\(12 + number / 20):\(10 + number % 20 * 2),app_trigger,k"
        }
        func run(_ pool: String) throws -> RunResult {
            let text = """
                start: "2026-04-14T14:00:00+00:00"
                end: 1h
                parameters: {gates: none, coalesce_within: 0s, min_gap: 0s, dispatch_delay: 0s}
                service:
                  latency_out: 20ms
                  latency_back: 20ms
                  retries: 1
                  retry_delays: [5s]
                  pools: [\(pool)]
                  events: [{outage: {name: o, span: [13m, 13m20s]}}]
                kinds: [{id: k, policy: never}]
                devices: [\(devices.joined(separator: ", "))]
                """
            let scenario = try UserCode.$current.withValue(OwnServers.code) {
                try ScenarioReader.read(
                    text: text, replay: asks.joined(separator: "\n"))
            }.scenario
            return try #require(try ScenarioRun(scenario).run(threads: 2))
        }
        let pools = try run("{id: p, servers: 2, service_time: 10s, queue: 1, retry_after: 30s}")
        for field in [ServiceField.waited, .shedByQueue, .lostInOutage] { #expect(try pools.total(field) > 0) }
        try Self.expectEqual(
            pools,
            run("{id: p, server: \(server), with: {servers: 2, queue: 1}, service_time: 10s, retry_after: 30s}"), server
        )
    }

    @Test func `a held queue follows a brown-out and a stall as the built-in pool does`() throws {
        let more =
            ", {brown_out: {name: slow, span: [20m, 30m], capacity: 0.5}}, {brown_out: {name: stall, span: [110m, 112m], capacity: 0}}, {deploy: {name: new, at: 120m, share: 0.5, step: 3m}}"
        try Self.expectEqual(
            OwnServers.run(Self.fleet(Self.builtIn, more: more)), OwnServers.run(Self.fleet(Self.held, more: more)),
            "held")
    }

    @Test func `a sample before a service asks a fresh server in each round`() throws {
        let overrides = ["people=60", "report.represents=800", "report.ranges=false"]
        let pools = try OwnServers.run(Self.fleet(Self.builtIn), overrides)
        try Self.expectEqual(pools, OwnServers.run(Self.fleet(Self.settled), overrides), "settled")
        try Self.expectEqual(pools, OwnServers.run(Self.fleet(Self.held), overrides), "held")
    }

    /// Each example, where it has state to write down.
    private static let pools = [
        settled, held, "{id: p, server: per_client, with: {most: 20, per: 1h, burst: 3}, service_time: 20ms}",
        "{id: p, server: calendar, with: {most: 900, per: 10m}, service_time: 20ms}",
        "{id: p, server: own_queues, with: {servers: 5}, service_time: {median: 500ms, p95: 1s}}",
        "{id: p, server: slows, with: {easy: 2, most: 12, fast: 200ms, slow: 2s}}",
        "{id: p, server: line, with: {megabits: 0.3, sizes: exponential}}",
        "{id: p, server: newest, with: {servers: 5, queue: 20}, service_time: {median: 700ms, p95: 2s}}",
        "{id: p, server: varied_life, with: {life: 40s}, service_time: 50ms}",
    ]

    @Test(arguments: pools) func `a run with a server of a user's own continues from any window on any threads`(
        pool: String
    ) throws {
        let run = try ScenarioRun(OwnServers.scenario(Self.fleet(pool, people: 300)))
        let whole = try #require(try run.run(threads: 2))
        #expect(try whole.total(.completed) > 0)
        let alone = try #require(try run.run(threads: 1))
        #expect(alone.fingerprint == whole.fingerprint)
        for window in [1, 400, 30_000] {
            let first = run.begin(threads: 2)
            if first.advance(until: { $0 >= window }) { continue }
            let second = run.begin(threads: 1)
            try KeptRun.restore(KeptRun.bytes(of: first), into: second)
            #expect(second.advance())
            #expect(second.result().fingerprint == whole.fingerprint, "\(pool) from \(window)")
        }
    }

    @Test func `faults of a server end the run with a sentence`() throws {
        for fault in 1...7 {
            let run = try ScenarioRun(
                OwnServers.scenario(Self.fleet("{id: p, server: faulty, with: {fault: \(fault)}}", people: 30)))
            let begun = run.begin(threads: 1)
            #expect(!begun.advance(), "fault \(fault)")
            let sentence = begun.problem?.description ?? ""
            #expect(
                begun.problem?.isUserCode == true && sentence.hasPrefix("server 'faulty' "), "\(fault): \(sentence)")
        }
    }

    @Test func `a server that the program does not have, and keys beside one, are refused with their places`() throws {
        func problems(_ pool: String, code: UserCode = OwnServers.code) -> String {
            do {
                _ = try UserCode.$current.withValue(code) { try ScenarioReader.read(text: Self.fleet(pool)) }
                return "right"
            } catch {
                return "\(error)"
            }
        }
        #expect(problems("{id: p, server: scheduld}").contains("scheduled"))
        #expect(problems("{id: p, server: x}", code: UserCode()).contains("docs/own-servers.md"))
        #expect(problems("{id: p, server: line, servers: 4}").contains("no servers beside server"))
        #expect(problems("{id: p, server: line, with: {megabit: 3}}").contains("megabits, sizes"))
        #expect(problems("{id: p, server: line, with: {megabits: much}}").contains("a number from"))
        #expect(problems("{id: p, server: line, with: {sizes: any}}").contains("constant or exponential"))
        #expect(problems("{id: p, server: own_queues, with: {balance: randum}}").contains("random or turn"))
        #expect(problems("{id: p, servers: 3, service_time: 1s, with: {x: 1}}").contains("server beside with"))
        #expect(problems("{id: p, service_time: 1s}").contains("service.pools.p.servers"))
        #expect(problems(Self.held) == "right")
        let deploy = Self.fleet("{id: p, server: line}", more: ", {deploy: {name: new, at: 120m, step: 3m}}")
        #expect(throws: ScenarioProblems.self) { try OwnServers.scenario(deploy) }
    }

    @Test func `another version of a server is another run`() throws {
        let one = try OwnServers.scenario(Self.fleet(Self.held))
        #expect(one.userCode == ["server scheduled 1"])
    }
}
