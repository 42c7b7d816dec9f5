import Statistics

/// The content that people let the locked and the dimmed display show (R3, R4).
public struct PrivacyHabits: Hashable, Sendable {
    /// The share of people who hide what is private on the locked screen, and on the dimmed one.
    public var hideLockScreenShare, hideAlwaysOnShare: Double

    public static let open = PrivacyHabits(hideLockScreenShare: 0, hideAlwaysOnShare: 0)
}

/// The settings and states that keep the devices of a segment from reloading in the background (D7).
public struct PowerHabits: Hashable, Sendable {
    /// The share of devices with background refresh off.
    public var refreshOffShare: Double
    public var lowPower: EpisodeHabits

    public static let full = PowerHabits(refreshOffShare: 0, lowPower: .never)
}

/// Episodes that come over a device at random: low power (D7), no connection (D8).
public struct EpisodeHabits: Hashable, Sendable {
    /// Episodes that would begin in a day without any: at random times outside an episode.
    public var perDay: Double
    /// Seconds.
    public var length: Distribution

    public static let never = EpisodeHabits(perDay: 0, length: Distribution.zero)
}

/// Episodes with their tables.
struct PreparedEpisodes: BitwiseCopyable {
    /// From the end of one to the next.
    let beginnings: RandomArrivals
    /// An episode ends after it begins: a microsecond at least.
    let length: DurationDistribution
    /// Seconds that one lasts on average.
    let meanLength: Double

    init(_ habits: EpisodeHabits, _ tables: inout StandardTables) throws(DistributionProblem) {
        beginnings = RandomArrivals(perDay: habits.perDay, tables.exponential)
        length = try habits.length.preparedDurations(atLeast: .microsecond, with: &tables)
        meanLength = length.seconds.mean
    }
}
