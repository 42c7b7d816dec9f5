import Basics
import People
import Statistics

/// Simulates the Live Activities of people, one after another, beside a worker that simulates their widgets, and counts
/// them with these. The thread of that worker uses it.
public final class ActivityWorker {
    private let prepared: PreparedPlan
    private let activities: PreparedActivities
    private let counting: ActivityCounting
    private let appWords: UnsafeMutablePointer<UInt64>

    /// - Returns: nil for a plan without Live Activities.
    public init?(beside worker: FleetWorker) {
        let prepared = worker.prepared
        guard prepared.plan.live != nil else { return nil }
        var tables = prepared.tables
        do {
            guard let own = try PreparedActivities(prepared.plan, &tables) else { return nil }
            activities = own
        } catch {
            preconditionFailure("distributions that could be prepared before: \(error)")
        }
        self.prepared = prepared
        counting = ActivityCounting(
            worker.measures, worker.load.sends, from: .start + prepared.plan.warmup, end: prepared.plan.end)
        let words = max(1, AppMemory.words(apps: prepared.plan.apps.count))
        appWords = .allocate(capacity: words)
        appWords.initialize(repeating: 0, count: words)
    }

    deinit { appWords.deallocate() }

    /// Simulates those of a person.
    public func simulate(person: Int) {
        if prepared.plan.replay.isEmpty {
            _ = simulateDrawn(person: person, in: DrawnWorld.self, observer: Unobserved())
        } else {
            _ = simulateReplay(person: person, observer: NoteKeeper(isWatching: false))
        }
    }

    /// Simulates those of a person under an observer.
    ///
    /// - Returns: what it noted, as that of a device; nothing for a person without a phone.
    public func observe(person: Int) -> [ObservedDevice] {
        let noted =
            prepared.plan.replay.isEmpty
            ? simulateDrawn(person: person, in: ObservedWorld.self, observer: NoteKeeper())
            : simulateReplay(person: person, observer: NoteKeeper())
        return noted.map { [ObservedDevice(device: "phone, live", instances: [], notes: $0.notes)] } ?? []
    }

    /// - Returns: the observer; nil for a person without a phone.
    private func simulateDrawn<World: SimulatedWorld>(
        person: Int, in _: World.Type, observer: World.Observer
    ) -> World.Observer? {
        countBroadcasts(ofPerson: person)
        let traits = PersonTraits(number: UInt64(person), prepared.population)
        guard let owner = prepared.livePhone(of: traits) else { return nil }
        let drawn = DrawnWorld(
            owner, prepared.population, cell: prepared.plan.parameters.contentCell,
            in: AppMemory(appWords, apps: prepared.plan.apps.count))
        var simulation = ActivitySimulation(
            World(drawn), observer, activities, prepared.sender, counting,
            person: traits.streams, device: owner.streams, zone: traits.zone, end: prepared.plan.end)
        simulation.run()
        mirror(
            simulation.activities, simulation.followed, traits,
            prepared.population.habits(of: traits).pointee.devices)
        return simulation.observer
    }

    /// A watch shows what its person's phone shows, at every raise of the wrist and look at its dimmed face (O6).
    private func mirror(
        _ shown: [LiveActivity], _ followed: [FollowedEvent], _ traits: PersonTraits,
        _ devices: UnsafeMutableBufferPointer<PreparedDeviceHabits>
    ) {
        if shown.isEmpty { return }
        for slot in devices.indices where devices[slot].kind == .watch {
            let owner = DeviceOwner(traits, slot: UInt8(slot), prepared.population)
            guard owner.hasDevice else { continue }
            var world = DrawnWorld(
                owner, prepared.population, cell: prepared.plan.parameters.contentCell,
                in: AppMemory(appWords, apps: prepared.plan.apps.count))
            var isWorn = world.startsWorn
            while world.nextAt < prepared.plan.end {
                let now = world.nextAt
                switch world.next() {
                case .watchOff: isWorn = false
                case .watchOn: isWorn = true
                case .pickup where isWorn, .glance where isWorn, .look where isWorn:
                    for activity in shown {
                        guard let version = activity.version(at: now) else { continue }
                        let kind = activities.kinds[activity.kind].plan
                        let view = ActivityView(of: followed[activity.event], version: version, kind, at: now)
                        counting.count(view, on: .watch, activity.kind, at: now)
                    }
                default: break
                }
            }
            return
        }
    }

    /// - Returns: the observer; nil for a device that is no phone.
    private func simulateReplay(person: Int, observer: NoteKeeper) -> NoteKeeper? {
        countBroadcasts(ofPerson: person)
        let device = prepared.plan.replay[person]
        guard device.kind == .phone && device.platform == .ios else { return nil }
        let streams = RandomStreams(seed: prepared.plan.seed, person: UInt64(person))
        return ReplayWorld.steps(of: device).withUnsafeBufferPointer { steps in
            var simulation = ActivitySimulation(
                ObservedWorld(ReplayWorld(device, steps: steps)), observer, activities, prepared.sender, counting,
                person: streams,
                device: streams.ofDevice(0), zone: device.zone, end: prepared.plan.end)
            simulation.run()
            return simulation.observer
        }
    }

    /// A push to a channel is sent once for all people: it is counted with the first of them.
    private func countBroadcasts(ofPerson person: Int) {
        if person != 0 { return }
        for (number, kind) in activities.kinds.enumerated() where kind.plan.isBroadcast {
            for (index, event) in kind.events.enumerated() {
                for (update, at) in (event.updates + [event.end]).enumerated() {
                    let isHigh =
                        update == event.updates.count
                        || kind.isHigh(event: UInt64(index), update: update, ofKind: number, prepared.plan.seed)
                    let sentAt = prepared.sender.map {
                        let burst = $0.firstBurst(ofLiveKind: number) + kind.burstsBefore[index]
                        return $0.sentAt(burst, version: update + 1, rank: 0)
                    }
                    counting.countSendings(ofKind: number, isHigh: isHigh, at: sentAt ?? at)
                }
            }
        }
    }
}
