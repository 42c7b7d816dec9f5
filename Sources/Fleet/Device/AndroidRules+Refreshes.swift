import Basics
import Statistics
import WidgetPlatform

/// Refreshes of providers as they fall due (N1, N2, N6).
extension AndroidRules {
    /// When the provider's period next asks for a refresh.
    ///
    /// - Parameter isFirst: an instance has come whose first timeline is its app's first run.
    static func plan<World>(_ kind: Int, isFirst: Bool = false, on device: inout Device<World>) {
        let provider = device.rules.provider(kind)
        let (now, anchor) = (device.now, provider.pointee.anchor)
        let period = device.android.pointee.refreshes[kind].period
        var number: UInt64 {
            defer { provider.pointee.periods += 1 }
            return device.streams.number(.refreshDelay, sub: kind, at: provider.pointee.periods)
        }
        /// An alarm of the app's own, which is exact with the permission for it.
        func alarm(_ date: Instant, isExact: Bool, within window: Duration) -> Instant {
            if !isExact {
                let late = Double(window.microseconds) * RandomStream.uniform(number)
                return date + Duration(microseconds: Int64(cutting: late))
            }
            return isExactAllowed(kind, on: &device) ? date : date + device.android.pointee.alarmDelay.draw(number)
        }
        switch period {
        case .none: provider.pointee.dueAt = .never
        case .alarm(let every):
            let date = ProviderAlarm.next(after: now, anchor: anchor, period: every)
            provider.pointee.dueAt = date + device.android.pointee.alarmDelay.draw(number)
        case .idleAlarm(let every):
            let date = ProviderAlarm.next(after: now, anchor: anchor, period: every)
            provider.pointee.dueAt = alarm(date, isExact: true, within: .zero)
        case .clock(let schedule, let isExact, let window):
            let zone = device.prepared.zones[schedule.fixedZone ?? device.whereabouts.zone]
            let date = schedule.next(after: now, in: zone)
            provider.pointee.dueAt = date == .never ? date : alarm(date, isExact: isExact, within: window)
        case .work(let every, let flex):
            let length = isFirst && flex < every ? every - flex : every
            let date = provider.pointee.jobEnd + length + device.android.pointee.jobDelay.draw(number)
            provider.pointee.dueAt = max(now, date)
        }
        if device.observer.isWatching { noteDate(kind, on: &device) }
    }

    /// All instances of the provider have its next date.
    private static func noteDate<World>(_ kind: Int, on device: inout Device<World>) {
        let means: RefreshMeans? =
            switch device.android.pointee.refreshes[kind].period {
            case .none: nil
            case .alarm, .clock(_, isExact: false, _): .alarm
            case .idleAlarm, .clock: isExactAllowed(kind, on: &device) ? .idleAlarm : .alarm
            case .work: .work
            }
        let date = PlannedDate(
            from: device.now, at: device.rules.provider(kind).pointee.dueAt, cause: .after, means: means)
        for i in 0..<device.instanceCount where device.instances[i].kind == kind {
            device.observer.note(date: date, of: i)
        }
    }

    /// Whether the app of a kind may set exact alarms (N6).
    static func isExactAllowed<World>(_ kind: Int, on device: inout Device<World>) -> Bool {
        let app = device.kinds[kind].app
        return device.android.pointee.exactAlarms.holds(device.streams.number(.exactAlarms, sub: app))
    }

    /// After a boot alarms count from the unlock, and one of a clock time before it that is still to come never does;
    /// jobs keep their periods.
    static func beginAlarms<World>(of device: inout Device<World>) {
        for kind in 0..<device.prepared.kinds.count where device.rules.provider(kind).pointee.anchor < .never {
            var isBooted = false
            for i in 0..<device.instanceCount
            where device.instances[i].kind == kind && device.instances[i].pendingReboot.count > 0 { isBooted = true }
            guard isBooted else { continue }
            switch device.android.pointee.refreshes[kind].period {
            case .none, .work: continue
            case .alarm, .idleAlarm, .clock:
                device.rules.provider(kind).pointee.anchor = device.now
                plan(kind, on: &device)
            }
        }
        device.rules.findDue(device.prepared)
    }

    static func takeDue<World>(_ device: inout Device<World>) {
        takeUpdates(of: &device)
        takePeriods(of: &device)
        releaseMessages(of: &device)
        takeRetries(of: &device)
        evaluatePending(of: &device)
        device.rules.findDue(device.prepared)
    }

    /// Looks at the gates of all refreshes that wait. Of two with one place of a quota the one that has waited longer
    /// takes it (T3).
    private static func evaluatePending<World>(of device: inout Device<World>) {
        var last: (since: Instant, kind: Int) = (.longAgo, -1)
        while true {
            var next: (since: Instant, kind: Int)?
            for kind in 0..<device.prepared.kinds.count {
                guard let since = device.rules.provider(kind).pointee.waiting?.since else { continue }
                if (since, kind) > last && (next.map { (since, kind) < $0 } ?? true) { next = (since, kind) }
            }
            guard let next else { return }
            evaluate(next.kind, on: &device)
            last = next
        }
    }

    /// Asks for the alarms and jobs whose time has come.
    static func takePeriods<World>(of device: inout Device<World>) {
        for kind in 0..<device.prepared.kinds.count where device.rules.provider(kind).pointee.dueAt <= device.now {
            switch device.android.pointee.refreshes[kind].period {
            case .none: preconditionFailure("a provider without a period is due")
            case .alarm:
                request(kind, .alarm, .after, on: &device)
                plan(kind, on: &device)
            case .idleAlarm, .clock(_, isExact: true, _):
                request(kind, isExactAllowed(kind, on: &device) ? .idleAlarm : .alarm, .after, on: &device)
                plan(kind, on: &device)
            case .clock:
                request(kind, .alarm, .after, on: &device)
                plan(kind, on: &device)
            case .work:
                device.rules.provider(kind).pointee.dueAt = .never
                request(kind, .work, .after, isPeriodic: true, on: &device)
            }
        }
    }

    mutating func findDue(_ prepared: PreparedPlan) {
        var next = Instant.never
        for kind in 0..<prepared.kinds.count { next = min(next, provider(kind).pointee.nextAt) }
        for app in 0..<prepared.plan.apps.count {
            next = min(next, min(state(ofApp: app).pointee.messages.dueAt, state(ofApp: app).pointee.updateAt))
        }
        dueAt = next
    }

    /// A call of the app from the background: a job that is asked for once (N2).
    static func ask<World>(
        _ i: Int, background cause: ReloadCause, on device: inout Device<World>
    ) {
        let kind = device.instances[i].kind
        let provider = device.rules.provider(kind)
        // A call means all of the provider's instances.
        if provider.pointee.calledAt == device.now && provider.pointee.calledCause == cause { return }
        (provider.pointee.calledAt, provider.pointee.calledCause) = (device.now, cause)
        request(kind, .work, cause, on: &device)
        device.rules.dueAt = device.now
    }

    /// Something asks for a refresh. One that waits takes it in; one that passes more gates takes its place (N2).
    static func request<World>(
        _ kind: Int, _ means: RefreshMeans, _ cause: ReloadCause, isPeriodic: Bool = false, isRetry: Bool = false,
        on device: inout Device<World>
    ) {
        device.events += 1
        let provider = device.rules.provider(kind)
        device.quotas(kind)[.due(means)] += 1
        var asked = ProviderState.Refresh(
            means: means, cause: cause, isPeriodic: isPeriodic, isRetry: isRetry, since: device.now)
        if means == .expedited {
            let bucket = bucket(ofApp: device.kinds[kind].app, on: &device)
            if lacksExpeditedTime(kind, bucket, on: &device) { makeOrdinary(&asked, kind, bucket, on: &device) }
        }
        guard let waiting = provider.pointee.waiting else { return wait(asked, kind, on: &device) }
        if device.observer.isWatching { device.noteProvider(.joined, kind, asked.means.name) }
        let takesPlace = asked.means.strength > waiting.means.strength
        var (first, other) = takesPlace ? (asked, waiting) : (waiting, asked)
        // The place is that of the earlier request.
        first.since = waiting.since
        defer { provider.pointee.waiting = first }
        guard other.means.needsNetwork && !first.means.needsNetwork else {
            take(other, in: &first, kind, on: &device)
            if first.means.needsNetwork, let beside = provider.pointee.beside {
                take(beside, in: &first, kind, on: &device)
                provider.pointee.beside = nil
            }
            return
        }
        if var beside = provider.pointee.beside {
            if other.means.strength > beside.means.strength { swap(&other, &beside) }
            take(other, in: &beside, kind, on: &device)
            other = beside
        }
        provider.pointee.beside = other
    }

    /// A refresh serves another one, and the period that this stands for.
    private static func take<World>(
        _ other: ProviderState.Refresh, in first: inout ProviderState.Refresh, _ kind: Int,
        on device: inout Device<World>
    ) {
        device.quotas(kind)[.merged(other.means)] += 1
        if other.isPeriodic { first.isPeriodic = true }
    }

    /// A refresh waits that has the provider for itself.
    static func wait<World>(_ refresh: ProviderState.Refresh, _ kind: Int, on device: inout Device<World>) {
        let provider = device.rules.provider(kind)
        (provider.pointee.waiting, provider.pointee.beside) = (refresh, nil)
        provider.pointee.bookedAt = device.now
        (provider.pointee.closed, provider.pointee.everClosed, provider.pointee.opensAt) = ([], [], .never)
    }
}

extension RefreshMeans {
    /// How many gates it passes that others wait at.
    var strength: Int {
        switch self {
        case .work: 0
        case .alarm, .message: 1
        case .idleAlarm: 2
        case .expedited: 3
        case .urgentMessage: 4
        case .update: 5
        }
    }

    /// Whether it waits for a connection.
    var needsNetwork: Bool { self != .alarm && self != .idleAlarm }
}

/// Further tries of jobs that fail (N2).
extension AndroidRules {
    /// A job begins: in place of a try that waits, if one does, and takes over the reloads of the job before it that
    /// are under way. One whose reloads all merge with those joins the latest job that has some of its own, under way
    /// or waiting for a try, and fails or not with that.
    static func beginJob<World>(
        _ kind: Int, _ refresh: inout ProviderState.Refresh, on device: inout Device<World>
    ) {
        let provider = device.rules.provider(kind)
        if device.android.pointee.refreshes[kind].backOff == nil { return }
        guard device.hasInstance(where: { $0.kind == kind && $0.isInstalled && $0.slot.isFree }) else {
            if provider.pointee.jobSince < .never || provider.pointee.retryAt < .never {
                if refresh.isPeriodic { provider.pointee.jobIsPeriodic = true }
                // The period that it stands for waits for a try that waits.
                if provider.pointee.retryAt < .never { refresh.isPeriodic = false }
            }
            return
        }
        if provider.pointee.retryAt < .never && provider.pointee.jobIsPeriodic { refresh.isPeriodic = true }
        let takesOver =
            provider.pointee.jobSince < .never
            && device.hasInstance { $0.kind == kind && $0.slot.phase == .inFlight && $0.inFlight.isOfJob }
        provider.pointee.retryAt = .never
        if !refresh.isRetry { provider.pointee.failures = 0 }
        provider.pointee.jobSince = refresh.since
        provider.pointee.retryCause = refresh.cause
        provider.pointee.jobIsPeriodic = refresh.isPeriodic || takesOver && provider.pointee.jobIsPeriodic
        provider.pointee.jobIsExpedited = refresh.means == .expedited
    }

    /// The reload of an instance ends. The first one of a job that fails lets the job be tried again, and the period of
    /// a periodic one waits for that.
    static func end<World>(
        _ i: Int, _ outcome: ReloadOutcome, on device: inout Device<World>
    ) {
        let kind = device.instances[i].kind
        guard let backOff = device.android.pointee.refreshes[kind].backOff else { return }
        let provider = device.rules.provider(kind)
        let (cause, since) = (device.instances[i].slot.cause, device.instances[i].slot.since)
        // On Android every reload in flight of a background cause is a provider's, and tells when that was asked for.
        guard provider.pointee.jobSince < .never, cause.isBackground,
            since == provider.pointee.jobSince || device.instances[i].inFlight.isOfJob
        else { return }
        switch outcome {
        case .ok, .taken, .placeholder: return
        case .error, .timeout, .offline: break
        }
        provider.pointee.jobSince = .never
        provider.pointee.failures += 1
        provider.pointee.retryAt = device.now + backOff.delay(afterFailures: provider.pointee.failures)
        if provider.pointee.jobIsPeriodic { provider.pointee.dueAt = .never }
        device.quotas(kind)[.retried(provider.pointee.jobIsExpedited ? .expedited : .work)] += 1
        device.rules.dueAt = min(device.rules.dueAt, provider.pointee.retryAt)
    }

    /// Asks for the tries that are due. A further try is no expedited job.
    static func takeRetries<World>(of device: inout Device<World>) {
        for kind in 0..<device.prepared.kinds.count where device.rules.provider(kind).pointee.retryAt <= device.now {
            let provider = device.rules.provider(kind)
            provider.pointee.retryAt = .never
            request(
                kind, .work, provider.pointee.retryCause, isPeriodic: provider.pointee.jobIsPeriodic, isRetry: true,
                on: &device)
        }
    }
}

/// Updates of apps (N1).
extension AndroidRules {
    /// Those of a drawn device come at random; a recorded one has its own.
    static func beginUpdates<World>(of device: inout Device<World>) {
        if device.rules.handling == nil || !device.android.pointee.updates.everCome { return }
        for app in 0..<device.prepared.plan.apps.count { planUpdate(ofApp: app, on: &device) }
        device.rules.findDue(device.prepared)
    }

    private static func planUpdate<World>(ofApp app: Int, on device: inout Device<World>) {
        let state = device.rules.state(ofApp: app)
        state.pointee.updateAt = device.android.pointee.updates.next(
            after: device.now, device.streams.number(.appUpdate, sub: app, at: state.pointee.updates))
        state.pointee.updates += 1
    }

    /// An update that has come is installed as the device charges, with its screen off and a connection.
    static func takeUpdates<World>(of device: inout Device<World>) {
        if !device.android.pointee.updates.everCome { return }
        let canInstall =
            device.rules.doze.isCharging && !device.rules.doze.isScreenOn && device.condition.isOnline
        for app in 0..<device.prepared.plan.apps.count {
            let state = device.rules.state(ofApp: app)
            if state.pointee.updateAt <= device.now {
                (state.pointee.updateAt, state.pointee.isUpdateWaiting) = (.never, true)
            }
            guard state.pointee.isUpdateWaiting && canInstall else { continue }
            state.pointee.isUpdateWaiting = false
            device.update(app)
            planUpdate(ofApp: app, on: &device)
        }
    }

    /// An app is updated: the system asks each of its providers for its widgets, and its alarms and jobs are set again.
    static func update<World>(_ app: Int, on device: inout Device<World>) {
        for kind in 0..<device.prepared.kinds.count
        where device.kinds[kind].app == app && device.rules.provider(kind).pointee.anchor < .never {
            let provider = device.rules.provider(kind)
            (provider.pointee.anchor, provider.pointee.jobEnd) = (device.now, device.now)
            (provider.pointee.retryAt, provider.pointee.jobSince) = (.never, .never)
            for i in 0..<device.instanceCount where device.instances[i].kind == kind {
                device.instances[i].inFlight.isOfJob = false
            }
            plan(kind, on: &device)
            request(kind, .update, .appTrigger, on: &device)
            // A periodic job that it finds waiting counts from the update, too.
            provider.pointee.waiting?.isPeriodic = false
        }
        device.rules.dueAt = min(device.rules.dueAt, device.now)
    }
}
