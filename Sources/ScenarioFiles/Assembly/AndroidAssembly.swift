import Basics
import People
import ScenarioModel
import Statistics
import WidgetPlatform

/// Makes what a scenario says of Android (section 13).
struct AndroidAssembly {
    let scenario: ScenarioAssembly

    static func platform(of device: CheckedValue) -> Platform {
        let platform = device["platform"]
        return platform.isAbsent || !platform.isValid ? .ios : platform.choice()
    }

    /// The parameters; nil if no device runs Android.
    var parameters: AndroidParameters? {
        let value = scenario.root["parameters"]["android"]
        return value.isMapping
            ? scenario.read(KeyCatalogue.androidParameters, of: value, over: AndroidParameters()) : nil
    }

    /// How a kind is refreshed there: as it says, or as its policy suggests; nil if that suggests nothing.
    func refresh(of kind: CheckedValue, _ policy: ReloadPolicy, _ shape: TimelineShape) -> AndroidRefresh? {
        let value = kind["android"]
        guard value.isMapping else {
            return Self.period(for: policy, shape).map {
                AndroidRefresh(
                    period: $0, freshness: $0.length.map { _ in Self.freshness(of: policy.askedLife(of: shape)) })
            }
        }
        var refresh = scenario.read(
            KeyCatalogue.androidRefresh, of: value, over: AndroidRefresh(period: period(value)))
        let messages = refresh.messages
        if value.isValid && messages.handler == .expedited && !messages.isUrgent {
            scenario.report(value["handler"], "message: high beside handler: expedited", "message: normal")
        }
        let push = kind["push"]
        let takesNone = push.isValid && !push.flag && kind["push_on_version"].isAbsent
        if value.isValid && takesNone && messages != AndroidRefresh.Messages() {
            let key =
                messages.isUrgent
                ? "message" : !messages.areCollapsible ? "collapsible" : messages.areStored ? "handler" : "stored"
            scenario.report(value[key], "push: true of the kind beside \(key)", "a kind that takes no messages")
        }
        var isSystemAlarm = false
        if case .alarm = refresh.period { isSystemAlarm = true }
        if refresh.alarmFetches && !isSystemAlarm {
            scenario.report(value["alarm_does"], "alarm: with a period beside alarm_does", "none")
            refresh.alarmFetches = false
        }
        return refresh
    }

    private static func freshness(of life: Basics.Duration) -> Basics.Duration {
        max(life, AndroidRefresh.leastFreshness)
    }

    private func period(_ value: CheckedValue) -> AndroidRefresh.Period {
        let (work, flex) = (value["work"], value["flex"])
        if work.isAbsent && !flex.isAbsent {
            scenario.report(flex, "work beside flex, whose periods it is a part of", "none")
        }
        let alarm = value["alarm"]
        if alarm.isMapping {
            guard case .aligned(let schedule) = ScheduleAssembly(scenario: scenario, value: alarm).policy else {
                return .none
            }
            let isExact = alarm["exact"].flag
            return .clock(schedule, isExact: isExact, window: isExact ? .zero : alarm["window"].duration)
        }
        if !alarm.isAbsent { return .alarm(every: alarm.duration) }
        let idle = value["idle_alarm"]
        if !idle.isAbsent { return .idleAlarm(every: idle.duration) }
        if work.isAbsent { return .none }
        if flex.isAbsent { return .work(every: work.duration, flex: work.duration) }
        if flex.isValid && work.isValid && flex.duration > work.duration {
            scenario.report(
                flex, "at most work, \(TimeText.duration(work.duration))", "'\(TimeText.duration(flex.duration))'")
        }
        return .work(every: work.duration, flex: min(flex.duration, work.duration))
    }

    /// A periodic job in place of a policy with one length; nothing for `never`; nil for dates that no job has.
    private static func period(for policy: ReloadPolicy, _ shape: TimelineShape) -> AndroidRefresh.Period? {
        let length: Duration
        switch policy {
        case .never: return AndroidRefresh.Period.none
        case .aligned: return nil
        case .after(let duration): length = duration
        case .atEnd:
            length = policy.askedLife(of: shape)
            if length == .zero { return nil }
        }
        let every = max(length, PeriodicJob.leastPeriod)
        return .work(every: every, flex: every)
    }

    // MARK: Devices

    /// A device with Android is a phone or a tablet with widgets on home pages, or a watch with tiles, whose kinds say
    /// how they are refreshed.
    func check(_ device: CheckedValue, _ placements: [Placement], _ kinds: [WidgetKind], stacks: Int) {
        let (stated, platform) = (device["kind"], device["platform"])
        guard Self.platform(of: device) == .android else {
            if let tile = placements.first(where: { $0.surface == .tile }), stated.isValid {
                scenario.report(device["instances"], "platform: android on a watch with \(tile.id) as a tile", "ios")
            }
            return
        }
        let kind = stated.choice(DeviceKind.self)
        if stated.isValid && kind == .mac {
            scenario.report(platform, "ios on a \(kind.name), which does not run Android", "android")
            return
        }
        if stacks > 0 {
            scenario.report(device["stacks"], "no stacks on a device with platform: android", "\(stacks)")
        }
        let isWatch = kind == .watch
        let surfaces: [Surface] = isWatch ? [.tile] : [.homeFirst, .homeOther]
        if let placement = placements.first(where: { !surfaces.contains($0.surface) }) {
            scenario.report(
                platform,
                isWatch
                    ? "tiles alone on a watch with platform: android"
                    : "widgets on home_first or home_other alone beside platform: android",
                "\(placement.id) on \(placement.surface.name)")
        }
        for placement in placements
        where kinds.indices.contains(placement.kind) && kinds[placement.kind].transfer != nil {
            scenario.report(
                device["platform"], "kinds with fetch: inline alone beside platform: android",
                "\(kinds[placement.kind].id) with fetch: background")
            return
        }
        for placement in placements where kinds.indices.contains(placement.kind) && kinds[placement.kind].readsApp {
            scenario.report(
                device["platform"],
                "kinds with content: origin alone beside platform: android, where a provider is its app",
                "\(kinds[placement.kind].id) with content: app")
            return
        }
        for placement in placements where kinds.indices.contains(placement.kind) && kinds[placement.kind].android == nil
        {
            let id = kinds[placement.kind].id
            guard let value = scenario.root["kinds"].items.first(where: { $0["id"].isValid && $0["id"].text == id }),
                value["policy"].isValid
            else { continue }
            scenario.report(
                value["policy"],
                "android: beside it, such as android: {\(isWatch ? "freshness: 10m" : "alarm: 30m")}, for \(placement.id) on a device with platform: android",
                "a policy from which no period follows")
            return
        }
    }

    /// All devices of a kind that count together have one platform.
    func checkPlatforms(of devices: [CheckedValue]) {
        var known: [DeviceKind: Platform] = [:]
        for device in devices where device["kind"].isValid {
            let (stated, platform) = (device["kind"], Self.platform(of: device))
            let kind = stated.choice(DeviceKind.self)
            if let other = known[kind], other != platform {
                scenario.report(
                    device["platform"].isAbsent ? stated : device["platform"],
                    "one platform for all \(kind.name)s that are counted together: a segment of their own for those with Android",
                    "\(other.name) and \(platform.name)")
                return
            }
            known[kind] = platform
        }
    }

    func checkHandling(of device: CheckedValue) {
        let value = device["handling"]
        if device.isValid && !value.isAbsent && Self.platform(of: device) != .android {
            scenario.report(value, "platform: android beside handling", "ios")
        } else if case let kind = device["kind"], !value.isAbsent, kind.isValid, kind.choice() == DeviceKind.watch {
            scenario.report(value, "no handling on a watch, which has no Doze", "handling")
        }
    }
}
