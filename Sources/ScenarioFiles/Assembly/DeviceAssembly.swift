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
        let stacks = StackAssembly(scenario: scenario, device: kind, value: value)
        let placements = value["instances"].items.map {
            PlacementAssembly(scenario: scenario, kinds: segment.kinds, device: kind, value: $0, stacks: stacks.known)
                .drawnPlacement
        }
        stacks.check(placements)
        checkRemote()
        var names = Set(placements.map(\.id))
        let bundles = value["bundles"].items.map {
            BundleAssembly(scenario: scenario, kinds: segment.kinds, device: kind, value: $0).plan(names: &names)
        }
        let (instances, carried) = (value["instances"], value["bundles"])
        if instances.isValid && carried.isValid && instances.items.isEmpty && carried.items.isEmpty {
            scenario.log.report(value, expected: "an instance or a bundle on the device", found: "neither")
        }
        let all = placements + bundles.flatMap { $0.widgets.map(\.placement) }
        warnOfUnseen(all)
        let android = AndroidAssembly(scenario: scenario)
        android.check(value, all, segment.kinds, stacks: stacks.plans.count)
        var plan = DevicePlan(
            kind: kind, share: value["share"].number,
            pickups: value["pickups"].isMapping ? segment.pickups(value["pickups"]) : nil,
            placements: placements, stacks: stacks.plans, bundles: bundles, alwaysOn: alwaysOn,
            wear: scenario.read(KeyCatalogue.wear, of: value["wear"], over: .allDay),
            accentedShare: value["accented"].number, standby: standby, desk: desk,
            platform: AndroidAssembly.platform(of: value))
        plan.habits.charging = android.handling(of: value)
        plan.habits.openings = OpeningAssembly(segment: segment, device: value).habits
        return plan
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
            scenario.log.report(
                value[key], expected: "a key of a \(kind.name)", found: "'\(key)', which belongs to a \(owner.name)")
        }
        let share = value["always_on"]["share"]
        if !kind.canBeAlwaysOn && !share.isAbsent && share.isValid && share.number > 0 {
            scenario.log.report(
                share, expected: "0 on a \(kind.name), which has no always-on display",
                found: FigureText.shortest(share.number))
        }
    }

    /// A widget of a phone needs a Mac that shows it and a phone to be of; content with complete protection does not
    /// leave the phone (D1).
    private func checkRemote() {
        guard value["kind"].isValid else { return }
        for instance in value["instances"].items where instance["from_phone"].isValid && instance["from_phone"].flag {
            let key = instance["from_phone"]
            if kind != .mac {
                scenario.report(key, "false on a \(kind.name): a Mac alone shows widgets of a phone", "true")
            } else if !segment.carriesPhones {
                scenario.report(key, "a phone among the devices of these people, whose widget the Mac shows", "none")
            } else if kinds(instance).contains(where: \.isProtected) {
                scenario.report(
                    key,
                    "false for \(instance["kind"].text), whose data_protection: complete keeps its content on the phone",
                    "true")
            }
        }
    }

    private func kinds(_ instance: CheckedValue) -> [WidgetKind] {
        instance["kind"].isValid ? segment.kinds.filter { $0.id == instance["kind"].text } : []
    }

    private func warnOfUnseen(_ placements: [Placement]) {
        let habits = standby
        if placements.contains(where: { $0.surface == .standby }) && value["standby"].isValid && kind == .phone
            && habits.share * habits.nightShare * habits.looksPerNight == 0
        {
            scenario.log.warn(
                "\(value.path): nobody sees the widgets on standby, because standby has a share or looks of 0")
        }
        for (surface, rate, key) in [
            (Surface.desktop, desk.looksPerHour, "looks_per_hour"),
            (.notificationCenter, desk.notificationCenterShare, "notification_center"),
        ]
        where kind == .mac && value["desk"].isValid && rate == 0
            && placements.contains(where: { $0.surface == surface })
        {
            scenario.log.warn("\(value.path): nobody sees the widgets on \(surface.name), because desk has \(key): 0")
        }
        if alwaysOn.share > 0 && alwaysOn.looksPerDay == 0 {
            scenario.log.warn("\(value["always_on"].path): nobody looks at it, because looks_per_day is 0")
        }
    }

    // MARK: Habits

    private var alwaysOn: AlwaysOnHabits {
        scenario.read(KeyCatalogue.alwaysOn, of: value["always_on"], over: .never)
    }
    private var desk: DeskHabits { scenario.read(KeyCatalogue.desk, of: value["desk"], over: .none) }
    private var standby: StandbyHabits { scenario.read(KeyCatalogue.standby, of: value["standby"], over: .never) }
}
