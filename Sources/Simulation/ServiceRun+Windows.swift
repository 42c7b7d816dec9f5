import Fleet
import Foundation
import RefreshService
import SimulatedTime

/// The windows of a run with a service, one after another.
extension ServiceRun {
    /// Opens one window after another, until the run is over or pauses. Delivers what a window decides as soon as it matters to a device, or so much has come together in
    /// a lane that it is worth it.
    func lead(_ pauses: (Int) -> Bool) {
        // Some people may not have begun.
        if !hasBegun { hasBegun = everybodyHasBegun() }
        choiceAt = (decidedCount, DispatchTime.now().uptimeNanoseconds)
        while hasBegun, let start = nextWindow(pauses(windows)) {
            if start >= end {
                if outCount > 0 {
                    // Something that these lanes send may still arrive.
                    settleAll()
                    deliverDue(ahead: .zero)
                    continue
                }
                comeToEnd()
                break
            }
            precondition(start >= limit, "a window before the last one")
            let windowEnd = min(start + window, end)
            if outCount > 0 && windowEnd > quietBefore {
                // A device of a lane that is handed out may send something that arrives in this window.
                for place in lanes.indices where lanes[place].quietBefore < windowEnd { settle(place) }
                deliverDue(ahead: .zero)
                continue
            }
            limit = windowEnd
            takeRequests()
            serve()
            holdDecided()
            if outCount > 0 { takeBack() }
            deliverFull()
            // Last, for whatever is delivered can bring something that is due.
            deliverDue(ahead: heldFor / Self.partAhead)
            progressAt.store(limit.microseconds, ordering: .relaxed)
            windows += 1
        }
        settleAll()
        crew.dismiss()
    }

    // MARK: Windows

    /// When the next window begins, for all ranks; nil to pause, or if they no longer work together.
    private func nextWindow(_ isPausing: Bool) -> Instant? {
        if link != nil { return nextWindowOfRanks(isPausing) }
        if isPausing {
            settleAll()
            deliverDue(ahead: .zero)
            return nil
        }
        return nextStart
    }

    /// When anything happens next, as far as this rank knows.
    var nextStart: Instant {
        var start = min(min(service.nextAt, mattersAt), sent.nextAt)
        for request in arriving { start = min(start, request.arrival) }
        return min(start, wakes.next(before: start) { self.holds($0) })
    }

    private func holds(_ wake: Wake) -> Bool {
        guard let place = lane(of: Int(wake.person)) else { return false }
        return onLane(place) { $0.cohort.holds(wake, $0.rounds) }
    }

    /// Takes the requests that arrive in the window, in their order.
    private func takeRequests() {
        requests.removeAll(keepingCapacity: true)
        if link == nil {
            sent.take(before: limit, into: &requests) { request in
                if let place = lane(of: Int(request.person)) { onLane(place) { $0.cohort.expectStanding(person: Int(request.person), slot: Int(request.slot)) } }
            }
        } else {
            takeArriving()
            if requests.count > 1 { requests.sort { $0.arrivesBefore($1) } }
        }
    }

    /// Serves the requests of the window, and notes when the devices that sent them want to be touched.
    private func serve() {
        for request in requests where request.instance != ServiceRequest.noInstance {
            guard let place = lane(of: Int(request.person)) else { continue }
            if let wake = onLane(place, { $0.cohort.wake(of: request, $0.rounds) }) { wakes.note(wake, windowEnd: limit) }
        }
        decided.removeAll(keepingCapacity: true)
        requests.withUnsafeBufferPointer { service.advance($0, to: limit, answers: &decided) }
    }

    /// Holds the answers that this window has decided.
    private func holdDecided() {
        for answer in decided {
            if let place = lane(of: Int(answer.person)) { onLane(place) { $0.cohort.expectStanding(person: Int(answer.person), slot: Int(answer.slot)) } }
        }
        for answer in decided {
            guard let place = lane(of: Int(answer.person)) else { continue }
            onLane(place) { lane in
                let at = lane.cohort.hold(answer, lane.rounds)
                if at == nil { lane.unsure.append(lane.held.count) }
                lane.held.append(answer)
                lane.dueDates.append(at ?? answer.at)
                lane.mattersAt = min(lane.mattersAt, at ?? answer.at)
                mattersAt = min(mattersAt, lane.mattersAt)
            }
            heldCount += 1
        }
        decidedCount += decided.count
    }

    /// Takes the devices that do something of their own in the window though nothing is decided for them.
    private func takeWakes() {
        wakes.take(before: limit, where: { self.holds($0) }) { wake in
            guard let place = lane(of: Int(wake.person)) else { return }
            onLane(place) { $0.woken.append(wake) }
            wokenCount += 1
        }
    }

    // MARK: Answers

    /// So many answers of one of several lanes are delivered though none matters yet.
    private static let mostOfLane = 16
    /// So many of the only lane of a run on one thread.
    private static let mostOfSoleLane = 128

    /// Delivers what the lanes hold that hold much. On several threads they are handed out, and the next windows are served meanwhile.
    private func deliverFull() {
        let most = threads == 1 ? Self.mostOfSoleLane : Self.mostOfLane
        if heldCount < most { return }
        if isSharing && link != nil { return shareWithinWindow(most: most) }
        for place in lanes.indices where onLane(place, { $0.held.count >= most && !$0.isOut }) {
            if isSharing { handOut(place) } else { deliverAll(of: place) }
        }
        if threads == 1 { return }
        // A thread that is ahead of the others by so much helps them.
        while isSharing, heldCount >= 2 * most * lanes.count, crew.help({ deliver(lane: $0) }) { takeBack() }
        chooseSharing()
    }

    /// Ranks meet once a window, with all that may arrive in it: the lanes of their threads come back within it, so all are handed out together.
    private func shareWithinWindow(most: Int) {
        if heldCount < most * lanes.count { return }
        for place in lanes.indices where onLane(place, { !$0.held.isEmpty }) { handOut(place) }
        settleAll()
        chooseSharing()
    }

    /// Whether lanes are handed out.
    private var isSharing: Bool { threads > 1 && sharing.isShared }

    /// Learns from the time of the answers since the last time, once they are enough.
    private func chooseSharing() {
        guard decidedCount - choiceAt.answers >= SharingChoice.answers * lanes.count else { return }
        let now = DispatchTime.now().uptimeNanoseconds
        sharing.note(answers: decidedCount - choiceAt.answers, nanoseconds: now - choiceAt.time)
        choiceAt = (decidedCount, now)
        if !isSharing { settleAll() }
    }

    /// Hands a lane with what it holds out to whoever takes it first.
    private func handOut(_ place: Int) {
        onLane(place) { lane in
            precondition(lane.woken.isEmpty, "a lane is handed out before its devices are touched")
            makeReady(lane)
            lane.isOut = true
            outCount += 1
            quietBefore = min(quietBefore, lane.quietBefore)
        }
        crew.handOut(place)
    }

    /// Delivers all that a lane holds.
    private func deliverAll(of place: Int) {
        settle(place)
        onLane(place) { lane in
            if lane.held.isEmpty { return }
            makeReady(lane)
            deliver(lane: place)
            lane.quietBefore = .never
            lane.rounds.endDelivery()
            collect(lane)
        }
    }

    /// Makes all that a lane holds ready to be delivered up to the end of the window.
    private func makeReady(_ lane: Lane) {
        precondition(!lane.isOut && lane.delivered.isEmpty, "a lane that is handed out twice")
        swap(&lane.held, &lane.delivered)
        lane.deliveredTo = limit
        lane.rounds.beginDelivery()
        // Its devices do nothing before the first of its answers matters, and what they send takes a while.
        lane.quietBefore = lane.mattersAt == .never ? .never : lane.mattersAt + leastLeg
        lane.dueDates.removeAll(keepingCapacity: true)
        heldCount -= lane.delivered.count
        let mattered = lane.mattersAt == mattersAt
        lane.mattersAt = .never
        if mattered { findMatter() }
        if heldCount == 0 { heldSince = limit }
    }

    /// Takes lanes back that are done.
    private func takeBack() {
        for place in lanes.indices where onLane(place, { $0.isOut }) && crew.takeBack(place) { welcome(place) }
    }

    /// Brings a lane back, if it is handed out: delivers what it has, or waits for the thread that does.
    private func settle(_ place: Int) {
        guard onLane(place, { $0.isOut }) else { return }
        crew.finish(place) { deliver(lane: $0) }
        welcome(place)
    }

    private func settleAll() { if outCount > 0 { for place in lanes.indices { settle(place) } } }

    /// A lane is back.
    private func welcome(_ place: Int) {
        onLane(place) { lane in
            lane.isOut = false
            let wasQuietBefore = lane.quietBefore
            lane.quietBefore = .never
            lane.rounds.endDelivery()
            collect(lane)
            outCount -= 1
            if !lane.unsure.isEmpty {
                for index in lane.unsure { lane.dueDates[index] = lane.cohort.latestDelivery(of: lane.held[index]) }
                lane.unsure.removeAll(keepingCapacity: true)
                lane.mattersAt = lane.dueDates.reduce(.never, min)
                findMatter()
            }
            if wasQuietBefore > quietBefore { return }
            quietBefore = .never
            onEachLane { quietBefore = min(quietBefore, $0.quietBefore) }
        }
    }

    /// Delivers what matters within the windows so far, with what matters soon after, and touches the devices that act by themselves in them.
    ///
    /// - Parameter ahead: how soon.
    private func deliverDue(ahead: Duration) {
        // A lane that comes back can bring something that is due.
        while true {
            takeWakes()
            if mattersAt >= limit && wokenCount == 0 { return }
            if mattersAt < limit {
                let soon = limit + max(ahead, window) + window
                for place in lanes.indices where onLane(place, { $0.mattersAt < limit }) { deliverSoon(of: place, before: soon) }
            }
            touchWoken()
        }
    }

    /// How long it has taken for what is held to come together.
    private var heldFor: Duration { limit - heldSince }
    /// A part of that time is looked ahead when something matters.
    private static let partAhead: Int64 = 4

    /// If more than one of so many answers matter soon, all are delivered.
    private static let mostDueShare = 4

    /// Delivers the answers of a lane that matter soon, with all others for the same devices.
    private func deliverSoon(of place: Int, before soon: Instant) {
        settle(place)
        onLane(place) { lane in
            let count = lane.dueDates.count { $0 < soon }
            if count > lane.held.count / Self.mostDueShare { return deliverAll(of: place) }
            for (answer, at) in zip(lane.held, lane.dueDates) where at < soon { lane.cohort.release(answer) }
            var kept = 0
            for index in lane.held.indices {
                if lane.cohort.isReleased(lane.held[index]) {
                    lane.delivered.append(lane.held[index])
                } else {
                    (lane.held[kept], lane.dueDates[kept]) = (lane.held[index], lane.dueDates[index])
                    kept += 1
                }
            }
            heldCount -= lane.delivered.count
            lane.held.removeLast(lane.held.count - kept)
            lane.dueDates.removeLast(lane.dueDates.count - kept)
            lane.cohort.deliver(lane.delivered, windowEnd: limit)
            lane.delivered.removeAll(keepingCapacity: true)
            lane.mattersAt = lane.dueDates.reduce(.never, min)
            collect(lane)
            findMatter()
        }
    }

    private func findMatter() {
        mattersAt = .never
        onEachLane { lane in mattersAt = min(mattersAt, lane.mattersAt) }
    }

    /// Touches devices that act by themselves before the end of the window. Some may have come to rest before it, as other answers bound how far they have lived.
    private func touchWoken() {
        takeWakes()
        if wokenCount == 0 { return }
        for place in lanes.indices where onLane(place, { !$0.woken.isEmpty }) {
            settle(place)
            onLane(place) { lane in
                wokenCount -= lane.woken.count
                lane.cohort.touch(lane.woken, windowEnd: limit)
                lane.woken.removeAll(keepingCapacity: true)
                collect(lane)
            }
        }
    }

    /// Delivers the last answers, after which nothing more is decided that would reach anybody.
    private func comeToEnd() {
        limit = end
        takeWakes()
        for place in lanes.indices {
            onLane(place) { lane in
                // An answer at the end or after it reaches nobody.
                let all = lane.held.count
                lane.held.removeAll { $0.at >= end }
                heldCount -= all - lane.held.count
            }
            deliverAll(of: place)
        }
        touchWoken()
        isOver = true
    }
}
