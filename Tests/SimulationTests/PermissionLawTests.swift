import Basics
import Fleet
import RunLaws
import Simulation
import Statistics
import Testing
import WidgetPlatform

/// People change what an app may know of where they are (L3), and what is counted by mode follows (L4).
///
/// Rules: L3.
@Suite struct PermissionLawTests {
    private static let people = 300
    private static let days = 20

    private static func text(changes: Double, modes: String) -> String {
        """
        start: "2026-01-12T00:00:00-05:00"
        warmup: 0s
        duration: \(days)d
        people: \(people)
        kinds: [{id: k, app: a, policy: {after: 2h}}]
        population:
          zones: {America/New_York: 1}
          pickups: {unlocks_per_day: 40}
          apps: {a: {location_changes_per_year: \(changes), location_modes: \(modes)}}
          devices: [{kind: phone, instances: [{id: i, kind: k, location: current}]}]
        """
    }

    private static func views(_ result: RunResult, _ mode: CountedMode) -> BlockSum<ViewCounts> {
        BlockSum(result.measures, at: result.measures.layout.viewPlace(ofStratum: 0, mode: mode, surface: .homeFirst))
    }

    @Test func `modes change at their rate, each time to another`() throws {
        let scenario = try Fixtures.scenario(Self.text(changes: 36.525, modes: "{denied: 0.5, always: 0.5}"))
        let run = try ScenarioRun(scenario)
        var changes = 0
        for person in 0..<Self.people {
            var last: String?
            for row in run.trace(person: person).rows where row.event == .permission {
                changes += 1
                #expect(row.detail != last, "person \(person) changes to what was so already")
                last = row.detail
            }
        }
        let expected = 0.1 * Double(Self.people * Self.days)
        #expect(Agreement.count(Int64(changes), is: expected), "\(changes) changes, expected \(expected)")
    }

    @Test func `a changed permission reloads the widgets if the scenario says so`() throws {
        let text = Self.text(changes: 36.525, modes: "{denied: 0.5, always: 0.5}")
        let none = try Fixtures.run(text)
        let reload = try Fixtures.run(text, ["parameters.permission_change_reload=reload"])
        func caused(_ result: RunResult) -> Int64 {
            result.reloads[.started(.environment, charged: false)] + result.reloads[.merged(.environment)]
        }
        let changes = Double(Self.people * Self.days) * 0.1
        #expect(
            Agreement.count(caused(reload) - caused(none), is: changes),
            "\(caused(reload)) and \(caused(none)) for \(changes) changes")
    }

    @Test func `nobody who lets no app know where they are asks for anything, or all for one key`() throws {
        let text = Self.text(changes: 0, modes: "{denied: 1}")
        let none = try Fixtures.run(text)
        #expect(none.reloads.sum(.requestsSent.all) == 0 && none.load.tenths(of: 0).allSatisfy { $0 == 0 })
        // The reloads themselves are as many, charged by their causes, and show content of no place.
        let request = try Fixtures.run(text, ["kinds.k.without_place=request"])
        let (without, with) = (
            none.reloads[.started(.after, charged: true)], request.reloads[.started(.after, charged: true)]
        )
        #expect(without > 1_000 && Agreement.relative(without, Double(with), within: 0.01), "\(without) and \(with)")
        #expect(none.views[.views(.alternate)] == none.views.sum(.views.all))
        // One key for all: an edge that keeps it for a day fetches it once a day and region.
        let service =
            "service={pools: [{id: p, servers: unlimited, service_time: 10ms}], endpoints: [{id: k, cache: {ttl: 1d}}]}"
        let cached = try Fixtures.run(text, ["kinds.k.without_place=request", service])
        let origin = try #require(cached.service).sum(.originRequests)
        #expect(
            origin > 0 && origin <= Int64(cached.load.regions * (Self.days + 1)),
            "\(origin) requests reached the origin")
    }

    @Test func `what is counted by mode goes to the one in force`() throws {
        let result = try Fixtures.run(Self.text(changes: 365.25, modes: "{denied: 0.5, always: 0.5}"))
        let (denied, always) = (Self.views(result, .denied), Self.views(result, .always))
        // A reload without access is one of a denied instance, and a denied one never has it.
        #expect(always[.withoutAccess] == 0)
        #expect(denied[.withoutAccess] > 0)
        let total = result.views
        #expect(denied[.instances] + always[.instances] == Int64(Self.people))
        #expect(denied.sum(.views.all) + always.sum(.views.all) == total.sum(.views.all))
        // With a change a day both modes have half of the time.
        #expect(Agreement.relative(denied.sum(.views.all), Double(total.sum(.views.all)) / 2, within: 0.08))
        // The waking time of all is that of as many people who change nothing.
        let still = try Fixtures.run(Self.text(changes: 0, modes: "{denied: 0.5, always: 0.5}"))
        #expect(denied.wide(.wakingTime) + always.wide(.wakingTime) == still.views.wide(.wakingTime))
    }

    @Test func `with one mode for all nothing can change, and a rate of nothing changes nothing`() throws {
        let one = try Fixtures.run(Self.text(changes: 300, modes: "{always: 1}"))
        let none = try Fixtures.run(Self.text(changes: 0, modes: "{always: 1}"))
        #expect(one.counts == none.counts)
    }
}
