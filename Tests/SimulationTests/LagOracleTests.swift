import Basics
import RunLaws
import Simulation
import Testing

/// Versions on the hour tell how far behind the truth a view was, and which reloads brought nothing new, from times
/// alone.
@Suite struct LagOracleTests {
    private static let every = Duration.hours(3)

    private static func version(at instant: Instant) -> Int64 {
        let since = instant.microseconds
        return since >= 0 ? since / every.microseconds : -((-since + every.microseconds - 1) / every.microseconds)
    }

    @Test func `lags are the times since the next version, and reloads between two versions bring nothing new`() throws
    {
        let scenario = try Fixtures.scenario(
            """
            start: "2026-03-06T00:00:00-05:00"
            warmup: 1d
            duration: 3d
            people: 40
            service: {latency_out: 0s, latency_back: 0s}
            kinds:
              - {id: k, policy: {after: 70m, jitter: 1h}, versions: {source: steady, every: 3h}}
            population:
              zones: {America/New_York: 1}
              movement: {commute: {share: 0}, outings: {per_day: 0}, travel: {per_year: 0}}
              \(Fixtures.still)
              devices: [{instances: [{id: i, kind: k, surface: lock_screen}]}]
            """)
        let run = try ScenarioRun(scenario)
        let reportStart = Instant.start + scenario.plan.warmup
        var (unchanged, responses, lagging): (Int64, Int64, Int64) = (0, 0, 0)
        for person in 0..<40 {
            let (rows, result) = run.trace(person: person)
            var (lagSum, missed): (Int128, Int64) = (0, 0)
            for row in rows where row.time >= reportStart && row.state != nil {
                guard let age = row.age else { continue }
                let madeAt = row.time - age
                let next = Instant.start + Self.every * (Self.version(at: madeAt) + 1)
                if row.time >= next {
                    lagSum += Int128((row.time - next).microseconds)
                    missed += 1
                }
                #expect(Int64(row.missed ?? 0) == Self.version(at: row.time) - Self.version(at: madeAt))
            }
            #expect(result.views.wide(.lagSum) == lagSum)
            #expect(result.views.sum(.lags) == missed && result.views[.missedViews] == missed)
            lagging += missed
            var last: [Int: Instant] = [:]
            var expected: Int64 = 0
            for row in rows where row.event == .response {
                let instance = try #require(row.note.instance)
                if row.time >= reportStart {
                    responses += 1
                    if let before = last[instance], Self.version(at: before) == Self.version(at: row.time) {
                        expected += 1
                    }
                }
                last[instance] = row.time
            }
            #expect(result.reloads.sum(.unchanged.all) == expected, "person \(person)")
            unchanged += expected
        }
        #expect(unchanged > 100 && unchanged < responses && lagging > 100)
    }
}
