import Basics
import People

/// The order of one instant (T3): what happens to the device, by priority.
extension DeviceSimulation {
    /// The events of one instant, by priority (T3).
    mutating func takeInstant() {
        // 0: answers and time-outs.
        if schedule.nextAt <= now { takeAnswers() }
        if apps.tapEndsAt <= now { endTap() }
        // 1 to 3: sleep and wake-up; use of the device; moves, then reports of changed places.
        takeWorld(through: .location)
        let isSlow = clocks.slowMoved || clocks.slowAt <= now
        if isSlow && whereabouts.reportAt.full == now { reportChange(reduced: false) }
        if isSlow && whereabouts.reportAt.reduced == now { reportChange(reduced: true) }
        // 4: environment changes, then the zone's own.
        takeWorld(through: .environment)
        if isSlow && whereabouts.timeChangeAt == now { changeClocks() }
        Rules.follow(&self)
        followUse()
    }

    /// Handles what the use of this instant shows and leads to: priorities 5 to 8.
    mutating func followUse() {
        // 5: views of a pickup. 6: recorded views and interactions, then the buttons and taps that views lead to.
        if !display.shown.isEmpty { showSurfaces() }
        takeWorld(through: .interaction)
        if instant.hasInteractions { useButtons() }
        if instant.hasTaps { takeTaps() }
        if clocks.actionsAt <= now { takeReturnedActions() }
        // 7: calls that wait for the foreground or for the bucket of silent pushes, those of the world, rhythms,
        // openings of apps.
        if clocks.callsAt == now {
            releaseForegroundCalls()
            releaseSilentPushes()
        }
        takeWorld(through: .call)
        if clocks.callsAt == now { takeCalls() }
        if instant.hasOwnCalls { takeOwnCalls() }
        // 8: reloads.
        Rules.takeDue(&self)
        settleReloads()
    }

    /// Priority 8: installations and free reloads, policies falling due, gates opening, dispatches (T3).
    mutating func settleReloads() {
        let moved = instant.gatesMoved
        instant.gatesMoved = false
        if !instant.heard.isEmpty {
            let heard = instant.heard
            instant.heard = []
            Rules.hear(.heard(heard), on: &self)
        }
        guard schedule.nextAt <= now || (moved && schedule.hasHeld) else { return }
        schedule.findActive(at: now, gatesMoved: moved)
        settleActive(moved)
        schedule.findNext()
    }

    /// Priority 8 for the instances that have something to do, each step of all before the next.
    mutating func settleActive(_ moved: Bool) {
        for k in 0..<schedule.activeCount { beginFree(schedule.active[k]) }
        Rules.settle(gatesMoved: moved, on: &self)
        continueInFlight()
    }

    /// Reloads in flight that begin or are at their next step, and the clocks of all that had something to do.
    mutating func continueInFlight() {
        for k in 0..<schedule.activeCount {
            continueInFlight(schedule.active[k])
            updateClock(schedule.active[k])
        }
    }

    @inline(__always) mutating func continueInFlight(_ i: Int) {
        if instances[i].reloadAt <= now && instances[i].slot.phase == .inFlight && !instances[i].inFlight.awaitsAnswer {
            resume(i)
        }
    }

    @inline(__always) mutating func takeWorld(through priority: EventPriority) {
        if clocks.worldAt == now && clocks.worldPriority <= priority { takeEvents(through: priority) }
    }

    mutating func takeEvents(through priority: EventPriority) {
        repeat {
            events += 1
            let event = world.next()
            clocks.follow(&world)
            take(event)
        } while clocks.worldAt == now && clocks.worldPriority <= priority
    }

    /// One event of the world.
    mutating func take(_ event: WorldEvent) {
        switch event {
        case .pickup(let surfaces): pickUp(showing: surfaces)
        case .glance: glance()
        case .lock: lock()
        default:
            clocks.slowMoved = true
            takeRare(event)
        }
    }

    /// An event of the world that is not a pickup, glance or lock.
    mutating func takeRare(_ event: WorldEvent) {
        switch event {
        case .pickup, .glance, .lock: preconditionFailure("an event that is not rare")
        case .wake: wake()
        case .sleep: sleep()
        case .viewInstance(let index): viewAgain(index)
        case .viewSurface(let surface): view(surface)
        case .controlCenter: come(to: .controlCenter)
        case .actionButton: come(to: .actionButton)
        case .appOpen(let app): openApp(app)
        case .appClose(let app): closeApp(app)
        case .navigationStart(let app): begin(.navigation, of: app)
        case .navigationEnd(let app): end(.navigation, of: app)
        case .audioStart(let app): begin(.audio, of: app)
        case .audioEnd(let app): end(.audio, of: app)
        case .permission(let app, let mode): changePermission(of: app, to: mode)
        case .move: move()
        case .environment(let change, let zone): changeEnvironment(change, into: zone)
        case .appearance: switchAppearance()
        case .interact(let index): interact(index)
        case .tap(let index): tap(index)
        case .appTrigger(let kind): callInBackground(forKind: kind)
        case .push(let app): push(app)
        case .silentPush(let kind): receiveSilentPush(forKind: kind)
        case .offline: connect(false)
        case .online: connect(true)
        case .lowPowerOn: setLowPower(true)
        case .lowPowerOff: setLowPower(false)
        case .refreshOff: setBackgroundRefresh(false)
        case .refreshOn: setBackgroundRefresh(true)
        case .watchOff: wear(false)
        case .watchOn: wear(true)
        case .lowLuminance: dim()
        case .look: look(at: DisplayState.alwaysShown, .looks, .look)
        case .standbyLook: look(at: SurfaceSet(.standby), .standbyLooks, .standbyLook)
        case .desktopLook(let isCovered): lookAtDesktop(isCovered: isCovered)
        case .desktopCover(let isCovered): cover(isCovered)
        case .charge(let isOn): Rules.hear(.charge(isOn), on: &self)
        case .motion: Rules.hear(.motion, on: &self)
        case .open(let index): open(index)
        case .close: leaveSurface()
        case .workout(let on): setWorkout(on)
        case .appUpdate(let app): update(app)
        }
    }
}
