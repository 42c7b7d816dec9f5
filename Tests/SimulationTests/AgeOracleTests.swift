import Foundation
import RunLaws
import Simulation
import Statistics
import Testing

/// The age of content at random views under a renewal process of reloads: E[X²] / 2E[X], by the inspection paradox.
///
/// The profile of the oracle: gates open, no delays, no network time.
///
/// Rules: C2, C3.
@Suite struct AgeOracleTests {
    private static func ages(policy: String, seed: Int = 1) throws -> RunResult {
        try Fixtures.run(
            """
            start: "2026-03-02T00:00:00-05:00"
            warmup: 1d
            duration: 2d
            seed: \(seed)
            people: 3000
            parameters: {gates: none, dispatch_delay: 0s, coalesce_within: 0s}
            service: {latency_out: 0s, latency_back: 0s}
            kinds:
              - {id: k, policy: \(policy)}
            population:
              zones: {America/New_York: 1}
              movement: {commute: {share: 0}, outings: {per_day: 0}, travel: {per_year: 0}}
              \(Fixtures.still)
              devices:
                - {kind: phone, instances: [{id: w, kind: k, surface: lock_screen}]}
            """)
    }

    private static func mean(_ result: RunResult) -> (seconds: Double, views: Double) {
        let counts = result.lockScreenViews
        let views = Double(counts.sum(.ages))
        return (Double(counts.wide(.ageSum)) / 1e6 / views, views)
    }

    private static func quantile(_ q: Double, _ result: RunResult) -> Double {
        LogHistogram.quantile(q, of: result.lockScreenViews.bins(.ages)) ?? -1
    }

    // About 900,000 views of 3,000 people. Views of one person share their reloads, so the effective number is taken as
    // a tenth of them; the tolerance is five standard errors of that.

    @Test func `a reload every 900 s gives a mean age of 450 s`() throws {
        let result = try Self.ages(policy: "{after: 15m}")
        let (mean, views) = Self.mean(result)
        let error = 5 * 900 / 12.0.squareRoot() / (views / 10).squareRoot()
        #expect(abs(mean - 450) < error, "\(mean) of \(views) views, tolerance \(error)")
        #expect(abs(Self.quantile(0.95, result) - 855) < 855 / 16)
    }

    @Test func `reloads uniform between 600 s and 1200 s give a mean age of 466.667 s`() throws {
        let (mean, views) = try Self.mean(Self.ages(policy: "{after: 10m, jitter: 10m}"))
        #expect(abs(mean - 466.667) < 5 * 290 / (views / 10).squareRoot(), "\(mean)")
    }

    @Test func `exponential reloads of mean 900 s give ages of mean 900 s`() throws {
        // The least date is a second after the fetch: the interval is 1 s and an exponential of mean 899 s.
        let result = try Self.ages(policy: "{after: 1s, jitter: {mean: 899s}}")
        let (mean, views) = Self.mean(result)
        let (first, second) = (900.0, 900.0 * 900 + 899 * 899)
        #expect(abs(mean - second / first / 2) < 5 * 900 / (views / 10).squareRoot(), "\(mean)")
        #expect(abs(Self.quantile(0.95, result) - 2696) < 2696 / 16)
    }
}
