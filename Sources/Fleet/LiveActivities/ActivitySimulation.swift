import Basics
import People
import ScenarioModel
import Statistics
import WidgetPlatform

/// The Live Activities of one phone from the start of the run to its end (O1–O6).
///
/// They change nothing of the device's widgets and ask for nothing, so they are simulated by themselves, over the same
/// world. At one instant the world's events come first, then views, then pushes (T3).
struct ActivitySimulation<World: SimulatedWorld> {
    var world: World
    var observer: World.Observer
    let prepared: PreparedActivities
    /// When a limited server sends; nil for at once.
    let schedule: SendSchedule?
    let counting: ActivityCounting
    /// The person's and the device's draws.
    let ofPerson, ofDevice: RandomStreams
    let end: Instant
    var zone: Int
    let hasIsland, takesFrequent: Bool
    var now: Instant = .start
    var isInSession = false
    var glancedAt = Instant.longAgo
    var isOnline = true
    var followed: [FollowedEvent] = []
    var activities: [LiveActivity] = []
    var queue = ActivityQueue()
    /// Events whose app can begin them in the next session.
    var startable: [Int] = []
    /// Beginnings that the push service keeps while the device is offline.
    var keptStarts: [ActivityPush] = []
    /// By app: the bucket of pushes of high priority, and the beginnings by push of the last 24 hours.
    var buckets: [HourlyPushBucket]
    /// By app: when its bucket is looked at next; `never` if no push waits for a token.
    var tokensAt: [Instant]
    var starts: [[Instant]]
    /// The number of pushes sent and of views so far, for draws.
    var sendings: UInt64 = 0
    var views: UInt64 = 0

    /// - Parameters:
    ///   - zone: the index of the device's at the start.
    ///   - streams: of the person.
    init(
        _ world: World, _ observer: World.Observer, _ prepared: PreparedActivities,
        _ schedule: SendSchedule?, _ counting: ActivityCounting,
        person: RandomStreams, device: RandomStreams, zone: Int, end: Instant
    ) {
        self.world = world
        self.observer = observer
        self.prepared = prepared
        self.schedule = schedule
        self.counting = counting
        (ofPerson, ofDevice) = (person, device)
        self.end = end
        self.zone = zone
        hasIsland = prepared.island.holds(device.number(.dynamicIsland))
        takesFrequent = !prepared.frequentOff.holds(person.number(.frequentUpdates))
        buckets = Array(repeating: HourlyPushBucket(), count: prepared.isFrequent.count)
        tokensAt = Array(repeating: .never, count: prepared.isFrequent.count)
        starts = Array(repeating: [], count: prepared.isFrequent.count)
    }

    mutating func run() {
        for kind in prepared.kinds.indices { follow(kind) }
        if followed.isEmpty { return }
        while true {
            let (worldAt, ownAt) = (world.nextAt, queue.nextAt)
            if min(worldAt, ownAt) >= end { break }
            if worldAt <= ownAt {
                now = worldAt
                take(world.next())
            } else {
                now = ownAt
                take(queue.next())
            }
        }
        finish()
    }

    // MARK: The person's events (O1)

    /// Finds the events of a kind that the person follows.
    private mutating func follow(_ number: Int) {
        let kind = prepared.kinds[number]
        let amongAll = ofPerson.evenNumber(.sendPlace, sub: number)
        guard kind.followed.holds(amongAll) else { return }
        let place = Self.place(amongAll, within: kind.plan.followers)
        if let own = kind.own {
            var (at, index) = (Instant.start, UInt64(0))
            while true {
                at = own.arrivals.next(after: at, ofPerson.number(.activityStart, sub: number, at: index))
                if at >= end { break }
                let length = own.length.draw(ofPerson.number(.activityLength, sub: number, at: index))
                let draws = (0..<UInt64(own.updates)).map {
                    ofPerson.number(.activityUpdate, sub: number, at: index << 16 | $0)
                }
                add(
                    FollowedEvent(
                        kind: number, start: at, end: at + length,
                        updates: ActivityUpdates.instants(draws, from: at, length: length), isShared: false,
                        number: index, place: 0))
                index += 1
            }
            return
        }
        for (index, event) in kind.events.enumerated() {
            // Another share of the followers at every event.
            let amongFollowers = place &+ UInt64(index) &* 0x9e37_79b9_7f4a_7c15
            guard kind.attended.holds(amongFollowers) else { continue }
            add(
                FollowedEvent(
                    kind: number, start: event.start, end: event.end, updates: event.updates,
                    isShared: true, number: UInt64(index),
                    place: Self.place(amongFollowers, within: kind.attendance)))
        }
    }

    /// The place of one of those below a share, among them alone.
    private static func place(_ place: UInt64, within share: Double) -> UInt64 {
        let scaled = Double(place) / share
        return scaled < 0x1p64 ? UInt64(scaled) : .max
    }

    private mutating func add(_ event: FollowedEvent) {
        let kind = prepared.kinds[event.kind].plan
        // Only a shared event is known before it begins.
        let from = kind.start == .app && event.isShared ? event.start - kind.lead : event.start
        queue.add(.event(followed.count), at: max(.start, from))
        followed.append(event)
    }

    /// An event begins, or comes so near that its app can begin the activity.
    private mutating func beginEvent(_ number: Int) {
        let event = followed[number]
        if prepared.kinds[event.kind].plan.start == .app {
            startable.append(number)
            if isInSession { beginInApp() }
            return
        }
        let push = ActivityPush(
            sort: .start, kind: event.kind, event: number, version: 0, isHigh: true, truthAt: event.start)
        send(push)
    }

    /// The person uses the device, and the app begins what it can.
    private mutating func beginInApp() {
        for number in startable where now < followed[number].end {
            counting.count(.begunByApp, followed[number].kind, at: now)
            begin(number, version: followed[number].version(at: now), detail: "by the app")
        }
        startable.removeAll(keepingCapacity: true)
    }

    /// An activity begins on the device: from now on its server can send it updates.
    mutating func begin(_ number: Int, version: Int, detail: String) {
        let event = followed[number]
        let place = activities.count
        followed[number].activity = place
        activities.append(LiveActivity(event: number, kind: event.kind, version: version, at: now))
        queue.add(.end(activity: place), at: now + prepared.limits.longest)
        note(.activityBegins, event.kind, detail)
        // Updates that have come about since the push that began it was made; of a channel, those sent to it.
        let truth = event.version(at: now)
        let known = sentVersion(event, upTo: truth)
        if known > version { sendMissed(number, version: known) }
        guard known <= event.updates.count else { return }
        for update in known..<event.updates.count { sendUpdate(number, update) }
        let push = ActivityPush(
            sort: .end, kind: event.kind, event: number, version: event.updates.count + 1, isHigh: true,
            truthAt: event.end)
        send(push)
    }

    /// The newest version that is known where a new activity asks: at the server all that has come about, on a channel
    /// what the server has sent to it.
    private func sentVersion(_ event: FollowedEvent, upTo truth: Int) -> Int {
        guard prepared.kinds[event.kind].plan.isBroadcast, let schedule else { return truth }
        var version = truth
        while version > 0, schedule.sentAt(event.kind, event.truth(after: version - 1), place: 0) > now { version -= 1 }
        return version
    }

    private mutating func sendUpdate(_ number: Int, _ update: Int) {
        let event = followed[number]
        send(
            ActivityPush(
                sort: .update, kind: event.kind, event: number, version: update + 1, isHigh: isHigh(event, update),
                truthAt: event.updates[update]))
    }

    /// The server learns of a new activity that lacks something already: it sends the present state at once. On a
    /// channel that is the push service's work, which keeps the last state.
    private mutating func sendMissed(_ number: Int, version: Int) {
        let event = followed[number]
        let push = ActivityPush(
            sort: version > event.updates.count ? .end : .update, kind: event.kind, event: number, version: version,
            isHigh: true, truthAt: event.truth(after: version - 1))
        if prepared.kinds[event.kind].plan.isBroadcast {
            accept(push)
        } else {
            queue.add(.send(push), at: now)
        }
    }

    /// Whether an update is sent with a high priority: the same for all devices that it goes to.
    private mutating func isHigh(_ event: FollowedEvent, _ update: Int) -> Bool {
        let kind = prepared.kinds[event.kind]
        if event.isShared {
            return kind.isHigh(event: event.number, update: update, ofKind: event.kind, ofPerson.seed)
        }
        let index = event.number << 16 | UInt64(update)
        return kind.important.holds(ofPerson.number(.activityPriority, sub: event.kind, at: index))
    }

    // MARK: The world

    private mutating func take(_ event: WorldEvent) {
        switch event {
        case .pickup:
            isInSession = true
            note(.pickup)
            view(on: .lockScreen)
            if hasIsland { view(on: .island) }
            releaseLowPriority()
            if !startable.isEmpty { beginInApp() }
        case .glance:
            glancedAt = now
            note(.glance)
            view(on: .lockScreen)
        case .look:
            note(.look)
            view(on: .dimmed)
        case .lock:
            isInSession = false
            note(.lock)
        case .offline:
            isOnline = false
            note(.offline)
        case .online:
            isOnline = true
            note(.online)
            // Kept pushes come after the views of this instant and before its other pushes (T3).
            queue.addNext(.release, at: now)
        case .environment(_, let zone) where zone >= 0: self.zone = zone
        default: break
        }
    }

    private mutating func take(_ action: ActivityQueue.Action) {
        switch action {
        case .event(let number): beginEvent(number)
        case .send(let push): trySending(push)
        case .arrive(let push): arrive(push)
        case .release: if isOnline { releaseKept() }
        case .token(let app): releaseToken(ofApp: app)
        case .lowPriority(let place, let version):
            // It may have been shown since, or a newer one waits, perhaps for this instant too.
            if activities[place].held?.version == version { releaseHeld(place) }
        case .display(let place):
            showPending(place)
        case .end(let place): endAtLimit(place)
        case .remove(let place):
            if activities[place].isThere {
                counting.count(.removed, activities[place].kind, at: now)
                note(.activityGoes, activities[place].kind, "removed by the system")
                go(place)
            }
        }
    }

    // MARK: Lives (O2)

    /// The system ends an activity that has been active as long as it may be.
    private mutating func endAtLimit(_ place: Int) {
        guard activities[place].isActive else { return }
        counting.count(.endedByTime, activities[place].kind, at: now)
        note(.activityEnds, activities[place].kind, "active as long as it may be")
        end(place, staying: prepared.limits.linger)
    }

    /// It is active no longer, and stays on the lock screen for a while.
    mutating func end(_ place: Int, staying: Duration) {
        activities[place].end(at: now)
        discardWaiting(place)
        queue.add(.remove(activity: place), at: now + staying)
    }

    mutating func go(_ place: Int) {
        countBehind(place)
        activities[place].go(at: now)
        discardWaiting(place)
        counting.countPresence(activities[place], until: now)
    }

    /// Pushes that still wait for an activity come too late.
    private mutating func discardWaiting(_ place: Int) {
        for push in [activities[place].kept, activities[place].held, activities[place].pending] {
            if let push { close(push, .tooLate) }
        }
        activities[place].kept = nil
        activities[place].held = nil
        activities[place].pending = nil
    }

    private mutating func finish() {
        now = end
        for place in activities.indices where activities[place].isThere {
            countBehind(place)
            counting.countPresence(activities[place], until: end)
            counting.countAtEnd(.carriedOut, activities[place].kind)
            for push in [activities[place].kept, activities[place].held, activities[place].pending] {
                if let push { counting.countAtEnd(push) }
            }
        }
        for push in keptStarts { counting.countAtEnd(push) }
        for action in queue.actions { if case .arrive(let push) = action { counting.countAtEnd(push) } }
    }
}
