import Basics
import Fleet
import Foundation
import Reporting
import ScenarioModel
import Simulation
import Statistics
import Testing

@testable import RefreshService
@testable import ScenarioFiles

/// The service of a scenario: every key in the plan, the ways of requests, and what is warned of.
@Suite struct ServiceKeyTests {
    /// Four endpoints, two pools, and every key of the service.
    static let whole = """
        start: "2026-03-02T00:00:00-05:00"
        warmup: 1d
        duration: 2d
        people: 1000
        service:
          latency_out: {median: 40ms, p95: 200ms, minimum: 10ms}
          latency_back: {min: 15ms, max: 30ms}
          failing: [[26h, 27h], ["2026-03-01T23:00:00-05:00", 10m]]
          failure: timeout
          timeout: 10s
          retries: 3
          back_off: {kind: equal, base: 500ms, factor: 3, cap: 20s}
          retry_after: heeded
          retry_budget: {per_first_try: 0.25, most: 5}
          origin_out: 30ms
          origin_back: {min: 20ms, max: 40ms}
          regions:
            - {id: europe-west, latency_out: 5ms, origin_out: 80ms}
            - {id: us-east, latency_back: {mean: 20ms, minimum: 4ms}, origin_back: 1ms}
          pools:
            - id: origin
              servers: 20
              service_time: {shape: 4, mean: 20ms}
              queue: 500
              timed_out_work: dropped
              rate_limit: {per_second: 250.5, burst: 300}
              retry_after: 30s
              autoscaling: {target: 0.5, interval: 30s, tolerance: 0.05, lag: 90s, least: 4, most: 200, scale_down_window: 10m, growth_share: 0.5, growth_servers: 8}
            - {id: maps, servers: unlimited, service_time: 5ms, rate_limit: {per_minute: 90}}
            - {id: spare, servers: 2, service_time: 1s, autoscaling: {most: 9}}
          endpoints:
            - {id: tiles, pool: maps, cache: {ttl: 10m, collapse: false, stale_while_revalidate: 1m, stale_if_error: 1h, fetch_timeout: 5s}, response_size: 120kB}
            - {id: scores, pool: spare, cache: {ttl: 15s}}
          events:
            - outage: {name: fire, span: [30h, 31h], pool: maps, answer: none}
            - outage: {name: all, span: ["2026-03-03T12:00:00-05:00", 40d]}
            - brown_out: {name: slow, span: [1d, 25h], pool: origin, capacity: 0.5, slowdown: 3}
            - deploy: {name: roll-out, at: 33h, pool: origin, share: 0.3, step: 2m}
            - purge: {name: flush, at: 34h, endpoint: tiles, region: us-east}
            - purge: {name: flush-all, at: "2026-03-03T13:00:00-05:00"}
          prices: {server_hour: 0.4, million_requests: 0.6, gigabyte: 0.08, million_pushes: 0.5, currency: EUR}
          objectives: [{name: quick, share: 0.999, within: 1s}, {name: any, share: 0.5}]
          window: 3ms
        kinds:
          - {id: weather, policy: {after: 30m}, content_key: user}
          - {id: map, endpoint: tiles, policy: {after: 1h}}
          - {id: game, endpoint: scores, policy: never, push: true}
          - {id: news, policy: never, push: true, content_key: shared}
        population:
          cities: {New York: 0.5, London: 0.5}
          devices: [{instances: [{id: here, kind: weather}, {id: there, kind: map, share: 0.5}]}]

        """

    private static func read(_ service: String, kinds: String = ScenarioReaderTests.kinds) throws -> ParsedScenario {
        try ScenarioReader.read(
            text: ScenarioReaderTests.head + kinds + ScenarioReaderTests.population + "service:\n" + service)
    }

    /// The least that a service can be.
    private static let least = "  pools: [{id: origin, servers: unlimited, service_time: 0s}]\n"

    private static func outOfOrigin(_ plan: RefreshPlan) -> Distribution { plan.regions[0].originOut }

    @Test func `what is behind the clients is told by keys of the service, which docs/studies.md lists`() throws {
        let studies = try String(contentsOf: Golden.repository.appending(path: "docs/studies.md"), encoding: .utf8)
        let listed = try #require(studies.firstMatch(of: /behind the clients of their service \(([^)]*)\)/)).output.1
        #expect(listed.matches(of: /`(\w+)`/).map { String($0.output.1) } == KeyCatalogue.keysBehindClients)
        #expect(Set(KeyCatalogue.keysBehindClients).isSubset(of: KeyCatalogue.service.form.entries.map(\.name)))
    }

    @Test func `every key of the pools arrives`() throws {
        let service = try #require(try ScenarioReader.read(text: Self.whole).scenario.service)
        #expect(
            service.pools.map(\.name) == ["origin", "maps", "spare"] && service.pools.map(\.servers) == [20, nil, 2])
        let origin = service.pools[0]
        #expect(
            origin.serviceTime == Distribution(.gamma(shape: 4, mean: 0.02)) && origin.queueLimit == 500
                && origin.dropsTimedOutWork
                && origin.rateLimit == RateLimit(rate: 250_500_000, burst: 300) && origin.retryAfter == .seconds(30))
        #expect(
            origin.autoscaling
                == Autoscaling(
                    target: 0.5, interval: .seconds(30), tolerance: 0.05, lag: .seconds(90), least: 4, most: 200,
                    scaleDownWindow: .minutes(10), growthShare: 0.5, growthServers: 8))
        let (maps, spare) = (service.pools[1], service.pools[2])
        #expect(maps.serviceTime == Distribution(.constant(0.005)) && maps.queueLimit == nil && !maps.dropsTimedOutWork)
        #expect(
            maps.rateLimit == RateLimit(rate: 1_500_000, burst: 1) && maps.retryAfter == nil && maps.autoscaling == nil)
        #expect(
            spare.autoscaling == Autoscaling(target: 0.6, lag: .minutes(1), least: 1, most: 9) && spare.rateLimit == nil
        )
        #expect(
            service.prices
                == ServicePrices(
                    serverHour: 0.4, millionRequests: 0.6, gigabyte: 0.08, millionPushes: 0.5, currency: "EUR"))
        #expect(
            service.objectives == [
                ServiceObjective(name: "quick", share: 0.999, within: .seconds(1)),
                ServiceObjective(name: "any", share: 0.5),
            ])
    }

    @Test func `a rate limit's bucket holds what comes in a second`() throws {
        func limit(_ text: String) throws -> RateLimit? {
            try Self.read("  pools: [{id: a, servers: 1, service_time: 1ms, rate_limit: {\(text)}}]\n").scenario
                .service?.pools[0].rateLimit
        }
        #expect(try limit("per_second: 2.9") == RateLimit(rate: 2_900_000, burst: 2))
        #expect(try limit("per_minute: 600") == RateLimit(rate: 10_000_000, burst: 10))
        #expect(try limit("per_minute: 0.000001") == RateLimit(rate: 1, burst: 1))
        #expect(try limit("per_minute: 100, burst: 7") == RateLimit(rate: 1_666_667, burst: 7))
    }

    @Test func `endpoints are those of the kinds, in their order`() throws {
        let scenario = try ScenarioReader.read(text: Self.whole).scenario
        let service = try #require(scenario.service)
        #expect(
            scenario.plan.endpoints == ["weather", "tiles", "scores", "news"]
                && service.endpoints.map(\.pool) == [0, 1, 2, 0])
        #expect(service.endpoints.map(\.responseBytes) == [4_096, 120_000, 4_096, 4_096])
        #expect(
            service.endpoints.map(\.cache) == [
                nil,
                EdgeCache(
                    timeToLive: .minutes(10), collapses: false, staleWhileRevalidate: .minutes(1),
                    staleIfError: .hours(1),
                    fetchTimeout: .seconds(5)), EdgeCache(timeToLive: .seconds(15)), nil,
            ])
        #expect(scenario.plan.kinds.map(\.isPersonal) == [true, false, false, false])
    }

    @Test func `regions have ways of their own, the others the service's`() throws {
        let scenario = try ScenarioReader.read(text: Self.whole).scenario
        let (requests, service) = (scenario.plan.requests, try #require(scenario.service))
        #expect(
            scenario.plan.regions == ["us-east", "europe-west"]
                && requests.legs.back == Distribution(.uniform(min: 0.015, max: 0.03)))
        #expect(
            requests.regionalDelays == [
                "europe-west": OneWayDelays(out: Distribution(.constant(0.005)), back: requests.legs.back),
                "us-east": OneWayDelays(
                    out: requests.legs.out, back: Distribution(.exponential(mean: 0.02), shift: 0.004)),
            ])
        #expect(
            service.regions.map(\.originOut) == [Distribution(.constant(0.03)), Distribution(.constant(0.08))]
                && service.regions.map(\.originBack) == [
                    Distribution(.constant(0.001)), Distribution(.uniform(min: 0.02, max: 0.04)),
                ])
        #expect(scenario.serviceWindow == .milliseconds(3))
    }

    @Test func `events have their spans, and failing spans are outages of every pool`() throws {
        let scenario = try ScenarioReader.read(text: Self.whole).scenario
        let events = try #require(scenario.service).events
        func at(_ hours: Int64) -> Instant { .start + .hours(hours) }
        #expect(
            events == [
                // Under way at the start.
                ServiceEvent(
                    name: "failing-1", .outage(pool: nil, isSilent: true), from: .start, to: .start + .minutes(10)),
                ServiceEvent(name: "failing-2", .outage(pool: nil, isSilent: true), from: at(26), to: at(27)),
                ServiceEvent(name: "fire", .outage(pool: 1, isSilent: true), from: at(30), to: at(31)),
                ServiceEvent(name: "all", .outage(pool: nil, isSilent: false), from: at(36), to: at(960)),
                ServiceEvent(name: "slow", .brownOut(pool: 0, capacity: 0.5, slowdown: 3), from: at(24), to: at(25)),
                // An autoscaler may change the servers: 0.3 of any number needs at most four parts.
                ServiceEvent(
                    name: "roll-out", .deploy(pool: 0, share: 0.3, step: .minutes(2)), from: at(33),
                    to: at(33) + .minutes(8)),
                ServiceEvent(name: "flush", .purge(endpoint: 1, region: 0), from: at(34), to: at(34)),
                ServiceEvent(name: "flush-all", .purge(endpoint: nil, region: nil), from: at(37), to: at(37)),
            ])
        // Otherwise a request would fail twice.
        #expect(scenario.plan.requests.failing.isEmpty)
        let without = try Self.read("  failing: [[1h, 2h]]\n").scenario
        #expect(without.service == nil && without.plan.requests.failing.map(\.to) == [at(2)])
    }

    /// 0.07 of 100 servers is 7, although the product of the doubles is more.
    @Test func `a deploy's parts are whole servers`() throws {
        func end(_ servers: Int, _ share: String, _ more: String = "") throws -> Instant? {
            try Self.read(
                "  pools: [{id: a, servers: \(servers), service_time: 1ms\(more)}]\n  events: [{deploy: {name: d, at: 0s, share: \(share), step: 1m}}]\n"
            ).scenario.service?.events[0].to
        }
        #expect(try end(100, "0.07") == .start + .minutes(15) && end(1, "0.01") == .start + .minutes(1))
        #expect(try end(5, "0.3") == .start + .minutes(3) && end(7, "1") == .start + .minutes(1))
    }

    @Test func `further tries follow a formula or a list`() throws {
        func retry(_ text: String) throws -> RetryPolicy { try Self.read("  \(text)\n").scenario.plan.requests.retry }
        let whole = try ScenarioReader.read(text: Self.whole).scenario.plan.requests.retry
        let own = BackOff.exponential(base: .milliseconds(500), factor: 3, cap: .seconds(20), jitter: .equal)
        #expect(
            whole
                == RetryPolicy(
                    retries: 3, backOff: own, heedsRetryAfter: true, budget: RetryBudget(perFirstTry: 250, most: 5_000))
        )
        let usual = BackOff.exponential(base: .seconds(1), factor: 2, cap: .minutes(1), jitter: .full)
        #expect(
            try retry("retries: 2") == RetryPolicy(retries: 2, backOff: usual) && retry("retries: 0") == RetryPolicy())
        #expect(
            try retry("{retries: 1, back_off: {kind: exponential, cap: 5s}}").backOff
                == .exponential(base: .seconds(1), factor: 2, cap: .seconds(5), jitter: .none))
        #expect(
            try retry("{retries: 1, back_off: {kind: decorrelated, base: 2s}}").backOff
                == .decorrelated(base: .seconds(2), cap: .minutes(1)))
        #expect(try retry("{retries: 1, retry_delays: [7s]}").backOff == .listed([.seconds(7)]))
        #expect(
            try retry("{retries: 1, retry_delays: [7s], retry_budget: {}}").budget
                == RetryBudget(perFirstTry: 100, most: 10_000))
    }

    @Test func `the least service is one without limits, delays and prices of its own`() throws {
        let read = try Self.read(Self.least)
        let (scenario, service) = (read.scenario, try #require(read.scenario.service))
        #expect(
            service.pools.count == 1 && service.pools[0].servers == nil
                && service.pools[0].serviceTime == Distribution.zero)
        #expect(service.endpoints.map(\.pool) == [0] && service.endpoints[0].cache == nil && service.events.isEmpty)
        #expect(
            service.regions.count == scenario.plan.regions.count
                && Self.outOfOrigin(service) == Distribution.zero)
        #expect(service.prices == ServicePrices() && scenario.serviceWindow == nil && read.warnings().isEmpty)
        #expect(try Self.read("  pools: []\n").scenario.service == nil)
    }

    @Test func `resolved services read back as the same service`() throws {
        let texts = [
            Self.whole,
            ScenarioReaderTests.head + ScenarioReaderTests.kinds + ScenarioReaderTests.population + "service:\n"
                + Self.least,
        ]
        for text in texts {
            let first = try ScenarioReader.read(text: text)
            let second = try ScenarioReader.read(text: first.resolvedText)
            #expect(second.resolvedText == first.resolvedText)
            var (one, other) = (first.scenario, second.scenario)
            #expect(one.plan.requests.regionalDelays == other.plan.requests.regionalDelays)
            // A dictionary's description has no order of its own.
            one.plan.requests.regionalDelays = [:]
            other.plan.requests.regionalDelays = [:]
            #expect("\(one)" == "\(other)")
        }
        let resolved = try ScenarioReader.read(text: Self.whole).resolvedText
        for line in [
            "servers: unlimited", "response_size: 120kB", "response_size: 4KiB", "per_second: 250.5",
            "content_key: user",
        ] {
            #expect(resolved.contains(line), "\(line)")
        }
    }

    /// The texts of scenarios without a service are part of published results.
    @Test func `a scenario without pools says nothing of them when it is resolved`() throws {
        let resolved = try Self.read("  timeout: 5s\n").resolvedText
        let keys = [
            "latency_out", "latency_back", "failing", "failure", "timeout", "retries", "retry_delays", "failure_after",
        ]
        let block = try #require(resolved.firstMatch(of: /(?m)^service:\n((?: .*\n)+)/)).1
        #expect(
            block.split(separator: "\n").map { $0.drop { $0 == " " }.prefix { $0 != ":" } }.map(String.init) == keys)
        #expect(!resolved.contains("content_key"))
    }

    @Test func `overrides reach pools and endpoints by their ids`() throws {
        let scenario = try ScenarioReader.read(
            text: Self.whole,
            overrides: [
                "service.pools.origin.servers=30", "service.pools.maps.rate_limit.per_minute=60",
                "service.endpoints.tiles.cache.ttl=1h",
                "service.regions.europe-west.latency_out=9ms", "service.events.slow.brown_out.capacity=0",
                "service.events.0.outage.answer=error", "service.back_off.kind=full",
            ]
        ).scenario
        let service = try #require(scenario.service)
        #expect(service.pools[0].servers == 30 && service.pools[1].rateLimit?.rate == 1_000_000)
        #expect(service.endpoints[1].cache?.timeToLive == Distribution(.constant(3_600)))
        #expect(scenario.plan.requests.regionalDelays["europe-west"]?.out == Distribution(.constant(0.009)))
        #expect(service.events[4].effect == .brownOut(pool: 0, capacity: 0, slowdown: 3))
        #expect(service.events[2].effect == .outage(pool: 1, isSilent: false))
        let added = try ScenarioReader.read(
            text: ScenarioReaderTests.head + ScenarioReaderTests.kinds + ScenarioReaderTests.population,
            overrides: ["service.pools=[{id: a, servers: 1, service_time: 1s}]"])
        #expect(added.scenario.service?.pools.map(\.name) == ["a"])
    }

    @Test func `what comes from outside has its rate, regions, keys and patience`() throws {
        func background(_ text: String) throws -> BackgroundTraffic {
            let overrides = ["service.background=[{id: web, endpoint: tiles, \(text)}]"]
            return try #require(
                try ScenarioReader.read(text: Self.whole, overrides: overrides).scenario.service?.background.first)
        }
        let plain = try background("rate: 2.5")
        #expect(plain.endpoint == 1 && plain.rates == [.init(from: .start, perSecond: 2.5)] && plain.keys == 1)
        // Half the people live in New York, half in London; the time-out is that of the devices.
        #expect(plain.regionWeights == [0.5, 0.5] && plain.timeout == Distribution(.constant(10)))
        let own = try background("rate: 1, region: europe-west, keys: 500, zipf: 0.9, timeout: {mean: 3s}")
        #expect(
            own.regionWeights == [0, 1] && own.keys == 500 && own.zipfPower == 0.9
                && own.timeout == Distribution(.exponential(mean: 3)))
        #expect(try background("rate: 1, regions: {us-east: 0.25, europe-west: 0.75}").regionWeights == [0.25, 0.75])
    }

    @Test func `servers come in whole machines, which start, fail and are paid for together`() throws {
        func pool(_ keys: String, _ rest: String = "") throws -> RefreshPlan {
            let read = try Self.read("  pools: [{id: a, service_time: 10ms, \(keys)}]\n" + rest)
            let again = try ScenarioReader.read(text: read.resolvedText)
            #expect(again.resolvedText == read.resolvedText)
            return try #require(again.scenario.service)
        }
        let service = try pool(
            "machines: 38, machine: {slots: 4, price: 0.5, start: 90s}, autoscaling: {least: 8, most: 400}",
            "  events: [{machine_loss: {name: gone, span: [1h, 2h], machines: 2}}]\n  prices: {server_hour: 7}\n")
        #expect(service.pools[0].servers == 152 && service.pools[0].slots == 4)
        #expect(service.pools[0].autoscaling?.lag == .seconds(90))
        #expect(service.hourPrice(ofServerIn: 0) == 0.125)
        #expect(service.events[0].effect == .machineLoss(pool: 0, servers: 8))
        #expect(
            try pool("servers: 8, machine: {slots: 4}", "  prices: {server_hour: 7}\n").hourPrice(ofServerIn: 0) == 7)
        for (keys, rest, problem) in [
            ("machines: 3", "", "machines: expected machine with its slots beside machines, found none"),
            ("machines: 3, servers: 12, machine: {slots: 4}", "", "expected one of servers and machines, found both"),
            (
                "servers: 10, machine: {slots: 4}", "",
                "servers: expected whole machines of 4 servers, 8 or 12, found 10"
            ),
            ("servers: 2, machine: {slots: 4}", "", "servers: expected whole machines of 4 servers, 4, found 2"),
            (
                "servers: 8, machine: {slots: 4}, autoscaling: {least: 6, most: 12}", "",
                "least: expected whole machines of 4 servers, 4 or 8, found 6"
            ),
            ("servers: unlimited, machine: {slots: 4}", "", "expected a number of servers beside machine"),
            (
                "servers: 8", "  events: [{machine_loss: {name: gone, span: [1h, 2h]}}]\n",
                "expected a pool with machine, found 'a' without"
            ),
        ] {
            do {
                _ = try pool(keys, rest)
                Issue.record("\(keys) is read")
            } catch let error as ScenarioProblems {
                #expect(error.description.contains(problem), "\(error.description)")
            }
        }
    }

    @Test func `a curve has a rate for each time, and another curve is another run`() throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "curve-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { do { try FileManager.default.removeItem(at: folder) } catch { Issue.record("\(error)") } }
        let file = folder.appending(path: "scenario.yaml")
        try Self.whole.write(to: file, atomically: true, encoding: .utf8)
        func read(_ curve: String) throws -> (ParsedScenario, BackgroundTraffic?) {
            try curve.write(to: folder.appending(path: "web.csv"), atomically: true, encoding: .utf8)
            let read = try ScenarioReader.read(
                file: file.path, overrides: ["service.background=[{id: web, endpoint: tiles, curve: web.csv}]"])
            return (read, read.scenario.service?.background.first)
        }
        let (first, background) = try read(
            "rate,time\n1,2026-03-01T23:00:00-05:00\n2,30m\n0.5,2026-03-02T01:00:00-05:00\n")
        #expect(
            background?.rates == [
                .init(from: .start, perSecond: 1), .init(from: .start + .minutes(30), perSecond: 2),
                .init(from: .start + .hours(1), perSecond: 0.5),
            ])
        let (second, _) = try read("rate,time\n1,0s\n2,30m\n")
        #expect(
            first.resolvedText == second.resolvedText && first.recordSHA256 != nil
                && first.recordSHA256 != second.recordSHA256)
        for (curve, problem) in [
            ("time,rate\n1h,2\n1h,3\n", "expected times that rise, found '1h'"),
            ("time,rate\n1h,-1\n", "expected rates from 0 to 1000000, found '-1'"),
            (
                "time,rate\nnoon,1\n",
                "expected times such as 1h30m after start, 2026-03-02T00:00:00Z or seconds since 1970 (a mapping with `zone` reads times without an offset), found 'noon'"
            ),
            ("a,b\n1,2\n", "expected the columns time and rate, or a mapping such as {file: …"),
        ] {
            do {
                _ = try read(curve)
                Issue.record("\(curve) is read")
            } catch let error as ScenarioProblems {
                #expect(error.description.contains("service.background.web.curve: " + problem), "\(error.description)")
            }
        }
    }

    /// The start of the scenario is 2026-03-02T05:00:00Z.
    @Test(arguments: [
        ("Time,Load\n2026-03-02T05:00:00Z,1\n2026-03-02T05:30:00Z,2\n", "columns: {time: Time, rate: Load}", ""),
        ("\"Time\",\"requests/s\"\n2026-03-02 05:00:00,1\n2026-03-02 05:30:00,2\n", nil, "read as UTC"),
        ("Label,RequestCount\n2026/03/02 05:00:00,1800\n2026/03/02 05:30:00,3600\n", nil, "requests in each interval"),
        ("timestamp\trequests\n1772427600\t1800\n1772429400\t3600\n", nil, "requests in each interval"),
        (
            "time;a;b\n2026-03-02 00:00;0,5;0,5\n2026-03-02 00:30;2;0\n",
            "columns: {rate: \"*\"}, zone: America/New_York", ""
        ),
        ("Owner,1,2\nx,50,100\ny,10,20\n", "columns: {count: \"*\"}", "minutes"),
        (
            "{\"data\":{\"result\":[{\"values\":[[1772427600,\"1\"],[1772429400,\"2\"]]}]}}", "columns: {rate: value}",
            ""
        ),
        (
            "time,count\n2026-03-02T05:00:00Z,1800\n2026-03-02T05:30:00Z,3600\n2026-03-02T06:30:00Z,0\n", nil,
            "requests in each interval"
        ),
    ])
    func `a curve is read from what a dashboard exports`(text: String, columns: String?, warning: String) throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "curve-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { do { try FileManager.default.removeItem(at: folder) } catch { Issue.record("\(error)") } }
        let file = folder.appending(path: "scenario.yaml")
        try Self.whole.write(to: file, atomically: true, encoding: .utf8)
        try text.write(to: folder.appending(path: "web.csv"), atomically: true, encoding: .utf8)
        let curve = columns.map { "{file: web.csv, \($0)}" } ?? "web.csv"
        let read = try ScenarioReader.read(
            file: file.path, overrides: ["service.background=[{id: web, endpoint: tiles, curve: \(curve)}]"])
        let rates = try #require(read.scenario.service?.background.first?.rates)
        let step: Duration = warning == "minutes" ? .minutes(1) : .minutes(30)
        #expect(rates.prefix(2).map(\.from) == [.start, .start + step], "\(rates)")
        #expect(rates.prefix(2).map(\.perSecond) == [1, 2], "\(rates)")
        let own = read.warnings().filter { $0.contains("curve") }
        #expect(warning == "" || warning == "minutes" ? own.isEmpty : own.contains { $0.contains(warning) }, "\(own)")
        // A count without a row is none.
        if rates.count > 2 { #expect(rates.dropFirst(2).map(\.perSecond) == [0, 0], "\(rates)") }
    }

    @Test(arguments: [
        ("Time,Load\n2026-03-02T05:00:00Z,1\n2026-03-02T05:30:00Z,2\n", "web.csv", "found Time,Load"),
        ("Time,a/s,b/s\n2026-03-02T05:00:00Z,1,2\n", "web.csv", "found Time,a/s,b/s"),
        ("Time,Load\n2026-03-02T05:00:00Z,1\n", "{file: web.csv, columns: {rate: Load}}", "rows of two times at least"),
        ("Time,Load\n2026-03-02T05:00:00Z,x\n", "{file: web.csv, columns: {rate: Load}}", "web.csv:2"),
        ("Time,Load\n2026-03-02T05:00:00Z,1\n", "{file: web.csv, columns: {rate: Load, count: Load}}", "one of count"),
    ])
    func `a curve whose numbers nobody states is refused`(text: String, curve: String, problem: String) throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "curve-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { _ = try? FileManager.default.removeItem(at: folder) }
        let file = folder.appending(path: "scenario.yaml")
        try Self.whole.write(to: file, atomically: true, encoding: .utf8)
        try text.write(to: folder.appending(path: "web.csv"), atomically: true, encoding: .utf8)
        let error = #expect(throws: ScenarioProblems.self, "\(text)") {
            _ = try ScenarioReader.read(
                file: file.path, overrides: ["service.background=[{id: web, endpoint: tiles, curve: \(curve)}]"])
        }
        #expect(error?.description.contains(problem) == true, "\(String(describing: error))")
    }

    @Test func `what is wrong with the requests from outside, with patience and with delays is said`() throws {
        for (override, problem) in [
            (
                "service.background=[{id: web, endpoint: tiles}]",
                "expected exactly one of rate and curve, found neither"
            ),
            (
                "service.background=[{id: web, endpoint: none, rate: 1}]",
                "expected the endpoint of a kind: weather, tiles, scores or news, found 'none'"
            ),
            (
                "service.background=[{id: web, endpoint: tiles, rate: 1, region: africa}]",
                "expected an edge region of the fleet: us-east or europe-west, found 'africa'"
            ),
            (
                "service.background=[{id: web, endpoint: tiles, rate: 1, region: us-east, regions: {us-east: 1}}]",
                "expected only one of region and regions, found both"
            ),
            (
                "service.background=[{id: web, endpoint: tiles, curve: nowhere.csv}]",
                "found nowhere.csv: expected a file that can be read"
            ),
            (
                "service.timeout=2h",
                "service.timeout: expected a duration, or a distribution with a mean, from 1ms to 1h, found '2h'"
            ),
            ("service.timeout={mean: 3h}", "from 1ms to 1h, found a mean of 10800 s"),
            (
                "service.failure_after=100ms",
                "service.failure_after: expected a duration, or a distribution with a mean, from 1s to 366d, found '100ms'"
            ),
        ] {
            do {
                _ = try ScenarioReader.read(text: Self.whole, overrides: [override])
                Issue.record("\(override) is read")
            } catch {
                #expect(error.description.contains(problem), "\(error.description)")
            }
        }
    }

    @Test func `edges have the service's size, or their own`() throws {
        func capacities(_ overrides: [String]) throws -> [Int?] {
            try #require(try ScenarioReader.read(text: Self.whole, overrides: overrides).scenario.service).regions.map(
                \.capacity)
        }
        #expect(try capacities([]) == [nil, nil])
        #expect(
            try capacities(["service.edge_capacity=500", "service.regions.europe-west.edge_capacity=20"]) == [500, 20])
        #expect(
            try Self.read(Self.least + "  edge_capacity: 10\n").warnings().contains(
                "service.edge_capacity: it has no effect, because no endpoint has a cache"))
        #expect(
            try Self.read("  {abandon: in_queue, edge_capacity: 10}\n").warnings().sorted() == [
                "service.abandon: it has no effect, because there are no pools",
                "service.edge_capacity: it has no effect, because there are no pools",
            ])
    }

    @Test func `a replay has a service once its ways take time`() throws {
        let text = """
            start: "2026-03-02T00:00:00-05:00"
            end: 1d
            service: {latency_out: 20ms, latency_back: 20ms, regions: [{id: America/New_York, latency_out: 30ms}], pools: [{id: a, servers: 1, service_time: 1s}]}
            kinds: [{id: weather, policy: never}]
            devices: [{id: d, zone: America/New_York, instances: [{id: w, kind: weather}]}]
            """
        let scenario = try ScenarioReader.read(text: text, replay: "device,time,event,detail\nd,3600,pickup,\n")
            .scenario
        #expect(
            scenario.service?.regions.count == 1 && scenario.plan.requests.regionalDelays["America/New_York"] != nil)
    }

    // MARK: Warnings

    @Test func `keys of a service that do nothing are warned of`() throws {
        let idle =
            try Self.read(
                "  {back_off: {}, retry_budget: {}, retry_after: heeded, origin_out: 1ms, endpoints: [{id: weather}], events: [], prices: {}, window: 5ms, regions: [{id: us-east, origin_out: 2ms}]}\n"
            ).warnings()
        #expect(
            idle == [
                "service.back_off: it has no effect, because retries is 0",
                "service.retry_budget: it has no effect, because retries is 0",
                "service.retry_after: it has no effect, because retries is 0",
                "service.regions.us-east.origin_out: it has no effect, because there are no pools",
                "service.origin_out: it has no effect, because there are no pools",
                "service.endpoints: it has no effect, because there are no pools",
                "service.prices: it has no effect, because there are no pools",
                "service.window: it has no effect, because there are no pools",
            ])
        #expect(
            try Self.read("  {retries: 1, retry_after: heeded}\n").warnings() == [
                "service.retry_after: it has no effect, because there are no pools"
            ])
        let kinds = "kinds: [{id: weather, policy: never, content_key: user}]\n"
        let service = """
              retries: 1
              pools:
                - {id: origin, servers: unlimited, service_time: 1ms, timed_out_work: dropped, retry_after: 5s}
                - {id: b, servers: 1, service_time: 1ms}
              regions: [{id: oceania, latency_out: 90ms}]
              endpoints: [{id: weather, cache: {ttl: 1m}}]
              events:
                - brown_out: {name: nothing, span: [1h, 2h], pool: b}
                - purge: {name: nowhere, at: 1h, region: africa}

            """
        #expect(
            try Self.read(service, kinds: kinds).warnings() == [
                "service.regions.oceania: it has no effect, because no request comes from there",
                "service.endpoints.weather.cache: it has no effect, because all its content is the users' own",
                "service.pools.origin.timed_out_work: it has no effect, because no request waits for a server",
                "service.pools.origin.retry_after: it has no effect, because the pool sheds no request",
                "service.events.nothing.brown_out: it has no effect with capacity 1 and slowdown 1",
                "service.events.nowhere.purge.region: it has no effect, because no request comes from there",
                "service.pools.b: no endpoint goes to it",
                "service.pools.origin.retry_after: it has no effect, because clients ignore it",
            ])
        let heeded = "  {retries: 1, retry_after: heeded, pools: [{id: a, servers: 1, service_time: 1ms}]}\n"
        #expect(
            try Self.read(heeded).warnings() == [
                "service.retry_after: it has no effect, because no pool has a retry_after"
            ])
    }

    /// 170,000 phones, each some 34 reloads a day: 67 a second.
    @Test func `a pool that cannot serve its mean load is warned of, with both figures`() throws {
        func warnings(_ pool: String, kinds: String = ScenarioReaderTests.kinds, endpoints: String = "[]") throws
            -> [String]
        {
            let head = ScenarioReaderTests.head.replacingOccurrences(of: "people: 100\n", with: "people: 1.7e5\n")
            return try ScenarioReader.read(
                text: head + kinds + ScenarioReaderTests.population
                    + "service: {pools: [{id: origin, \(pool)}], endpoints: \(endpoints)}\n"
            ).warnings().map { $0.replacing(/about [0-9.,]+ requests/, with: "about N requests") }
        }
        let load = "service.pools.origin: of its mean load of about N requests a second"
        #expect(
            try warnings("servers: 2, service_time: 50ms") == [
                load + " it can serve 40: 2 servers, each 50 ms a request"
            ])
        #expect(try warnings("servers: 4, service_time: 50ms").isEmpty)
        #expect(try warnings("servers: 2, service_time: 50ms, autoscaling: {most: 8}").isEmpty)
        #expect(
            try warnings("servers: 2, service_time: 50ms, autoscaling: {most: 3}") == [
                load + " it can serve 60: 3 servers at most, each 50 ms a request"
            ])
        #expect(
            try warnings("servers: unlimited, service_time: 50ms, rate_limit: {per_minute: 600}") == [
                load + " its rate limit admits 10"
            ])
        #expect(try warnings("servers: unlimited, service_time: 50ms, rate_limit: {per_second: 100}").isEmpty)
        #expect(
            try warnings("servers: unlimited, service_time: 0s, rate_limit: {per_minute: 0.123456}") == [
                load + " its rate limit admits 0.00206"
            ]
        )
        #expect(
            try warnings(
                "servers: 1, service_time: 1h",
                kinds: ScenarioReaderTests.kinds.replacingOccurrences(
                    of: "after: 30m", with: "after: 30m}, requests_per_reload: 100, timeline: {shape: single")) == [
                    load + " it can serve 0.000278: 1 server, each 3600000 ms a request"
                ])
        // Answers that edges may keep are left out; users' own content is not theirs to keep.
        let cached = "[{id: weather, cache: {ttl: 1m}}]"
        #expect(try warnings("servers: 1, service_time: 50ms", endpoints: cached).isEmpty)
        let both =
            "kinds: [{id: weather, policy: {after: 30m}, content_key: user}, {id: b, endpoint: weather, policy: never}]\n"
        #expect(
            try warnings("servers: 1, service_time: 50ms", kinds: both, endpoints: cached) == [
                load + ", without those that edges may answer, it can serve 20: 1 server, each 50 ms a request"
            ])
    }

    // MARK: Estimates and lists

    @Test func `a service's memory is its devices and its minutes`() throws {
        func scenario(people: String, _ service: String) throws -> Scenario {
            let head = ScenarioReaderTests.head.replacingOccurrences(of: "people: 100\n", with: "people: \(people)\n")
            return try ScenarioReader.read(
                text: head + ScenarioReaderTests.kinds + ScenarioReaderTests.population + service
            ).scenario
        }
        func estimate(people: String, _ service: String) throws -> ScenarioEstimate {
            ScenarioEstimate(try scenario(people: people, service))
        }
        let pool = "{id: a, servers: 1e6, service_time: 1ms}"
        let one = "service: {pools: [\(pool)]}\n"
        let two = "service: {pools: [\(pool), \(pool.replacingOccurrences(of: "id: a", with: "id: b"))]}\n"
        let (plain, served) = (try estimate(people: "1000", "").memory, try estimate(people: "1000", one).memory)
        // The counts of a pool in three regions, with a day's minutes, and those of its servers.
        let counts = Double((3 * ServiceField.allCases.count + PoolMinute.allCases.count) * 8 * 1_440)
        // Two samples of suspended devices can differ, and each is in whole steps.
        let step = 2.01 * 64 * 1_000
        #expect((try estimate(people: "1000", two).memory - served - counts).magnitude < step)
        // A suspended device with one widget, its places in tables, and its requests.
        let device = (try estimate(people: "2000", one).memory - served) / 1_000
        #expect(device > 1_000 && device < 1_600)
        // The origin has a load curve like the fleet's.
        let curve = Double(LoadCurve.bytes(endpoints: 1, regions: 3, minutes: 1_440))
        // And its partition has blocks of suspended devices, and what one sort of them has in common.
        // The pairs and groups of people are counted without a service only.
        let layout = try PreparedPlan(scenario(people: "1000", "").plan).layout
        let pairs = Double((200 + 4 * 32) * 1_440 + 32 * 8 * SummaryCounts.count(layout, 1))
        #expect((served - plain + pairs - curve - counts - 1_000 * device - 1.4 * 1_048_576).magnitude < 2 * step)
        #expect(
            try estimate(people: "15e5", one + "warmup: 1d\n").memory < 4 * 1_073_741_824
                && estimate(people: "2e7", one).memory > 4 * 1_073_741_824)
    }

    /// 67 requests a second: more than one server's 20 or three servers' 60, and less than four servers' 80, if each is
    /// made once.
    @Test(
        arguments: [
            ("servers: 1, timed_out_work: done", "", 1, 20, nil),
            ("servers: 1, timed_out_work: done", ", retries: 3", 4, 20, nil),
            ("servers: 3, timed_out_work: done", ", retry_budget: {per_first_try: 0.1}, retries: 3", 1.1, 60, nil),
            ("servers: 1, timed_out_work: done, autoscaling: {most: 3}", "", 1, 60, nil),
            ("servers: 4, timed_out_work: done", ", retries: 3", nil, 80, nil),
            (
                "servers: 4, timed_out_work: done",
                ", retries: 3, events: [{brown_out: {name: x, span: [9h, 10h], capacity: 0.5}}]", 4, 80, 9
            ),
            (
                "servers: 4, timed_out_work: done",
                ", retries: 3, events: [{outage: {name: x, span: [20h, 21h]}}, {deploy: {name: y, at: 8h, share: 0.5, step: 1m}}]",
                4, 80, 8
            ),
            ("servers: 4, timed_out_work: done", ", retries: 3, events: [{purge: {name: x, at: 9h}}]", nil, 80, 9),
            ("servers: 4, timed_out_work: done", ", events: [{outage: {name: x, span: [9h, 10h]}}]", nil, 80, 9),
            ("servers: 1, timed_out_work: done, queue: 500", "", nil, 20, nil),
            ("servers: 1, timed_out_work: dropped", "", nil, 20, nil),
            ("servers: unlimited", "", nil, 20, nil),
            ("servers: 1, timed_out_work: done, rate_limit: {per_second: 15}", ", retries: 3", nil, 20, nil),
        ] as [(String, String, Double?, Double, Double?)])
    func `a queue that grows to the end is foreseen`(
        pool: String, service: String, attempts: Double?, capacity: Double, hours: Double?
    ) throws {
        let head = ScenarioReaderTests.head.replacingOccurrences(of: "people: 100\n", with: "people: 1.7e5\n")
        let scenario = try ScenarioReader.read(
            text: head + ScenarioReaderTests.kinds + ScenarioReaderTests.population
                + "service: {pools: [{id: origin, service_time: 50ms, \(pool)}]\(service)}\n"
        ).scenario
        let estimate = ScenarioEstimate(scenario, needsMemory: false)
        let load = estimate.poolLoads(of: scenario)[0].perSecond
        #expect(load > 60 && load < 80)
        let seconds = (scenario.plan.end - .start).inSeconds - 3_600 * (hours ?? 0)
        let waiting = attempts.map { ($0 * load - capacity) * seconds } ?? 0
        #expect(
            (estimate.queueMemory - SimulatedService.bytes(ofPendingRequests: waiting)).magnitude < 1_000,
            "\(estimate.queueMemory)")
        #expect(estimate.memory > estimate.queueMemory)
    }

    /// 72 bytes a request. A table that doubles touches its former half and the copy of that.
    @Test func `memory of requests under way`() {
        #expect(
            [0, 10, 1_024, 1_025, 1_500, 2_048, 2_049, 900_000].map {
                SimulatedService.bytes(ofPendingRequests: $0) / 72
            }
                == [0, 10, 1_024, 2_048, 2_048, 2_048, 4_096, 1_048_576])
    }

    @Test func `an estimate of memory says the part of a queue that grows`() throws {
        let head = ScenarioReaderTests.head.replacingOccurrences(of: "people: 100\n", with: "people: 1.7e5\n")
        let scenario = try ScenarioReader.read(
            text: head + ScenarioReaderTests.kinds + ScenarioReaderTests.population
                + "service: {retries: 20, pools: [{id: origin, service_time: 50ms, servers: 1, timed_out_work: done}]}\n"
        ).scenario
        #expect(
            ScenarioEstimate(scenario, needsMemory: false).queueNote.replacing(/[0-9.]+ of it/, with: "N of it")
                == ", N of it for requests that wait for pools that cannot serve them (servers, queue and timed_out_work of service.pools decide that)"
        )
    }

    @Test func `sizes have units and limits a word`() {
        for (text, bytes) in [
            ("4kB", 4_000), ("4KiB", 4_096), ("1.5MB", 1_500_000), ("0B", 0), ("2GiB", 2_147_483_648), ("0.5kB", 500),
            ("1e3B", 1_000),
        ] as [(String, Int64)] { #expect(ScalarText.quantity(text, in: UnitTable.sizes) == bytes, "\(text)") }
        for text in ["4", "4 kB", "4k", "kB", "0.5B", "4KB", "", "B4", "1e30GB"] {
            #expect(ScalarText.quantity(text, in: UnitTable.sizes) == nil, "\(text)")
        }
        for (bytes, text) in [(4_096, "4KiB"), (4_000, "4kB"), (1_023, "1023B"), (0, "0B"), (3_000_000_000, "3GB")]
            as [(Int64, String)]
        {
            #expect(Form.text(bytes: bytes) == text && ScalarText.quantity(text, in: UnitTable.sizes) == bytes)
        }
    }

    /// Each block of the how-to that shows keys, put into one scenario.
    @Test func `the examples of the how-to are right`() throws {
        let text = try String(contentsOf: Golden.repository.appending(path: "docs/refresh-service.md"), encoding: .utf8)
        let all = text.matches(of: /(?s)```yaml\n(.*?)```/).map { String($0.1) }
        let regions = try #require(all.first { $0.contains("failover:") })
        let blocks = all.filter { $0 != regions }
        #expect(blocks.count == 10)
        // The first stands alone; the others are parts of one service.
        let kinds = blocks.dropFirst().compactMap {
            $0.split(separator: "kinds:\n").count == 2 ? String($0.split(separator: "kinds:\n")[1]) : nil
        }
        let keys = blocks.dropFirst().map { String($0.split(separator: "kinds:\n")[0]) }.joined()
        let more = "  - {id: map, endpoint: tiles, policy: {after: 1h}}\n"
        let whole =
            ScenarioReaderTests.head.replacingOccurrences(of: "duration: 1d", with: "duration: 5d") + "service:\n"
            + keys + "kinds:\n"
            + kinds.joined() + more + ScenarioReaderTests.population
        let read = try ScenarioReader.read(
            text: whole,
            overrides: [
                "service.pools.origin.servers=30", "service.endpoints.forecast.cache.ttl=15m",
                "service.events.slow.brown_out.capacity=0.25",
            ])
        #expect(
            read.scenario.service?.events.count == 5
                && read.warnings() == [
                    "service.regions.europe-west: it has no effect, because no request comes from there"
                ])
        let least = ScenarioReaderTests.head + blocks[0] + ScenarioReaderTests.kinds + ScenarioReaderTests.population
        #expect(try ScenarioReader.read(text: least).scenario.service?.pools.count == 1)
        let regional = try ScenarioReader.read(
            text: ScenarioReaderTests.head.replacingOccurrences(of: "duration: 1d", with: "duration: 5d")
                + "service:\n  retries: 1\n" + regions
                + "kinds: [{id: weather, endpoint: forecast, policy: {after: 30m}}]\n"
                + "population:\n  cities: {New York: 0.4, Los Angeles: 0.3, London: 0.3}\n"
                + "  devices: [{instances: [{id: here, kind: weather}]}]\n",
            overrides: [
                "service.pools=[{id: east, servers: 1, service_time: 1ms}, {id: west, servers: 1, service_time: 1ms}]"
            ])
        #expect(regional.scenario.service?.failovers.count == 2 && regional.warnings().isEmpty)
    }

    @Test func `every assumption of the service states its evidence`() {
        let lines = KeyCatalogue.lines.filter { $0.path.hasPrefix("service.") }
        #expect(lines.count > 70)
        for line in lines where line.entry.sweep != nil { #expect(line.entry.evidence != nil, "\(line.path)") }
    }
}
