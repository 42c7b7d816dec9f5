import Basics
import DeviceStorage
import WidgetPlatform

// MARK: State of a suspended device

/// Knowledge of the device from which its instances' states follow.
struct SnapshotContext {
    let accrual: BudgetAccrual
    let rule: AllowanceRule
    let kinds: UnsafeMutablePointer<PreparedKind>
    let kindStates: UnsafeMutablePointer<KindState>
    /// Whether calls from the foreground are held apart (F1).
    let hasForegroundGap: Bool
    /// The cell where the device is, or is going.
    let place: Int64
    /// The number of the latest showing of surfaces.
    let showing: UInt32
}

extension InstanceState {
    mutating func code<Coder: StateCoder>(_ coder: inout Coder, _ context: SnapshotContext) {
        coder.code(&isInstalled)
        coder.code(&edits)
        coder.code(&editAt)
        guard isInstalled else { return }
        // Zero for one that was never edited: what it was set to at first is drawn again.
        var key = chosenKey ^ drawnKey
        coder.code(key: &key)
        if Coder.isReading { chosenKey = key ^ drawnKey }
        codeContent(&coder, context)
        codePolicy(&coder)
        codeReload(&coder)
        accounts.code(&coder, context.accrual, context.rule)
        codeViews(&coder, context)
        codeDebts(&coder, context)
        coder.code(&dispatchDelays)
        coder.code(&legs)
        let isPaired = legs.position & 1 == 0
        if !coder.holds(isPaired, "half a pair of ways") { legs.move(to: 0) }
        coder.code(&jitters)
        coder.code(&fixes)
        coder.code(&freeDelays)
        if context.hasForegroundGap { calls.code(&coder) }
    }

    private mutating func codeContent<Coder: StateCoder>(_ coder: inout Coder, _ context: SnapshotContext) {
        coder.code(&fetched)
        coder.code(&content.kind)
        var place = content.place ^ (followsPerson ? context.place : chosenKey)
        coder.code(key: &place)
        if Coder.isReading { content.place = place ^ (followsPerson ? context.place : chosenKey) }
        coder.code(&content.madeAt, near: fetched)
        coder.code(&content.validUntil, near: fetched)
        coder.code(&lastEntry, near: fetched)
        coder.code(&firstTimelineAt, near: .start)
        let source = (context.kinds + kind).pointee.source
        if Coder.isChecked {
            // The oldest content is as old as the longest policy asks for.
            let isOfRun = !content.hasAge || content.madeAt >= .start - .days(8_000) && content.madeAt <= coder.base
            if !coder.holds(isOfRun, "content of no time of the run") { content.madeAt = .start }
        }
        if Coder.isReading {
            version = content.hasAge ? source.position(key: content.place, madeAt: content.madeAt) : .none
        }
        coder.code(&staleFrom, near: version.nextAt == .never ? coder.base : version.nextAt)
        coder.code(&countedUntil)
        var known = lastKnownPlace ^ content.place
        coder.code(key: &known)
        if Coder.isReading { lastKnownPlace = known ^ content.place }
        var unseen = context.kindStates[kind].changes - changesSeen
        coder.code(&unseen)
        if Coder.isReading { changesSeen = context.kindStates[kind].changes - unseen }
        coder.code(&newSince, near: fetched)
    }

    private mutating func codePolicy<Coder: StateCoder>(_ coder: inout Coder) {
        coder.code(&dueAt)
        coder.code(&dueCause)
        let isBackground = dueCause.isBackground
        if !coder.holds(isBackground, "a free cause of a policy") { dueCause = .after }
        coder.code(&preferred, near: dueAt == .never ? coder.base : dueAt)
        coder.code(&alignedDate, near: dueAt == .never ? coder.base : dueAt)
        coder.code(&servedDate)
        coder.code(&lastBackgroundRun, near: fetched)
    }

    private mutating func codeReload<Coder: StateCoder>(_ coder: inout Coder) {
        var phase = slot.phase
        coder.code(&phase)
        var hasFree = slot.freeCause != nil
        coder.code(&hasFree)
        if phase == .none && !hasFree {
            if Coder.isReading { (slot, reloadAt) = (ReloadSlot(), .never) }
            return
        }
        var (cause, since) = (slot.cause, slot.since)
        coder.code(&cause)
        coder.code(&since)
        var (freeCause, freeSince, freeAt) = (slot.freeCause ?? .first, slot.freeSince, slot.freeAt)
        if hasFree {
            coder.code(&freeCause)
            coder.code(&freeSince)
            coder.code(&freeAt, near: freeSince)
        }
        var firstRequest = slot.firstRequest
        var followUp = slot.followUp ?? .first
        var hasFollowUp = slot.followUp != nil
        if phase == .inFlight {
            coder.code(&firstRequest)
            coder.code(&hasFollowUp)
            if hasFollowUp {
                coder.code(&followUp)
                coder.code(&freeAt)
            }
        }
        let isPossible =
            ReloadSlot.isPossible(phase, cause: cause, hasFree: hasFree, hasFollowUp: phase == .inFlight && hasFollowUp)
            && (!hasFree || freeCause.canBeFree)
        if Coder.isReading && coder.holds(isPossible, "a reload in no phase") {
            slot = ReloadSlot(
                phase, cause: cause, since: since, freeCause: hasFree ? freeCause : nil, freeSince: freeSince,
                freeAt: freeAt,
                firstRequest: firstRequest,
                followUp: phase == .inFlight && hasFollowUp ? followUp : nil)
        }
        coder.code(&reloadAt)
        if phase == .waiting || hasFree { wait.code(&coder) }
        if phase == .granted || phase == .inFlight { inFlight.code(&coder, isRunning: phase == .inFlight) }
    }

    private mutating func codeViews<Coder: StateCoder>(_ coder: inout Coder, _ context: SnapshotContext) {
        var days = history.completeDays
        coder.code(&days, in: 0...1 << 30, "more days than a run has")
        let window = context.rule.windowDays
        var next = history
        if Coder.isReading {
            next = ViewHistory(window: window, completeDays: days) { _ in
                var views: Int64 = 0
                coder.code(&views, in: 0...Int64(Int32.max), "more views than a day has")
                return views
            }
        } else {
            for day in 0..<min(days, window) {
                var views = history.views(ofDay: day)
                coder.code(&views)
            }
        }
        history = next
        coder.code(&viewsToday)
        coder.code(&appUse)
        coder.code(&sawWakeUp)
        var isSeen = viewedShowing == context.showing
        coder.code(&isSeen)
        if Coder.isReading { viewedShowing = isSeen ? context.showing : 0 }
        // Views that cannot be healed any more need not be known.
        var canHeal = healUntil > coder.base
        coder.code(&canHeal)
        if canHeal {
            coder.code(&healUntil)
            unhealed.code(&coder)
        } else if Coder.isReading {
            healUntil = .longAgo
        }
    }

    private mutating func codeDebts<Coder: StateCoder>(_ coder: inout Coder, _ context: SnapshotContext) {
        pendingLocation.code(&coder)
        pendingEnvironment.code(&coder)
        pendingReboot.code(&coder)
        actions.code(&coder)
        if (context.kinds + kind).pointee.hasTransfer { loaded.code(&coder) }
        guard (context.kinds + kind).pointee.contentPushes != nil else { return }
        pushes.code(&coder, shown: content.place)
    }
}
