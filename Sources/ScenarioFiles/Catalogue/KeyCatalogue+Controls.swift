import Basics

extension KeyCatalogue {
    /// Keys for how often people come to controls that do not stand on the lock screen (V10).
    static let controls = Form.Block(
        entries: [
            KeyEntry(
                "control_center_per_day", .number(0...1000), "4", "V10",
                "How often a day a person opens Control Center on a device, in a session.", sweep: "1 to 20",
                evidence: "assumption"),
            KeyEntry(
                "action_button_per_day", .number(0...1000), "1", "V10",
                "How often a day a person presses the action button of a device, in a session.", sweep: "0 to 10",
                evidence: "assumption"),
        ], mergesByKey: true)
}
