import Basics
import People
import WidgetPlatform

/// A device whose events are recorded instead of drawn (D10).
public struct ReplayDevice: Sendable {
    public var id: String
    public var kind: DeviceKind
    public var platform = Platform.ios
    package var rules: DeviceRules { DeviceRules(platform, kind) }
    /// The index of its first zone.
    public var zone: Int
    public var hasPasscode: Bool
    public var backgroundRefresh: Bool
    /// Spans [from, to) in which background refresh is off (D7), and in which a location fix fails (L5).
    public var backgroundRefreshOff, fixFailing: [(from: Instant, to: Instant)]
    public var usualWaking: UsualWaking
    public var viewsByHour: HourWeights
    public var place: NamedPlace
    public var preciseLocation: Bool
    public var hidesLockScreen: Bool
    /// Indices of the apps that the person is signed in to (P8).
    public var signedIn: [Int]
    /// The surfaces that every session's pickup shows, by `Surface.rawValue`.
    public var surfaceShown: [Bool]
    public var hidesAlwaysOn: Bool
    public var isAccented: Bool
    public var stacks: [StackPlan]
    public var instances: [ReplayInstance]
    /// In order of (time, priority, line).
    public var events: [ReplayEvent]

    public init(
        id: String, kind: DeviceKind, zone: Int, hasPasscode: Bool, backgroundRefresh: Bool,
        backgroundRefreshOff: [(from: Instant, to: Instant)],
        fixFailing: [(from: Instant, to: Instant)], usualWaking: UsualWaking, viewsByHour: HourWeights,
        place: NamedPlace,
        preciseLocation: Bool,
        hidesLockScreen: Bool, signedIn: [Int], surfaceShown: [Bool], hidesAlwaysOn: Bool = false,
        isAccented: Bool = false,
        stacks: [StackPlan] = [], instances: [ReplayInstance], events: [ReplayEvent]
    ) {
        self.id = id
        self.kind = kind
        self.zone = zone
        self.hasPasscode = hasPasscode
        self.backgroundRefresh = backgroundRefresh
        self.backgroundRefreshOff = backgroundRefreshOff
        self.fixFailing = fixFailing
        self.usualWaking = usualWaking
        self.viewsByHour = viewsByHour
        self.place = place
        self.preciseLocation = preciseLocation
        self.hidesLockScreen = hidesLockScreen
        self.signedIn = signedIn
        self.surfaceShown = surfaceShown
        self.hidesAlwaysOn = hidesAlwaysOn
        self.isAccented = isAccented
        self.stacks = stacks
        self.instances = instances
        self.events = events
    }
}

/// A place of a replay: its own content cell (L8). `key` is 1 or more, one for each name.
public struct NamedPlace: Hashable, Sendable {
    public var key: Int64
    public var name: String
    public var point: Point

    public init(key: Int64, name: String, point: Point) {
        self.key = key
        self.name = name
        self.point = point
    }
}

/// An instance of a replayed device.
public struct ReplayInstance: Sendable {
    public var placement: Placement
    public var mode: LocationMode
    public var installedAt: Instant
    /// Views of earlier complete device-days, oldest first.
    public var history: [Int]
    /// Microtokens; nil for half the cap.
    public var openingBalance: Int64?
    /// Content that is already there, so that no first reload is made.
    public var initial: Initial?

    public struct Initial: Sendable {
        public var fetched: Instant
        /// Nil for the device's own place.
        public var place: NamedPlace?

        public init(fetched: Instant, place: NamedPlace?) {
            self.fetched = fetched
            self.place = place
        }
    }

    public init(
        placement: Placement, mode: LocationMode, installedAt: Instant, history: [Int], openingBalance: Int64?,
        initial: Initial?
    ) {
        self.placement = placement
        self.mode = mode
        self.installedAt = installedAt
        self.history = history
        self.openingBalance = openingBalance
        self.initial = initial
    }
}

/// One line of a replay, its names resolved to indices.
public struct ReplayEvent: Sendable {
    public var time: Instant
    /// A pickup shows the surfaces of the device that all its sessions show.
    public var event: WorldEvent
    /// Where a move leads.
    public var place: NamedPlace?

    public init(time: Instant, _ event: WorldEvent, to place: NamedPlace? = nil) {
        self.time = time
        self.event = event
        self.place = place
    }
}
