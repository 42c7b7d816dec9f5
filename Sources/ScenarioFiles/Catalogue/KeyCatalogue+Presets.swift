import WidgetPlatform

extension KeyCatalogue {
    /// The populations whose habits a scenario can start from: what each has different from the catalogue's own
    /// defaults, as YAML under `population`.
    static let populations: [(name: String, text: String)] = [
        ("adult", "{}"),
        (
            // docs/calibration-data.md §2 and §3 (fitted to students' records); a campus's days are priors.
            "student",
            """
            sleep:
              workday: {onset: "01:33", wake: "08:38", onset_sd: 1h44m, wake_sd: 1h32m}
              free_day: {onset: "02:02", wake: "09:18", onset_sd: 1h44m, wake_sd: 1h32m}
              day_sleepers: 0
              degrees: 1000
              correlations: {onset_wake: 0.67, onset: 0.95, wake: 0.9}
            pickups:
              unlocks_per_day: {shape: 3.1, mean: 107, clip: [8, 300]}
              day_correlation: 0.35
              session_length: {median: 43s, sigma: 1.74, clip: [1s, 4h]}
            movement:
              commute:
                share: 0.85
                departure: {mean: "09:15", sd: 1h15m}
                time: {median: 12m, sigma: 0.6, clip: [1m, 2h]}
                stay: {mean: 5h, sd: 2h, clip: [1h, 12h]}
            """
        ),
    ]

    /// The values in which a population differs, composed; nil for an unknown name.
    static func habits(of name: String) -> RawNode? { composedHabits[name] }

    private static let composedHabits = Dictionary(
        uniqueKeysWithValues: populations.map { ($0.name, NodeComposition.ownRoot(of: $0.text)) })

    /// The values in which a kind of device differs from the other defaults, as YAML under a device: they lie under
    /// what the device states.
    static let devicePresets: [(kind: DeviceKind, text: String)] = [
        (.phone, "{}"),
        (
            // Assumption: used on fewer days, in longer sessions. A device that is used a few times a day cannot have a
            // phone's bursts without days of next to no use.
            .tablet,
            """
            pickups:
              unlocks_per_day: {shape: 1.5, mean: 12, clip: [0.5, 100]}
              days_used: 0.6
              burstiness: 0
              glances_per_unlock: 0.3
              session_length: {median: 4m, sigma: 1.3, clip: [1s, 4h]}
            """
        ),
        (
            // Assumption: ten raises for each after which the watch is used, and a moment's use; raises as random as
            // can be.
            .watch,
            """
            pickups:
              unlocks_per_day: {shape: 3, mean: 10, clip: [1, 60]}
              burstiness: 0
              glances_per_unlock: 9
              session_length: {median: 12s, sigma: 0.9, clip: [1s, 20m]}
              surface_shown: {home_first: 0, home_other: 0, today_view: 0}
              passcode_share: 1
            always_on: {share: 0.6, looks_per_day: 20}
            """
        ),
        (
            // Assumption: long sessions within the hours of use, as random as so long ones can be; no two weekdays
            // different but by these hours.
            .mac,
            """
            pickups:
              unlocks_per_day: {shape: 3, mean: 8, clip: [1, 40]}
              days_used: 0.9
              first_sixteenth: 1
              burstiness: 0.1
              weekday_factors: [1, 1, 1, 1, 1, 1, 1]
              glances_per_unlock: 0
              session_length: {median: 15m, sigma: 1, clip: [10s, 8h]}
              surface_shown: {home_first: 0, home_other: 0, today_view: 0}
            """
        ),
    ]

    /// The preset of a kind of device, composed.
    static func preset(of kind: DeviceKind) -> RawNode {
        guard let node = composedPresets[kind] else { preconditionFailure("no preset of a \(kind.name)") }
        return node
    }

    private static let composedPresets = Dictionary(
        uniqueKeysWithValues: devicePresets.map { ($0.kind, NodeComposition.ownRoot(of: $0.text)) })

    /// The presets' pickups as the dictionary shows them.
    static var presetWords: String {
        devicePresets.filter { $0.kind != .phone }.map { preset in
            let lines = preset.text.split(separator: "\n").filter { $0.hasPrefix("  ") }.map { "`\($0.dropFirst(2))`" }
            return "of a \(preset.kind.name) " + lines.joined(separator: ", ")
        }.joined(separator: "; ")
    }
}
