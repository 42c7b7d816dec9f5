import Basics
import ScenarioModel
import Simulation
import Testing

@testable import ScenarioFiles

/// Controls and transfers in the background, as scenarios state them (V10, F9, S8).
@Suite struct ControlKeyTests {
    private static func text(_ kind: String, _ instance: String = "surface: lock_screen", top: String = "") -> String {
        """
        start: "2026-03-02T00:00:00+00:00"
        duration: 1d
        people: 100
        \(top)
        kinds: [{id: k, \(kind)}]
        population:
          zones: {Europe/London: 1}
          controls: {control_center_per_day: 7}
          devices: [{kind: phone, instances: [{id: i, kind: k, \(instance)}]}]

        """
    }

    private static func plan(_ text: String) throws -> FleetPlan { try ScenarioReader.read(text: text).scenario.plan }

    private static func problem(_ text: String) -> String {
        do {
            _ = try ScenarioReader.read(text: text)
            return "none"
        } catch { return "\(error)" }
    }

    @Test func `a resolved scenario, which states how discretionary transfers wait, is right again`() throws {
        let read = try ScenarioReader.read(text: Self.text("policy: never, fetch: background"))
        #expect(read.resolvedText.contains("discretionary: false"))
        let transfer = try ScenarioReader.read(text: read.resolvedText).scenario.plan.kinds[0].transfer
        #expect(transfer != nil && transfer == read.scenario.plan.kinds[0].transfer)
    }

    @Test func `a control, its place and its person's habits arrive`() throws {
        for place in WidgetKind.ControlPlace.allCases {
            let plan = try Self.plan(Self.text("policy: never, control: \(place.name)"))
            #expect(plan.kinds[0].control == place && !plan.parameters.controlsAreCharged)
            let habits = plan.segments[0].habits.controls
            #expect(habits.controlCenterPerDay == 7 && habits.actionButtonPerDay == 1)
        }
        let charged = try Self.plan(
            Self.text("policy: never, control: lock_screen", top: "parameters: {control_reloads: charged}"))
        #expect(charged.parameters.controlsAreCharged)
        let none = try Self.plan(Self.text("policy: never"))
        #expect(none.kinds[0].control == nil && none.segments[0].habits.controls == .never)
    }

    @Test func `a transfer arrives, and has the defaults of its keys`() throws {
        let usual = try #require(try Self.plan(Self.text("policy: never, fetch: background")).kinds[0].transfer)
        #expect(usual.secondIsCharged && usual.discretion == nil)
        #expect(try usual.deferral.mean() == 450)
        let stated = try #require(
            try Self.plan(
                Self.text(
                    "policy: never, fetch: background, transfer: {deferral: 3m, discretionary: true, ready: 0.5, wait: 1h, second_reload: free}"
                )
            ).kinds[0].transfer)
        #expect(!stated.secondIsCharged && stated.discretion?.readyShare == 0.5)
        #expect(try stated.discretion?.wait.mean() == 3_600)
        #expect(try Self.plan(Self.text("policy: never")).kinds[0].transfer == nil)
    }

    @Test(arguments: [
        ("policy: {after: 1h}, control: lock_screen", "surface: lock_screen", "policy: never beside control"),
        (
            "policy: never, control: lock_screen, timeline: {shape: series, count: 2, spacing: 1h}",
            "surface: lock_screen", "no timeline beside control"
        ),
        (
            "policy: never, control: lock_screen, data_protection: complete", "surface: lock_screen",
            "data_protection: none beside control"
        ),
        ("policy: never, control: control_center", "surface: home_first", "surface: lock_screen for k"),
        (
            "policy: never, control: control_center", "surface: lock_screen, location: current",
            "a chosen location or none for k"
        ),
        (
            "policy: never, control: lock_screen, fetch: background", "surface: lock_screen",
            "fetch: inline beside control"
        ),
        ("policy: never, transfer: {deferral: 1m}", "surface: lock_screen", "fetch: background beside transfer"),
        (
            "policy: never, fetch: background, snapshot_requests: 2", "surface: lock_screen",
            "0 beside fetch: background"
        ),
    ]) func `what does not fit is refused with its cure`(kind: String, instance: String, expected: String) {
        let problem = Self.problem(Self.text(kind, instance))
        #expect(problem.contains(expected), "\(problem)")
    }

    @Test func `neither runs on Android, and a bundle has no controls`() {
        let android = Self.text("policy: never, fetch: background", "surface: home_first")
            .replacing("kind: phone", with: "kind: phone, platform: android")
        #expect(Self.problem(android).contains("fetch: inline alone beside platform: android"))
        let bundle = Self.text("policy: never, control: lock_screen").replacing(
            "instances: [{id: i, kind: k, surface: lock_screen}]",
            with:
                "bundles: [{id: b, widgets: [{kind: k, surfaces: lock_screen, families: [accessory_circular]}]}]")
        #expect(Self.problem(bundle).contains("a control stands among the instances"))
    }
}
