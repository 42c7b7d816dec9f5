import Basics
import Statistics

/// How the surroundings of a person's devices change (F4, D9, R2), but for zones, which follow the person's trips and
/// the zones' own rules.
public struct EnvironmentHabits: Sendable {
    /// Changes a year that a person makes in the settings.
    public var textSizePerYear = 0.0, accessibilityPerYear = 0.0, languagePerYear = 0.0, regionPerYear = 0.0,
        accountPerYear = 0.0
    public var rebootsPerDay = 0.0
    /// The shares of people with a fixed light, a fixed dark and an automatic appearance; they add up to 1.
    public var appearanceShares = [1.0, 0, 0]
    /// When an automatic appearance becomes light and dark, on the local clock.
    public var lightFrom = ClockTime(hour: 7, minute: 0), darkFrom = ClockTime(hour: 19, minute: 0)

    /// Changes a day of whatever sort, on average.
    package var changesPerDay: Double {
        (textSizePerYear + accessibilityPerYear + languagePerYear + regionPerYear + accountPerYear) / 365
            + rebootsPerDay
    }
    public init() {}

    /// Surroundings that never change.
    public static let still = Self()
}

/// The environment with the tables of its distributions.
struct PreparedEnvironment: BitwiseCopyable {
    /// When the person wants other settings, and reboots.
    let settings, reboots: RandomArrivals
    let settingChoice: DiscreteChoice
    let appearance: DiscreteChoice
    let lightFrom, darkFrom: ClockTime

    static let settingChanges = [EnvironmentChange.textSize, .accessibility, .language, .region, .account]

    init(_ habits: EnvironmentHabits, _ tables: inout StandardTables) throws(DistributionProblem) {
        let rates = [
            habits.textSizePerYear, habits.accessibilityPerYear, habits.languagePerYear, habits.regionPerYear,
            habits.accountPerYear,
        ]
        let total = rates.reduce(0, +)
        settings = RandomArrivals(perYear: total, tables.exponential)
        reboots = RandomArrivals(perDay: habits.rebootsPerDay, tables.exponential)
        settingChoice = try DiscreteChoice(weights: total > 0 ? rates : [1, 0, 0, 0, 0], name: "environment")
        appearance = try DiscreteChoice(weights: habits.appearanceShares, name: "environment.appearance")
        lightFrom = habits.lightFrom
        darkFrom = habits.darkFrom
    }
}

/// Why the environment of a device changed (F4).
public enum EnvironmentChange: UInt8, CaseIterable, Sendable, BitwiseCopyable, NamedCase {
    case timeZone, timeChange, language, region, textSize, accessibility, account, reboot
    /// A release of the system is installed, which ends in a reboot (D9).
    case systemUpdate
    /// A new local day (F4).
    case dayChange

    /// Whether it ends in a reboot, which the next unlock serves (D9).
    public var isReboot: Bool { self == .reboot || self == .systemUpdate }
}
