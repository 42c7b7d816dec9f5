import Basics
import People
import ScenarioModel
import Statistics
import WidgetPlatform

/// Makes a device that people of a segment may carry (D1).
struct DeviceAssembly {
    let segment: SegmentAssembly
    let value: CheckedValue

    private var scenario: ScenarioAssembly { segment.scenario }
    private var kind: DeviceKind { value["kind"].choice() }

    var plan: DevicePlan {
        checkKeys()
        checkOpened()
        let stacks = StackAssembly(scenario: scenario, device: kind, value: value)
        let placements = value["instances"].items.map {
            PlacementAssembly(scenario: scenario, kinds: segment.kinds, device: kind, value: $0, stacks: stacks.known)
                .completed(scenario.read(KeyCatalogue.placement, of: $0, over: Placement()))
        }
        stacks.check(placements)
        checkRemote()
        var names = Set(placements.map(\.id))
        let bundles = value["bundles"].items.map {
            BundleAssembly(scenario: scenario, kinds: segment.kinds, device: kind, value: $0).plan(names: &names)
        }
        let (instances, carried) = (value["instances"], value["bundles"])
        if instances.isValid && carried.isValid && instances.items.isEmpty && carried.items.isEmpty {
            scenario.report(value, "an instance or a bundle on the device", "neither")
        }
        var plan = DevicePlan(
            kind: kind, share: 1, placements: placements, stacks: stacks.plans, bundles: bundles,
            platform: AndroidAssembly.platform(of: value))
        plan.habits = scenario.read(KeyCatalogue.device, of: value, over: plan.habits)
        let pickups = value["pickups"]
        plan.habits.pickups = pickups.isMapping ? segment.pickups(pickups) : nil
        if value["smart_stack"].isMapping {
            plan.habits.openings.workouts.hours = plan.habits.openings.openings.hours
        }
        warnOfUnseen(plan)
        let android = AndroidAssembly(scenario: scenario)
        android.check(value, plan.allPlacements, segment.kinds, stacks: plan.stacks.count)
        android.checkHandling(of: value)
        return plan
    }

    /// Keys of a surface on which nothing stands.
    private func checkOpened() {
        for (key, surface) in [("smart_stack", Surface.smartStack), ("tiles", .tile), ("car", .car)]
        where !value[key].isAbsent && value["instances"].isValid && value["bundles"].isValid
            && !KeyCatalogue.stands(value, on: surface)
        {
            scenario.report(value[key], "an instance on \(surface.name) beside \(key)", "none")
        }
    }

    /// Keys that only one kind of device has.
    private func checkKeys() {
        guard value["kind"].isValid else { return }
        let owners: [(String, DeviceKind)] = [
            ("wear", .watch), ("standby", .phone), ("desk", .mac), ("smart_stack", .watch), ("tiles", .watch),
            ("car", .phone),
        ]
        for (key, owner) in owners
        where owner != kind && !value[key].isAbsent {
            scenario.report(value[key], "a key of a \(kind.name)", "'\(key)', which belongs to a \(owner.name)")
        }
        let share = value["always_on"]["share"]
        if !kind.canBeAlwaysOn && !share.isAbsent && share.isValid && share.number > 0 {
            scenario.report(
                share, "0 on a \(kind.name), which has no always-on display", FigureText.shortest(share.number))
        }
    }

    /// A widget of a phone needs a Mac that shows it and a phone to be of; content with complete protection does not
    /// leave the phone (D1).
    private func checkRemote() {
        guard value["kind"].isValid else { return }
        for instance in value["instances"].items {
            let (key, widget) = (instance["from_phone"], instance["kind"])
            if !key.isValid || !key.flag { continue }
            if kind != .mac {
                scenario.report(key, "false on a \(kind.name): a Mac alone shows widgets of a phone", "true")
            } else if !segment.carriesPhones {
                scenario.report(key, "a phone among the devices of these people, whose widget the Mac shows", "none")
            } else if widget.isValid && segment.kinds.contains(where: { $0.id == widget.text && $0.isProtected }) {
                scenario.report(
                    key, "false for \(widget.text), whose data_protection: complete keeps its content on the phone",
                    "true")
            }
        }
    }

    private func warnOfUnseen(_ plan: DevicePlan) {
        let (standby, desk, alwaysOn) = (plan.habits.standby, plan.habits.desk, plan.habits.alwaysOn)
        if plan.allPlacements.contains(where: { $0.surface == .standby }) && value["standby"].isValid && kind == .phone
            && standby.share * standby.nightShare * standby.looksPerNight == 0
        {
            scenario.log.warn(
                "\(value.path): nobody sees the widgets on standby, because standby has a share or looks of 0")
        }
        for (surface, rate, key) in [
            (Surface.desktop, desk.looksPerHour, "looks_per_hour"),
            (.notificationCenter, desk.notificationCenterShare, "notification_center"),
        ]
        where kind == .mac && value["desk"].isValid && rate == 0
            && plan.allPlacements.contains(where: { $0.surface == surface })
        {
            scenario.log.warn("\(value.path): nobody sees the widgets on \(surface.name), because desk has \(key): 0")
        }
        if alwaysOn.share > 0 && alwaysOn.looksPerDay == 0 {
            scenario.log.warn("\(value["always_on"].path): nobody looks at it, because looks_per_day is 0")
        }
    }
}
