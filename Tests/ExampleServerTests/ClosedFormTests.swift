import Basics
import RefreshService
import Statistics
import Testing

/// The servers of the examples against theory.
///
/// Rules: S9.
@Suite struct ClosedFormTests {
    /// M/G/1 with processor sharing: 1 / (μ − λ), whatever the sizes' distribution is [Kleinrock 1976].
    @Test(arguments: ["constant", "exponential"]) func `a shared line takes as long as processor sharing does`(
        sizes: String
    ) throws {
        // 80 answers a second of 100,000 bytes over 100 Mbit/s: 125 a second could be served.
        let pool = try OwnServers.pool("line", ["megabits": "100", "sizes": sizes])
        let found = try OwnServers.mean { seed in
            let measures = try OwnServers.steady(pool, rate: 80, hours: 1, seed: seed, bytes: 100_000)
            return try #require(measures[.originTime, pool: 0].whole.mean)
        }
        let theory = 1.0 / (125 - 80)
        #expect((found.value - theory).magnitude < found.within, "\(found) for \(theory) s")
        #expect(found.within < theory / 20)
    }

    /// Each queue is M/M/1: a mean wait of ρ / (1 − ρ) services, 4 at 80 %. One queue before all is M/M/4: 0.746.
    @Test func `queues of their own behind a random split wait as single servers do`() throws {
        let exponential = Distribution(.exponential(mean: 1))
        let own = try OwnServers.pool("own_queues", ["servers": "4"], serviceTime: exponential)
        func wait(_ pool: OriginPool) throws -> (value: Double, within: Double) {
            try OwnServers.mean { seed in
                let measures = try OwnServers.steady(pool, rate: 3.2, hours: 12, seed: seed)
                return try #require(measures[.queueWait, pool: 0].whole.mean)
            }
        }
        let random = try wait(own)
        #expect((random.value - 4).magnitude < random.within && random.within < 0.5, "\(random)")
        var pool = OriginPool.unlimited
        (pool.servers, pool.serviceTime) = (4, exponential)
        let theory = try #require(ServerQueue(servers: 4, arrivalRate: 3.2, serviceTime: 1).meanWait)
        let one = try wait(pool)
        #expect((one.value - theory).magnitude < one.within, "\(one) for \(theory)")
        let inTurn = try wait(
            OwnServers.pool("own_queues", ["servers": "4", "balance": "turn"], serviceTime: exponential))
        #expect(inTurn.value > theory && inTurn.value < random.value)
    }

    /// By Little's law 100 in hand at 300 ms are 333 served a second, whatever comes beyond it.
    @Test func `a server that slows down serves no more than its line allows`() throws {
        let pool = try OwnServers.pool("slows", ["easy": "20", "most": "100", "fast": "60ms", "slow": "300ms"])
        let easy = try OwnServers.steady(pool, rate: 250, hours: 1, seed: 1)
        let mean = try #require(easy[.originTime, pool: 0].whole.mean)
        #expect(mean > 0.06 && mean < 0.07, "\(mean)")
        let full = try OwnServers.steady(pool, rate: 500, hours: 1, seed: 1)
        let served = Double((0..<60).reduce(0) { $0 + full[.completed, pool: 0, region: 0, minute: $1] }) / 3_600
        #expect((served - 1_000 / 3.0).magnitude < 5, "\(served)")
        let slow = try #require(full[.originTime, pool: 0].whole.mean)
        #expect(slow > 0.29 && slow <= 0.3, "\(slow)")
    }

    /// Those that are served wait as long in the mean as in order, if none is given up (Kleinrock's conservation), and
    /// less so in the median.
    @Test func `the newest first has the mean wait of a queue in order and another spread`() throws {
        let service = Distribution(.exponential(mean: 1))
        func waits(_ server: String, _ seed: UInt64) throws -> LatencyHistogram {
            let pool = try OwnServers.pool(server, ["servers": "4", "queue": "1000000"], serviceTime: service)
            return try OwnServers.steady(pool, rate: 3.2, hours: 12, seed: seed)[.queueWait, pool: 0].whole
        }
        let theory = try #require(ServerQueue(servers: 4, arrivalRate: 3.2, serviceTime: 1).meanWait)
        let newest = try OwnServers.mean { try #require(waits("newest", $0).mean) }
        #expect((newest.value - theory).magnitude < newest.within, "\(newest) for \(theory)")
        let (last, first) = (try waits("newest", 1), try waits("in_order", 1))
        #expect(last.largest > first.largest)
    }
}
