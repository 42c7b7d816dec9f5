import Basics
import RefreshService
import Reporting
import Simulation
import Testing

@testable import ScenarioFiles

/// Regions of a service: their pools, their outages, and how devices come from one to another (S2, S4, S7).
///
/// Rules: S7.
@Suite struct FailoverKeyTests {
    private static func read(_ more: String, _ overrides: [String] = []) throws -> ParsedScenario {
        try ScenarioReader.read(
            text: """
                start: "2026-03-02T00:00:00-05:00"
                duration: 1d
                people: 100
                kinds: [{id: weather, policy: {after: 30m}}, {id: tiles, policy: {after: 1h}}]
                population:
                  cities: {New York: 0.5, London: 0.5}
                  devices: [{instances: [{id: here, kind: weather}]}]
                service:
                  pools: [{id: home, servers: 2, service_time: 1ms}, {id: east, servers: 4, service_time: 1ms}, {id: maps, servers: 1, service_time: 1ms}]
                  endpoints: [{id: weather, pools: {us-east: east}}, {id: tiles, pool: maps}]
                \(more)

                """, overrides: overrides)
    }

    private static func at(_ seconds: Int64) -> Instant { .start + .seconds(seconds) }

    private static let lost = "  events: [{outage: {name: lost, region: us-east, span: [1h, 2h]}}]\n"

    private static func failover(_ text: String, events: String = lost, _ more: String = "") throws -> Failover {
        let read = try Self.read(events + more + "  failover: [\(text)]")
        let scenario = read.scenario
        #expect(scenario.plan.requests.failovers == scenario.service?.failovers)
        return try #require(scenario.plan.requests.failovers.first)
    }

    @Test func `an endpoint has a pool for all regions, and others for some`() throws {
        let service = try #require(try Self.read("").scenario.service)
        #expect(service.endpoints.map(\.pool) == [0, 2] && service.endpoints.map(\.regionalPools) == [[0: 1], [:]])
        #expect(service.pool(endpoint: 0, region: 0) == 1 && service.pool(endpoint: 0, region: 1) == 0)
        #expect(service.pool(endpoint: 1, region: 0) == 2 && service.regions(ofPool: 2, endpoint: 1) == [0, 1])
        #expect(service.ownPools(ofRegion: 0) == [1] && service.ownPools(ofRegion: 1) == [0])
        // A pool for each region leaves none for the rest.
        let warnings = try Self.read("", ["service.endpoints.weather.pools={us-east: east, europe-west: maps}"])
            .warnings()
        #expect(warnings.contains("service.pools.home: no endpoint goes to it"))
        #expect(
            try Self.read("", ["service.endpoints.weather.pools={oceania: east}"]).warnings().first
                == "service.endpoints.weather.pools.oceania: it has no effect, because no request comes from there")
    }

    @Test func `an event of a region is one of its edge and of its own pools`() throws {
        let events = try #require(
            try Self.read(
                """
                  events:
                    - outage: {name: lost, region: us-east, span: [1h, 2h], answer: none}
                    - brown_out: {name: slow, region: us-east, span: [3h, 4h], capacity: 0.5, slowdown: 2}
                """
            ).scenario.service
        ).events
        #expect(
            events == [
                ServiceEvent(
                    name: "lost", .regionOutage(region: 0, pools: [1], isSilent: true), from: Self.at(3_600),
                    to: Self.at(7_200)),
                ServiceEvent(
                    name: "slow", .brownOut(pool: 1, capacity: 0.5, slowdown: 2), from: Self.at(10_800),
                    to: Self.at(14_400)),
            ])
    }

    @Test func `a failover turns by name at the notice of health checks`() throws {
        // Failures at 3,600, 3,610 and 3,620 s; successes at 7,200, 7,210 and 7,220, and five minutes more.
        let plain = try Self.failover("{region: us-east, to: europe-west}")
        #expect(
            plain
                == Failover(
                    region: 0, to: 1,
                    way: .name(
                        NameTurns(turns: [NameTurn(from: Self.at(3_620), to: Self.at(7_520))], timeToLive: .seconds(60))
                    )
                ))
        let rich = try Self.failover(
            """
            {region: us-east, to: europe-west, by: name, health_check: {every: 30s, threshold: 2}, ttl: 5m, \
            ignores_ttl: {share: 0.1, for: 2h}, return: {after: 1m, over: 30m, parts: 3}, detour: 40ms, \
            drain: [[3h, 4h], [3h30m, 5h]]}
            """)
        #expect(rich.detour == .milliseconds(40))
        #expect(
            rich.way
                == .name(
                    NameTurns(
                        turns: [
                            NameTurn(from: Self.at(3_630), to: Self.at(7_290)),
                            NameTurn(from: Self.at(10_800), to: Self.at(18_000)),
                        ], timeToLive: .minutes(5), ignoringShare: 0.1, ignoredFor: .hours(2),
                        returnSpan: .minutes(30), returnParts: 3)))
        let next = try Self.failover("{region: us-east, to: europe-west, by: next_address}", "  retries: 1\n")
        #expect(next.way == .nextAddress)
    }

    @Test func `nobody need live in the region that receives`() throws {
        let scenario = try Self.read(Self.lost + "  failover: [{region: us-east, to: us-west}]").scenario
        #expect(scenario.plan.regions == ["us-east", "us-west", "europe-west"])
        #expect(scenario.service?.regions.count == 3 && scenario.service?.failovers.map(\.to) == [1])
        #expect(scenario.service?.endpoints[0].regionalPools == [0: 1])
        #expect(scenario.plan.peopleByRegion == [0.5, 0, 0.5])
    }

    @Test func `a resolved failover reads back as the same`() throws {
        let text = Self.lost + "  failover: [{region: us-east, to: europe-west, return: {over: 10m}, ignores_ttl: {}}]"
        let first = try Self.read(text)
        let second = try ScenarioReader.read(text: first.resolvedText)
        #expect(second.resolvedText == first.resolvedText)
        #expect(second.scenario.service?.failovers == first.scenario.service?.failovers)
        let set = try Self.read(text, ["service.failover.us-east.ttl=10m", "service.failover.us-east.return.over=0s"])
        guard case .name(let names)? = set.scenario.service?.failovers.first?.way else {
            Issue.record("no names")
            return
        }
        #expect(names.timeToLive == .minutes(10) && names.returnSpan == .zero && names.ignoringShare == 0.05)
    }

    @Test(arguments: [
        (
            "{region: us-east, to: us-east}",
            "service.failover.us-east.to: expected another region than the one that fails over, found 'us-east' itself"
        ),
        (
            "{region: us-east, to: europe-west}, {region: europe-west, to: us-west}",
            "service.failover.us-east.to: expected a region that does not fail over itself: a request takes one step, found 'europe-west', which has a failover of its own"
        ),
        (
            "{region: oceania, to: us-east}",
            "service.failover.oceania.region: expected a region in which people of the fleet live: us-east or europe-west, found 'oceania', from which no request comes"
        ),
        ("{region: us-eats, to: us-west}", "service.failover.us-eats.region: expected an edge region"),
        ("{region: us-east, to: mars}", "service.failover.us-east.to: expected an edge region"),
        ("{region: us-east}", "service.failover.us-east.to"),
        ("{region: us-east, to: us-west}, {region: us-east, to: europe-west}", "us-east"),
        ("{region: us-east, to: us-west, health_check: {every: 0s}}", "service.failover.us-east.health_check.every"),
        ("{region: us-east, to: us-west, drain: [[2h, 1h]]}", "expected a span that ends after it begins"),
    ]) func `failovers that cannot be are refused with place and cure`(text: String, problem: String) {
        do {
            _ = try Self.read(Self.lost + "  failover: [\(text)]")
            Issue.record("\(text) is read")
        } catch {
            #expect("\(error)".contains(problem), "\(error)")
        }
    }

    @Test(arguments: [
        (
            "outage: {name: a, region: us-east, pool: east, span: [1h, 2h]}",
            "service.events.a.outage.region: expected only one of pool and region, found both"
        ),
        ("outage: {name: a, region: mars, span: [1h, 2h]}", "service.events.a.outage.region: expected an edge region"),
        (
            "brown_out: {name: a, region: us-west, span: [1h, 2h], capacity: 0.5}",
            "service.events.a.brown_out.region: expected a region with a pool to itself: state it in `pools` of an endpoint, or name a pool, found 'us-west'"
        ),
    ]) func `events of regions that cannot be are refused`(text: String, problem: String) {
        do {
            _ = try Self.read(
                "  events: [{\(text)}]",
                [
                    "population.cities={New York: 0.4, London: 0.4, Los Angeles: 0.2}",
                    "service.endpoints.weather.pools={us-east: east}",
                ])
            Issue.record("\(text) is read")
        } catch {
            #expect("\(error)".contains(problem), "\(error)")
        }
    }

    @Test func `what has no effect is warned of`() throws {
        func warnings(_ failover: String, events: String = Self.lost) throws -> [String] {
            try Self.read(events + "  failover: [\(failover)]").warnings()
        }
        #expect(try warnings("{region: us-east, to: europe-west}").isEmpty)
        #expect(
            try warnings("{region: us-east, to: europe-west}", events: "") == [
                "service.failover.us-east: it has no effect, because no outage names its region and it has no drain"
            ])
        #expect(
            try warnings("{region: us-east, to: europe-west, health_check: {every: 1h}}") == [
                "service.failover.us-east.health_check: it has no effect, because no outage lasts until it is noticed"
            ])
        #expect(
            try warnings("{region: us-east, to: europe-west, by: next_address, ttl: 1m}") == [
                "service.failover.us-east.ttl: it has no effect by next_address, which no name decides",
                "service.failover.us-east.by: it has no effect, because retries is 0",
            ])
        #expect(
            try warnings("{region: us-east, to: europe-west, return: {parts: 3}}") == [
                "service.failover.us-east.return.parts: it has no effect, because over is 0s"
            ])
        #expect(
            try warnings(
                "{region: us-east, to: europe-west}",
                events: "  events: [{outage: {name: a, region: oceania, span: [1h, 2h]}}]\n"
            )
            .first == "service.events.a.outage.region: it has no effect, because no request comes from there")
        let none = try ScenarioReader.read(
            text: ScenarioReaderTests.head + ScenarioReaderTests.kinds + ScenarioReaderTests.population
                + "service: {failover: [{region: us-east, to: us-west}]}\n")
        #expect(none.warnings() == ["service.failover: it has no effect, because there are no pools"])
    }
}
