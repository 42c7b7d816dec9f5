import Basics
import People
import WidgetPlatform

/// A device whose events are recorded instead of drawn (D10).
public struct ReplayDevice: Sendable {
    public var id = ""
    public var kind = DeviceKind.phone
    public var platform = Platform.ios
    package var rules: DeviceRules { DeviceRules(platform, kind) }
    /// The index of its first zone.
    public var zone = 0
    public var hasPasscode = true
    public var backgroundRefresh = true
    /// Spans [from, to) in which background refresh is off (D7), and in which a location fix fails (L5).
    public var backgroundRefreshOff: [(from: Instant, to: Instant)] = [],
        fixFailing: [(from: Instant, to: Instant)] = []
    public var usualWaking = UsualWaking(workday: Self.waking, freeDay: Self.waking)
    public var viewsByHour = HourWeights.even
    public var place = NamedPlace(key: 1, name: "home", point: Point(x: 0, y: 0))
    public var preciseLocation = true
    public var hidesLockScreen = false
    /// Indices of the apps that the person is signed in to (P8).
    public var signedIn: [Int] = []
    /// The surfaces that every session's pickup shows, by `Surface.rawValue`.
    public var surfaceShown: [Bool] = []
    public var hidesAlwaysOn = false
    public var isAccented = false
    public var stacks: [StackPlan] = []
    public var instances: [ReplayInstance] = []
    /// In order of (time, priority, line).
    public var events: [ReplayEvent] = []

    private static let waking = ClockSpan(from: ClockTime(hour: 7, minute: 0), to: ClockTime(hour: 23, minute: 0))

    public init() {}
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
    public var placement = Placement()
    public var mode = LocationMode.always
    public var installedAt = Instant.start
    /// Views of earlier complete device-days, oldest first.
    public var history: [Int] = []
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

    public init() {}
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
