import Basics
import People

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
}
