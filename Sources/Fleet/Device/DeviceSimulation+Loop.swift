import Basics

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
    /// - Parameters:
    ///   - most: it looks after ever longer intervals whether there were enough events, so there can be twice as many.
    ///   - bound: so many events end it at once, whatever the interval.
    /// - Returns: how far it has come, and its events.
    mutating func run(until last: Instant, events most: Int64, atMost bound: Int64) -> (until: Instant, events: Int64) {
        begin()
        var interval = Duration.minutes(1)
        while true {
            clocks.horizon = min(last, .start + interval)
            advance(events: bound)
            if events >= bound && now < clocks.horizon {
                // The rest of the instant comes, too.
                clocks.horizon = min(clocks.horizon, now + .microsecond)
                advance()
                break
            }
            if clocks.horizon == last || events >= most { break }
            interval = interval + interval
        }
        report.end = clocks.horizon
        finish()
        return (report.end, events)
    }

    /// An instance alone on the fast path is looked at after so long where events are bounded.
    private static var lookInterval: Duration { .milliseconds(100) }

    /// Runs to the horizon.
    ///
    /// - Parameter bound: with so many events of the device it ends earlier, at an instant that is not over.
    mutating func advance(events bound: Int64 = .max) {
        clocks.follow(&world)
        clocks.slowAt = nextOfSlow
        var quickAt = nextOfQuick
        while events < bound {
            let othersAt = min(clocks.worldAt, min(clocks.slowAt, quickAt))
            if schedule.nextAt < othersAt {
                // Nothing but instances of the device.
                if schedule.nextAt >= clocks.horizon { break }
                if !Rules.hasOwnClock && schedule.sole >= 0 {
                    let look = bound == .max ? othersAt : min(othersAt, schedule.nextAt + Self.lookInterval)
                    runFastPath(of: schedule.sole, before: look)
                } else {
                    now = schedule.nextAt
                    takeAnswers()
                    settleReloads()
                }
                // A timeline can bring pushes with it, and nothing else.
                quickAt = min(quickAt, min(clocks.callsAt, rules.nextAt))
                continue
            }
            if othersAt >= clocks.horizon { break }
            if !Rules.hasOwnClock && clocks.worldAt == othersAt && usePlainly() {
                quickAt = nextOfQuick
                continue
            }
            now = othersAt
            if clocks.slowAt <= now {
                if clocks.reportStartsAt == now { beginReport() }
                if calendar.to <= now { turnCalendar() }
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
        schedule.checkInvariants(at: now)
        for i in 0..<instanceCount {
            instances[i].slot.checkInvariants()
            instances[i].accounts.checkInvariants(in: calendar.accrual)
        }
        precondition(
            clocks.slowAt == nextOfSlow, "a pickup, glance or lock has moved a clock that stands behind another")
        display.checkInvariants()
        apps.checkInvariants(at: now)
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
            min(min(calendar.to, whereabouts.nextAt), clocks.reportStartsAt)
        }
    }

    /// The earliest of the clocks that any use can move.
    var nextOfQuick: Instant {
        mutating get { min(min(clocks.callsAt, rules.nextAt), min(clocks.actionsAt, apps.tapEndsAt)) }
    }

    /// Sets the clock of an instance from its state.
    mutating func updateClock(_ i: Int) {
        var next = instances[i].isInstalled ? instances[i].dueAt : instances[i].installedAt
        next = min(next, min(instances[i].reloadAt, instances[i].actions.first))
        var isHeld = instances[i].slot.phase == .waiting
        var isHeldByUse = isHeld && instances[i].wait.canOpenByUse
        if instances[i].slot.freeCause != nil {
            if instances[i].slot.freeAt > now {
                next = min(next, instances[i].slot.freeAt)
            } else {
                (isHeld, isHeldByUse) = (true, true)
                // One that the end of a reload in flight set off runs in the same instant, or begins to wait for the
                // device to be unlocked.
                if canRunFree(i) || instances[i].wait.closed.isEmpty { next = now }
            }
        }
        schedule.set(
            i, at: next, isHeld: isHeld, byUse: isHeldByUse, awaitsAnswer: instances[i].inFlight.awaitsAnswer,
            isGranted: instances[i].slot.phase == .granted)
    }
}
