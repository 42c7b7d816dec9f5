import Basics
import People
import Statistics
import WidgetPlatform

/// Taps on widgets, which open their app (V5).
extension DeviceSimulation {
    /// The person may tap what they see.
    mutating func considerTap(_ i: Int) {
        let draw = streams.number(.tap, sub: instances[i].number, at: person.pickupNumber)
        guard kinds[instances[i].kind].tap.holds(draw) else { return }
        instances[i].isTapped = true
        display.hasTaps = true
    }

    /// Priority 6: the taps that the views of this instant lead to.
    mutating func takeTaps() {
        display.hasTaps = false
        for i in 0..<instanceCount where instances[i].isTapped {
            instances[i].isTapped = false
            events += 1
            tap(i)
        }
    }

    /// A widget is tapped: its app comes to the foreground, as by any opening (D4, F1), for as long as the person's own
    /// openings of it last. Only an unlocked device in use lets it.
    mutating func tap(_ i: Int) {
        guard instances[i].isInstalled, display.isWorn, use.isInSession else { return }
        count(.taps)
        note(.tap, instance: i)
        let app = instances[i].app
        // Taps of one instant on the widgets of one app open it once.
        if Int(apps.tapped) == app && apps.tappedAt == now { return }
        if apps.foreground & (1 << UInt16(app)) == 0 {
            endTap()
            if apps.foreground != 0 { closeApp(apps.foreground.trailingZeroBitCount) }
        }
        apps.tapped = Int8(app)
        apps.tappedAt = now
        bringToForeground(app)
        // Recorded devices have a recorded end.
        guard segment < prepared.population.segments.count else { return }
        let time = prepared.population.segments[segment].foregroundTime(ofApp: app)
        clocks.tapEndsAt = now + time.draw(streams.number(.tapForegroundTime, sub: app, at: person.pickupNumber))
    }

    /// The app that a tap has opened leaves the foreground: when its time is over, at the lock, or as another's opening
    /// takes its place.
    ///
    /// - Parameter app: one that is opened in this instant; if it is the same, it stays, and that opening says how
    ///   long.
    mutating func endTap(unlessOf app: Int = -1) {
        guard apps.tapped >= 0 else { return }
        clocks.tapEndsAt = .never
        if Int(apps.tapped) == app {
            apps.tapped = -1
            return
        }
        closeApp(Int(apps.tapped))
    }
}
