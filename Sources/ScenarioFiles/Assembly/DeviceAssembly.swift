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
            placements: placements, stacks: stacks.plans, bundles: bundles, alwaysOn: alwaysOn, wear: wear,
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

    private var desk: DeskHabits {
        let desk = value["desk"]
        guard desk.isMapping else { return .none }
        return DeskHabits(
            officeShare: desk["office"].number,
            office: .init(
                from: scenario.distribution(desk["office_from"]), time: scenario.distribution(desk["office_time"])),
            evening: .init(
                from: scenario.distribution(desk["evening_from"]), time: scenario.distribution(desk["evening_time"])),
            notificationCenterShare: desk["notification_center"].number, looksPerHour: desk["looks_per_hour"].number,
            coveredShare: desk["covered"].number, portableShare: desk["portable"].number,
            onPowerShare: desk["on_power"].number)
    }

    private var standby: StandbyHabits {
        let standby = value["standby"]
        guard standby.isMapping else { return .never }
        return StandbyHabits(
            share: standby["share"].number, nightShare: standby["nights"].number,
            looksPerNight: standby["looks_per_night"].number)
    }
}
