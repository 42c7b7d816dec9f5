import ScenarioModel
import Statistics

extension KeyCatalogue {
    /// Keys for the system's transfers in the background (S8).
    static let transfer = Keys<BackgroundTransfer> {
        Key(
            "deferral", \.deferral, .distribution(.duration), .byFleet(drawn: "{min: 0s, max: 15m}", replay: "0s"),
            "S8", "The time from the hand-over of a transfer to its sending.", sweep: "0 s to 1 h",
            evidence: "assumption; the system chooses the time")
        Key(
            "discretionary", \.isDiscretionary, .boolean, "false", "S8",
            "Whether it waits for power and Wi-Fi before that.", evidence: "the app's own choice")
        Key(
            "ready", \.readyShare, share, "0.3", "S8",
            "The share of discretionary transfers that begin with power and Wi-Fi.", sweep: "0.1 to 0.9")
        Key(
            "wait", \.wait, .distribution(.duration), .byFleet(drawn: "{median: 3h, p95: 12h}", replay: "0s"), "S8",
            "How long the others wait for them.", sweep: "median 30 min to 8 h")
        Key(
            "second_reload", \.secondIsCharged, is: SecondReload.charged, "charged", "S8",
            "Whether the reload that brings what was transferred is charged and waits at the gates, or is free and runs at once.",
            sweep: "both", evidence: "assumption: charged; it is not among the documented exemptions [KUTD]")
    }
}

extension BackgroundTransfer {
    fileprivate var isDiscretionary: Bool {
        get { discretion != nil }
        set { discretion = newValue ? Discretion.immediate : nil }
    }

    /// Those of a transfer that waits.
    fileprivate var readyShare: Double {
        get { discretion?.readyShare ?? 0 }
        set { discretion?.readyShare = newValue }
    }

    fileprivate var wait: Distribution {
        get { discretion?.wait ?? .zero }
        set { discretion?.wait = newValue }
    }
}
