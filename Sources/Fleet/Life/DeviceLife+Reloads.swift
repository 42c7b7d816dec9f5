import Measures
import SimulatedTime
import WidgetPlatform

/// How causes become reloads: free ones as soon as they reach the widget, background ones through the gates (sections 6 and 7).
extension DeviceLife {
    /// A free cause arises (section 7).
    mutating func ask(_ i: Int, free cause: ReloadCause) { ask(i, free: cause, changedAt: now) }

    /// - Parameter changedAt: when the change came that the cause pays for (G8); now for a cause that pays for none.
    mutating func ask(_ i: Int, free cause: ReloadCause, changedAt: Instant) {
        guard instances[i].isInstalled else { return }
        events += 1
        let reception = instances[i].slot.request(free: cause, at: now, changedAt: changedAt, delay: freeDelay(i, cause))
        if reception == .merged { reloadCounts(i)[.merged(cause)] += 1 }
        noteReception(i, cause, reception)
        if case .taking(let phase) = reception { take(i, phase) }
        touch(i)
    }

    /// How long a free reload takes to reach the widget (section 7): what a view or an installation asks for is there at once.
    private mutating func freeDelay(_ i: Int, _ cause: ReloadCause) -> Duration {
        switch cause {
        case .appOpen, .appCall, .userSession, .configuration: return prepared.freeDelay.draw(instances[i].freeDelays.nextPair().first)
        case .interaction: return prepared.interactionDelay.draw(instances[i].freeDelays.nextPair().first)
        case .environment:
            let numbers = instances[i].freeDelays.nextPair()
            return prepared.environmentSpread.draw(numbers.second) + prepared.freeDelay.draw(numbers.first)
        case .first, .location, .staleOnView, .after, .atEnd, .backoff, .appTrigger, .push: return .zero
        }
    }

    /// The waiting or granted reload of an instance ends: a free one takes it with it, and is the one pending from now on (G8).
    private mutating func take(_ i: Int, _ phase: ReloadSlot.Phase) {
        let cause = instances[i].slot.cause
        let counts = reloadCounts(i)
        instances[i].reloadAt = .never
        if phase == .waiting {
            instances[i].wait.evaluate([], at: now)
            countWait(i, since: instances[i].slot.since, .taken)
            counts[.merged(cause)] += 1
            noteTakenWait(i, cause)
        } else {
            counts[.ended(cause, charged: true, .taken)] += 1
            if Observer.isWatching {
                note(.taken, instance: i, cause: cause, isCharged: true, detail: "granted, but a free reload runs instead")
            }
        }
    }

    /// A background cause arises (B1).
    mutating func ask(_ i: Int, background cause: ReloadCause) {
        guard instances[i].isInstalled else { return }
        events += 1
        let reception = instances[i].slot.request(background: cause, at: now)
        if reception == .merged {
            reloadCounts(i)[.merged(cause)] += 1
        } else {
            instances[i].wait = GateWait()
            instances[i].wait.evaluatedAt = now
            instances[i].reloadAt = now
        }
        noteReception(i, cause, reception)
        touch(i)
    }

    /// Rank 8: installations and free reloads, policies falling due, gates opening, dispatches (T3).
    mutating func settleReloads() {
        let moved = gatesMoved
        gatesMoved = false
        guard clocks.instancesAt <= now || (moved && hasHeldReload) else { return }
        findActive(moved)
        settleActive(moved)
        findNext()
    }

    /// The course of an instance that alone has something to do, step by step, as long as nothing else of the device comes before its next step: due,
    /// gates, grant, dispatch, fix, request, answer, policy.
    ///
    /// - Parameter limit: the next clock that is no instance's.
    mutating func runCourse(of i: Int, before limit: Instant) {
        var limit = limit
        for j in 0..<instanceCount where j != i { limit = min(limit, briefs[j].at) }
        repeat {
            now = briefs[i].at
            takeStep(i)
            // A timeline can bring pushes with it, and a request an answer that is not known yet.
            limit = min(limit, min(clocks.callsAt, clocks.horizon))
        } while activeCount == 1 && briefs[i].at < limit
        findNext()
    }

    /// Mostly the one thing that the instance's reload waits for. What that leaves for the same instant comes next.
    private mutating func takeStep(_ i: Int) {
        active[0] = i
        activeCount = 1
        let phase = instances[i].slot.phase
        let isDue = instances[i].dueAt <= now
        guard instances[i].isInstalled, instances[i].slot.freeCause == nil, isDue == (phase == .none) else {
            if briefs[i].awaitsAnswer && instances[i].reloadAt <= now { takeAnswer(i) }
            settleActive(false)
            return
        }
        switch phase {
        case .none:
            fallDue(i)
            evaluateGates(i)
        case .waiting: evaluateGates(i)
        case .granted: dispatch(i)
        case .inFlight: if briefs[i].awaitsAnswer { takeAnswer(i) }
        }
        goOnWithFlights()
    }

    /// Rank 8 for the instances that have something to do, each step of all before the next.
    private mutating func settleActive(_ moved: Bool) {
        for k in 0..<activeCount { begin(active[k]) }
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
            let i = active[k]
            if instances[i].reloadAt <= now && instances[i].slot.phase == .inFlight && !instances[i].flight.awaitsAnswer { goOn(i) }
            updateClock(i)
        }
    }

    /// An installation, or a free reload: it runs, or the lock holds it.
    private mutating func begin(_ i: Int) {
        if !instances[i].isInstalled && instances[i].installedAt <= now { install(i) }
        if instances[i].slot.freeCause == nil || instances[i].slot.freeAt > now { return }
        if canRunFree(i) { runFree(i) } else if instances[i].wait.closed.isEmpty { holdFree(i) }
    }

    /// A free reload of protected content waits for the device to be unlocked (G4).
    private mutating func holdFree(_ i: Int) {
        instances[i].wait = GateWait()
        instances[i].wait.evaluate(.protection, at: now)
        if let cause = instances[i].slot.freeCause { noteWithheld(i, cause, .protection) }
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
                instances[i].own.account.checkInvariants()
                instances[i].pushed.account.checkInvariants()
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
    private mutating func activate(_ i: Int) {
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

    /// Whether a free reload that has reached the widget can run now: protected content waits for the device to be unlocked (G4).
    private mutating func canRunFree(_ i: Int) -> Bool { !(kinds[instances[i].kind].isProtected && isLocked) }

    /// Runs the free reload of an instance (section 7).
    private mutating func runFree(_ i: Int) {
        let lastClosed = instances[i].wait.closed
        let heldSince = instances[i].slot.freeAt
        instances[i].slot.runFree()
        let cause = instances[i].slot.cause
        reloadCounts(i)[.started(cause, charged: false)] += 1
        events += 1
        if lastClosed.isEmpty {
            if Observer.isWatching { note(.granted, instance: i, cause: cause, isCharged: false) }
        } else {
            instances[i].wait.evaluate([], at: now)
            countWait(i, since: heldSince, .granted)
            noteGrant(i, cause, isCharged: false, lastClosed: lastClosed)
        }
        fly(i, isCharged: false)
    }

    /// A policy falls due (P3–P5, S3).
    private mutating func fallDue(_ i: Int) {
        instances[i].dueAt = .never
        if instances[i].alignedDate < .never {
            instances[i].servedDate = instances[i].alignedDate
            instances[i].alignedDate = .never
        }
        ask(i, background: instances[i].dueCause)
    }

    /// Whether a reload of the cause is paid from the pool of pushed reloads (B7).
    private mutating func isPaidByPushes(_ i: Int, _ cause: ReloadCause) -> Bool { instances[i].hasPushPool && cause == .push }

    /// The gates that are closed now for a reload of an instance, G1 to G5; the account that pays must be settled.
    private mutating func closedGates(_ i: Int, for cause: ReloadCause) -> GateSet {
        var closed = GateSet()
        if parameters.gatesOpen { return closed }
        let hasToken = isPaidByPushes(i, cause) ? instances[i].pushed.account.hasToken : instances[i].own.account.hasToken
        if !hasToken { closed.insert(.budget) }
        if now < GapGate.opening(lastRun: instances[i].lastBackgroundRun, minGap: parameters.minGap) { closed.insert(.gap) }
        if use.isIdle(at: now, after: parameters.idleAfter) { closed.insert(.idle) }
        if kinds[instances[i].kind].isProtected && isLocked { closed.insert(.protection) }
        if !condition.hasBackgroundRefresh || condition.isLowPower { closed.insert(.power) }
        return closed
    }

    /// Looks at the gates of a waiting reload; grants it if all are open (section 6).
    private mutating func evaluateGates(_ i: Int) {
        settlePayer(i, instances[i].slot.cause)
        let closed = closedGates(i, for: instances[i].slot.cause)
        let isNew = instances[i].wait.everClosed.isEmpty
        let lastClosed = instances[i].wait.closed
        instances[i].wait.evaluate(closed, at: now)
        if closed.isEmpty {
            grant(i, lastClosed: lastClosed)
            return
        }
        if isNew { noteWithheld(i, instances[i].slot.cause, closed) }
        var change = Instant.never
        if closed.contains(.budget) {
            // Beyond the stretch the rate is another: its end looks again.
            let token =
                isPaidByPushes(i, instances[i].slot.cause)
                ? instances[i].pushed.account.tokenInstant : instances[i].own.account.tokenInstant
            change = token <= budget.calendar.to ? token : budget.calendar.to
        }
        if closed.contains(.gap) {
            change = min(change, GapGate.opening(lastRun: instances[i].lastBackgroundRun, minGap: parameters.minGap))
        }
        if !closed.contains(.idle) { change = min(change, use.idleInstant(after: parameters.idleAfter, seenFrom: now)) }
        instances[i].reloadAt = change
    }

    /// Brings the account that pays for a reload up to now.
    private mutating func settlePayer(_ i: Int, _ cause: ReloadCause) {
        if isPaidByPushes(i, cause) { instances[i].pushed.settle(at: now) } else { instances[i].own.settle(at: now) }
    }

    /// All gates are open: the reload is charged, and runs after the system's delay (B1, G6).
    private mutating func grant(_ i: Int, lastClosed: GateSet) {
        instances[i].slot.grant()
        // Another that is dispatched in this instant looks for company.
        briefs[i].isGranted = true
        let cause = instances[i].slot.cause
        countWait(i, since: instances[i].slot.since, .granted)
        if !parameters.gatesOpen {
            let isPushed = isPaidByPushes(i, cause)
            if isPushed { instances[i].pushed.charge() } else { instances[i].own.charge() }
            poolCounts(i, isPushed ? .pushed : .own)[.spent(atHour: budget.calendar.localHour)] += 1
        }
        reloadCounts(i)[.started(cause, charged: true)] += 1
        instances[i].reloadAt = now + prepared.dispatchDelay.draw(instances[i].dispatchDelays.next())
        events += 1
        noteGrant(i, cause, isCharged: !parameters.gatesOpen, lastClosed: lastClosed)
    }

    /// A granted reload runs, and brings the device's others with it (G7).
    private mutating func dispatch(_ i: Int) {
        run(i)
        let soon = now + parameters.coalesceWithin
        for j in 0..<instanceCount where (briefs[j].isGranted || briefs[j].at <= soon) && j != i && instances[j].isInstalled {
            switch instances[j].slot.phase {
            case .granted:
                // Its token is charged already; the other gates must be open still.
                guard closedGates(j, for: instances[j].slot.cause).subtracting(.budget).isEmpty else { continue }
                countCoalesced(j, early: false)
                activate(j)
                run(j)
            case .none:
                let isSoon = instances[j].dueAt <= soon && instances[j].alignedDate == .never && instances[j].slot.freeCause == nil
                guard isSoon, parameters.coalesceWithin > .zero else { continue }
                settlePayer(j, instances[j].dueCause)
                guard closedGates(j, for: instances[j].dueCause).isEmpty else { continue }
                let early = instances[j].dueAt > now
                activate(j)
                fallDue(j)
                grant(j, lastClosed: [])
                countCoalesced(j, early: early)
                run(j)
            case .waiting, .inFlight: continue
            }
        }
    }

    private mutating func run(_ i: Int) {
        instances[i].slot.run()
        instances[i].lastBackgroundRun = now
        fly(i, isCharged: !parameters.gatesOpen)
    }

    private mutating func countCoalesced(_ i: Int, early: Bool) {
        reloadCounts(i)[.coalesced] += 1
        if early { reloadCounts(i)[.early] += 1 }
    }

    /// Books a wait that has ended, by a grant, of a free reload too, or by a free reload that took it.
    private mutating func countWait(_ i: Int, since: Instant, _ end: WaitEnd) {
        let counts = reloadCounts(i)
        instances[i].wait.everClosed.forEach { gate in
            counts[.waits(end, under: gate)] += 1
            counts.add(instances[i].wait.microseconds[gate.ordinal], to: .waitTime(end, under: gate))
        }
        let whole = now - since
        if whole > .zero {
            counts[.wholeWaits(end)] += 1
            counts.add(whole.microseconds, to: .wholeWaitTime(end))
        }
    }
}
