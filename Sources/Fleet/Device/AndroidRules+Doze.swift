import Basics
import WidgetPlatform

/// The screen, motion and power of a device with Android, which move Doze (N7–N9).
extension AndroidRules {
    static func sleep<World>(_ device: inout Device<World>) {
        device.rules.handling?.sleep()
        followCharging(&device)
    }

    static func wake<World>(_ device: inout Device<World>) {
        device.rules.handling?.wake(at: device.now)
        followCharging(&device)
    }

    static func move<World>(_ device: inout Device<World>) {
        device.rules.handling?.travel(device.world.isOnTrip)
        followCharging(&device)
        shake(&device)
    }

    static func turnScreen<World>(on: Bool, of device: inout Device<World>) {
        if on { device.rules.isLocked = false }
        if on != device.rules.doze.isScreenOn { device.rules.bookScreen(at: device.now) }
        change(&device) { $0.turnScreen(on: on, at: $1, $2) }
        // The unlock after a boot, of which every instance still hears: alarms count from here.
        if on && device.schedule.hasPendingChanges { beginAlarms(of: &device) }
    }

    /// The screen is on for the instant, and locked.
    static func glance<World>(_ device: inout Device<World>) {
        if device.display.use.isInSession || device.android.pointee.doze.waitsForUnlock { return }
        change(&device) {
            $0.turnScreen(on: true, at: $1, $2)
            $0.turnScreen(on: false, at: $1, $2)
        }
    }

    static func shake<World>(_ device: inout Device<World>) {
        if device.observer.isWatching && !device.display.use.isInSession { device.note(.motion) }
        change(&device) { $0.move(at: $1, $2) }
    }

    static func followCharging<World>(_ device: inout Device<World>) {
        let isCharging = device.rules.isCharging
        if isCharging == device.rules.doze.isCharging { return }
        if device.observer.isWatching { device.note(isCharging ? .chargingOn : .chargingOff) }
        change(&device) { $0.charge(isCharging, at: $1, $2) }
    }

    static func change<World>(
        _ device: inout Device<World>, _ body: (inout DozeState, Instant, DozeTimes) -> Void
    ) {
        let phase = device.rules.doze.phase
        body(&device.rules.doze, device.now, device.android.pointee.doze)
        if device.observer.isWatching && device.rules.doze.phase != phase { device.noteDoze(device.rules.doze.phase) }
    }

    static func follow<World>(_ device: inout Device<World>) {
        while let nextAt = device.rules.handling?.nextAt, nextAt <= device.now {
            let isMoved = device.rules.handling?.advance(at: device.now) ?? false
            followCharging(&device)
            if isMoved { shake(&device) }
            device.events += 1
        }
        while device.rules.doze.nextAt <= device.now {
            change(&device) { $0.advance(at: $1, $2) }
            device.events += 1
        }
    }
}
