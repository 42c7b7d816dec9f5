import Basics
import People
import Statistics
import WidgetPlatform

/// The loop: from one instant at which anything happens to the device to the next.
extension DeviceSimulation {
    /// Runs from the start to the end.
    mutating func run() {
        begin()
        advance()
        finish()
    }

    /// Runs from the start for a while only, as if the run ended there: to an instant, or until so many events have
    /// happened; for samples.
    ///
    /// - Returns: how far it has come. It looks after ever longer intervals whether there were enough events, so there
    ///   can be twice as many.
    mutating func run(until last: Instant, events most: Int64) -> Instant {
        begin()
        var interval = Duration.minutes(1)
        while true {
            clocks.horizon = min(last, .start + interval)
            advance()
            if clocks.horizon == last || events >= most { break }
            interval = interval + interval
        }
        end = clocks.horizon
        finish()
        return end
    }

    /// Runs to the horizon.
    mutating func advance() {
        (clocks.worldAt, clocks.worldPriority) = (world.nextAt, world.nextPriority)
        clocks.slowAt = nextOfSlow
        var quickAt = nextOfQuick
        while true {
            let othersAt = min(clocks.worldAt, min(clocks.slowAt, quickAt))
            if clocks.instancesAt < othersAt {
                // Nothing but instances of the device.
                if clocks.instancesAt >= clocks.horizon { break }
                if clocks.soleInstance >= 0 {
                    runFastPath(of: clocks.soleInstance, before: othersAt)
                } else {
                    now = clocks.instancesAt
                    takeAnswers()
                    settleReloads()
                }
                // A timeline can bring pushes with it, and nothing else.
                quickAt = min(quickAt, clocks.callsAt)
                continue
            }
            if othersAt >= clocks.horizon { break }
            if clocks.worldAt == othersAt && usePlainly() {
                quickAt = nextOfQuick
                continue
            }
            now = othersAt
            if clocks.slowAt <= now {
                if clocks.reportStartsAt == now { beginReport() }
                if calendar.to <= now { rollBudgets() }
            }
            takeInstant()
            if clocks.slowMoved || clocks.slowAt <= now {
                clocks.slowAt = nextOfSlow
                clocks.slowMoved = false
            }
            quickAt = nextOfQuick
            #if DEBUG
                checkInvariants()
            #endif
        }
    }

    /// Checks, after an instant, the invariants that the parts' comments state.
    mutating func checkInvariants() {
        clocks.checkInvariants(at: now)
        precondition(
            clocks.slowAt == nextOfSlow, "a pickup, glance or lock has moved a clock that stands behind another")
        display.checkInvariants()
        apps.checkInvariants()
        whereabouts.checkInvariants(at: now)
        precondition(calendar.to >= now, "the accrual interval ended at \(calendar.to.microseconds) µs")
    }

    /// The earliest of all clocks but the instances' own.
    var nextOfOthers: Instant {
        mutating get { min(world.nextAt, min(nextOfSlow, nextOfQuick)) }
    }

    /// The earliest of the clocks that no pickup, glance or lock moves.
    var nextOfSlow: Instant {
        mutating get {
            min(
                min(calendar.to, whereabouts.timeChangeAt),
                min(min(whereabouts.reportAt.0, whereabouts.reportAt.1), clocks.reportStartsAt))
        }
    }

    /// The earliest of the clocks that any use can move.
    var nextOfQuick: Instant {
        mutating get { min(clocks.callsAt, min(clocks.actionsAt, clocks.tapEndsAt)) }
    }
}
