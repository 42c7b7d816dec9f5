import Basics
import Statistics
import WidgetPlatform

/// A kind of Live Activity: the events that it follows, the people who follow them, and how its server pushes to it
/// (O1–O6).
public struct LiveKind: Sendable {
    public var id = ""
    /// The index of its app in `LivePlan.apps`: the system's limits are those of an app on a device.
    public var app = 0
    /// Its index in `FleetPlan.apps`; nil if it has no widgets.
    public var openedApp: Int?
    public var events = Events.own(OwnEvents())
    /// The share of the people with a phone who follow its events, 0 to 1.
    public var followers = 0.0
    public var start = Start.push
    /// How long before an event its app can begin the activity; up to `longestLead`.
    public var lead = Duration.zero
    public static let longestLead = Duration.hours(8)
    /// The share of updates that are sent with priority 10, 0 to 1. Beginnings and ends always are.
    public var importantShare = 0.0
    /// How long after an update the system marks what it shows as stale; nil for never.
    public var staleAfter: Duration?
    /// How long it stays on the lock screen after its end; at most as long as the system lets it.
    public var staysFor = Duration.zero
    /// The probability that a person who sees it removes it: while it is active, and after its end.
    public var dismissedActive = 0.0, dismissedEnded = 0.0
    /// Whether the app asks for frequent updates.
    public var isFrequent = false
    /// Whether updates go to a channel, from which the system's push service hands them to all devices.
    public var isBroadcast = false
    /// Which pushes of that channel the push service stores for activities that begin later.
    public var channelStorage = ChannelStorage.last
    /// How long the push service keeps a push for a device without a connection.
    public var expiry = Duration.zero
    /// Seconds from the sending of a push to its arrival.
    public var delay = Distribution.zero

    public enum Events: Sendable {
        /// Events that all people share, of which each follower follows a share.
        case shared(SharedEvents, attendance: Double)
        /// Events of the person's own.
        case own(OwnEvents)
    }

    public enum ChannelStorage: UInt8, CaseIterable, Sendable { case none, last }

    public enum Start: UInt8, CaseIterable, Sendable {
        /// The server starts it on the device as the event begins (push to start).
        case push
        /// The app begins it, in the person's first session from `lead` before the event to its end.
        case app
    }
    public init() {}
}

/// Events that all people share: games, elections, launches.
public enum SharedEvents: Sendable {
    case listed([LiveEvent])
    /// Events of one length, each with so many updates at random instants, the same for all people.
    case drawn(starts: EventTimes, length: Duration, updates: Int)
}

/// One event with its updates.
public struct LiveEvent: Hashable, Sendable {
    public var start, end: Instant
    /// Between start and end, in order.
    public var updates: [Instant]

    /// One without a length, at the start.
    public static let instantaneous = LiveEvent(start: .start, end: .start, updates: [])
}

/// Events of a person's own at random times: orders, flights, timers.
public struct OwnEvents: Sendable {
    /// How many a day on average.
    public var perDay = 0.0
    /// Seconds from start to end.
    public var length = Distribution(.constant(1))
    /// Updates of one event, at random instants; 0 to 1,000.
    public var updates = 0

    public init() {}
}

/// The system's limits of Live Activities, most of them unpublished (O1–O6).
public struct LiveActivityLimits: Sendable {
    /// How long an activity is active at most, and how long it can stay on the lock screen afterwards.
    public var longest = Duration.hours(8)
    public var linger = Duration.hours(4)
    /// Beginnings by push of one app on a device in 24 hours.
    public var startsPerDay = 10
    /// Active ones of one app on a device at once.
    public var atOnce = 5
    /// The budget of pushes of priority 10 to one app on a device, without and with frequent updates.
    public var budget = HourlyPushLimit(perHour: 30, burst: 30)
    public var frequentBudget = HourlyPushLimit(perHour: 90, burst: 90)
    /// The share of people who have switched frequent updates off.
    public var frequentOff = 0.1
    /// The content shown changes at most once in so long.
    public var displayGap = Duration.seconds(10)
    /// Seconds that a push of priority 5 waits on a device that is not used.
    public var lowPriorityDelay = Distribution.zero
    /// The share of phones with a Dynamic Island.
    public var islandShare = 0.7

    public init() {}
}

/// The Live Activities of a fleet.
public struct LivePlan: Sendable {
    /// At most `mostKinds`.
    public var kinds: [LiveKind]
    /// The names of the apps that they belong to.
    public var apps: [String]
    public var limits: LiveActivityLimits

    public static let mostKinds = 16

    public init(kinds: [LiveKind], apps: [String], limits: LiveActivityLimits) {
        self.kinds = kinds
        self.apps = apps
        self.limits = limits
    }
}
