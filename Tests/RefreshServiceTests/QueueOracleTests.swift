import Basics
import Statistics
import Testing

@testable import RefreshService

/// Queueing theory against the service that serves fleets ("Queues" of the oracles). The seeds are fixed, others
/// for each row: rows of one stream would be off together. Each tolerance is five standard errors, from the means of
/// 100 batches.
///
/// Rules: S2.
@Suite struct QueueOracleTests {
    struct Row: Sendable {
        let servers: Int
        let load, wait, meanWait, p99: Double
        /// Requests a second at one server: some hundreds keep microseconds fine against the waits.
        let rate: Double
    }

    static let rows = [
        Row(servers: 1, load: 0.8, wait: 0.8, meanWait: 4, p99: 21.910133, rate: 1_000),
        Row(servers: 2, load: 1.5, wait: 0.642857143, meanWait: 1.285714286, p99: 8.326675, rate: 500),
        Row(servers: 10, load: 8, wait: 0.409180151, meanWait: 0.204590075, p99: 1.855785, rate: 100),
        Row(servers: 100, load: 90, wait: 0.216940481, meanWait: 0.021694048, p99: 0.307704, rate: 10),
    ]

    private static let count = 3_000_000

    /// The wait of each request in seconds: what is left of its time in the service without the service.
    private static func waits(
        _ serviceTime: Distribution, _ outcome: ServiceHarness.Outcome, _ requests: [ServiceRequest], seed: UInt64
    ) throws -> [Double] {
        var tables = StandardTables()
        let prepared = try serviceTime.prepared(with: &tables)
        var waits = Array(repeating: 0.0, count: requests.count)
        for answer in outcome.answers {
            let person = UInt64(answer.person)
            let number = RandomStream(seed: seed, person: person, slot: 0, purpose: .serviceTime).pair(at: 0).first
            let service = Int64((prepared.draw(number) * 1e6).rounded())
            let wait = (answer.madeAt - requests[Int(person)].arrival).microseconds - service
            waits[Int(person)] = Double(wait) / 1e6
        }
        return waits
    }

    @Test(arguments: rows) func `waits for servers are those of Erlang`(row: Row) throws {
        let serviceTime = Distribution(.exponential(mean: 1 / row.rate))
        let requests = ServiceHarness.poisson(
            rate: row.load * row.rate, count: Self.count, seed: 1_000 + UInt64(row.servers))
        let seed = 2_000 + UInt64(row.servers)
        let plan = RefreshPlan(
            pools: [OriginPool(name: "p", servers: row.servers, serviceTime: serviceTime)],
            endpoints: [ServiceEndpoint(pool: 0)],
            regions: [EdgeRegion()])
        let end = requests[requests.count - 1].arrival + .seconds(120)
        let outcome = try ServiceHarness.run(plan, requests, end: end, seed: seed)
        #expect(outcome.answers.count == Self.count)
        let waits = try Self.waits(serviceTime, outcome, requests, seed: seed)
        let histogram = outcome.measures[.queueWait, pool: 0].whole
        let name = "M/M/\(row.servers), load \(row.load)"
        let sample = "\(Self.count) requests"

        let scaled = BatchMean(waits.map { $0 * row.rate })
        let meanWait = try #require(histogram.mean) * row.rate
        #expect(
            abs(meanWait - scaled.mean) < 1e-6 * scaled.mean, "the histogram's mean is another than that of the waits")
        #expect(
            OracleLine.check(
                "\(name): mean wait", row.meanWait, sample: sample, tolerance: 5 * scaled.standardError,
                measured: meanWait))

        let waiting = BatchMean(waits.map { $0 > 0 ? 1 : 0 })
        #expect(
            OracleLine.check(
                "\(name): share that waits", row.wait, sample: sample, tolerance: 5 * waiting.standardError,
                measured: waiting.mean))

        // The density at the percentile turns the error of the share beyond it into one of the percentile; a bin of the
        // histogram is a 128th wide.
        let beyond = BatchMean(waits.map { $0 * row.rate > row.p99 ? 1 : 0 })
        let density = 0.01 * (Double(row.servers) - row.load)
        let p99 = try #require(histogram.quantile(0.99)) * row.rate
        #expect(
            OracleLine.check(
                "\(name): 99th percentile of waits", row.p99, sample: sample,
                tolerance: 5 * beyond.standardError / density + row.p99 / 128, measured: p99))
    }

    @Test(arguments: [(1, 5, 0.8, 0.088819499), (10, 20, 9, 0.029510062), (100, 200, 120, 0.166666667)])
    func `requests are lost as in an M M c K queue`(servers: Int, places: Int, load: Double, loss: Double) throws {
        let count = 2_000_000
        let rate = 1_000 / Double(servers)
        let requests = ServiceHarness.poisson(rate: load * rate, count: count, seed: 1_200 + UInt64(servers))
        let pool = OriginPool(
            name: "p", servers: servers, serviceTime: .init(.exponential(mean: 1 / rate)), queueLimit: places - servers)
        let plan = RefreshPlan(pools: [pool], endpoints: [ServiceEndpoint(pool: 0)], regions: [EdgeRegion()])
        let outcome = try ServiceHarness.run(
            plan, requests, end: requests[count - 1].arrival + .seconds(120), seed: 2_200 + UInt64(servers))
        var lost = Array(repeating: 0.0, count: count)
        for answer in outcome.answers where answer.isError { lost[Int(answer.person)] = 1 }
        let share = BatchMean(lost)
        #expect(outcome.measures.total(.shedByQueue) == Int64(lost.reduce(0, +)))
        #expect(
            OracleLine.check(
                "M/M/\(servers)/\(places), load \(load): share lost", loss, sample: "\(count) requests",
                tolerance: 5 * share.standardError,
                measured: share.mean))
    }

    @Test(arguments: [
        ("constant service", Distribution(.constant(0.001)), 2.0),
        (
            "lognormal service, sigma 1", Distribution(.lognormal(median: 0.000606530659712633, sigma: 1)),
            5.436563656918091
        ),
    ]) func `waits for one server are those of Pollaczek and Khinchine`(
        name: String, serviceTime: Distribution, meanWait: Double
    ) throws {
        let seed = 1_300 + UInt64(name.count)
        let requests = ServiceHarness.poisson(rate: 800, count: Self.count, seed: seed)
        let pool = OriginPool(name: "p", servers: 1, serviceTime: serviceTime)
        let plan = RefreshPlan(pools: [pool], endpoints: [ServiceEndpoint(pool: 0)], regions: [EdgeRegion()])
        let outcome = try ServiceHarness.run(
            plan, requests, end: requests[requests.count - 1].arrival + .seconds(120), seed: seed + 1_000)
        let scaled = BatchMean(try Self.waits(serviceTime, outcome, requests, seed: seed + 1_000).map { $0 * 1_000 })
        #expect(
            OracleLine.check(
                "M/G/1, load 0.8, \(name): mean wait", meanWait, sample: "\(Self.count) requests",
                tolerance: 5 * scaled.standardError,
                measured: try #require(outcome.measures[.queueWait, pool: 0].whole.mean) * 1_000))
    }

    @Test func `a herd of a million in a minute meets a server of five thousand a second`() throws {
        let count = 1_000_000
        let requests = (0..<count).map { ServiceHarness.request(at: Int64($0) * 60, person: $0) }
        let pool = OriginPool(name: "p", servers: 1, serviceTime: .init(.constant(0.0002)))
        let plan = RefreshPlan(pools: [pool], endpoints: [ServiceEndpoint(pool: 0)], regions: [EdgeRegion()])
        let outcome = try ServiceHarness.run(plan, requests, end: Instant.start + .seconds(300))
        let drained = try #require(outcome.answers.map(\.at).max()) - Instant.start
        #expect(outcome.answers.count == count)
        let sample = "\(count) requests"
        // Whole requests at whole microseconds: the last arrives 60 µs before the minute is over, and one is in
        // service.
        #expect(
            OracleLine.check(
                "herd: longest wait, s", 140, sample: sample, tolerance: 0.00015,
                measured: outcome.measures[.queueWait, pool: 0].whole.largest.inSeconds))
        #expect(
            OracleLine.check("herd: drained after, s", 200, sample: sample, tolerance: 0, measured: drained.inSeconds))
        #expect(
            OracleLine.check(
                "herd: longest queue", 700_000, sample: sample, tolerance: 1,
                measured: Double(outcome.measures[.longestQueue, pool: 0, minute: 0])))
        #expect(outcome.measures.secondsOverCapacity == [60])
        #expect(outcome.measures.total(.busyTime) == 200_000_000)
    }
}
