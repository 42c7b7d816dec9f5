import Basics
import DeviceStorage
import People
import WidgetPlatform

// MARK: State of a suspended device

/// A device between two instants: its state, apart from what its person and the plan give.
extension DeviceSimulation where World == DrawnWorld {
    mutating func code<Coder: DeviceCoder>(_ coder: inout Coder) {
        if Coder.isReading { now = coder.base }
        coder.code(world: &world, zoneCount: prepared.zones.count, cityCount: prepared.population.cityCount)
        codeDevice(&coder)
        codeCalendar(&coder)
        for kind in 0..<prepared.kinds.count { kindStates[kind].code(&coder, kinds + kind) }
        codeModes(&coder)
        let context = SnapshotContext(
            accrual: calendar.accrual, rule: parameters.allowance, kinds: kinds, kindStates: kindStates,
            hasForegroundGap: Rules.requestGap(prepared) > .zero, place: world.stationaryPlace,
            showing: display.showingNumber)
        for i in 0..<instanceCount {
            instances[i].code(&coder, context)
            if instances[i].isInstalled { own.code(&coder, of: i, kinds + instances[i].kind) }
        }
        if Coder.isReading && !coder.isRefused {
            findClocks()
            if Coder.isChecked { check(&coder) }
        }
    }

    /// Invariants of every suspended device: nothing of its own lies before its instant, and nothing that it shows
    /// comes from after it.
    private mutating func check<Coder: StateCoder>(_ coder: inout Coder) {
        let isInRun = now >= .start && now < report.end
        _ = coder.holds(isInRun, "a device outside of the run")
        let nextAt = nextAt
        _ = coder.holds(nextAt >= now && calendar.to >= now, "a clock that stands before its device")
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
            instances[i].inFlight.check(
                &coder, requests: requestCount(i), retries: prepared.plan.requests.retry.retries,
                hasTransfer: kinds[instances[i].kind].hasTransfer)
        }
    }

    private mutating func codeDevice<Coder: StateCoder>(_ coder: inout Coder) {
        var isReported = clocks.reportStartsAt == .never
        coder.code(&isReported)
        if Coder.isReading && isReported { crossedBorder() }
        coder.code(&schedule.hasPendingChanges)
        person.code(&coder, isReported: isReported)
        display.code(&coder)
        condition.code(&coder)
        link.code(&coder)
        whereabouts.code(&coder, zones: prepared.zones.count, stationaryAt: world.stationaryPoint)
        if Coder.isReading { findTimeChange() }
        apps.code(&coder, count: prepared.plan.apps.count, grace: parameters.widgetLocationGrace)
        pushes.code(&coder, prepared)
        for fetch in 0..<fetches.count {
            let plan = fetches.plans[fetch]
            fetches.states[fetch].code(&coder, isRead: plan.isRead, followsUse: plan.followsUse)
        }
        for stack in 0..<stacks.count where stacks[stack].count > 1 { stacks[stack].code(&coder) }
        opened.code(&coder)
        if opened.isOpen {
            for i in 0..<instanceCount where instances[i].surface.isOpened { coder.code(&instances[i].isShown) }
        }
        coder.code(&clocks.callsAt)
        Rules.code(&self, &coder)
    }

    /// Codes the location modes of the person's apps: as at first unless the person changes them (L3).
    private mutating func codeModes<Coder: StateCoder>(_ coder: inout Coder) {
        let changing = prepared.population.segments[person.segment].permissionsChange
        if changing == 0 { return }
        for i in 0..<instanceCount where instances[i].followsPerson && changing & (1 << UInt16(instances[i].app)) != 0 {
            var mode = instances[i].mode
            coder.code(&mode)
            if Coder.isReading && mode != instances[i].mode {
                instances[i].allow(mode, on: display.device, in: prepared.layout)
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
                usual: calendar.usual, weights: calendar.weights, at: position, hoursFrom: calendar.hoursFrom,
                in: zoneTable)
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
        (schedule.missingCount, clocks.editDue, clocks.actionsAt) = (0, .never, .never)
        for i in 0..<instanceCount {
            if !instances[i].isInstalled { schedule.missingCount += 1 }
            clocks.editDue = min(clocks.editDue, instances[i].editAt)
            clocks.actionsAt = min(clocks.actionsAt, instances[i].actions.first)
            updateClock(i)
        }
        schedule.findNext()
    }
}
