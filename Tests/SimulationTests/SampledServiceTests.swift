import Basics
import Fleet
import RefreshService
@testable import Simulation
import Statistics
import Testing

/// People who stand for many before a service, beside all of them before it.
///
/// Rules: S1, S2, S3, S5.
@Suite struct SampledServiceTests {
    private static func sampled(
        _ text: String, people: Int, for many: Int, seed: Int = 7, threads: Int = 2, _ overrides: [String] = []
    ) throws -> RunResult {
        try Fixtures.run(
            text, ["people=\(people)", "report.represents=\(many)", "seed=\(seed)", "report.ranges=false"] + overrides,
            threads: threads)
    }

    private static func total(_ result: RunResult, _ field: ServiceField) throws -> Double {
        let measures = try #require(result.service)
        var sum: Int64 = 0
        for pool in 0..<measures.pools {
            for region in 0..<measures.regions {
                for minute in 0..<measures.minutes {
                    sum += measures[field, pool: pool, region: region, minute: minute]
                }
            }
        }
        return Double(sum)
    }

    /// A herd at 12:00 that overruns a pool, and a steady load.
    private static func herd(
        _ service: String, policy: String = "{after: {at: [\"12:00\"], zone: Europe/London}, jitter: 60s}"
    )
        -> String
    {
        """
        start: "2026-03-02T00:00:00+00:00"
        warmup: 11h
        duration: 2h
        people: 20000
        parameters: {gates: none}
        service: \(service)
        kinds:
          - {id: quote, app: stocks, timeline: {shape: single}, policy: \(policy), versions: {source: steady, every: 1h}}
        population:
          zones: {Europe/London: 1}
          devices: [{kind: phone, instances: [{id: first, kind: quote, location: {chosen: {count: 300}, popularity: zipf}}]}]
        """
    }

    @Test func `before unlimited servers without a cache the load is that without a service`() throws {
        let text = Self.herd("{pools: [{id: origin, servers: unlimited, service_time: 0s}]}")
        let sampled = try Self.sampled(text, people: 500, for: 500)
        let alone = try Fixtures.run(
            Self.herd("{}"), ["people=500", "seed=7"])
        let scaled = try #require(sampled.scaled)
        #expect(scaled.agreement.rounds == 1 && scaled.agreement.isReached)
        // A client draws its ways again: the same requests, each some milliseconds earlier or later.
        #expect(scaled.outcome.load.requestsByMinute.reduce(0, +) == alone.load.requestsByMinute.reduce(0, +))
        #expect(sampled.load.requestsByMinute == alone.load.requestsByMinute)
        #expect(sampled.measures.fingerprint(with: sampled.load) == alone.measures.fingerprint(with: alone.load))
    }

    @Test func `a pool that a herd overruns sheds and serves as many as before all people`() throws {
        let text = Self.herd(
            "{timeout: 10s, retries: 2, back_off: {kind: full, base: 1s, cap: 30s}, failure_after: 5m, pools: [{id: origin, servers: 10, service_time: {shape: 4, mean: 100ms}, queue: 500}]}"
        )
        let whole = try Fixtures.run(text, ["seed=1"])
        let sampled = try Self.sampled(text, people: 2_000, for: 20_000)
        #expect(sampled.scaled?.agreement.isReached == true)
        for field in [ServiceField.offered, .served, .retries] {
            let (a, b) = (try Self.total(sampled, field), try Self.total(whole, field))
            #expect((a / b - 1).magnitude < 0.05, "\(field): \(a) of the sample, \(b) of all")
        }
        let peaks = [try #require(sampled.scaled).outcome.load, whole.load].map { load in
            load.tenths(of: 0).reduce(0, max)
        }
        #expect((Double(peaks[0]) / Double(peaks[1]) - 1).magnitude < 0.25, "\(peaks)")
    }

    /// Two hundred people show three or four in the first second, and 20,000 of them 346.
    @Test func `the first second of a herd from a sample is that of the system's delay`() throws {
        let text = Self.herd(
            "{latency_out: 1ms, pools: [{id: origin, servers: unlimited, service_time: 0s}]}",
            policy: "{after: {at: [\"12:00\"], zone: Europe/London}, jitter: 0s}")
        for seed in 1...3 {
            let load = try #require(
                Self.sampled(
                    text, people: 200, for: 20_000, seed: seed,
                    ["parameters.dispatch_delay={median: 10s, sigma: 1.089}"]
                )
                .scaled
            ).outcome.load
            let herd = load.tenths(of: 0)[36_000..<39_000].map(Double.init)
            let people = herd.reduce(0, +)
            #expect((people / 20_000 - 1).magnitude < 0.01, "\(people) of 20,000")
            for (tenths, share) in [(10, 0.01724), (30, 0.13448), (100, 0.5)] {
                let begun = herd.prefix(tenths).reduce(0, +) / people
                let deviation = (share * (1 - share) / people).squareRoot()
                #expect((begun - share).magnitude < 5 * deviation, "\(begun) within \(tenths) tenths of a second")
            }
        }
    }

    @Test func `an edge before many people keeps as much as before all of them`() throws {
        let text = Self.herd(
            "{pools: [{id: origin, servers: 50, service_time: {shape: 4, mean: 20ms}}], endpoints: [{id: quote, cache: {ttl: 5m}}]}",
            policy: "{after: 7m}")
        let whole = try Fixtures.run(text, ["people=6000", "seed=1"])
        let sampled = try Self.sampled(text, people: 1_000, for: 6_000)
        for field in [ServiceField.offered, .hits, .originRequests] {
            let (a, b) = (try Self.total(sampled, field), try Self.total(whole, field))
            #expect((a / b - 1).magnitude < 0.04, "\(field): \(a) of the sample, \(b) of all")
        }
    }

    /// A steady load of phones that come every quarter of an hour, a trip of 14 s included.
    private static func steady(_ servers: Int, load: Double, _ pool: String) throws -> RunResult {
        try sampled(
            herd(
                "{retries: 0, failure_after: 15m, pools: [{id: origin, servers: \(servers), service_time: {mean: 1s}\(pool)}]}",
                policy: "{after: 15m}"), people: 2_000, for: Int(load * Double(servers) * 914),
            ["warmup=2h", "duration=1h", "start=2026-03-02T12:00:00+00:00"])
    }

    /// The share of requests that wait, at the load that there was: so near to one that half of them do.
    @Test(arguments: [50, 500]) func `a steady load from a sample waits as Erlang C says`(_ servers: Int) throws {
        let sampled = try Self.steady(servers, load: 1 - 0.5 / Double(servers).squareRoot(), "")
        let load = try Self.total(sampled, .busyTime) / 3.6e9
        let shown = try Self.total(sampled, .waited) / Self.total(sampled, .admitted)
        let expected = Erlang.waiting(servers: servers, load: load)
        #expect((shown / expected - 1).magnitude < 0.08, "\(shown) wait, \(expected) by Erlang C at \(load)")
    }

    @Test(arguments: [50, 500]) func `a steady load from a sample is refused as Erlang B says`(_ servers: Int) throws {
        let sampled = try Self.steady(servers, load: 1, ", queue: 0")
        let load = try Self.total(sampled, .offered) / 3_600
        let shown = try Self.total(sampled, .shedByQueue) / Self.total(sampled, .offered)
        let expected = Erlang.blocking(servers: servers, load: load)
        #expect((shown / expected - 1).magnitude < 0.05, "\(shown) refused, \(expected) by Erlang B at \(load)")
    }

    @Test func `a sample has one result on any number of threads`() throws {
        let text = Self.herd(
            "{timeout: 4s, retries: 3, failure_after: 2m, retry_budget: {per_first_try: 0.2, most: 2}, pools: [{id: origin, servers: 4, service_time: 100ms, queue: 100}], endpoints: [{id: quote, cache: {ttl: 20s}}]}"
        )
        let results = try [1, 3].map {
            try Fixtures.run(
                text, ["people=400", "report.represents=6000"], threads: $0)
        }
        #expect(results[0].fingerprint == results[1].fingerprint)
        let scaled = try results.map { try #require($0.scaled) }
        #expect(scaled[0].halves.count == HalfSamples.count)
        for (one, other) in zip(scaled[0].halves, scaled[1].halves) {
            #expect(one.load.requestsByMinute == other.load.requestsByMinute)
            #expect(one.people?.fingerprint(with: one.load) == other.people?.fingerprint(with: other.load))
        }
    }

    @Test func `half samples are balanced`() {
        let people = 0..<(2 * HalfSamples.strata)
        for half in 0..<HalfSamples.count {
            #expect(people.count { HalfSamples.holds(half, person: $0) } == HalfSamples.strata)
        }
        for one in people {
            for other in people where other != one {
                // Two people of one stratum are never together, others in a quarter of the half samples.
                let together = (0..<HalfSamples.count).count {
                    HalfSamples.holds($0, person: one) && HalfSamples.holds($0, person: other)
                }
                #expect(together == (one / 2 == other / 2 ? 0 : HalfSamples.count / 4))
            }
        }
    }

    /// A herd whose jitter is known is as even from two hundred people as from all.
    @Test func `the times of a herd from a sample are those of its jitter`() throws {
        let text = Self.herd(
            "{latency_out: 1ms, pools: [{id: origin, servers: unlimited, service_time: 0s}]}",
            policy: "{after: {at: [\"12:00\"], zone: Europe/London}, jitter: 2m}")
        for seed in 1...3 {
            let load = try #require(
                Self.sampled(text, people: 200, for: 20_000, seed: seed, ["parameters.dispatch_delay=1s"]).scaled
            ).outcome.load
            let herd = load.tenths(of: 0)[36_000..<37_300].map(Double.init)
            #expect((herd.reduce(0, +) / 20_000 - 1).magnitude < 0.01)
            // Ten seconds of a hundred and twenty.
            for from in stride(from: 10, to: 1_200, by: 100) {
                let requests = herd[herd.startIndex + from..<herd.startIndex + from + 100].reduce(0, +)
                #expect((requests / 20_000 * 12 - 1).magnitude < 0.15, "\(requests) from tenth \(from) on")
            }
        }
    }

    /// Called off while people are simulated, while all are served, or in the computations for the ranges.
    @Test(arguments: [1, 20, 200, 400, 800]) func `a sample can be interrupted anywhere`(after calls: Int) throws {
        let text = Self.herd("{pools: [{id: origin, servers: 4, service_time: 100ms, queue: 100}]}")
        let scenario = try Fixtures.scenario(text, ["people=400", "report.represents=20000"])
        let run = try ScenarioRun(scenario).begin(threads: 2)
        let asked = LockedValue(0)
        run.advance(until: { _ in
            asked.withLock { count in
                count += 1
                return count > calls
            }
        })
        #expect(!run.isOver, "it was over after \(asked.withLock { $0 }) questions")
    }

    /// Fifteen seconds are a small part of two hours, but all of a minute's reloads come back.
    @Test func `what a short outage sends back is in the load`() throws {
        let text = Self.herd(
            "{timeout: 4s, retries: 0, failure_after: 1m, pools: [{id: origin, servers: 50, service_time: 100ms}], events: [{outage: {name: o, span: [\"2026-03-02T12:00:00+00:00\", \"2026-03-02T12:00:15+00:00\"]}}]}",
            policy: "{after: 15m}")
        let whole = try Fixtures.run(text, ["seed=1", "people=10000"])
        let sampled = try Self.sampled(text, people: 2_000, for: 10_000)
        #expect(try #require(sampled.scaled).agreement.rounds > 1)
        let peaks = [try #require(sampled.scaled).outcome.load, whole.load].map {
            Double($0.requestsByMinute.reduce(0, max))
        }
        #expect((peaks[0] / peaks[1] - 1).magnitude < 0.06, "\(peaks)")
    }

    /// A device whose symbol is not at the edge fails again and again, and asks more often than others.
    @Test func `edges behind a collapsed origin keep as much as before all people`() throws {
        let shipped = try #require(Fixtures.shipped.first { $0.lastPathComponent == "cold-edge.yaml" })
        let text = try String(contentsOf: shipped, encoding: .utf8)
        let smaller = [
            "service.pools.origin.servers=4", "population.devices.0.instances.0.location.chosen.count=5000",
        ]
        let whole = try Fixtures.run(text, ["people=15000", "seed=1"] + smaller)
        let sampled = try Self.sampled(text, people: 1_500, for: 15_000, smaller)
        #expect(try #require(sampled.scaled).agreement.isReached)
        let shares = try [sampled, whole].map { try Self.total($0, .hits) / Self.total($0, .offered) }
        #expect((shares[0] / shares[1] - 1).magnitude < 0.09, "\(shares)")
    }

    /// One of five whole runs of it collapses, too.
    @Test func `a service on a brink is not known from a sample`() throws {
        let shipped = try #require(Fixtures.shipped.first { $0.lastPathComponent == "region-return.yaml" })
        let sampled = try Self.sampled(
            String(contentsOf: shipped, encoding: .utf8), people: 2_000, for: 60_000, seed: 104)
        let agreement = try #require(sampled.scaled).agreement
        #expect(!agreement.isReached, "\(agreement)")
    }

    /// All that clients and services can do, each person for themselves: the devices' own reloads come out as before
    /// the service, but for chance.
    @Test(arguments: ServiceFixtures.clients) func `clients without devices fare as devices do`(_ clients: String)
        throws
    {
        let whole = try ServiceFixtures.everything(people: 200, clients: clients)
        var sampled = whole
        sampled.report.represents = 200
        let (a, b) = (
            try #require(try ScenarioRun(sampled).run(threads: 2)), try #require(try ScenarioRun(whole).run(threads: 2))
        )
        for field in [ServiceField.offered, .served] {
            let (without, with) = (try Self.total(a, field), try Self.total(b, field))
            // Five retries with delays that follow from each other keep the service near a brink: with eight seeds the
            // offered requests of whole runs lie between 70,000 and 92,000, and the two means differ by 2 %.
            let most = clients.contains("decorrelated") ? 0.25 : 0.15
            #expect((without / with - 1).magnitude < most, "\(field): \(without) without devices, \(with) with them")
        }
    }
}
