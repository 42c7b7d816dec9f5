import Basics
import WidgetPlatform

/// Calls and pushes that apps and their servers make by themselves (B1, B7, F1, F2; T3, priority 7): rhythms of user
/// sessions, pushes, background wake-ups.
extension DeviceSimulation {
    /// Sets the first times of all that comes by itself.
    mutating func beginCalls() {
        for kind in 0..<prepared.kinds.count where kinds[kind].wakeUps.everCome {
            if hasInstance(where: { $0.kind == kind }) { planWakeUp(kind) }
        }
        for campaign in 0..<pushes.campaignCount {
            // The app's server knows of no other devices.
            let app = prepared.campaigns[campaign].app
            guard hasInstance(where: { [kinds] in $0.app == app && kinds[$0.kind].takesPushes }) else { continue }
            pushes.campaigns[campaign].follow()
            takeSendings(campaign)
        }
        beginFetches()
        findCalls()
    }

    /// Everything of priority 7 that is due at this instant.
    mutating func takeCalls() {
        for kind in 0..<prepared.kinds.count where kindStates[kind].rhythmAt == now { callByRhythm(kind) }
        askCalled(free: .userSession)
        takePublications()
        for campaign in 0..<pushes.campaignCount where pushes.campaigns[campaign].isFollowed {
            takeSendings(campaign)
            while pushes.campaigns[campaign].takePush(at: now) {
                receivePush(ofApp: (prepared.campaigns.baseAddress! + campaign).pointee.app, .campaign(campaign))
            }
        }
        takeContentPushes()
        for kind in 0..<prepared.kinds.count where kindStates[kind].wakeUpAt == now {
            planWakeUp(kind)
            wakeApp(forKind: kind, isPushed: false)
        }
        if apps.hasHeldCalls && condition.isOnline { releaseHeldCalls() }
        takeFetches()
        findCalls()
    }

    /// The calls of apps that were closed or opened in this instant (F1): of the same priority as what comes by itself,
    /// and after it.
    mutating func takeOwnCalls() {
        instant.hasOwnCalls = false
        for i in 0..<instanceCount {
            while let cause = instances[i].ownCalls.next() { callFromForeground(i, cause) }
        }
    }

    /// The earliest of them.
    mutating func findCalls() {
        var next = Instant.never
        for kind in 0..<prepared.kinds.count {
            next = min(next, min(kindStates[kind].rhythmAt, kindStates[kind].wakeUpAt))
            next = min(next, kindStates[kind].publishAt)
        }
        for i in 0..<instanceCount { next = min(next, min(instances[i].pushes.nextAt, instances[i].calls.heldUntil)) }
        next = min(next, min(pushes.nextAt, fetches.nextAt))
        clocks.callsAt = apps.hasHeldCalls && condition.isOnline ? now : next
    }

    /// Whether any instance on the device is so.
    mutating func hasInstance(where isSo: (borrowing InstanceState) -> Bool) -> Bool {
        for i in 0..<instanceCount where isSo(instances[i]) { return true }
        return false
    }

    /// The app calls for a kind: for its instances, or for all of the app's (F1). Several kinds' calls of one instant
    /// mean an instance once.
    mutating func callFor(_ kind: Int) {
        let meansAll = kinds[kind].reloadCall == .all
        for i in 0..<instanceCount where instances[i].kind == kind || (meansAll && instances[i].app == kinds[kind].app)
        {
            instances[i].isCalled = true
        }
    }

    /// An app calls for an instance from the foreground: at once, or, soon after another call, at the end of the gap
    /// between calls (F1).
    private mutating func callFromForeground(_ i: Int, _ cause: ReloadCause) {
        let gap = Rules.requestGap(prepared)
        guard gap > .zero, instances[i].isInstalled else {
            ask(i, free: cause)
            return
        }
        let before = instances[i].calls.held
        if instances[i].calls.takes(cause, at: now, gap: gap) {
            ask(i, free: cause)
            return
        }
        events += 1
        noteHeld(i, cause, insteadOf: before)
    }

    /// A call waits for the end of the gap, in the place of another one that did.
    mutating func noteHeld(_ i: Int, _ cause: ReloadCause, insteadOf before: ReloadCause?) {
        Rules.hear(.hold(i, insteadOf: before), on: &self)
        if let before {
            reloadCounts(i)[.merged(before)] += 1
            if observer.isWatching {
                note(.merged, instance: i, cause: before, isCharged: false, detail: "a later call of the gap serves it")
            }
        }
        if observer.isWatching {
            note(
                .throttled, instance: i, cause: cause, isCharged: false,
                detail: "runs at the end of the gap between calls")
        }
        clocks.callsAt = min(clocks.callsAt, instances[i].calls.heldUntil)
    }

    /// Gaps between calls end: the call that each held goes through, before other calls of the instant (F1).
    mutating func releaseForegroundCalls() {
        let gap = Rules.requestGap(prepared)
        guard gap > .zero else { return }
        for i in 0..<instanceCount where instances[i].calls.heldUntil <= now {
            let cause = instances[i].calls.release(at: now, gap: gap)
            if cause.isBackground { runInBackground(i, cause, since: now) } else { ask(i, free: cause) }
        }
    }

    /// Asks for free reloads of the instances that the calls of this instant mean.
    mutating func askCalled(free cause: ReloadCause) {
        for i in 0..<instanceCount where instances[i].isCalled {
            instances[i].isCalled = false
            ask(i, free: cause)
        }
    }

    private mutating func askCalledInBackground() {
        for i in 0..<instanceCount where instances[i].isCalled {
            instances[i].isCalled = false
            request(i, .appTrigger)
        }
    }

    /// The app's own rhythm in a user session (F2).
    private mutating func callByRhythm(_ kind: Int) {
        events += 1
        guard let rhythm = kinds[kind].sessionRhythm else { preconditionFailure("a rhythm of a kind that has none") }
        kindStates[kind].rhythmAt = now + rhythm
        callFor(kind)
    }

    /// The app calls for a reload of a kind: free in the foreground (F1) or in a user session (F2), else a background
    /// cause (B1).
    mutating func callForReload(ofKind kind: Int) {
        let app = kinds[kind].app
        callFor(kind)
        if apps.isInForeground(app) {
            for i in 0..<instanceCount where instances[i].isCalled {
                instances[i].isCalled = false
                callFromForeground(i, .appCall)
            }
        } else if apps.hasSession(app) {
            askCalled(free: .userSession)
        } else {
            askCalledInBackground()
        }
    }

    private mutating func planWakeUp(_ kind: Int) {
        let draws = streams[.appWakeUp, sub: kind]
        kindStates[kind].wakeUpAt = kinds[kind].wakeUps.next(after: now, draws.value(at: kindStates[kind].wakeUps))
        kindStates[kind].wakeUps += 1
    }

    /// The system wakes the app up, and it calls for a reload; with background refresh off or power low it does not
    /// (D7), unless it is a silent push to one that runs (B7).
    mutating func wakeApp(forKind kind: Int, isPushed: Bool) {
        events += 1
        let app = kinds[kind].app
        let runs = isPushed && (apps.isInForeground(app) || apps.hasSession(app))
        let isRefused = !condition.letsRefresh && !runs
        if observer.isWatching { noteWakeUp(kind, isPushed: isPushed, isRefused: isRefused) }
        count(isRefused ? .refusedWakeUps : .wakeUps)
        if isRefused { return }
        callInBackground(forKind: kind)
    }

    /// An app that runs in the background calls for a reload, or publishes what it has fetched (C6).
    mutating func callInBackground(forKind kind: Int) {
        if !kinds[kind].readsApp { return callForReload(ofKind: kind) }
        if condition.isOnline { publish(kind, madeAt: now) }
    }
}
