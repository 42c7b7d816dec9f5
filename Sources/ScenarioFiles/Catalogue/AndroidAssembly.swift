import Basics
import People
import ScenarioModel
import Statistics
import WidgetPlatform

/// Makes what a scenario says of Android (section 13).
struct AndroidAssembly {
    let scenario: ScenarioAssembly

    /// How a kind is refreshed there: as it says, or as its policy suggests; nil if that suggests nothing.
    func refresh(of kind: Stated<WidgetKind>, _ value: CheckedValue) -> AndroidRefresh? {
        let (policy, shape) = (kind.dates.policy, kind.shape)
        guard value.isMapping else {
            return Self.period(for: policy, shape).map {
                AndroidRefresh(
                    period: $0,
                    freshness: $0.length.map { _ in Self.freshness(of: policy.usualLife.length(of: shape)) })
            }
        }
        let refresh = scenario.stated(KeyCatalogue.androidRefresh, of: value, over: AndroidRefresh(period: .none))
        let messages = refresh.messages
        let takesNone = kind[\.takesPushes].isValid && !kind.takesPushes && kind[\.contentPushes].isAbsent
        if refresh.isValid && takesNone && messages != AndroidRefresh.Messages() {
            let key =
                messages.isUrgent
                ? refresh[\.messages.isUrgent]
                : !messages.areCollapsible
                    ? refresh[\.messages.areCollapsible]
                    : messages.areStored ? refresh[\.messages.handler] : refresh[\.messages.areStored]
            scenario.report(key, "push: true of the kind beside \(key.key)", "a kind that takes no messages")
        }
        return refresh.value
    }

    private static func freshness(of life: Basics.Duration) -> Basics.Duration {
        max(life, AndroidRefresh.leastFreshness)
    }

    /// A periodic job in place of a policy with one length; nothing for `never`; nil for dates that no job has.
    private static func period(for policy: ReloadPolicy, _ shape: TimelineShape) -> AndroidRefresh.Period? {
        // Nobody asks a provider of a user's own there for a date, or reads one in an answer: it has to be said how it is
        // refreshed.
        if policy.provider != nil { return nil }
        if policy.usualLife == .never { return AndroidRefresh.Period.none }
        let length = policy.usualLife.length(of: shape)
        if length == .zero { return nil }
        let every = max(length, PeriodicJob.leastPeriod)
        return .work(every: every, flex: every)
    }

    // MARK: Devices

    /// A device with Android is a phone or a tablet with widgets on home pages, or a watch with tiles, whose kinds say
    /// how they are refreshed.
    func check(_ device: DeviceKeys, _ placements: [Placement]) {
        let (stated, platform, kinds) = (device.kind, device.platform, scenario.kinds)
        guard device.its == .android else {
            if let tile = placements.first(where: { $0.surface == .tile }), stated.isValid {
                scenario.report(device.instances, "platform: android on a watch with \(tile.id) as a tile", "ios")
            }
            return
        }
        let kind = stated.choice(DeviceKind.self)
        if stated.isValid && kind == .mac {
            scenario.report(platform, "ios on a \(kind.name), which does not run Android", "android")
            return
        }
        let stacks = device.stacks.isList ? device.stacks.items.count : 0
        if stacks > 0 {
            scenario.report(device.stacks, "no stacks on a device with platform: android", "\(stacks)")
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
                platform, "kinds with fetch: inline alone beside platform: android",
                "\(kinds[placement.kind].id) with fetch: background")
            return
        }
        for placement in placements where kinds.indices.contains(placement.kind) && kinds[placement.kind].readsApp {
            scenario.report(
                platform,
                "kinds with content: origin alone beside platform: android, where a provider is its app",
                "\(kinds[placement.kind].id) with content: app")
            return
        }
        for placement in placements where kinds.indices.contains(placement.kind) && kinds[placement.kind].android == nil
        {
            let policy = scenario.policy(ofKind: placement.kind)
            guard policy.isValid else { continue }
            scenario.report(
                policy,
                "android: beside it, such as android: {\(isWatch ? "freshness: 10m" : "alarm: 30m")}, for \(placement.id) on a device with platform: android",
                "a policy from which no period follows")
            return
        }
    }

    /// All devices of a kind that count together have one platform.
    func checkPlatforms(of devices: [DeviceKeys]) {
        var known: [DeviceKind: Platform] = [:]
        for device in devices where device.kind.isValid {
            let kind = device.kind.choice(DeviceKind.self)
            if let other = known[kind], other != device.its {
                scenario.report(
                    device.platform.isAbsent ? device.kind : device.platform,
                    "one platform for all \(kind.name)s that are counted together: a segment of their own for those with Android",
                    "\(other.name) and \(device.its.name)")
                return
            }
            known[kind] = device.its
        }
    }

    /// - Parameter handling: how a drawn device charges and is moved.
    func checkHandling(_ handling: CheckedValue, of device: DeviceKeys) {
        if handling.isAbsent { return }
        if device.mapping.isValid && device.its != .android {
            scenario.report(handling, "platform: android beside handling", "ios")
        } else if device.kind.isValid && device.kind.choice() == DeviceKind.watch {
            scenario.report(handling, "no handling on a watch, which has no Doze", "handling")
        }
    }
}
