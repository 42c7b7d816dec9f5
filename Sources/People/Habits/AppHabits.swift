import Statistics

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
    /// How often a year a person changes the app's mode on a device, to another one by the shares.
    public var modeChangesPerYear: Double
    /// The share of people with precise location off for it.
    public var reducedAccuracyShare: Double
    /// The share of people who are signed in to it when the run starts; the others sign in at their first opening (P8).
    public var signedInShare: Double

    public init(
        openingsPerDay: Distribution, openingHours: [Double], foregroundTime: Distribution, navigationShare: Double,
        audioPerDay: Double,
        audioLength: Distribution,
        modeShares: [Double], reducedAccuracyShare: Double, signedInShare: Double = 1, modeChangesPerYear: Double = 0
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
        self.modeChangesPerYear = modeChangesPerYear
    }
}
