import Basics
import Foundation
import RefreshService

/// How answers come to their devices: held until they matter, handed out to other threads, delivered together.
extension ServiceRun {
    /// So many answers of one of several partitions are delivered though none matters yet.
    private static let mostOfPartition = 16
    /// So many of the only partition of a run on one thread.
    private static let mostOfSolePartition = 128

    /// Delivers what the partitions hold that hold much. On several threads they are handed out, and the next windows
    /// are served meanwhile.
    func deliverFull() {
        let most = threads == 1 ? Self.mostOfSolePartition : Self.mostOfPartition
        if totals.held < most { return }
        for place in partitions.indices where partitions.with(place, { $0.held.count >= most && !$0.isOut }) {
            if isSharing { handOut(place) } else { deliverAll(of: place) }
        }
        if threads == 1 { return }
        // A thread that is ahead of the others by so much helps them.
        while isSharing, totals.held >= 2 * most * partitions.all.count, workers.help({ deliver(partition: $0) }) {
            takeBack()
        }
        chooseSharing()
    }

    /// Delivers all that is held before ranks meet: the partitions of their threads come back before that.
    func shareHeld() {
        let isWorthwhile = isSharing && totals.held >= Self.mostOfPartition * partitions.all.count
        for place in partitions.indices where partitions.with(place, { !$0.held.isEmpty }) {
            if isWorthwhile { handOut(place) } else { deliverAll(of: place) }
        }
        if isWorthwhile { joinAll() }
        if threads > 1 { chooseSharing() }
    }

    /// Whether partitions are handed out.
    private var isSharing: Bool { threads > 1 && sharing.isShared }

    /// Learns from the time of the answers since the last time, once they are enough.
    private func chooseSharing() {
        guard sharing.isEnough(partitions: partitions.all.count) else { return }
        sharing.note(at: DispatchTime.now().uptimeNanoseconds)
        if !isSharing { joinAll() }
    }

    /// Hands a partition with what it holds out to whoever takes it first.
    private func handOut(_ place: Int) {
        partitions.with(place) { partition in
            precondition(partition.woken.isEmpty, "a partition is handed out before its devices are touched")
            makeReady(partition)
            partition.isOut = true
            totals.out += 1
            totals.quietBefore = min(totals.quietBefore, partition.quietBefore)
        }
        workers.handOut(place)
    }

    /// Delivers all that a partition holds.
    func deliverAll(of place: Int) {
        join(place)
        partitions.with(place) { partition in
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
        totals.held -= partition.delivered.count
        let mattered = partition.mattersAt == totals.mattersAt
        partition.mattersAt = .never
        if mattered { findMatter() }
        if totals.held == 0 { totals.heldSince = limit }
    }

    /// Takes partitions back that are done.
    func takeBack() {
        for place in partitions.indices where partitions.with(place, { $0.isOut }) && workers.takeBack(place) {
            takeIn(place)
        }
    }

    /// Brings a partition back, if it is handed out: delivers what it has, or waits for the thread that does.
    func join(_ place: Int) {
        guard partitions.with(place, { $0.isOut }) else { return }
        workers.finish(place) { deliver(partition: $0) }
        takeIn(place)
    }

    func joinAll() { if totals.out > 0 { for place in partitions.indices { join(place) } } }

    /// A partition is back.
    private func takeIn(_ place: Int) {
        partitions.with(place) { partition in
            partition.isOut = false
            let wasQuietBefore = partition.quietBefore
            partition.quietBefore = .never
            partition.rounds.endDelivery()
            collect(partition)
            totals.out -= 1
            if !partition.unsure.isEmpty {
                for index in partition.unsure {
                    partition.dueDates[index] = partition.fleet.latestDelivery(of: partition.held[index])
                }
                partition.unsure.removeAll(keepingCapacity: true)
                partition.mattersAt = partition.dueDates.reduce(.never, min)
                findMatter()
            }
            if wasQuietBefore > totals.quietBefore { return }
            totals.quietBefore = .never
            partitions.withEach { totals.quietBefore = min(totals.quietBefore, $0.quietBefore) }
        }
    }

    /// Delivers what matters within the windows so far, with what matters soon after, and resumes the devices that act
    /// by themselves in them.
    ///
    /// - Parameter ahead: how soon.
    func deliverDue(ahead: Duration) {
        // A partition that comes back can bring something that is due.
        while true {
            takeWakeUps()
            if totals.mattersAt >= limit && totals.woken == 0 { return }
            if totals.mattersAt < limit {
                let soon = limit + max(ahead, window) + window
                for place in partitions.indices where partitions.with(place, { $0.mattersAt < limit }) {
                    deliverSoon(of: place, before: soon)
                }
            }
            resumeWoken()
        }
    }

    /// How long it has taken for what is held to come together.
    var heldFor: Duration { limit - totals.heldSince }
    /// A part of that time is looked ahead when something matters.
    static let partAhead: Int64 = 4

    /// If more than one of so many answers matter soon, all are delivered.
    private static let mostDueShare = 4

    /// Delivers the answers of a partition that matter soon, with all others for the same devices.
    private func deliverSoon(of place: Int, before soon: Instant) {
        join(place)
        partitions.with(place) { partition in
            let count = partition.dueDates.count { $0 < soon }
            if count > partition.held.count / Self.mostDueShare { return deliverAll(of: place) }
            for (answer, at) in zip(partition.held, partition.dueDates) where at < soon {
                partition.fleet.release(answer)
            }
            deliverHeld(of: partition) { partition.fleet.isReleased($0) }
        }
    }

    // MARK: Ranks of one thread

    /// A rank holds so many answers at most as a batch begins.
    private static let mostOfRank = 192
    /// A rank that waits delivers one of so many that it holds before it looks again, within these bounds.
    private static let waitingShare = 4
    private static let (leastWaiting, mostWaiting) = (8, 48)

    /// Delivers the answers that matter before an instant.
    func deliverSoon(before soon: Instant) {
        for place in partitions.indices where partitions.with(place, { $0.mattersAt < soon }) {
            deliverSome(of: place, before: soon, most: .max)
        }
    }

    /// Delivers some of the answers that are held longest; false if there are none.
    func deliverSome() -> Bool {
        if totals.held == 0 { return false }
        deliverOldest(min(Self.mostWaiting, max(Self.leastWaiting, totals.held / Self.waitingShare)))
        return true
    }

    /// Delivers what is more than a rank holds.
    func deliverSurplus() {
        if threads == 1 && totals.held > Self.mostOfRank { deliverOldest(totals.held - Self.mostOfRank) }
    }

    private func deliverOldest(_ count: Int) {
        for place in partitions.indices { deliverSome(of: place, before: .never, most: count) }
    }

    /// Delivers the first answers of a partition that matter before an instant, all others for the same people, and
    /// those for the few people that the filter does not tell apart from them.
    ///
    /// - Parameters:
    ///   - soon: `never` for any answer.
    ///   - most: so many of the first.
    private func deliverSome(of place: Int, before soon: Instant, most: Int) {
        join(place)
        partitions.with(place) { partition in
            chosen.removeAll()
            var count = 0
            for index in partition.held.indices where soon == .never || partition.dueDates[index] < soon {
                if count == most { break }
                chosen.insert(partition.held[index].person)
                count += 1
            }
            if count > 0 { deliverHeld(of: partition) { chosen.contains($0.person) } }
        }
    }

    // MARK: Answers of some devices

    /// Delivers answers of a partition, which are all that it holds for their devices.
    private func deliverHeld(of partition: ServicePartition, where isChosen: (ServiceAnswer) -> Bool) {
        var keptMatterAt = Instant.never
        var kept = 0
        var delivered: [ServiceAnswer] = []
        swap(&delivered, &partition.delivered)
        partition.held.withUnsafeMutableBufferPointer { held in
            partition.dueDates.withUnsafeMutableBufferPointer { dueDates in
                for index in held.indices {
                    if isChosen(held[index]) {
                        delivered.append(held[index])
                        continue
                    }
                    if kept != index { (held[kept], dueDates[kept]) = (held[index], dueDates[index]) }
                    keptMatterAt = min(keptMatterAt, dueDates[kept])
                    kept += 1
                }
            }
        }
        partition.held.removeLast(partition.held.count - kept)
        partition.dueDates.removeLast(partition.dueDates.count - kept)
        partition.mattersAt = keptMatterAt
        totals.held -= delivered.count
        for answer in delivered { partition.fleet.release(answer) }
        partition.fleet.deliver(delivered, windowEnd: limit)
        delivered.removeAll(keepingCapacity: true)
        swap(&delivered, &partition.delivered)
        collect(partition)
        findMatter()
    }

    private func findMatter() {
        totals.mattersAt = .never
        partitions.withEach { partition in totals.mattersAt = min(totals.mattersAt, partition.mattersAt) }
    }

    /// Resumes devices that act by themselves before the end of the window. Some may have been suspended before it, as
    /// other answers bound how far they have come.
    private func resumeWoken() {
        takeWakeUps()
        if totals.woken == 0 { return }
        for place in partitions.indices where partitions.with(place, { !$0.woken.isEmpty }) {
            join(place)
            partitions.with(place) { partition in
                totals.woken -= partition.woken.count
                partition.fleet.resume(partition.woken, windowEnd: limit)
                partition.woken.removeAll(keepingCapacity: true)
                collect(partition)
            }
        }
    }

    /// Delivers the last answers, after which nothing more is decided that would reach anybody.
    func comeToEnd() {
        limit = end
        takeWakeUps()
        for place in partitions.indices {
            partitions.with(place) { partition in
                // An answer at the end or after it reaches nobody.
                let all = partition.held.count
                partition.held.removeAll { $0.at >= end }
                totals.held -= all - partition.held.count
            }
            deliverAll(of: place)
        }
        resumeWoken()
        isOver = true
    }
}
