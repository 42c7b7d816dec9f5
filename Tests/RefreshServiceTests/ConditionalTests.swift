import Basics
import Statistics
import Testing

@testable import RefreshService

/// Conditional requests at pools and edges against closed forms (S10). Seeds are fixed; tolerances are five standard
/// errors.
///
/// Rules: S10.
@Suite struct ConditionalTests {
    /// The changes of one content: a Poisson process.
    private struct Changes: Sendable {
        let times: [Instant]

        init(rate: Double, seconds: Int, seed: UInt64 = 77) {
            var gaps = PoissonGaps(rate: rate, seed: seed)
            var times: [Instant] = []
            while (times.last ?? .start) < .start + .seconds(Int64(seconds)) {
                times.append(Instant(microseconds: gaps.next()))
            }
            self.times = times
        }

        /// When the version of content that was made at an instant ends.
        func end(_ madeAt: Instant) -> Instant {
            var (low, high) = (0, times.count)
            while low < high {
                let middle = (low + high) / 2
                if times[middle] <= madeAt { low = middle + 1 } else { high = middle }
            }
            return low < times.count ? times[low] : .never
        }
    }

    private static func plan(_ rule: NotModified, cache: EdgeCache? = nil, pool: OriginPool = OriginPool(name: "p"))
        -> RefreshPlan
    {
        var endpoint = ServiceEndpoint(pool: 0, cache: cache, responseBytes: 12_856)
        endpoint.notModified = rule
        return RefreshPlan(pools: [pool], endpoints: [endpoint], regions: [EdgeRegion()])
    }

    private static func run(
        _ plan: RefreshPlan, _ requests: [ServiceRequest], seconds: Int, changes: Changes? = nil
    ) throws -> ServiceHarness.Outcome {
        var ends: VersionEnds?
        if let changes { ends = { (_: Int, _: Int64, madeAt: Instant) in changes.end(madeAt) } }
        let service = try SimulatedService(
            plan, seed: 5, reportFrom: .start, end: .start + .seconds(Int64(seconds)), versionEnds: ends)
        var answers: [ServiceAnswer] = []
        requests.withUnsafeBufferPointer {
            service.advance($0, to: .start + .seconds(Int64(seconds)), answers: &answers)
        }
        service.finish()
        return ServiceHarness.Outcome(measures: service.measures, answers: answers)
    }

    /// A client that asks every so often for what it was answered last, made as its request came.
    private static func polls(every: Int, count: Int, _ changes: Changes) -> [ServiceRequest] {
        (0..<count).map { number in
            let at = Instant.start + .seconds(Int64(every * number))
            var request = ServiceHarness.request(at: at.microseconds, person: 1, sequence: UInt32(number))
            request.heldUntil = number == 0 ? .longAgo : changes.end(at - .seconds(Int64(every)))
            return request
        }
    }

    @Test func `polls find something new as often as the content changes between them`() throws {
        let (rate, every, count) = (1.0 / 3_000, 1_200, 20_000)
        let changes = Changes(rate: rate, seconds: every * count)
        let outcome = try Self.run(
            Self.plan(NotModified(bytes: 250)), Self.polls(every: every, count: count, changes),
            seconds: every * count)
        let measures = outcome.measures
        // Exactly the polls after a gap with a change, counted without the service.
        let changed = (1..<count).count { number in
            let at = Instant.start + .seconds(Int64(every * number))
            return changes.end(at - .seconds(Int64(every))) <= at
        }
        #expect(measures.total(.notModified) == Int64(count - 1 - changed))
        #expect(measures.total(.originNotModified) == measures.total(.notModified))
        #expect(
            measures.total(.edgeBytes) == Int64(changed + 1) * 12_856 + measures.total(.notModified) * 250)
        let share = 1 - DeterministicMath.exp(-rate * Double(every))
        #expect(
            OracleLine.check(
                "share of polls that find a change (every 20 min, one in 50 min)", share, sample: "\(count) polls",
                tolerance: 5 * (share * (1 - share) / Double(count)).squareRoot(),
                measured: 1 - Double(measures.total(.notModified)) / Double(count - 1)))
        // Whatever came is as old as its answer.
        #expect(outcome.answers.allSatisfy { $0.madeAt == $0.at })
    }

    @Test(arguments: [0.0, 0.8, 1.0])
    func `a share of those who have something is told so`(share: Double) throws {
        let requests = (0..<20_000).map { number -> ServiceRequest in
            var request = ServiceHarness.request(at: Int64(number) * 1_000, person: number)
            if number % 4 != 0 { request.heldUntil = .start }
            return request
        }
        let measures = try Self.run(Self.plan(NotModified(share: share)), requests, seconds: 30).measures
        let told = Double(measures.total(.notModified))
        #expect((told - 15_000 * share).magnitude <= 5 * (15_000 * share * (1 - share)).squareRoot())
        #expect(share != 1 || told == 15_000)
    }

    @Test func `an edge revalidates what it had, as renewal theory has it`() throws {
        let (rate, ttl, change, seconds) = (5.0, 60.0, 1.0 / 150, 400_000)
        let changes = Changes(rate: change, seconds: seconds)
        var gaps = PoissonGaps(rate: rate, seed: 31)
        var (requests, next): ([ServiceRequest], Int64) = ([], gaps.next())
        while next < Int64(seconds) * 1_000_000 {
            requests.append(ServiceHarness.request(at: next, person: requests.count, key: 7))
            next = gaps.next()
        }
        let cache = EdgeCache(timeToLive: .seconds(60))
        let measures = try Self.run(
            Self.plan(NotModified(bytes: 250), cache: cache), requests, seconds: seconds, changes: changes
        ).measures
        let fetches = measures.total(.originRequests)
        // Between two fetches lie the time to live and one gap: E e^(−μ(T + gap)) = e^(−μT) r/(r + μ).
        let same = DeterministicMath.exp(-change * ttl) * rate / (rate + change)
        #expect(
            OracleLine.check(
                "revalidations without news (5/s, TTL 60 s, a change in 150 s)", same, sample: "\(fetches) fetches",
                tolerance: 5 * (same * (1 - same) / Double(fetches)).squareRoot(),
                measured: Double(measures.total(.originNotModified)) / Double(fetches - 1)))
        #expect(
            measures.total(.originBytes)
                == measures.total(.originNotModified) * 250
                + (fetches - measures.total(.originNotModified)) * 12_856)
        // The clients have nothing: each gets the whole content.
        #expect(measures.total(.notModified) == 0)
        #expect(measures.total(.edgeBytes) == measures.total(.served) * 12_856)
    }

    @Test func `an edge tells a client that has the version of its object, whatever the ages`() throws {
        let changes = Changes(rate: 1.0 / 300, seconds: 100_000)
        let times = (0..<9_000).map { Instant.start + .seconds(10 * Int64($0)) }
        // Every ten seconds another client, whose content was made between 0 and 999 s before.
        let requests = times.enumerated().map { number, at -> ServiceRequest in
            var request = ServiceHarness.request(at: at.microseconds, person: number, key: 3)
            let age = Duration.seconds(Int64(number * 37 % 1_000))
            if at - .start > age { request.heldUntil = changes.end(at - age) }
            return request
        }
        let plan = Self.plan(NotModified(bytes: 250), cache: EdgeCache(timeToLive: .seconds(120)))
        let outcome = try Self.run(plan, requests, seconds: 90_000, changes: changes)
        let told = zip(outcome.answers.sorted { $0.at < $1.at }, requests).count { answer, request in
            request.heldUntil > .longAgo && changes.end(answer.madeAt) == request.heldUntil
        }
        #expect(outcome.measures.total(.notModified) == Int64(told) && told > 1_000)
    }

    @Test func `the shorter service is for those whose version outlasts it`() throws {
        let pool = OriginPool(name: "p", servers: 1, serviceTime: .init(.constant(0.7)))
        let plan = Self.plan(NotModified(bytes: 250, serviceTime: .init(.constant(0.007))), pool: pool)
        let ends: [Int64] = [-1, 6_999, 7_000, 7_001, 700_001]
        let requests = ends.enumerated().map { number, end -> ServiceRequest in
            var request = ServiceHarness.request(at: Int64(number) * 10_000_000, person: number)
            if end >= 0 { request.heldUntil = request.arrival + Duration(microseconds: end) }
            return request
        }
        let outcome = try Self.run(plan, requests, seconds: 60)
        let times = outcome.answers.sorted { $0.at < $1.at }.enumerated().map { number, answer in
            (answer.at - requests[number].arrival).microseconds
        }
        // What is made as the version ends has the next one.
        #expect(times == [700_000, 700_000, 700_000, 7_000, 7_000])
        #expect(outcome.measures.total(.busyTime) == 2_114_000)
        #expect(outcome.measures.total(.originNotModified) == 2)
    }

    @Test func `a time to live that is drawn spreads fetches that came together`() throws {
        // Two hundred keys are fetched in the first second and asked for all the time.
        func most(_ time: Distribution) throws -> Int64 {
            var cache = EdgeCache(timeToLive: .hours(1))
            cache.timeToLive = time
            var requests: [ServiceRequest] = []
            for second in 0..<7_800 where second == 0 || second >= 2_700 {
                for key in 0..<200 {
                    requests.append(
                        ServiceHarness.request(
                            at: Int64(second) * 1_000_000 + Int64(key) * 5_000, person: requests.count,
                            key: Int64(key)))
                }
            }
            let plan = RefreshPlan(
                pools: [OriginPool(name: "p")], endpoints: [ServiceEndpoint(pool: 0, cache: cache)],
                regions: [EdgeRegion()])
            let measures = try ServiceHarness.run(plan, requests, end: .start + .seconds(7_800)).measures
            #expect(measures.total(.originRequests) > 400)
            return (1..<measures.minutes).reduce(0) { most, minute in
                max(most, measures[.originRequests, pool: 0, region: 0, minute: minute])
            }
        }
        #expect(try most(.init(.constant(3_600))) == 200)
        // Evenly over 18 minutes: some 11 a minute.
        let spread = try most(.init(.uniform(min: 3_060, max: 4_140)))
        #expect(spread < 30, "\(spread)")
    }
}
