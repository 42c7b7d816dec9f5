import Basics
import People
import ScenarioModel
import Statistics
import WidgetPlatform

/// The groups of devices that a sender tells apart, each with a number.
struct RecipientGroups {
    private let liveKinds, apps, kinds, zones: Int

    init(of plan: FleetPlan) {
        liveKinds = plan.live?.kinds.count ?? 0
        (apps, kinds, zones) = (plan.apps.count, plan.kinds.count, plan.zones.count)
    }

    var count: Int { liveKinds + 2 * (apps + kinds + apps * zones) }

    /// The phones that follow the events of a kind of Live Activity.
    func group(ofLiveKind kind: Int) -> Int { kind }

    /// The devices of a platform with a widget of an app that takes pushes: all, or those of people who live in a zone.
    func group(ofApp app: Int, _ platform: Platform) -> Int { liveKinds + 2 * app + part(platform) }
    func group(ofApp app: Int, _ platform: Platform, zone: Int) -> Int {
        liveKinds + 2 * (apps + kinds + app * zones + zone) + part(platform)
    }

    /// Those with a widget of a kind.
    func group(ofKind kind: Int, _ platform: Platform) -> Int { liveKinds + 2 * (apps + kind) + part(platform) }

    private func part(_ platform: Platform) -> Int { platform == .android ? 1 : 0 }
}

/// The server that sends pushes, ready to say when it sends each (O3).
///
/// A limited one needs every device's number among all, so all people are drawn once before the run: about 2.5 s a
/// million people with 1.3 devices each, and 8 bytes a device and group, 30 while they are put in order.
final class PreparedSender: Sendable {
    private let schedule: SendSchedule
    /// Nil if nothing limits the sender.
    private let recipients: Recipients?
    private let groups: RecipientGroups
    /// By group: the number of its first device in a round.
    private let addresses: [Int]
    /// Where the sorts of campaigns and of kinds begin.
    private let campaignClasses, kindClasses, zones: Int

    /// - Parameter prepared: all of it but the sender.
    init(_ sorts: PushClasses, _ prepared: PreparedPlan) {
        let plan = sorts.plan
        groups = RecipientGroups(of: plan)
        campaignClasses = sorts.sort(ofCampaign: 0, zone: 0)
        kindClasses = sorts.sort(ofKind: 0)
        zones = plan.zones.count
        let known = sorts.needsRecipients ? Recipients(of: sorts, groups, prepared) : nil
        var addresses = Array(repeating: 0, count: groups.count)
        var length = 0
        if let known {
            var inRounds = (plan.live?.kinds ?? []).indices.map(groups.group(ofLiveKind:))
            for app in plan.apps.indices where plan.pushCampaigns.contains(where: { $0.app == app && $0.followsDevice })
            {
                inRounds += [groups.group(ofApp: app, .ios), groups.group(ofApp: app, .android)]
            }
            for group in inRounds {
                addresses[group] = length
                length += known.count(group)
            }
        }
        (recipients, self.addresses) = (known, addresses)
        schedule = sorts.schedule(prepared, known, groups, roundLength: length)
    }

    // MARK: Live Activities

    /// When a push about an event that people share is sent.
    ///
    /// - Parameters:
    ///   - burst: the number of the burst about the event's beginning.
    ///   - version: 0 for the beginning, then the updates, then the end.
    ///   - rank: the device's among those that follow the event; 0 for a channel.
    func sentAt(_ burst: Int, version: Int, rank: Int) -> Instant {
        schedule.sending(burst + version, rank: rank).first
    }

    /// The number of the first burst about the events of a kind.
    func firstBurst(ofLiveKind kind: Int) -> Int { schedule.firstBurst(ofClass: kind) }

    func rank(ofPlace place: UInt64, ofLiveKind kind: Int, _ reach: Reach) -> Int {
        recipients?.rank(place, groups.group(ofLiveKind: kind), reach) ?? 0
    }

    /// When a push to one device goes out that comes about for it alone, from an instant on.
    func placeInRound(ofLiveKind kind: Int, _ place: UInt64, from instant: Instant, after last: inout Int64) -> Instant
    {
        placeInRound(groups.group(ofLiveKind: kind), place, from: instant, after: &last)
    }

    private func placeInRound(_ group: Int, _ place: UInt64, from instant: Instant, after last: inout Int64) -> Instant
    {
        guard let recipients else { return instant }
        let address = addresses[group] + recipients.rank(place, group)
        return schedule.placeInRound(of: address, from: instant, after: &last)
    }

    // MARK: Widgets

    /// When a campaign's sending to a device goes out.
    ///
    /// - Parameters:
    ///   - zone: whose clock the device goes by; nil if the campaign does not ask.
    ///   - last: as `SendSchedule.placeInRound` has it, of the device and campaign.
    func sending(
        ofCampaign campaign: Int, app: Int, at instant: Instant, zone: Int?, _ reach: Reach, to device: Recipient,
        after last: inout Int64
    ) -> SendSchedule.Sending {
        guard let burst = schedule.burst(ofClass: campaignClasses + campaign * zones + (zone ?? 0), at: instant) else {
            return SendSchedule.Sending(first: instant)
        }
        guard let recipients else { return schedule.sending(burst, rank: 0) }
        let all = groups.group(ofApp: app, device.platform)
        let group = zone.map { groups.group(ofApp: app, device.platform, zone: $0) } ?? all
        // People who are abroad are in no burst there.
        guard recipients.contains(device.place, group) else {
            return SendSchedule.Sending(first: placeInRound(all, device.place, from: instant, after: &last))
        }
        return schedule.sending(
            burst, rank: recipients.rank(device.place, group, reach), isAndroid: device.platform == .android)
    }

    /// Whether the versions of a kind are bursts, and when the push about one goes out to a device.
    func hasBursts(ofKind kind: Int) -> Bool { schedule.hasBursts(ofClass: kindClasses + kind) }
    func sending(ofKind kind: Int, at instant: Instant, to device: Recipient) -> SendSchedule.Sending {
        guard let burst = schedule.burst(ofClass: kindClasses + kind, at: instant) else {
            return SendSchedule.Sending(first: instant)
        }
        let rank = recipients?.rank(device.place, groups.group(ofKind: kind, device.platform)) ?? 0
        return schedule.sending(burst, rank: rank, isAndroid: device.platform == .android)
    }
}

/// A device as a sender of pushes to widgets of an app knows it.
struct Recipient {
    /// Its place among all, even over 64 bits.
    let place: UInt64
    let platform: Platform

    init(_ device: RandomStreams, _ platform: Platform, app: Int) {
        // The even places of Live Activities come before.
        place = device.number(.sendPlace, sub: LivePlan.mostKinds + app)
        self.platform = platform
    }
}

extension Recipients {
    /// Draws all people of a plan, and finds whom its sender sends to.
    fileprivate init(of sorts: PushClasses, _ groups: RecipientGroups, _ prepared: PreparedPlan) {
        let plan = sorts.plan
        let campaigns = plan.apps.indices.map { app in plan.pushCampaigns.filter { $0.app == app } }
        let isSent = plan.kinds.map { $0.contentPushes != nil && sorts.hasBursts($0) }
        let liveKinds = prepared.liveKinds
        var places: [[UInt64]] = Array(repeating: [], count: groups.count)

        func add(_ streams: RandomStreams, _ platform: Platform, zone: Int, _ kinds: [Int]) {
            for app in plan.apps.indices where !campaigns[app].isEmpty {
                guard kinds.contains(where: { plan.kinds[$0].app == app && plan.kinds[$0].takesPushes }) else {
                    continue
                }
                let place = Recipient(streams, platform, app: app).place
                places[groups.group(ofApp: app, platform)].append(place)
                if campaigns[app].contains(where: \.followsDevice) {
                    places[groups.group(ofApp: app, platform, zone: zone)].append(place)
                }
            }
            for kind in kinds where isSent[kind] {
                places[groups.group(ofKind: kind, platform)].append(
                    Recipient(streams, platform, app: plan.kinds[kind].app).place)
            }
        }
        func addPhone(ofPerson streams: RandomStreams) {
            for (number, kind) in liveKinds.enumerated() where kind.own == nil {
                guard let place = kind.place(ofFollower: streams, ofKind: number) else { continue }
                places[groups.group(ofLiveKind: number)].append(place)
            }
        }
        if plan.replay.isEmpty {
            let hasWidgets = isSent.contains(true) || !plan.pushCampaigns.isEmpty
            for person in 0..<sorts.sender.simulated {
                let traits = PersonTraits(number: UInt64(person), prepared.population)
                if !liveKinds.isEmpty && prepared.livePhone(of: traits) != nil { addPhone(ofPerson: traits.streams) }
                if !hasWidgets { continue }
                for slot in prepared.population.habits(of: traits).pointee.devices.indices {
                    let owner = DeviceOwner(traits, slot: UInt8(slot), prepared.population)
                    guard owner.hasDevice else { continue }
                    let device = prepared.device(of: owner)
                    var kinds: [Int] = []
                    prepared.eachInstance(of: owner) { placement, _, _, _ in
                        let kind = device.pointee.placements[placement].kind
                        if !kinds.contains(kind) { kinds.append(kind) }
                    }
                    add(owner.streams, device.pointee.plan.platform, zone: traits.zone, kinds)
                }
            }
        } else {
            for (person, device) in plan.replay.enumerated() {
                let streams = RandomStreams(seed: plan.seed, person: UInt64(person))
                if device.kind == .phone && device.platform == .ios { addPhone(ofPerson: streams) }
                add(
                    streams.ofDevice(0), device.platform, zone: device.zone,
                    Set(device.instances.map(\.placement.kind)).sorted())
            }
        }
        self.init(places)
    }
}

extension PushCampaign {
    /// Whether it goes by the clock of each device.
    fileprivate var followsDevice: Bool {
        if case .clock(let schedule) = times { schedule.fixedZone == nil } else { false }
    }
}
