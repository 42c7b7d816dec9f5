import Basics
import Statistics
import Testing

@testable import Calibration

/// Records with refusals that a queue of the tests' own makes, with a way to the server and back that is never alike:
/// `calibrate --service` finds the pool, and is not surer of it than the record lets it be.
@Suite struct RefusalRecordTests {
    struct Case: CustomTestStringConvertible, Sendable {
        let servers: Int
        let service: Distribution.Shape
        /// The mean of the part of the way that differs, in seconds.
        let jitter: Double
        let seed: UInt64
        var testDescription: String { "\(servers) servers, \(service), jitter \(jitter), seed \(seed)" }
    }

    private static let cases: [Case] = {
        let shapes: [Distribution.Shape] = [
            .exponential(mean: 0.1), .gamma(shape: 4, mean: 0.1), .lognormal(median: 0.09, sigma: 0.5),
        ]
        return shapes.flatMap { shape in
            [0, 0.002, 0.005, 0.02].flatMap { jitter in
                [1, 2].map { Case(servers: 4, service: shape, jitter: jitter, seed: $0) }
            } + [0.005, 0.02].map { Case(servers: 12, service: shape, jitter: $0, seed: 3) }
        }
    }()

    /// A pool with room for 40 beside its servers, written as a loop of its own.
    private static func record(_ own: Case, room: Int) throws -> RequestRecord {
        var stream = RandomStream(seed: own.seed, person: 1, purpose: .resampling)
        var tables = StandardTables()
        let unit = try Distribution(.exponential(mean: 1)).prepared(with: &tables)
        let service = try Distribution(own.service).prepared(with: &tables)
        var sent: [(start: Double, at: Double, back: Double)] = []
        var start = 0.0
        let capacity = Double(own.servers) / 0.1
        while start < 150 {
            let rate = [0.25, 0.75, 1.25, 1.5, 0.6][Int(cutting: start / 30)] * capacity
            start += unit.draw(stream.next()) / rate
            let (out, back) = (unit.draw(stream.next()), unit.draw(stream.next()))
            sent.append((start, start + 0.001 + out * own.jitter / 2, 0.001 + back * own.jitter / 2))
        }
        var free = [Double](repeating: 0, count: own.servers)
        var ends: [Double] = []
        var requests: [RecordedRequest] = []
        for request in sent.sorted(by: { $0.at < $1.at }) {
            ends.removeAll { $0 <= request.at }
            var (end, status) = (request.at, RecordedRequest.serviceUnavailable)
            if ends.count < own.servers + room {
                let place = free.indices.min { free[$0] < free[$1] }!
                end = max(free[place], request.at) + service.draw(stream.next())
                (free[place], status) = (end, 200)
                ends.append(end)
            }
            requests.append(
                RecordedRequest(
                    start: Int64(cutting: request.start * 1e6),
                    latency: Int64(cutting: (end + request.back - request.start) * 1e6), status: status))
        }
        return RequestRecord(requests)
    }

    @Test(arguments: cases)
    func `a queue of 40 is found with its servers inside their interval, however the way differs`(_ own: Case) throws {
        let fit = ServiceFit(try Self.record(own, room: 40))
        let servers = try ServiceFitTests.estimate(fit, "servers")
        let interval = try #require(servers.interval)
        let truth = Double(own.servers)
        #expect(interval.low <= truth && truth <= interval.high && interval.high - interval.low <= 3, "\(servers)")
        #expect((servers.value - truth).magnitude <= 1, "\(servers)")
        let queue = try ServiceFitTests.estimate(fit, "queue")
        let room = try #require(queue.interval)
        #expect((38...42).contains(queue.value) && room.low <= 40 && 40 <= room.high, "\(queue)")
        for name in ["latency_p50", "latency_p90", "latency_p99"] {
            let row = try #require(fit.replay.first { $0.name == name })
            let share = name == "latency_p99" ? 0.1 : 0.25
            #expect((row.fitted / row.measured - 1).magnitude < share, "\(row)")
        }
        let refused = try #require(fit.replay.first { $0.name == "share_refused" })
        #expect(refused.measured > 0.1 && (refused.fitted - refused.measured).magnitude < 0.04, "\(refused)")
        #expect(fit.pool?.queueLimit.map { (38...42).contains($0) } == true, "\(fit.notes)")
    }

    @Test func `without jitter the number of servers is as sure as ever`() throws {
        let own = Case(servers: 4, service: .gamma(shape: 4, mean: 0.1), jitter: 0, seed: 5)
        let servers = try ServiceFitTests.estimate(ServiceFit(try Self.record(own, room: 40)), "servers")
        #expect(servers.value == 4 && servers.interval?.low == 4 && servers.interval?.high == 4, "\(servers)")
    }
}
