import Basics
import Statistics
import Testing

@testable import RefreshService

/// Edges that have room for some objects only (S2).
///
/// Rules: S2.
@Suite struct EdgeSizeTests {
    private static let cache = EdgeCache(timeToLive: .days(366))

    /// Che's approximation: an object stays for a time T after each request for it, which is such that as many objects
    /// are there as have room.
    private static func cheHitRatio(keys: Int, zipf: Double, capacity: Double) -> Double {
        let weights = (1...keys).map { DeterministicMath.pow(Double($0), -zipf) }
        let total = weights.reduce(0, +)
        let shares = weights.map { $0 / total }
        func there(_ time: Double) -> Double { shares.reduce(0) { $0 + 1 - DeterministicMath.exp(-$1 * time) } }
        var (low, high) = (0.0, 1.0)
        while there(high) < capacity { high *= 2 }
        for _ in 0..<60 {
            let middle = (low + high) / 2
            if there(middle) < capacity { low = middle } else { high = middle }
        }
        return shares.reduce(0) { $0 + $1 * (1 - DeterministicMath.exp(-$1 * high)) }
    }

    @Test(arguments: [
        (10_000, 0.8, 1_000), (10_000, 0.8, 100), (10_000, 0.8, 5_000), (10_000, 1.0, 1_000), (2_000, 0.6, 400),
    ])
    func `an edge that is full has the hits of Che's approximation`(keys: Int, zipf: Double, capacity: Int) throws {
        let minutes: Int64 = 26
        let measures = try BackgroundOracleTests.run(
            BackgroundOracleTests.steady(1_000, keys: keys, zipf: zipf), pool: OriginPool(name: "p"), cache: Self.cache,
            capacity: capacity,
            minutes: minutes, from: 6, seed: 10_000 + UInt64(capacity) + UInt64(zipf * 10))
        let expected = Self.cheHitRatio(keys: keys, zipf: zipf, capacity: Double(capacity))
        let (hits, offered) = (measures.total(.backgroundHits), measures.total(.backgroundOffered))
        #expect(measures.total(.hits) == hits)
        // A request at the microsecond of a fetch waits for it. Every fetch throws an object out once the edge is full.
        #expect(offered - hits - measures.total(.originRequests) <= 20)
        #expect((measures.total(.evicted) - measures.total(.originRequests)).magnitude <= 20)
        #expect(
            OracleLine.check(
                "LRU of \(capacity), \(keys) objects, Zipf \(zipf): hit ratio (Che)", expected,
                sample: "\(offered) requests",
                tolerance: 0.02 * expected, measured: Double(hits) / Double(offered)))
    }

    /// One request a second for each of these keys, in their order; which of them the edge answers at once.
    private static func hits(_ keys: [(key: Int64, endpoint: Int, region: Int)], capacity: Int?, purgeAt: Int64? = nil)
        throws -> [Bool]
    {
        let requests = keys.enumerated().map { second, one in
            ServiceHarness.request(
                at: Int64(second) * 1_000_000, person: second, key: one.key, endpoint: one.endpoint, region: one.region)
        }
        let plan = RefreshPlan(
            pools: [OriginPool(name: "p")],
            endpoints: [
                ServiceEndpoint(pool: 0, cache: cache),
                ServiceEndpoint(pool: 0, cache: EdgeCache(timeToLive: .milliseconds(1_500))),
            ],
            regions: [EdgeRegion(capacity: capacity), EdgeRegion()],
            events: purgeAt.map {
                [
                    .init(
                        name: "p", .purge(endpoint: 0, region: nil), from: .start + .seconds($0),
                        to: .start + .seconds($0))
                ]
            } ?? [])
        let answers = try ServiceHarness.run(plan, requests, end: .start + .seconds(1_000)).answers.sorted {
            $0.person < $1.person
        }
        return answers.map { $0.madeAt < Instant.start + .seconds(Int64($0.person)) }
    }

    private static func keys(_ text: String) -> [(key: Int64, endpoint: Int, region: Int)] {
        text.utf8.map { (Int64($0), 0, 0) }
    }

    @Test func `the object asked for least recently goes`() throws {
        // C takes the room of B, since A was asked for meanwhile; then B that of A, A that of C.
        #expect(
            try Self.hits(Self.keys("ABACABCC"), capacity: 2) == [false, false, true, false, true, false, false, true])
        #expect(try Self.hits(Self.keys("ABCABC"), capacity: 2) == Array(repeating: false, count: 6))
        #expect(try Self.hits(Self.keys("ABCABC"), capacity: 3) == [false, false, false, true, true, true])
        #expect(try Self.hits(Self.keys("ABCABC"), capacity: nil) == [false, false, false, true, true, true])
        #expect(try Self.hits(Self.keys("AAB"), capacity: 1) == [false, true, false])
    }

    @Test func `an object that has expired takes room until it goes, and one that is fetched again is the latest`()
        throws
    {
        // A and B of the second endpoint are fresh for a second and a half, so a third request finds them stale.
        func short(_ text: String) -> [(key: Int64, endpoint: Int, region: Int)] { text.utf8.map { (Int64($0), 1, 0) } }
        // A is stale at the third request and fetched again; then C takes the room of B, though B is no older than
        // that.
        #expect(
            try Self.hits(short("ABA") + Self.keys("C") + short("A"), capacity: 2) == [
                false, false, false, false, false,
            ])
        #expect(
            try Self.hits(Self.keys("XY") + short("A") + Self.keys("Y"), capacity: 2) == [false, false, false, true])
        // A takes the room of X, expires there, and Z takes that of Y.
        #expect(
            try Self.hits(Self.keys("XY") + short("A") + Self.keys("Y") + short("A") + Self.keys("ZY"), capacity: 2)
                == [false, false, false, true, false, false, false])
    }

    @Test func `regions have rooms of their own, and a purge makes room`() throws {
        let both = Self.keys("AB").flatMap { [$0, ($0.key, $0.endpoint, 1)] }
        #expect(try Self.hits(both + both, capacity: 1) == [false, false, false, false, false, true, false, true])
        // Before the fourth request all is purged: C and D then find room side by side.
        #expect(
            try Self.hits(Self.keys("ABACDCD"), capacity: 2, purgeAt: 3) == [
                false, false, true, false, false, true, true,
            ])
    }

    @Test func `an edge with room for all is one without a size`() throws {
        func measures(_ capacity: Int?) throws -> ServiceMeasures {
            var plan = ServiceLawTests.plan
            for region in plan.regions.indices { plan.regions[region].capacity = capacity }
            return try ServiceHarness.run(plan, ServiceLawTests.requests, end: ServiceLawTests.end).measures
        }
        let (without, wide) = (try measures(nil), try measures(1_000_000))
        for field in ServiceField.allCases {
            for pool in 0..<2 { #expect(without.total(field, pool: pool) == wide.total(field, pool: pool), "\(field)") }
        }
    }
}
