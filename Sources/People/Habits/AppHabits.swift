import Statistics

/// How people use one app (D4, D5) and what they let it know (L3).
public struct AppHabits: Sendable {
    /// Openings a day, over people; each session is one of them with the matching probability.
    public var openingsPerDay = Distribution.zero
    /// Weights of the local hours 0 to 23 in which sessions open it; all alike for an even use.
    public var openingHours = Array(repeating: 1.0, count: 24)
    /// Seconds in the foreground, at most to the lock.
    public var foregroundTime = Distribution.zero
    /// The share of trips on which the app navigates.
    public var navigationShare = 0.0
    /// Audio sessions a day, each begun in a session with the matching probability, and their length in seconds.
    public var audioPerDay = 0.0
    public var audioLength = Distribution.zero
    /// The shares of the permission modes, by `LocationMode.rawValue`; they add up to 1.
    public var modeShares = [0.0, 0, 0, 1]
    /// How often a year a person changes the app's mode on a device, to another one by the shares.
    public var modeChangesPerYear = 0.0
    /// The share of people with precise location off for it.
    public var reducedAccuracyShare = 0.0
    /// The share of people who are signed in to it when the run starts; the others sign in at their first opening (P8).
    public var signedInShare = 1.0
    public init() {}
}

/// How often a person comes to the controls of a phone or tablet that do not stand on its lock screen (V10).
public struct ControlHabits: Hashable, Sendable {
    /// Openings of Control Center, and presses of the action button, a day on a device; each session brings at most one
    /// of both.
    public var controlCenterPerDay = 0.0, actionButtonPerDay = 0.0

    /// Nobody does.
    public static let never = Self()
    public init() {}

    /// The places that a person comes to, by their number.
    static let (controlCenter, actionButton, places) = (0, 1, 2)

    func perDay(_ place: Int) -> Double { place == Self.controlCenter ? controlCenterPerDay : actionButtonPerDay }
}
