import Statistics
import WidgetPlatform

/// A device that people may carry, and how it is used (D1): nothing of what stands on it.
public struct DeviceHabits: Sendable {
    public var kind: DeviceKind
    /// The share of the segment's people who have it.
    public var share: Double
    /// How it is picked up; nil for the segment's own habits at the person's own rate.
    public var pickups: PickupHabits?
    public var alwaysOn: AlwaysOnHabits
    /// How it is worn, if it is a watch.
    public var wear: WearHabits
    /// The share of watches whose face, and of other devices whose home pages, are tinted or clear, so that widgets
    /// there are accented (R2).
    public var accentedShare: Double
    /// How it stands in standby, if it is a phone.
    public var standby: StandbyHabits
    /// When and where it is used, if it is a Mac.
    public var desk: DeskHabits
    /// How it charges and is moved, if it runs Android.
    public var charging: ChargingHabits
    /// How its Smart Stack, its tiles, or the page of widgets in a car are opened.
    public var openings: OpeningHabits

    public init(
        kind: DeviceKind, share: Double, pickups: PickupHabits?, alwaysOn: AlwaysOnHabits, wear: WearHabits,
        accentedShare: Double,
        standby: StandbyHabits, desk: DeskHabits = .none, charging: ChargingHabits = .never,
        openings: OpeningHabits = .never
    ) {
        self.kind = kind
        self.share = share
        self.pickups = pickups
        self.alwaysOn = alwaysOn
        self.wear = wear
        self.accentedShare = accentedShare
        self.standby = standby
        self.desk = desk
        self.charging = charging
        self.openings = openings
    }
}

/// An always-on display (R4): what is looked at without waking it.
public struct AlwaysOnHabits: Hashable, Sendable {
    /// The share of such devices that have one and use it.
    public var share: Double
    /// Looks at the dimmed display in a waking day.
    public var looksPerDay: Double

    public static let never = AlwaysOnHabits(share: 0, looksPerDay: 0)
}

/// When a watch is worn (V4): from wake-up to bedtime but for a charge.
public struct WearHabits: Hashable, Sendable {
    /// When the watch goes on its charger, seconds from midnight of the local clock; each day its own draw. A draw that
    /// lies before the wake-up or after bedtime is a day without a charge.
    public var chargeAt = Distribution(.constant(73_800))
    /// Seconds on the charger; 0 for no charge by day.
    public var chargeTime = Distribution.zero
    /// The share of people who wear it at night too.
    public var atNightShare = 0.0
    public init() {}

    public static let allDay = Self()
}

/// Phones that lie charging in landscape at night and show their standby widgets (V4).
public struct StandbyHabits: Hashable, Sendable {
    /// The share of phones that are ever put up so, and the share of their nights.
    public var share, nightShare: Double
    /// Looks at it in such a night: one as the person goes to bed, the rest at any time of the night.
    public var looksPerNight: Double

    public static let never = StandbyHabits(share: 0, nightShare: 0, looksPerNight: 0)
}
