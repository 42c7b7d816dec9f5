import Basics

/// How requests end for their clients: each offered one once, or it is in flight at the end of the run.
extension ServiceState {
    /// Content leaves the edge. In time means at the device by the deadline (T6).
    ///
    /// - Parameters:
    ///   - size: in bytes, as in `ServerTicket`.
    ///   - isNotModified: whether it says that the client has it already.
    @inline(__always)
    mutating func answer(
        _ request: PendingRequest, madeAt: Instant, size: UInt32 = ServerTicket.standardSize,
        isNotModified: Bool = false, at now: Instant
    ) {
        let at = now + Duration(microseconds: Int64(request.back))
        if at > request.deadline && !request.stays { return timeOut(request) }
        if request.isAnswered { answers.append(ServiceAnswer(to: request, at: at, madeAt: madeAt)) }
        let pool = pool(of: request)
        let cell = tally.cell(pool: pool, region: request.region)
        tally.count(request.isBackground ? .backgroundServed : .served, cell)
        if isNotModified { tally.count(.notModified, cell) }
        tally.count(.edgeBytes, cell, by: bytes(size, endpoint: request.endpoint))
        if now >= reportFrom && !request.isBackground {
            latencies[place(.responseTime, pool)].add(
                at - (request.arrival - Duration(microseconds: Int64(request.out))))
        }
        count(endOf: request, cell, pool, at: now, isServed: true)
    }

    /// An error leaves the edge.
    ///
    /// - Parameter retryAfter: the wait that it tells; nil for the pool's.
    mutating func refuse(_ request: PendingRequest, retryAfter: Duration? = nil, at now: Instant) {
        let at = now + Duration(microseconds: Int64(request.back))
        if at > request.deadline && !request.stays { return timeOut(request) }
        let pool = pool(of: request)
        if request.isAnswered {
            answers.append(
                ServiceAnswer(
                    to: request, at: at, isError: true, isRefusal: request.isRefusal,
                    retryAfter: request.tellsRetryAfter ? retryAfter ?? pools[pool].plan.retryAfter ?? .zero : .zero))
        }
        let cell = tally.cell(pool: pool, region: request.region)
        tally.count(request.isBackground ? .backgroundRefused : .refused, cell)
        count(endOf: request, cell, pool, at: now, isServed: false)
    }

    /// Clients that hear in time that their request is being served do not give it up any more (S3). They hear it from
    /// the edge, when that has heard it.
    mutating func tellBegun(_ index: UInt32, at now: Instant) {
        let atEdge = now + Duration(microseconds: Int64(requests[index].originBack))
        if !requests[index].isRevalidation && !requests[index].isAbandoned { tellBegun(to: index, from: atEdge) }
        var waiter = requests[index].lastWaiter
        while waiter != PendingRequest.none {
            tellBegun(to: waiter, from: atEdge)
            waiter = requests[waiter].next
        }
    }

    /// - Parameter edge: when the edge tells it.
    mutating func tellBegun(to index: UInt32, from edge: Instant) {
        let at = edge + Duration(microseconds: Int64(requests[index].back))
        if at > requests[index].deadline { return }
        requests[index].stays = true
        if requests[index].isAnswered { answers.append(ServiceAnswer(to: requests[index], at: at, isNotice: true)) }
    }

    /// No answer is in time: the request ends when its client gives up, be that past or still to come. One whose client
    /// stays is in flight at the end.
    mutating func timeOut(_ request: PendingRequest) {
        let deadline = request.deadline
        if deadline >= end || request.stays {
            if request.isBackground { outside.inFlight += 1 } else { fleet.inFlight += 1 }
            return
        }
        let pool = pool(of: request)
        let cell = tally.cell(pool: pool, region: request.region)
        tally.count(request.isBackground ? .backgroundTimedOut : .timedOut, cell, at: deadline)
        count(endOf: request, cell, pool, at: deadline, isServed: false)
    }

    @inline(__always)
    private mutating func count(
        endOf request: PendingRequest, _ cell: Int, _ pool: Int, at instant: Instant, isServed: Bool
    ) {
        if request.isBackground {
            outside.ended += 1
            if instant < reportFrom { outside.carriedIn[cell] -= 1 }
        } else {
            fleet.ended += 1
            if instant < reportFrom { fleet.carriedIn[cell] -= 1 }
        }
        watch.requestEnded(pool: pool, at: instant, isServed: isServed)
    }
}
