import Basics
import RunLaws
import Simulation
import Testing
import WidgetPlatform

/// Controls are seen and used as often as they should be, and are reloaded without a budget (V10, F9).
///
/// Rules: V10, F9.
@Suite struct ControlLawTests {
    private static let people = 300
    private static let days = 4

    /// A fleet of phones with a control at each place, two of them in Control Center.
    private static func text(_ top: String = "", kinds: String = "", population: String = "") -> String {
        """
        start: "2026-01-12T00:00:00-05:00"
        warmup: 0s
        duration: \(days)d
        people: \(people)
        \(top)
        kinds:
          - {id: lock, app: home, policy: never, control: lock_screen, push: true\(kinds)}
          - {id: lamp, app: home, policy: never, control: control_center, push: true\(kinds)}
          - {id: heat, app: home, policy: never, control: control_center, push: true\(kinds)}
          - {id: gate, app: home, policy: never, control: action_button, push: true\(kinds)}
        population:
          zones: {America/New_York: 1}
          \(Fixtures.still)
          apps: {home: {openings_per_day: 0}}
          pickups: {unlocks_per_day: 40}
          controls: {control_center_per_day: 3, action_button_per_day: 1}
          \(population)
          devices:
            - kind: phone
              instances:
                - {id: lock, kind: lock, surface: lock_screen}
                - {id: lamp, kind: lamp, surface: lock_screen}
                - {id: heat, kind: heat, surface: lock_screen}
                - {id: gate, kind: gate, surface: lock_screen}
        """
    }

    private static func views(_ result: RunResult, _ kind: Int) -> Int64 { result.views(ofKind: kind).sum(.views.all) }

    @Test func `a control is seen where it stands, and a press of the action button uses it`() throws {
        let result = try Fixtures.run(Self.text())
        let sessions = result.devices[.sessions]
        #expect(Self.views(result, 0) == sessions + result.devices[.glances])
        #expect(Agreement.share(Self.views(result, 1), of: sessions, is: 3.0 / 40, besides: 0.0005))
        #expect(Self.views(result, 1) == Self.views(result, 2))
        #expect(Agreement.share(Self.views(result, 3), of: sessions, is: 1.0 / 40, besides: 0.0005))
        #expect(result.devices[.interactions] == Self.views(result, 3))
        let gate = try #require(result.reloads(ofKind: 3))
        #expect(
            gate[.started(.interaction, charged: false)] + gate[.merged(.interaction)] == result.devices[.interactions])
    }

    @Test func `a push to controls is one reload of each, free and at once, with no account`() throws {
        let pushes = "pushes: [{name: c, app: home, at: {at: [\"04:00\"], zone: America/New_York}, delay: 2s}]"
        let service = "service: {latency_out: 50ms, latency_back: 50ms}"
        let result = try Fixtures.run(Self.text(pushes + "\n" + service))
        let sent = Int64(Self.people * Self.days)
        #expect(result.devices[.pushes] == sent)
        for kind in 0..<4 {
            let reloads = try #require(result.reloads(ofKind: kind))
            #expect(reloads[.started(.push, charged: false)] == sent)
            #expect(reloads[.requestsSent(.push)] == sent && reloads[.merged(.push)] == 0)
            #expect(reloads.pool(.own)[.accounts] == 0 && reloads.allPools.sum(.accrued) == 0)
        }
        // A request of each control at four o'clock in the morning, 50 ms after its push.
        for endpoint in 0..<4 {
            #expect(result.load.tenths(of: endpoint)[(4 * 3_600 + 2) * 10] == UInt32(Self.people))
        }
    }

    @Test func `controls that pay wait for what widgets wait for`() throws {
        let top = """
            pushes: [{name: c, app: home, at: {at: ["04:00"], zone: America/New_York}, delay: 2s}]
            parameters: {control_reloads: charged}
            """
        let result = try Fixtures.run(Self.text(top))
        for kind in 0..<4 {
            let reloads = try #require(result.reloads(ofKind: kind))
            #expect(reloads[.started(.push, charged: false)] == 0 && reloads[.started(.push, charged: true)] > 0)
            #expect(reloads.pool(.own)[.accounts] == Int64(Self.people))
            // In the night nobody has used the device for hours: the push waits for the morning (G3).
            #expect(reloads[.waits(.granted, .idle).number] > 0)
        }
    }

    @Test func `what controls have not is missing in no law, and an unlimited service changes no count`() throws {
        let top = """
            pushes: [{name: c, app: home, at: {at: ["04:00", "18:00"], zone: America/New_York}}]
            service: {latency_out: {median: 50ms, p95: 90ms, minimum: 20ms}, latency_back: 40ms, failing: [[16h, 19h]]}
            """
        let population = "connectivity: {offline_per_day: 2}"
        let scenario = try Fixtures.scenario(
            Self.text(
                top, kinds: ", versions: {source: poisson, every: 3h}, interactions_per_view: 0.2",
                population: population))
        let plain = try ServiceFixtures.run(scenario)
        for law in RunLaw.all { #expect(law.breaches(plain) == [], "\(law)") }
        var with = scenario
        with.service = ServiceFixtures.unlimited(for: scenario.plan)
        let served = try ServiceFixtures.run(with, threads: 3)
        #expect(served.counts == plain.counts)
        #expect(plain.reloads[.ended(.push, charged: false, .error)] > 0)
    }

    @Test func `habits of controls that nobody has change nothing`() throws {
        let without = try Fixtures.run(Fixtures.fleet(people: 60))
        let with = try Fixtures.run(
            Fixtures.fleet(people: 60), ["population.controls.control_center_per_day=20"])
        #expect(with.fingerprint == without.fingerprint)
    }
}
