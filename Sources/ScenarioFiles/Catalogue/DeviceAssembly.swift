import Basics
import People
import ScenarioModel
import Statistics
import WidgetPlatform

/// A device that people may carry, as the scenario states it.
struct StatedDevice {
    var habits = DevicePlan(kind: .phone, share: 1, placements: []).habits
    var platform = Platform.ios
    var instances = CheckedValue.absent, stacks = CheckedValue.absent, bundles = CheckedValue.absent

    /// The openings of one surface; no device has two of them.
    var smartStack: OpeningHabits {
        get { habits.openings }
        set { habits.openings = newValue }
    }
    var tiles: OpeningHabits {
        get { habits.openings }
        set { habits.openings = newValue }
    }
}

/// The keys that drawn and recorded devices have in common.
struct DeviceKeys {
    let mapping, kind, platform, stacks, instances: CheckedValue

    /// The platform that is stated rightly, or the usual one.
    var its: Platform { platform.isAbsent || !platform.isValid ? .ios : platform.choice() }
}

extension Stated<StatedDevice> {
    var keys: DeviceKeys {
        DeviceKeys(
            mapping: mapping, kind: self[\.habits.kind], platform: self[\.platform], stacks: self.stacks,
            instances: self.instances)
    }
}

/// Makes a device that people of a segment may carry (D1).
struct DeviceAssembly {
    let scenario: ScenarioAssembly
    let device: Stated<StatedDevice>
    /// Whether any of the people can carry a phone.
    let besidePhones: Bool

    private var kind: DeviceKind { device.habits.kind }

    var plan: DevicePlan {
        checkKeys()
        checkOpened()
        let stacks = StackAssembly(scenario: scenario, device: device.keys)
        let instances = device.instances.items.map {
            scenario.stated(KeyCatalogue.placement, of: $0, over: Placement())
        }
        for instance in instances { instance.check(on: kind, scenario) }
        stacks.check(instances)
        checkRemote(instances)
        let placements = instances.map(\.value)
        var names = Set(placements.map(\.id))
        let bundles = device.bundles.items.map {
            BundleAssembly(
                scenario: scenario, device: kind,
                bundle: scenario.stated(KeyCatalogue.bundle, of: $0, over: StatedBundle())
            ).plan(names: &names)
        }
        if device.instances.isValid && device.bundles.isValid && placements.isEmpty && bundles.isEmpty {
            scenario.report(device.mapping, "an instance or a bundle on the device", "neither")
        }
        var plan = DevicePlan(
            kind: kind, share: 1, placements: placements, stacks: stacks.plans, bundles: bundles,
            platform: device.keys.its)
        plan.habits = device.habits
        warnOfUnseen(plan)
        let android = AndroidAssembly(scenario: scenario)
        android.check(device.keys, plan.allPlacements)
        android.checkHandling(device[\.habits.charging], of: device.keys)
        return plan
    }

    /// Keys of a surface on which nothing stands.
    private func checkOpened() {
        for (key, surface) in [
            (device[\.smartStack], Surface.smartStack), (device[\.tiles], .tile),
            (device[\.habits.openings.drives], .car),
        ]
        where !key.isAbsent && device.instances.isValid && device.bundles.isValid
            && !KeyCatalogue.stands(device.mapping, on: surface)
        {
            scenario.report(key, "an instance on \(surface.name) beside \(key.key)", "none")
        }
    }

    /// Keys that only one kind of device has.
    private func checkKeys() {
        guard device[\.habits.kind].isValid else { return }
        let owners: [(CheckedValue, DeviceKind)] = [
            (device[\.habits.wear], .watch), (device[\.habits.standby], .phone), (device[\.habits.desk], .mac),
            (device[\.smartStack], .watch), (device[\.tiles], .watch), (device[\.habits.openings.drives], .phone),
        ]
        for (key, owner) in owners where owner != kind && !key.isAbsent {
            scenario.report(key, "a key of a \(kind.name)", "'\(key.key)', which belongs to a \(owner.name)")
        }
        let display = scenario.stated(
            KeyCatalogue.alwaysOn, of: device[\.habits.alwaysOn], over: device.habits.alwaysOn)
        let share = display[\.share]
        if !kind.canBeAlwaysOn && !share.isAbsent && share.isValid && display.share > 0 {
            scenario.report(
                share, "0 on a \(kind.name), which has no always-on display", FigureText.shortest(display.share))
        }
    }

    /// A widget of a phone needs a Mac that shows it and a phone to be of; content with complete protection does not
    /// leave the phone (D1).
    private func checkRemote(_ instances: [Stated<Placement>]) {
        guard device[\.habits.kind].isValid else { return }
        for instance in instances where instance.isFromPhone {
            let (key, widget) = (instance[\.isFromPhone], instance[\.kind])
            if kind != .mac {
                scenario.report(key, "false on a \(kind.name): a Mac alone shows widgets of a phone", "true")
            } else if !besidePhones {
                scenario.report(key, "a phone among the devices of these people, whose widget the Mac shows", "none")
            } else if widget.isValid && scenario.kinds.contains(where: { $0.id == widget.text && $0.isProtected }) {
                scenario.report(
                    key, "false for \(widget.text), whose data_protection: complete keeps its content on the phone",
                    "true")
            }
        }
    }

    private func warnOfUnseen(_ plan: DevicePlan) {
        let (standby, desk, alwaysOn) = (plan.habits.standby, plan.habits.desk, plan.habits.alwaysOn)
        let path = device.mapping.path
        func isShown(_ surface: Surface) -> Bool { plan.allPlacements.contains { $0.surface == surface } }
        if isShown(.standby) && device[\.habits.standby].isValid && kind == .phone
            && standby.share * standby.nightShare * standby.looksPerNight == 0
        {
            scenario.log.warn(
                "\(path): nobody sees the widgets on standby, because standby has a share or looks of 0")
        }
        for (surface, rate, key) in [
            (Surface.desktop, desk.looksPerHour, "looks_per_hour"),
            (.notificationCenter, desk.notificationCenterShare, "notification_center"),
        ]
        where kind == .mac && device[\.habits.desk].isValid && rate == 0 && isShown(surface) {
            scenario.log.warn("\(path): nobody sees the widgets on \(surface.name), because desk has \(key): 0")
        }
        if alwaysOn.share > 0 && alwaysOn.looksPerDay == 0 {
            let display = device[\.habits.alwaysOn].path
            scenario.log.warn("\(display): nobody looks at it, because looks_per_day is 0")
        }
    }
}

// MARK: Instances

extension Stated<Placement> {
    /// Looks at how an instance, drawn or recorded, fits its device.
    func check(on device: DeviceKind, _ scenario: ScenarioAssembly) {
        let (placed, size) = (self[\.surface], self[\.family])
        if placed.isValid && size.isValid && !self.surface.families(on: device).contains(self.family) {
            let fitting = self.surface.families(on: device).map(\.name)
            scenario.report(
                size.isStated ? size : placed,
                fitting.isEmpty
                    ? Surface.words(on: device)
                    : "a family that fits \(self.surface.name) on a \(device): \(Form.alternatives(fitting))",
                fitting.isEmpty ? "'\(self.surface.name)'" : "'\(self.family.name)'")
        }
        checkControl(scenario)
        if self.location == .current, scenario.kinds.indices.contains(self.kind), scenario.kinds[self.kind].readsApp {
            scenario.report(
                self[\.location],
                "none or a choice beside content: app of \(scenario.kinds[self.kind].id), whose provider asks for no location",
                "'current'")
        }
    }

    /// A control of a device stands on its lock screen or comes from there, alone, for a place that is chosen (V10).
    private func checkControl(_ scenario: ScenarioAssembly) {
        guard scenario.kinds.indices.contains(self.kind), scenario.kinds[self.kind].control != nil else { return }
        let id = scenario.kinds[self.kind].id
        if self[\.surface].isValid && self.surface != .lockScreen {
            scenario.report(self[\.surface], "surface: lock_screen for \(id), which is a control", self.surface.name)
        } else if self[\.location].isValid && self.location == .current {
            scenario.report(self[\.location], "a chosen location or none for \(id), which is a control", "current")
        } else if self.stack != nil {
            scenario.report(self[\.stack], "no stack for \(id), which is a control", self[\.stack].text)
        }
    }
}

extension Surface {
    /// The surfaces expected on a kind of device, in words.
    static func words(on device: DeviceKind) -> String {
        let names = allCases.filter { !$0.families(on: device).isEmpty }.map(\.name)
        return "a surface of a \(device): \(Form.alternatives(names))"
    }
}

// MARK: Stacks

/// A stack as the scenario states it.
struct StatedStack {
    var plan = StackPlan(id: "", flipShare: 0, rotationsPerDay: 0)
    var surface = Surface.homeFirst
}

/// Makes the stacks of a device, drawn or recorded (V3).
struct StackAssembly {
    private let scenario: ScenarioAssembly
    private let device: DeviceKeys
    private let stacks: [Stated<StatedStack>]

    /// From then on instances name the stacks of this device.
    init(scenario: ScenarioAssembly, device: DeviceKeys) {
        (self.scenario, self.device) = (scenario, device)
        let keys = scenario.isReplay ? KeyCatalogue.recordedStack : KeyCatalogue.stack
        let list = device.stacks
        stacks = list.isList ? list.items.map { scenario.stated(keys, of: $0, over: StatedStack()) } : []
        scenario.stackNames = list.isList ? stacks.map { $0[\.plan.id].isValid ? $0.plan.id : "" } : nil
    }

    var plans: [StackPlan] { stacks.map(\.value.plan) }

    /// Looks at how the stacks and the device's instances fit together.
    func check(_ instances: [Stated<Placement>]) {
        for (index, stack) in stacks.enumerated() {
            let (name, surface) = (stack[\.surface], stack.surface)
            guard name.isValid else { continue }
            if surface.families(on: device.kind.choice()).isEmpty {
                scenario.report(name, Surface.words(on: device.kind.choice()), "'\(surface.name)'")
                continue
            }
            if surface.isOpened {
                scenario.report(name, "a surface that stacks stand on", "'\(surface.name)'")
                continue
            }
            let members = instances.filter { $0.stack == index }
            guard let first = members.first else {
                if device.instances.isValid && stack[\.plan.id].isValid {
                    scenario.report(stack.mapping, "an instance with stack: \(stack.plan.id)", "none")
                }
                continue
            }
            if members.count > SmartStack.most {
                scenario.report(
                    members[SmartStack.most][\.stack], "at most \(SmartStack.most) widgets in a stack",
                    "\(members.count)")
            }
            for member in members {
                if member[\.surface].isValid && member.surface != surface {
                    scenario.report(
                        member[\.surface], "\(surface.name), the surface of its stack", "'\(member.surface.name)'")
                } else if member[\.family].isValid && member.family != first.family {
                    scenario.report(
                        member[\.family], "\(first.family.name), the family of the first widget in its stack",
                        "'\(member.family.name)'")
                }
            }
        }
    }
}
