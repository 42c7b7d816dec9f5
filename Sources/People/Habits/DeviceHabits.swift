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

/// When and where people use a Mac, and what of it they see (D1, V2, R4).
public struct DeskHabits: Hashable, Sendable {
    /// The share of people who use theirs in office hours on workdays; the others use theirs in the evening, on any
    /// day.
    public var officeShare = 0.0
    /// The hours of use of either, each day its own draw.
    public var office = Hours(), evening = Hours()
    /// The probability that a session shows the notification center.
    public var notificationCenterShare = 0.0
    /// Looks at the desktop in an hour of session, and the share of them at which windows cover it, so that its widgets
    /// are dimmed.
    public var looksPerHour = 0.0, coveredShare = 0.0
    /// The share of Macs that travel with their person; the others stand at home or at work.
    public var portableShare = 1.0
    /// The share of portable Macs that are on power whenever they are used; those that are not portable always are.
    public var onPowerShare = 0.0

    public struct Hours: Hashable, Sendable {
        /// Seconds from midnight of the local clock, and seconds.
        public var from = Distribution.zero, time = Distribution.zero
        public init() {}
    }
    public init() {}

    /// The habits of a device that is no Mac.
    public static let none = Self()

    /// Five of seven days have office hours.
    public static let officeDays = 5.0 / 7
}

/// Habits at a desk with the tables of their distributions.
struct PreparedDesk: BitwiseCopyable {
    let office, portable, onPower, notificationCenter, covered: Bernoulli
    let officeHours, eveningHours: Hours
    let notificationCenterShare: Double
    /// Looks at the desktop in a session; from its pickup to the first, and from one to the next.
    let looks: RandomArrivals
    let looksPerHour: Double
    private let officeShare: Double

    struct Hours: BitwiseCopyable {
        let from, time: DurationDistribution
        /// Seconds that the hours of a day last on average.
        let meanTime: Double

        init(_ hours: DeskHabits.Hours, _ tables: inout StandardTables) throws(DistributionProblem) {
            from = try hours.from.preparedDurations(with: &tables)
            time = try hours.time.preparedDurations(atLeast: .minutes(1), with: &tables)
            meanTime = time.seconds.mean
        }
    }

    init(_ desk: DeskHabits, _ tables: inout StandardTables) throws(DistributionProblem) {
        office = try Bernoulli(probability: desk.officeShare)
        portable = try Bernoulli(probability: desk.portableShare)
        onPower = try Bernoulli(probability: desk.onPowerShare)
        notificationCenter = try Bernoulli(probability: desk.notificationCenterShare)
        covered = try Bernoulli(probability: desk.coveredShare)
        officeHours = try Hours(desk.office, &tables)
        eveningHours = try Hours(desk.evening, &tables)
        notificationCenterShare = desk.notificationCenterShare
        looks = RandomArrivals(perDay: desk.looksPerHour * 24, tables.exponential)
        looksPerHour = desk.looksPerHour
        officeShare = desk.officeShare
    }

    func hours(isOffice: Bool) -> Hours { isOffice ? officeHours : eveningHours }

    /// Seconds that a day's hours of use last on average, of all people's Macs.
    var meanTime: Double { officeShare * officeHours.meanTime + (1 - officeShare) * eveningHours.meanTime }
}

/// When a device is on its charger, and how it is moved while nobody looks at it (N8, N9). No other platform asks.
public struct ChargingHabits: Sendable {
    /// The share of nights that it lies on its charger.
    public var nights = 0.0
    /// The share of people whose device charges on trips.
    public var car = 0.0
    /// The share of days with a charge at a desk, and seconds that one takes.
    public var desk = 0.0
    public var deskTime = Distribution.zero
    /// Times an hour that it is moved while its person is up and nobody looks at it.
    public var motionsPerHour = 0.0
    public init() {}

    public static let never = Self()
}

/// The same, prepared.
struct PreparedCharging {
    let nights, car, desk: Bernoulli
    let deskTime: DurationDistribution
    let motions: RandomArrivals

    init(_ habits: ChargingHabits, _ tables: inout StandardTables) throws(DistributionProblem) {
        nights = try Bernoulli(probability: habits.nights)
        car = try Bernoulli(probability: habits.car)
        desk = try Bernoulli(probability: habits.desk)
        deskTime = try habits.deskTime.preparedDurations(with: &tables)
        motions = RandomArrivals(perDay: 24 * habits.motionsPerHour, tables.exponential)
    }
}
