import Basics
import WidgetPlatform

/// How far a suspended device of WidgetKit can be left alone: what its policies and views tell.
extension DeviceSimulation where Rules == WidgetKitRules {
    /// Before which neither an instance's reloads nor views of it have anything sent; nil where a view may.
    mutating func sendsAt(_ i: Int) -> Instant? { viewSendsAt(i).map { min($0, reloadSendsAt(i)) } }

    /// The least from the answer that an instance waits for to what it asks for next.
    mutating func leastReaction(_ i: Int, looksAhead: Bool) -> Duration {
        let least = kinds[instances[i].kind].leastReaction
        return looksAhead ? max(least, timeToClockDate(i)) : least
    }

    /// Before which an instance has nothing sent by itself. A try that nobody answers is given up, which sends nothing:
    /// the next one comes after a delay.
    private mutating func reloadSendsAt(_ i: Int) -> Instant {
        let (inFlight, slot) = (instances[i].inFlight, instances[i].slot)
        guard slot.phase == .inFlight, inFlight.awaitsAnswer, inFlight.tries.undecided > 0, inFlight.preview != .asked,
            slot.followUp == nil, slot.freeCause == nil, instances[i].isInstalled
        else { return schedule.briefs[i].at }
        let kind = kinds + instances[i].kind
        var delay = kind.pointee.leastFailureDelay
        // A provider of a user's own may ask sooner.
        if kind.pointee.provider != nil { delay = min(delay, kind.pointee.leastReaction) }
        let retry = inFlight.tries.delayBeforeNext(
            prepared.retryDelays, most: kind.pointee.retries.all.max()!, spend: { true }, u: { 0 })
        if let retry { delay = min(delay, retry) }
        let givenUpAt = instances[i].reloadAt
        return min(
            min(instances[i].dueAt, instances[i].actions.first), givenUpAt == .never ? .never : givenUpAt + delay)
    }

    /// The least from the answer that an instance waits for to its next date of the clock (P5); zero without one.
    private mutating func timeToClockDate(_ i: Int) -> Duration {
        let kind = kinds + instances[i].kind
        let givenUpAt = instances[i].reloadAt
        guard kind.pointee.clockTimes != nil, kind.pointee.contentPushes == nil, !kind.pointee.hasTransfer,
            givenUpAt < .never
        else { return .zero }
        // Dates rise with the answer's instant, which lies between these.
        let date = nextClockDate(i, after: instances[i].inFlight.endsFrom)
        if date == .never { return .longest }
        return max(.zero, date + (kind.pointee.jitter?.draw(0) ?? .zero) - givenUpAt)
    }

    /// Before which no view of an instance has anything sent; nil if any may.
    private mutating func viewSendsAt(_ i: Int) -> Instant? {
        let kind = kinds + instances[i].kind
        if kind.pointee.tap != .never || kind.pointee.interaction != .never { return nil }
        if instances[i].pendingLocation.count > 0 { return nil }
        if instances[i].surface == .watchFace { return .never }
        guard instances[i].history.isRarelyViewed(limit: parameters.rarelyViewed) else { return .never }
        // Its coming timeline may have run out by then (F5).
        if instances[i].inFlight.tries.undecided > 0 { return nil }
        let preferred = instances[i].preferred
        return min(preferred == .never ? .never : preferred + parameters.staleGrace, instances[i].content.validUntil)
    }
}
