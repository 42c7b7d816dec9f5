import Measures
import SimulatedTime
import WidgetPlatform

/// What the person does with the device (D2–D6), and what it means for its instances.
extension DeviceLife {
    /// The person wakes up: a device-day is complete, and the allowances follow its views (T5, B2, B3).
    mutating func wake() {
        // A replay may leave the sleep out: then the time before is waking time too.
        countWakingTime()
        isAsleep = false
        if hasWokenUp { count(SegmentField.deviceDays) }
        hasWokenUp = true
        note("wake", rule: "D2")
        for i in 0..<instanceCount where instances[i].isInstalled {
            instances[i].countedUntil = now
            if instances[i].sawWakeUp { instances[i].history.complete(views: instances[i].viewsToday) }
            instances[i].sawWakeUp = true
            instances[i].viewsToday = 0
            updateAllowance(i)
        }
        gatesMoved = true
    }

    mutating func sleep() {
        countWakingTime()
        isAsleep = true
        note("sleep", rule: "D2")
    }

    /// A session begins: unlocked, in use (D3, D6).
    mutating func pickUp(showing surfaces: SurfaceSet) {
        use.isInSession = true
        sessionSince = now
        hasPickup = true
        pickupNumber += 1
        shown = surfaces
        gatesMoved = true
        count(SegmentField.sessions)
        note("pickup", rule: "D3")
        payOwedEnvironment(unlocked: true)
        if editDue <= now { editConfigurations() }
    }

    /// The lock screen only, never unlocked; use at its instant (D3).
    mutating func glance() {
        use.last = now
        glancedAt = now
        hasPickup = true
        pickupNumber += 1
        gatesMoved = true
        count(SegmentField.glances)
        note("glance", rule: "D3")
        payOwedEnvironment(unlocked: false)
    }

    mutating func lock() {
        note("lock", rule: "D6")
        guard use.isInSession else { return }
        use.isInSession = false
        use.last = now
        gatesMoved = true
        WideSum.add((now - sessionSince).microseconds, to: cells + segmentBlock + SegmentField.sessionTime)
        for i in 0..<instanceCount { instances[i].healUntil = min(instances[i].healUntil, now) }
        foreground = 0
    }

    /// The container app comes to the foreground (D4): it may call WidgetCenter (F1), and a sign-in meets a provider's condition (P8).
    mutating func openApp(_ app: Int) {
        // One app is in the foreground: another's opening takes its place.
        foreground = 1 << UInt16(app)
        count(SegmentField.appOpenings)
        if Observer.isWatching { note("app_open", rule: "D4", detail: prepared.plan.apps[app]) }
        let isFirstSignIn = signedIn & (1 << UInt16(app)) == 0
        signedIn |= 1 << UInt16(app)
        for kind in 0..<prepared.kinds.count where kinds[kind].app == app {
            let reloads: Bool
            switch kinds[kind].reloadOnOpen {
            case .always: reloads = true
            case .ifChanged: reloads = missesVersion(kind: kind)
            case .never: reloads = false
            }
            if reloads || (isFirstSignIn && kinds[kind].needsSignIn) { askEach(ofKind: kind, free: .appOpen) }
        }
    }

    mutating func closeApp(_ app: Int) {
        foreground &= ~(1 << UInt16(app))
        if Observer.isWatching { note("app_close", rule: "D4", detail: prepared.plan.apps[app]) }
    }

    /// Whether any instance of the kind misses a version now (F1, only if changed).
    private mutating func missesVersion(kind: Int) -> Bool {
        for i in 0..<instanceCount where instances[i].kind == kind && instances[i].isInstalled {
            if instances[i].content.kind == .placeholder || missedVersions(i) > 0 { return true }
        }
        return false
    }

    /// A navigation or audio session of an app begins (D5); its rhythm's first call comes one rhythm later (F2).
    mutating func beginUserSession(_ session: UserSession, of app: Int) {
        let bit: UInt16 = 1 << UInt16(app)
        let wasActive = (navigating | playing) & bit != 0
        switch session {
        case .navigation:
            navigating |= bit
            count(SegmentField.navigationSessions)
            if Observer.isWatching { note("navigation_start", rule: "D5", detail: prepared.plan.apps[app]) }
        case .audio:
            playing |= bit
            count(SegmentField.audioSessions)
            if Observer.isWatching { note("audio_start", rule: "D5", detail: prepared.plan.apps[app]) }
        }
        if wasActive { return }
        for kind in 0..<prepared.kinds.count where kinds[kind].app == app {
            if let rhythm = kinds[kind].sessionRhythm { rhythms[kind] = now + rhythm }
        }
        findRhythm()
    }

    mutating func endUserSession(_ session: UserSession, of app: Int) {
        let bit: UInt16 = 1 << UInt16(app)
        switch session {
        case .navigation:
            navigating &= ~bit
            if Observer.isWatching { note("navigation_end", rule: "D5", detail: prepared.plan.apps[app]) }
        case .audio:
            playing &= ~bit
            if Observer.isWatching { note("audio_end", rule: "D5", detail: prepared.plan.apps[app]) }
        }
        if (navigating | playing) & bit != 0 { return }
        for kind in 0..<prepared.kinds.count where kinds[kind].app == app { rhythms[kind] = .never }
        findRhythm()
    }

    /// The app's own rhythm in a user session (F2).
    mutating func callByRhythm() {
        for kind in 0..<prepared.kinds.count where rhythms[kind] == now {
            events += 1
            guard let rhythm = kinds[kind].sessionRhythm else { preconditionFailure("a rhythm of a kind that has none") }
            rhythms[kind] = now + rhythm
            askEach(ofKind: kind, free: .userSession)
        }
        findRhythm()
    }

    private mutating func findRhythm() {
        rhythmAt = .never
        for kind in 0..<prepared.kinds.count { rhythmAt = min(rhythmAt, rhythms[kind]) }
    }

    /// The app calls for a reload of a kind: free in the foreground (F1) or in a user session (F2), else a background cause (B1).
    mutating func callForReload(ofKind kind: Int) {
        let app: UInt16 = 1 << UInt16(kinds[kind].app)
        if foreground & app != 0 {
            askEach(ofKind: kind, free: .appCall)
        } else if (navigating | playing) & app != 0 {
            askEach(ofKind: kind, free: .userSession)
        } else {
            for i in 0..<instanceCount where instances[i].kind == kind { ask(i, background: .appTrigger) }
        }
    }

    /// A push reloads every push-enabled instance of the app.
    mutating func push(_ app: Int) {
        if Observer.isWatching { note("push", rule: "B7", detail: prepared.plan.apps[app]) }
        for i in 0..<instanceCount where instances[i].app == app && kinds[instances[i].kind].takesPushes { ask(i, background: .push) }
    }

    /// The person uses the widget's button: a free reload when the action returns (F6).
    mutating func interact(_ index: Int) {
        guard instances[index].isInstalled else { return }
        note("interact", instance: index, rule: "V5")
        let action = kinds[instances[index].kind].actionTime
        if action == .zero {
            ask(index, free: .interaction)
        } else {
            instances[index].actions.begin(returningAt: now + action)
            updateClock(index)
        }
    }

    mutating func takeReturnedActions() {
        for i in 0..<instanceCount {
            while instances[i].actions.nextReturn <= now {
                instances[i].actions.takeReturn()
                ask(i, free: .interaction)
            }
        }
    }

    mutating func connect(_ online: Bool) {
        isOnline = online
        note(online ? "online" : "offline", rule: "D8")
    }

    mutating func setLowPower(_ on: Bool) {
        isLowPower = on
        gatesMoved = true
        note(on ? "low_power_on" : "low_power_off", rule: "D7")
    }

    mutating func setBackgroundRefresh(_ on: Bool) {
        hasBackgroundRefresh = on
        gatesMoved = true
        note(on ? "background_refresh_on" : "background_refresh_off", rule: "D7")
    }

    /// Every instance of a kind on the device: one call reloads them all.
    private mutating func askEach(ofKind kind: Int, free cause: ReloadCause) {
        for i in 0..<instanceCount where instances[i].kind == kind { ask(i, free: cause) }
    }
}

/// The two kinds of user session in which an app may call for free reloads (D5).
enum UserSession {
    case navigation, audio
}
