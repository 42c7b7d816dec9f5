import Basics
import Statistics
import Testing

@testable import RefreshService

/// Clients that try again, against the real service ("Retries, outages, metastability" of the oracles).
///
/// Rules: S3.
@Suite struct RetryOracleTests {
    /// Clients that send a first try each and try again after an error, or after their patience, through the service in
    /// windows of a millisecond.
    private struct Clients {
        let attempts: Int
        let patience: Duration
        /// From the failure to the arrival of the next try, by the random number: a window or more.
        let delay: (UInt64) -> Duration
        static let window = Duration.milliseconds(1)

        /// Runs to the end; gives the service's measures.
        func run(_ plan: RefreshPlan, first: [Int64], end: Instant, reportFrom: Instant) throws -> ServiceMeasures {
            let service = try SimulatedService(plan, seed: 21, reportFrom: reportFrom, end: end)
            let windows = Int(end.microseconds / Self.window.microseconds)
            var coming = Array(repeating: [ServiceRequest](), count: windows + 1)
            var given = Array(repeating: [UInt32](), count: windows + 1)
            // The try that each client is at; 0 once it has content.
            var tries = Array(repeating: UInt8(1), count: first.count)
            func send(_ person: Int, attempt: UInt8, at: Int64) {
                let window = Int(at / Self.window.microseconds)
                if window >= windows { return }
                coming[window].append(
                    ServiceHarness.request(
                        at: at, person: person, sequence: UInt32(attempt), patience: UInt32(patience.microseconds),
                        attempt: attempt))
                let deadline = Int((at + patience.microseconds) / Self.window.microseconds)
                if deadline < windows { given[deadline].append(UInt32(person) << 4 | UInt32(attempt)) }
            }
            func fail(_ person: Int, attempt: UInt8, at: Int64) {
                if tries[person] != attempt { return }
                tries[person] += 1
                if attempt >= attempts { return }
                let u = RandomStream(seed: 22, person: UInt64(person), purpose: .retryDelay).value(at: UInt64(attempt))
                send(person, attempt: attempt + 1, at: at + delay(u).microseconds)
            }
            for (person, at) in first.enumerated() { send(person, attempt: 1, at: at) }
            var answers: [ServiceAnswer] = []
            for window in 0..<windows {
                let limit = Instant(microseconds: Int64(window + 1) * Self.window.microseconds)
                coming[window].sort { $0.arrival < $1.arrival || $0.arrival == $1.arrival && $0.precedes($1) }
                coming[window].withUnsafeBufferPointer { service.advance($0, to: limit, answers: &answers) }
                coming[window] = []
                for answer in answers where tries[Int(answer.person)] == UInt8(answer.sequence) {
                    if answer.isError {
                        fail(Int(answer.person), attempt: UInt8(answer.sequence), at: answer.at.microseconds)
                    } else {
                        tries[Int(answer.person)] = 0
                    }
                }
                answers.removeAll(keepingCapacity: true)
                // A client without an answer by the end of the window of the deadline will have none.
                for client in given[window] {
                    fail(
                        Int(client >> 4), attempt: UInt8(client & 15), at: limit.microseconds - Self.window.microseconds
                    )
                }
                given[window] = []
            }
            service.finish()
            return service.measures
        }
    }

    private static func arrivals(rate: Double, seconds: Double, seed: UInt64) -> [Int64] {
        var gaps = PoissonGaps(rate: rate, seed: seed)
        return Array(sequence(state: gaps) { _ in gaps.next() }.prefix { $0 < Int64(seconds * 1e6) })
    }

    @Test(arguments: [(1.2, 2, 1.6899), (1.2, 4, 2.7696), (2, 4, 6.2852)])
    func `retries multiply the attempts at a shedding server and add nothing to what it serves`(
        load: Double, attempts: Int, perCapacity: Double
    )
        throws
    {
        let capacity = 1_000.0
        // The bucket is never full under so many attempts, so what is admitted is the rate, in every span.
        let pool = OriginPool(name: "p", rateLimit: RateLimit(rate: Int64(capacity * 1e6), burst: 50))
        let plan = RefreshPlan(pools: [pool], endpoints: [ServiceEndpoint(pool: 0)], regions: [EdgeRegion()])
        // Evenly up to 20 s: thousands of times the time in which the bucket forgets.
        let clients = Clients(attempts: attempts, patience: .seconds(60)) { u in
            .milliseconds(1) + Duration(microseconds: Int64(RandomStream.index(u, below: 20_000_000)))
        }
        let first = Self.arrivals(rate: load * capacity, seconds: 420, seed: 23)
        let measures = try clients.run(
            plan, first: first, end: .start + .seconds(420), reportFrom: .start + .seconds(120))
        let span = 300.0
        // By differentiation: an error of the rate reaches the attempts so many times over. The rate has been drawn for
        // 300 s and the time before.
        let step = 1e-6
        func form(_ load: Double) -> Double { 1 / (1 - RetryOracleTests.root(1 - 1 / load, attempts)) }
        let error = (form(load + step) - form(load)) / step * load / (load * capacity * span).squareRoot()
        let sample = "\(Int(load * capacity * span)) first tries"
        let name = "shedding server, load \(load), \(attempts) attempts"
        #expect(abs(form(load) - perCapacity) < 1e-4)
        #expect(
            OracleLine.check(
                "\(name): attempts by capacity", perCapacity, sample: sample, tolerance: 5 * error,
                measured: Double(measures.total(.originRequests)) / capacity / span))
        // The bucket's content at the two ends of the span, and its last fraction of a request.
        #expect(
            OracleLine.check(
                "\(name): goodput by capacity", 1, sample: sample, tolerance: 51 / (capacity * span),
                measured: Double(measures.total(.served)) / capacity / span))
    }

    /// The root of a power, by bisection.
    private static func root(_ number: Double, _ power: Int) -> Double {
        var (low, high) = (0.0, 1.0)
        for _ in 0..<60 {
            let middle = (low + high) / 2
            if (0..<power).reduce(1.0, { product, _ in product * middle }) < number {
                low = middle
            } else {
                high = middle
            }
        }
        return low
    }

    /// A server of 1,000 a second, patience of 50 ms, four attempts at once after each other, and a stall of two
    /// seconds.
    private static func stall(rate: Double, dropsTimedOutWork: Bool) throws -> ServiceMeasures.Recovery {
        let pool = OriginPool(
            name: "p", servers: 1, serviceTime: .init(.exponential(mean: 0.001)), dropsTimedOutWork: dropsTimedOutWork)
        let stall = ServiceEvent(
            name: "stall", .brownOut(pool: 0, capacity: 0, slowdown: 1), from: .start + .seconds(10),
            to: .start + .seconds(12))
        let plan = RefreshPlan(
            pools: [pool], endpoints: [ServiceEndpoint(pool: 0)], regions: [EdgeRegion()], events: [stall])
        let clients = Clients(attempts: 4, patience: .milliseconds(50)) { _ in .milliseconds(1) }
        let measures = try clients.run(
            plan, first: arrivals(rate: rate, seconds: 120, seed: 24), end: .start + .seconds(120), reportFrom: .start)
        return try #require(measures.recoveries.first)
    }

    @Test func `a server that executes timed-out work recovers from a stall at a fifth of its rate`() throws {
        let recovery = try Self.stall(rate: 200, dropsTimedOutWork: false)
        // 1,600 tries are queued after the stall; the queue falls by 200 a second with a variance of 1,800 a second,
        // over 8 s: 0.6 s, and 0.2 s for the queue at the beginning.
        #expect(
            OracleLine.check(
                "M/M/1 with a 2-s stall, 200/s: queue empty after, s", 8, sample: "1 stall", tolerance: 3.2,
                measured: (recovery.queueEmptyAt - recovery.end).inSeconds))
        #expect(
            OracleLine.check(
                "M/M/1 with a 2-s stall, 200/s: healthy after, s", 8, sample: "1 stall", tolerance: 3.2,
                measured: (recovery.healthyAt - recovery.end).inSeconds))
    }

    @Test func `at half of its rate it never recovers`() throws {
        let recovery = try Self.stall(rate: 500, dropsTimedOutWork: false)
        #expect(recovery.queueEmptyAt == .never)
        #expect(recovery.healthyAt == .never)
        print("ORACLE | M/M/1 with a 2-s stall, 500/s: healthy after, s | never | 1 stall, 108 s | none | never |")
    }

    @Test func `with timed-out work dropped it recovers at once`() throws {
        let recovery = try Self.stall(rate: 500, dropsTimedOutWork: true)
        // The rest is the work of the last 50 ms, and tries whose clients gave up in the first second after the stall.
        #expect(
            OracleLine.check(
                "M/M/1 with a 2-s stall, 500/s, timed-out work dropped: queue empty after, s", 0, sample: "1 stall",
                tolerance: 0.5,
                measured: (recovery.queueEmptyAt - recovery.end).inSeconds))
        #expect(
            OracleLine.check(
                "M/M/1 with a 2-s stall, 500/s, timed-out work dropped: healthy after, s", 0, sample: "1 stall",
                tolerance: 1,
                measured: (recovery.healthyAt - recovery.end).inSeconds))
    }
}
