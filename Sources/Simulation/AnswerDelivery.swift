import Basics
import Fleet
import Foundation
import RefreshService

/// The answers of a service on their way to the devices of this rank: held until they matter, handed out to other
/// threads, delivered together.
///
/// A device does nothing because of an answer before its new timeline asks for something, and nothing by itself before
/// its next clock. So answers of several windows come together, at most until one of them matters. On several threads a
/// partition that holds enough is handed out: another thread delivers its answers while the first serves the next
/// windows, as far as no request can arrive that a device of the partition may still send.
///
/// Devices that act by themselves before an answer is decided for them are resumed without one.
final class AnswerDelivery: @unchecked Sendable {
    // Safety: of a partition that is handed out, the fleet (but for the rounds in its pending-device records),
    // `delivered` and `deliveredTo` belong to the thread that has taken it. All else is always the first thread's, once
    // every device has begun.
    let partitions: PartitionTable
    let workers: WorkerPool
    private let threads: Int
    private let window, leastLeg: Duration
    /// Where the window under way ends: devices run up to it.
    var limit: Instant = .start

    /// Gets what devices send.
    private let sent: NetworkQueue
    /// When devices have to be resumed without an answer, and how many are next.
    private var wakes = WakeUpQueue()
    private var woken = 0
    /// How many answers all partitions hold, and when the first of them matters to its device.
    private(set) var held = 0
    private var deliveryDeadline: Instant = .never
    /// The end of the window in which nothing was held last.
    private var heldSince: Instant = .start
    /// How many partitions are handed out, and the earliest `quietBefore` of them.
    private var out = 0
    private var quietBefore: Instant = .never
    private var sharing = SharingChoice()
    /// The people whose answers are delivered next, and a few others.
    private let chosen = PeopleFilter()

    /// So many answers of one of several partitions are delivered though none matters yet.
    private static let mostOfPartition = 16
    /// So many of the only partition of a run on one thread.
    private static let mostOfSolePartition = 128
    /// A part of the time that it has taken for what is held to come together is looked ahead when something matters.
    private static let partAhead: Int64 = 4
    /// If more than one of so many answers matter soon, all are delivered.
    private static let mostDueShare = 4

    init(_ partitions: PartitionTable, threads: Int, window: Duration, leastLeg: Duration, sent: NetworkQueue) {
        self.partitions = partitions
        self.threads = threads
        self.window = window
        self.leastLeg = leastLeg
        self.sent = sent
        workers = WorkerPool(threads: threads, partitions: partitions.all.count)
    }

    // MARK: Devices that wait

    /// Queues what devices have sent, and when they have to be resumed.
    func collect() { partitions.withEach(collect) }

    private func collect(_ partition: ServicePartition) {
        sent.collect(from: partition.fleet)
        wakes.collect(from: partition.fleet)
    }

    /// The earliest instant before a limit at which an answer matters or a device has to be resumed; otherwise one not
    /// before the limit.
    func next(before limit: Instant) -> Instant {
        let at = min(deliveryDeadline, limit)
        return min(at, wakes.next(before: at) { isDue($0) })
    }

    private func isDue(_ wake: DeviceWakeUp) -> Bool {
        guard let place = partitions.place(of: Int(wake.person)) else { return false }
        let rounds = partitions.with(place) { $0.rounds }
        return partitions.withFleet(place) { $0.isDue(wake, rounds) }
    }

    /// The memory is asked for that an arrival reads.
    func expect(_ request: ServiceRequest) { expect(request.person, request.slot) }

    @inline(__always) private func expect(_ person: UInt32, _ slot: UInt8) {
        guard let place = partitions.place(of: Int(person)) else { return }
        partitions.withFleet(place) { $0.prefetchPendingDevice(person: Int(person), slot: Int(slot)) }
    }

    /// Requests arrive in the window: notes when the devices that sent them have to be resumed.
    func noteArrivals(_ requests: [ServiceRequest]) {
        for request in requests where request.instance != ServiceRequest.noInstance {
            guard let place = partitions.place(of: Int(request.person)) else { continue }
            let rounds = partitions.with(place) { $0.rounds }
            if let wake = partitions.withFleet(place, { $0.noteArrival(of: request, rounds) }) {
                wakes.note(wake, windowEnd: limit)
            }
        }
    }

    /// Holds answers that the window has decided, for devices of this rank.
    func hold(_ answers: [ServiceAnswer]) {
        sharing.decided += answers.count
        for answer in answers { expect(answer.person, answer.slot) }
        for answer in answers {
            guard let place = partitions.place(of: Int(answer.person)) else { continue }
            partitions.with(place) { partition in
                let rounds = partition.rounds
                let at = partitions.withFleet(place) { $0.hold(answer, rounds) }
                if at == nil { partition.unsure.append(partition.held.count) }
                partition.held.append(answer)
                partition.dueDates.append(at ?? answer.at)
                partition.deliveryDeadline = min(partition.deliveryDeadline, at ?? answer.at)
                deliveryDeadline = min(deliveryDeadline, partition.deliveryDeadline)
            }
            held += 1
        }
    }

    /// Holds the answers that partitions were read back with, which are added to their lists. None matters before the
    /// end of the window.
    func holdRead() {
        for partition in partitions.all {
            // How soon each device reacts is not written down: each may at once.
            partition.dueDates = partition.held.map {
                max(limit, partition.fleet.hold($0, partition.rounds) ?? $0.at)
            }
            partition.deliveryDeadline = partition.dueDates.reduce(.never, min)
            held += partition.held.count
        }
        findMatter()
    }

    private func findMatter() {
        deliveryDeadline = .never
        partitions.withEach { partition in deliveryDeadline = min(deliveryDeadline, partition.deliveryDeadline) }
    }

    // MARK: Whole partitions

    /// Delivers all that those partitions hold that hold much. On several threads they are handed out, and the next
    /// windows are served meanwhile.
    func deliverFull() {
        if out > 0 { takeBack() }
        let most = threads == 1 ? Self.mostOfSolePartition : Self.mostOfPartition
        if held < most { return }
        deliverPartitions(holding: most, handsOut: isSharing)
        if threads == 1 { return }
        // A thread that is ahead of the others by so much helps them.
        while isSharing, held >= 2 * most * partitions.all.count, workers.help({ deliverReady(of: $0) }) { takeBack() }
        chooseSharing()
    }

    /// Delivers all that is held, on all threads.
    func deliverAll() {
        let isWorthwhile = isSharing && held >= Self.mostOfPartition * partitions.all.count
        deliverPartitions(holding: 1, handsOut: isWorthwhile)
        joinAll()
        if threads > 1 { chooseSharing() }
    }

    private func deliverPartitions(holding least: Int, handsOut: Bool) {
        for place in partitions.indices where partitions.with(place, { $0.held.count >= least && !$0.isOut }) {
            if handsOut { handOut(place) } else { deliverAll(of: place) }
        }
    }

    /// Delivers all that a partition holds.
    private func deliverAll(of place: Int) {
        join(place)
        partitions.with(place) { partition in
            if partition.held.isEmpty { return }
            makeReady(partition)
            deliverReady(of: place)
            endDelivery(of: partition)
        }
    }

    /// Makes all that a partition holds ready to be delivered up to the end of the window.
    private func makeReady(_ partition: ServicePartition) {
        precondition(!partition.isOut && partition.delivered.isEmpty, "a partition that is handed out twice")
        swap(&partition.held, &partition.delivered)
        partition.deliveredTo = limit
        partition.rounds.beginDelivery()
        // Its devices do nothing before the first of its answers matters, and what they send takes a while.
        partition.quietBefore = partition.deliveryDeadline == .never ? .never : partition.deliveryDeadline + leastLeg
        partition.dueDates.removeAll(keepingCapacity: true)
        held -= partition.delivered.count
        let mattered = partition.deliveryDeadline == deliveryDeadline
        partition.deliveryDeadline = .never
        if mattered { findMatter() }
        if held == 0 { heldSince = limit }
    }

    /// Delivers what a partition was made ready with; by the thread that has taken it.
    private func deliverReady(of place: Int) {
        partitions.with(place) { partition in
            partition.fleet.deliver(partition.delivered, windowEnd: partition.deliveredTo)
            partition.delivered.removeAll(keepingCapacity: true)
        }
    }

    private func endDelivery(of partition: ServicePartition) {
        partition.quietBefore = .never
        partition.rounds.endDelivery()
        collect(partition)
    }

    // MARK: Answers that matter

    /// How far it looks ahead at the end of a window when something matters.
    var lookAhead: Duration { (limit - heldSince) / Self.partAhead }

    /// Delivers what matters within the windows so far, with what matters soon after, and resumes the devices that act
    /// by themselves in them.
    ///
    /// - Parameter ahead: how soon.
    func deliverDue(ahead: Duration = .zero) {
        // A partition that comes back can bring something that is due.
        while true {
            takeWakeUps()
            if deliveryDeadline >= limit && woken == 0 { return }
            if deliveryDeadline < limit {
                let soon = limit + max(ahead, window) + window
                for place in partitions.indices where partitions.with(place, { $0.deliveryDeadline < limit }) {
                    deliverDue(of: place, before: soon)
                }
            }
            resumeWoken()
        }
    }

    private func deliverDue(of place: Int, before soon: Instant) {
        join(place)
        let isMuch = partitions.with(place) { partition in
            partition.dueDates.count { $0 < soon } > partition.held.count / Self.mostDueShare
        }
        if isMuch { deliverAll(of: place) } else { deliverFirst(.max, of: place, before: soon) }
    }

    /// Delivers the answers that each partition holds longest, with all others for the same people.
    ///
    /// - Parameters:
    ///   - most: so many of them.
    ///   - soon: of those that matter before it; `never` for any.
    func deliverFirst(_ most: Int, before soon: Instant = .never) {
        for place in partitions.indices where partitions.with(place, { soon == .never || $0.deliveryDeadline < soon }) {
            join(place)
            deliverFirst(most, of: place, before: soon)
        }
    }

    private func deliverFirst(_ most: Int, of place: Int, before soon: Instant) {
        partitions.with(place) { partition in
            chosen.removeAll()
            var count = 0
            for index in partition.held.indices where soon == .never || partition.dueDates[index] < soon {
                if count == most { break }
                chosen.insert(partition.held[index].person)
                count += 1
            }
            if count > 0 { deliverChosen(of: partition) }
        }
    }

    /// Delivers the answers of a partition for the chosen people, and those for the few others that the filter does not
    /// tell apart from them.
    private func deliverChosen(of partition: ServicePartition) {
        var keptMatterAt = Instant.never
        var kept = 0
        var delivered: [ServiceAnswer] = []
        swap(&delivered, &partition.delivered)
        partition.held.withUnsafeMutableBufferPointer { held in
            partition.dueDates.withUnsafeMutableBufferPointer { dueDates in
                for index in held.indices {
                    if chosen.contains(held[index].person) {
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
        partition.deliveryDeadline = keptMatterAt
        held -= delivered.count
        for answer in delivered { partition.fleet.release(answer) }
        partition.fleet.deliver(delivered, windowEnd: limit)
        delivered.removeAll(keepingCapacity: true)
        swap(&delivered, &partition.delivered)
        collect(partition)
        findMatter()
    }

    /// Takes the devices that do something of their own in the window though nothing is decided for them.
    private func takeWakeUps() {
        wakes.take(before: limit, where: { isDue($0) }) { wake in
            guard let place = partitions.place(of: Int(wake.person)) else { return }
            partitions.with(place) { $0.woken.append(wake) }
            woken += 1
        }
    }

    /// Resumes devices that act by themselves before the end of the window. Some may have been suspended before it, as
    /// other answers bound how far they have come.
    private func resumeWoken() {
        takeWakeUps()
        if woken == 0 { return }
        for place in partitions.indices where partitions.with(place, { !$0.woken.isEmpty }) {
            join(place)
            partitions.with(place) { partition in
                woken -= partition.woken.count
                partition.fleet.resume(partition.woken, windowEnd: limit)
                partition.woken.removeAll(keepingCapacity: true)
                collect(partition)
            }
        }
    }

    // MARK: The end

    /// Brings the devices of one of several ranks to the end of the window, with all that is held for them, so that
    /// they can be written down.
    func advanceAll() {
        for place in partitions.indices { deliverAll(of: place) }
        for partition in partitions.all { partition.fleet.advanceAll(to: limit) }
        collect()
    }

    /// Delivers the last answers, after which nothing more is decided that would reach anybody.
    func finish(end: Instant) {
        limit = end
        takeWakeUps()
        for place in partitions.indices {
            partitions.with(place) { partition in
                // An answer at the end or after it reaches nobody.
                let all = partition.held.count
                partition.held.removeAll { $0.at >= end }
                held -= all - partition.held.count
            }
            deliverAll(of: place)
        }
        resumeWoken()
    }

    // MARK: Partitions that are handed out

    /// Whether partitions are handed out.
    private var isSharing: Bool { threads > 1 && sharing.isShared }

    /// Learns from the time of answers from now on.
    func beginSharing() { sharing.restart(at: DispatchTime.now().uptimeNanoseconds) }

    /// Brings all partitions back and lets the other threads go.
    func endSharing() {
        joinAll()
        workers.dismiss()
    }

    /// Delivers partitions that are handed out, until sharing ends; by any thread but the first.
    func follow(thread: Int) { workers.follow(thread: thread) { deliverReady(of: $0) } }

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
            out += 1
            quietBefore = min(quietBefore, partition.quietBefore)
        }
        workers.handOut(place)
    }

    /// Takes partitions back that are done.
    private func takeBack() {
        for place in partitions.indices where partitions.with(place, { $0.isOut }) && workers.takeBack(place) {
            takeIn(place)
        }
    }

    /// Brings those partitions back whose devices may send something that arrives before an instant, and delivers what
    /// is due then.
    ///
    /// - Parameter windowEnd: nil for all that are handed out.
    /// - Returns: whether there were any.
    @discardableResult
    func bringBack(before windowEnd: Instant? = nil) -> Bool {
        if out == 0 { return false }
        if let windowEnd {
            if windowEnd <= quietBefore { return false }
            for place in partitions.indices where partitions[place].quietBefore < windowEnd { join(place) }
        } else {
            joinAll()
        }
        deliverDue()
        return true
    }

    /// Brings a partition back, if it is handed out: delivers what it has, or waits for the thread that does.
    private func join(_ place: Int) {
        guard partitions.with(place, { $0.isOut }) else { return }
        workers.finish(place) { deliverReady(of: $0) }
        takeIn(place)
    }

    private func joinAll() { if out > 0 { for place in partitions.indices { join(place) } } }

    /// A partition is back.
    private func takeIn(_ place: Int) {
        partitions.with(place) { partition in
            partition.isOut = false
            let wasQuietBefore = partition.quietBefore
            endDelivery(of: partition)
            out -= 1
            if !partition.unsure.isEmpty {
                for index in partition.unsure {
                    partition.dueDates[index] = partition.fleet.latestDelivery(of: partition.held[index])
                }
                partition.unsure.removeAll(keepingCapacity: true)
                partition.deliveryDeadline = partition.dueDates.reduce(.never, min)
                findMatter()
            }
            if wasQuietBefore > quietBefore { return }
            quietBefore = .never
            partitions.withEach { quietBefore = min(quietBefore, $0.quietBefore) }
        }
    }
}
