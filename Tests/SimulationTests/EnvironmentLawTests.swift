import Basics
import Foundation
import RunLaws
import Simulation
import Testing
import WidgetPlatform

/// Environment changes, added instances and edits come at their rates, and reload what they should (F4, F7, F8, D9,
/// R2).
///
/// Rules: D9, F4, F7, F8, R2.
@Suite struct EnvironmentLawTests {
    private static let people = 400
    private static let days = 20

    private static func text(_ environment: String, _ instance: String = "") -> String {
        """
        start: "2026-01-12T00:00:00-05:00"
        warmup: 0s
        duration: \(days)d
        people: \(people)
        kinds: [{id: k, app: a, policy: never}]
        population:
          zones: {America/New_York: 1}
          pickups: {unlocks_per_day: 40}
          environment: {\(environment)}
          devices: [{kind: phone, instances: [{id: i, kind: k\(instance)}]}]
        """
    }
    private static let still =
        "text_size_per_year: 0, accessibility_per_year: 0, language_per_year: 0, region_per_year: 0, account_per_year: 0, reboots_per_day: 0, appearance: {light: 1}"

    /// Five standard deviations of a Poisson count.
    private static func agrees(_ count: Int64, with expected: Double) -> Bool {
        (Double(count) - expected).magnitude < 5 * expected.squareRoot()
    }
    private static var deviceDays: Double { Double(people * days) }

    @Test func `settings and reboots come at their rates, and each reloads the instance once, free`() throws {
        let result = try Fixtures.run(
            Self.text(
                Self.still.replacing("text_size_per_year: 0", with: "text_size_per_year: 36.525").replacing(
                    "reboots_per_day: 0", with: "reboots_per_day: 0.05")))
        let changes = result.devices[.environmentChanges]
        let reboots = result.devices[.reboots]
        #expect(Self.agrees(reboots, with: 0.05 * Self.deviceDays), "\(reboots) reboots")
        // A change wanted after the last session of a day waits for the next one, which costs about an hour in ten
        // days.
        #expect(
            Self.agrees(changes - reboots, with: 0.1 * Self.deviceDays * 0.985),
            "\(changes - reboots) changes of settings")
        let reloads = result.reloads[.started(.environment, charged: false)]
        // Two changes before one unlock make one reload.
        #expect(
            reloads <= changes && Double(reloads) > 0.97 * Double(changes),
            "\(reloads) reloads after \(changes) changes")
    }

    @Test func `an automatic appearance switches twice a day, renders again and asks for nothing`() throws {
        let automatic = try Fixtures.run(Self.text(Self.still.replacing("{light: 1}", with: "{automatic: 1}")))
        let still = try Fixtures.run(Self.text(Self.still))
        #expect(automatic.devices[.appearanceSwitches] == Int64(2 * Self.people * Self.days))
        #expect(automatic.devices[.rerenders] == automatic.devices[.appearanceSwitches])
        #expect(still.devices[.appearanceSwitches] == 0)
        #expect(
            automatic.reloads.sum(.requestsSent.all) == still.reloads.sum(.requestsSent.all))
        let third = try Fixtures.run(
            Self.text(Self.still.replacing("{light: 1}", with: "{light: 0.45, dark: 0.25, automatic: 0.3}")))
        let share = Double(third.devices[.appearanceSwitches]) / (2 * Self.deviceDays)
        #expect(
            (share - 0.3).magnitude < 5 * (0.21 / Double(Self.people)).squareRoot(), "\(share) switch by themselves")
    }

    @Test func `instances are added at their rate, and each fetches its first timeline`() throws {
        let result = try Fixtures.run(Self.text(Self.still, ", share: 0.25, added_per_day: 0.05"))
        let first = result.reloads[.started(.first, charged: false)]
        let without = 0.75 * Double(Self.people)
        // Each day one in twenty of those that are left adds it.
        let expected = without * (1 - pow(0.95, Double(Self.days)))
        #expect(
            (Double(first) - expected).magnitude < 5 * (expected * 0.75).squareRoot(),
            "\(first) first timelines, expected \(expected)")
        let none = try Fixtures.run(Self.text(Self.still, ", share: 0.25"))
        #expect(none.reloads[.started(.first, charged: false)] == 0)
    }

    @Test func `a new instance's preview makes its requests before the first timeline, and no reload`() throws {
        let added = Self.text(Self.still, ", share: 0.25, added_per_day: 0.05")
        func run(_ snapshots: Int, _ more: [String] = []) throws -> RunResult {
            try Fixtures.run(added, ["kinds.k.snapshot_requests=\(snapshots)"] + more)
        }
        let (none, three) = (try run(0), try run(3))
        let first = three.reloads[.started(.first, charged: false)]
        #expect(first > 0 && first == none.reloads[.started(.first, charged: false)])
        #expect(three.reloads.sum(.started.all) == none.reloads.sum(.started.all))
        #expect(three.reloads.sum(.requestsSent.all) == none.reloads.sum(.requestsSent.all) + 3 * first)
        #expect(three.reloads[.requestsAnswered] == none.reloads[.requestsAnswered] + 3 * first)
        func load(_ result: RunResult) -> Int64 { result.tenths.reduce(0) { $0 + Int64($1) } }
        #expect(load(three) == load(none) + 3 * first)
        // A preview that fails is not tried again and keeps nobody from a timeline.
        let failing = try run(3, ["service.failing=[[0s, \(Self.days)d]]"])
        #expect(failing.reloads[.started(.first, charged: false)] == first)
        #expect(failing.reloads[.requestsAnswered] == 0)
    }

    @Test func `edits come at their rate, set another choice and reload it, free and at once`() throws {
        let text = Self.text(Self.still, ", location: {chosen: [A, B, C]}, edits_per_year: 73.05")
        let result = try Fixtures.run(text)
        let edits = result.devices[.edits]
        #expect(Self.agrees(edits, with: 0.2 * Self.deviceDays * 0.97), "\(edits) edits")
        #expect(result.reloads[.started(.configuration, charged: false)] == edits)
        let run = try ScenarioRun(Fixtures.scenario(text))
        for person in 0..<40 {
            var choice: String?
            for row in run.trace(person: person).rows {
                if row.event == .configure {
                    #expect(row.detail != choice, "person \(person) edits \(row.detail) into itself")
                    choice = row.detail
                } else if row.event == .request, row.cause == .configuration {
                    #expect(
                        row.place == choice,
                        "person \(person) asks for \(row.place ?? "nothing") after choosing \(choice ?? "nothing")")
                }
            }
        }
    }
}
