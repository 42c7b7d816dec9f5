import Basics
import People
import Statistics
import WidgetPlatform

/// The person's use of the device (D2–D6), and what it means for its instances.
extension DeviceSimulation {
    /// The person wakes up: a device-day is complete, and the allowances follow its views (T5, B2, B3).
    mutating func wake() {
        // A replay may leave the sleep out: then the time before is waking time too.
        countWakingTime()
        person.isAsleep = false
        if person.hasWokenUp { count(.deviceDays) }
        person.hasWokenUp = true
        note(.wake)
        for i in 0..<instanceCount where instances[i].isInstalled {
            instances[i].countedUntil = now
            if instances[i].sawWakeUp {
                instances[i].history.complete(views: instances[i].viewsToday + instances[i].appUse / Self.view)
            }
            instances[i].appUse = instances[i].sawWakeUp ? instances[i].appUse % Self.view : 0
            instances[i].sawWakeUp = true
            instances[i].viewsToday = 0
            updateAllowance(i)
        }
        for stack in 0..<stackCount { stacks[stack].order.beginDay() }
        gatesMoved = true
    }

    mutating func sleep() {
        countWakingTime()
        person.isAsleep = true
        note(.sleep)
    }

    /// A session begins: unlocked, in use (D3, D6).
    mutating func pickUp(showing surfaces: SurfaceSet) {
        person.pickupNumber += 1
        if !display.isWorn { return }
        use.isInSession = true
        display.unlockedAt = now
        display.isDimmed = false
        display.sessionSince = now
        display.hasPickup = true
        display.showingNumber += 1
        display.shown = surfaces.union(Self.alwaysShown)
        gatesMoved = true
        count(.sessions)
        note(.pickup)
        releasePendingEnvironment(unlocked: true)
        if clocks.editDue <= now { editConfigurations() }
    }

    /// The lock screen only, never unlocked; use at its instant (D3).
    mutating func glance() {
        person.pickupNumber += 1
        if !display.isWorn { return }
        use.last = now
        display.isDimmed = false
        display.glancedAt = now
        display.hasPickup = true
        display.showingNumber += 1
        display.shown = Self.alwaysShown
        if let glances = todayViewGlances, glances.isShown(atPickup: person.pickupNumber, streams) {
            display.shown.insert(SurfaceSet(.todayView))
        }
        gatesMoved = true
        count(.glances)
        note(.glance)
        // A watch on the wrist is unlocked by the person who puts it on (D6).
        releasePendingEnvironment(unlocked: device == .watch)
    }

    /// The surfaces that every pickup shows: the lock screen, or a watch's face (V2, V4).
    private static var alwaysShown: SurfaceSet { SurfaceSet(.lockScreen).union(SurfaceSet(.watchFace)) }

    /// The display dims, until the next pickup (R4).
    mutating func dim() {
        if use.isInSession || !display.isWorn { return }
        if !display.isDimmed { display.dimmedSince = now }
        display.isDimmed = true
        // Anything seen from here on is seen again as a view of its own.
        display.showingNumber += 1
        note(.lowLuminance)
    }

    /// The person looks at the dimmed display: the system knows of no use (R4).
    mutating func look() {
        if use.isInSession || !display.isWorn { return }
        dimSinceUse()
        count(.looks)
        note(.look)
        showAgain(Self.alwaysShown)
    }

    /// The person looks at the phone on its charger (V4).
    mutating func lookAtStandby() {
        if use.isInSession { return }
        dimSinceUse()
        count(.standbyLooks)
        note(.standbyLook)
        showAgain(SurfaceSet(.standby))
    }

    /// A display that is looked at without a pickup has been dimmed since its latest use.
    private mutating func dimSinceUse() {
        if !display.isDimmed { display.dimmedSince = use.last }
        display.isDimmed = true
    }

    /// The person at a Mac looks at its desktop (V2): what they do then is drawn as at a pickup.
    mutating func lookAtDesktop(isCovered: Bool) {
        if !use.isInSession { return }
        cover(isCovered)
        person.pickupNumber += 1
        count(.looks)
        note(.desktopLook)
        showAgain(SurfaceSet(.desktop))
    }

    /// Windows cover a Mac's desktop or free it: its widgets are rendered again, dimmed or not, and none reloads (R4).
    mutating func cover(_ isCovered: Bool) {
        if display.isCovered == isCovered { return }
        display.isCovered = isCovered
        // Anything seen from here on is seen again as a view of its own.
        display.showingNumber += 1
        note(isCovered ? .desktopCovered : .desktopFree)
        for i in 0..<instanceCount where instances[i].isInstalled && instances[i].surface == .desktop {
            count(.rerenders)
        }
    }

    /// Surfaces are seen without a pickup.
    private mutating func showAgain(_ surfaces: SurfaceSet) {
        display.hasPickup = true
        display.showingNumber += 1
        display.shown = surfaces
    }

    /// A watch goes on the wrist, or comes off: off it, it is locked and shows nothing (V4).
    mutating func wear(_ on: Bool) {
        if on == display.isWorn { return }
        if !on {
            if use.isInSession { lock() }
            countWornTime()
            // A pickup of this instant has nothing to show any more.
            display.hasPickup = false
            display.shown = SurfaceSet()
        }
        display.isWorn = on
        display.wornSince = now
        gatesMoved = true
        note(on ? .watchOn : .watchOff)
    }

    mutating func countWornTime() {
        guard device == .watch, display.isWorn else { return }
        deviceCounts.add((now - display.wornSince).microseconds, to: .wornTime)
    }

    mutating func lock() {
        guard use.isInSession else { return }
        endTap()
        note(.lock)
        use.isInSession = false
        use.last = now
        gatesMoved = true
        deviceCounts.add((now - display.sessionSince).microseconds, to: .sessionTime)
        if display.hasUnhealed {
            display.hasUnhealed = false
            for i in 0..<instanceCount { instances[i].healUntil = min(instances[i].healUntil, now) }
        }
        leaveForeground()
    }

    /// The container app comes to the foreground (D4): it may call WidgetCenter (F1), and a sign-in meets a provider's
    /// condition (P8). Its call is of a later priority than its opening (T3).
    mutating func openApp(_ app: Int) {
        if !display.isWorn { return }
        endTap(unlessOf: app)
        count(.appOpenings)
        bringToForeground(app)
    }

    /// A view in the unit of `appUse`.
    private static var view: Int64 { 1_000_000 }

    /// One app is in the foreground: another's opening takes its place.
    mutating func bringToForeground(_ app: Int) {
        if apps.foreground & (1 << UInt16(app)) == 0 { leaveForeground() }
        apps.foreground = 1 << UInt16(app)
        if Observer.isWatching { note(.appOpen, detail: prepared.plan.apps[app]) }
        if parameters.appUseWeight > 0 {
            for i in 0..<instanceCount where instances[i].app == app && instances[i].isInstalled {
                instances[i].appUse += parameters.appUseWeight
            }
        }
        let isFirstSignIn = apps.signedIn & (1 << UInt16(app)) == 0
        apps.signedIn |= 1 << UInt16(app)
        for kind in 0..<prepared.kinds.count where kinds[kind].app == app {
            let reloads: Bool
            switch kinds[kind].reloadOnOpen {
            case .always: reloads = true
            case .ifChanged: reloads = missesVersion(kind: kind)
            case .never: reloads = false
            }
            if reloads || (isFirstSignIn && kinds[kind].needsSignIn) { callFor(kind) }
        }
        for i in 0..<instanceCount where instances[i].isCalled {
            instances[i].isCalled = false
            instances[i].ownCalls.add(.appOpen)
            apps.hasOwnCalls = true
        }
    }

    mutating func closeApp(_ app: Int) {
        // An app that a tap has opened again does not leave with the opening before.
        if Int(apps.tapped) == app && clocks.tapEndsAt < .never { return }
        if apps.foreground & (1 << UInt16(app)) != 0 {
            changeContent(ofApp: app)
            leaveForeground()
        }
        if Int(apps.tapped) == app { apps.tapped = -1 }
        if Observer.isWatching { note(.appClose, detail: prepared.plan.apps[app]) }
    }

    /// The app in the foreground leaves it, and may call for its kinds as it does (F1).
    private mutating func leaveForeground() {
        if apps.foreground == 0 { return }
        let app = apps.foreground.trailingZeroBitCount
        apps.foreground = 0
        for kind in 0..<prepared.kinds.count where kinds[kind].app == app && kinds[kind].reloadsOnClose {
            callFor(kind)
        }
        callAsItCloses()
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

    /// A navigation or audio session of an app begins (D5); its rhythm's first call comes one rhythm later (F2).
    mutating func beginUserSession(_ session: UserSession, of app: Int) {
        let bit: UInt16 = 1 << UInt16(app)
        let wasActive = (apps.navigating | apps.playing) & bit != 0
        switch session {
        case .navigation:
            apps.navigating |= bit
            count(.navigationSessions)
            if Observer.isWatching { note(.navigationStart, detail: prepared.plan.apps[app]) }
        case .audio:
            apps.playing |= bit
            count(.audioSessions)
            if Observer.isWatching { note(.audioStart, detail: prepared.plan.apps[app]) }
        }
        if wasActive { return }
        for kind in 0..<prepared.kinds.count where kinds[kind].app == app {
            if let rhythm = kinds[kind].sessionRhythm { kindStates[kind].rhythmAt = now + rhythm }
        }
        findCalls()
    }

    mutating func endUserSession(_ session: UserSession, of app: Int) {
        let bit: UInt16 = 1 << UInt16(app)
        switch session {
        case .navigation:
            apps.navigating &= ~bit
            if Observer.isWatching { note(.navigationEnd, detail: prepared.plan.apps[app]) }
        case .audio:
            apps.playing &= ~bit
            if Observer.isWatching { note(.audioEnd, detail: prepared.plan.apps[app]) }
        }
        if (apps.navigating | apps.playing) & bit != 0 { return }
        for kind in 0..<prepared.kinds.count where kinds[kind].app == app { kindStates[kind].rhythmAt = .never }
        findCalls()
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
            clocks.instancesAt = min(clocks.instancesAt, briefs[index].at)
            clocks.soleInstance = -1
        }
    }

    /// Priority 6: the buttons that the views of this instant lead to (V5).
    mutating func useButtons() {
        display.hasInteractions = false
        for i in 0..<instanceCount where instances[i].isInteracting {
            instances[i].isInteracting = false
            events += 1
            interact(i)
        }
    }

    mutating func takeReturnedActions() {
        clocks.actionsAt = .never
        for i in 0..<instanceCount {
            while instances[i].actions.first <= now {
                instances[i].actions.takeFirst()
                ask(i, free: .interaction)
            }
            clocks.actionsAt = min(clocks.actionsAt, instances[i].actions.first)
        }
    }

    mutating func connect(_ online: Bool) {
        if !online && condition.isOnline { count(.offlineEpisodes) }
        condition.isOnline = online
        if online { takeHeldCalls() }
        note(online ? .online : .offline)
    }

    mutating func setLowPower(_ on: Bool) {
        if on && !condition.isLowPower { count(.lowPowerEpisodes) }
        condition.isLowPower = on
        gatesMoved = true
        note(on ? .lowPowerOn : .lowPowerOff)
    }

    mutating func setBackgroundRefresh(_ on: Bool) {
        condition.hasBackgroundRefresh = on
        gatesMoved = true
        note(on ? .refreshOn : .refreshOff)
    }
}

/// The two kinds of user session in which an app may call for free reloads (D5).
enum UserSession {
    case navigation, audio
}
