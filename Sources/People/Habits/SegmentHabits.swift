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
