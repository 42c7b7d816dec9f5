import Reloadsim
import Testing

@testable import ExampleWidgets

/// Each example runs before a small fleet, and asks as often as its policy says.
///
/// Rules: P9.
@Suite struct ExampleWidgetTests {
    /// Two workdays of a fleet that nothing holds back.
    private static func run(
        _ provider: String, with: String = "", people: Int = 60, set: [String: String] = [:]
    ) async throws -> Results {
        let text = """
            start: "2026-03-02T00:00:00+00:00"
            warmup: 1d
            duration: 2d
            people: \(people)
            parameters: {gates: none}
            kinds:
              - id: widget
                app: app
                policy: {provider: \(provider)\(with)}
                versions: {source: poisson, every: 2h}
            population:
              zones: {Europe/London: 1}
              environment: {text_size_per_year: 0, accessibility_per_year: 0, language_per_year: 0, region_per_year: 0, account_per_year: 0, reboots_per_day: 0, appearance: {light: 1}}
              devices: [{kind: phone, instances: [{id: first, kind: widget, surface: home_first}]}]
            """
        return try await Scenario(text, set: set).run(people: people, threads: 1, providers: Examples.providers)
    }

    /// Reloads a day by the policy, and what may be off.
    @Test(arguments: [
        ("site_statistics", 48, 0.05), ("house_sensors", 96, 0.05), ("glucose", 288, 0.1), ("medicine", 1, 0.2),
        ("feed", 24, 0.05), ("picture_of_the_day", 1, 0.1), ("word_of_the_day", 1, 0.1), ("digest", 3, 0.1),
        ("hourly_weather", 24, 0.05), ("daylight", 2, 0.1), ("shares", 27, 0.1), ("parcel", 50, 0.1),
        ("next_event", 13.7, 0.1), ("departures", 29, 0.1), ("local_weather", 24, 0.05),
    ]) func `it asks as often as its policy says`(provider: String, perDay: Double, tolerance: Double) async throws {
        let reloads = try await Self.run(provider).requests_per_instance_day.value
        #expect((reloads / perDay - 1).magnitude < tolerance, "\(reloads) a day")
    }

    @Test func `favourites are never asked for`() async throws {
        #expect(try await Self.run("favourites").requests_per_instance_day.value < 0.1)
    }

    @Test func `the system picks the time of a single entry`() async throws {
        let reloads = try await Self.run("screen_time").requests_per_instance_day.value
        #expect(reloads > 10 && reloads < 100, "\(reloads) a day")
    }

    @Test func `rings go by who looks`() async throws {
        let reloads = try await Self.run("rings").requests_per_instance_day.value
        #expect(reloads > 26 && reloads < 94, "\(reloads) a day")
    }

    @Test func `headlines and scores ask more while something changes`() async throws {
        for provider in ["headline", "score"] {
            let busy = try await Self.run(provider, set: ["kinds.widget.versions.every": "10m"])
            let quiet = try await Self.run(provider, set: ["kinds.widget.versions.every": "1d"])
            #expect(busy.requests_per_instance_day.value > 2 * quiet.requests_per_instance_day.value, "\(provider)")
        }
    }

    @Test func `photographs rest at night`() async throws {
        let reloads = try await Self.run("photographs").requests_per_instance_day.value
        #expect(reloads > 40 && reloads < 60, "\(reloads) a day")
    }

    @Test func `words that are spread make a lower peak than a picture at midnight`() async throws {
        let (herd, spread) = try await (
            Self.run("picture_of_the_day", people: 2_000), Self.run("word_of_the_day", people: 2_000)
        )
        #expect(spread.load_peak_1m.value < herd.load_peak_1m.value)
    }

    @Test func `sensors that fail are asked for again after a minute`() async throws {
        let failing = ["service": "{failing: [[26h, 27h]], retries: 0}"]
        let own = try await Self.run("house_sensors", set: failing)
        let platform = try await Self.run("site_statistics", with: ", with: {every: 15m}", set: failing)
        #expect(own.share_requests_failed.value > platform.share_requests_failed.value)
    }

    @Test func `a small feed asks half as often as a large one`() async throws {
        let large = try await Self.run(
            "feed",
            set: [
                "population.devices":
                    "[{kind: phone, instances: [{id: first, kind: widget, surface: home_first, family: system_large}]}]"
            ])
        let small = try await Self.run("feed")
        #expect(large.requests_per_instance_day.value > 1.8 * small.requests_per_instance_day.value)
    }

    @Test func `there are twenty of them`() { #expect(Examples.providers.count >= 20) }
}
