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
    let sender: PreparedSender?
    let counting: ActivityCounting
    /// The person's and the device's draws.
    let ofPerson, ofDevice: RandomStreams
    let end: Instant
    var zone: Int
    let hasIsland, takesFrequent: Bool
    var now: Instant = .start
    var isInSession = false
    /// The app in the foreground; −1 for none.
    var foreground = -1
    var glancedAt = Instant.longAgo
    var isOnline = true
    var followed: [FollowedEvent] = []
    var activities: [LiveActivity] = []
    var queue = ActivityQueue()
    /// Events whose app can begin them as it is next in the foreground.
    var startable: [Int] = []
    /// By app: the push that the push service keeps while the device is offline.
    var kept: [ActivityPush?]
    /// By app: the bucket of pushes of high priority, and the beginnings by push of the last 24 hours.
    var buckets: [HourlyPushBucket]
    /// By app: when its bucket is looked at next; `never` if no push waits for a token.
    var tokensAt: [Instant]
    var starts: [[Instant]]
    /// The number of pushes sent and of views so far, for draws.
    var sendings: UInt64 = 0
    /// By kind: the place in a round that the server used last.
    var roundPlaces: [Int64]
    var views: UInt64 = 0

    /// - Parameters:
    ///   - zone: the index of the device's at the start.
    ///   - streams: of the person.
    init(
        _ world: World, _ observer: World.Observer, _ prepared: PreparedActivities,
        _ sender: PreparedSender?, _ counting: ActivityCounting,
        person: RandomStreams, device: RandomStreams, zone: Int, end: Instant
    ) {
        self.world = world
        self.observer = observer
        self.prepared = prepared
        self.sender = sender
        self.counting = counting
        (ofPerson, ofDevice) = (person, device)
        self.end = end
        self.zone = zone
        hasIsland = prepared.island.holds(device.number(.dynamicIsland))
        takesFrequent = !prepared.frequentOff.holds(person.number(.frequentUpdates))
        kept = Array(repeating: nil, count: prepared.isFrequent.count)
        buckets = Array(repeating: HourlyPushBucket(), count: prepared.isFrequent.count)
        tokensAt = Array(repeating: .never, count: prepared.isFrequent.count)
        starts = Array(repeating: [], count: prepared.isFrequent.count)
        roundPlaces = Array(repeating: -1, count: prepared.kinds.count)
    }

    mutating func run() {
        for kind in prepared.kinds.indices { follow(kind) }
        if followed.isEmpty { return }
        queueEvents()
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
        guard let place = kind.place(ofFollower: ofPerson, ofKind: number) else { return }
        if let own = kind.own {
            var (at, index) = (Instant.start, UInt64(0))
            while true {
                at = own.arrivals.next(after: at, ofPerson.number(.activityStart, sub: number, at: index))
                if at >= end { break }
                let length = own.length.draw(ofPerson.number(.activityLength, sub: number, at: index))
                let draws = (0..<UInt64(own.updates)).map {
                    ofPerson.number(.activityUpdate, sub: number, at: index << 16 | $0)
                }
                followed.append(
                    FollowedEvent(
                        kind: number, start: at, end: at + length,
                        updates: ActivityUpdates.instants(draws, from: at, length: length), isShared: false,
                        number: index, place: 0))
                index += 1
            }
            return
        }
        for (index, event) in kind.events.enumerated() {
            let reach = kind.reach(ofEvent: index)
            guard reach.holds(place) else { continue }
            var followed = FollowedEvent(
                kind: number, start: event.start, end: event.end, updates: event.updates, isShared: true,
                number: UInt64(index), place: place)
            if let sender {
                followed.burst = sender.firstBurst(ofLiveKind: number) + kind.burstsBefore[index]
                followed.rank = sender.rank(ofPlace: place, ofLiveKind: number, reach)
            }
            self.followed.append(followed)
        }
    }

    /// Queues the events in the order in which their activities could begin, also of those that could before the run.
    private mutating func queueEvents() {
        let from = followed.map { event in
            let kind = prepared.kinds[event.kind].plan
            // Only a shared event is known before it begins.
            return kind.start == .app && event.isShared ? event.start - kind.lead : event.start
        }
        for number in followed.indices.sorted(by: { (from[$0], $0) < (from[$1], $1) }) {
            queue.add(.event(number), at: max(.start, from[number]))
        }
    }

    /// An event begins, or comes so near that its app can begin the activity.
    private mutating func beginEvent(_ number: Int) {
        let event = followed[number]
        if prepared.kinds[event.kind].plan.start == .app {
            startable.append(number)
            return beginInApp()
        }
        let push = ActivityPush(
            sort: .start, kind: event.kind, event: number, version: 0, isHigh: true, truthAt: event.start)
        send(push)
    }

    /// An app in the foreground begins what it can. A person's own event is something that they do in the app, in their
    /// first session from its start on.
    private mutating func beginInApp() {
        startable.removeAll { now >= followed[$0].end }
        // The order is that in which they could begin.
        for number in startable {
            let event = followed[number]
            let kind = prepared.kinds[event.kind].plan
            let isInUse = event.isShared ? foreground == kind.openedApp : isInSession
            guard isInUse, hasRoom(inApp: kind.app) else { continue }
            counting.count(.begunByApp, event.kind, at: now)
            begin(number, version: event.version(at: now), detail: "by the app")
        }
        startable.removeAll { followed[$0].activity >= 0 }
    }

    /// Whether an app has fewer active ones than it may.
    func hasRoom(inApp app: Int) -> Bool {
        activities.count { $0.isActive && prepared.kinds[$0.kind].plan.app == app } < prepared.limits.atOnce
    }

    /// An activity begins on the device: from now on its server can send it updates.
    mutating func begin(_ number: Int, version: Int, detail: String) {
        let event = followed[number]
        let place = activities.count
        followed[number].activity = place
        activities.append(LiveActivity(event: number, kind: event.kind, version: version, at: now))
        queue.add(.end(activity: place), at: now + prepared.limits.longest)
        note(.activityBegins, event.kind, detail)
        let truth = event.version(at: now)
        // The newest version that the server has sent, as if to this device.
        var sent = truth
        while sent > version, sentAt(number, version: sent) > now { sent -= 1 }
        let plan = prepared.kinds[event.kind].plan
        if sent > version && (plan.isBroadcast ? plan.channelStorage == .last : sent == truth) {
            sendMissed(number, version: sent)
        }
        guard sent <= event.updates.count else { return }
        for update in sent..<event.updates.count { sendUpdate(number, update) }
        let push = ActivityPush(
            sort: .end, kind: event.kind, event: number, version: event.updates.count + 1, isHigh: true,
            truthAt: event.end)
        send(push)
    }

    private mutating func sendUpdate(_ number: Int, _ update: Int) {
        let event = followed[number]
        send(
            ActivityPush(
                sort: .update, kind: event.kind, event: number, version: update + 1, isHigh: isHigh(event, update),
                truthAt: event.updates[update]))
    }

    /// The server learns of a new activity that lacks something, and has sent the newest to others: it sends the
    /// present state to this one. On a channel that is the push service's work, which stores the last push as it was
    /// sent.
    private mutating func sendMissed(_ number: Int, version: Int) {
        let event = followed[number]
        let isBroadcast = prepared.kinds[event.kind].plan.isBroadcast
        let isEnd = version > event.updates.count
        let push = ActivityPush(
            sort: isEnd ? .end : .update, kind: event.kind, event: number, version: version,
            isHigh: isEnd || !isBroadcast || isHigh(event, version - 1), truthAt: event.truth(of: version))
        if isBroadcast {
            accept(push)
        } else {
            queue.add(.send(push), at: turn(of: push, from: now))
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
            beginInApp()
        case .appOpen(let app):
            foreground = app
            beginInApp()
        case .appClose(let app): if app == foreground { foreground = -1 }
        case .glance:
            glancedAt = now
            note(.glance)
            view(on: .lockScreen)
        case .look:
            note(.look)
            view(on: .dimmed)
        case .lock:
            isInSession = false
            foreground = -1
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
        let app = prepared.kinds[activities[place].kind].plan.app
        if let push = kept[app], push.event == activities[place].event {
            kept[app] = nil
            close(push, .tooLate)
        }
        for push in [activities[place].held, activities[place].pending] {
            if let push { close(push, .tooLate) }
        }
        activities[place].held = nil
        activities[place].pending = nil
    }

    private mutating func finish() {
        now = end
        for place in activities.indices where activities[place].isThere {
            countBehind(place)
            counting.countPresence(activities[place], until: end)
            counting.countAtEnd(.carriedOut, activities[place].kind)
            for push in [activities[place].held, activities[place].pending] {
                if let push { counting.countAtEnd(push) }
            }
        }
        for push in kept { if let push { counting.countAtEnd(push) } }
        for action in queue.actions { if case .arrive(let push) = action { counting.countAtEnd(push) } }
    }
}
