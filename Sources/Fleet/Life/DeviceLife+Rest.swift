import Measures
import People
import SimulatedTime
import WidgetPlatform

// MARK: At rest

/// A device between two instants: what has come of it since its start, apart from what its person and the plan give.
extension DeviceLife where World == DrawnWorld {
    mutating func code<Coder: StateCoder>(_ coder: inout Coder) {
        if Coder.isReading { now = coder.base }
        world.code(&coder)
        codeDevice(&coder)
        codePlace(&coder)
        codeApps(&coder)
        codeCalendar(&coder)
        codeKinds(&coder)
        codeModes(&coder)
        let context = RestContext(
            calendar: budget.calendar, rule: parameters.allowance, kinds: kinds, kindStates: kindStates,
            hasForegroundGap: parameters.foregroundGap > .zero, place: world.restPlace, showing: display.showingNumber)
        for i in 0..<instanceCount { instances[i].code(&coder, context) }
        if Coder.isReading { findClocks() }
    }

    private mutating func codeDevice<Coder: StateCoder>(_ coder: inout Coder) {
        var isReported = clocks.borderAt == .never
        coder.code(&isReported)
        if Coder.isReading && isReported { crossedBorder() }
        if isReported && person.countsPerson {
            coder.code(&person.borderTally.cutNights)
            coder.code(&person.borderTally.trips)
        }
        coder.code(&display.isDimmed)
        coder.code(&display.isWorn)
        if device == .watch { coder.code(&display.wornSince) }
        if device == .mac { coder.code(&display.isCovered) }
        coder.code(&owesAny)
        coder.code(&display.hasUnhealed)
        coder.code(&use.isInSession)
        coder.code(&use.last)
        // A drawn display is dim from the end of its latest use.
        if Coder.isReading { display.dimmedSince = use.last }
        if use.isInSession { coder.code(&display.sessionSince) }
        coder.code(&person.pickupNumber)
        var surfaces = display.shown.rawValue
        coder.code(&surfaces)
        if Coder.isReading { display.shown = SurfaceSet(rawValue: surfaces) }
        coder.code(&person.isAsleep)
        coder.code(&person.hasWokenUp)
        coder.code(&condition.isOnline)
        coder.code(&condition.hasBackgroundRefresh)
        coder.code(&condition.isLowPower)
        coder.code(&link.requestNumber)
        if prepared.plan.requests.retry.budget != nil { coder.code(&link.retryAccount) }
    }

    private mutating func codePlace<Coder: StateCoder>(_ coder: inout Coder) {
        coder.code(&whereabouts.zone)
        whereabouts.changes.0.code(&coder, precise: true, restingAt: world.restPoint)
        coder.code(&whereabouts.reportAt.0)
        if whereabouts.hasReduced {
            whereabouts.changes.1.code(&coder, precise: false, restingAt: world.restPoint)
            coder.code(&whereabouts.reportAt.1)
        }
        if Coder.isReading { findTimeChange() }
    }

    private mutating func codeApps<Coder: StateCoder>(_ coder: inout Coder) {
        var isInUse = apps.foreground | apps.navigating | apps.playing | apps.heldPushes != 0 || apps.hasHeldCalls
        coder.code(&isInUse)
        if isInUse {
            coder.code(&apps.foreground)
            if apps.foreground != 0 {
                coder.code(&apps.tapped)
                coder.code(&clocks.tapEndsAt)
            }
            coder.code(&apps.navigating)
            coder.code(&apps.playing)
            coder.code(&apps.heldPushes)
            coder.code(&apps.hasHeldCalls)
        }
        var signedInSince = apps.signedIn ^ apps.signedInAtStart
        coder.code(&signedInSince)
        if Coder.isReading { apps.signedIn = signedInSince ^ apps.signedInAtStart }
        // A widget's view matters to its app's permission for a few minutes only (L4).
        for app in 0..<prepared.plan.apps.count {
            var matters = apps.lastWidgetView[app] > .longAgo && now - apps.lastWidgetView[app] <= parameters.widgetLocationGrace
            coder.code(&matters)
            if matters { coder.code(&apps.lastWidgetView[app]) }
        }
        for campaign in 0..<campaignCount { campaigns[campaign].code(&coder) }
        for fetch in 0..<fetchCount {
            coder.code(&fetches[fetch].at)
            coder.code(&fetches[fetch].number)
        }
        for stack in 0..<stackCount where stacks[stack].count > 1 { stacks[stack].code(&coder) }
        coder.code(&clocks.callsAt)
    }

    private mutating func codeKinds<Coder: StateCoder>(_ coder: inout Coder) {
        for kind in 0..<prepared.kinds.count {
            if kinds[kind].sessionRhythm != nil { coder.code(&kindStates[kind].rhythmAt) }
            if kinds[kind].wakeUps.everCome {
                coder.code(&kindStates[kind].wakeUpAt)
                coder.code(&kindStates[kind].wakeUps)
            }
            if kinds[kind].contentPushes != nil { coder.code(&kindStates[kind].holdsWakeUp) }
            if kinds[kind].change != .never {
                coder.code(&kindStates[kind].changes)
                coder.code(&kindStates[kind].changedAt)
                coder.code(&kindStates[kind].previousChangeAt)
            }
        }
    }

    /// What the person's apps may know: as it was at first unless the person changes it (L3).
    private mutating func codeModes<Coder: StateCoder>(_ coder: inout Coder) {
        let changing = prepared.population.segments[segment].permissionsChange
        if changing == 0 { return }
        for i in 0..<instanceCount where instances[i].followsPerson && changing & (1 << UInt16(instances[i].app)) != 0 {
            var mode = instances[i].mode
            coder.code(&mode)
            if Coder.isReading && mode != instances[i].mode { instances[i].allow(mode, on: device, in: prepared.layout) }
        }
    }

    private mutating func codeCalendar<Coder: StateCoder>(_ coder: inout Coder) {
        var position = budget.calendar.position
        coder.code(&position.from)
        coder.code(&position.windowFrom, near: position.from)
        coder.code(&position.windowTo, near: position.windowFrom)
        coder.code(&position.partsPerMicrotoken)
        if Coder.isReading { budget.calendar = AccrualCalendar(usual: budget.usualWaking, weights: budget.hourWeights, at: position, in: zoneTable) }
    }

    /// Clocks that follow from what is known.
    private mutating func findClocks() {
        (missingCount, clocks.editDue, clocks.actionsAt) = (0, .never, .never)
        for i in 0..<instanceCount {
            if !instances[i].isInstalled { missingCount += 1 }
            clocks.editDue = min(clocks.editDue, instances[i].editAt)
            clocks.actionsAt = min(clocks.actionsAt, instances[i].actions.first)
            updateClock(i)
        }
        findNext()
    }
}

extension SignificantChanges {
    /// - Parameter place: where the device is or is going: mostly what was reported last.
    mutating func code<Coder: StateCoder>(_ coder: inout Coder, precise: Bool, restingAt place: Point) {
        var (reported, at) = (reportedPlace, reportedAt)
        reported.x -= place.x
        reported.y -= place.y
        coder.code(&reported)
        coder.code(&at)
        if Coder.isReading {
            self = SignificantChanges(at: Point(x: reported.x + place.x, y: reported.y + place.y), precise: precise, reportedAt: at)
        }
    }
}

extension CampaignState {
    mutating func code<Coder: StateCoder>(_ coder: inout Coder) {
        coder.code(&isFollowed)
        guard isFollowed else { return }
        coder.code(&sentAt)
        coder.code(&sentBefore)
        coder.code(&zone)
        pushes.code(&coder)
    }
}

extension StackState {
    mutating func code<Coder: StateCoder>(_ coder: inout Coder) {
        var (top, rotations) = (order.top, order.rotations)
        coder.code(&top)
        coder.code(&rotations)
        if Coder.isReading { order = SmartStack(count: order.count, top: top, rotations: rotations) }
        coder.code(&flipAt)
        coder.code(&flipNumber)
    }
}
