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
}
