import Basics
import RefreshService

/// How ranks that share a part of the service meet: once a batch of windows.
///
/// They all serve the same requests in the same order, so a rank needs to hear of the others only when a request may
/// arrive that it does not know. Before a batch each rank says up to when it has told of every request that its devices
/// can cause (its lower bound): those that have been sent, and, for devices that wait, none before they may send by
/// themselves (`DeviceSimulation+Lookahead`). The least lower bound is the end of the batch. It moves closer while
/// the batch is served, by what every rank sees alike: an answer can make its device send again after the least
/// reaction, an error at once.
///
/// At the end of the batch a rank on one thread delivers the answers that matter within some batches. A device whose
/// answer is held longer sends nothing before that matters, so the lower bound does not need it: a rank delivers these
/// answers while it waits for others, and one that has less to do in a batch does it then. Threads of a rank deliver
/// all before they meet.
extension ServiceRun {
    /// Finds the ranks that share this one's parts of the service; the first time.
    func findGroup() { do throws(RankProblem) { try ranks.findGroup() } catch { lost = error } }

    /// Whether every device has begun, on all ranks.
    func everybodyHasBegun() -> Bool {
        guard let link = ranks.link else { return beginning.isOver }
        do throws(RankProblem) { return try !link.vote(!beginning.isOver).isAnyYes } catch {
            lost = error
            return false
        }
    }

    /// When the next window begins; nil to pause.
    func nextWindowOfRanks(_ isPausing: Bool) throws(RankProblem) -> Instant? {
        known.batch.isPausing = known.batch.isPausing || isPausing
        while true {
            let start = min(service.nextAt, known.firstArrival)
            if start < known.batch.end { return start }
            // Nothing happens any more.
            if known.batch.end >= end { return end }
            endBatch()
            if try meet() { return nil }
        }
    }

    /// Nothing happens any more before the end of the batch: answers are delivered, and devices run on. The partitions
    /// of several threads come back before ranks meet.
    private func endBatch() {
        let limit = max(delivery.limit, min(known.batch.end, end))
        delivery.limit = limit
        if threads == 1 {
            delivery.deliverFirst(
                .max, before: limit + max((limit - known.batch.start) * Self.batchesAhead, window))
        } else {
            delivery.deliverAll()
        }
        delivery.deliverDue()
    }

    /// Answers that matter within so many batches as long as the last one are delivered before ranks meet.
    private static let batchesAhead: Int64 = 4
    /// A rank of one thread holds so many answers at most as a batch begins.
    private static let mostHeld = 192
    /// While it waits it delivers one of so many that it holds before it looks again, within these bounds.
    private static let waitingShare = 4
    private static let (leastWaiting, mostWaiting) = (8, 48)

    /// Meets the other ranks before a batch: hears of their requests, and finds its end.
    ///
    /// - Returns: whether the run pauses.
    private func meet() throws(RankProblem) -> Bool {
        guard let link = ranks.group else { preconditionFailure("a run on one rank meets nobody") }
        var (own, message): ([ServiceRequest], [UInt8]) = ([], [])
        let (limit, rank) = (delivery.limit, partitions.share.rank)
        let lowerBound = lowerBound(telling: &own)
        known.codes[rank].write(own, from: limit, into: &message)
        try link.beginBatch(
            lowerBound: lowerBound, reaction: quickReaction, isPausing: known.batch.isPausing, requests: message)
        // The lower bound holds whatever devices do because of the answers that are delivered meanwhile.
        var met: RankLink.BatchAgreement?
        while met == nil {
            let delivers = threads == 1 && delivery.held > 0
            if delivers {
                delivery.deliverFirst(
                    min(Self.mostWaiting, max(Self.leastWaiting, delivery.held / Self.waitingShare)))
            }
            met = try link.endedBatch(notBefore: limit, waiting: !delivers)
        }
        guard let agreement = met else { preconditionFailure("a meeting without an end") }
        if threads == 1 && delivery.held > Self.mostHeld { delivery.deliverFirst(delivery.held - Self.mostHeld) }
        if let other = known.take(own, of: rank, agreement.requests, from: limit) { throw link.garbled(other) }
        known.batch.start = limit
        known.batch.end = min(agreement.lowerBound, end)
        // Nothing is decided before the next thing happens that all ranks know.
        let next = min(service.nextAt, known.firstArrival)
        if next < known.batch.end {
            known.batch.end = min(known.batch.end, next + leastLeg + agreement.reaction + leastLeg)
        }
        known.batch.isPausing = false
        return agreement.isPausing
    }

    /// Up to when this rank's requests are known once it has told of some.
    ///
    /// - Parameter own: gets those that it tells of, in their order.
    private func lowerBound(telling own: inout [ServiceRequest]) -> Instant {
        var bound = earliestArrival(sent: delivery.next(before: end))
        for request in known.waiting { bound = min(bound, nextRequest(after: request)) }
        var known = delivery.limit
        while known < bound && known < end && own.count < Self.mostTold {
            let first = sent.nextAt
            if first >= min(bound, end) { return min(bound, end) }
            let before = own.count
            known = max(known, first) + window
            sent.take(before: known, into: &own) { delivery.expect($0) }
            for request in own[before...] { bound = min(bound, nextRequest(after: request)) }
        }
        return min(min(bound, known), end)
    }

    /// How soon one of the devices of this rank can act because of a decision about a request that has arrived, if any
    /// acts sooner than others.
    private var quickReaction: Duration? {
        var least: Duration?
        delivery.partitions.withEach { partition in
            if let reaction = partition.fleet.quickReaction { least = min(least ?? reaction, reaction) }
        }
        return least
    }

    /// A rank tells of so many requests at once, and of those of one window at least.
    private static let mostTold = 20_000

    /// Before which no request arrives that follows from one on its way: its device may send by itself, or because of
    /// an answer; `never` for a device of another rank, and for an answer that all ranks will see.
    private func nextRequest(after request: ServiceRequest) -> Instant {
        guard request.instance != ServiceRequest.noInstance,
            let place = delivery.partitions.place(of: Int(request.person))
        else {
            return .never
        }
        return earliestArrival(sent: delivery.partitions.withFleet(place) { $0.nextAction(after: request) })
    }

    private func earliestArrival(sent at: Instant) -> Instant { at == .never ? .never : at + leastLeg }
}
