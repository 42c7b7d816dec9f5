import Basics
import WidgetPlatform

/// The order in which the instances of a device act (T3, priority 8): all that are due in one instant, step by step; one alone on its fast path.
extension DeviceSimulation {
    /// EventPriority 8: installations and free reloads, policies falling due, gates opening, dispatches (T3).
    mutating func settleReloads() {
        let moved = gatesMoved
        gatesMoved = false
        guard clocks.instancesAt <= now || (moved && hasHeldReload) else { return }
        findActive(moved)
        settleActive(moved)
        findNext()
    }

    /// The fast path of an instance that alone has something to do, step by step, as long as nothing else of the device comes before its next step: due,
    /// gates, grant, dispatch, fix, request, answer, policy.
    ///
    /// - Parameter limit: the next clock that is no instance's.
    mutating func runFastPath(of i: Int, before limit: Instant) {
        var limit = limit
        for j in 0..<instanceCount where j != i { limit = min(limit, briefs[j].at) }
        active[0] = i
        activeCount = 1
        var next = briefs[i].at
        repeat {
            now = next
            takeStep(i)
            // A timeline can bring pushes with it, and a request an answer that is not known yet.
            limit = min(limit, min(clocks.callsAt, clocks.horizon))
            #if DEBUG
                for j in 0..<instanceCount where j != i && activeCount == 1 {
                    precondition(briefs[j].at >= limit, "a step of one instance has set the clock of another")
                }
            #endif
            next = nextStep(i)
        } while activeCount == 1 && next < limit
        if activeCount == 1 { updateClock(i) }
        findNext()
    }

    /// The next instant at which an instance that runs its course has something to do. Its clock is set at the end of the course.
    @inline(__always) private mutating func nextStep(_ i: Int) -> Instant {
        if isPlain(i) { return min(instances[i].dueAt, min(instances[i].reloadAt, instances[i].actions.first)) }
        updateClock(i)
        return briefs[i].at
    }

    /// Whether an instance is there and no free reload is on its way to it.
    @inline(__always) private mutating func isPlain(_ i: Int) -> Bool { instances[i].isInstalled && instances[i].slot.freeCause == nil }

    /// Mostly the one thing that the instance's reload waits for. Whatever else that leaves for the same instant comes next.
    @inline(__always) private mutating func takeStep(_ i: Int) {
        let phase = instances[i].slot.phase
        let isDue = instances[i].dueAt <= now
        guard isPlain(i), isDue == (phase == .none) else {
            if instances[i].flight.awaitsAnswer && instances[i].reloadAt <= now { takeAnswer(i) }
            settleActive(false)
            return
        }
        switch phase {
        case .none:
            fallDue(i)
            evaluateGates(i)
        case .waiting: evaluateGates(i)
        case .granted: dispatch(i)
        case .inFlight: if instances[i].flight.awaitsAnswer { takeAnswer(i) }
        }
        if activeCount > 1 { goOnWithFlights() } else { goOnWithFlight(i) }
    }

    /// EventPriority 8 for the instances that have something to do, each step of all before the next.
    private mutating func settleActive(_ moved: Bool) {
        for k in 0..<activeCount { beginFree(active[k]) }
        for k in 0..<activeCount where instances[active[k]].dueAt <= now { fallDue(active[k]) }
        for k in 0..<activeCount where instances[active[k]].slot.phase == .waiting {
            if moved || instances[active[k]].reloadAt <= now { evaluateGates(active[k]) }
        }
        // A dispatch brings others with it, which become active.
        var k = 0
        while k < activeCount {
            let i = active[k]
            if instances[i].slot.phase == .granted && instances[i].reloadAt <= now { dispatch(i) }
            k += 1
        }
        goOnWithFlights()
    }

    /// Flights that begin or are at their next step, and the clocks of all that had something to do.
    private mutating func goOnWithFlights() {
        for k in 0..<activeCount {
            goOnWithFlight(active[k])
            updateClock(active[k])
        }
    }

    @inline(__always) private mutating func goOnWithFlight(_ i: Int) {
        if instances[i].reloadAt <= now && instances[i].slot.phase == .inFlight && !instances[i].flight.awaitsAnswer { resume(i) }
    }

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
                instances[i].own.account.checkInvariants(in: budget.accrual)
                instances[i].pushed.account.checkInvariants(in: budget.accrual)
            #endif
        }
        (clocks.instancesAt, clocks.soleInstance, hasHeldReload) = (next, sole, isAnyHeld)
    }

    /// The instances with something to do now: their clock is due, or they wait and a gate may have moved.
    private mutating func findActive(_ moved: Bool) {
        var count = 0
        for i in 0..<instanceCount where briefs[i].at <= now || (moved && briefs[i].isHeld) {
            active[count] = i
            count += 1
        }
        activeCount = count
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
                // One that the end of a flight set off runs in the same instant, or begins to wait for the device to be unlocked.
                if canRunFree(i) || instances[i].wait.closed.isEmpty { next = now }
            }
        }
        briefs[i].at = next
        briefs[i].isHeld = isHeld
        briefs[i].awaitsAnswer = instances[i].flight.awaitsAnswer
        briefs[i].isGranted = instances[i].slot.phase == .granted
    }
}
