import Basics
import DeviceStorage
import People
import Statistics
import WidgetPlatform

// MARK: State of a suspended device

/// A device between two instants: its state, apart from what its person and the plan give.
extension DeviceSimulation where World == DrawnWorld {
    mutating func code<Coder: DeviceCoder>(_ coder: inout Coder) {
        if Coder.isReading { now = coder.base }
        coder.code(world: &world, zoneCount: prepared.zones.count, cityCount: prepared.population.cityCount)
        codeDevice(&coder)
        codePlace(&coder)
        codeApps(&coder)
        codeCalendar(&coder)
        codeKinds(&coder)
        codeModes(&coder)
        let context = SnapshotContext(
            accrual: calendar.accrual, rule: parameters.allowance, kinds: kinds, kindStates: kindStates,
            hasForegroundGap: parameters.foregroundGap > .zero, place: world.stationaryPlace,
            showing: display.showingNumber)
        for i in 0..<instanceCount { instances[i].code(&coder, context) }
        if Coder.isReading && !coder.isRefused {
            findClocks()
            if Coder.isChecked { check(&coder) }
        }
    }

    /// Invariants of every suspended device: nothing of its own lies before its instant, and nothing that it shows
    /// comes from after it.
    private mutating func check<Coder: StateCoder>(_ coder: inout Coder) {
        let isInRun = now >= .start && now < end
        _ = coder.holds(isInRun, "a device outside of the run")
        let nextAt = nextAt
        _ = coder.holds(nextAt >= now && calendar.to >= now, "a clock that stands before its device")
        _ = coder.holds(apps.heldPushes == 0 || apps.hasHeldCalls, "a push waits and nothing is held")
        _ = coder.holds(
            use.last <= now && (!use.isInSession || display.sessionSince <= now), "a session that is still to come")
        for i in 0..<instanceCount where instances[i].isInstalled {
            let shown = instances[i].content
            _ = coder.holds(!shown.hasAge || shown.madeAt <= now, "content from the future")
            _ = coder.holds(
                instances[i].countedUntil <= now || instances[i].countedUntil == .never,
                "waking time that is still to come")
            _ = coder.holds(
                instances[i].slot.phase == .none || instances[i].slot.since <= now,
                "a reload for a cause that is still to come")
            let heldUntil = instances[i].calls.heldUntil
            _ = coder.holds(clocks.callsAt <= heldUntil, "a call that is held beyond its gap")
            let wait = instances[i].wait
            _ = coder.holds(wait.closed.isEmpty || wait.evaluatedAt <= now, "a wait that is still to begin")
            guard instances[i].slot.phase == .inFlight else { continue }
            let flight = instances[i].flight
            let requests = requestCount(i)
            _ = coder.holds(
                (0...requests).contains(flight.undecided) && (0...requests).contains(flight.unheard),
                "more answers missing than were asked for")
            _ = coder.holds(
                (0...prepared.plan.requests.retry.retries + 1).contains(flight.tries), "more tries than there may be")
            let lastDelay = flight.lastDelay
            _ = coder.holds(lastDelay >= .zero && flight.retryAfter >= .zero, "a delay of less than nothing")
        }
    }

    private mutating func codeDevice<Coder: StateCoder>(_ coder: inout Coder) {
        var isReported = clocks.reportStartsAt == .never
        coder.code(&isReported)
        if Coder.isReading && isReported { crossedBorder() }
        if isReported && person.countsPerson {
            coder.code(&person.tallyAtReportStart.cutNights)
            coder.code(&person.tallyAtReportStart.trips)
        }
        coder.code(&display.isDimmed)
        coder.code(&display.isWorn)
        if device == .watch { coder.code(&display.wornSince) }
        if device == .mac { coder.code(&display.isCovered) }
        coder.code(&hasPendingChanges)
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
        // A device is written down as it is suspended.
        if Coder.isReading { link.sentBefore = link.requestNumber }
        if prepared.plan.requests.retry.budget != nil { coder.code(&link.retryAccount) }
    }

    private mutating func codePlace<Coder: StateCoder>(_ coder: inout Coder) {
        coder.code(&whereabouts.zone, in: 0...prepared.zones.count - 1, "an unknown zone")
        whereabouts.changes.0.code(&coder, precise: true, stationaryAt: world.stationaryPoint)
        coder.code(&whereabouts.reportAt.0)
        if whereabouts.hasReduced {
            whereabouts.changes.1.code(&coder, precise: false, stationaryAt: world.stationaryPoint)
            coder.code(&whereabouts.reportAt.1)
        }
        if Coder.isReading { findTimeChange() }
    }

    private mutating func codeApps<Coder: StateCoder>(_ coder: inout Coder) {
        var isInUse = apps.foreground | apps.navigating | apps.playing | apps.heldPushes != 0 || apps.hasHeldCalls
        coder.code(&isInUse)
        if isInUse {
            let all = UInt16(truncatingIfNeeded: 1 << prepared.plan.apps.count - 1)
            coder.code(&apps.foreground, in: 0...all, "an unknown app")
            if !coder.holds(apps.foreground.nonzeroBitCount <= 1, "several apps in the foreground") {
                apps.foreground = 0
            }
            if apps.foreground != 0 {
                coder.code(&apps.tapped, in: -1...Int8(15), "an unknown app")
                if !coder.holds(
                    apps.tapped < 0 || apps.foreground == 1 << UInt16(apps.tapped),
                    "a tapped app that is not in the foreground")
                {
                    apps.tapped = -1
                }
                coder.code(&clocks.tapEndsAt)
            }
            coder.code(&apps.navigating, in: 0...all, "an unknown app")
            coder.code(&apps.playing, in: 0...all, "an unknown app")
            coder.code(&apps.heldPushes, in: 0...all, "an unknown app")
            coder.code(&apps.hasHeldCalls)
        }
        var signedInSince = apps.signedIn ^ apps.signedInAtStart
        coder.code(&signedInSince)
        if Coder.isReading { apps.signedIn = signedInSince ^ apps.signedInAtStart }
        // A widget's view matters to its app's permission for a few minutes only (L4).
        for app in 0..<prepared.plan.apps.count {
            var matters =
                apps.lastWidgetView[app] > .longAgo && now - apps.lastWidgetView[app] <= parameters.widgetLocationGrace
            coder.code(&matters)
            if matters { coder.code(&apps.lastWidgetView[app]) }
        }
        for app in 0..<prepared.plan.apps.count where prepared.takesSilentPushes & (1 << UInt16(app)) != 0 {
            silentPushes[app].code(&coder, kinds: prepared.kinds.count, parameters.silentPushLimit)
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
            if kinds[kind].change != .never {
                coder.code(&kindStates[kind].changes)
                coder.code(&kindStates[kind].changedAt)
                coder.code(&kindStates[kind].previousChangeAt)
            }
        }
    }

    /// Codes the location modes of the person's apps: as at first unless the person changes them (L3).
    private mutating func codeModes<Coder: StateCoder>(_ coder: inout Coder) {
        let changing = prepared.population.segments[segment].permissionsChange
        if changing == 0 { return }
        for i in 0..<instanceCount where instances[i].followsPerson && changing & (1 << UInt16(instances[i].app)) != 0 {
            var mode = instances[i].mode
            coder.code(&mode)
            if Coder.isReading && mode != instances[i].mode {
                instances[i].allow(mode, on: device, in: prepared.layout)
            }
        }
    }

    private mutating func codeCalendar<Coder: StateCoder>(_ coder: inout Coder) {
        var position = calendar.position
        coder.code(&position.from)
        coder.code(&position.windowFrom, near: position.from)
        coder.code(&position.windowTo, near: position.windowFrom)
        coder.code(&position.partsPerMicrotoken)
        let now = coder.base
        if Coder.isChecked, !coder.holds(Self.isPossible(position, at: now), "a calendar that stands in no waking day")
        {
            return
        }
        if Coder.isReading {
            calendar = AccrualCalendar(
                usual: calendar.usual, weights: calendar.weights, at: position, in: zoneTable)
        }
    }

    /// A waking window is a day long at most, and the calendar is in it, or not long before it.
    private static func isPossible(_ position: AccrualCalendar.Position, at now: Instant) -> Bool {
        let far = Duration.days(10)
        return position.from >= now - far && position.from <= now + far && position.windowFrom >= position.from - far
            && position.windowFrom <= position.from + far && position.windowTo >= position.windowFrom
            && position.windowTo <= position.windowFrom + far
            && position.partsPerMicrotoken > 0 && position.partsPerMicrotoken < 1 << 80
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
    mutating func code<Coder: StateCoder>(_ coder: inout Coder, precise: Bool, stationaryAt place: Point) {
        var (reported, at) = (reportedPlace, reportedAt)
        reported.x -= place.x
        reported.y -= place.y
        coder.code(&reported)
        coder.code(&at)
        if Coder.isReading {
            self = SignificantChanges(
                at: Point(x: reported.x + place.x, y: reported.y + place.y), precise: precise, reportedAt: at)
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
        coder.code(&top, in: 0...max(0, order.count - 1), "a widget that is not in its stack")
        coder.code(&rotations, in: 0...1 << 30, "more turns of a stack than a day has")
        if Coder.isReading { order = SmartStack(count: order.count, top: top, rotations: rotations) }
        coder.code(&flipAt)
        coder.code(&flipNumber)
    }
}
