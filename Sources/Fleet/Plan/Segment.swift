import People

/// A part of the fleet whose people share habits (D1). Each person draws their segment by its share.
public struct Segment: Sendable {
    public var name: String
    /// The share of all people, 0 to 1; the shares of a scenario add up to 1.
    public var share: Double
    /// The share of each city of the plan; they add up to 1.
    public var cityShares: [Double]
    public var sleep: SleepHabits
    public var pickups: PickupHabits
    public var movement: MovementHabits
    public var environment: EnvironmentHabits
    public var privacy: PrivacyHabits
    public var power: PowerHabits
    /// Without a connection (D8).
    public var offline: EpisodeHabits
    /// One for each app of the plan.
    public var apps: [AppHabits]
    public var devices: [DevicePlan]

    public init(
        name: String, share: Double, cityShares: [Double], sleep: SleepHabits, pickups: PickupHabits, movement: MovementHabits,
        environment: EnvironmentHabits = .still, privacy: PrivacyHabits = .open, power: PowerHabits = .full,
        offline: EpisodeHabits = .never,
        apps: [AppHabits], devices: [DevicePlan]
    ) {
        self.name = name
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
        self.devices = devices
    }

    /// The segment without its widgets.
    var habits: SegmentHabits {
        SegmentHabits(
            share: share, cityShares: cityShares, sleep: sleep, pickups: pickups, movement: movement, environment: environment,
            privacy: privacy, power: power, offline: offline, apps: apps, devices: devices.map(\.habits))
    }
}
