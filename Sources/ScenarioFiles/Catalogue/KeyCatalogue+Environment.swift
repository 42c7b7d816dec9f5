import Basics

extension KeyCatalogue {
    private static let rate = Form.number(0...1000)
    private static let prior = "prior, docs/calibration-data.md §6"

    /// Keys for changes of a device's environment, except zones.
    static let environment = Form.Block(
        entries: [
            KeyEntry(
                "text_size_per_year", rate, "0.4", "F4", "Changes of the text size a year.", sweep: "0.1 to 2",
                evidence: prior),
            KeyEntry(
                "accessibility_per_year", rate, "0.05", "F4", "Changes of other accessibility settings a year.",
                sweep: "0 to 0.5"),
            KeyEntry(
                "language_per_year", rate, "0.03", "F4", "Changes of the language a year.", sweep: "0.01 to 0.1",
                evidence: prior),
            KeyEntry(
                "region_per_year", rate, "0.03", "F4", "Changes of the region a year.", sweep: "0.01 to 0.1",
                evidence: prior),
            KeyEntry(
                "account_per_year", rate, "0.05", "F4", "Changes of the account a year.", sweep: "0 to 0.5"),
            KeyEntry(
                "reboots_per_day", .number(0...100), "0.055", "D9",
                "Reboots a day, at any time; a reload follows at the next unlock.",
                sweep: "0.02 to 0.11", evidence: "docs/calibration-data.md §6 (fitted)"),
            KeyEntry(
                "appearance",
                .block(
                    [
                        KeyEntry("light", share, "0", "R2", "Always light."),
                        KeyEntry("dark", share, "0", "R2", "Always dark."),
                        KeyEntry("automatic", share, "0", "R2", "Light by day and dark by night."),
                    ], sharesAddUp: true), "{light: 0.45, dark: 0.25, automatic: 0.3}", "R2",
                "The shares of people by their appearance.",
                evidence: prior),
            KeyEntry(
                "light_from", .clock, "\"07:00\"", "R2", "When an automatic appearance turns light.",
                evidence: "assumption"),
            KeyEntry(
                "dark_from", .clock, "\"19:00\"", "R2", "When an automatic appearance turns dark.",
                evidence: "assumption"),
        ], mergesByKey: true)
}
