import Basics
import People

extension KeyCatalogue {
    /// Keys for how often people come to controls that do not stand on the lock screen (V10).
    static let controls = Keys<ControlHabits>(mergesByKey: true) {
        Key(
            "control_center_per_day", \.controlCenterPerDay, .number(0...1000), "4", "V10",
            "How often a day a person opens Control Center on a device, in a session.", sweep: "1 to 20")
        Key(
            "action_button_per_day", \.actionButtonPerDay, .number(0...1000), "1", "V10",
            "How often a day a person presses the action button of a device, in a session.", sweep: "0 to 10")
    }
}
