import Basics
import People

extension KeyCatalogue {
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
