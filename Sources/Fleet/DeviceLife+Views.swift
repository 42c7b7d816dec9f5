import Measures
import SimulatedTime
import WidgetPlatform

/// What the person sees (V2, V6, C2, C3, C5), and the free reloads that a view brings (F3, F5).
extension DeviceLife {
    /// The views of a pickup: its surfaces, and the lock screen always (V2).
    mutating func showSurfaces() {
        hasPickup = false
        let surfaces = shown.union(SurfaceSet(.lockScreen))
        shown = SurfaceSet()
        for i in 0..<instanceCount where surfaces.contains(instances[i].surface) { view(i) }
    }

    /// A surface is shown, by a recorded line.
    mutating func view(_ surface: Surface) {
        for i in 0..<instanceCount where instances[i].surface == surface { view(i) }
    }

    /// An instance is shown, by a recorded line.
    mutating func viewAgain(_ index: Int) { view(index) }

    /// One instance is shown: one view a pickup (V2).
    private mutating func view(_ i: Int) {
        guard instances[i].isInstalled else { return }
        if instances[i].viewedPickup == pickupNumber {
            cells[instances[i].viewBlock + ViewField.repeated] += 1
            return
        }
        instances[i].viewedPickup = pickupNumber
        instances[i].viewsToday += 1
        lastWidgetView[instances[i].app] = now
        events += 1
        measureView(i)
        reloadOnView(i)
    }

    /// What is on the screen at the view's first instant (V6, C5).
    private mutating func measureView(_ i: Int) {
        let isLockedView = isLocked
        let kind = kinds + instances[i].kind
        // Protected content shows its placeholder on a locked screen; of hidden content, sensitive views are redacted (R3).
        let showsPlaceholder = isLockedView && kind.pointee.isProtected
        let isRedacted = isLockedView && hidesLockScreen && kind.pointee.isSensitive
        let missed = instances[i].content.kind == .regular ? missedVersions(i) : 0
        let place = instances[i].followsPerson ? world.place(at: now) : 0
        let state =
            showsPlaceholder
            ? ViewState.placeholder : instances[i].content.state(at: now, isRedacted: isRedacted, place: place, missedVersions: missed)
        let block = cells + instances[i].viewBlock
        block[ViewField.states + Int(state.rawValue)] += 1
        if instances[i].content.kind == .regular && !showsPlaceholder {
            let age = now - instances[i].content.madeAt
            WideSum.add(age.microseconds, to: block + ViewField.ageSum)
            block[ViewField.ages + LogHistogram.bin(of: age)] += 1
            block[ViewField.missedSum] += Int64(missed)
            block[ViewField.missedViews] += missed > 0 ? 1 : 0
        }
        measureForecast(i, state)
        if state == .fresh {
            instances[i].healUntil = .longAgo
        } else {
            instances[i].unhealedState = state
            // A glance has no lock of its own: what it showed can be healed at its instant only.
            instances[i].healUntil = use.isInSession ? .never : now
        }
        noteView(i, state, missed: missed)
    }

    /// A location change owed to the instance (F3), or content stale on view of a rarely viewed instance (F5).
    private mutating func reloadOnView(_ i: Int) {
        if instances[i].owesLocation {
            instances[i].owesLocation = false
            ask(i, free: .location)
        }
        guard instances[i].history.isRarelyViewed(limit: parameters.rarelyViewed), instances[i].content.kind != .placeholder else { return }
        let isPast = instances[i].preferred < .never && now - instances[i].preferred > parameters.staleGrace
        if isPast || now > instances[i].content.validUntil { ask(i, free: .staleOnView) }
    }

    /// The key of an instance's content: the place it is for, or its own choice.
    mutating func contentKey(_ i: Int) -> Int64 { instances[i].followsPerson ? instances[i].content.place : instances[i].chosenKey }

    /// The versions published since the one shown (C3).
    mutating func missedVersions(_ i: Int) -> Int { kinds[instances[i].kind].source.missed(since: instances[i].version, through: now) }

    /// Counts the waking time since the last count, and how much of it the content was stale (C3).
    mutating func countWakingTime() {
        if isAsleep { return }
        for i in 0..<instanceCount { countWakingTime(i) }
    }

    mutating func countWakingTime(_ i: Int) {
        guard !isAsleep, instances[i].isInstalled, instances[i].firstTimelineAt <= now else { return }
        let from = max(instances[i].countedUntil, instances[i].firstTimelineAt)
        instances[i].countedUntil = now
        if now <= from { return }
        let block = cells + instances[i].viewBlock
        WideSum.add((now - from).microseconds, to: block + ViewField.wakingTime)
        let staleFrom = max(from, instances[i].staleFrom)
        if now > staleFrom { WideSum.add((now - staleFrom).microseconds, to: block + ViewField.staleTime) }
    }
}
