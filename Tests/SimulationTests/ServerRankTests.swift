import ExampleServers
import ScenarioFiles
import ScenarioModel
import Simulation
import Testing

/// Servers of a user's own have the bytes of one process on several ranks.
///
/// Rules: S5, S9.
@Suite struct ServerRankTests {
    private static let code: UserCode = {
        var code = UserCode()
        code.add([
            "per_client": PerClientLimit(), "calendar": CalendarWindow(), "newest": NewestFirst(), "line": Bandwidth(),
        ])
        return code
    }()

    private static let pools = [
        "{id: origin, server: per_client, with: {most: 5, per: 1h, burst: 2}, service_time: 20ms}",
        "{id: origin, server: calendar, with: {most: 60, per: 10m}, service_time: 20ms}",
        "{id: origin, server: newest, with: {servers: 1, queue: 3}, service_time: {median: 700ms, p95: 2s}}",
        "{id: origin, server: line, with: {megabits: 0.3, sizes: exponential}}",
    ]

    private static func scenario(_ pool: String) throws -> Scenario {
        try UserCode.$current.withValue(code) {
            try Fixtures.scenario(
                Fixtures.fleet(people: 150),
                ["service={timeout: 6s, retries: 2, failing: [[30h, 30h20m]], pools: [\(pool)]}"])
        }
    }

    @Test(arguments: pools) func `ranks change nothing of what a server of a user's own does`(pool: String) throws {
        let scenario = try Self.scenario(pool)
        let whole = try #require(try ScenarioRun(scenario).run(threads: 1))
        for ranks in 2...3 {
            let ended = try RankedRun.outcomes(scenario, ranks: ranks, threads: [1, 2])
            #expect(ended[0].result?.fingerprint == whole.fingerprint, "\(ranks) ranks")
        }
    }

    @Test func `what it has in hand goes from ranks to others by a checkpoint`() throws {
        let scenario = try Self.scenario(Self.pools[2])
        let whole = try #require(try ScenarioRun(scenario).run(threads: 1))
        let paused = try RankedRun.outcomes(
            scenario, ranks: 2, threads: [1], pauses: { _, reportStart in reportStart >= 400 })
        try #require(paused.allSatisfy { !$0.state.isEmpty })
        let states = paused.map(\.state)
        for ranks in [1, 3] {
            let ended = try RankedRun.outcomes(scenario, ranks: ranks, threads: [1], from: states)
            #expect(ended[0].result?.fingerprint == whole.fingerprint, "on \(ranks)")
        }
    }
}
