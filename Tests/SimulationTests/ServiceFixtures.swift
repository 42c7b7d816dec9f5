import Basics
import Foundation
import ScenarioFiles
import ScenarioModel
import Simulation
import Statistics
import Testing

@testable import RefreshService

/// Fleets with a refresh service.
enum ServiceFixtures {
    /// The population of `everything.yaml`, with a service that has everything in it and too little of it for the
    /// fleet.
    ///
    /// - Parameter clients: keys of the block `service`: what clients do after a failure.
    static func everything(people: Int = 120, clients: String) throws -> Scenario {
        let shipped = try #require(Fixtures.shipped.first { $0.lastPathComponent == "everything.yaml" })
        let text = try String(contentsOf: shipped, encoding: .utf8)
        let service = try #require(text.range(of: "service:\n"))
        let after = try #require(text.range(of: "\npushes:"))
        return try Fixtures.scenario(
            text[..<service.lowerBound] + "service:\n" + indented(clients) + indented(everyPart(with: clients))
                + text[after.lowerBound...],
            [
                "people=\(people)", "warmup=1d", "duration=2d", "start=2026-03-04T00:00:00-05:00",
                "kinds.weather.requests_per_reload=2",
                "kinds.transit.requests_per_reload=3", "kinds.balance.content_key=user",
                "population.apps.weather.location_changes_per_year=60",
                "population.apps.weather.background_fetch={every: 3h, aligned: true, share: 0.7}",
                "population.apps.news.background_fetch={every: 2h, endpoint: updates, requests: 2}",
                "kinds.weather.snapshot_requests=2",
                "kinds.news.content=app", "kinds.news.requests_per_reload=0",
                "parameters.foreground_gap=40s", "kinds.weather.reload_on_close=true",
                "kinds.weather.taps_per_view=0.2", "kinds.weather.retries={refused: 1}",
                "kinds.weather.failure_after={timed_out: 3m, refused: 5m}", "kinds.transit.policy={after: served}",
            ])
    }

    /// The ways in which clients try again, and what they do with `Retry-After`.
    static let clients = [
        "retries: 3\nback_off: {kind: exponential, base: 700ms, factor: 3, cap: 20s}\nretry_after: heeded",
        "retries: 4\nback_off: {kind: full, base: 2s}\nretry_after: ignored\nretry_budget: {per_first_try: 0.2, most: 3}",
        "retries: 2\nback_off: {kind: equal, base: 1s}\nretry_after: heeded\nretry_budget: {per_first_try: 0.5, most: 2}",
        "retries: 5\nback_off: {kind: decorrelated, base: 1s, cap: 40s}\nretry_after: heeded",
        "retries: 2\nretry_delays: [0s, 3s]\nretry_after: ignored\nfailure: timeout",
        "retries: 2\nback_off: {kind: full, base: 1s}\nabandon: in_queue\ntimeout: {mean: 6s}\nfailure_after: {min: 3m, max: 6m}",
    ]

    /// The keys that what clients do states itself are left out.
    private static func everyPart(with clients: String) -> String {
        let stated = clients.split(separator: "\n").compactMap { $0.split(separator: ":").first }
        return everyPart.split(separator: "\n").filter { line in !stated.contains { line.hasPrefix($0 + ":") } }.joined(
            separator: "\n")
    }

    private static let everyPart = """
        failing: [[50h, 50h10m]]
        timeout: 6s
        failure_after: 4m
        origin_out: {median: 30ms, p95: 90ms}
        origin_back: {median: 25ms, p95: 80ms, minimum: 5ms}
        regions: [{id: us-west, latency_out: {median: 60ms, p95: 200ms, minimum: 30ms}, origin_out: 0s, origin_back: 2ms}]
        pools:
          - id: main
            servers: 2
            service_time: {median: 1500ms, p95: 6s}
            queue: 4
            timed_out_work: dropped
            rate_limit: {per_minute: 30, burst: 6}
            retry_after: 20s
            autoscaling: {target: 0.5, least: 1, most: 5, lag: 90s}
          - {id: side, servers: 1, service_time: 4s, queue: 3, retry_after: 5s}
        endpoints:
          - id: weather
            cache: {ttl: 10m, stale_while_revalidate: 2m, stale_if_error: 1h, fetch_timeout: 4s}
            response_size: 6kB
            not_modified: {size: 300B}
          - {id: transit, cache: {ttl: {median: 90s, p95: 4m}, collapse: false}, next_after: {median: 20m, p95: 1h}}
          - {id: balances, pool: side, cache: {ttl: 1h}}
          - {id: news, pool: side, cache: {ttl: 0s, stale_if_error: 20m}}
          - {id: lists, pool: side, pools: {us-west: main}}
        edge_capacity: 4
        failover: [{region: us-west, to: us-east, ttl: 5m, ignores_ttl: {share: 0.3, for: 1h}, return: {after: 2m, over: 20m}, detour: 30ms}]
        background:
          - {id: web, endpoint: weather, rate: 0.02, keys: 30, zipf: 0.8, timeout: {mean: 5s}}
          - {id: api, endpoint: lists, rate: 0.005, region: us-east}
          - {id: one, endpoint: news, rate: 0.01, regions: {us-east: 0.5, us-west: 0.5}}
        events:
          - outage: {name: loud, span: [34h, 34h20m], pool: side}
          - outage: {name: silent, span: [36h, 36h8m], answer: none}
          - outage: {name: coast, span: [41h, 42h10m], region: us-west}
          - brown_out: {name: slow, span: [44h, 47h], pool: main, capacity: 0.5, slowdown: 2}
          - brown_out: {name: stall, span: [57h, 57h5m], pool: side, capacity: 0}
          - deploy: {name: release, at: 60h, pool: main, step: 2m}
          - purge: {name: one, at: 40h, endpoint: weather, region: us-east}
          - purge: {name: all, at: 61h}
        """

    private static func indented(_ block: String) -> String {
        block.split(separator: "\n").map { "  " + $0 + "\n" }.joined()
    }

    /// Some thousand phones that ask every few minutes, for a pool that cannot keep up: clients wait for long, are
    /// refused, give up and try again.
    static func impatient() throws -> Scenario {
        try Fixtures.scenario(
            """
            start: "2026-03-04T12:00:00-05:00"
            warmup: 10m
            duration: 50m
            people: 4000
            parameters: {gates: none}
            kinds: [{id: a, policy: {after: 4m}}]
            population:
              devices: [{kind: phone, instances: [{id: first, kind: a}, {id: second, kind: a}]}]
            service:
              timeout: 15s
              retries: 2
              back_off: {kind: full, base: 2s, cap: 8s}
              pools: [{id: origin, servers: 30, service_time: {median: 1s, p95: 2s}, queue: 600}]
            """)
    }

    /// Thousands of phones that all ask within a minute, and a service that answers a part of them in time: windows in
    /// which many devices are decided for, while others give up.
    static func herd(people: Int = 3_000) throws -> Scenario { try Fixtures.scenario(herdText(people: people)) }

    /// The scenario as text, which ends with the keys of its service.
    static func herdText(people: Int) -> String {
        """
        name: herd
        start: "2026-03-04T00:00:00-05:00"
        warmup: 0s
        duration: 1d
        people: \(people)
        kinds:
          - {id: a, policy: {after: {at: ["09:30"], zone: America/New_York}, jitter: 20s}}
          - {id: b, policy: {after: {at: ["09:30"], zone: America/New_York}, jitter: 1m}, requests_per_reload: 2}
        population:
          zones: {America/New_York: 1}
          devices: [{kind: phone, instances: [{id: first, kind: a}, {id: second, kind: b}]}]
        service:
          latency_out: 20ms
          latency_back: {median: 60ms, p95: 300ms, minimum: 20ms}
          timeout: 1500ms
          retries: 4
          retry_delays: [0s, 0s, 50ms, 2s]
          failure_after: 1m
          pools: [{id: p, servers: 8, service_time: {median: 200ms, p95: 700ms}, queue: 60}]
          endpoints: [{id: b, cache: {ttl: 3s}}]
        """
    }

    /// A service that answers every request at once: servers without limit that take no time, beside the edge, and no
    /// cache. The spans in which the scenario's origin fails are outages.
    static func unlimited(for plan: FleetPlan) -> RefreshPlan {
        let failing = plan.requests.failing.enumerated().map { number, span in
            ServiceEvent(
                name: "failing-\(number + 1)", .outage(pool: nil, isSilent: plan.requests.failure == .timeout),
                from: span.from,
                to: span.to)
        }
        return RefreshPlan(
            pools: [OriginPool(name: "origin")], endpoints: plan.endpoints.map { _ in ServiceEndpoint(pool: 0) },
            regions: plan.regions.map { _ in EdgeRegion() }, events: failing)
    }

    static func run(_ scenario: Scenario, threads: Int = 2, keepsWhole: Bool = false) throws -> RunResult {
        try #require(try ScenarioRun(scenario).run(threads: threads, keepsWhole: keepsWhole))
    }

    /// The entries of a data package for its files.
    static func resources(of package: Data) throws -> [String: NSDictionary] {
        let root = try #require(try JSONSerialization.jsonObject(with: package) as? [String: Any])
        let resources = try #require(root["resources"] as? [NSDictionary])
        return Dictionary(uniqueKeysWithValues: resources.map { ($0["path"] as? String ?? "", $0) })
    }
}
