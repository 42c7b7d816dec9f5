import Fleet
import People
import PlainText
import SimulatedTime
import Stochastics
import WidgetPlatform

/// Makes a device that people of a segment may carry (D1).
struct DeviceAssembly {
    let segment: SegmentAssembly
    let value: CheckedValue

    private var scenario: ScenarioAssembly { segment.scenario }
    private var kind: DeviceKind { value["kind"].choice() }

    var plan: DevicePlan {
        checkKeys()
        let stacks = StackAssembly(scenario: scenario, device: kind, value: value)
        let placements = value["instances"].items.map {
            PlacementAssembly(scenario: scenario, kinds: segment.kinds, device: kind, value: $0, stacks: stacks.known).drawnPlacement
        }
        stacks.check(placements)
        var names = Set(placements.map(\.id))
        let bundles = value["bundles"].items.map {
            BundleAssembly(scenario: scenario, kinds: segment.kinds, device: kind, value: $0).plan(names: &names)
        }
        let (instances, carried) = (value["instances"], value["bundles"])
        if instances.isValid && carried.isValid && instances.items.isEmpty && carried.items.isEmpty {
            scenario.log.report(value.origin, value.path, expected: "an instance or a bundle on the device", found: "neither")
        }
        warnOfUnseen(placements + bundles.flatMap { $0.widgets.map(\.placement) })
        return DevicePlan(
            kind: kind, share: value["share"].number, pickups: value["pickups"].isMapping ? segment.pickups(value["pickups"]) : nil,
            placements: placements, stacks: stacks.plans, bundles: bundles, alwaysOn: alwaysOn, wear: wear,
            accentedShare: value["accented"].isAbsent ? 0 : value["accented"].number, standby: standby)
    }

    /// Keys that only one kind of device has.
    private func checkKeys() {
        guard value["kind"].isValid else { return }
        for (key, owner) in [("wear", DeviceKind.watch), ("accented", .watch), ("standby", .phone)]
        where owner != kind && !value[key].isAbsent {
            scenario.log.report(
                value[key].origin, value[key].path, expected: "a key of a \(kind.name)", found: "'\(key)', which belongs to a \(owner.name)"
            )
        }
        let share = value["always_on"]["share"]
        if kind == .tablet && !share.isAbsent && share.isValid && share.number > 0 {
            scenario.log.report(
                share.origin, share.path, expected: "0 on a tablet, which has no always-on display", found: FigureText.shortest(share.number))
        }
    }

    private func warnOfUnseen(_ placements: [Placement]) {
        let habits = standby
        if placements.contains(where: { $0.surface == .standby }) && value["standby"].isValid && kind == .phone
            && habits.share * habits.nightShare * habits.looksPerNight == 0
        {
            scenario.log.warn("\(value.path): nobody sees the widgets on standby, because standby has a share or looks of 0")
        }
        if alwaysOn.share > 0 && alwaysOn.looksPerDay == 0 {
            scenario.log.warn("\(value["always_on"].path): nobody looks at it, because looks_per_day is 0")
        }
    }

    // MARK: Habits

    private var alwaysOn: AlwaysOnHabits {
        let habits = value["always_on"]
        guard habits.isMapping else { return .never }
        return AlwaysOnHabits(share: habits["share"].number, looksPerDay: habits["looks_per_day"].number)
    }

    private var wear: WearHabits {
        let wear = value["wear"]
        guard wear.isMapping else { return .allDay }
        return WearHabits(
            chargeAt: scenario.distribution(wear["charge_at"]), chargeTime: scenario.distribution(wear["charge_time"]),
            atNightShare: wear["at_night"].number)
    }

    private var standby: StandbyHabits {
        let standby = value["standby"]
        guard standby.isMapping else { return .never }
        return StandbyHabits(
            share: standby["share"].number, nightShare: standby["nights"].number, looksPerNight: standby["looks_per_night"].number)
    }
}
