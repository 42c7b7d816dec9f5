import Foundation
import RunLaws
import Simulation
import Statistics
import Testing

/// The peak of a jittered herd against its exact expectation: N devices, each at its own uniform moment of W seconds.
///
/// The oracle's fleet: one instance a device, gates open, no dispatch delay, no coalescing, a constant network delay.
///
/// Rules: P5.
@Suite struct HerdOracleTests {
    /// E[max] of `bins` independent Poisson counts of mean `mean`: Σ over k of 1 − F(k)^bins. Plain summation, in code
    /// of the test's own.
    static func expectedMaximum(mean: Double, bins: Double) -> (mean: Double, sd: Double) {
        var (first, second) = (0.0, 0.0)
        var logTerm = -mean
        var cumulated = 0.0
        for k in 0..<Int(mean + 40 * mean.squareRoot() + 200) {
            cumulated += exp(logTerm)
            let above = -expm1(bins * log(min(1, cumulated)))
            first += above
            second += Double(2 * k + 1) * above
            logTerm += log(mean) - log(Double(k + 1))
        }
        return (first, (second - first * first).squareRoot())
    }

    @Test(arguments: [(1e6, 300.0, 3500.71), (1e6, 900, 1219.70), (1e6, 3600, 339.61), (1e7, 3600, 2969.10)])
    func `the test's own sum gives the published expectations`(devices: Double, window: Double, published: Double) {
        #expect(abs(Self.expectedMaximum(mean: devices / window, bins: window).mean - published) < 0.01)
    }

    /// A million devices in release; a twentieth of them in debug, which is many times slower.
    @Test(arguments: [300, 900]) func `the largest second of a herd is the expected one`(window: Int) throws {
        #if DEBUG
            let people = 50_000
        #else
            let people = 1_000_000
        #endif
        let result = try Fixtures.run(
            """
            start: "2026-03-02T14:00:00+00:00"
            warmup: 0s
            duration: 1h
            people: \(people)
            parameters: {gates: none, dispatch_delay: 0s, coalesce_within: 0s}
            service: {latency_out: 100ms, latency_back: 100ms}
            kinds:
              - {id: quote, policy: {after: {at: ["09:30"], zone: America/New_York}, jitter: \(window)s}}
            population:
              zones: {America/New_York: 1}
              pickups: {unlocks_per_day: 1, glances_per_unlock: 0}
              movement: {commute: {share: 0}, outings: {per_day: 0}, travel: {per_year: 0}}
              \(Fixtures.still)
              devices:
                - {kind: phone, instances: [{id: quote, kind: quote}]}
            """)
        let tenths = result.load.tenths(of: 0)
        let seconds = stride(from: 0, to: tenths.count, by: 10).map { start in
            (start..<start + 10).reduce(0) { $0 + Int(tenths[$1]) }
        }
        // Requests arrive a tenth of a second after they are sent: 14:30:00.1 begins the window.
        #expect(seconds.reduce(0, +) == people, "every device reloads once in the hour")
        let expected = Self.expectedMaximum(mean: Double(people) / Double(window), bins: Double(window))
        let largest = Double(seconds.max() ?? 0)
        // Five standard deviations: a false alarm once in some millions of seeds.
        #expect(
            abs(largest - expected.mean) < 5 * expected.sd,
            "largest \(largest), expected \(expected.mean) ± \(expected.sd)")
        print(
            "herd of \(people) over \(window) s: largest second \(largest), expected \(expected.mean) ± \(expected.sd)")
    }

    @Test func `devices that keep their offset come at the same tenth of a second of every hour, from the first on`()
        throws
    {
        let text = """
            start: "2026-03-02T14:00:00+00:00"
            warmup: 0s
            duration: 6h
            people: 5000
            parameters: {gates: none, dispatch_delay: 0s, coalesce_within: 0s}
            service: {latency_out: 100ms, latency_back: 100ms}
            kinds:
              - {id: quote, policy: {after: {every: 1h}, jitter: {fixed: 10m}}}
            population:
              zones: {America/New_York: 1}
              movement: {commute: {share: 0}, outings: {per_day: 0}, travel: {per_year: 0}}
              \(Fixtures.still)
              devices:
                - {kind: phone, instances: [{id: one, kind: quote}, {id: other, kind: quote}]}
            """
        func hours(_ text: String) throws -> [[UInt32]] {
            let result = try Fixtures.run(text)
            let tenths = result.load.tenths(of: 0)
            return withExtendedLifetime(result) {
                (0..<6).map { hour in (0..<36_000).map { tenths[hour * 36_000 + $0] } }
            }
        }
        let kept = try hours(text)
        #expect(kept.allSatisfy { $0 == kept[0] })
        // Both instances of a device come together, evenly over ten minutes.
        #expect(kept[0].allSatisfy { $0 % 2 == 0 } && kept[0].reduce(0, +) == 10_000)
        let early = kept[0][..<3_001].reduce(0) { $0 + Double($1) }
        #expect((early / 10_000 - 0.5).magnitude < 5 * 0.5 / 5_000.0.squareRoot(), "\(early)")
        #expect(kept[0][6_002...].allSatisfy { $0 == 0 })
        let drawn = try hours(text.replacing("{fixed: 10m}", with: "10m"))
        #expect(drawn[1] != drawn[2])
    }
}
