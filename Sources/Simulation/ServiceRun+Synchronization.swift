import Basics
import Fleet
import RefreshService

/// The synchronization windows of a run with a service, one after another.
extension ServiceRun {
    /// Opens one synchronization window after another, until the run is over or pauses. A window has seven steps:
    ///
    /// 1. All ranks agree on when it begins, or that the run pauses. Those of several end a batch of windows first.
    /// 2. Partitions that are handed out and may still send something into it come back; then it may begin sooner.
    /// 3. Its requests are taken, in the order of their arrival.
    /// 4. The service serves them, alone.
    /// 5. The answers that it has decided are held for their devices.
    /// 6. Partitions that hold much are delivered, or handed out to other threads.
    /// 7. Answers that matter by now are delivered, and devices that act by themselves are resumed.
    func lead(_ pauses: (Int) -> Bool) {
        findGroup()
        // Some people may not have begun.
        if !hasBegun && lost == nil { hasBegun = everybodyHasBegun() }
        delivery.beginSharing()
        while hasBegun, lost == nil, let start = nextWindow(pauses(windows)) {  // 1
            let windowEnd = min(start + window, isBatched ? min(known.batch.end, end) : end)
            if delivery.bringBack(before: windowEnd) { continue }  // 2
            precondition(start >= delivery.limit, "a window before the last one")
            delivery.limit = windowEnd
            takeRequests()  // 3
            serve()  // 4
            holdDecided()  // 5
            progressAt.store(windowEnd.microseconds, ordering: .relaxed)
            windows += 1
            // Ranks deliver between two batches.
            if isBatched { continue }
            delivery.deliverFull()  // 6
            // Last, for whatever is delivered can bring something that is due.
            delivery.deliverDue(ahead: delivery.lookAhead)  // 7
        }
        delivery.endSharing()
    }

    /// When the next window begins, for all ranks; nil to pause, at the end of the run, or if the ranks no longer work
    /// together.
    private func nextWindow(_ isPausing: Bool) -> Instant? {
        do throws(RankProblem) {
            let pauses = try ranks.pulse?.beat(isPausing: isPausing) ?? isPausing
            guard let start = try isBatched ? nextWindowOfRanks(pauses) : pauses ? nil : nextStart else {
                delivery.bringBack()
                _ = try ranks.pulse?.stop(atEnd: false)
                return nil
            }
            if start < end { return start }
            if try ranks.pulse?.stop(atEnd: true) ?? true {
                delivery.finish(end: end)
                isOver = true
            }
        } catch { lost = error }
        return nil
    }

    /// When anything happens next, in one process; not before the end if nothing does.
    private var nextStart: Instant {
        while true {
            let start = delivery.next(before: min(service.nextAt, sent.nextAt))
            // Before the end something may still arrive that partitions send which are handed out.
            if start < end || !delivery.bringBack() { return start }
        }
    }

    private func takeRequests() {
        if !requests.isEmpty { requests.removeAll(keepingCapacity: true) }
        if isBatched {
            known.take(before: delivery.limit, into: &requests)
        } else {
            sent.take(before: delivery.limit, into: &requests) { delivery.expect($0) }
        }
    }

    private func serve() {
        delivery.noteArrivals(requests)
        if !decided.isEmpty { decided.removeAll(keepingCapacity: true) }
        requests.withUnsafeBufferPointer { service.advance($0, to: delivery.limit, answers: &decided) }
    }

    private func holdDecided() {
        if decided.isEmpty { return }
        if isBatched {
            // All bound the batch; those of other ranks are for no device of this one.
            decided.removeAll { answer in
                known.bound(by: answer, leastLeg: leastLeg)
                return delivery.partitions.place(of: Int(answer.person)) == nil
            }
        }
        delivery.hold(decided)
    }
}
