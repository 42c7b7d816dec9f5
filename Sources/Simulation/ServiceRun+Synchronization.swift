import Basics
import Fleet
import Foundation
import RefreshService

/// The windows of a run with a service, one after another.
extension ServiceRun {
    /// Opens one window after another, until the run is over or pauses. Delivers what a window decides as soon as it matters to a device, or so much has come together in
    /// a partition that it is worth it.
    func lead(_ pauses: (Int) -> Bool) {
        // Some people may not have begun.
        if !hasBegun { hasBegun = everybodyHasBegun() }
        choiceAt = (decidedCount, DispatchTime.now().uptimeNanoseconds)
        while hasBegun, let start = nextWindow(pauses(windows)) {
            if start >= end {
                if outCount > 0 {
                    // Something that these partitions send may still arrive.
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
                // A device of a partition that is handed out may send something that arrives in this window.
                for place in partitions.indices where partitions[place].quietBefore < windowEnd { settle(place) }
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
        workers.dismiss()
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

    private func holds(_ wake: DeviceWakeUp) -> Bool {
        guard let place = partition(of: Int(wake.person)) else { return false }
        return withPartition(place) { $0.fleet.holds(wake, $0.rounds) }
    }

    /// Takes the requests that arrive in the window, in their order.
    private func takeRequests() {
        requests.removeAll(keepingCapacity: true)
        if link == nil {
            sent.take(before: limit, into: &requests) { request in
                if let place = partition(of: Int(request.person)) { withPartition(place) { $0.fleet.prefetchPendingDevice(person: Int(request.person), slot: Int(request.slot)) } }
            }
        } else {
            takeArriving()
            if requests.count > 1 { requests.sort { $0.arrivesBefore($1) } }
        }
    }

    /// Serves the requests of the window, and notes when the devices that sent them want to be touched.
    private func serve() {
        for request in requests where request.instance != ServiceRequest.noInstance {
            guard let place = partition(of: Int(request.person)) else { continue }
            if let wake = withPartition(place, { $0.fleet.wake(of: request, $0.rounds) }) { wakes.note(wake, windowEnd: limit) }
        }
        decided.removeAll(keepingCapacity: true)
        requests.withUnsafeBufferPointer { service.advance($0, to: limit, answers: &decided) }
    }

    /// Holds the answers that this window has decided.
    private func holdDecided() {
        for answer in decided {
            if let place = partition(of: Int(answer.person)) { withPartition(place) { $0.fleet.prefetchPendingDevice(person: Int(answer.person), slot: Int(answer.slot)) } }
        }
        for answer in decided {
            guard let place = partition(of: Int(answer.person)) else { continue }
            withPartition(place) { partition in
                let at = partition.fleet.hold(answer, partition.rounds)
                if at == nil { partition.unsure.append(partition.held.count) }
                partition.held.append(answer)
                partition.dueDates.append(at ?? answer.at)
                partition.mattersAt = min(partition.mattersAt, at ?? answer.at)
                mattersAt = min(mattersAt, partition.mattersAt)
            }
            heldCount += 1
        }
        decidedCount += decided.count
    }

    /// Takes the devices that do something of their own in the window though nothing is decided for them.
    private func takeWakeUps() {
        wakes.take(before: limit, where: { self.holds($0) }) { wake in
            guard let place = partition(of: Int(wake.person)) else { return }
            withPartition(place) { $0.woken.append(wake) }
            wokenCount += 1
        }
    }

    // MARK: Answers

    /// So many answers of one of several partitions are delivered though none matters yet.
    private static let mostOfPartition = 16
    /// So many of the only partition of a run on one thread.
    private static let mostOfSolePartition = 128

    /// Delivers what the partitions hold that hold much. On several threads they are handed out, and the next windows are served meanwhile.
    private func deliverFull() {
        let most = threads == 1 ? Self.mostOfSolePartition : Self.mostOfPartition
        if heldCount < most { return }
        if isSharing && link != nil { return shareWithinWindow(most: most) }
        for place in partitions.indices where withPartition(place, { $0.held.count >= most && !$0.isOut }) {
            if isSharing { handOut(place) } else { deliverAll(of: place) }
        }
        if threads == 1 { return }
        // A thread that is ahead of the others by so much helps them.
        while isSharing, heldCount >= 2 * most * partitions.count, workers.help({ deliver(partition: $0) }) { takeBack() }
        chooseSharing()
    }

    /// Ranks meet once a window, with all that may arrive in it: the partitions of their threads come back within it, so all are handed out together.
    private func shareWithinWindow(most: Int) {
        if heldCount < most * partitions.count { return }
        for place in partitions.indices where withPartition(place, { !$0.held.isEmpty }) { handOut(place) }
        settleAll()
        chooseSharing()
    }

    /// Whether partitions are handed out.
    private var isSharing: Bool { threads > 1 && sharing.isShared }

    /// Learns from the time of the answers since the last time, once they are enough.
    private func chooseSharing() {
        guard decidedCount - choiceAt.answers >= SharingChoice.answers * partitions.count else { return }
        let now = DispatchTime.now().uptimeNanoseconds
        sharing.note(answers: decidedCount - choiceAt.answers, nanoseconds: now - choiceAt.time)
        choiceAt = (decidedCount, now)
        if !isSharing { settleAll() }
    }

    /// Hands a partition with what it holds out to whoever takes it first.
    private func handOut(_ place: Int) {
        withPartition(place) { partition in
            precondition(partition.woken.isEmpty, "a partition is handed out before its devices are touched")
            makeReady(partition)
            partition.isOut = true
            outCount += 1
            quietBefore = min(quietBefore, partition.quietBefore)
        }
        workers.handOut(place)
    }

    /// Delivers all that a partition holds.
    private func deliverAll(of place: Int) {
        settle(place)
        withPartition(place) { partition in
            if partition.held.isEmpty { return }
            makeReady(partition)
            deliver(partition: place)
            partition.quietBefore = .never
            partition.rounds.endDelivery()
            collect(partition)
        }
    }

    /// Makes all that a partition holds ready to be delivered up to the end of the window.
    private func makeReady(_ partition: ServicePartition) {
        precondition(!partition.isOut && partition.delivered.isEmpty, "a partition that is handed out twice")
        swap(&partition.held, &partition.delivered)
        partition.deliveredTo = limit
        partition.rounds.beginDelivery()
        // Its devices do nothing before the first of its answers matters, and what they send takes a while.
        partition.quietBefore = partition.mattersAt == .never ? .never : partition.mattersAt + leastLeg
        partition.dueDates.removeAll(keepingCapacity: true)
        heldCount -= partition.delivered.count
        let mattered = partition.mattersAt == mattersAt
        partition.mattersAt = .never
        if mattered { findMatter() }
        if heldCount == 0 { heldSince = limit }
    }

    /// Takes partitions back that are done.
    private func takeBack() {
        for place in partitions.indices where withPartition(place, { $0.isOut }) && workers.takeBack(place) { welcome(place) }
    }

    /// Brings a partition back, if it is handed out: delivers what it has, or waits for the thread that does.
    private func settle(_ place: Int) {
        guard withPartition(place, { $0.isOut }) else { return }
        workers.finish(place) { deliver(partition: $0) }
        welcome(place)
    }

    private func settleAll() { if outCount > 0 { for place in partitions.indices { settle(place) } } }

    /// A partition is back.
    private func welcome(_ place: Int) {
        withPartition(place) { partition in
            partition.isOut = false
            let wasQuietBefore = partition.quietBefore
            partition.quietBefore = .never
            partition.rounds.endDelivery()
            collect(partition)
            outCount -= 1
            if !partition.unsure.isEmpty {
                for index in partition.unsure { partition.dueDates[index] = partition.fleet.latestDelivery(of: partition.held[index]) }
                partition.unsure.removeAll(keepingCapacity: true)
                partition.mattersAt = partition.dueDates.reduce(.never, min)
                findMatter()
            }
            if wasQuietBefore > quietBefore { return }
            quietBefore = .never
            withEachPartition { quietBefore = min(quietBefore, $0.quietBefore) }
        }
    }

    /// Delivers what matters within the windows so far, with what matters soon after, and touches the devices that act by themselves in them.
    ///
    /// - Parameter ahead: how soon.
    private func deliverDue(ahead: Duration) {
        // A partition that comes back can bring something that is due.
        while true {
            takeWakeUps()
            if mattersAt >= limit && wokenCount == 0 { return }
            if mattersAt < limit {
                let soon = limit + max(ahead, window) + window
                for place in partitions.indices where withPartition(place, { $0.mattersAt < limit }) { deliverSoon(of: place, before: soon) }
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

    /// Delivers the answers of a partition that matter soon, with all others for the same devices.
    private func deliverSoon(of place: Int, before soon: Instant) {
        settle(place)
        withPartition(place) { partition in
            let count = partition.dueDates.count { $0 < soon }
            if count > partition.held.count / Self.mostDueShare { return deliverAll(of: place) }
            for (answer, at) in zip(partition.held, partition.dueDates) where at < soon { partition.fleet.release(answer) }
            var kept = 0
            for index in partition.held.indices {
                if partition.fleet.isReleased(partition.held[index]) {
                    partition.delivered.append(partition.held[index])
                } else {
                    (partition.held[kept], partition.dueDates[kept]) = (partition.held[index], partition.dueDates[index])
                    kept += 1
                }
            }
            heldCount -= partition.delivered.count
            partition.held.removeLast(partition.held.count - kept)
            partition.dueDates.removeLast(partition.dueDates.count - kept)
            partition.fleet.deliver(partition.delivered, windowEnd: limit)
            partition.delivered.removeAll(keepingCapacity: true)
            partition.mattersAt = partition.dueDates.reduce(.never, min)
            collect(partition)
            findMatter()
        }
    }

    private func findMatter() {
        mattersAt = .never
        withEachPartition { partition in mattersAt = min(mattersAt, partition.mattersAt) }
    }

    /// Touches devices that act by themselves before the end of the window. Some may have been suspended before it, as other answers bound how far they have come.
    private func touchWoken() {
        takeWakeUps()
        if wokenCount == 0 { return }
        for place in partitions.indices where withPartition(place, { !$0.woken.isEmpty }) {
            settle(place)
            withPartition(place) { partition in
                wokenCount -= partition.woken.count
                partition.fleet.touch(partition.woken, windowEnd: limit)
                partition.woken.removeAll(keepingCapacity: true)
                collect(partition)
            }
        }
    }

    /// Delivers the last answers, after which nothing more is decided that would reach anybody.
    private func comeToEnd() {
        limit = end
        takeWakeUps()
        for place in partitions.indices {
            withPartition(place) { partition in
                // An answer at the end or after it reaches nobody.
                let all = partition.held.count
                partition.held.removeAll { $0.at >= end }
                heldCount -= all - partition.held.count
            }
            deliverAll(of: place)
        }
        touchWoken()
        isOver = true
    }
}
