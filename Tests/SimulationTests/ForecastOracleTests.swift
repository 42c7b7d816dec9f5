import Fleet
import Reporting
import RunLaws
import Simulation
import Testing

/// The error of forecasts on whole runs against closed forms: views at random under a renewal of 900 s, in the profile
/// of open gates.
///
/// Rules: C4.
@Suite struct ForecastOracleTests {
    private static func run(_ forecast: String, timeline: String = "{shape: single}", people: Int = 1_500) throws
        -> RunResult
    {
        try Fixtures.run(
            """
            start: "2026-03-02T00:00:00-05:00"
            warmup: 1d
            duration: 2d
            people: \(people)
            parameters: {gates: none, dispatch_delay: 0s, coalesce_within: 0s}
            service: {latency_out: 0s, latency_back: 0s}
            kinds:
              - {id: k, policy: {after: 15m}, timeline: \(timeline)\(forecast.isEmpty ? "" : ", forecast: " + forecast)}
            population:
              zones: {America/New_York: 1}
              movement: {commute: {share: 0}, outings: {per_day: 0}, travel: {per_year: 0}}
              \(Fixtures.still)
              devices:
                - {kind: phone, instances: [{id: w, kind: k, surface: lock_screen}]}
            """)
    }

    private static func forecasts(_ result: RunResult) -> (mean: Double, views: Double) {
        let counts = BlockSum(result.measures, at: result.measures.layout.forecastPlace(ofStratum: 0, mode: .none))
        let views = Double(counts[.views])
        return (Double(counts.wide(.errorSum)) / 1e6 / views, views)
    }

    private static func ages(_ result: RunResult) -> (sum: Double, views: Double) {
        let views = result.lockScreenViews
        return (Double(views.wide(.ageSum)) / 1e6, Double(views.sum(.ages)))
    }

    @Test func `an error that grows evenly with the age of one entry is the mean age`() throws {
        let result = try Self.run("{error_at_1h: 1, exponent: 1, unit: °C}")
        let (mean, views) = Self.forecasts(result)
        let ages = Self.ages(result)
        #expect(views == ages.views && views > 100_000)
        #expect(abs(mean - ages.sum / ages.views / 3_600) < 1e-6, "each error is rounded to a millionth")
    }

    @Test func `with the root of the lead time the mean is two thirds of the largest error`() throws {
        let (mean, views) = try Self.forecasts(Self.run("{error_at_1h: 1.2, exponent: 0.5, unit: °C}"))
        // 1.2 √(1/4 h) at most; the root of a uniform has the mean 2/3 and the variance 1/18. Views of one person share
        // their reloads.
        #expect(abs(mean - 0.4) < 5 * 0.6 * (1 / 18.0).squareRoot() / (views / 10).squareRoot(), "\(mean)")
    }

    @Test func `a series counts by the entry on the screen`() throws {
        let (mean, views) = try Self.forecasts(
            Self.run("{error_at_1h: 6, exponent: 1, unit: °C}", timeline: "{shape: series, count: 3, spacing: 5m}"))
        // Entries at 0, 5 and 10 min: leads of 0, 5 min, and from 10 min on the view's own, 12.5 min in the mean; a
        // tenth of a degree a minute.
        let expected = (0 + 0.5 + 1.25) / 3
        #expect(abs(mean - expected) < 5 * 0.54 / (views / 10).squareRoot(), "\(mean)")
    }

    @Test func `a series that lasts is never stale, and a little nearer than one entry kept on`() throws {
        let short = try Self.run(
            "{error_at_1h: 6, exponent: 1, unit: °C}", timeline: "{shape: series, count: 2, spacing: 1m}", people: 300)
        let long = try Self.run(
            "{error_at_1h: 6, exponent: 1, unit: °C}", timeline: "{shape: series, count: 60, spacing: 1m}", people: 300)
        func stales(_ result: RunResult) -> Int64 { result.lockScreenViews[.views(.stale)] }
        #expect(stales(long) == 0 && stales(short) > 1_000)
        #expect(Self.forecasts(long).mean < Self.forecasts(short).mean)
        #expect(Self.forecasts(long).mean > Self.forecasts(short).mean - 0.1)
    }

    @Test func `a forecast changes no other count, and no fingerprint where there is none`() throws {
        let (without, with) = try (Self.run("", people: 200), Self.run("{error_at_1h: 1.2, unit: °C}", people: 200))
        #expect(Array(with.counts.prefix(without.counts.count)) == without.counts)
        #expect(with.counts.count == without.counts.count + CountedMode.count * ForecastCounts.size)
        #expect(with.tenths == without.tenths && with.fingerprint != without.fingerprint)
        #expect(!without.measures.layout.hasForecasts)
        let report = RunReport(with)
        #expect(report.summary.filter { $0.metric.contains("forecast") }.map(\.name) == ["k.forecast_error_mean"])
        #expect(report.summary.first { $0.name == "k.forecast_error_mean" }?.unit == "°C")
        #expect(
            RunReport(without).summary.map(\.name)
                == report.summary.map(\.name).filter { $0 != "k.forecast_error_mean" })
        #expect(SummaryMetrics.names(for: with.scenario) == report.summary.map(\.name))
    }
}
