import Basics
import WidgetPlatform

/// The reloads that views ask for (F3, F5).
extension DeviceSimulation where Rules == WidgetKitRules {
    /// Instances that follow the person have a pending reload at their next view (F3).
    ///
    /// - Parameter reduced: whether the change is one of reduced accuracy.
    mutating func addPendingChanges(reduced: Bool) {
        for i in 0..<instanceCount
        where instances[i].followsPerson && instances[i].isReduced == reduced
            && instances[i].mode != .denied
        {
            guard instances[i].isInstalled else { continue }
            if !instances[i].slot.servesChange(at: now) {
                instances[i].pendingLocation.add(now)
            } else if !(instances[i].inFlight.awaitsFix && instances[i].inFlight.fixSucceeds) {
                // A reload in flight that has asked for nothing yet takes the change in (G8); if its fix comes, nothing
                // is left to merge (F3).
                ask(i, free: .location)
            }
        }
    }

    /// A pending location change of the instance (F3), or content stale on view of a rarely viewed instance (F5).
    mutating func reloadOnView(_ i: Int) {
        // The view itself is the latest of a widget of the app (L4). A reload that could not find the place is not
        // granted: the change stays pending.
        if instances[i].pendingLocation.count > 0 && hasLocationAccess(i) {
            let pending = instances[i].pendingLocation
            instances[i].pendingLocation = PendingChanges()
            pay(i, pending, .location)
        }
        // A complication on the active face always counts as viewed (V4).
        guard instances[i].surface != .watchFace, instances[i].history.isRarelyViewed(limit: parameters.rarelyViewed)
        else { return }
        let isPast = instances[i].preferred < .never && now - instances[i].preferred > parameters.staleGrace
        guard isPast || now > instances[i].content.validUntil || !parameters.rareNeedsStale else { return }
        // The system may reload it (F5). By the instant, which depends on the person alone.
        if prepared.rareReload.holds(streams.number(.rareReload, sub: instances[i].number, at: now.address)) {
            ask(i, free: .staleOnView)
        }
    }
}
