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
            return android.pointee.ages.bucket(
                unusedFor: device.now - device.rules.state(ofApp: app).pointee.lastUse)
        }
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
        case .urgentMessage, .expedited, .update: return (closed, opensAt)
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
            if bucket == .restricted {
                if state.pointee.lastAlarm > .longAgo {
                    hold(.alarms, until: state.pointee.lastAlarm + AlarmQuota.restrictedGap)
                }
            } else if !doze.isCharging, refresh.period.isOwnAlarm,
                let limit = android.pointee.alarmQuota.alarms(in: bucket)
            {
                hold(.alarms, until: state.pointee.alarms.opening(from: now, limit: limit))
            }
        case .message, .urgentMessage, .expedited, .update: break
        }
        // A lower bucket may have another limit.
        if case .byUse = android.pointee.widgetBucket, opensAt < .never, !device.apps.isInForeground(app) {
            opensAt = min(opensAt, android.pointee.ages.demotion(from: state.pointee.lastUse, after: now))
        }
        return (closed, opensAt)
    }

    /// Looks at the gates of the refresh that waits, which runs if all are open.
    static func evaluate<World>(_ kind: Int, on device: inout Device<World>) {
        let provider = device.rules.provider(kind)
        let app = device.kinds[kind].app
        bookWait(kind, of: &device)
        let bucket = bucket(ofApp: app, on: &device)
        let isCounted = !device.rules.doze.isCharging || bucket == .restricted
        if provider.pointee.waiting?.means == .expedited && isCounted && !device.parameters.gatesOpen {
            let limit = device.android.pointee.jobs.expedited(in: bucket)
            if device.rules.state(ofApp: app).pointee.expedited.opening(from: device.now, limit) > device.now {
                // Without time left it is a job as any other.
                device.quotas(kind)[.refused(.expedited, bucket)] += 1
                device.quotas(kind)[.merged(.expedited)] += 1
                device.quotas(kind)[.due(.work)] += 1
                provider.pointee.waiting?.means = .work
            }
        }
        let (closed, opensAt) = closedGates(kind, bucket, on: &device)
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
            state.pointee.lastAlarm = now
            let countsInDoze = means == .idleAlarm && device.rules.doze.isIdle
            let isOwn = device.android.pointee.refreshes[kind].period.isOwnAlarm && isCounted
            if countsInDoze { state.pointee.idleAlarms.add(at: now) }
            if isOwn { state.pointee.alarms.add(at: now) }
            let hasQuota = isOwn && device.android.pointee.alarmQuota.alarms(in: bucket) != nil
            if countsInDoze || hasQuota || bucket == .restricted { counts[.used(.alarms, bucket).number] += 1 }
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
        for i in 0..<device.instanceCount where device.instances[i].kind == kind {
            device.runInBackground(i, refresh.cause, since: refresh.since)
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
