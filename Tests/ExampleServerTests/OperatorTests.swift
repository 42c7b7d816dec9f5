import Basics
import RefreshService
import Simulation
import Statistics
import Testing

/// Questions of operators that no key of a pool says, answered by a server of the examples.
///
/// Rules: S9.
@Suite struct OperatorTests {
    private static func share(_ part: Int64, of whole: Int64) -> Double { Double(part) / Double(whole) }

    /// A home of 6 sensors, each asked for every 2 minutes, is 180 an hour; its account has 120.
    private static func home(after: String, people: Int) -> String {
        OwnServers.fleet(
            people: people, duration: "12h", kinds: "[{id: k, policy: {after: \(after)}}]",
            instances: "[\((1...6).map { "{id: i\($0), kind: k}" }.joined(separator: ", "))]",
            service: """
                timeout: 10s
                failure_after: \(after)
                pools: [{id: api, server: per_client, with: {most: 120, per: 1h, burst: 6}, service_time: 10ms}]
                """)
    }

    @Test func `an account's quota refuses a third of a home's requests, and nobody's who stays below it`() throws {
        let over = try OwnServers.run(Self.home(after: "2m", people: 1))
        let share = try Self.share(over.total(.shedByRate), of: over.total(.offered))
        #expect((share - 1.0 / 3).magnitude < 0.02, "\(share)")
        // 200 s are 108 an hour: one home, and 500 of them, each with an account of its own.
        for people in [1, 500] {
            let below = try OwnServers.run(Self.home(after: "200s", people: people))
            #expect(try below.total(.shedByRate) == 0 && below.total(.offered) > Int64(people) * 1_200)
        }
        #expect(try OwnServers.run(Self.home(after: "2m", people: 500)).total(.shedByRate) > 300_000)
    }

    /// 50 clients ask 300 times an hour: 4,000 are gone at 13:20, and all come as the next day begins.
    @Test func `a window of the calendar is empty by the afternoon, and full of clients at midnight`() throws {
        let result = try OwnServers.run(
            OwnServers.fleet(
                people: 50, duration: "1d1h", kinds: "[{id: k, policy: {after: 10m}}]", instances: OwnServers.one,
                service: """
                    timeout: 10s
                    retries: 1
                    retry_delays: [1s]
                    retry_after: heeded
                    failure_after: 15m
                    pools: [{id: api, server: calendar, with: {most: 4000, per: 1d}, service_time: 10ms}]
                    """))
        #expect(try result.total(.completed, minutes: 0..<1_440) == 4_000)
        let last = try (0..<1_440).last { try result.total(.completed, minutes: $0..<$0 + 1) > 0 }
        #expect(try ((13 * 60 + 5)...(13 * 60 + 25)).contains(#require(last)), "\(last ?? -1)")
        #expect(try result.total(.completed, minutes: 820..<1_440) == 0)
        // Each waits for midnight, and tries again then; `Retry-After` is told to the microsecond.
        let load = try #require(result.service).originLoad.tenths(of: 0)
        #expect(load[864_000..<864_002].reduce(0) { $0 + Int($1) } == 50)
    }

    /// Everybody comes at 20:30 within 2 minutes; 4 servers are raised to 40 at 20:15 and lowered at 23:00.
    @Test func `servers raised before a known hour bear the herd, and cost what their hours cost`() throws {
        func evening(_ pool: String) throws -> RunResult {
            try OwnServers.run(
                OwnServers.fleet(
                    people: 20_000, start: "2026-03-02T12:00:00Z", duration: "12h",
                    kinds: "[{id: k, policy: {after: {at: [\"20:30\"]}, jitter: 2m}}]", instances: OwnServers.one,
                    service: """
                        timeout: 10s
                        retries: 2
                        pools: [\(pool)]
                        prices: {server_hour: 0.1}
                        """))
        }
        let fixed = try evening("{id: o, servers: 4, service_time: 100ms, queue: 400}")
        let raised = try evening(
            "{id: o, server: scheduled, with: {servers: 4, raised: 40, from: 20h15m, to: 23h, queue: 400}, service_time: 100ms}"
        )
        #expect(try Self.share(fixed.total(.shedByQueue), of: fixed.total(.originRequests)) > 0.5)
        #expect(try raised.total(.shedByQueue) == 0)
        // 36 more servers for 2 h 45 min of 12 h.
        let measures = try #require(raised.service)
        let time = (0..<measures.minutes).reduce(0) { $0 + measures[.presentTime, pool: 0, minute: $1] }
        #expect(time == (4 * 720 + 36 * 165) * 60_000_000)
    }

    /// 500 units fetch 20 MB over 500 Mbit/s: 160 s for all of them, whoever is first.
    @Test func `a line's bytes are the wait of a herd, and nothing of it when that is spread`() throws {
        func fetch(jitter: String) throws -> (longest: Double, median: Double) {
            let result = try OwnServers.run(
                OwnServers.fleet(
                    people: 500, start: "2026-03-02T10:00:00Z", duration: "2h",
                    kinds: "[{id: k, policy: {after: {at: [\"10:10\"]}, jitter: \(jitter)}}]",
                    instances: OwnServers.one,
                    service: """
                        timeout: 1h
                        pools: [{id: o, server: line, with: {megabits: 500}}]
                        endpoints: [{id: k, response_size: 20MB}]
                        """), ["service.pools.o.service_time=0s"])
            let times = try #require(result.service)[.originTime, pool: 0].whole
            #expect(try result.total(.originBytes) == 20_000_000 * result.total(.completed))
            return (times.largest.inSeconds, try #require(times.mean))
        }
        let herd = try fetch(jitter: "0s")
        #expect((herd.longest - 160).magnitude < 1 && herd.median > 155, "\(herd)")
        let spread = try fetch(jitter: "1h")
        #expect(spread.longest < 3, "\(spread)")
    }

    /// 500 keys are fetched within a second after a purge, and live for half an hour, or for 15 % more or less.
    @Test func `what was fetched together does not expire together where lives vary`() throws {
        func largestMinute(_ pool: String) throws -> Int64 {
            let result = try OwnServers.run(
                OwnServers.fleet(
                    people: 10, duration: "90m", kinds: "[{id: k, policy: {after: 1h}}]", instances: OwnServers.one,
                    service: """
                        pools: [\(pool)]
                        endpoints: [{id: k, cache: {ttl: 30m}}]
                        background: [{id: readers, endpoint: k, rate: 3000, keys: 500}]
                        events: [{purge: {name: deploy, at: 40m}}]
                        """))
            return try (60..<90).map { try result.total(.originRequests, minutes: $0..<$0 + 1) }.max() ?? 0
        }
        #expect(try largestMinute("{id: db, servers: unlimited, service_time: 1ms}") >= 490)
        // Over 9 minutes it is 56 a minute.
        let varied = try largestMinute(
            "{id: db, server: varied_life, with: {life: 30m, spread: 0.15}, service_time: 1ms}")
        #expect((40...90).contains(varied), "\(varied)")
    }
}
