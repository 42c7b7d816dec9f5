import Basics
import People
import ScenarioModel
import Statistics

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
