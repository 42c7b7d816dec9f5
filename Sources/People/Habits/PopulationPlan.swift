import Basics

/// All that people's lives are computed from: who they are and what they do, and nothing of the widgets on their
/// devices.
public struct PopulationPlan: Sendable {
    /// At most this many apps: a person's permissions and a device's sessions hold one bit or byte for each.
    public static let mostApps = 16

    public var seed: UInt64
    /// The end of the run, exclusive.
    public var end: Instant
    /// Every zone that the run can meet. A zone is named by its index here.
    public var zones: [ZoneTable]
    /// The cities that people live in and travel to, of zones and regions of the plan. A city is named by its index
    /// here.
    public var cities: [City]
    /// Where requests come from: the edge regions of the cities.
    public var regions: [String]
    /// None for a fleet of recorded devices.
    public var segments: [PopulationSegment]
    /// Those of the operating system, and after them those of apps.
    public var releases: [Release]
    /// Whether the main traits are spread evenly over people (`StratifiedTrait`), and not at random.
    public var hasStratifiedTraits: Bool

    public init(
        seed: UInt64, end: Instant, zones: [ZoneTable], cities: [City], regions: [String],
        segments: [PopulationSegment], releases: [Release], hasStratifiedTraits: Bool = false
    ) {
        self.seed = seed
        self.end = end
        self.zones = zones
        self.cities = cities
        self.regions = regions
        self.segments = segments
        self.releases = releases
        self.hasStratifiedTraits = hasStratifiedTraits
    }
}

/// A part of the population whose people share habits and carry devices of the same kinds (D1).
public struct PopulationSegment: Sendable {
    public var habits: SegmentHabits
    public var devices: [DeviceHabits]

    public init(habits: SegmentHabits, devices: [DeviceHabits]) { (self.habits, self.devices) = (habits, devices) }
}

/// The habits that the people of a segment share (D1): all but what their devices are.
public struct SegmentHabits: Sendable {
    /// The share of all people, 0 to 1; the shares of a population add up to 1.
    public var share: Double
    /// The share of each city of the population; they add up to 1.
    public var cityShares: [Double]
    public var sleep: SleepHabits
    public var pickups: PickupHabits
    public var movement: MovementHabits
    public var environment: EnvironmentHabits
    public var privacy: PrivacyHabits
    public var power: PowerHabits
    /// Without a connection (D8).
    public var offline: EpisodeHabits
    /// One for each app of the population.
    public var apps: [AppHabits]
    public var controls = ControlHabits.never

    public init(
        share: Double, cityShares: [Double], sleep: SleepHabits, pickups: PickupHabits, movement: MovementHabits,
        environment: EnvironmentHabits = .still, privacy: PrivacyHabits = .open, power: PowerHabits = .full,
        offline: EpisodeHabits = .never, apps: [AppHabits]
    ) {
        self.share = share
        self.cityShares = cityShares
        self.sleep = sleep
        self.pickups = pickups
        self.movement = movement
        self.environment = environment
        self.privacy = privacy
        self.power = power
        self.offline = offline
        self.apps = apps
    }
}
