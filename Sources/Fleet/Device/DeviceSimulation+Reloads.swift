import Basics
import WidgetPlatform

/// How causes become reloads: free ones as soon as they reach the widget (section 7), background ones as the platform
/// has it.
extension DeviceSimulation {
    /// A free cause arises (section 7).
    mutating func ask(_ i: Int, free cause: ReloadCause) { ask(i, free: cause, changedAt: now) }

    /// - Parameter changedAt: when the change came that the cause pays for (G8); now for a cause that pays for none.
    mutating func ask(_ i: Int, free cause: ReloadCause, changedAt: Instant) {
        guard instances[i].isInstalled else { return }
        events += 1
        let reception = instances[i].slot.request(
            free: cause, at: now, changedAt: changedAt, delay: freeDelay(i, cause))
        if case .merged = reception { reloadCounts(i)[.merged(cause)] += 1 }
        noteReception(i, cause, reception)
        if case .taking(let phase) = reception { take(i, phase) }
        schedule.touch(i, at: now)
    }

    /// How long a free reload takes to reach the widget (section 7): what a view or an installation asks for is there
    /// at once.
    private mutating func freeDelay(_ i: Int, _ cause: ReloadCause) -> Duration {
        switch cause {
        case .appOpen, .appCall, .userSession, .configuration:
            return prepared.freeDelay.draw(instances[i].freeDelays.nextPair(of: stream(.freeDelay, of: i)).first)
        case .interaction:
            return prepared.interactionDelay.draw(instances[i].freeDelays.nextPair(of: stream(.freeDelay, of: i)).first)
        case .environment:
            let numbers = instances[i].freeDelays.nextPair(of: stream(.freeDelay, of: i))
            return prepared.environmentSpread.draw(numbers.second) + prepared.freeDelay.draw(numbers.first)
        case .first, .location, .staleOnView, .after, .atEnd, .backoff, .appTrigger, .push: return .zero
        }
    }

    /// The waiting or granted reload of an instance ends: a free one takes it with it, and is the one pending from now
    /// on (G8).
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
            let isCharged = instances[i].inFlight.isCharged
            counts[.ended(cause, charged: isCharged, .taken)] += 1
            if observer.isWatching {
                note(
                    .taken, instance: i, cause: cause, isCharged: isCharged,
                    detail: "granted, but a free reload runs instead")
            }
        }
    }

    /// A background cause arises (B1).
    mutating func ask(_ i: Int, background cause: ReloadCause) {
        if instances[i].isInstalled { Rules.ask(i, background: cause, on: &self) }
    }

    /// An installation, or a free reload: it runs, or the lock holds it.
    mutating func beginFree(_ i: Int) {
        if !instances[i].isInstalled && instances[i].installedAt <= now { install(i) }
        if instances[i].slot.freeCause == nil || instances[i].slot.freeAt > now { return }
        if canRunFree(i) { runFree(i) } else if instances[i].wait.closed.isEmpty { holdFree(i) }
    }

    /// A free reload of protected content waits for the device to be unlocked (G4).
    private mutating func holdFree(_ i: Int) {
        instances[i].wait = GateWait()
        instances[i].wait.evaluate(GateSet(.protection), at: now)
        if let cause = instances[i].slot.freeCause { noteWithheld(i, cause, GateSet(.protection)) }
    }

    /// Whether a free reload that has reached the widget can run now: protected content waits for the device to be
    /// unlocked (G4).
    mutating func canRunFree(_ i: Int) -> Bool {
        parameters.gatesOpen || !(kinds[instances[i].kind].isProtected && display.isLocked)
    }

    /// Runs the free reload of an instance (section 7).
    private mutating func runFree(_ i: Int) {
        let lastClosed = instances[i].wait.closed
        let heldSince = instances[i].slot.freeAt
        instances[i].slot.runFree()
        let cause = instances[i].slot.cause
        reloadCounts(i)[.started(cause, charged: false)] += 1
        events += 1
        if lastClosed.isEmpty {
            if observer.isWatching { note(.granted, instance: i, cause: cause, isCharged: false) }
        } else {
            instances[i].wait.evaluate([], at: now)
            countWait(i, since: heldSince, .granted)
            noteGrant(i, cause, isCharged: false, lastClosed: lastClosed)
        }
        fly(i, isCharged: false)
    }

    /// Books a wait that has ended, by a grant, of a free reload too, or by a free reload that took it.
    @inline(__always) mutating func countWait(_ i: Int, since: Instant, _ end: WaitEnd) {
        guard report.hasBegun else { return }
        let counts = reloadCounts(i)
        instances[i].wait.everClosed.forEach { gate in
            counts[.waits(end, gate).number] += 1
            counts.add(instances[i].wait.microseconds[gate.ordinal], to: .waits(end, gate).time)
        }
        let whole = now - since
        if whole > .zero {
            counts[.wholeWaits(end).number] += 1
            counts.add(whole.microseconds, to: .wholeWaits(end).time)
        }
    }
}
