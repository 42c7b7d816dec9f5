import Basics
import People

/// The person's use of the device (D2, D3, D6–D8, V4, R4), and what it means for its instances.
extension DeviceSimulation {
    /// The person wakes up: a device-day is complete, and the allowances follow its views (T5, B2, B3).
    mutating func wake() {
        // A replay may leave the sleep out: then the time before is waking time too.
        countWakingTime()
        if person.wake() { count(.deviceDays) }
        note(.wake)
        Rules.hear(.wake, on: &self)
        for i in 0..<instanceCount where instances[i].isInstalled {
            instances[i].beginDay(at: now)
            Rules.hear(.completeDay(i), on: &self)
        }
        for stack in 0..<stacks.count { stacks[stack].beginDay() }
        instant.gatesMoved = true
        heed(.night)
    }

    mutating func sleep() {
        countWakingTime()
        person.sleep()
        note(.sleep)
        Rules.hear(.sleep, on: &self)
        heed(.night)
    }

    @inline(__always) mutating func pickUp(showing surfaces: SurfaceSet) {
        person.pickUp()
        guard display.pickUp(at: now, showing: surfaces) else { return }
        instant.gatesMoved = true
        heed(.use)
        count(.sessions)
        note(.pickup)
        Rules.hear(.screen(isOn: true), on: &self)
        releasePendingEnvironment(unlocked: true)
        if clocks.editDue <= now { editConfigurations() }
    }

    @inline(__always) mutating func glance() {
        person.pickUp()
        var surfaces = SurfaceSet()
        if let glances = person.todayViewGlances, glances.isShown(atPickup: person.pickupNumber, streams) {
            surfaces = SurfaceSet(.todayView)
        }
        guard display.glance(at: now, showing: surfaces) else { return }
        instant.gatesMoved = true
        heed(.use)
        count(.glances)
        note(.glance)
        Rules.hear(.glance, on: &self)
        // A watch on the wrist is unlocked by the person who puts it on (D6).
        releasePendingEnvironment(unlocked: display.device == .watch)
    }

    mutating func dim() {
        if display.dim(at: now) { note(.lowLuminance) }
    }

    /// The person looks at the dimmed display (R4), or at the phone on its charger (V4).
    mutating func look(at surfaces: SurfaceSet, _ counted: DeviceCount, _ event: TraceEvent) {
        guard display.look(at: surfaces) else { return }
        count(counted)
        note(event)
    }

    /// The person at a Mac looks at its desktop (V2): what they do then is drawn as at a pickup.
    mutating func lookAtDesktop(isCovered: Bool) {
        if !display.use.isInSession { return }
        cover(isCovered)
        person.pickUp()
        count(.looks)
        note(.desktopLook)
        display.show(SurfaceSet(.desktop))
    }

    /// Windows cover a Mac's desktop or free it: its widgets are rendered again, dimmed or not, and none reloads (R4).
    mutating func cover(_ isCovered: Bool) {
        guard display.cover(isCovered) else { return }
        note(isCovered ? .desktopCovered : .desktopFree)
        for i in 0..<instanceCount where instances[i].isInstalled && instances[i].surface == .desktop {
            count(.rerenders)
        }
    }

    /// A watch goes on the wrist, or comes off: off it, it is locked and shows nothing (V4).
    mutating func wear(_ on: Bool) {
        if !on {
            lock()
            leaveSurface()
        }
        let time = display.wornTime(at: now)
        guard display.wear(on, at: now) else { return }
        report.counts.add(time.microseconds, to: .wornTime)
        instant.gatesMoved = true
        note(on ? .watchOn : .watchOff)
    }

    @inline(__always) mutating func lock() {
        let time = display.sessionTime(at: now)
        guard display.lock(at: now) else { return }
        endTap()
        note(.lock)
        Rules.hear(.screen(isOn: false), on: &self)
        instant.gatesMoved = true
        heed(.use)
        report.counts.add(time.microseconds, to: .sessionTime)
        if display.takeUnhealed() {
            for i in 0..<instanceCount where !instances[i].isShown {
                instances[i].healUntil = min(instances[i].healUntil, now)
            }
        }
        leaveForeground()
    }

    mutating func connect(_ online: Bool) {
        if condition.connect(online) { count(.offlineEpisodes) }
        // All that has waited for the connection comes in this instant.
        if online && apps.hasHeldCalls { clocks.callsAt = now }
        if online && prepared.layout.transferKinds > 0 { releaseTransfers() }
        note(online ? .online : .offline)
        heed(.connection)
    }

    mutating func setLowPower(_ on: Bool) {
        if condition.setLowPower(on) { count(.lowPowerEpisodes) }
        instant.gatesMoved = true
        heed(.power)
        note(on ? .lowPowerOn : .lowPowerOff)
    }

    mutating func setBackgroundRefresh(_ on: Bool) {
        condition.setBackgroundRefresh(on)
        instant.gatesMoved = true
        heed(.power)
        note(on ? .refreshOn : .refreshOff)
    }

    /// In the first session after the person wants something else, an instance is set to another of its choices and
    /// reloads at once, free.
    mutating func editConfigurations() {
        let device = prepared.device(ofSegment: person.segment, slot: streams.slot)
        clocks.editDue = .never
        for i in 0..<instanceCount {
            if instances[i].editAt <= now && instances[i].isInstalled { edit(i, device) }
            clocks.editDue = min(clocks.editDue, instances[i].editAt)
        }
    }

    private mutating func edit(_ i: Int, _ device: UnsafePointer<PreparedDevice>) {
        instances[i].edit(at: now, device, streams, prepared.tables.exponential)
        count(.edits)
        dropLoaded(i)
        if observer.isWatching {
            note(.configure, instance: i, detail: prepared.choice(ofKey: instances[i].chosenKey) ?? "")
        }
        ask(i, free: .configuration)
    }

    /// Something has happened to the device that a provider may listen to.
    @inline(__always) mutating func heed(_ events: ProviderContext.Events) {
        if !schedule.listens.isDisjoint(with: events) { instant.heard.formUnion(events) }
    }
}
