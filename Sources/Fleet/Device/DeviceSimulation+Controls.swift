import ScenarioModel
import WidgetPlatform

/// Controls: where the person comes to them, and the reloads of one value that have no budget (V10, F9).
extension DeviceSimulation {
    /// The person opens Control Center or presses the action button: every control there is seen, and a press uses it.
    mutating func come(to place: WidgetKind.ControlPlace) {
        for i in 0..<instanceCount where kinds[instances[i].kind].control == place {
            view(i)
            if place == .actionButton && display.use.isInSession && instances[i].isInstalled {
                instances[i].isInteracting = true
                instant.hasInteractions = true
            }
        }
    }

    /// A push or an app's call in the background asks for a reload of an instance: at once and free if it is a control
    /// without a budget, through the gates otherwise.
    mutating func request(_ i: Int, _ cause: ReloadCause) {
        if kinds[instances[i].kind].isFreeControl {
            runInBackground(i, cause, since: now, as: .granted)
        } else {
            ask(i, background: cause)
        }
    }
}
