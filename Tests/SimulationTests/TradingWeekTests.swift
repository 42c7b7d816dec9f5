import RunLaws
import Simulation
import Testing

/// A week with a holiday and a half day: 23 to 27 November 2026, the Thursday of which is Thanksgiving.
@Suite struct TradingWeekTests {
    private static func run(days: String, versions: String) throws -> RunResult {
        try Fixtures.run(
            """
            start: "2026-11-22T00:00:00-05:00"
            warmup: 1d
            duration: 5d
            people: 300
            parameters: {gates: none, dispatch_delay: 0s, coalesce_within: 0s}
            service: {latency_out: 0s, latency_back: 0s}
            kinds:
              - {id: quote, policy: {after: {at: ["09:30", "16:00"], zone: America/New_York, days: \(days)}}, versions: \(versions)}
            population:
              zones: {America/New_York: 1}
              movement: {commute: {share: 0}, outings: {per_day: 0}, travel: {per_year: 0}}
              \(Fixtures.still)
              devices:
                - {kind: phone, instances: [{id: w, kind: quote, surface: lock_screen, location: {chosen: {count: 50}, popularity: zipf}}]}
            """)
    }

    /// Requests in the second of a clock time, Monday to Friday.
    private static func requests(_ result: RunResult, hour: Int, minute: Int) -> [Int] {
        (0..<5).map { day in
            let first = ((day * 24 + hour) * 60 + minute) * 600
            return result.tenths[first..<first + 10].reduce(0) { $0 + Int($1) }
        }
    }

    @Test func `on the trading days of an exchange nobody asks on the holiday, nor at the usual close of the half day`()
        throws
    {
        let result = try Self.run(days: "{exchange: NYSE}", versions: "{source: market, exchange: NYSE, every: 1m}")
        #expect(Self.requests(result, hour: 9, minute: 30) == [300, 300, 300, 0, 300])
        #expect(Self.requests(result, hour: 16, minute: 0) == [300, 300, 300, 0, 0])
        #expect(result.tenths.reduce(0) { $0 + Int($1) } == 7 * 300)
        let weekdays = try Self.run(days: "weekdays", versions: "{source: market, exchange: NYSE, every: 1m}")
        #expect(Self.requests(weekdays, hour: 16, minute: 0) == [300, 300, 300, 300, 300])
    }

    @Test func `what is read on the holiday is not stale, though nobody has asked`() throws {
        // The last reload of Wednesday is at the close, and the next version comes on Friday at 9:30.
        let exchange = try Self.run(days: "{exchange: NYSE}", versions: "{source: market, exchange: NYSE, every: 1m}")
        let everyday = try Self.run(days: "{exchange: NYSE}", versions: "{source: market, every: 1m}")
        func staleHours(_ result: RunResult) -> Double { Double(result.lockScreenViews.wide(.staleTime)) / 3.6e9 / 300 }
        // Without the calendar Thursday's session and Friday's afternoon add about six and a half hours, three hours
        // and the night to Friday.
        #expect(staleHours(everyday) > staleHours(exchange) + 9)
    }
}
