import Basics
import ScenarioFiles
import ScenarioModel
import Simulation
import Statistics
import Testing

/// The runs of a study share their tables.
@Suite struct SharedTableTests {
    /// Numbers that no other test has, so that the first run has to make its tables.
    private static let text = """
        start: "2026-03-02T00:00:00Z"
        warmup: 0s
        duration: 1d
        people: 5
        kinds:
          - {id: quote, app: bank, policy: {after: 1h, jitter: {sd: 37s}},
             timeline: {shape: series, count: 3, spacing: 20m}, versions: {source: steady, every: 1h}}
          - id: score
            app: games
            policy: never
            versions: {source: games, starts: {at: ["19:00"], zone: America/New_York}, length: 2h, changes: 4, per: key, one_in: 4}
            relevance: {event: 70}
        population:
          zones: {America/New_York: 0.613, Europe/London: 0.387}
          pickups:
            unlocks_per_day: {shape: 3.0917, mean: 81.37}
            quiet_days: {shape: 2.213, mean: 0.0513, clip: [0, 0.3]}
          sleep: {degrees: 5.317}
          devices:
            - kind: phone
              stacks:
                - {id: both, surface: home_first}
              instances:
                - {id: here, kind: quote, family: system_small, stack: both}
                - {id: game, kind: score, family: system_small, stack: both, location: {chosen: {count: 16}}}
        """

    private static func made(_ body: () throws -> Void) rethrows -> Int {
        let count = SetUpCount()
        try SetUpCount.$current.withValue(count, operation: body)
        return count.made
    }

    @Test func `a second run makes no table again, and one with other habits those that are new`() throws {
        let text = ScenarioText(text: Self.text)
        let first = try text.read(overrides: ["seed=1"]).scenario
        let second = try text.read(overrides: ["seed=2", "people=9", "kinds.quote.policy.after=2h"]).scenario
        let third = try text.read(overrides: ["population.pickups.burstiness=0.1717"]).scenario
        var hashes: [String] = []
        func prepare(_ scenario: Scenario) throws { hashes.append(try ScenarioRun(scenario).tablesHash) }
        #expect(try Self.made { try prepare(first) } > 3)
        // Which game of a round is shown follows from the seed, so the stack is played again; another policy has lives
        // of its own, by length and in all.
        #expect(try Self.made { try prepare(second) } == 3)
        #expect(try Self.made { try prepare(second) } == 0)
        #expect(try Self.made { try prepare(third) } > 0)
        // The bundle of each has the tables that it draws from, whoever made them.
        #expect(try Self.made { try prepare(first) } == 0)
        #expect(hashes[0] == hashes[1] && hashes[0] == hashes[4])
    }
}
