import Basics
import RunLaws
import Simulation
import Statistics
import Testing

/// What operators of services have asked and published, as runs: fetches by use, answers without news, the pace that a
/// server sets, clients that differ by kind and failure.
///
/// Rules: B8, S3, S10, S11.
@Suite struct OperatorCaseTests {
    /// People who do nothing but carry phones.
    private static let idle = """
        population:
          zones: {UTC: 1}
          movement: {commute: {share: 0}, outings: {per_day: 0}, travel: {per_year: 0}}
          \(Fixtures.still)
          apps: {app: {openings_per_day: 0}}
          devices: [{kind: phone, instances: [{id: i, kind: k}]}]
        parameters: {gates: none, dispatch_delay: 0s, coalesce_within: 0s, min_gap: 0s, free_delay: 0s}
        """

    private static func fleet(
        _ kind: String, _ endpoint: String, people: Int = 1, warmup: String = "1h", duration: String = "7d",
        events: String = "[]", service: String = ""
    ) -> String {
        """
        start: "2026-03-02T00:00:00Z"
        warmup: \(warmup)
        duration: \(duration)
        people: \(people)
        kinds: [{id: k, \(kind)}]
        service:
          latency_out: 1ms
          latency_back: 1ms
          pools: [{id: o, servers: 100, service_time: 10ms}]
          endpoints: [{id: k, \(endpoint)}]
          events: \(events)
        \(service)
        \(idle)
        """
    }

    // MARK: Answers without news (S10)

    private static func feed(_ versions: String, _ endpoint: String, people: Int = 1, every: String = "20m") -> String {
        fleet("policy: {after: \(every)}, versions: \(versions)", "response_size: 12856B\(endpoint)", people: people)
    }

    @Test func `polls of a feed that changes once a month cost a 304 each`() throws {
        let versions = "{source: steady, every: 30d}"
        let whole = try #require(try Fixtures.run(Self.feed(versions, "")).service)
        #expect(whole.sum(.edgeBytes) == 504 * 12_856 && whole.sum(.notModified) == 0)
        let result = try Fixtures.run(
            Self.feed(versions, ", not_modified: {by_version: true, size: 250B, service_time: 100us}"))
        let told = try #require(result.service)
        #expect(told.sum(.notModified) == 504 && told.sum(.originNotModified) == 504)
        #expect(told.sum(.edgeBytes) == 504 * 250 && told.sum(.originBytes) == 504 * 250)
        // A hundredth of the server's time.
        #expect(whole.sum(.busyTime) == 100 * told.sum(.busyTime))
    }

    @Test func `what a device finds unchanged its service has told it, and the share is that of a Poisson process`()
        throws
    {
        let result = try Fixtures.run(
            Self.feed("{source: poisson, every: 3m}", ", not_modified: {}", people: 10, every: "2m"))
        let service = try #require(result.service)
        let unchanged = [false, true].reduce(Int64(0)) { sum, charged in
            sum + result.reloads[.unchanged(.after, charged: charged)]
        }
        // Answers on their way at the boundaries of the report are counted at the edge and at the device.
        #expect(
            (service.sum(.notModified) - unchanged).magnitude <= 10, "\(service.sum(.notModified)) and \(unchanged)")
        let served = Double(service.sum(.served))
        // All ask of one process, of which a week has 5,040 spans of two minutes.
        let share = 1 - DeterministicMath.exp(-2.0 / 3)
        #expect(
            (1 - Double(service.sum(.notModified)) / served - share).magnitude
                < 5 * (share * (1 - share) / 5_040).squareRoot())
    }

    @Test func `four in five requests for feeds find nothing new, and most of the bytes are those of the fifth`() throws
    {
        let result = try Fixtures.run(
            Self.feed("{source: steady, every: 1d}", ", not_modified: {share: 0.8}", people: 40))
        let service = try #require(result.service)
        let (told, served) = (Double(service.sum(.notModified)), Double(service.sum(.served)))
        #expect((told - 0.8 * served).magnitude < 5 * (0.16 * served).squareRoot())
        let bytes = Double(service.sum(.edgeBytes))
        #expect((bytes - (told * 250 + (served - told) * 12_856)).magnitude < 1)
    }

    // MARK: The server's pace (S11)

    @Test func `copies of one object that end together come back together`() throws {
        func largest(_ kind: String, _ endpoint: String) throws -> UInt32 {
            let result = try Fixtures.run(
                Self.fleet(kind, "cache: {ttl: 10m}\(endpoint)", people: 6_000, duration: "3h"))
            let tenths = result.load.tenths(of: 0)
            return stride(from: 0, to: tenths.count - 10, by: 5).reduce(0) { most, first in
                max(most, tenths[first..<first + 10].reduce(0, +))
            }
        }
        // Ten a second, and 6,000 in one.
        #expect(try largest("policy: {after: 10m}", "") < 40)
        #expect(try largest("policy: {after: served}", ", next_after: 10m, next_from: content") > 5_900)
        // Counted from the answer they stay apart, as long as the time is drawn or not.
        #expect(try largest("policy: {after: served}", ", next_after: 10m") < 40)
    }

    @Test func `after a change from 24 h to 1 h the load rises for a day`() throws {
        let text = Self.fleet(
            "policy: {after: served}", "next_after: 24h", people: 6_000, warmup: "1d", duration: "3d",
            events: "[{pace: {name: faster, at: 1d, endpoint: k, next_after: 1h}}]")
        let result = try Fixtures.run(text)
        let tenths = result.load.tenths(of: 0)
        let hours = (0..<72).map { hour in
            tenths[hour * 36_000..<(hour + 1) * 36_000].reduce(0) { $0 + Int($1) }
        }
        // 250 an hour by the old dates; who has come asks each hour from then on. The report begins a day after the
        // run's beginning, and the change comes a day after start.
        let expected = (0..<72).map { hour in hour < 24 ? 250.0 * (Double(hour) + 1) : 6_000 }
        for hour in [0, 3, 6, 12, 23, 30, 60] {
            let tolerance = max(5 * expected[hour].squareRoot(), 0.06 * expected[hour])
            #expect((Double(hours[hour]) - expected[hour]).magnitude < tolerance, "hour \(hour): \(hours[hour])")
        }
    }

    @Test func `a time that is served to all is the policy that states it`() throws {
        let stated = try Fixtures.run(Self.fleet("policy: {after: 20m}", "response_size: 1kB", people: 50))
        let served = try Fixtures.run(Self.fleet("policy: {after: served}", "next_after: 20m", people: 50))
        #expect(stated.tenths == served.tenths && stated.counts == served.counts)
    }

    // MARK: Renewals at midnight (P5)

    @Test func `orders at midnight come as an authority counted them, and a sleep of eight minutes spreads them`()
        throws
    {
        func largest(_ jitter: String, _ parameters: String) throws -> (second: Double, halfMinute: Double) {
            let result = try Fixtures.run(
                """
                start: "2026-03-02T12:00:00Z"
                warmup: 1h
                duration: 1d
                people: 33000
                parameters: {gates: none, \(parameters)}
                service: {latency_out: 0s, latency_back: 0s}
                kinds: [{id: k, policy: {after: {at: ["00:00"], zone: UTC}\(jitter)}}]
                population:
                  zones: {Europe/London: 1}
                  pickups: {unlocks_per_day: 0}
                  devices: [{kind: phone, instances: [{id: i, kind: k}]}]
                """)
            let tenths = result.load.tenths(of: 0)
            func most(_ width: Int) -> Double {
                stride(from: 0, to: tenths.count - width, by: 5).reduce(0) { most, first in
                    max(most, Double(tenths[first..<first + width].reduce(0, +)))
                }
            }
            return (most(10), most(300))
        }
        // 33,000 orders within half a minute: 1,100 a second.
        let midnight = try largest("", "dispatch_delay: {min: 0s, max: 30s}")
        #expect(midnight.halfMinute > 32_990 && (1_100...1_300).contains(midnight.second), "\(midnight)")
        // 480 s of a Poisson process of 68.75 a second: its largest second is above 85 and below 115, but once in 10⁴.
        let asleep = try largest(", jitter: 8m", "dispatch_delay: 0s")
        #expect((85...115).contains(asleep.second), "\(asleep)")
    }

    // MARK: Failures by kind and outcome (S3)

    @Test func `a kind's own values stand in place of the service's`() throws {
        let outage = "[{outage: {name: out, span: [10h, 20h]}}]"
        func run(_ kind: String, _ service: String) throws -> RunResult {
            try Fixtures.run(
                Self.fleet(
                    "policy: {after: 30m}\(kind)", "response_size: 1kB", people: 40, duration: "1d", events: outage,
                    service: "  retry_delays: [10s, 20s]\n  retries: \(service)"))
        }
        let ofService = try run("", "2\n  failure_after: 5m")
        let ofKind = try run(", retries: 2, failure_after: 5m", "{timed_out: 1}\n  failure_after: 1h")
        #expect(ofService.counts == ofKind.counts && ofService.tenths == ofKind.tenths)
        let other = try run(", retries: {failed: 0}, failure_after: {failed: 1h}", "2\n  failure_after: 5m")
        #expect(other.reloads[.requestsRefused] * 10 < ofKind.reloads[.requestsRefused])
    }

    @Test func `clients heed how they failed`() throws {
        // In an outage each comes again after ten minutes; where its limits refuse, after six hours.
        func sent(_ pool: String, _ events: String) throws -> Int64 {
            let text = Self.fleet(
                "policy: {after: 1h}, failure_after: {refused: 6h, failed: 10m, timed_out: 20m}", "response_size: 1kB",
                people: 30, warmup: "0s", duration: "1d", events: events
            ).replacing("servers: 100, service_time: 10ms", with: pool)
            let service = try #require(try Fixtures.run(text).service)
            return service.sum(.offered)
        }
        let all = "[{outage: {name: out, span: [0s, 24h]}}]"
        // Some 141 a day after the first hour's half, 4, and 69.
        #expect((4_200...4_350).contains(try sent("servers: 100, service_time: 10ms", all)))
        #expect(
            (90...180).contains(
                try sent("servers: 100, service_time: 10ms, rate_limit: {per_minute: 0.0001, burst: 1}", "[]")))
        let silent = "[{outage: {name: out, span: [0s, 24h], answer: none}}]"
        #expect((2_040...2_120).contains(try sent("servers: 100, service_time: 10ms", silent)))
    }

    // MARK: Fetches by use (B8)

    @Test func `a phone that lies untouched fetches nothing at night, and an app that nobody opens nothing at all`()
        throws
    {
        func hours(_ openings: Int, _ fetch: String) throws -> [Int] {
            let result = try Fixtures.run(
                """
                start: "2026-03-02T00:00:00+01:00"
                warmup: 2d
                duration: 3d
                people: 500
                kinds: [{id: k, app: a, policy: never}]
                population:
                  zones: {Europe/Berlin: 1}
                  apps: {a: {openings_per_day: \(openings), background_fetch: {\(fetch)}}}
                  \(Fixtures.still)
                  devices: [{kind: phone, instances: [{id: i, kind: k}]}]
                """)
            let minutes = result.load.requestsByMinute
            return (0..<24).map { hour in
                (0..<3).reduce(0) { sum, day in
                    let first = day * 1_440 + hour * 60
                    return sum + minutes[first..<first + 60].reduce(0) { $0 + Int($1) }
                }
            }
        }
        let byUse = try hours(1, "every: 4h, by: use")
        let all = byUse.reduce(0, +)
        #expect(all > 300 && Double(byUse[1...5].reduce(0, +)) < 0.05 * Double(all), "\(byUse)")
        #expect(try hours(0, "every: 1h, by: use").allSatisfy { $0 == 0 })
        // By the clock it fetches through the night, six times a day.
        let byClock = try hours(1, "every: 4h")
        #expect((8_500...9_100).contains(byClock.reduce(0, +)) && byClock[2] > 250, "\(byClock)")
    }
}
