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

/// A push campaign, prepared.
struct PreparedCampaign {
    let app: Int
    let delay: DurationDistribution
    let reaches: Bernoulli
    /// Whether sendings go by the device's own clock.
    let followsDevice: Bool
    private let listed: InstantList
    private let schedule: AlignedSchedule?

    init(_ campaign: PushCampaign, keeping memory: inout PlanMemory, _ tables: inout StandardTables)
        throws(DistributionProblem)
    {
        app = campaign.app
        delay = try campaign.delay.preparedDurations(with: &tables)
        reaches = try Bernoulli(probability: campaign.share)
        switch campaign.times {
        case .listed(let instants):
            listed = InstantList(instants.map(\.microseconds).sorted(), &memory)
            schedule = nil
            followsDevice = false
        case .clock(let clock):
            listed = InstantList([], &memory)
            schedule = clock
            followsDevice = clock.fixedZone == nil
        }
    }

    /// The first sending after an instant, as a device in a zone gets it; `never` if there is none.
    func sending(after instant: Instant, in zone: ZoneTable, _ zones: UnsafeMutableBufferPointer<ZoneTable>) -> Instant
    {
        guard let schedule else { return Instant(microseconds: listed.first(after: instant.microseconds).at) }
        return schedule.next(after: instant, in: schedule.fixedZone.map { zones[$0] } ?? zone)
    }
}

/// The Live Activities of a plan, ready to be simulated by one thread: each has its own, so that threads do not touch
/// each other's reference counts.
final class PreparedActivities {
    let kinds: [PreparedLiveKind]
    /// By app: whether it asks for frequent updates.
    let isFrequent: [Bool]
    let limits: LiveActivityLimits
    let lowPriorityDelay, retryDelay: DurationDistribution
    let frequentOff, island, refused: Bernoulli
    let retries: Int

    /// - Returns: nil for a plan without Live Activities.
    init?(_ plan: FleetPlan, _ tables: inout StandardTables) throws(DistributionProblem) {
        guard let live = plan.live else { return nil }
        var kinds: [PreparedLiveKind] = []
        for (index, kind) in live.kinds.enumerated() {
            kinds.append(try PreparedLiveKind(kind, index: index, plan: plan, &tables))
        }
        isFrequent = live.apps.indices.map { app in live.kinds.contains { $0.app == app && $0.isFrequent } }
        limits = live.limits
        lowPriorityDelay = try live.limits.lowPriorityDelay.preparedDurations(with: &tables)
        let sender = plan.pushSender
        retryDelay = try (sender?.retryDelay ?? Distribution.zero).preparedDurations(with: &tables)
        frequentOff = try Bernoulli(probability: live.limits.frequentOff)
        island = try Bernoulli(probability: live.limits.islandShare)
        refused = try Bernoulli(probability: sender?.refused ?? 0)
        retries = sender?.retries ?? 0
        self.kinds = kinds
    }
}

/// A kind of Live Activity, ready to be simulated.
struct PreparedLiveKind {
    let plan: LiveKind
    let followed, attended, important, dismissedActive, dismissedEnded: Bernoulli
    let delay: DurationDistribution
    /// The events that all people share, in order of their beginnings; none for people's own.
    let events: [LiveEvent]
    /// By event: how many bursts are about those before it.
    let burstsBefore: [Int]
    /// People's own events; nil for shared ones.
    let own: (arrivals: RandomArrivals, length: DurationDistribution, updates: Int)?

    fileprivate init(_ kind: LiveKind, index: Int, plan: FleetPlan, _ tables: inout StandardTables)
        throws(DistributionProblem)
    {
        self.plan = kind
        followed = try Bernoulli(probability: kind.followers)
        important = try Bernoulli(probability: kind.importantShare)
        dismissedActive = try Bernoulli(probability: kind.dismissedActive)
        dismissedEnded = try Bernoulli(probability: kind.dismissedEnded)
        delay = try kind.delay.preparedDurations(with: &tables)
        switch kind.events {
        case .shared(let events, let attendance):
            attended = try Bernoulli(probability: attendance)
            own = nil
            self.events = events.prepared(index: index, plan)
            burstsBefore = self.events.reduce(into: [0]) { $0.append($0[$0.count - 1] + $1.updates.count + 2) }
        case .own(let own):
            attended = .never
            (events, burstsBefore) = ([], [])
            self.own = (
                RandomArrivals(perDay: own.perDay, tables.exponential),
                try own.length.preparedDurations(atLeast: .microsecond, with: &tables), own.updates
            )
        }
    }
}

extension PreparedLiveKind {
    /// A person's place among the followers, even over 64 bits; nil for one who does not follow.
    func place(ofFollower person: RandomStreams, ofKind number: Int) -> UInt64? {
        let amongAll = person.evenNumber(.sendPlace, sub: number)
        if !followed.holds(amongAll) { return nil }
        let scaled = Double(amongAll) / plan.followers
        return scaled < 0x1p64 ? UInt64(scaled) : .max
    }

    /// Whether an update of a shared event is sent with a high priority: the same for all people.
    func isHigh(event: UInt64, update: Int, ofKind number: Int, _ seed: UInt64) -> Bool {
        let server = RandomStreams(seed: seed, person: 0)
        return important.holds(server.number(.activityPriority, sub: number, at: event << 16 | UInt64(update)))
    }
}

extension PreparedPlan {
    /// The phone of a drawn person on which Live Activities can stand; nil for none.
    func livePhone(of traits: PersonTraits) -> DeviceOwner? {
        guard plan.platform(ofSegment: traits.segment, .phone) == .ios else { return nil }
        let devices = population.habits(of: traits).pointee.devices
        for slot in devices.indices where devices[slot].kind == .phone {
            let owner = DeviceOwner(traits, slot: UInt8(slot), population)
            if owner.hasDevice { return owner }
        }
        return nil
    }
}
