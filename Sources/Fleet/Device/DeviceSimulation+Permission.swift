import Basics
import People
import WidgetPlatform

/// The person changes what an app may know (L3): the mode from now on decides what a reload may ask for (L4).
extension DeviceSimulation {
    mutating func changePermission(of app: Int, to mode: LocationMode) {
        if Observer.isWatching { note(.permission, detail: "\(prepared.plan.apps[app]): \(mode.name)") }
        for i in 0..<instanceCount where instances[i].app == app && instances[i].followsPerson {
            // The time counted so far belongs to the mode that was in force.
            countWakingTime(i)
            instances[i].allow(mode, on: device, in: prepared.layout)
            // An app without access to the place is not told of changes (F3).
            if mode == .denied { instances[i].pendingLocation = PendingChanges() }
            // The system may reload the widgets that the change is about (L3).
            if parameters.reloadsOnPermissionChange { ask(i, free: .environment) }
        }
    }
}

extension InstanceState {
    /// Another mode is in force, and counts go to it from here on.
    mutating func allow(_ mode: LocationMode, on device: DeviceKind, in layout: MeasureLayout) {
        counts.move(from: CountedMode(self.mode), to: CountedMode(mode), on: device, in: layout)
        self.mode = mode
    }
}
