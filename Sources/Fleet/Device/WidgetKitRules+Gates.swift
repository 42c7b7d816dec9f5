import Basics
import WidgetPlatform

/// How background causes become reloads of WidgetKit: through its gates (section 6).
extension DeviceSimulation where Rules == WidgetKitRules {
    /// A background cause waits at the gates (B1).
    mutating func wait(_ i: Int, for cause: ReloadCause) {
        events += 1
        let reception = instances[i].slot.request(background: cause, at: now)
        if case .merged = reception {
            reloadCounts(i)[.merged(cause)] += 1
        } else {
            instances[i].wait = GateWait(at: now)
            instances[i].reloadAt = now
        }
        noteReception(i, cause, reception)
        schedule.touch(i, at: now)
    }

    /// Priority 8 for the instances that have something to do: policies falling due, gates opening, dispatches (T3).
    @inline(__always) mutating func settleGates(_ moved: Bool) {
        for k in 0..<schedule.activeCount where instances[schedule.active[k]].dueAt <= now {
            fallDue(schedule.active[k])
        }
        for k in 0..<schedule.activeCount where instances[schedule.active[k]].slot.phase == .waiting {
            if moved || instances[schedule.active[k]].reloadAt <= now { evaluateGates(schedule.active[k]) }
        }
        // A dispatch brings others with it, which become active.
        var k = 0
        while k < schedule.activeCount {
            let i = schedule.active[k]
            if instances[i].slot.phase == .granted && instances[i].reloadAt <= now { dispatch(i) }
            k += 1
        }
    }

    /// The step of an instance that alone has something to do.
    @inline(__always) mutating func takeGateStep(_ i: Int) {
        switch instances[i].slot.phase {
        case .none:
            fallDue(i)
            evaluateGates(i)
        case .waiting: evaluateGates(i)
        case .granted: dispatch(i)
        case .inFlight: break
        }
    }

    /// A policy falls due (P3–P5, S3).
    private mutating func fallDue(_ i: Int) {
        instances[i].fallDue()
        ask(i, background: instances[i].dueCause)
    }

    /// The gates that are closed now for a reload of an instance, G1 to G5; the account that pays must be settled.
    mutating func closedGates(_ i: Int, for cause: ReloadCause) -> GateSet {
        var closed = GateSet()
        if parameters.gatesOpen { return closed }
        // A reload that counts against no budget needs no token (F1).
        let payer = instances[i].accounts.payer(of: cause)
        let passesBudget = !isCharged(i) || instances[i].accounts.hasToken(payer, in: calendar.accrual)
        if !passesBudget { closed.insert(.budget) }
        if now < GapGate.opening(lastRun: instances[i].lastBackgroundRun, minGap: parameters.minGap) {
            closed.insert(.gap)
        }
        if display.use.isIdle(at: now, after: parameters.idleAfter) { closed.insert(.idle) }
        if kinds[instances[i].kind].isProtected && display.isLocked { closed.insert(.protection) }
        if !condition.letsRefresh { closed.insert(.power) }
        return closed
    }

    /// Looks at the gates of a waiting reload; grants it if all are open (section 6).
    private mutating func evaluateGates(_ i: Int) {
        // A token that was missing comes no sooner than the gates are looked at again, so till then the account, which
        // has none either way, need not be settled.
        let lacksToken = instances[i].wait.closed.contains(.budget) && now < instances[i].reloadAt
        if !lacksToken { settlePayer(i, instances[i].slot.cause) }
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
            // Beyond the interval the rate is another: its end looks again.
            let payer = instances[i].accounts.payer(of: instances[i].slot.cause)
            change = min(calendar.to, instances[i].accounts.tokenInstant(payer, in: calendar.accrual))
        }
        if closed.contains(.gap) {
            change = min(change, GapGate.opening(lastRun: instances[i].lastBackgroundRun, minGap: parameters.minGap))
        }
        if !closed.contains(.idle) {
            change = min(change, display.use.idleInstant(after: parameters.idleAfter, seenFrom: now))
        }
        instances[i].reloadAt = change
    }

    /// Brings the account that pays for a reload up to now.
    @inline(__always) private mutating func settlePayer(_ i: Int, _ cause: ReloadCause) {
        settle(i, instances[i].accounts.payer(of: cause), at: now)
    }

    /// Whether a background reload that is granted now is charged: not while its app is in the foreground or has an
    /// audio or navigation session (F1, F2), where the scenario says so in a workout, and not with open gates.
    @inline(__always) private mutating func isCharged(_ i: Int) -> Bool {
        if parameters.gatesOpen || (parameters.workoutReloadsAreFree && opened.isWorkout) { return false }
        let app = instances[i].app
        return !(parameters.sessionReloadsAreFree && (apps.isInForeground(app) || apps.hasSession(app)))
    }

    /// All gates are open: the reload is charged, if it is not exempt, and runs after the system's delay (B1, G6).
    private mutating func grant(_ i: Int, lastClosed: GateSet) {
        let isCharged = isCharged(i)
        instances[i].slot.grant()
        instances[i].inFlight.grant(isCharged: isCharged)
        schedule.grant(i)
        let cause = instances[i].slot.cause
        countWait(i, since: instances[i].slot.since, .granted)
        if isCharged {
            let pool = instances[i].accounts.payer(of: cause)
            instances[i].accounts.charge(pool, in: calendar.accrual)
            noteCharge(i, pool)
            poolCounts(i, pool)[.spent[calendar.localHour]] += 1
        }
        reloadCounts(i)[.started(cause, charged: isCharged)] += 1
        instances[i].reloadAt =
            now + prepared.dispatchDelay.draw(instances[i].dispatchDelays.next(of: stream(.dispatchDelay, of: i)))
        events += 1
        noteGrant(i, cause, isCharged: isCharged, lastClosed: lastClosed)
    }

    /// A granted reload runs, and brings the device's others with it (G7).
    private mutating func dispatch(_ i: Int) {
        let sampler = link.sampler(at: now)
        if let sampler { sampler.delay = systemDelay(i) }
        defer { sampler?.delay = nil }
        run(i)
        let soon = now + parameters.coalesceWithin
        for j in 0..<instanceCount
        where (schedule.briefs[j].isGranted || schedule.briefs[j].at <= soon) && j != i && instances[j].isInstalled {
            switch instances[j].slot.phase {
            case .granted:
                // Its token is charged already; the other gates must be open still.
                guard closedGates(j, for: instances[j].slot.cause).subtracting(GateSet(.budget)).isEmpty else {
                    continue
                }
                countCoalesced(j, early: false)
                schedule.activate(j)
                run(j)
            case .none:
                // A back-off is not cut short: not by another instance's reload, and not by one that fails in this very
                // instant (S3).
                let isSoon =
                    instances[j].dueAt <= soon && instances[j].dueCause != .backoff
                    && instances[j].alignedDate == .never
                    && instances[j].slot.freeCause == nil
                guard isSoon, parameters.coalesceWithin > .zero else { continue }
                settlePayer(j, instances[j].dueCause)
                guard closedGates(j, for: instances[j].dueCause).isEmpty else { continue }
                let early = instances[j].dueAt > now
                schedule.activate(j)
                fallDue(j)
                grant(j, lastClosed: [])
                countCoalesced(j, early: early)
                run(j)
            case .waiting, .inFlight: continue
            }
        }
    }

    /// The jitter of a granted reload that runs now, if it varies by more than the system's delay and nothing has
    /// withheld the reload; nil otherwise.
    private mutating func jitterDelay(_ i: Int) -> KnownDelay? {
        let kind = instances[i].kind
        guard let jitter = kinds[kind].jitter, kinds[kind].hasClockDates, instances[i].slot.cause == .after,
            grantedAt(i) == instances[i].slot.since,
            kinds[kind].keepsJitter || instances[i].jitters.position > 0,
            jitter.betweenQuartiles > prepared.dispatchDelay.betweenQuartiles
        else { return nil }
        let number =
            kinds[kind].keepsJitter
            ? streams.number(.keptJitter, sub: kind)
            : stream(.policyJitter, of: i).value(at: instances[i].jitters.position - 1)
        let (date, due) = (instances[i].servedDate, instances[i].slot.since)
        // A date before now was cut to now.
        guard date + jitter.draw(number) == due else { return nil }
        return KnownDelay(.jitter(kind: UInt16(kind)), from: date, to: due, drawnFrom: number)
    }

    /// The number from which the delay of a granted reload was drawn, and when that began.
    private mutating func drawnDelay(_ i: Int) -> UInt64 {
        stream(.dispatchDelay, of: i).value(at: instances[i].dispatchDelays.position - 1)
    }

    private mutating func grantedAt(_ i: Int) -> Instant {
        instances[i].reloadAt - prepared.dispatchDelay.draw(drawnDelay(i))
    }

    /// The system's delay of a granted reload that runs now, and of those that it brings.
    private mutating func systemDelay(_ i: Int) -> KnownDelay {
        let granted = grantedAt(i)
        let together = (0..<instanceCount).count {
            // Others that are granted come later: their gates have closed.
            $0 == i
                || instances[$0].slot.phase == .granted && instances[$0].isInstalled && grantedAt($0) == granted
                    && closedGates($0, for: instances[$0].slot.cause).subtracting(GateSet(.budget)).isEmpty
        }
        return KnownDelay(.system, from: granted, to: now, drawnFrom: drawnDelay(i), leastOf: together)
    }

    @inline(__always) private mutating func run(_ i: Int) {
        if let sampler = link.sampler(at: now) { sampler.jitter = jitterDelay(i) }
        instances[i].slot.run()
        instances[i].lastBackgroundRun = now
        fly(i, isCharged: instances[i].inFlight.isCharged)
    }

    private mutating func countCoalesced(_ i: Int, early: Bool) {
        reloadCounts(i)[.coalesced] += 1
        if early { reloadCounts(i)[.early] += 1 }
    }
}
