import Basics
import Statistics
import Testing

@testable import RefreshService

/// Laws that hold in any run, on one in which everything happens (S2, S4, S5).
///
/// Rules: S2.
@Suite struct ServiceLawTests {
    static let end = Instant.start + .seconds(400)
    static let reportFrom = Instant.start + .seconds(70)

    /// Two regions, two pools, a cached, a private and a plain endpoint, and each sort of event; some overlap, and some
    /// share an instant.
    static let plan: RefreshPlan = {
        func at(_ seconds: Int64) -> Instant { .start + .seconds(seconds) }
        let small = OriginPool(
            name: "small", servers: 20, serviceTime: .init(.lognormal(median: 0.03, sigma: 0.6)), queueLimit: 30,
            dropsTimedOutWork: true,
            rateLimit: RateLimit(rate: 90_000_000, burst: 20), retryAfter: .seconds(3),
            autoscaling: Autoscaling(
                target: 0.6, interval: .seconds(5), lag: .seconds(7), least: 10, most: 60, scaleDownWindow: .seconds(30)
            ))
        let large = OriginPool(name: "large", servers: 6, serviceTime: .init(.exponential(mean: 0.02)))
        let cache = EdgeCache(
            timeToLive: .seconds(4), staleWhileRevalidate: .seconds(2), staleIfError: .seconds(20),
            fetchTimeout: .milliseconds(900))
        let apart = EdgeCache(
            timeToLive: .seconds(3), collapses: false, staleWhileRevalidate: .seconds(1), fetchTimeout: .seconds(2))
        let far = EdgeRegion(
            originOut: .init(.exponential(mean: 0.01), shift: 0.02),
            originBack: .init(.exponential(mean: 0.01), shift: 0.02))
        return RefreshPlan(
            pools: [small, large],
            endpoints: [
                ServiceEndpoint(pool: 0, cache: cache), ServiceEndpoint(pool: 0),
                ServiceEndpoint(pool: 1, cache: apart, responseBytes: 100),
            ],
            regions: [EdgeRegion(capacity: 12), far],
            events: [
                .init(name: "silent", .outage(pool: 1, isSilent: true), from: at(100), to: at(110)),
                .init(name: "loud", .outage(pool: nil, isSilent: false), from: at(108), to: at(115)),
                .init(name: "brown", .brownOut(pool: 0, capacity: 0.5, slowdown: 1.5), from: at(150), to: at(200)),
                .init(name: "browner", .brownOut(pool: 0, capacity: 0.5, slowdown: 2), from: at(160), to: at(180)),
                .init(name: "stall", .brownOut(pool: 1, capacity: 0, slowdown: 1), from: at(180), to: at(190)),
                .init(name: "deploy", .deploy(pool: 0, share: 0.25, step: .seconds(10)), from: at(210), to: at(250)),
                .init(name: "purge", .purge(endpoint: nil, region: 1), from: at(250), to: at(250)),
                .init(name: "rack", .machineLoss(pool: 0, servers: 1), from: at(260), to: at(300)),
                .init(name: "racks", .machineLoss(pool: 1, servers: 3), from: at(280), to: at(330)),
                .init(name: "late", .purge(endpoint: 0, region: nil), from: at(399), to: at(399)),
            ],
            background: [
                .init(
                    name: "web", endpoint: 0,
                    rates: [
                        .init(from: .start, perSecond: 20), .init(from: at(200), perSecond: 5),
                        .init(from: at(400), perSecond: 0),
                    ],
                    regionWeights: [2, 1], keys: 30, zipfPower: 0.8, timeout: .init(.exponential(mean: 0.4))),
                .init(
                    name: "one", endpoint: 2,
                    rates: [.init(from: .start, perSecond: 10), .init(from: at(400), perSecond: 0)],
                    regionWeights: [1, 1], timeout: .init(.constant(0.3))),
            ])
    }()

    /// Some 110,000 requests, half of them at whole hundredths of a second, so that many share their instants; their
    /// order among those is theirs.
    static let requests: [ServiceRequest] = {
        var gaps = PoissonGaps(rate: 280, seed: 41)
        var stream = RandomStream(seed: 42, person: 0, purpose: .resampling)
        var requests: [ServiceRequest] = []
        while true {
            var at = gaps.next()
            if at >= end.microseconds { break }
            let u = stream.next()
            if u & 1 == 0 { at -= at % 10_000 }
            requests.append(
                ServiceHarness.request(
                    at: at, person: Int(u >> 1 & 4_095), sequence: UInt32(requests.count), slot: UInt8(u >> 13 & 3),
                    key: Int64(u >> 16 & 63),
                    endpoint: [0, 0, 1, 2][Int(u >> 24 & 3)], region: Int(u >> 26 & 1),
                    out: UInt32(20_000 + (u >> 28 & 16_383)),
                    back: UInt32(20_000 + (u >> 42 & 16_383)), patience: UInt32(400_000 + (u >> 44 & 524_287)),
                    attempt: UInt8(1 + (u >> 60 & 1)),
                    isPrivate: u >> 61 == 0))
        }
        return requests.sorted { $0.arrival < $1.arrival || $0.arrival == $1.arrival && $0.precedes($1) }
    }()

    static func run(cut: Duration?) throws -> ServiceHarness.Outcome {
        try ServiceHarness.run(plan, requests, end: end, reportFrom: reportFrom, cut: cut)
    }

    /// All that a run measures, as one list.
    private static func numbers(_ measures: ServiceMeasures) -> [Int64] {
        var numbers =
            measures.carriedIn + measures.backgroundCarriedIn + measures.secondsOverCapacity + measures.secondsOut
        for pool in 0..<measures.pools {
            for minute in 0..<measures.minutes {
                for field in PoolMinute.allCases { numbers.append(measures[field, pool: pool, minute: minute]) }
                for region in 0..<measures.regions {
                    for field in ServiceField.allCases {
                        numbers.append(measures[field, pool: pool, region: region, minute: minute])
                    }
                }
            }
            for latency in ServiceLatency.allCases {
                let (whole, series) = (measures[latency, pool: pool].whole, measures[latency, pool: pool].byMinute)
                numbers += whole.counts + [Int64(whole.sum), whole.largest.microseconds]
                series.withBytes { numbers += Array($0.bindMemory(to: Int64.self)) }
            }
        }
        for endpoint in 0..<plan.endpoints.count { numbers += measures.originLoad.tenths(of: endpoint).map(Int64.init) }
        return numbers
    }

    private static func bytes(_ answers: [ServiceAnswer]) -> [Int64] {
        answers.flatMap {
            [
                $0.at.microseconds, $0.madeAt.microseconds, Int64($0.person), Int64($0.sequence), Int64($0.instance),
                Int64($0.slot),
                $0.isError ? 1 : 0, $0.retryAfter.microseconds,
            ]
        }
    }

    @Test func `how a run is cut into calls changes nothing`() throws {
        let whole = try Self.run(cut: nil)
        // Everything happened, or the comparison would be worth little; no client says what it has (S10).
        for field in ServiceField.allCases where field != .notModified && field != .originNotModified {
            #expect((0..<2).contains { whole.measures.total(field, pool: $0) > 0 }, "\(field) never happened")
        }
        for cut in [Duration.milliseconds(20), .milliseconds(2), .seconds(60), .init(microseconds: 777_777)] {
            let parts = try Self.run(cut: cut)
            #expect(Self.bytes(parts.answers) == Self.bytes(whole.answers), "calls of \(cut.inSeconds) s")
            #expect(Self.numbers(parts.measures) == Self.numbers(whole.measures), "calls of \(cut.inSeconds) s")
            #expect(parts.measures.recoveries == whole.measures.recoveries)
        }
    }

    @Test func `each answer leaves the edge in its own call, and the service knows when it has something to do`() throws
    {
        let service = try SimulatedService(Self.plan, seed: 5, reportFrom: Self.reportFrom, end: Self.end)
        var answers: [ServiceAnswer] = []
        let backs = Dictionary(uniqueKeysWithValues: Self.requests.map { ($0.sequence, Int64($0.back)) })
        var next = 0
        var limit = Instant.start
        while limit < Self.end {
            let from = limit
            limit = min(limit + .milliseconds(50), Self.end)
            let first = next
            while next < Self.requests.count && Self.requests[next].arrival < limit { next += 1 }
            let due = service.nextAt
            Self.requests.withUnsafeBufferPointer {
                service.advance(UnsafeBufferPointer(rebasing: $0[first..<next]), to: limit, answers: &answers)
            }
            if first == next && due >= limit { #expect(answers.isEmpty) }
            #expect(service.nextAt >= limit)
            for answer in answers {
                let left = answer.at - Duration(microseconds: backs[answer.sequence]!)
                #expect(left >= from && left < limit)
            }
            answers.removeAll(keepingCapacity: true)
        }
        service.finish()
        #expect(service.nextAt == .never)
    }

    @Test func `offered is served and refused and timed out and in inFlight, at every minute`() throws {
        let outcome = try Self.run(cut: .seconds(1))
        let (measures, pools) = (outcome.measures, Self.plan.endpoints.map(\.pool))
        let answered = Dictionary(uniqueKeysWithValues: outcome.answers.map { ($0.sequence, $0) })
        #expect(answered.count == outcome.answers.count)
        /// When a request ended for its client, and how, from what the client knows.
        func ended(_ request: ServiceRequest) -> (Instant, ServiceField) {
            guard let answer = answered[request.sequence] else { return (request.deadline, .timedOut) }
            #expect(answer.at <= request.deadline)
            return (answer.at - Duration(microseconds: Int64(request.back)), answer.isError ? .refused : .served)
        }
        for pool in 0..<2 {
            for region in 0..<2 {
                let mine = Self.requests.filter { pools[Int($0.endpoint)] == pool && Int($0.region) == region }
                let ends = mine.map(ended)
                func inFlight(_ at: Instant) -> Int64 {
                    Int64(zip(mine, ends).count { $0.arrival < at && $1.0 >= at })
                }
                #expect(measures.carriedIn[pool * 2 + region] == inFlight(Self.reportFrom))
                var balance = measures.carriedIn[pool * 2 + region]
                for minute in 0..<measures.minutes {
                    let from = Self.reportFrom + .minutes(Int64(minute))
                    let to = min(from + .minutes(1), Self.end)
                    func count(_ field: ServiceField) -> Int64 {
                        measures[field, pool: pool, region: region, minute: minute]
                    }
                    for field in [ServiceField.served, .refused, .timedOut] {
                        #expect(
                            count(field) == Int64(ends.count { $0.1 == field && $0.0 >= from && $0.0 < to }),
                            "\(field) in minute \(minute)"
                        )
                    }
                    #expect(count(.offered) == count(.firstAttempts) + count(.retries))
                    balance += count(.offered) - count(.served) - count(.refused) - count(.timedOut)
                    #expect(balance == inFlight(to), "in flight at the end of minute \(minute)")
                }
            }
        }
    }

    @Test func `what the origin has got is what the load curve has, and each has one outcome`() throws {
        let measures = try Self.run(cut: nil).measures
        let load = (0..<3).map { endpoint in
            measures.originLoad.tenths(of: endpoint).reduce(Int64(0)) { $0 + Int64($1) }
        }
        #expect(measures.total(.originRequests, pool: 0) == load[0] + load[1])
        #expect(measures.total(.originRequests, pool: 1) == load[2])
        // Over the whole run nothing is carried in, and with the time after the last requests nothing is left.
        let whole = try ServiceHarness.run(Self.plan, Self.requests, end: Self.end + .seconds(60)).measures
        for pool in 0..<2 {
            func count(_ field: ServiceField) -> Int64 { whole.total(field, pool: pool) }
            #expect(
                count(.originRequests)
                    == count(.completed) + count(.dropped) + count(.shedByRate) + count(.shedByQueue)
                    + count(.lostInOutage))
            #expect(count(.wasted) <= count(.completed))
            #expect(count(.completed) == whole[.originTime, pool: pool].whole.total)
            #expect(count(.served) == whole[.responseTime, pool: pool].whole.total && count(.backgroundServed) > 0)
        }
    }

    @Test func `no span of time has more tokens than burst and rate allow`() throws {
        // Every admission of a run against every later one: 2,000 requests at 900/s against 300/s and a burst of 40.
        let requests = ServiceHarness.poisson(rate: 900, count: 2_000, seed: 43)
        let limit = RateLimit(rate: 300_000_001, burst: 40)
        let plan = RefreshPlan(
            pools: [OriginPool(name: "p", rateLimit: limit)], endpoints: [ServiceEndpoint(pool: 0)],
            regions: [EdgeRegion()])
        let outcome = try ServiceHarness.run(plan, requests, end: .start + .seconds(10))
        let admitted = outcome.answers.filter { !$0.isError }.map(\.madeAt.microseconds).sorted()
        #expect(admitted.count > 600 && outcome.answers.count == 2_000)
        for first in admitted.indices {
            for last in first..<admitted.count {
                let count = Int128(last - first + 1)
                let allowed =
                    Int128(limit.burst) * 1_000_000_000_000 + Int128(admitted[last] - admitted[first])
                    * Int128(limit.rate)
                #expect(count * 1_000_000_000_000 <= allowed)
            }
        }
        // And no token is kept back: a request is shed only if one more would have been too many in some span that ends
        // with it.
        let sent = outcome.answers.filter(\.isError).map(\.at.microseconds)
        for shed in sent {
            let before = admitted.filter { $0 <= shed }
            let isOver = before.indices.contains { first in
                let count = Int128(before.count - first + 1)
                return count * 1_000_000_000_000 > Int128(limit.burst) * 1_000_000_000_000 + Int128(
                    shed - before[first])
                    * Int128(limit.rate)
            }
            #expect(isOver, "a request is shed at \(shed) µs though there was a token")
        }
    }

    @Test func `the time of all requests at the origin is that which its queue and servers saw`() throws {
        let count = 500_000
        let requests = ServiceHarness.poisson(rate: 450, count: count, seed: 44)
        let pool = OriginPool(name: "p", servers: 10, serviceTime: .init(.gamma(shape: 2, mean: 0.02)))
        let plan = RefreshPlan(pools: [pool], endpoints: [ServiceEndpoint(pool: 0)], regions: [EdgeRegion()])
        let end = requests[count - 1].arrival + .seconds(60)
        let from = Instant.start + .seconds(100)
        let outcome = try ServiceHarness.run(plan, requests, end: end, reportFrom: from)
        let integral = outcome.measures.total(.queueSlotTime) + outcome.measures.total(.busyTime)
        let sojourns = outcome.measures[.originTime, pool: 0].whole.sum
        // The report's beginning cuts a few requests: Little's law holds within a thousandth. Over the whole run both
        // are the same.
        #expect(
            OracleLine.check(
                "Little's law: time in queue and service by the sum of sojourn times", 1, sample: "\(count) requests",
                tolerance: 0.001,
                measured: Double(integral) / Double(sojourns)))
        let whole = try ServiceHarness.run(plan, requests, end: end).measures
        #expect(Int128(whole.total(.queueTime) + whole.total(.busyTime)) == whole[.originTime, pool: 0].whole.sum)
        #expect(Int128(whole.total(.queueTime)) == whole[.queueWait, pool: 0].whole.sum)
    }

    @Test func `an unlimited service without a service time answers at the arrival`() throws {
        let requests = ServiceHarness.poisson(rate: 1_000, count: 10_000, seed: 45).map { request in
            var request = request
            request.back = 30_000
            return request
        }
        let plan = RefreshPlan(
            pools: [OriginPool(name: "p")], endpoints: [ServiceEndpoint(pool: 0)], regions: [EdgeRegion()])
        let answers = try ServiceHarness.run(plan, requests, end: .start + .seconds(60)).answers.sorted {
            $0.person < $1.person
        }
        #expect(answers.count == requests.count)
        for (request, answer) in zip(requests, answers) {
            #expect(
                !answer.isError && answer.madeAt == request.arrival && answer.at == request.arrival + .milliseconds(30))
        }
    }
}
