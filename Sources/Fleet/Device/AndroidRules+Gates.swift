import Basics
import WidgetPlatform

/// The gates of a provider's refresh, and its run (N3–N9).
extension AndroidRules {
    static func bucket<World>(ofApp app: Int, on device: inout Device<World>)
        -> StandbyBucket
    {
        let android = device.android
        if android.pointee.restricted.holds(device.streams.number(.restrictedApp, sub: app)) { return .restricted }
        if device.apps.isInForeground(app) { return .active }
        switch android.pointee.widgetBucket {
        case .always(let bucket): return bucket
        case .byUse:
            let state = device.rules.state(ofApp: app)
            return android.pointee.ages.bucket(
                unusedFor: device.now - state.pointee.lastUse,
                screenOnFor: device.rules.screenTime(at: device.now) - state.pointee.screenAtUse)
        }
    }

    /// When an app is next taken down a bucket if its device's screen stays as it is; `never` if it is not (N3).
    static func demotion<World>(ofApp app: Int, on device: inout Device<World>) -> Instant {
        guard case .byUse = device.android.pointee.widgetBucket, !device.apps.isInForeground(app) else { return .never }
        let state = device.rules.state(ofApp: app)
        return device.android.pointee.ages.demotion(
            from: state.pointee.lastUse, after: device.now,
            screenOnFor: device.rules.screenTime(at: device.now) - state.pointee.screenAtUse,
            isScreenOn: device.rules.doze.isScreenOn)
    }

    /// The gates that are closed for the refresh that waits, and when one opens by itself.
    static func closedGates<World>(
        _ kind: Int, _ bucket: StandbyBucket, on device: inout Device<World>
    ) -> (closed: AndroidGateSet, opensAt: Instant) {
        guard !device.parameters.gatesOpen, let means = device.rules.provider(kind).pointee.waiting?.means else {
            return ([], .never)
        }
        let android = device.android
        let (now, app) = (device.now, device.kinds[kind].app)
        let state = device.rules.state(ofApp: app)
        let doze = device.rules.doze
        var closed = AndroidGateSet()
        var opensAt = Instant.never
        func hold(_ gate: AndroidGate, until instant: Instant) {
            if instant <= now { return }
            closed.insert(AndroidGateSet(gate))
            opensAt = min(opensAt, instant)
        }
        if device.rules.isLocked { closed.insert(AndroidGateSet(.locked)) }
        if android.pointee.killer.holds(device.streams.number(.killer)) && !device.display.use.isInSession {
            closed.insert(AndroidGateSet(.killer))
        }
        if !device.condition.isOnline && means.needsNetwork { closed.insert(AndroidGateSet(.network)) }
        let refresh = android.pointee.refreshes[kind]
        switch means {
        case .urgentMessage, .update: return (closed, opensAt)
        // In a lower bucket it may have no time left (N5).
        case .expedited: return (closed, closed.isEmpty ? .never : demotion(ofApp: app, on: &device))
        case .idleAlarm:
            if doze.isIdle {
                hold(.alarms, until: state.pointee.idleAlarms.opening(from: now, limit: android.pointee.idleAlarms))
            }
        case .alarm: if doze.isIdle && !refresh.alarmFetches { closed.insert(AndroidGateSet(.doze)) }
        case .work, .message: if doze.isIdle { closed.insert(AndroidGateSet(.doze)) }
        }
        if !device.condition.letsRefresh { closed.insert(AndroidGateSet(.power)) }
        switch means {
        case .work:
            if bucket == .restricted {
                if state.pointee.lastJob > .longAgo {
                    hold(.jobs, until: state.pointee.lastJob + JobLimits.restrictedGap)
                }
            } else if !doze.isCharging {
                hold(.jobs, until: android.pointee.jobs.opening(of: state.pointee.jobs, from: now, in: bucket))
            }
        case .alarm, .idleAlarm:
            // The system sets the provider's alarm itself: no bucket holds it.
            if !isHeldByBucket(means, kind, on: &device) { break }
            if bucket == .restricted {
                if state.pointee.lastAlarm > .longAgo {
                    hold(.alarms, until: state.pointee.lastAlarm + AlarmQuota.restrictedGap)
                }
            } else if !doze.isCharging, let limit = android.pointee.alarmQuota.alarms(in: bucket) {
                hold(.alarms, until: state.pointee.alarms.opening(from: now, limit: limit))
            }
        case .message, .urgentMessage, .expedited, .update: break
        }
        // A lower bucket may have another limit.
        if opensAt < .never { opensAt = min(opensAt, demotion(ofApp: app, on: &device)) }
        return (closed, opensAt)
    }

    /// Looks at the gates of the refresh that waits, which runs if all are open.
    static func evaluate<World>(_ kind: Int, on device: inout Device<World>) {
        let provider = device.rules.provider(kind)
        let app = device.kinds[kind].app
        bookWait(kind, of: &device)
        let bucket = bucket(ofApp: app, on: &device)
        var (closed, opensAt) = closedGates(kind, bucket, on: &device)
        // The quota of an expedited job is looked at as it can begin, and as the bucket changes (N5).
        if var expedited = provider.pointee.waiting, expedited.means == .expedited,
            closed.isEmpty || bucket != provider.pointee.bucket, lacksExpeditedTime(kind, bucket, on: &device)
        {
            makeOrdinary(&expedited, kind, bucket, on: &device)
            provider.pointee.waiting = expedited
            (closed, opensAt) = closedGates(kind, bucket, on: &device)
        }
        provider.pointee.bucket = bucket
        if closed.isEmpty {
            run(kind, bucket, on: &device)
            return
        }
        closed.subtracting(provider.pointee.everClosed).forEach { device.quotas(kind)[.waits($0, bucket).number] += 1 }
        if device.observer.isWatching && provider.pointee.everClosed.isEmpty {
            device.noteProvider(
                .held, kind, closed.gates.map { "\($0.reason) (\($0.rule))" }.joined(separator: ", "))
        }
        provider.pointee.closed = closed
        provider.pointee.everClosed.formUnion(closed)
        provider.pointee.opensAt = opensAt
        if device.observer.isWatching, let means = provider.pointee.waiting?.means {
            device.observer.note(
                hold: ProviderHold(
                    from: device.now, gates: closed, opensAt: opensAt, means: means, bucket: bucket), of: kind)
        }
    }

    /// Whether the quota of a bucket holds and counts an alarm of a kind (N6): one of the app's own, unless it is exact
    /// and such alarms are exempt.
    private static func isHeldByBucket<World>(_ means: RefreshMeans, _ kind: Int, on device: inout Device<World>)
        -> Bool
    {
        device.android.pointee.refreshes[kind].period.isOwnAlarm
            && !(means == .idleAlarm && device.android.pointee.areIdleAlarmsExempt)
    }

    /// Whether the expedited work of an app has used up the time of its bucket (N5).
    static func lacksExpeditedTime<World>(_ kind: Int, _ bucket: StandbyBucket, on device: inout Device<World>) -> Bool
    {
        let isCounted = !device.rules.doze.isCharging || bucket == .restricted
        if !isCounted || device.parameters.gatesOpen { return false }
        let limit = device.android.pointee.jobs.expedited(in: bucket)
        let state = device.rules.state(ofApp: device.kinds[kind].app)
        return state.pointee.expedited.opening(from: device.now, limit) > device.now
    }

    /// An expedited job without time left is a job as any other from then on.
    static func makeOrdinary<World>(
        _ refresh: inout ProviderState.Refresh, _ kind: Int, _ bucket: StandbyBucket, on device: inout Device<World>
    ) {
        device.quotas(kind)[.refused(.expedited, bucket)] += 1
        device.quotas(kind)[.merged(.expedited)] += 1
        device.quotas(kind)[.due(.work)] += 1
        refresh.means = .work
    }

    /// Books what the gates that were closed have held the refresh since it was looked at last.
    static func bookWait<World>(_ kind: Int, of device: inout Device<World>) {
        let provider = device.rules.provider(kind)
        guard provider.pointee.isPending else { return }
        let time = device.now - provider.pointee.bookedAt
        provider.pointee.bookedAt = device.now
        if time == .zero || provider.pointee.closed.isEmpty { return }
        let bucket = bucket(ofApp: device.kinds[kind].app, on: &device)
        let counts = device.quotas(kind)
        provider.pointee.closed.forEach { counts.add(time.microseconds, to: .waits($0, bucket).time) }
    }

    /// The provider refreshes all of its instances.
    static func run<World>(
        _ kind: Int, _ bucket: StandbyBucket, on device: inout Device<World>
    ) {
        let provider = device.rules.provider(kind)
        let state = device.rules.state(ofApp: device.kinds[kind].app)
        guard var refresh = provider.pointee.waiting else { preconditionFailure("a run of no refresh") }
        let (now, means) = (device.now, refresh.means)
        let counts = device.quotas(kind)
        provider.pointee.waiting = nil
        counts[.run(means)] += 1
        // On power no run counts but one of a restricted app.
        let isCounted = !device.rules.doze.isCharging || bucket == .restricted
        switch means {
        case .work, .expedited:
            beginJob(kind, &refresh, on: &device)
            let time = device.android.pointee.jobTime.draw(
                device.streams.number(.jobTime, sub: kind, at: provider.pointee.jobs))
            provider.pointee.jobs += 1
            provider.pointee.jobEnd = now + time
            device.rules.doze.work(until: now + time)
            state.pointee.lastJob = now
            if !isCounted { break }
            let gate = means == .work ? AndroidGate.jobs : .expedited
            counts[.used(gate, bucket).number] += 1
            counts.add(time.microseconds, to: .used(gate, bucket).time)
            if means == .work {
                state.pointee.jobs.add(at: now, for: time, window: .hours(24))
            } else {
                state.pointee.expedited.add(at: now, for: time, window: .hours(24))
            }
        case .alarm, .idleAlarm:
            let countsInDoze = means == .idleAlarm && device.rules.doze.isIdle
            let isHeld = isHeldByBucket(means, kind, on: &device)
            if isHeld { state.pointee.lastAlarm = now }
            if countsInDoze { state.pointee.idleAlarms.add(at: now) }
            if isHeld && isCounted { state.pointee.alarms.add(at: now) }
            let hasQuota =
                isHeld && (bucket == .restricted || device.android.pointee.alarmQuota.alarms(in: bucket) != nil)
            if countsInDoze || (hasQuota && isCounted) { counts[.used(.alarms, bucket).number] += 1 }
        case .message, .urgentMessage, .update: break
        }
        if refresh.isPeriodic {
            // A refresh that takes the place of a periodic job stands for its period.
            if means != .work && means != .expedited { provider.pointee.jobEnd = now }
            plan(kind, on: &device)
        }
        if device.observer.isWatching { device.noteProvider(.refresh, kind, device.text(of: refresh, kind)) }
        device.rules.isCutOff =
            means == .alarm && device.rules.doze.isIdle && device.android.pointee.refreshes[kind].alarmFetches
            && !device.parameters.gatesOpen
        let isOffline = !device.condition.isOnline || device.rules.isCutOff
        let isTriedAgain =
            (means == .work || means == .expedited) && device.android.pointee.refreshes[kind].backOff != nil
        for i in 0..<device.instanceCount where device.instances[i].kind == kind {
            let wasInFlight = device.instances[i].slot.phase == .inFlight
            device.runInBackground(i, refresh.cause, since: refresh.since)
            if isTriedAgain && !wasInFlight && device.instances[i].slot.phase == .inFlight {
                device.instances[i].inFlight.isOfJob = true
            }
        }
        device.rules.isCutOff = false
        guard let beside = provider.pointee.beside else { return }
        provider.pointee.beside = nil
        if isOffline {
            wait(beside, kind, on: &device)
            evaluate(kind, on: &device)
        } else {
            counts[.merged(beside.means)] += 1
        }
    }
}
