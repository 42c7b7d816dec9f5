import Basics
import Statistics
import Testing

@testable import RefreshService

/// Planned events of the service, in cases small enough to work out by hand (S2, S4, T6). Instants are milliseconds.
///
/// Rules: S4.
@Suite struct ServiceEventTests {
    private static func at(_ milliseconds: Int64) -> Instant { .start + .milliseconds(milliseconds) }

    private static func request(
        _ person: Int, at milliseconds: Int64, key: Int64 = 0, endpoint: Int = 0, region: Int = 0,
        patience: Int64 = 60_000,
        isPrivate: Bool = false
    ) -> ServiceRequest {
        ServiceHarness.request(
            at: milliseconds * 1_000, person: person, key: key, endpoint: endpoint, region: region,
            patience: UInt32(patience * 1_000),
            isPrivate: isPrivate)
    }

    private static func pool(servers: Int? = 1, service_ms: Double = 10, queueLimit: Int? = nil, drops: Bool = false)
        -> OriginPool
    {
        OriginPool(
            name: "p", servers: servers, serviceTime: .init(.constant(service_ms / 1_000)), queueLimit: queueLimit,
            dropsTimedOutWork: drops,
            retryAfter: .seconds(7))
    }

    private static func outcome(
        _ pool: OriginPool, _ requests: [ServiceRequest], cache: EdgeCache? = nil,
        regions: [EdgeRegion] = [EdgeRegion()],
        events: [ServiceEvent] = [], end: Int64 = 100_000
    ) throws -> ServiceHarness.Outcome {
        let plan = RefreshPlan(
            pools: [pool], endpoints: [ServiceEndpoint(pool: 0, cache: cache)], regions: regions, events: events)
        return try ServiceHarness.run(plan, requests, end: at(end))
    }

    /// The answers that each person learned and when: `12` for content that was made at 12 ms, `!` for an error, each
    /// with the time of the answer.
    private static func lines(_ outcome: ServiceHarness.Outcome) -> [String] {
        outcome.answers.sorted { ($0.person, $0.sequence) < ($1.person, $1.sequence) }.map { answer in
            let content = answer.isError ? "!" : "\(answer.madeAt.microseconds / 1_000)"
            return "\(answer.person): \(content) at \(answer.at.microseconds / 1_000)"
        }
    }

    private static func event(_ effect: ServiceEvent.Effect, _ from: Int64, _ to: Int64) -> ServiceEvent {
        ServiceEvent(name: "e", effect, from: at(from), to: at(to))
    }

    // MARK: Order and admission

    @Test func `requests of one instant are served by person, slot and sequence`() throws {
        var requests: [ServiceRequest] = []
        for person in 0..<3 {
            for slot in 0..<2 as Range<UInt8> {
                for sequence in 0..<2 as Range<UInt32> {
                    requests.append(ServiceHarness.request(at: 1_000, person: person, sequence: sequence, slot: slot))
                }
            }
        }
        let answers = try Self.outcome(Self.pool(), requests).answers.sorted { $0.at < $1.at }
        #expect(
            answers.map { [UInt32($0.person), UInt32($0.slot), $0.sequence] }
                == requests.map { [$0.person, UInt32($0.slot), $0.sequence] })
    }

    @Test func `ties at the origin are by person, whichever edge was reached first`() throws {
        let regions = [EdgeRegion(), EdgeRegion(originOut: .init(.constant(0.005)))]
        let requests = [Self.request(9, at: 0, region: 1), Self.request(4, at: 5), Self.request(8, at: 5)]
        #expect(
            try Self.lines(Self.outcome(Self.pool(), requests, regions: regions)) == [
                "4: 15 at 15", "8: 25 at 25", "9: 35 at 35",
            ])
    }

    @Test func `a full queue sheds with its Retry-After, and a server freed at the instant takes the request`() throws {
        let requests = [
            Self.request(1, at: 0), Self.request(2, at: 1), Self.request(3, at: 2), Self.request(4, at: 10),
        ]
        let outcome = try Self.outcome(Self.pool(queueLimit: 1), requests)
        #expect(Self.lines(outcome) == ["1: 10 at 10", "2: 20 at 20", "3: ! at 2", "4: 30 at 30"])
        #expect(outcome.answers.first(where: \.isError)?.retryAfter == .seconds(7))
        #expect(outcome.measures.total(.shedByQueue) == 1)
    }

    @Test func `an answer at the deadline is in time, and work given up is dropped or wasted`() throws {
        let requests = [
            Self.request(1, at: 0, patience: 10), Self.request(2, at: 1, patience: 9),
            Self.request(3, at: 2, patience: 7),
            Self.request(4, at: 3, patience: 27),
        ]
        // Person 2 gives up as its turn comes, which is not before it; person 3 before.
        let dropped = try Self.outcome(Self.pool(drops: true), requests)
        #expect(Self.lines(dropped) == ["1: 10 at 10", "4: 30 at 30"])
        #expect(
            dropped.measures.total(.dropped) == 1 && dropped.measures.total(.wasted) == 1
                && dropped.measures.total(.timedOut) == 2)
        let executed = try Self.outcome(Self.pool(), requests)
        #expect(Self.lines(executed) == ["1: 10 at 10"])
        #expect(executed.measures.total(.completed) == 4 && executed.measures.total(.wasted) == 3)
    }

    // MARK: Events

    @Test
    func `an outage fails what waits, what is served and what comes, but not what is served at its first instant`()
        throws
    {
        // In silence the clients give up 60 s after they came. Nothing ends after them, so nobody knows whether it is
        // well.
        let requests = [
            Self.request(1, at: 0), Self.request(2, at: 5), Self.request(3, at: 11), Self.request(4, at: 25),
            Self.request(5, at: 29),
            Self.request(6, at: 30),
        ]
        let loud = try Self.outcome(
            Self.pool(), requests, events: [Self.event(.outage(pool: nil, isSilent: false), 20, 30)])
        #expect(
            Self.lines(loud) == ["1: 10 at 10", "2: 20 at 20", "3: ! at 20", "4: ! at 25", "5: ! at 29", "6: 40 at 40"])
        #expect(loud.measures.total(.lostInOutage) == 3 && loud.measures.total(.refused) == 3)
        let silent = try Self.outcome(
            Self.pool(), requests, events: [Self.event(.outage(pool: 0, isSilent: true), 18, 30)], end: 150_000)
        #expect(Self.lines(silent) == ["1: 10 at 10", "6: 40 at 40"])
        #expect(silent.measures.total(.lostInOutage) == 4 && silent.measures.total(.timedOut) == 4)
        // The busy time of what was killed ends with it.
        #expect(silent.measures.total(.busyTime) == 28_000 && silent.measures.total(.queueTime) == 5_000 + 7_000)
        #expect(
            silent.measures.recoveries == [
                .init(event: 0, pool: 0, end: Self.at(30), queueEmptyAt: Self.at(30), healthyAt: .never)
            ])
    }

    @Test func `brown-outs leave shares of servers, slow what begins, and multiply`() throws {
        let requests = (0..<8).map { Self.request($0, at: 10) }
        let events = [
            Self.event(.brownOut(pool: 0, capacity: 0.5, slowdown: 2), 5, 30),
            Self.event(.brownOut(pool: 0, capacity: 0.5, slowdown: 1.5), 5, 25),
        ]
        // One of the four servers begins, at 10, and takes 30 ms; at 25 there are two, so one more begins and takes 20;
        // at 30 all four, at full speed.
        let outcome = try Self.outcome(Self.pool(servers: 4), requests, events: events)
        #expect(
            Self.lines(outcome) == [
                "0: 40 at 40", "1: 45 at 45", "2: 40 at 40", "3: 40 at 40", "4: 50 at 50", "5: 50 at 50", "6: 50 at 50",
                "7: 55 at 55",
            ])
        // 4 servers but for 20 ms with 1 and 5 ms with 2.
        #expect(outcome.measures[.serverTime, pool: 0, minute: 0] == 4 * 60_000_000 - 3 * 20_000 - 2 * 5_000)
        #expect(
            outcome.measures[.presentTime, pool: 0, minute: 0] == 4 * 60_000_000,
            "servers out of work are there all the same")
        #expect(outcome.measures[.servers, pool: 0, minute: 0] == 4)
    }

    @Test func `machines that are lost take what they serve with them, evenly, and come back`() throws {
        var pool = Self.pool(servers: 4)
        pool.machine = MachineType()
        pool.machine?.slots = 2
        let requests = (0..<8).map { Self.request($0, at: 10) }
        let loss = Self.event(.machineLoss(pool: 0, servers: 2), 15, 40)
        let outcome = try Self.outcome(pool, requests, events: [loss])
        // Every other one of the four in service fails; the other machine serves two at a time.
        #expect(
            Self.lines(outcome) == [
                "0: 20 at 20", "1: ! at 15", "2: 20 at 20", "3: ! at 15", "4: 30 at 30", "5: 30 at 30", "6: 40 at 40",
                "7: 40 at 40",
            ])
        #expect(outcome.measures.total(.lostInOutage) == 2)
        #expect(outcome.measures.total(.busyTime) == 6 * 10_000 + 2 * 5_000)
        #expect(outcome.measures[.serverTime, pool: 0, minute: 0] == 4 * 60_000_000 - 2 * 25_000)
        #expect(outcome.measures[.presentTime, pool: 0, minute: 0] == 4 * 60_000_000 - 2 * 25_000, "it is not there")
        // The other machine goes, too: with it all that is left, two who begin at 20.
        let rest = try Self.outcome(
            pool, requests, events: [loss, Self.event(.machineLoss(pool: 0, servers: 2), 22, 40)])
        #expect(rest.measures.total(.lostInOutage) == 4)
        #expect(Self.lines(rest).suffix(4) == ["4: ! at 22", "5: ! at 22", "6: 50 at 50", "7: 50 at 50"])
        // More machines than there are.
        let all = Self.event(.machineLoss(pool: 0, servers: 6), 15, 40)
        let none = try Self.outcome(pool, requests, events: [all])
        #expect(none.measures.total(.lostInOutage) == 4)
        #expect(Self.lines(none).suffix(4) == ["4: 50 at 50", "5: 50 at 50", "6: 50 at 50", "7: 50 at 50"])
    }

    @Test func `a deploy replaces whole machines`() {
        var machine = MachineType()
        machine.slots = 4
        #expect([0, 1, 4, 5, 8].map(machine.whole) == [0, 4, 4, 8, 8])
        #expect(ServiceEvent.Effect.part(0.25, of: 16, in: machine) == 4)
        #expect(ServiceEvent.Effect.part(0.25, of: 20, in: machine) == 8)
        #expect(ServiceEvent.Effect.part(0.07, of: 100, in: nil) == 7)
    }

    @Test func `a stall at the instant of another's end lets nothing through`() throws {
        let events = [
            Self.event(.brownOut(pool: 0, capacity: 0, slowdown: 1), 20, 30),
            Self.event(.brownOut(pool: 0, capacity: 0, slowdown: 1), 5, 20),
        ]
        let outcome = try Self.outcome(
            Self.pool(servers: 2), [Self.request(1, at: 0), Self.request(2, at: 6)], events: events)
        #expect(Self.lines(outcome) == ["1: 10 at 10", "2: 40 at 40"])
        #expect(outcome.measures.recoveries.map(\.queueEmptyAt) == [Self.at(30), Self.at(30)])
    }

    @Test func `recoveries are one for an event and a pool, and a queue that an outage empties is empty`() throws {
        let stall = ServiceEvent.Effect.brownOut(pool: 0, capacity: 0.5, slowdown: 1)
        let events = [
            Self.event(.outage(pool: nil, isSilent: false), 3_000, 4_500), Self.event(stall, 0, 1_000),
            Self.event(.purge(endpoint: nil, region: nil), 6_000, 6_000),
            Self.event(.purge(endpoint: 1, region: nil), 7_000, 7_000),
            Self.event(stall, 90_000, 100_000),
        ]
        // The first server of two is busy for 5 s with the second of two requests behind it when the outage comes.
        let plan = RefreshPlan(
            pools: [Self.pool(service_ms: 5_000), Self.pool()],
            endpoints: [ServiceEndpoint(pool: 0), ServiceEndpoint(pool: 1, cache: Self.cache)], regions: [EdgeRegion()],
            events: events)
        let requests = [
            Self.request(0, at: 1_000), Self.request(1, at: 1_100), Self.request(2, at: 4_600, patience: 1_000),
        ]
        let measures = try ServiceHarness.run(plan, requests, end: Self.at(100_000)).measures
        func recovery(_ event: Int, _ pool: Int, _ end: Int64, empty: Int64, healthy: Int64?)
            -> ServiceMeasures.Recovery
        {
            .init(
                event: event, pool: pool, end: Self.at(end), queueEmptyAt: Self.at(empty),
                healthyAt: healthy.map(Self.at) ?? .never)
        }
        // The third request is given up at 5.6 s; before 1 s nothing waits, and at 1 s nobody does yet. Where the next
        // event begins less than a minute later, or no request ends, no minute can be healthy.
        #expect(
            measures.recoveries == [
                recovery(0, 0, 4_500, empty: 4_500, healthy: nil), recovery(0, 1, 4_500, empty: 4_500, healthy: nil),
                recovery(1, 0, 1_000, empty: 1_000, healthy: nil), recovery(2, 1, 6_000, empty: 6_000, healthy: nil),
                recovery(3, 1, 7_000, empty: 7_000, healthy: nil),
            ])
    }

    @Test func `a queue that an outage empties has recovered`() throws {
        let events = [
            Self.event(.brownOut(pool: 0, capacity: 0, slowdown: 1), 0, 100),
            Self.event(.outage(pool: 0, isSilent: false), 120, 200),
        ]
        let requests = (0..<50).map { Self.request($0, at: 50) }
        let outcome = try Self.outcome(Self.pool(), requests, events: events)
        #expect(outcome.measures.recoveries.map(\.queueEmptyAt) == [Self.at(120), Self.at(200)])
        #expect(outcome.measures.total(.served) == 2 && outcome.measures.total(.refused) == 48)
        // The second request's service ends at the outage's first instant: it is served, and the third does not begin.
        #expect(outcome.measures.total(.lostInOutage) == 48)
    }

    @Test func `a deploy takes its parts out one after another`() throws {
        // Ten servers, three at a time: 7, 7, 7 and 9 are left for a second each.
        let outcome = try Self.outcome(
            Self.pool(servers: 10), [],
            events: [Self.event(.deploy(pool: 0, share: 0.3, step: .seconds(1)), 1_000, 5_000)])
        #expect(outcome.measures[.serverTime, pool: 0, minute: 0] == 10 * 60_000_000 - (3 + 3 + 3 + 1) * 1_000_000)
        // With all at once it is a stall.
        let all = try Self.outcome(
            Self.pool(servers: 10), [Self.request(1, at: 1_500)],
            events: [Self.event(.deploy(pool: 0, share: 1, step: .seconds(2)), 1_000, 3_000)])
        #expect(Self.lines(all) == ["1: 3010 at 3010"])
        #expect(all.measures.secondsOut == [1] && all.measures.secondsOverCapacity == [0])
    }

    // MARK: The edge

    private static let cache = EdgeCache(
        timeToLive: .milliseconds(100), staleWhileRevalidate: .milliseconds(50), staleIfError: .milliseconds(1_000),
        fetchTimeout: .milliseconds(400))

    @Test func `an object is fresh, then stale and revalidated once, then missed`() throws {
        let times: [Int64] = [0, 5, 10, 110, 111, 112, 121, 221, 271, 272]
        let requests = times.enumerated().map { Self.request($0.offset, at: $0.element) }
        let outcome = try Self.outcome(Self.pool(), requests, cache: Self.cache)
        // Made at 10 and fresh to 110; revalidated from 111, made at 121 and fresh to 221; stale to 271, and at 271
        // revalidated.
        #expect(
            Self.lines(outcome) == [
                "0: 10 at 10", "1: 10 at 10", "2: 10 at 10", "3: 10 at 110", "4: 10 at 111", "5: 10 at 112",
                "6: 121 at 121",
                "7: 121 at 221",
                "8: 121 at 271", "9: 281 at 281",
            ])
        let measures = outcome.measures
        #expect(
            measures.total(.collapsed) == 2 && measures.total(.hits) == 4 && measures.total(.staleWhileRevalidate) == 3)
        #expect(measures.total(.originRequests) == 3 && measures.total(.revalidations) == 2)
        #expect(measures.total(.edgeBytes) == 10 * 4_096 && measures.total(.originBytes) == 3 * 4_096)
    }

    @Test func `regions, keys and endpoints have objects of their own, and private content none`() throws {
        let requests = [
            Self.request(0, at: 0), Self.request(1, at: 20, key: 1), Self.request(2, at: 40, region: 1),
            Self.request(3, at: 60),
            Self.request(4, at: 80, isPrivate: true),
        ]
        let outcome = try Self.outcome(Self.pool(), requests, cache: Self.cache, regions: [EdgeRegion(), EdgeRegion()])
        #expect(Self.lines(outcome) == ["0: 10 at 10", "1: 30 at 30", "2: 50 at 50", "3: 10 at 60", "4: 90 at 90"])
    }

    @Test func `a failing fetch gives the stale object while that is good, and then an error`() throws {
        let requests = [
            Self.request(0, at: 0), Self.request(1, at: 500), Self.request(2, at: 1_110), Self.request(3, at: 1_111),
        ]
        let loud = try Self.outcome(
            Self.pool(), requests, cache: Self.cache,
            events: [Self.event(.outage(pool: 0, isSilent: false), 200, 5_000)])
        #expect(Self.lines(loud) == ["0: 10 at 10", "1: 10 at 500", "2: 10 at 1110", "3: ! at 1111"])
        #expect(loud.measures.total(.staleIfError) == 2)
        #expect(loud.answers.first(where: \.isError)?.retryAfter == .seconds(7))
        // In silence the edge waits for its time-out, and who comes by then, its last instant included, waits with the
        // first.
        let later = [0, 500, 700, 900, 901].enumerated().map { Self.request($0.offset, at: $0.element) }
        let silent = try Self.outcome(
            Self.pool(), later, cache: Self.cache, events: [Self.event(.outage(pool: 0, isSilent: true), 200, 901)])
        #expect(Self.lines(silent) == ["0: 10 at 10", "1: 10 at 900", "2: 10 at 900", "3: 10 at 900", "4: 911 at 911"])
    }

    @Test func `an answer at the time-out is in time, and one that comes later is not kept`() throws {
        let inTime = try Self.outcome(Self.pool(service_ms: 400), [Self.request(0, at: 0)], cache: Self.cache)
        #expect(Self.lines(inTime) == ["0: 400 at 400"])
        // The way to the origin takes all of it, and the rest nothing.
        let far = try Self.outcome(
            Self.pool(service_ms: 0), [Self.request(0, at: 0)], cache: Self.cache,
            regions: [EdgeRegion(originOut: .init(.constant(0.4)))])
        #expect(Self.lines(far) == ["0: 400 at 400"])
        let late = try Self.outcome(
            Self.pool(servers: 2, service_ms: 401), [Self.request(0, at: 0), Self.request(1, at: 402)],
            cache: Self.cache)
        #expect(Self.lines(late) == ["0: ! at 400", "1: ! at 802"])
        #expect(late.measures.total(.completed) == 2)
        #expect(late.answers.allSatisfy { $0.retryAfter == .zero })
    }

    @Test func `work whose client has given up still fills the cache`() throws {
        let requests = [Self.request(0, at: 0, patience: 5), Self.request(1, at: 20)]
        let outcome = try Self.outcome(Self.pool(), requests, cache: Self.cache)
        #expect(Self.lines(outcome) == ["1: 10 at 20"])
        #expect(outcome.measures.total(.wasted) == 1 && outcome.measures.total(.timedOut) == 1)
    }

    @Test func `a fetch that is dropped fails for all who wait for it, and the next one serves`() throws {
        let requests = [
            Self.request(0, at: 0, key: 1), Self.request(1, at: 1, patience: 5), Self.request(2, at: 2),
            Self.request(3, at: 11),
        ]
        let outcome = try Self.outcome(Self.pool(drops: true), requests, cache: Self.cache)
        #expect(Self.lines(outcome) == ["0: 10 at 10", "2: ! at 10", "3: 21 at 21"])
        #expect(outcome.measures.total(.dropped) == 1 && outcome.measures.total(.timedOut) == 1)
    }

    @Test func `an older answer does not replace a newer one`() throws {
        // The first fetch of a cache that does not collapse is made first and takes a long way back.
        let cache = EdgeCache(timeToLive: .milliseconds(100), collapses: false)
        let regions = [EdgeRegion(originBack: .init(.uniform(min: 0, max: 0.05)))]
        let requests = (0..<40).map { Self.request($0, at: 1) } + [Self.request(99, at: 70)]
        let outcome = try Self.outcome(Self.pool(), requests, cache: cache, regions: regions, end: 1_000)
        let newest = try #require(
            outcome.answers.filter { $0.at <= Self.at(70) && $0.person != 99 }.map(\.madeAt).max())
        #expect(outcome.answers.first { $0.person == 99 }?.madeAt == newest)
        #expect(outcome.measures.total(.originRequests) == 40)
    }

    @Test func `a purge forgets, and a fetch under way answers and is not kept`() throws {
        let requests = [
            Self.request(0, at: 0), Self.request(1, at: 6), Self.request(2, at: 20), Self.request(3, at: 30),
            Self.request(4, at: 50),
        ]
        // The first fetch is purged at 5: the second request starts one of its own. Another purge at 30 comes before
        // the request of that instant.
        let events = [
            Self.event(.purge(endpoint: nil, region: nil), 5, 5), Self.event(.purge(endpoint: 0, region: 0), 30, 30),
        ]
        let outcome = try Self.outcome(Self.pool(servers: 2), requests, cache: Self.cache, events: events)
        #expect(Self.lines(outcome) == ["0: 10 at 10", "1: 16 at 16", "2: 16 at 20", "3: 40 at 40", "4: 40 at 50"])
        let elsewhere = try Self.outcome(
            Self.pool(), [Self.request(0, at: 0), Self.request(1, at: 20)], cache: Self.cache,
            regions: [EdgeRegion(), EdgeRegion()],
            events: [Self.event(.purge(endpoint: 0, region: 1), 15, 15)])
        #expect(Self.lines(elsewhere) == ["0: 10 at 10", "1: 10 at 20"])
    }

    // MARK: Seconds over capacity

    @Test func `a second is over capacity by servers or by the rate limit`() throws {
        // 10 ms on one server: 100 a second are what it takes. 101 come in the second second, 100 in the fourth.
        let requests =
            (0..<101).map { Self.request($0, at: 1_000 + Int64($0) * 9) }
            + (0..<100).map { Self.request(200 + $0, at: 3_000 + Int64($0) * 9) }
        #expect(try Self.outcome(Self.pool(), requests).measures.secondsOverCapacity == [1])
        var pool = Self.pool(servers: nil)
        #expect(try Self.outcome(pool, requests).measures.secondsOverCapacity == [0])
        pool.rateLimit = RateLimit(rate: 99_000_000, burst: 1_000)
        #expect(try Self.outcome(pool, requests).measures.secondsOverCapacity == [2])
        // Half of the servers for half of the fourth second leave three quarters.
        let half = Self.event(.brownOut(pool: 0, capacity: 0.5, slowdown: 1), 3_000, 3_500)
        #expect(
            try Self.outcome(Self.pool(servers: 2, service_ms: 15.1), requests, events: [half]).measures
                .secondsOverCapacity == [1])
        #expect(
            try Self.outcome(Self.pool(servers: 2, service_ms: 14.8), requests, events: [half]).measures
                .secondsOverCapacity == [0])
    }

    @Test func `a second of an outage is not over capacity, and one that it leaves a part of can be`() throws {
        // One server of 10 ms is out from 2.0 to 4.5 s; one request comes in every tenth of a second.
        let requests = (0..<60).map { Self.request($0, at: Int64($0) * 100) }
        let out = Self.event(.outage(pool: 0, isSilent: false), 2_000, 4_500)
        let measures = try Self.outcome(Self.pool(), requests, events: [out]).measures
        #expect(measures.secondsOut == [2] && measures.secondsOverCapacity == [0])
        // At 60 ms each, half a second is too little for the ten requests of the fifth second.
        let slow = try Self.outcome(Self.pool(service_ms: 60), requests, events: [out]).measures
        #expect(slow.secondsOut == [2] && slow.secondsOverCapacity == [1])
        // Nobody asks: there is nothing that it fails to do.
        #expect(try Self.outcome(Self.pool(), [], events: [out]).measures.secondsOut == [0])
    }
}
