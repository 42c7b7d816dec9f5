import Basics

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
