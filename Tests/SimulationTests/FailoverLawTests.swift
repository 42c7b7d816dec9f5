import Basics
import RefreshService
import RunLaws
import Simulation
import Statistics
import Testing

/// A region that is lost, and the one that takes its devices, on whole runs (S7).
///
/// Rules: S7.
@Suite struct FailoverLawTests {
    /// Devices of two coasts that ask every minute; New York's region is lost from 12:20 to 12:40. The report begins at
    /// 12:10.
    private static func text(people: Int = 6_000, _ more: String = "", failover: String) -> String {
        """
        start: "2026-03-10T12:00:00-04:00"
        warmup: 10m
        duration: 50m
        people: \(people)
        parameters: {gates: none, dispatch_delay: 0s, coalesce_within: 0s}
        kinds: [{id: a, app: a, policy: {after: 1m}}]
        population:
          cities: {New York: 0.5, Los Angeles: 0.5}
          movement: {commute: {share: 0}, outings: {per_day: 0}, travel: {per_year: 0}}
          environment: {text_size_per_year: 0, accessibility_per_year: 0, language_per_year: 0, region_per_year: 0, account_per_year: 0, reboots_per_day: 0}
          devices: [{kind: phone, instances: [{id: first, kind: a}]}]
        service:
          latency_out: 20ms
          latency_back: 20ms
          failure_after: 1m
          pools: [{id: east, servers: unlimited, service_time: 10ms}, {id: west, servers: unlimited, service_time: 10ms}]
          endpoints: [{id: a, pools: {us-east: east, us-west: west}}]
          events: [{outage: {name: lost, region: us-east, span: [20m, 40m]}}]
          failover: \(failover)
        \(more)
        """
    }

    private static func run(_ text: String, _ overrides: [String] = [], threads: Int = 2) throws -> RunResult {
        try ServiceFixtures.run(Fixtures.scenario(text, overrides), threads: threads)
    }

    /// A field of one pool, minute by minute of the report.
    private static func minutes(_ result: RunResult, _ field: ServiceField, pool: Int) throws -> [Int64] {
        let service = try #require(result.service)
        return (0..<service.minutes).map { minute in
            (0..<service.regions).reduce(0) { $0 + service[field, pool: pool, region: $1, minute: minute] }
        }
    }

    private static let byName = "[{region: us-east, to: us-west, ttl: 60s, return: {after: 0s}}]"

    /// Checks at 12:20:00, 10 and 20 notice it; by 12:21:20 every resolver has turned. All are back by 12:41:20.
    @Test func `a failover without limits loses nothing once resolvers have turned`() throws {
        let result = try Self.run(Self.text(failover: Self.byName))
        let (east, west) = (
            try Self.minutes(result, .offered, pool: 0), try Self.minutes(result, .offered, pool: 1)
        )
        let refused = try Self.minutes(result, .refused, pool: 0)
        #expect(try Self.minutes(result, .refused, pool: 1).allSatisfy { $0 == 0 })
        for minute in 0..<50 {
            let isLost = minute == 10 || minute == 11
            #expect(
                isLost ? refused[minute] > 0 && refused[minute] <= east[minute] + 10 : refused[minute] == 0, "\(minute)"
            )
            #expect(isLost || (5_500...6_500).contains(east[minute] + west[minute]), "\(minute)")
            if (12..<30).contains(minute) { #expect(east[minute] == 0, "\(minute)") }
            if !(10...31).contains(minute) { #expect((2_800...3_200).contains(east[minute]), "\(minute)") }
        }
        // Half of the receiving region's requests have come from the other one.
        let service = try #require(result.service)
        for minute in 12..<30 {
            let (all, moved) = (
                service[.requests, receiver: 0, minute: minute], service[.moved, receiver: 0, minute: minute]
            )
            #expect(all == west[minute] && (2_800...3_200).contains(moved), "\(minute)")
            #expect(service[.largestSecond, receiver: 0, minute: minute] >= all / 60)
        }
        #expect((0..<10).allSatisfy { service[.moved, receiver: 0, minute: $0] == 0 })
        #expect((32..<50).allSatisfy { service[.moved, receiver: 0, minute: $0] == 0 })
    }

    @Test func `an outage without a failover is one to the end`() throws {
        let result = try Self.run(Self.text(failover: "[]"))
        let (offered, refused) = (
            try Self.minutes(result, .offered, pool: 0), try Self.minutes(result, .refused, pool: 0)
        )
        // Those in service as it begins are refused, too.
        let lost = refused.reduce(0, +) - offered[10..<30].reduce(0, +)
        #expect((0..<10).contains(lost) && refused[30...].allSatisfy { $0 == 0 })
        #expect(try #require(result.service).receivers == 0)
    }

    /// Every first try of the lost region fails and its second succeeds.
    @Test func `the next address saves every second try`() throws {
        let result = try Self.run(
            Self.text(failover: "[{region: us-east, to: us-west, by: next_address}]"),
            ["service.retries=1", "service.retry_delays=[0s]"])
        let refused = try Self.minutes(result, .refused, pool: 0)
        #expect((10..<30).allSatisfy { (2_700...3_300).contains(refused[$0]) })
        #expect(try Self.minutes(result, .refused, pool: 1).allSatisfy { $0 == 0 })
        let moved = try Self.minutes(result, .retries, pool: 1)
        #expect(moved.reduce(0, +) == refused.reduce(0, +))
    }

    @Test func `a drain loses nothing, and a share that ignores the time to live comes late`() throws {
        let drained = try Self.run(
            Self.text(
                failover: "[{region: us-east, to: us-west, drain: [[20m, 40m]], ignores_ttl: {share: 0.5, for: 10m}}]"),
            ["service.events=[]"])
        for pool in 0...1 { #expect(try Self.minutes(drained, .refused, pool: pool).allSatisfy { $0 == 0 }) }
        let left = try Self.minutes(drained, .offered, pool: 0)
        // A minute after the time to live half of the devices are there, less two tenths of the others.
        #expect((1_000...1_250).contains(left[12]) && left[21] == 0 && (2_800...3_200).contains(left[45]), "\(left)")
    }

    @Test func `a return in parts is a staircase`() throws {
        let result = try Self.run(
            Self.text(failover: "[{region: us-east, to: us-west, ttl: 1s, return: {after: 0s, over: 6m, parts: 4}}]"))
        let east = try Self.minutes(result, .offered, pool: 0)
        // Well at 12:40:20: a quarter each at 0, 2, 4 and 6 minutes.
        for (minute, share) in [(31, 0.25), (33, 0.5), (35, 0.75), (38, 1.0)] {
            #expect((0.85...1.15).contains(Double(east[minute]) / (3_000 * share)), "\(east)")
        }
    }

    /// The receiving region's servers meet the requests of both: their share that waits is Erlang's for the summed
    /// rate.
    @Test func `the waits of the receiving region are those of the summed load`() throws {
        // 2 x 3,000 devices every 300 s within half a minute more or less: 20 requests a second, 0.4 s each.
        let result = try Self.run(
            Self.text(failover: "[{region: us-east, to: us-west, ttl: 1s, drain: [[10m, 20d]]}]"),
            [
                "service.events=[]", "kinds.a.policy={after: 5m, jitter: {plus_minus: 2m}}", "warmup=1h",
                "duration=6h", "service.pools.west.servers=10", "service.pools.west.service_time={mean: 400ms}",
            ])
        let admitted = try Self.minutes(result, .admitted, pool: 1).map(Double.init)
        let waited = try Self.minutes(result, .waited, pool: 1).map(Double.init)
        #expect(try Self.minutes(result, .offered, pool: 0).allSatisfy { $0 == 0 })
        let all = admitted.reduce(0, +)
        let load = all / (6 * 3_600) * 0.4
        let share = waited.reduce(0, +) / all
        let expected = Erlang.waiting(servers: 10, load: load)
        print(
            "ORACLE | failover: share that waits, load \(load) of 10 | \(expected) | \(all) requests | 0.03 | \(share) |"
        )
        #expect((share - expected).magnitude < 0.03, "\(share) and \(expected)")
    }

    @Test(arguments: [
        byName, "[{region: us-east, to: us-west, by: next_address, detour: 30ms}]",
        "[{region: us-east, to: europe-west, ttl: 5m, return: {over: 3m}, ignores_ttl: {}}]",
    ]) func `threads and windows change no byte of a failover`(failover: String) throws {
        let text = Self.text(people: 800, failover: failover)
        let overrides = [
            "service.retries=2", "service.pools.west.servers=1", "service.pools.west.service_time={mean: 80ms}",
            "service.latency_back={median: 50ms, p95: 200ms, minimum: 20ms}", "kinds.a.requests_per_reload=2",
            "population.apps.a.background_fetch={every: 5m, share: 0.5}",
        ]
        let first = try Self.run(text, overrides, threads: 1)
        #expect(try Self.run(text, overrides, threads: 2).fingerprint == first.fingerprint)
        var cut = try Fixtures.scenario(text, overrides)
        cut.serviceWindow = Duration(microseconds: 7_777)
        #expect(try ServiceFixtures.run(cut).fingerprint == first.fingerprint)
        #expect(try ServiceFixtures.run(cut, keepsWhole: true).fingerprint == first.fingerprint)
        let other = try Self.run(text, overrides + ["service.failover=[]"])
        #expect(other.fingerprint != first.fingerprint)
    }
}
