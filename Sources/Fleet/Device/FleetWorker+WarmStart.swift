import Basics
import People
import ScenarioModel
import Statistics
import WidgetPlatform

/// The past of instances when a run starts: a viewing history, content of some age, and the place that they know (T4).
extension FleetWorker {
    /// A run starts warm (T4): the instance has been viewed for as many days as the window looks back, and shows
    /// content of a drawn age.
    ///
    /// Assumption: the history is the person's expected views a day, each day the same but for its rounding.
    func warmUp(
        _ instance: UnsafeMutablePointer<InstanceState>, _ owner: DeviceOwner, _ rounding: UInt64, age: UInt64,
        refresh: AndroidRefresh?
    ) {
        var views = expectedViews(owner, of: instance)
        if instance.pointee.stack >= 0 {
            views *= prepared.device(of: owner).pointee.stackViews.shares[instance.pointee.placement]
        }
        // The allowance follows openings of the app too, by their weight (B2).
        var use = views
        if prepared.plan.parameters.appUseWeight > 0 {
            let openings = UsualWhereabouts(owner, prepared.population).use(ofApp: instance.pointee.app).openings
            use += openings * Double(prepared.plan.parameters.appUseWeight) / 1_000_000
        }
        let days = max(prepared.plan.parameters.allowance.windowDays, prepared.plan.parameters.allowance.learningDays)
        for day in 0..<days {
            let dither = RandomStream.uniform(rounding &+ UInt64(day) &* 0x9e37_79b9_7f4a_7c15)
            instance.pointee.history.complete(views: Int64(use + dither))
        }
        let rule = prepared.plan.parameters.allowance
        let allowance = max(
            1,
            Double(rule.allowance(on: instance.pointee.surface, after: instance.pointee.history))
                / Double(AllowanceRule.token))
        let kind = prepared.kinds.baseAddress! + instance.pointee.kind
        let waking = owner.traits.sleepTimes.usualWaking.workday.length.inSeconds
        // How long a timeline lives: at least what the budget takes for one reload, or what its policy asks for. With
        // open gates no budget holds a policy `after` up: dates a budget apart would leave many devices due at the
        // start at once, in step for the whole run.
        let asked = kind.pointee.lives?.mean ?? kind.pointee.usualLife.length(of: kind.pointee.shape).inSeconds
        var interval = max(waking / allowance, asked)
        if case .after = kind.pointee.usualLife, prepared.plan.parameters.gatesOpen { interval = asked }
        // On Android content is as old as its provider's last refresh.
        if let refresh {
            let length = instance.pointee.surface == .tile ? refresh.freshness : refresh.period.length
            interval = (length ?? .days(1)).inSeconds
        }
        var fetched: Instant
        if refresh == nil, kind.pointee.usualLife == .never || !owner.hasBackgroundRefresh {
            // Only what the person and the app do reloads it, at random times.
            let calls = callsPerDay(instance, owner, viewsPerDay: views)
            let longest = VersionSource.lead.inSeconds
            let calledAfter = 86_400 / max(1e-9, calls)
            interval = min(longest, calledAfter)
            let age =
                calledAfter > 10 * longest
                ? longest * RandomStream.uniform(age)
                : min(longest, calledAfter * prepared.tables.exponential.value(age))
            fetched = .start - Duration(seconds: age)
        } else if refresh == nil, case .clock(let schedule) = kind.pointee.usualLife {
            if let jitter = kind.pointee.jitter, !kind.pointee.keepsJitter {
                let draws = owner.streams[.warmContentAge, sub: instance.pointee.number]
                let past = PastDates(
                    schedule, in: prepared.zones[schedule.fixedZone ?? owner.traits.zone], delay: jitter.draw,
                    draws: draws.value(at:))
                (fetched, instance.pointee.initialDue) = (past.fetched, past.due)
            } else {
                let kept = owner.streams.number(.keptJitter, sub: instance.pointee.kind)
                fetched = lastDate(schedule, after: kind.pointee.jitter?.draw(kept) ?? .zero, owner)
            }
        } else if let refresh, instance.pointee.surface != .tile, refresh.period != .none {
            (fetched, instance.pointee.initialDue) = lastRefresh(refresh.period, ofKind: instance.pointee.kind, owner)
        } else if refresh == nil, let lives = kind.pointee.lives, interval == lives.mean {
            let past = PastLives(
                lives, draws: owner.streams[.warmContentAge, sub: instance.pointee.number],
                keptJitter: kind.pointee.keepsJitter
                    ? owner.streams.number(.keptJitter, sub: instance.pointee.kind) : nil,
                nights: prepared.plan.parameters.gatesOpen
                    ? nil
                    : UsualNights(
                        owner.traits.sleepTimes.usualWaking, idleAfter: prepared.plan.parameters.idleAfter,
                        in: prepared.zones[owner.traits.zone]), systemDelay: prepared.dispatchDelay)
            (fetched, instance.pointee.initialDue) = (past.fetched, past.due)
        } else {
            fetched = .start - Duration(seconds: interval * RandomStream.uniform(age))
        }
        // A device that was not used for days held its reloads back (G3).
        if refresh == nil, kind.pointee.usualLife != .never, owner.hasBackgroundRefresh,
            !prepared.plan.parameters.gatesOpen
        {
            let unused = Duration.days(Int64(owner.daysUnusedBefore(atMost: Self.mostDaysUnused)))
            fetched = fetched - unused
            if instance.pointee.initialDue < .never {
                instance.pointee.initialDue = max(.start, instance.pointee.initialDue - unused)
            }
        }
        // Versions are known no longer.
        let longest = max(VersionSource.lead, kind.pointee.usualLife.length(of: kind.pointee.shape))
        instance.pointee.initialFetched = min(max(fetched, .start - longest), .start - .microsecond)
        if instance.pointee.followsPerson {
            locate(instance, owner, viewsPerDay: views, reloadsPerDay: waking / interval)
        } else {
            instance.pointee.initialPlace = instance.pointee.chosenKey
        }
        if let pushes = kind.pointee.contentPushes, refresh != nil || owner.hasBackgroundRefresh {
            // The last version that was pushed reloaded it, unless it was reloaded later.
            let key = instance.pointee.startsAlternate ? 0 : instance.pointee.initialPlace
            let pushed = pushes.lastArrival(
                of: key, kind, ofKind: instance.pointee.kind, owner.streams,
                within: instance.pointee.initialFetched ..< .start)
            if let pushed {
                instance.pointee.initialFetched = pushed
                // A policy's date counts from the fetch, a provider's alarms and jobs on Android do not (N1, N2).
                if refresh == nil { instance.pointee.initialDue = .never }
            }
        }
        // Where nothing is spent an account is full, after hours (B5).
        if prepared.plan.parameters.gatesOpen { instance.pointee.opening = .full }
    }

    /// The most days that a device was not used before the start.
    private static var mostDaysUnused: Int { 31 }

    /// When a provider on Android was refreshed last before the start, and when its next alarm or job is due (N1, N2,
    /// N6, T4): late by a delay of its own, a periodic job after a life drawn by its length.
    private func lastRefresh(_ period: AndroidRefresh.Period, ofKind kind: Int, _ owner: DeviceOwner)
        -> (fetched: Instant, due: Instant)
    {
        guard let android = prepared.android else { preconditionFailure("a provider's period without Android") }
        let draws = owner.streams[.refreshPhase, sub: kind]
        /// The delay of an alarm that is exact with the permission for it.
        func delay(isExact: Bool) -> (UInt64) -> Duration {
            let app = prepared.kinds[kind].app
            let isAllowed = isExact && android.pointee.exactAlarms.holds(owner.streams.number(.exactAlarms, sub: app))
            return isAllowed ? { _ in .zero } : android.pointee.alarmDelay.draw
        }
        func alarm(every period: Duration, isExact: Bool) -> PastDates {
            let anchor = AndroidRules.anchor(of: period, draws)
            func last(_ instant: Instant) -> Instant {
                let passed = (instant - anchor).microseconds
                return anchor + period * (passed / period.microseconds - (passed % period.microseconds < 0 ? 1 : 0))
            }
            return PastDates(
                last: last, next: { last($0) + period }, delay: delay(isExact: isExact),
                draws: { draws.value(at: $0 + 1) })
        }
        let past: PastDates
        switch period {
        case .none: preconditionFailure("a provider without a period has no last refresh")
        case .alarm(let every): past = alarm(every: every, isExact: false)
        case .idleAlarm(let every): past = alarm(every: every, isExact: true)
        case .clock(let schedule, let isExact, let window):
            past = PastDates(
                schedule, in: prepared.zones[schedule.fixedZone ?? owner.traits.zone],
                delay: isExact
                    ? delay(isExact: true) : { Duration(seconds: window.inSeconds * RandomStream.uniform($0)) },
                draws: { draws.value(at: $0 + 1) })
        case .work:
            guard let lives = android.pointee.jobLives[kind] else { preconditionFailure("a job without lives") }
            let life = PastLives(
                lives, draws: draws, keptJitter: nil, nights: nil, systemDelay: android.pointee.jobDelay)
            return (life.fetched, life.due)
        }
        return (past.fetched, past.due)
    }

    /// So long after the last date of a schedule that lies so long before the start: the content was asked for then.
    private func lastDate(_ schedule: AlignedSchedule, after delay: Duration, _ owner: DeviceOwner) -> Instant {
        let zone = prepared.zones[schedule.fixedZone ?? owner.traits.zone]
        guard let date = schedule.last(through: .start - delay, in: zone) else { return .start - VersionSource.lead }
        return date + delay
    }

    /// How often a day an instance is reloaded by anything but its policy and pushes: its person opens the app, uses a
    /// button or sees it stale though they seldom look (F5), the environment changes (F4), or the app is woken up.
    private func callsPerDay(
        _ instance: UnsafeMutablePointer<InstanceState>, _ owner: DeviceOwner, viewsPerDay: Double
    ) -> Double {
        let kind = prepared.plan.kinds[instance.pointee.kind]
        let openings = UsualWhereabouts(owner, prepared.population).use(ofApp: instance.pointee.app).openings
        var calls = prepared.plan.segments[owner.traits.segment].habits.environment.changesPerDay
        calls += viewsPerDay * kind.interactionShare
        if kind.reloadOnOpen != .never || kind.reloadsOnClose {
            let share = kind.reloadOnOpen == .ifChanged && kind.versions == .manual ? kind.changeShare : 1
            calls += share * (openings + viewsPerDay * kind.tapShare)
        }
        if owner.hasBackgroundRefresh { calls += kind.wakeUpsPerDay }
        if viewsPerDay < Double(prepared.plan.parameters.rarelyViewed) / 1e6 {
            calls += viewsPerDay * prepared.plan.parameters.rareReloadShare
        }
        return calls
    }

    /// The last place that an instance knew before the start, and whether its content is for that (T4, L4, L6): a
    /// widget can only know places where its mode gave access as it was viewed or reloaded.
    ///
    /// Assumptions: it has been there for as long as content is old at most; these occasions come at random through the
    /// waking time.
    private func locate(
        _ instance: UnsafeMutablePointer<InstanceState>, _ owner: DeviceOwner, viewsPerDay: Double,
        reloadsPerDay: Double
    ) {
        let kind = prepared.kinds.baseAddress! + instance.pointee.kind
        let usual = UsualWhereabouts(owner, prepared.population)
        let draws = owner.streams[.warmLocation, sub: instance.pointee.number]
        // How often a day it learns where it is, and the share of its reloads that do.
        let (located, share): (Double, Double)
        switch instance.pointee.mode {
        case .denied: (located, share) = (0, 0)
        case .always: (located, share) = (.infinity, 1)
        case .whileUsingOrWidgets:
            // After a move the next view reloads it (F3), so it knows where it was last viewed.
            let grace = prepared.plan.parameters.widgetLocationGrace.inSeconds / 3_600
            (located, share) = (viewsPerDay, 1 - DeterministicMath.exp(-viewsPerDay * grace / usual.wakingHours))
        case .whileUsing:
            let (openings, foregroundShare) = usual.use(ofApp: instance.pointee.app)
            let navigated = kind.pointee.sessionRhythm == nil ? 0 : usual.navigatedWays(byApp: instance.pointee.app)
            let called = (kind.pointee.reloadOnOpen == .never ? 0 : openings) + navigated
            located = called + reloadsPerDay * foregroundShare
            share = located / max(1e-9, called + reloadsPerDay)
        }
        let days = located == 0 ? .infinity : prepared.tables.exponential.value(draws.value(at: 0)) / located
        guard Duration(seconds: min(days, 365) * 86_400) < VersionSource.lead else {
            instance.pointee.startsAlternate = true
            return
        }
        instance.pointee.initialPlace = usual.cell(
            wakingHoursBefore: days * usual.wakingHours, (draws.value(at: 1), draws.value(at: 2)),
            side: prepared.plan.parameters.contentCell)
        // Where it was last viewed, and not at home: the next view reloads it (F3). A device that stays has not been
        // moved.
        let home = DrawnWorld.place(owner.traits.home, cell: prepared.plan.parameters.contentCell)
        if instance.pointee.mode != .whileUsing && !owner.isStationary && instance.pointee.initialPlace != home {
            instance.pointee.pendingLocation.add(.start)
        }
        instance.pointee.startsAlternate =
            kind.pointee.withoutFix == .alternate && RandomStream.uniform(draws.value(at: 3)) >= share
    }

    /// How many of the instances placed one by one such a device has on a surface, on average.
    private func widgets(_ owner: DeviceOwner, on surface: Surface) -> Double {
        prepared.device(of: owner).pointee.plan.placements.reduce(0) { $0 + ($1.surface == surface ? $1.share : 0) }
    }

    /// Showings a day to expect of an instance that stands alone (T4).
    private func expectedViews(_ owner: DeviceOwner, of instance: UnsafeMutablePointer<InstanceState>) -> Double {
        let controls = prepared.plan.segments[owner.traits.segment].habits.controls
        switch prepared.kinds[instance.pointee.kind].control {
        case nil, .lockScreen: return expectedViews(owner, on: instance.pointee.surface)
        case .controlCenter: return min(controls.controlCenterPerDay, owner.use.unlocksPerDay)
        case .actionButton: return min(controls.actionButtonPerDay, owner.use.unlocksPerDay)
        }
    }

    /// Showings a day to expect of a surface (T4).
    private func expectedViews(_ owner: DeviceOwner, on surface: Surface) -> Double {
        let unlocks = owner.use.unlocksPerDay
        let habits = owner.device
        switch surface {
        case .lockScreen, .watchFace:
            let looks = owner.hasAlwaysOnDisplay ? habits.pointee.looksPerDay : 0
            return unlocks * (1 + habits.pointee.glancesPerUnlock) + looks
        case .standby: return owner.isPutInStandby ? habits.pointee.standbyNightShare * habits.pointee.looksPerNight : 0
        case .homeFirst, .homeOther: return unlocks * habits.pointee.shownShare[Int(surface.rawValue)]
        case .todayView:
            let glances = habits.pointee.glancesPerUnlock * habits.pointee.todayViewGlances
            return unlocks * (habits.pointee.shownShare[Int(surface.rawValue)] + glances)
        case .notificationCenter: return owner.notificationCentersPerDay
        case .desktop: return owner.desktopLooksPerDay
        case .car: return UsualWhereabouts(owner, prepared.population).pagesPerDay
        case .smartStack:
            let shown = Double(prepared.plan.parameters.suggestions) / max(1, widgets(owner, on: surface))
            return habits.pointee.openings.openings.perDay * min(1, shown)
        case .tile:
            // The mean over the tiles, of which each is reached by way of those before.
            let (count, further) = (max(1, widgets(owner, on: surface)), habits.pointee.openings.furtherShare)
            var (reached, share) = (0.0, 1.0)
            for _ in stride(from: 0, to: count, by: 1) {
                reached += share
                share *= further
            }
            return habits.pointee.openings.openings.perDay * reached / count
        }
    }
}
