import Basics
import DeviceStorage
import People
import Statistics
import WidgetPlatform

/// Refreshes of providers as they fall due (N1, N2, N6).
extension AndroidRules {
    /// When the provider's period next asks for a refresh.
    static func plan<World>(_ kind: Int, on device: inout Device<World>) {
        let provider = device.rules.provider(kind)
        let (now, anchor) = (device.now, provider.pointee.anchor)
        func delay(_ distribution: DurationDistribution) -> Duration {
            defer { provider.pointee.periods += 1 }
            return distribution.draw(
                device.streams.number(.refreshDelay, sub: kind, at: provider.pointee.periods))
        }
        switch device.android.pointee.refreshes[kind].period {
        case .none: provider.pointee.dueAt = .never
        case .alarm(let every):
            let date = ProviderAlarm.next(after: now, anchor: anchor, period: every)
            provider.pointee.dueAt = date + delay(device.android.pointee.alarmDelay)
        case .idleAlarm(let every):
            provider.pointee.dueAt = ProviderAlarm.next(after: now, anchor: anchor, period: every)
        case .work(let every, let flex):
            // The window that has opened by now counts as used: by the first timeline, or by the job that has run.
            let window = PeriodicJob.windowAfter(now, anchor: anchor, period: every, flex: flex)
            provider.pointee.dueAt = window + min(flex, delay(device.android.pointee.jobDelay))
        }
    }

    /// After a boot alarms count from the unlock; jobs keep their periods.
    static func beginAlarms<World>(of device: inout Device<World>) {
        for kind in 0..<device.prepared.kinds.count where device.rules.provider(kind).pointee.anchor < .never {
            var isBooted = false
            for i in 0..<device.instanceCount
            where device.instances[i].kind == kind && device.instances[i].pendingReboot.count > 0 { isBooted = true }
            guard isBooted, case .alarm = device.android.pointee.refreshes[kind].period else { continue }
            device.rules.provider(kind).pointee.anchor = device.now
            plan(kind, on: &device)
        }
        device.rules.findDue(device.prepared)
    }

    static func takeDue<World>(_ device: inout Device<World>) {
        let now = device.now
        for app in 0..<device.prepared.plan.apps.count where device.rules.state(ofApp: app).pointee.messageAt <= now {
            releaseMessage(toApp: app, on: &device)
        }
        for kind in 0..<device.prepared.kinds.count where device.rules.provider(kind).pointee.dueAt <= now {
            switch device.android.pointee.refreshes[kind].period {
            case .none: preconditionFailure("a provider without a period is due")
            case .alarm:
                request(kind, .alarm, .after, on: &device)
                plan(kind, on: &device)
            case .idleAlarm:
                request(kind, .idleAlarm, .after, on: &device)
                plan(kind, on: &device)
            case .work:
                device.rules.provider(kind).pointee.dueAt = .never
                request(kind, .work, .after, isPeriodic: true, on: &device)
            }
        }
        takeRetries(of: &device)
        takeUpdates(of: &device)
        for kind in 0..<device.prepared.kinds.count where device.rules.provider(kind).pointee.isPending {
            evaluate(kind, on: &device)
        }
        device.rules.findDue(device.prepared)
    }

    mutating func findDue(_ prepared: PreparedPlan) {
        var next = Instant.never
        for kind in 0..<prepared.kinds.count { next = min(next, provider(kind).pointee.nextAt) }
        for app in 0..<prepared.plan.apps.count {
            next = min(next, min(state(ofApp: app).pointee.messageAt, state(ofApp: app).pointee.updateAt))
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
        if provider.pointee.isPending && provider.pointee.cause == cause && provider.pointee.since == device.now {
            return
        }
        request(kind, .work, cause, on: &device)
        device.rules.dueAt = device.now
    }

    /// Something asks for a refresh. One that waits takes it in; one that passes more gates takes its place.
    static func request<World>(
        _ kind: Int, _ means: RefreshMeans, _ cause: ReloadCause, isPeriodic: Bool = false,
        on device: inout Device<World>
    ) {
        device.events += 1
        let provider = device.rules.provider(kind)
        device.quotas(kind)[.due(means)] += 1
        if provider.pointee.isPending {
            let isStronger = means.strength > provider.pointee.means.strength
            device.quotas(kind)[.merged(isStronger ? provider.pointee.means : means)] += 1
            if isPeriodic { provider.pointee.isPeriodic = true }
            if device.observer.isWatching { device.noteProvider(.joined, kind, means.name) }
            if isStronger { (provider.pointee.means, provider.pointee.cause) = (means, cause) }
            return
        }
        provider.pointee.isPending = true
        provider.pointee.isRetry = false
        (provider.pointee.means, provider.pointee.cause, provider.pointee.isPeriodic) = (means, cause, isPeriodic)
        (provider.pointee.since, provider.pointee.bookedAt) = (device.now, device.now)
        (provider.pointee.closed, provider.pointee.everClosed, provider.pointee.opensAt) = ([], [], .never)
    }
}

extension RefreshMeans {
    /// How many gates it passes that others wait at.
    var strength: Int {
        switch self {
        case .alarm, .work, .message: 0
        case .idleAlarm: 1
        case .expedited: 2
        case .urgentMessage: 3
        case .update: 4
        }
    }
}
