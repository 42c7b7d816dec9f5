import Simulation
import Testing

@testable import ScenarioFiles

/// Estimates before a run.
@Suite struct ScenarioEstimateTests {
    private func estimate(people: String, span: String = "7d", more: String = "") throws -> ScenarioEstimate {
        let text =
            "start: \"2026-03-02T00:00:00Z\"\nduration: \(span)\nwarmup: 0s\npeople: \(people)\n" + ScenarioReaderTests.kinds
            + ScenarioReaderTests.population + more
        return ScenarioEstimate(try ScenarioReader.read(text: text).scenario)
    }

    @Test func `a week of a million phones is within the limits, its numbers plausible`() throws {
        let estimate = try estimate(people: "1e6")
        #expect(estimate.people == 1e6 && estimate.devices == 1e6 && estimate.deviceDays == 7e6)
        // The policy asks for 48 a day, the budget pays up to 75.
        #expect(estimate.reloads > 48 * 7e6 && estimate.reloads < 60 * 7e6 && estimate.requests == estimate.reloads)
        #expect(estimate.events > 200 * 7e6 && estimate.events < 1000 * 7e6)
        // One endpoint: a week of tenths of a second, four bytes each.
        #expect(estimate.memory > 24_192_000 && estimate.memory < 30_000_000)
        #expect(estimate.problems(file: "x").isEmpty)
    }

    @Test func `memory does not depend on the number of people`() throws {
        #expect(try estimate(people: "1").memory == estimate(people: "1e9").memory)
    }

    @Test func `what is beyond the limits is a problem`() throws {
        let long = try estimate(people: "1e9", span: "3600d")
        #expect(
            long.problems(file: "big.yaml").map(\.description) == [
                "big.yaml: expected a run of at most 10,000,000,000,000 events, or --force, found one of about 2.2e15",
                "big.yaml: expected measures of at most 4 GiB, or --force, found about 12.4 GiB",
            ])
        #expect(throws: ScenarioProblems.self) { try long.check(file: "big.yaml") }
    }

    @Test func `retries and requests count`() throws {
        let plain = try estimate(people: "1000")
        let tried = try estimate(people: "1000", more: "service: {retries: 1, retry_delays: [1s]}\n")
        #expect(tried.requests == 2 * plain.requests)
    }
}
