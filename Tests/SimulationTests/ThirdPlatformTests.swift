import Basics
import People
import ScenarioFiles
import Simulation
import Statistics
import Testing
import WidgetPlatform

@testable import Fleet

/// A platform that no plan has: all that one needs is a conformance to `DevicePlatform` (CONTRIBUTING, "A platform").
@Suite struct ThirdPlatformTests {
    /// Nothing holds a background cause, and each view asks for a reload of its own.
    private struct EagerRules: DevicePlatform {
        private(set) var unlocks = 0
        static func hear<World>(_ event: PlatformEvent, on device: inout Device<World>) {
            guard case .screen(isOn: true) = event else { return }
            device.rules.unlocks += 1
            for i in 0..<device.instanceCount { device.ask(i, background: .appTrigger) }
        }
    }

    @Test func `a device of another platform lives by its rules alone`() throws {
        let scenario = try ScenarioReader.read(
            text: """
                start: "2026-04-14T08:00:00+00:00"
                end: 2h
                kinds: [{id: k, policy: {after: 5m}}]
                devices: [{id: d, zone: UTC, instances: [{id: w, kind: k}]}]
                """,
            replay: "d,2026-04-14T08:10,pickup,\nd,2026-04-14T08:11,lock,\nd,2026-04-14T09:00,pickup,\n"
        ).scenario
        let prepared = try PreparedPlan(scenario.plan)
        let load = LoadCurve(endpoints: 1, regions: 1, minutes: 120)
        let worker = FleetWorker(prepared, load: load)
        let steps = ReplayWorld.steps(of: prepared.plan.replay[0])
        let unlocks = steps.withUnsafeBufferPointer { steps in
            var device = worker.begin(replay: 0, EagerRules(), steps, observer: NoteKeeper(isWatching: false))
            device.run()
            return device.rules.unlocks
        }
        worker.finish()
        let reloads = BlockSum(worker.measures, at: prepared.layout.place(ofStratum: 0))
        #expect(unlocks == 2)
        #expect(reloads[.started(.first, charged: false)] == 1)
        #expect(reloads[.started(.appTrigger, charged: false)] == 2)
        #expect(reloads[.started(.after, charged: true)] == 0 && reloads.allPools.isZero)
    }
}
