import Basics
import People

extension KeyCatalogue {
    private static let rate = Form.number(0...1000)
    private static let prior = "prior, docs/calibration-data.md §6"

    /// Keys for changes of a device's environment, except zones.
    static let environment = Keys<EnvironmentHabits>(mergesByKey: true) {
        Key(
            "text_size_per_year", \.textSizePerYear, rate, "0.4", "F4", "Changes of the text size a year.",
            sweep: "0.1 to 2",
            evidence: prior)
        Key(
            "accessibility_per_year", \.accessibilityPerYear, rate, "0.05", "F4",
            "Changes of other accessibility settings a year.",
            sweep: "0 to 0.5")
        Key(
            "language_per_year", \.languagePerYear, rate, "0.03", "F4", "Changes of the language a year.",
            sweep: "0.01 to 0.1",
            evidence: prior)
        Key(
            "region_per_year", \.regionPerYear, rate, "0.03", "F4", "Changes of the region a year.",
            sweep: "0.01 to 0.1",
            evidence: prior)
        Key(
            "account_per_year", \.accountPerYear, rate, "0.05", "F4", "Changes of the account a year.",
            sweep: "0 to 0.5")
        Key(
            "reboots_per_day", \.rebootsPerDay, .number(0...100), "0.055", "D9",
            "Reboots a day, at any time; a reload follows at the next unlock.",
            sweep: "0.02 to 0.11", evidence: "docs/calibration-data.md §6 (fitted)")
        Key(
            "appearance", \.appearanceShares,
            .block(
                [
                    KeyEntry("light", share, "0", "R2", "Always light."),
                    KeyEntry("dark", share, "0", "R2", "Always dark."),
                    KeyEntry("automatic", share, "0", "R2", "Light by day and dark by night."),
                ], sharesAddUp: true), "{light: 0.45, dark: 0.25, automatic: 0.3}", "R2",
            "The shares of people by their appearance.",
            evidence: prior
        ) { value, _ in [value["light"], value["dark"], value["automatic"]].map(\.number) }
        Key(
            "light_from", \.lightFrom, .clock, "\"07:00\"", "R2", "When an automatic appearance turns light.",
            evidence: "assumption")
        Key(
            "dark_from", \.darkFrom, .clock, "\"19:00\"", "R2", "When an automatic appearance turns dark.",
            evidence: "assumption")
    }
}
