import Basics
import Statistics
import Testing

@testable import RefreshService

/// Renewal theory against the edge that serves fleets ("Cache at the edge" of the oracles). Seeds are fixed; tolerances
/// are five standard errors.
///
/// Rules: S2.
@Suite struct CacheOracleTests {
    /// One object under Poisson arrivals, in calls of ten seconds, so that no list is long. Gives the measures and the
    /// sum of the ages at the edge.
    private static func run(_ cache: EdgeCache, rate: Double, seconds: Int, leg: Double = 0) throws -> (
        ServiceMeasures, age: Double
    ) {
        let region = EdgeRegion(originOut: .init(.constant(leg)), originBack: .init(.constant(leg)))
        let plan = RefreshPlan(
            pools: [OriginPool(name: "p")], endpoints: [ServiceEndpoint(pool: 0, cache: cache)], regions: [region])
        let service = try SimulatedService(plan, seed: 5, reportFrom: .start, end: .start + .seconds(Int64(seconds)))
        var gaps = PoissonGaps(rate: rate, seed: 31)
        var (next, person, age) = (gaps.next(), 0, Int64(0))
        var (requests, answers): ([ServiceRequest], [ServiceAnswer]) = ([], [])
        for limit in stride(from: 10, through: Int64(seconds), by: 10) {
            requests.removeAll(keepingCapacity: true)
            while next < limit * 1_000_000 {
                requests.append(ServiceHarness.request(at: next, person: person, key: 7))
                (next, person) = (gaps.next(), person + 1)
            }
            requests.withUnsafeBufferPointer { service.advance($0, to: .start + .seconds(limit), answers: &answers) }
            for answer in answers { age += (answer.at - answer.madeAt).microseconds }
            answers.removeAll(keepingCapacity: true)
        }
        service.finish()
        return (service.measures, Double(age) / 1e6)
    }

    @Test(arguments: [(true, 0.01660854), (false, 0.34877927)])
    func `the origin hears as often of an object as renewal theory has it`(collapses: Bool, rate: Double) throws {
        let seconds = 60_210
        let cache = EdgeCache(timeToLive: .seconds(60), collapses: collapses)
        let (measures, _) = try Self.run(cache, rate: 100, seconds: seconds, leg: 0.1)
        let fetches = Double(measures.total(.originRequests))
        // A cycle is 60.2 s and a gap of a hundredth; without collapsing it has 1 + Poisson(20) fetches. The run cuts
        // one cycle.
        let cycles = Double(seconds) / 60.21
        let tolerance =
            collapses
            ? rate * (5 * 0.01 / 60.21 / cycles.squareRoot() + 1 / cycles)
            : rate * (5 * 20.0.squareRoot() / 21 / cycles.squareRoot() + 1 / cycles)
        #expect(
            OracleLine.check(
                "rate at the origin \(collapses ? "with" : "without") collapsing (100/s, TTL 60 s, fill 0.2 s)", rate,
                sample: "\(seconds) s, \(measures.total(.offered)) requests", tolerance: tolerance,
                measured: fetches / Double(seconds)))
        if collapses {
            #expect(
                measures.total(.collapsed) + measures.total(.hits) + measures.total(.originRequests)
                    == measures.total(.offered))
        } else {
            #expect(measures.total(.collapsed) == 0)
        }
    }

    @Test func `hits and their age are those of a time to live`() throws {
        let (rate, ttl, seconds) = (5.0, 0.6, 160_000)
        let (measures, age) = try Self.run(EdgeCache(timeToLive: .milliseconds(600)), rate: rate, seconds: seconds)
        let (hits, offered) = (Double(measures.total(.hits)), Double(measures.total(.offered)))
        // A cycle has a miss and Poisson(3) hits; the ratio's derivative by the mean number of hits is 1/16.
        let cycles = Double(seconds) / 0.8
        #expect(
            OracleLine.check(
                "hit ratio (5/s, TTL 0.6 s, no fill time)", rate * ttl / (1 + rate * ttl),
                sample: "\(Int(offered)) requests",
                tolerance: 5 * 3.0.squareRoot() / 16 / cycles.squareRoot(), measured: hits / offered))
        // Hits lie evenly in the time to live.
        #expect(
            OracleLine.check(
                "mean age added over hits, s (5/s, TTL 0.6 s)", ttl / 2, sample: "\(Int(hits)) hits",
                tolerance: 5 * ttl / 12.0.squareRoot() / hits.squareRoot(), measured: age / hits))
    }

    @Test func `a stale object served meanwhile leaves so many misses that block`() throws {
        let (rate, ttl, stale, seconds) = (5.0, 0.6, 0.2, 160_000)
        let cache = EdgeCache(timeToLive: .milliseconds(600), staleWhileRevalidate: .milliseconds(200))
        let (measures, _) = try Self.run(cache, rate: rate, seconds: seconds)
        let offered = Double(measures.total(.offered))
        let blocking = measures.total(.originRequests) - measures.total(.revalidations)
        // Two requests of one microsecond find the same stale object.
        #expect((0...9).contains(measures.total(.staleWhileRevalidate) - measures.total(.revalidations)))
        // e^-1, as in the row; of a cycle's blocking miss the variance is p(1 - p), and the number of requests adds
        // some.
        let blockingShare = 0.36787944117144233
        let cycles = Double(seconds) / 0.8
        let tolerance =
            5 * ((blockingShare * (1 - blockingShare) + blockingShare * blockingShare * 3 / 16) / cycles).squareRoot()
            / 4
        #expect(rate * stale == 1)
        #expect(
            OracleLine.check(
                "blocking misses a request, stale-while-revalidate 0.2 s (5/s, TTL 0.6 s)",
                blockingShare / (1 + rate * ttl),
                sample: "\(Int(offered)) requests", tolerance: tolerance, measured: Double(blocking) / offered))
    }

    @Test func `servers that start after the herd contribute nothing`() throws {
        let requests = (0..<100_000).map { ServiceHarness.request(at: Int64($0) * 600, person: $0) }
        func answers(_ autoscaling: Autoscaling?) throws -> ServiceHarness.Outcome {
            let pool = OriginPool(
                name: "p", servers: 5, serviceTime: .init(.exponential(mean: 0.01)), autoscaling: autoscaling)
            let plan = RefreshPlan(pools: [pool], endpoints: [ServiceEndpoint(pool: 0)], regions: [EdgeRegion()])
            return try ServiceHarness.run(plan, requests, end: .start + .seconds(400))
        }
        let without = try answers(nil)
        let lagging = try answers(Autoscaling(target: 0.5, lag: .seconds(210), least: 5, most: 1_000))
        let prompt = try answers(Autoscaling(target: 0.5, lag: .seconds(30), least: 5, most: 1_000))
        let drained = try #require(without.answers.map(\.at).max())
        #expect(drained < .start + .seconds(210))
        let gain =
            Double(without.measures[.queueWait, pool: 0].whole.sum - lagging.measures[.queueWait, pool: 0].whole.sum)
            / 1e6
        #expect(
            OracleLine.check(
                "waits saved by servers that start after the herd, s", 0, sample: "100000 requests", tolerance: 0,
                measured: gain))
        #expect(without.answers.count == lagging.answers.count)
        #expect(
            zip(without.answers, lagging.answers).allSatisfy {
                $0.person == $1.person && $0.at == $1.at && $0.madeAt == $1.madeAt
            })
        #expect(prompt.measures[.queueWait, pool: 0].whole.sum < without.measures[.queueWait, pool: 0].whole.sum)
    }
}
