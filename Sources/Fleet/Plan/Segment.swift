import SimulatedTime
import Stochastics
import WidgetPlatform

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
}

/// How people use one app (D4, D5) and what they let it know (L3).
public struct AppHabits: Sendable {
    /// Openings a day, over people; each session is one of them with the matching probability.
    public var openingsPerDay: Distribution
    /// Weights of the local hours 0 to 23 in which sessions open it; all alike for an even use.
    public var openingHours: [Double]
    /// Seconds in the foreground, at most to the lock.
    public var foregroundTime: Distribution
    /// The share of trips on which the app navigates.
    public var navigationShare: Double
    /// Audio sessions a day, each begun in a session with the matching probability, and their length in seconds.
    public var audioPerDay: Double
    public var audioLength: Distribution
    /// The shares of the permission modes, by `LocationMode.rawValue`; they add up to 1.
    public var modeShares: [Double]
    /// The share of people with precise location off for it.
    public var reducedAccuracyShare: Double
    /// The share of people who are signed in to it when the run starts; the others sign in at their first opening (P8).
    public var signedInShare: Double

    public init(
        openingsPerDay: Distribution, openingHours: [Double], foregroundTime: Distribution, navigationShare: Double, audioPerDay: Double,
        audioLength: Distribution,
        modeShares: [Double], reducedAccuracyShare: Double, signedInShare: Double = 1
    ) {
        self.openingsPerDay = openingsPerDay
        self.openingHours = openingHours
        self.foregroundTime = foregroundTime
        self.navigationShare = navigationShare
        self.audioPerDay = audioPerDay
        self.audioLength = audioLength
        self.modeShares = modeShares
        self.reducedAccuracyShare = reducedAccuracyShare
        self.signedInShare = signedInShare
    }
}

/// What an instance's content is keyed by (L7, R5).
public enum LocationChoice: Hashable, Sendable {
    /// Nothing: the same content for everybody.
    case none
    /// The place where the person is.
    case current
    /// One of some places or symbols, each as likely as its popularity says.
    case chosen([String], popularity: ChoicePopularity = .even)
}

/// How often each of some choices is taken (R5).
public enum ChoicePopularity: Hashable, Sendable {
    case even
    /// In the order of the choices, the r-th in proportion to 1 / r^exponent.
    case zipf(exponent: Double)
    /// In proportion to weights, one a choice, 0 or more and not all 0.
    case weights([Double])
}
