import Basics
import Statistics
import WidgetPlatform

/// The sorts of push that a sender sends, and how many of each go out when (O3): those of each kind of Live Activity,
/// and those to the widgets of each app, from campaigns and about new versions.
package struct PushClasses {
    package let plan: FleetPlan
    package let sender: PushSender
    private var campaignStart: Int { plan.live?.kinds.count ?? 0 }
    private var kindStart: Int { campaignStart + plan.pushCampaigns.count * plan.zones.count }

    package init(_ plan: FleetPlan, _ sender: PushSender) {
        self.plan = plan
        self.sender = sender
    }

    /// The sort of a campaign's pushes to devices that go by the clock of a zone.
    package func sort(ofCampaign campaign: Int, zone: Int) -> Int { campaignStart + campaign * plan.zones.count + zone }
    package func sort(ofKind kind: Int) -> Int { kindStart + kind }

    /// Pushes a second that come one by one, with their further tries: about people's own events, and about the
    /// versions of single places and symbols.
    package var flow: Double {
        plan.ownPushesPerSecond * sender.meanTries + plan.kinds.indices.reduce(0) { $0 + flow(ofKind: $1) }
    }

    /// Those of them to devices with Android.
    package var androidFlow: Double {
        plan.kinds.indices.reduce(0) { $0 + flow(ofKind: $1, on: .android) }
    }

    /// The pushes a second that no window exceeds but by one, as those of the run send; nil if there is no rate, or if
    /// some pushes come one by one.
    package var mostPerSecond: Double? {
        flow > 0 ? nil : sender.rate.map { $0 * Double(sender.simulated) / Double(sender.people) }
    }

    /// Whether the sender need know how many devices there are: it is limited, or may meet a project's limit.
    package var needsRecipients: Bool {
        let share = Double(sender.simulated) / Double(sender.people)
        let devices = sender.simulated * max(1, plan.segments.map(\.devices.count).max() ?? 1)
        let mayMeetLimit = plan.android != nil && Double(devices) > (sender.projectLimit - 60 * androidFlow) * share
        return sender.rate != nil || sender.waves > 1 || mayMeetLimit
    }

    /// The devices that it knows then, roughly, each as often as there are groups that it is in.
    package var recipients: Double {
        if !needsRecipients { return 0 }
        let live = (plan.live?.kinds ?? []).reduce(0) { sum, kind in
            guard case .shared = kind.events else { return sum }
            return sum + plan.shareWithPhone * kind.followers
        }
        let campaigns = plan.apps.indices.reduce(0.0) { sum, app in
            guard plan.pushCampaigns.contains(where: { $0.app == app }) else { return sum }
            // Once among all, once among those of a zone.
            return sum + 2 * plan.devices { plan.kinds[$0].app == app && plan.kinds[$0].takesPushes }
        }
        let kinds = plan.kinds.indices.reduce(0.0) { sum, kind in
            plan.kinds[kind].contentPushes != nil && hasBursts(plan.kinds[kind])
                ? sum + plan.devices { $0 == kind } : sum
        }
        return Double(sender.simulated) * (live + campaigns + kinds)
    }

    /// How many bursts there are, roughly, each in as many waves as the sender has.
    package var burstCount: Double {
        let days = (plan.end - .start).inSeconds / 86_400
        let live = (plan.live?.kinds ?? []).reduce(0.0) { sum, kind in
            guard case .shared(let events, _) = kind.events else { return sum }
            return sum + Double(events.pushes(plan.zones, until: plan.end))
        }
        let campaigns = plan.pushCampaigns.reduce(0.0) { sum, campaign in
            switch campaign.times {
            case .listed(let instants): sum + Double(instants.count)
            case .clock(let schedule):
                sum + Double(schedule.times.count * (schedule.fixedZone == nil ? plan.zones.count : 1)) * days
            }
        }
        let versions = plan.kinds.reduce(0.0) { sum, kind in
            kind.contentPushes != nil && hasBursts(kind) ? sum + kind.versions.perDay(over: days) * days : sum
        }
        return live + campaigns + versions
    }

    /// Whether all devices share a kind's versions, and not too many of them, so that each is a burst.
    package func hasBursts(_ kind: WidgetKind) -> Bool {
        let days = (plan.end - .start).inSeconds / 86_400
        return !kind.versions.isPerKey && kind.versions.perDay(over: days) * days <= Self.mostBursts
    }

    /// Devices that get a push about a version of a kind: those of a platform, or all.
    package func devices(ofKind kind: Int, on platform: Platform? = nil) -> Double {
        guard let pushes = plan.kinds[kind].contentPushes else { return 0 }
        return Double(sender.people) * pushes.share * plan.devices(on: platform) { $0 == kind }
    }

    private func flow(ofKind kind: Int, on platform: Platform? = nil) -> Double {
        if hasBursts(plan.kinds[kind]) { return 0 }
        let perDay = plan.kinds[kind].versions.perDay(over: (plan.end - .start).inSeconds / 86_400)
        return devices(ofKind: kind, on: platform) * perDay / 86_400
    }

    private static let mostBursts = 100_000.0
}

extension FleetPlan {
    /// The share of people with a phone on which Live Activities can stand: Android has none.
    package var shareWithPhone: Double {
        if !replay.isEmpty {
            return Double(replay.count { $0.kind == .phone && $0.platform == .ios }) / Double(replay.count)
        }
        return segments.reduce(0) { sum, segment in
            let without = segment.devices.reduce(1.0) {
                $1.kind == .phone && $1.platform == .ios ? $0 * (1 - $1.habits.share) : $0
            }
            return sum + segment.habits.share * (1 - without)
        }
    }

    /// Devices a person, of a platform or of all, that carry a widget of one of some kinds.
    package func devices(on platform: Platform? = nil, with isMeant: (Int) -> Bool) -> Double {
        func counts(_ other: Platform) -> Bool { platform == nil || platform == other }
        if !replay.isEmpty {
            return Double(
                replay.count { device in
                    counts(device.platform) && device.instances.contains { isMeant($0.placement.kind) }
                }) / Double(replay.count)
        }
        return segments.reduce(0) { sum, segment in
            segment.devices.reduce(sum) { sum, device in
                if !counts(device.platform) { return sum }
                let alone = device.placements.filter { isMeant($0.kind) }.map(\.share)
                let bundled = device.bundles.filter { $0.widgets.contains { isMeant($0.placement.kind) } }.map(\.share)
                let without = (alone + bundled).reduce(1.0) { $0 * (1 - $1) }
                return sum + segment.habits.share * device.habits.share * (1 - without)
            }
        }
    }

    /// Pushes a second about people's own Live Activities, on average.
    public var ownPushesPerSecond: Double {
        guard let live, let pushSender else { return 0 }
        return live.kinds.reduce(0) { sum, kind in
            guard case .own(let own) = kind.events else { return sum }
            return sum + Double(pushSender.people) * shareWithPhone * kind.followers * own.perDay
                * Double(own.updates + 2) / 86_400
        }
    }

    /// The names of what is sent: each kind of Live Activity; then, if a sender is stated, the widgets of each app.
    public var sendNames: [String] {
        (live?.kinds.map(\.id) ?? []) + (pushSender == nil ? [] : apps.map { "widgets of \($0)" })
    }
}
