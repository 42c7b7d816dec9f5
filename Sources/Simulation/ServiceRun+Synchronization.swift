import Basics
import Fleet
import Foundation
import RefreshService

/// The synchronization windows of a run with a service, one after another.
extension ServiceRun {
    /// Opens one synchronization window after another, until the run is over or pauses. A window has seven steps:
    ///
    /// 1. All ranks agree on when it begins, or that the run pauses. Those of several end a batch of windows first.
    /// 2. Partitions that are handed out and may still send something into it come back.
    /// 3. Its requests are taken, in the order of their arrival.
    /// 4. The service serves them, alone.
    /// 5. The answers that it has decided are held for their devices.
    /// 6. Partitions that hold much are delivered, or handed out to other threads.
    /// 7. Answers that matter by now are delivered, and devices that act by themselves are resumed.
    func lead(_ pauses: (Int) -> Bool) {
        findGroup()
        // Some people may not have begun.
        if !hasBegun && lost == nil { hasBegun = everybodyHasBegun() }
        sharing.restart(at: DispatchTime.now().uptimeNanoseconds)
        while hasBegun, lost == nil, let start = nextWindow(pauses(windows)) {  // 1
            if start >= end {
                if totals.out > 0 {
                    // Something that these partitions send may still arrive.
                    joinAll()
                    deliverDue(ahead: .zero)
                    continue
                }
                if isEndOfAll() { comeToEnd() }
                break
            }
            precondition(start >= limit, "a window before the last one")
            let windowEnd = min(start + window, isBatched ? min(known.batch.end, end) : end)
            if !isQuiet(before: windowEnd) {  // 2
                joinLoud(before: windowEnd)
                deliverDue(ahead: .zero)
                continue
            }
            limit = windowEnd
            withRequests { serve($0) }  // 3, 4
            holdDecided()  // 5
            progressAt.store(limit.microseconds, ordering: .relaxed)
            windows += 1
            // Ranks deliver between two batches.
            if isBatched { continue }
            if totals.out > 0 { takeBack() }
            deliverFull()  // 6
            // Last, for whatever is delivered can bring something that is due.
            deliverDue(ahead: heldFor / Self.partAhead)  // 7
        }
        joinAll()
        workers.dismiss()
    }

    /// Whether no device of a partition that is handed out can send anything that arrives before an instant.
    private func isQuiet(before windowEnd: Instant) -> Bool { totals.out == 0 || windowEnd <= totals.quietBefore }

    /// Brings the partitions back whose devices may send something that arrives before an instant.
    private func joinLoud(before windowEnd: Instant) {
        for place in partitions.indices where partitions[place].quietBefore < windowEnd { join(place) }
    }

    // MARK: Windows

    /// When the next window begins, for all ranks; nil to pause, or if they no longer work together.
    private func nextWindow(_ isPausing: Bool) -> Instant? {
        do throws(RankProblem) {
            let pauses = try ranks.pulse?.beat(isPausing: isPausing) ?? isPausing
            if isBatched {
                if let start = try nextWindowOfRanks(pauses) { return start }
            } else {
                if !pauses { return nextStart }
                joinAll()
                deliverDue(ahead: .zero)
            }
            _ = try ranks.pulse?.stop(atEnd: false)
        } catch { lost = error }
        return nil
    }

    /// Whether all ranks are at the end of the run; otherwise it pauses.
    private func isEndOfAll() -> Bool {
        do throws(RankProblem) { return try ranks.pulse?.stop(atEnd: true) ?? true } catch {
            lost = error
            return false
        }
    }

    /// When anything happens next, in one process.
    var nextStart: Instant {
        let start = min(min(service.nextAt, totals.mattersAt), sent.nextAt)
        return min(start, wakes.next(before: start) { self.isDue($0) })
    }

    func isDue(_ wake: DeviceWakeUp) -> Bool {
        guard let place = partitions.place(of: Int(wake.person)) else { return false }
        let rounds = partitions.with(place) { $0.rounds }
        return partitions.withFleet(place) { $0.isDue(wake, rounds) }
    }

    /// Hands over the requests that arrive in the window, in their order.
    private func withRequests(_ body: (UnsafeBufferPointer<ServiceRequest>) -> Void) {
        if isBatched {
            return known.withArrivals(before: limit, body)
        }
        if !requests.isEmpty { requests.removeAll(keepingCapacity: true) }
        sent.take(before: limit, into: &requests) { request in
            if let place = partitions.place(of: Int(request.person)) {
                partitions.withFleet(place) {
                    $0.prefetchPendingDevice(person: Int(request.person), slot: Int(request.slot))
                }
            }
        }
        requests.withUnsafeBufferPointer(body)
    }

    /// Serves the requests of the window, and notes when the devices that sent them have to be resumed.
    private func serve(_ requests: UnsafeBufferPointer<ServiceRequest>) {
        for request in requests where request.instance != ServiceRequest.noInstance {
            guard let place = partitions.place(of: Int(request.person)) else { continue }
            let rounds = partitions.with(place) { $0.rounds }
            if let wake = partitions.withFleet(place, { $0.wake(of: request, rounds) }) {
                wakes.note(wake, windowEnd: limit)
            }
            if isBatched { partitions.withFleet(place) { $0.noteArrival(of: request) } }
        }
        if !decided.isEmpty { decided.removeAll(keepingCapacity: true) }
        service.advance(requests, to: limit, answers: &decided)
    }

    /// Holds the answers that this window has decided.
    private func holdDecided() {
        if decided.isEmpty { return }
        sharing.decided += decided.count
        if isBatched {
            // All bound the batch; those of other ranks are for no device of this one.
            decided.removeAll { answer in
                known.bound(by: answer, leastLeg: leastLeg)
                return partitions.place(of: Int(answer.person)) == nil
            }
        }
        for answer in decided {
            if let place = partitions.place(of: Int(answer.person)) {
                partitions.withFleet(place) {
                    $0.prefetchPendingDevice(person: Int(answer.person), slot: Int(answer.slot))
                }
            }
        }
        for answer in decided {
            guard let place = partitions.place(of: Int(answer.person)) else { continue }
            partitions.with(place) { partition in
                let rounds = partition.rounds
                let at = partitions.withFleet(place) { $0.hold(answer, rounds) }
                if at == nil { partition.unsure.append(partition.held.count) }
                partition.held.append(answer)
                partition.dueDates.append(at ?? answer.at)
                partition.mattersAt = min(partition.mattersAt, at ?? answer.at)
                totals.mattersAt = min(totals.mattersAt, partition.mattersAt)
            }
            totals.held += 1
        }
    }

    /// Takes the devices that do something of their own in the window though nothing is decided for them.
    func takeWakeUps() {
        wakes.take(before: limit, where: { self.isDue($0) }) { wake in
            guard let place = partitions.place(of: Int(wake.person)) else { return }
            partitions.with(place) { $0.woken.append(wake) }
            totals.woken += 1
        }
    }
}
