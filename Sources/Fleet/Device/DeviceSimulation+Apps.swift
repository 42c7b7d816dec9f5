import Basics
import WidgetPlatform

/// Apps in the foreground, by the person's openings and by taps, and in user sessions (D4, D5, F1, F2, V5, C1); buttons
/// of widgets (F6).
extension DeviceSimulation {
    /// The container app comes to the foreground (D4): it may call WidgetCenter (F1), and a sign-in meets a provider's
    /// condition (P8). Its call is of a later priority than its opening (T3).
    mutating func openApp(_ app: Int) {
        if !display.isWorn { return }
        endTap(unlessOf: app)
        count(.appOpenings)
        bringToForeground(app)
    }

    /// One app is in the foreground: another's opening takes its place.
    private mutating func bringToForeground(_ app: Int) {
        if !apps.isInForeground(app) { leaveForeground() }
        let signsIn = apps.open(app, canSignIn: now >= prepared.plan.begin)
        // Its reloads need no token from here on (F1).
        instant.gatesMoved = true
        Rules.hear(.open(app: app), on: &self)
        if observer.isWatching { note(.appOpen, detail: prepared.plan.apps[app]) }
        if parameters.appUseWeight > 0 {
            for i in 0..<instanceCount where instances[i].app == app && instances[i].isInstalled {
                instances[i].appUse += parameters.appUseWeight
            }
        }
        for kind in 0..<prepared.kinds.count where kinds[kind].app == app {
            let reloads: Bool
            switch kinds[kind].reloadOnOpen {
            case .always: reloads = true
            case .ifChanged: reloads = missesVersion(kind: kind)
            case .never: reloads = false
            }
            if reloads || (signsIn && kinds[kind].needsSignIn) { callFor(kind) }
        }
        addOwnCalls(.appOpen)
        followOpening(ofApp: app)
    }

    mutating func closeApp(_ app: Int) {
        if apps.staysOpen(app) { return }
        if apps.isInForeground(app) {
            changeContent(ofApp: app)
            leaveForeground()
        }
        apps.forgetTap(of: app)
        if observer.isWatching { note(.appClose, detail: prepared.plan.apps[app]) }
    }

    /// The app in the foreground leaves it, and may call for its kinds as it does (F1).
    mutating func leaveForeground() {
        guard let app = apps.leaveForeground() else { return }
        instant.gatesMoved = true
        for kind in 0..<prepared.kinds.count where kinds[kind].app == app && kinds[kind].reloadsOnClose {
            callFor(kind)
        }
        addOwnCalls(.appCall)
    }

    /// Whether any instance of the kind misses a version now (F1, only if changed).
    private mutating func missesVersion(kind: Int) -> Bool {
        for i in 0..<instanceCount where instances[i].kind == kind && instances[i].isInstalled {
            switch instances[i].content.kind {
            case .placeholder: return true
            case .empty, .regular: if missedVersions(i) > 0 { return true }
            // It belongs to no place and misses nothing (C5).
            case .alternate: continue
            }
        }
        return false
    }

    /// The person may have changed content in the app that they close (C1, `manual`): its instances miss that until
    /// they reload. An app that calls for reloads at all calls for this one, while it is in the foreground still (F1).
    private mutating func changeContent(ofApp app: Int) {
        for kind in 0..<prepared.kinds.count where kinds[kind].app == app && kinds[kind].change != .never {
            let draws = streams[.contentChange, sub: kind]
            guard kinds[kind].change.holds(draws.value(at: openingNumber(ofApp: app))) else { continue }
            kindStates[kind].change(at: now)
            if observer.isWatching { note(.contentChanged, detail: prepared.plan.kinds[kind].id) }
            for i in 0..<instanceCount where instances[i].kind == kind && instances[i].content.hasAge {
                countWakingTime(i)
                instances[i].staleFrom = min(instances[i].staleFrom, now)
            }
            // A change in the app is there for its widgets at once (C6).
            if kinds[kind].readsApp { leave(kind, madeAt: now) }
            let calls = kinds[kind].readsApp && kinds[kind].publication.reload != .never
            if calls || kinds[kind].reloadOnOpen != .never { callFor(kind) }
        }
    }

    /// The calls that an app makes as it is opened or leaves the foreground wait for their priority (T3).
    private mutating func addOwnCalls(_ cause: ReloadCause) {
        for i in 0..<instanceCount where instances[i].isCalled {
            instances[i].isCalled = false
            instances[i].ownCalls.add(cause)
            instant.hasOwnCalls = true
        }
    }

    /// By what the change at an opening is looked up: of a session's opening by habit and of one by a tap each has its
    /// own number.
    mutating func openingNumber(ofApp app: Int) -> UInt64 {
        apps.isTapped(app) ? person.pickupNumber | 1 << 40 : person.pickupNumber
    }

    /// A navigation or audio session of an app begins (D5); its rhythm's first call comes one rhythm later (F2).
    mutating func begin(_ session: UserSession, of app: Int) {
        let isFirst = apps.begin(session, of: app)
        count(session == .navigation ? .navigationSessions : .audioSessions)
        if observer.isWatching {
            note(session == .navigation ? .navigationStart : .audioStart, detail: prepared.plan.apps[app])
        }
        if !isFirst { return }
        instant.gatesMoved = true
        for kind in 0..<prepared.kinds.count where kinds[kind].app == app {
            if let rhythm = kinds[kind].sessionRhythm { kindStates[kind].rhythmAt = now + rhythm }
        }
        findCalls()
    }

    mutating func end(_ session: UserSession, of app: Int) {
        let isLast = apps.end(session, of: app)
        if observer.isWatching {
            note(session == .navigation ? .navigationEnd : .audioEnd, detail: prepared.plan.apps[app])
        }
        if !isLast { return }
        instant.gatesMoved = true
        for kind in 0..<prepared.kinds.count where kinds[kind].app == app { kindStates[kind].rhythmAt = .never }
        findCalls()
    }

    /// Priority 6: the taps that the views of this instant lead to.
    mutating func takeTaps() {
        instant.hasTaps = false
        for i in 0..<instanceCount where instances[i].isTapped {
            instances[i].isTapped = false
            events += 1
            tap(i)
        }
    }

    /// A widget is tapped: its app comes to the foreground, as by any opening (D4, F1), for as long as the person's own
    /// openings of it last. Only an unlocked device in use lets it.
    mutating func tap(_ i: Int) {
        guard instances[i].isInstalled, display.isWorn, display.use.isInSession else { return }
        count(.taps)
        note(.tap, instance: i)
        let app = instances[i].app
        if apps.isOpened(app, byTapAt: now) { return }
        if let other = apps.makeWay(for: app) { closeApp(other) }
        apps.tap(app, at: now)
        bringToForeground(app)
        // Recorded devices have a recorded end.
        guard person.segment < prepared.population.segments.count else { return }
        let time = prepared.population.segments[person.segment].foregroundTime(ofApp: app)
        apps.endTap(at: now + time.draw(streams.number(.tapForegroundTime, sub: app, at: person.pickupNumber)))
    }

    /// The app that a tap has opened leaves the foreground; see `AppStates.endTap`.
    mutating func endTap(unlessOf app: Int = -1) {
        if let app = apps.endTap(unlessOf: app) { closeApp(app) }
    }

    /// The person uses the widget's button: a free reload when the action returns (F6).
    mutating func interact(_ index: Int) {
        guard instances[index].isInstalled, display.isWorn else { return }
        count(.interactions)
        note(.interact, instance: index)
        let action = kinds[instances[index].kind].actionTime
        if action == .zero {
            ask(index, free: .interaction)
        } else {
            // Beyond a few at once, one that is on its way serves the next as well.
            if !instances[index].actions.add(now + action) {
                reloadCounts(index)[.merged(.interaction)] += 1
            }
            clocks.actionsAt = min(clocks.actionsAt, instances[index].actions.first)
            updateClock(index)
            schedule.follow(index)
        }
    }

    /// Priority 6: the buttons that the views of this instant lead to (V5).
    mutating func useButtons() {
        instant.hasInteractions = false
        for i in 0..<instanceCount where instances[i].isInteracting {
            instances[i].isInteracting = false
            events += 1
            interact(i)
        }
    }

    mutating func takeReturnedActions() {
        clocks.actionsAt = .never
        for i in 0..<instanceCount {
            while instances[i].actions.take(at: now) { ask(i, free: .interaction) }
            clocks.actionsAt = min(clocks.actionsAt, instances[i].actions.first)
        }
    }
}
