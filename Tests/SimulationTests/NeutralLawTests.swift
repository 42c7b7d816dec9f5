import Foundation
import RunLaws
import Simulation
import Statistics
import Testing

/// A mechanism at its neutral setting gives the same bytes as none at all.
@Suite struct NeutralLawTests {
    private static func text(
        kinds: String = "", population: String = "", device: String = "", instance: String = "", top: String = ""
    )
        -> String
    {
        """
        start: "2026-03-06T00:00:00-05:00"
        warmup: 1d
        duration: 2d
        people: 120
        \(top)
        kinds:
          - {id: weather, app: weather, push: true, timeline: {shape: series, count: 6, spacing: 1h}, policy: {after: 20m, jitter: 5m}, reload_on_open: if_changed, versions: {source: steady, every: 1h, spread: 10m, per: place}\(kinds)}
          - {id: note, app: notes, policy: never, reload_on_open: always, versions: {source: manual}}
        population:
          \(population)
          devices:
            - kind: phone
              \(device)
              instances:
                - {id: here, kind: weather, location: current\(instance)}
                - {id: lock, kind: note, surface: lock_screen}
        """
    }

    private static let plain = try? Fixtures.run(text())

    @Test(arguments: [
        ("content pushes of no version", ", push_on_version: {share: 0}", "", "", "", ""),
        ("no wake-ups", ", wake_ups_per_day: 0", "", "", "", ""),
        ("no interactions", ", interactions_per_view: 0", "", "", "", ""),
        ("no taps", ", taps_per_view: 0", "", "", "", ""),
        ("marked views that nobody hides", ", sensitive: true", "", "", "", ""),
        ("the other call with one kind in the app", ", reload_call: all_timelines", "", "", "", ""),
        ("a relevance without a stack", ", relevance: {base: 3}", "", "", "", ""),
        (
            "a campaign that reaches nobody", "", "", "", "",
            "pushes: [{name: c, app: weather, at: {at: [\"12:00\"]}, share: 0}]"
        ),
        (
            "a release that nobody installs", "", "", "", "",
            "os_releases: [{name: r, at: \"2026-03-06T00:00:00-05:00\", adoption: 0}]"
        ),
        ("nobody hides", ", sensitive: true", "privacy: {hide_lock_screen: 0, hide_always_on: 0}", "", "", ""),
        ("never low power", "", "power: {refresh_off: 0, low_power_per_day: 0}", "", "", ""),
        ("never offline", "", "connectivity: {offline_per_day: 0}", "", "", ""),
        ("everybody signed in", ", needs_sign_in: true", "apps: {weather: {signed_in: 1}}", "", "", ""),
        ("a stack of one", "", "", "stacks: [{id: s, surface: home_first}]", ", stack: s", ""),
        ("no always-on display", "", "", "always_on: {share: 0, looks_per_day: 50}", "", ""),
        ("never in standby", "", "", "standby: {share: 0}", "", ""),
        ("a device used every day", "", "pickups: {days_used: 1}", "", "", ""),
        ("a today view that nothing stands on", "", "pickups: {today_view_glances: 0.3}", "", "", ""),
        ("a cadence of a display that never dims", "", "", "", "", "parameters: {dimmed_cadence: 15m}"),
    ])
    func `a neutral setting changes no byte`(
        name: String, kinds: String, population: String, device: String, instance: String, top: String
    ) throws {
        let plain = try #require(Self.plain)
        let result = try Fixtures.run(
            Self.text(kinds: kinds, population: population, device: device, instance: instance, top: top))
        #expect(result.counts == plain.counts, "\(name)")
        #expect(result.tenths == plain.tenths, "\(name)")
    }

    /// The same settings away from neutral: each does change something, so that the test above can fail.
    @Test(arguments: [
        ("pushes", ", push_on_version: {}", "", "", "", ""),
        ("wake-ups", ", wake_ups_per_day: 5", "", "", "", ""),
        ("interactions", ", interactions_per_view: 0.1", "", "", "", ""),
        ("taps", ", taps_per_view: 0.1", "", "", "", ""),
        ("a campaign", "", "", "", "", "pushes: [{name: c, app: weather, at: {at: [\"12:00\"]}}]"),
        ("a release", "", "", "", "", "os_releases: [{name: r, at: \"2026-03-06T00:00:00-05:00\", mean_time: 1d}]"),
        (
            "hiding", "", "privacy: {hide_always_on: 1}", "always_on: {share: 1, looks_per_day: 20}",
            ", surface: lock_screen, family: accessory_inline", ""
        ),
        ("refresh off", "", "power: {refresh_off: 0.5}", "", "", ""),
        ("low power", "", "power: {low_power_per_day: 1}", "", "", ""),
        ("offline", "", "connectivity: {offline_per_day: 5}", "", "", ""),
        ("signed out", ", needs_sign_in: true", "apps: {weather: {signed_in: 0.5}}", "", "", ""),
        ("looks", "", "", "always_on: {share: 1, looks_per_day: 20}", "", ""),
        ("days without use", "", "pickups: {days_used: 0.5}", "", "", ""),
    ])
    func `a setting that is not neutral changes something`(
        name: String, kinds: String, population: String, device: String, instance: String, top: String
    ) throws {
        let plain = try #require(Self.plain)
        let result = try Fixtures.run(
            Self.text(kinds: kinds, population: population, device: device, instance: instance, top: top))
        #expect(result.counts != plain.counts, "\(name)")
    }

    @Test func `every hour has the bytes of the list of 24 clock times`() throws {
        func run(_ after: String) throws -> RunResult {
            try Fixtures.run(Self.text(), ["kinds.weather.policy={after: \(after), jitter: 5m}"])
        }
        let hours = (0..<24).map { "\"\(String(format: "%02d", $0)):00\"" }.joined(separator: ", ")
        let (every, list) = (try run("{every: 1h}"), try run("{at: [\(hours)]}"))
        #expect(every.fingerprint == list.fingerprint && every.counts == list.counts)
        // Two minutes later is another run.
        #expect(try run("{every: 1h, offset: 2m}").fingerprint != every.fingerprint)
    }
}
