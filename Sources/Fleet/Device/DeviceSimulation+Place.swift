import Basics
import People
import WidgetPlatform

/// Where the device is and how its surroundings change: significant changes (L2), environment changes and zones
/// (F4), and what apps may know of it (L3).
extension DeviceSimulation {
    mutating func move() {
        // The person is on a trip, and the device stays where it stands (L1).
        if world.isStationary { return }
        note(.move)
        Rules.hear(.move, on: &self)
        whereabouts.planReports(at: now, in: &world)
    }

    /// A significant change is reported: instances that follow the person have a pending reload at their next view
    /// (F3).
    mutating func reportChange(reduced: Bool) {
        events += 1
        whereabouts.report(reduced: reduced, at: now, in: &world)
        if !reduced { count(.significantChanges) }
        if reduced || whereabouts.hasFull { note(.significantChange, detail: reduced ? "reduced accuracy" : "") }
        Rules.hear(.significantChange(reduced: reduced), on: &self)
    }

    /// An environment change (F4): every instance reloads, at once if the device is in use, else at the next pickup.
    mutating func changeEnvironment(_ change: EnvironmentChange, into newZone: Int) {
        if newZone >= 0 { crossZone(into: newZone) }
        count(.environmentChanges)
        if change == .timeZone { count(.zoneCrossings) }
        if change.isReboot {
            count(.reboots)
            Rules.hear(.boot, on: &self)
        }
        if change == .systemUpdate { count(.releases) }
        if observer.isWatching { note(.environment, detail: change.name) }
        if !Rules.reloads(after: change) { return countRerenders() }
        for i in 0..<instanceCount where instances[i].isInstalled {
            if instances[i].slot.servesChange(at: now) || (display.isInUse(at: now) && !change.isReboot) {
                ask(i, free: .environment)
            } else if change.isReboot {
                // A reboot is served at the next unlock; a glance does not do (D9).
                instances[i].pendingReboot.add(now)
                schedule.hasPendingChanges = true
            } else {
                instances[i].pendingEnvironment.add(now)
                schedule.hasPendingChanges = true
            }
        }
    }

    /// An app is updated, of which the device has a widget (D9, N1).
    mutating func update(_ app: Int) {
        if !(0..<instanceCount).contains(where: { instances[$0].isInstalled && instances[$0].app == app }) { return }
        count(.appUpdates)
        if observer.isWatching { note(.appUpdate, detail: prepared.plan.apps[app]) }
        Rules.update(app, on: &self)
    }

    /// Light or dark: every instance is rendered again from the timeline it has (R2).
    mutating func switchAppearance() {
        count(.appearanceSwitches)
        note(.appearance)
        countRerenders()
    }

    /// Every instance is rendered again from what it shows.
    private mutating func countRerenders() {
        for i in 0..<instanceCount where instances[i].isInstalled { count(.rerenders) }
    }

    /// At a pickup, the instances' pending environment changes, whatever background reload came between (F4).
    mutating func releasePendingEnvironment(unlocked: Bool) {
        if !schedule.hasPendingChanges { return }
        schedule.hasPendingChanges = false
        for i in 0..<instanceCount {
            let (changes, reboots) = (instances[i].pendingEnvironment, instances[i].pendingReboot)
            instances[i].pendingEnvironment = PendingChanges()
            pay(i, changes, .environment)
            if unlocked {
                instances[i].pendingReboot = PendingChanges()
                pay(i, reboots, .environment)
            } else if reboots.count > 0 {
                schedule.hasPendingChanges = true
            }
        }
    }

    /// Pays changes that have come due: they make one reload, and each further one is counted as merged (G8).
    mutating func pay(_ i: Int, _ pending: PendingChanges, _ cause: ReloadCause) {
        for _ in 0..<pending.count { ask(i, free: cause, changedAt: pending.latest) }
    }

    /// The zone's rules move the clocks, or a new day begins: a significant time change (F4).
    mutating func changeClocks() {
        events += 1
        let justBefore = now - .microsecond
        let isZoneChange = parameters.dstEvents && zoneTable.nextChange(after: justBefore) == now
        let isNewDay = parameters.reloadsAtMidnight && zoneTable.nextMidnight(after: justBefore) == now
        findTimeChange()
        if isZoneChange { changeEnvironment(.timeChange, into: -1) }
        if isNewDay { changeEnvironment(.dayChange, into: -1) }
    }

    mutating func findTimeChange() {
        whereabouts.findTimeChange(after: now, in: zoneTable, reloadsAtMidnight: parameters.reloadsAtMidnight)
    }

    /// The device comes into another zone; budgets accrue by its clock from here on (B6).
    private mutating func crossZone(into newZone: Int) {
        Rules.hear(.endInterval(at: now), on: &self)
        whereabouts.cross(into: newZone)
        for campaign in 0..<pushes.campaignCount {
            pushes.campaigns[campaign].cross(
                prepared.campaigns.baseAddress! + campaign, at: now, into: newZone, prepared.zones)
        }
        findCalls()
        findTimeChange()
        Rules.hear(.refineTokens(by: calendar.cross(at: now, into: zoneTable)), on: &self)
        // Tokens come at another rate from here on.
        instant.gatesMoved = true
    }

    /// The person changes what an app may know (L3): the mode from now on decides what a reload may ask for (L4).
    mutating func changePermission(of app: Int, to mode: LocationMode) {
        if observer.isWatching { note(.permission, detail: "\(prepared.plan.apps[app]): \(mode.name)") }
        for i in 0..<instanceCount where instances[i].app == app && instances[i].followsPerson {
            // The time counted so far belongs to the mode that was in force.
            countWakingTime(i)
            instances[i].allow(mode, on: display.device, in: prepared.layout)
            // An app without access to the place is not told of changes (F3).
            if mode == .denied { instances[i].pendingLocation = PendingChanges() }
            // The system may reload the widgets that the change is about (L3).
            if parameters.reloadsOnPermissionChange { ask(i, free: .environment) }
        }
    }
}
