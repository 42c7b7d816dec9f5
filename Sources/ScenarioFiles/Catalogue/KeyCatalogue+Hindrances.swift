import Basics

/// Keys for what keeps devices from reloading: settings, low power, and no connection.
extension KeyCatalogue {
    static let power = Form.Block(
        entries: [
            KeyEntry(
                "refresh_off", share, "0", "D7, G5", "The share of devices with background refresh off.",
                sweep: "0 to 0.2",
                evidence: "assumption: none"),
            KeyEntry(
                "low_power_per_day", .number(0...24), "0", "D7, G5",
                "Episodes of low-power mode that begin in a day without any, at random.", sweep: "0 to 1",
                evidence: "assumption: none"),
            KeyEntry(
                "low_power_length", .distribution(.duration), "{median: 2h, sigma: 0.8, clip: [10m, 24h]}", "D7, G5",
                "How long such an episode lasts.", sweep: "median 30 min to 6 h"),
        ], mergesByKey: true)

    static let connectivity = Form.Block(
        entries: [
            KeyEntry(
                "offline_per_day", .number(0...1000), "0", "D8",
                "Episodes without a connection that begin in a day without any, at random.", sweep: "0 to 20",
                evidence: "assumption: none"),
            KeyEntry(
                "offline_length", .distribution(.duration), "{median: 5m, sigma: 1.2, clip: [5s, 24h]}", "D8",
                "How long such an episode lasts.",
                sweep: "median 1 min to 1 h"),
        ], mergesByKey: true)
}
