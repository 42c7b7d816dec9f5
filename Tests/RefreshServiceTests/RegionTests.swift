import Basics
import Statistics
import Testing

@testable import RefreshService

/// Regions that are lost, their pools, and who notices (S2, S4, S7), in cases small enough to work out by hand.
///
/// Rules: S7.
@Suite struct RegionTests {
    private static func at(_ milliseconds: Int64) -> Instant { .start + .milliseconds(milliseconds) }

    private static func request(
        _ person: Int, at milliseconds: Int64, key: Int64 = 0, region: Int, patience: Int64 = 60_000,
        isMoved: Bool = false
    ) -> ServiceRequest {
        ServiceHarness.request(
            at: milliseconds * 1_000, person: person, key: key, region: region, patience: UInt32(patience * 1_000),
            attempt: isMoved ? 1 | ServiceRequest.movedBit : 1)
    }

    /// The answers that each person learned and when: `12` for content that was made at 12 ms, `!` for an error.
    private static func lines(_ outcome: ServiceHarness.Outcome) -> [String] {
        outcome.answers.sorted { $0.person < $1.person }.map { answer in
            let content = answer.isError ? "!" : "\(answer.madeAt.microseconds / 1_000)"
            return "\(answer.person): \(content) at \(answer.at.microseconds / 1_000)"
        }
    }

    // MARK: Health checks

    private static let check = HealthCheck(interval: .seconds(10), threshold: 3)

    private static func losses(_ outages: [(Int64, Int64)], end: Int64 = 1_000) -> [[Int64]] {
        check.losses(
            in: outages.map { NameTurn(from: .start + .seconds($0.0), to: .start + .seconds($0.1)) },
            end: .start + .seconds(end)
        ).map { [$0.from, $0.to].map { $0 == .never ? -1 : $0.microseconds / 1_000_000 } }
    }

    @Test func `three checks in a row notice an outage and its end`() {
        // Failures at 30, 40 and 50 s; successes at 100, 110 and 120 s.
        #expect(Self.losses([(25, 100)]) == [[50, 120]])
        // A span includes its beginning and not its end.
        #expect(Self.losses([(30, 60)]) == [[50, 80]])
        #expect(Self.losses([(25, 50)]).isEmpty && Self.losses([(25, 51)]) == [[50, 80]])
        #expect(Self.losses([]).isEmpty)
    }

    @Test func `checks see no more of an outage than their own instants`() {
        // Three short outages, each with one check in it, and none between them.
        #expect(Self.losses([(25, 31), (35, 41), (45, 51)]) == [[50, 80]])
        #expect(Self.losses([(25, 31), (45, 51), (65, 71)]).isEmpty)
        // An outage between two checks is none; one at 110 s makes the successes begin again.
        #expect(Self.losses([(25, 100), (115, 116)]) == [[50, 120]])
        #expect(Self.losses([(25, 100), (105, 111)]) == [[50, 140]])
        // Overlapping outages are one, in whatever order they stand.
        #expect(Self.losses([(60, 100), (25, 70)]) == [[50, 120]])
        #expect(Self.losses([(25, 100), (225, 300)]) == [[50, 120], [250, 320]])
    }

    @Test func `an end that the run does not see never comes`() {
        #expect(Self.losses([(25, 400)], end: 200) == [[50, -1]])
        #expect(Self.losses([(25, 100)], end: 120) == [[50, -1]])
        #expect(Self.losses([(25, 100)], end: 50).isEmpty)
    }

    // MARK: A lost region

    private static func plan(
        _ events: [ServiceEvent], pools: [Int: Int] = [:], cache: EdgeCache? = nil, failovers: [Failover] = []
    ) -> RefreshPlan {
        RefreshPlan(
            pools: ["a", "b"].map { OriginPool(name: $0, servers: 1, serviceTime: .init(.constant(0.01))) },
            endpoints: [ServiceEndpoint(pool: 0, regionalPools: pools, cache: cache)],
            regions: [EdgeRegion(), EdgeRegion(originBack: .init(.constant(0.004)))], events: events,
            failovers: failovers)
    }

    private static func lost(_ plan: RefreshPlan, silent: Bool = false, from: Int64 = 100, to: Int64 = 200)
        -> [ServiceEvent]
    {
        [
            ServiceEvent(
                name: "lost", .regionOutage(region: 1, pools: plan.ownPools(ofRegion: 1), isSilent: silent),
                from: at(from), to: at(to))
        ]
    }

    @Test func `each region's requests go to its own pool`() throws {
        let requests = [Self.request(0, at: 10, region: 0), Self.request(1, at: 10, region: 1)]
        let apart = try ServiceHarness.run(Self.plan([], pools: [1: 1]), requests, end: Self.at(1_000))
        #expect(Self.lines(apart) == ["0: 20 at 20", "1: 20 at 24"])
        let together = try ServiceHarness.run(Self.plan([]), requests, end: Self.at(1_000))
        #expect(Self.lines(together) == ["0: 20 at 20", "1: 30 at 34"])
        let plan = Self.plan([], pools: [1: 1])
        #expect(plan.ownPools(ofRegion: 0) == [0] && plan.ownPools(ofRegion: 1) == [1])
        #expect(Self.plan([]).ownPools(ofRegion: 1).isEmpty && Self.plan([]).pools(ofRegion: 1) == [0])
    }

    /// Region 0 has an answer at once from its cache, and region 1 has none: what it keeps is out of reach, too.
    @Test(arguments: [true, false]) func `a lost region answers nothing, and the others as ever`(ownPool: Bool) throws {
        var plan = Self.plan([], pools: ownPool ? [1: 1] : [:], cache: EdgeCache(timeToLive: .seconds(100)))
        plan.events = Self.lost(plan)
        let requests = [
            Self.request(0, at: 10, region: 0), Self.request(1, at: 50, region: 1),
            // A fetch of another object is under way as the region is lost.
            Self.request(2, at: 95, key: 7, region: 1), Self.request(3, at: 96, key: 7, region: 1),
            Self.request(4, at: 150, region: 0), Self.request(5, at: 150, region: 1),
            Self.request(6, at: 199, region: 1), Self.request(7, at: 200, region: 1),
        ]
        let outcome = try ServiceHarness.run(plan, requests, end: Self.at(1_000))
        // Its own pool fails at 100 ms; a shared one makes the answer at 105 ms, which comes to an edge that is lost.
        let back = ownPool ? 104 : 109
        #expect(
            Self.lines(outcome) == [
                "0: 20 at 20", "1: 60 at 64", "2: ! at \(back)", "3: ! at \(back)", "4: 20 at 150", "5: ! at 150",
                "6: ! at 199", "7: 60 at 200",
            ])
        let pool = ownPool ? 1 : 0
        #expect(outcome.measures.total(.refused, pool: pool) == 4)
        #expect(outcome.measures.recoveries.map(\.pool) == [pool])
    }

    @Test func `a silent region says nothing`() throws {
        var plan = Self.plan([], cache: EdgeCache(timeToLive: .seconds(100), staleIfError: .seconds(100)))
        plan.events = Self.lost(plan, silent: true)
        let requests = [
            Self.request(0, at: 95, region: 1), Self.request(1, at: 150, region: 1, patience: 20),
            Self.request(2, at: 250, region: 1),
        ]
        let outcome = try ServiceHarness.run(plan, requests, end: Self.at(100_000))
        #expect(Self.lines(outcome) == ["2: 260 at 264"])
        #expect(outcome.measures.total(.timedOut) == 2)
    }

    /// A cached fetch that times out while its region is lost brings nobody the stale object of that edge.
    @Test func `a lost edge has no stale objects either`() throws {
        let cache = EdgeCache(timeToLive: .zero, staleIfError: .seconds(100), fetchTimeout: .milliseconds(20))
        var plan = Self.plan([], cache: cache)
        plan.pools[0].serviceTime = .init(.constant(0.015))
        plan.events = Self.lost(plan, from: 110)
        plan.events.append(
            ServiceEvent(
                name: "slow", .brownOut(pool: 0, capacity: 1, slowdown: 10), from: Self.at(95), to: Self.at(150)))
        let requests = [Self.request(0, at: 10, region: 1), Self.request(1, at: 100, region: 1)]
        let outcome = try ServiceHarness.run(plan, requests, end: Self.at(10_000))
        #expect(Self.lines(outcome) == ["0: 25 at 29", "1: ! at 120"])
    }

    // MARK: What a region receives

    @Test func `the largest second of a region tells who comes from elsewhere`() throws {
        let failovers = [Failover(region: 0, to: 1, way: .nextAddress)]
        let plan = Self.plan([], failovers: failovers)
        var requests: [ServiceRequest] = []
        // Second 0 has three requests, second 61 four with three moved, second 62 four with none.
        for (second, moved, own) in [(0, 1, 2), (61, 3, 1), (62, 0, 4)] as [(Int64, Int, Int)] {
            for i in 0..<moved + own {
                requests.append(
                    Self.request(requests.count, at: second * 1_000 + Int64(100 * i), region: 1, isMoved: i < moved))
            }
            requests.append(Self.request(requests.count, at: second * 1_000 + 900, region: 0))
        }
        let measures = try ServiceHarness.run(plan, requests, end: Self.at(180_000)).measures
        func minute(_ minute: Int) -> [Int64] {
            ReceiverField.allCases.map { measures[$0, receiver: 0, minute: minute] }
        }
        #expect(minute(0) == [3, 1, 3, 1, 0] && minute(1) == [8, 3, 4, 3, 1] && minute(2) == [0, 0, 0, 0, 0])
        #expect(measures.total(.retries) == 0)
        #expect(try ServiceHarness.run(Self.plan([]), requests, end: Self.at(180_000)).measures.receivers == 0)
    }

    // MARK: Closed forms

    /// Without a cache regions are names: two that share an origin lose and serve what one region of both does, request
    /// by request, and as many as Erlang's loss formula has it.
    @Test func `two regions that share an origin are one region of both`() throws {
        let count = 400_000
        let both = ServiceHarness.poisson(rate: 800, count: count, seed: 71)
        var apart = both
        for i in apart.indices {
            apart[i].region = UInt16(RandomStream(seed: 72, person: UInt64(i), purpose: .resampling).value(at: 0) & 1)
        }
        let pool = OriginPool(name: "p", servers: 10, serviceTime: .init(.exponential(mean: 0.01)), queueLimit: 0)
        func run(_ requests: [ServiceRequest], regions: Int) throws -> ServiceHarness.Outcome {
            let plan = RefreshPlan(
                pools: [pool], endpoints: [ServiceEndpoint(pool: 0)],
                regions: Array(repeating: EdgeRegion(), count: regions))
            return try ServiceHarness.run(plan, requests, end: requests[count - 1].arrival + .seconds(60))
        }
        let (one, two) = (try run(both, regions: 1), try run(apart, regions: 2))
        #expect(one.measures.total(.shedByQueue) == two.measures.total(.shedByQueue))
        #expect(one.measures.total(.served) == two.measures.total(.served))
        func sorted(_ outcome: ServiceHarness.Outcome) -> [Int64] {
            outcome.answers.sorted { $0.person < $1.person }.map(\.at.microseconds)
        }
        #expect(sorted(one) == sorted(two))
        let lost = BatchMean(one.answers.sorted { $0.person < $1.person }.map { $0.isError ? 1 : 0 })
        // Erlang B of 10 servers and 8 erlang.
        #expect(
            OracleLine.check(
                "two regions, one origin, load 8 of 10: share lost", 0.121661064, sample: "\(count) requests",
                tolerance: 5 * lost.standardError, measured: lost.mean))
    }
}
