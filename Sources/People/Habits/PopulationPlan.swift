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
