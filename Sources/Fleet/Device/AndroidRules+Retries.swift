import Basics
import WidgetPlatform

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
