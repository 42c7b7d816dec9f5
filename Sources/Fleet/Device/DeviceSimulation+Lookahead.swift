import Basics

/// How far a suspended device can be left alone.
extension DeviceSimulation {
    /// Before which the device sends nothing by itself, whatever is decided for it meanwhile: it is only used plainly,
    /// while nothing waits for that.
    ///
    /// An answer may have something follow sooner; that is `Suspension.reaction`.
    var nextSendAt: Instant {
        mutating get {
            let nextAt = nextAt
            if Rules.hasOwnClock || fetches.awaitsAnswer || schedule.hasHeld || instant.hasOwnCalls
                || schedule.hasPendingChanges
            {
                return nextAt
            }
            // Neither the end of the budget's interval nor the start of the report sends anything.
            var sendsAt = min(whereabouts.nextAt, min(nextOfQuick, clocks.editDue))
            for i in 0..<instanceCount {
                guard let viewSendsAt = viewSendsAt(i) else { return nextAt }
                sendsAt = min(sendsAt, min(viewSendsAt, ownSendsAt(i)))
            }
            return max(nextAt, min(sendsAt, world.plainUseEnd()))
        }
    }

    /// Before which an instance has nothing sent by itself. A try that nobody answers is given up, which sends nothing:
    /// the next one comes after a delay.
    private mutating func ownSendsAt(_ i: Int) -> Instant {
        let (inFlight, slot) = (instances[i].inFlight, instances[i].slot)
        guard slot.phase == .inFlight, inFlight.awaitsAnswer, inFlight.undecided > 0, inFlight.preview != .asked,
            slot.followUp == nil, slot.freeCause == nil, Rules.hasPolicies, instances[i].isInstalled
        else { return schedule.briefs[i].at }
        let kind = kinds + instances[i].kind
        var delay = kind.pointee.leastFailureDelay
        // A provider of a user's own may ask sooner.
        if kind.pointee.provider != nil { delay = min(delay, kind.pointee.leastReaction) }
        if inFlight.tries <= kind.pointee.retries.all.max()! {
            delay = min(delay, prepared.retryDelays.delay(before: inFlight.tries, after: inFlight.lastDelay, 0))
        }
        let givenUpAt = instances[i].reloadAt
        return min(
            min(instances[i].dueAt, instances[i].actions.first), givenUpAt == .never ? .never : givenUpAt + delay)
    }

    /// The least from the answer that an instance waits for to its next aligned date (P5); zero without one.
    mutating func timeToAlignedDate(_ i: Int) -> Duration {
        let kind = kinds + instances[i].kind
        let givenUpAt = instances[i].reloadAt
        guard Rules.hasPolicies, case .aligned(let schedule) = kind.pointee.policy, kind.pointee.contentPushes == nil,
            !kind.pointee.hasTransfer, givenUpAt < .never
        else { return .zero }
        // Dates rise with the answer's instant, which lies between these.
        let date = nextAlignedDate(i, schedule, after: instances[i].inFlight.endsFrom)
        if date == .never { return .longest }
        return max(.zero, date + (kind.pointee.jitter?.draw(0) ?? .zero) - givenUpAt)
    }

    /// Before which no view of an instance has anything sent; nil if any may.
    private mutating func viewSendsAt(_ i: Int) -> Instant? {
        let kind = kinds + instances[i].kind
        if kind.pointee.tap != .never || kind.pointee.interaction != .never { return nil }
        if !Rules.reloadsOnView { return .never }
        if instances[i].pendingLocation.count > 0 { return nil }
        if instances[i].surface == .watchFace { return .never }
        guard instances[i].history.isRarelyViewed(limit: parameters.rarelyViewed) else { return .never }
        // Its coming timeline may have run out by then (F5).
        if instances[i].inFlight.undecided > 0 { return nil }
        let preferred = instances[i].preferred
        return min(preferred == .never ? .never : preferred + parameters.staleGrace, instances[i].content.validUntil)
    }
}
