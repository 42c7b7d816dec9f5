import Basics
import ScenarioModel

/// A push on its way to one device.
struct ActivityPush {
    enum Sort { case start, update, end }

    let sort: Sort
    let kind: Int
    /// The person's event that it is about, by its place in `ActivitySimulation.followed`.
    let event: Int
    /// The updates of the event that what it shows holds; one more for its end.
    let version: Int
    let isHigh: Bool
    /// When what it tells came about.
    let truthAt: Instant
    /// How often the server has tried it.
    var tries = 0
    var acceptedAt = Instant.never
    /// When it came to wait for a token; `never` if it did not.
    var throttledAt = Instant.never

    /// Its content, for traces.
    var name: String { sort == .start ? "the beginning" : "version \(version)" }
}

/// An event that the person follows.
struct FollowedEvent {
    let kind: Int
    let start, end: Instant
    let updates: [Instant]
    /// Whether other people follow it too, so that pushes about it go out in bursts.
    let isShared: Bool
    /// The number of the event for draws.
    let number: UInt64
    /// The device's place among those that follow the kind, even over 64 bits; the number of the first burst about the
    /// event, and the device's in it, if a server limits them.
    let place: UInt64
    var burst = 0
    var rank = 0
    /// Its activity, by its place in `ActivitySimulation.activities`; −1 before it has begun.
    var activity = -1

    /// How many updates have come by an instant; one more after the end.
    func version(at now: Instant) -> Int {
        if now >= end { return updates.count + 1 }
        return updates.prefix { $0 <= now }.count
    }

    /// When a version came about; 0 is that of the start.
    func truth(of version: Int) -> Instant {
        version == 0
            ? start
            : version <= updates.count ? updates[version - 1] : version == updates.count + 1 ? end : .never
    }
}

/// An activity on a device (O2): it is active, has ended and is still there, or is gone.
struct LiveActivity {
    let event: Int
    let kind: Int
    let begunAt: Instant
    private(set) var endedAt = Instant.never
    private(set) var goneAt = Instant.never
    /// The version that is shown, and since when; the newest one that has come to the device.
    var shown: Int
    var shownAt: Instant
    var received: Int
    /// Up to when the time in which it lacks an update has been counted.
    var countedTo: Instant
    /// Whether its server has learnt that it is there no longer.
    var isUnregistered = false
    /// The push that waits on the device, for a token or for the device's use, and the one that waits until the display
    /// may change again.
    var held, pending: ActivityPush?
    /// The versions shown, and from when on each, in order: for the person's watch.
    var showings: [(at: Instant, version: Int)] = []

    init(event: Int, kind: Int, version: Int, at now: Instant) {
        (self.event, self.kind, begunAt) = (event, kind, now)
        (shown, received, shownAt, countedTo) = (version, version, now, now)
        showings = [(now, version)]
    }

    var isActive: Bool { endedAt == .never && goneAt == .never }
    var isThere: Bool { goneAt == .never }

    /// The version that a view of an instant sees, before anything comes in it; nil if it is not there then.
    func version(at instant: Instant) -> Int? {
        guard instant <= goneAt else { return nil }
        return showings.last { $0.at < instant }?.version
    }

    mutating func end(at now: Instant) { endedAt = now }
    mutating func go(at now: Instant) { goneAt = now }
}

/// A look at an activity.
struct ActivityView {
    let state: ActivityViewState
    /// How long it has lacked an update; nil if it lacks none.
    let lag: Duration?

    /// - Parameter version: what the activity shows.
    init(of event: FollowedEvent, version: Int, _ kind: LiveKind, at now: Instant) {
        let missedAt = event.truth(of: version + 1)
        lag = missedAt <= now ? now - missedAt : nil
        // The end of an event is final.
        if version <= event.updates.count, let staleAfter = kind.staleAfter {
            let madeAt = version == 0 ? event.start : event.updates[version - 1]
            if now - madeAt >= staleAfter {
                state = .markedStale
                return
            }
        }
        state = lag == nil ? .current : .behind
    }
}

/// The events of a device's activities that come by themselves, in the order of (time, number).
struct ActivityQueue {
    enum Action {
        /// An event can begin on the device.
        case event(Int)
        case send(ActivityPush)
        case arrive(ActivityPush)
        /// The connection is back: what the push service has kept comes.
        case release
        /// The bucket of an app has a token.
        case token(app: Int)
        /// A push of low priority, about a version, comes though the device is not used.
        case lowPriority(activity: Int, version: Int)
        /// The content of an activity may change again.
        case display(activity: Int)
        /// The system ends it, or takes it off the lock screen.
        case end(activity: Int)
        case remove(activity: Int)
    }

    /// The latest first, so that the next is the last.
    private var entries: [(at: Instant, number: Int, action: Action)] = []
    private var count = 0

    var nextAt: Instant { entries.last?.at ?? .never }

    mutating func add(_ action: Action, at instant: Instant) {
        count += 1
        var (low, high) = (0, entries.count)
        while low < high {
            let middle = (low + high) / 2
            if entries[middle].at > instant { low = middle + 1 } else { high = middle }
        }
        entries.insert((instant, count, action), at: low)
    }

    /// Adds what comes before all else that is due.
    ///
    /// - Parameter instant: now.
    mutating func addNext(_ action: Action, at instant: Instant) { entries.append((instant, 0, action)) }

    mutating func next() -> Action { entries.removeLast().action }

    /// All that is left, in no order.
    var actions: [Action] { entries.map(\.action) }
}
