import Foundation
import RefreshService
import RunLaws
import ScenarioModel
import Testing

@testable import Simulation

/// Services whose regions share nothing: they run part by part, and ranks divide the parts.
@Suite(.serialized) struct RegionRankTests {
    /// Four regions in three parts: the two coasts are joined by a failover.
    private static func scenario(people: Int, duration: String = "8h") throws -> Scenario {
        try Fixtures.scenario(
            """
            start: "2026-03-04T06:00:00-05:00"
            warmup: 1h
            duration: \(duration)
            people: \(people)
            parameters: {gates: none}
            kinds:
              - {id: inbox, policy: {after: 20m}, content_key: user}
              - {id: news, policy: {after: 30m}, endpoint: news}
            population:
              cities: {New York: 0.35, Los Angeles: 0.15, London: 0.3, Berlin: 0.2}
              movement: {travel: {per_year: 0}}
              devices: [{kind: phone, instances: [{id: one, kind: inbox}, {id: two, kind: news}]}]
            service:
              timeout: 6s
              retries: 2
              back_off: {kind: full, base: 1s, cap: 8s}
              failure_after: 2m
              pools:
                - {id: east, servers: 1, service_time: {median: 1s, p95: 4s}, queue: 5}
                - {id: west, servers: 1, service_time: 500ms}
                - id: london
                  servers: 1
                  machine: {slots: 1}
                  service_time: {shape: 2, mean: 1s}
                  autoscaling: {target: 0.5, least: 1, most: 3, lag: 90s}
                - {id: berlin, servers: 2, machine: {slots: 1}, service_time: 800ms, rate_limit: {per_minute: 20, burst: 5}}
                - {id: papers, servers: 1, service_time: 300ms}
              endpoints:
                - {id: inbox, pools: {us-east: east, us-west: west, europe-west: london, europe-central: berlin}}
                - id: news
                  pools: {us-east: papers, us-west: papers, europe-west: london, europe-central: berlin}
                  cache: {ttl: 5m, stale_if_error: 1h}
              failover: [{region: us-west, to: us-east, ttl: 5m, detour: 30ms}]
              background:
                - {id: web, endpoint: news, rate: 0.05, keys: 30, zipf: 0.8, region: europe-central}
                - {id: feed, endpoint: news, rate: 0.02, regions: {us-east: 0.5, us-west: 0.5}}
              events:
                - outage: {name: all, span: [3h, 3h10m]}
                - outage: {name: coast, span: [4h, 5h], region: us-west}
                - brown_out: {name: slow, span: [2h, 6h], pool: london, capacity: 0.5, slowdown: 2}
                - deploy: {name: release, at: 5h, pool: berlin, step: 2m}
                - purge: {name: empty, at: 6h}
                - machine_loss: {name: rack, span: [3h10m1s, 3h20m], pool: london}
                - machine_loss: {name: racks, span: [3h10m2s, 3h15m], pool: berlin}
            """)
    }

    private static func expectEqual(_ a: RunResult, _ b: RunResult, _ what: String) throws {
        #expect(a.fingerprint == b.fingerprint, "\(what)")
        #expect(a.counts == b.counts, "\(what)")
        let (x, y) = (try a.files(), try b.files())
        for (file, content) in x where file != "manifest.json" { #expect(y[file] == content, "\(what): \(file)") }
    }

    private static func joined(_ scenario: Scenario) throws -> RunResult {
        let run = try ScenarioRun(scenario).begin(threads: 1, joinsParts: true)
        #expect(run.advance())
        return run.result()
    }

    @Test func `a service in parts has the same reports as in one`() throws {
        let scenario = try Self.scenario(people: 300)
        let plan = try #require(scenario.service)
        #expect(plan.parts(joinsAll: false).map(\.regions.count) == [2, 1, 1])
        #expect(plan.parts(joinsAll: true).map(\.regions.count) == [4])
        for people in [97, 150, 300] {
            // With few people nobody asks at the end: there are only requests from outside the fleet.
            let scenario = try Self.scenario(people: people)
            let joined = try Self.joined(scenario)
            for threads in [1, 2] {
                let result = try #require(ScenarioRun(scenario).run(threads: threads))
                try Self.expectEqual(joined, result, "\(people) people, \(threads) threads")
            }
        }
    }

    @Test(arguments: [1, 2, 3, 4, 7]) func `ranks that divide the regions have the reports of one process`(ranks: Int)
        throws
    {
        let scenario = try Self.scenario(people: 700)
        let joined = try Self.joined(scenario)
        let outcomes = try RankedRun.outcomes(scenario, ranks: ranks, threads: ranks % 2 == 0 ? [1, 2] : [2, 1])
        #expect(outcomes.allSatisfy { $0.lost == nil })
        try Self.expectEqual(joined, #require(outcomes[0].result), "\(ranks) ranks")
    }

    @Test func `ranks that share no region send hardly a message`() throws {
        let outcomes = try RankedRun.outcomes(try Self.scenario(people: 3_000), ranks: 3, threads: [1])
        let result = try #require(outcomes[0].result)
        let requests = (0..<result.load.endpoints).reduce(0) {
            $0 + result.load.tenths(of: $1).reduce(0) { $0 + Int($1) }
        }
        #expect(requests > 50_000)
        // One meeting in 50 ms at most.
        for outcome in outcomes { #expect(outcome.sent.messages < requests / 50, "\(outcome.sent) of \(requests)") }
    }

    /// Ranks hear of a pause when they next meet, up to 50 ms later. So the rank that is told waits at each of its
    /// windows, or it could be at its end by then.
    private static func isTold(_ window: Int, from first: Int) -> Bool {
        if window < first { return false }
        usleep(2_000)
        return true
    }

    @Test func `ranks that divide the regions continue on any number of ranks`() throws {
        let scenario = try Self.scenario(people: 400)
        let joined = try Self.joined(scenario)
        for (number, at) in [1, 2_000, 5_000, 9_000, 12_000].enumerated() {
            let (before, after) = [(3, 2), (2, 3), (1, 4), (7, 1), (4, 4)][number]
            // One rank alone is told to pause, at a window that it comes to.
            let first = try RankedRun.outcomes(
                scenario, ranks: before, threads: [1, 2],
                pauses: { rank, window in rank == before - 1 && Self.isTold(window, from: max(1, at / before)) })
            #expect(first.allSatisfy { $0.result == nil && $0.lost == nil && !$0.state.isEmpty }, "\(before) ranks")
            let second = try RankedRun.outcomes(scenario, ranks: after, threads: [2, 1], from: first.map(\.state))
            try Self.expectEqual(joined, #require(second[0].result), "from \(before) ranks on \(after)")
            // The run that was continued is interrupted and continued once more.
            let again = try RankedRun.outcomes(
                scenario, ranks: after, threads: [1], from: first.map(\.state),
                pauses: { $0 == 0 && Self.isTold($1, from: 500) })
            if again[0].result != nil { continue }
            let last = try RankedRun.outcomes(scenario, ranks: before, threads: [1], from: again.map(\.state))
            try Self.expectEqual(joined, #require(last[0].result), "from \(after) ranks on \(before)")
        }
    }

    /// The ranks that share a part hold answers back when they come to its end.
    @Test func `ranks at their end are interrupted by others that are not`() throws {
        let scenario = try Self.scenario(people: 400)
        let joined = try Self.joined(scenario)
        let first = try RankedRun.outcomes(
            scenario, ranks: 4, threads: [1],
            pauses: { rank, window in
                if rank < 3 || window < 500 { return false }
                // Long enough for the others to come to their end.
                sleep(2)
                return true
            })
        #expect(first.allSatisfy { $0.result == nil && $0.lost == nil && !$0.state.isEmpty })
        for ranks in [4, 1, 3] {
            let second = try RankedRun.outcomes(scenario, ranks: ranks, threads: [1], from: first.map(\.state))
            try Self.expectEqual(joined, #require(second[0].result), "on \(ranks) ranks")
        }
    }

    @Test func `people who travel join all regions`() throws {
        var scenario = try Self.scenario(people: 260)
        for index in scenario.plan.segments.indices {
            scenario.plan.segments[index].habits.movement.travel.perYear = 50
        }
        let joined = try Self.joined(scenario)
        let outcomes = try RankedRun.outcomes(scenario, ranks: 3, threads: [1])
        try Self.expectEqual(joined, #require(outcomes[0].result), "3 ranks")
    }

    // MARK: Division

    /// Parts of one region and one pool each.
    private static func division(_ weights: [Double], ranks: Int) -> [(ranks: Range<Int>, parts: [Int])] {
        ServiceDivision(weights.indices.map { ServicePart(regions: [$0], pools: [$0]) }, weights: weights, ranks: ranks)
            .groups.map { ($0.ranks, $0.parts) }
    }

    @Test func `parts are dealt by the people of their regions`() {
        let cases: [([Double], Int, [(Range<Int>, [Int])])] = [
            // One part is everybody's.
            ([1], 4, [(0..<4, [0])]),
            ([1, 1, 1], 1, [(0..<1, [0, 1, 2])]),
            // The longest first, each to the rank that has least.
            ([5, 4, 3, 2], 2, [(0..<1, [0, 3]), (1..<2, [1, 2])]),
            // Ranks that are left over share the heaviest parts.
            ([6, 3], 4, [(0..<3, [0]), (3..<4, [1])]),
            ([8, 1, 1], 4, [(0..<3, [0]), (3..<4, [1, 2])]),
            ([1, 1], 2, [(0..<1, [0]), (1..<2, [1])]),
        ]
        for (weights, ranks, expected) in cases {
            let groups = Self.division(weights, ranks: ranks)
            #expect(groups.map(\.ranks) == expected.map(\.0) && groups.map(\.parts) == expected.map(\.1), "\(groups)")
        }
        // Every rank and every part is in one group, whatever the weights; those of nobody too.
        for ranks in 1...20 {
            let groups = Self.division([0, 30, 2, 0, 11, 7, 7, 1], ranks: ranks)
            #expect(groups.flatMap { Array($0.ranks) } == Array(0..<ranks))
            #expect(groups.flatMap(\.parts).sorted() == Array(0..<8) && groups.allSatisfy { !$0.parts.isEmpty })
        }
    }
}
