import Basics
import People
import Statistics
import WidgetPlatform

/// When the instances of a device have something to do next.
extension DeviceSimulation {
    /// The earliest clock of all, whose it is if it is one's alone, and whether any reload is held.
    mutating func findNext() {
        var (next, sole, isAnyHeld) = (Instant.never, -1, false)
        for i in 0..<instanceCount {
            let at = briefs[i].at
            sole = at < next ? i : at == next ? -1 : sole
            next = min(next, at)
            if briefs[i].isHeld { isAnyHeld = true }
            #if DEBUG
                instances[i].slot.checkInvariants()
                instances[i].accounts.checkInvariants(in: calendar.accrual)
            #endif
        }
        (clocks.instancesAt, clocks.soleInstance, hasHeldReload) = (next, sole, isAnyHeld)
    }

    /// Another instance has something to do in this instant.
    mutating func activate(_ i: Int) {
        var place = activeCount
        while place > 0 && active[place - 1] > i { place -= 1 }
        if place > 0 && active[place - 1] == i { return }
        for k in stride(from: activeCount, to: place, by: -1) { active[k] = active[k - 1] }
        active[place] = i
        activeCount += 1
    }

    /// Something of an instance has changed: it is looked at in this instant.
    mutating func touch(_ i: Int) {
        briefs[i].at = now
        clocks.instancesAt = now
        clocks.soleInstance = -1
    }

    /// Sets the clock of an instance from its state.
    mutating func updateClock(_ i: Int) {
        var next = instances[i].isInstalled ? instances[i].dueAt : instances[i].installedAt
        next = min(next, min(instances[i].reloadAt, instances[i].actions.first))
        var isHeld = instances[i].slot.phase == .waiting
        if instances[i].slot.freeCause != nil {
            if instances[i].slot.freeAt > now {
                next = min(next, instances[i].slot.freeAt)
            } else {
                isHeld = true
                // One that the end of a flight set off runs in the same instant, or begins to wait for the device to be
                // unlocked.
                if canRunFree(i) || instances[i].wait.closed.isEmpty { next = now }
            }
        }
        briefs[i].at = next
        briefs[i].isHeld = isHeld
        briefs[i].awaitsAnswer = instances[i].flight.awaitsAnswer
        briefs[i].isGranted = instances[i].slot.phase == .granted
    }
}
