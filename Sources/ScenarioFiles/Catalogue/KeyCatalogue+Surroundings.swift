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
    } check: { environment, scenario in
        if environment.isValid && environment.lightFrom == environment.darkFrom {
            scenario.report(
                environment[\.darkFrom], "another clock time than light_from", CalendarText.text(environment.darkFrom))
        }
    }
}

/// Keys for what keeps devices from reloading: settings, low power, and no connection.
extension KeyCatalogue {
    static let power = Keys<PowerHabits>(mergesByKey: true) {
        Key(
            "refresh_off", \.refreshOffShare, share, "0", "D7, G5", "The share of devices with background refresh off.",
            sweep: "0 to 0.2",
            evidence: "assumption: none")
        Key(
            "low_power_per_day", \.lowPower.perDay, .number(0...24), "0", "D7, G5",
            "Episodes of low-power mode that begin in a day without any, at random.", sweep: "0 to 1",
            evidence: "assumption: none")
        Key(
            "low_power_length", \.lowPower.length, .distribution(.duration),
            "{median: 2h, sigma: 0.8, clip: [10m, 24h]}", "D7, G5",
            "How long such an episode lasts.", sweep: "median 30 min to 6 h")
    }

    static let connectivity = Keys<EpisodeHabits>(mergesByKey: true) {
        Key(
            "offline_per_day", \.perDay, .number(0...1000), "0", "D8",
            "Episodes without a connection that begin in a day without any, at random.", sweep: "0 to 20",
            evidence: "assumption: none")
        Key(
            "offline_length", \.length, .distribution(.duration), "{median: 5m, sigma: 1.2, clip: [5s, 24h]}", "D8",
            "How long such an episode lasts.",
            sweep: "median 1 min to 1 h")
    }

    /// Keys for how often people come to controls that do not stand on the lock screen (V10).
    static let controls = Keys<ControlHabits>(mergesByKey: true) {
        Key(
            "control_center_per_day", \.controlCenterPerDay, .number(0...1000), "4", "V10",
            "How often a day a person opens Control Center on a device, in a session.", sweep: "1 to 20")
        Key(
            "action_button_per_day", \.actionButtonPerDay, .number(0...1000), "1", "V10",
            "How often a day a person presses the action button of a device, in a session.", sweep: "0 to 10")
    }

    /// Keys for what people hide (R3, R4).
    static let privacy = Keys<PrivacyHabits>(mergesByKey: true, evidence: "assumption: nobody does") {
        Key(
            "hide_lock_screen", \.hideLockScreenShare, share, "0", "R3",
            "The share of people who hide private content while the device is locked.", sweep: "0 to 0.3")
        Key(
            "hide_always_on", \.hideAlwaysOnShare, share, "0", "R4",
            "The share of people who hide private content on a dimmed display.", sweep: "0 to 0.3")
    }
}
