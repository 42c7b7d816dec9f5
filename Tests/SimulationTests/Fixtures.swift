import Foundation
import ScenarioFiles
import ScenarioModel
import Simulation
import Testing
import WidgetPlatform

/// Scenarios of the laws: small fleets that use every rule of this version.
enum Fixtures {
    /// A fleet with all policies, three surfaces, two segments, location, jitter, user sessions and a failing service.
    static func fleet(
        people: Int = 200, warmup: String = "1d", duration: String = "2d", kinds: String = Self.kinds, more: String = ""
    )
        -> String
    {
        """
        name: fixture
        start: "2026-03-06T00:00:00-05:00"
        warmup: \(warmup)
        duration: \(duration)
        people: \(people)
        service: {failing: [[30h, 30h20m]], retries: 1, retry_delays: [5s]}
        \(kinds)
        population:
          apps:
            weather: {openings_per_day: 4, navigation_share: 0.5, audio_per_day: 0.5, location_changes_per_year: 60}
          devices:
            - kind: phone
              instances:
                - {id: here, kind: weather, surface: home_first, location: current}
                - {id: lock, kind: quote, surface: lock_screen, location: {chosen: [A, B]}, share: 0.5}
                - {id: note, kind: note, surface: today_view, share: 0.5}
                - {id: clock, kind: clock, surface: home_other, share: 0.5}
        \(more)
        segments:
          - {name: many, share: 0.7}
          - {name: few, share: 0.3, pickups: {unlocks_per_day: 10}}
        """
    }

    static let kinds = """
        kinds:
          - id: weather
            app: weather
            timeline: {shape: series, count: 6, spacing: 1h}
            policy: {after: 20m, jitter: 5m}
            reload_on_open: if_changed
            session_rhythm: 3m
            fix_failure: 0.1
            without_fix: alternate
            versions: {source: steady, every: 1h, spread: 10m, per: place}
          - {id: quote, app: stocks, policy: {after: {at: ["09:30", "16:00"], zone: America/New_York}, jitter: {plus_minus: 5m}}, versions: {source: market, every: 5m}}
          - {id: note, app: notes, policy: never, reload_on_open: always}
          - {id: clock, app: weather, timeline: {shape: until_midnight, spacing: 1h}, policy: at_end, versions: {source: poisson, every: 3h}}
        """

    /// Surroundings that never change, of a population.
    static let still =
        "environment: {text_size_per_year: 0, accessibility_per_year: 0, language_per_year: 0, region_per_year: 0, account_per_year: 0, reboots_per_day: 0, appearance: {light: 1}}"

    static func scenario(_ text: String, _ overrides: [String] = []) throws -> Scenario {
        try ScenarioReader.read(text: text, overrides: overrides).scenario
    }

    static func run(_ text: String, _ overrides: [String] = [], threads: Int = 2) throws -> RunResult {
        try #require(try ScenarioRun(scenario(text, overrides)).run(threads: threads))
    }

    /// The scenarios that the project ships.
    static let shipped: [URL] = {
        let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
        let files =
            (try? FileManager.default.contentsOfDirectory(
                at: root.appending(path: "Scenarios"), includingPropertiesForKeys: nil)) ?? []
        return files.filter { $0.pathExtension == "yaml" }.sorted { $0.lastPathComponent < $1.lastPathComponent }
    }()
}

/// Whether a part of a whole is a share, but for what chance may do.
enum Agreement {
    /// Five standard deviations of a binomial share.
    ///
    /// - Parameters:
    ///   - trials: the independent draws behind the share; the whole unless stated.
    ///   - slack: what may be off besides chance.
    static func share(
        _ part: Int64, of whole: Int64, is share: Double, trials: Double? = nil, besides slack: Double = 0
    ) -> Bool {
        let variance = share * (1 - share) / (trials ?? Double(whole))
        return (Double(part) / Double(whole) - share).magnitude < 5 * variance.squareRoot() + slack
    }

    /// A Poisson count.
    static func count(_ count: Int64, is expected: Double) -> Bool {
        (Double(count) - expected).magnitude < 5 * max(1, expected).squareRoot()
    }

    static func relative(_ count: Int64, _ expected: Double, within tolerance: Double) -> Bool {
        (Double(count) / expected - 1).magnitude < tolerance
    }
}
