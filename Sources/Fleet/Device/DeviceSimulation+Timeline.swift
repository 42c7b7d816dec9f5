import Basics
import WidgetPlatform

/// The timeline that an instance shows, and when it asks to be replaced (P1–P6, C3).
extension DeviceSimulation {
    /// Shows content with the timeline that its kind has.
    mutating func showAsStated(_ content: ShownContent, at i: Int, fetched: Instant) -> Timeline {
        let kind = instances[i].kind
        return instances[i].show(
            content, fetched: fetched, kinds + kind, kindStates + kind,
            in: prepared.zones.baseAddress! + whereabouts.zone, at: now)
    }

    @inline(__always) mutating func setDue(_ i: Int, at date: Instant, _ cause: ReloadCause) {
        instances[i].setDue(at: date, cause, now: now)
        schedule.touch(i, at: now)
        noteDate(i, cause)
    }
}
