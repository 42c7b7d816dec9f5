import SimulatedTime

/// How requests end for their clients: each offered one once, or it is in flight at the end of the run.
extension ServiceState {
    /// Content leaves the edge. In time means at the device by the deadline (T6).
    @inline(__always)
    mutating func answer(_ request: PendingRequest, madeAt: Instant, at now: Instant) {
        let at = now + Duration(microseconds: Int64(request.back))
        if at > request.deadline { return timeOut(request) }
        answers.append(ServiceAnswer(to: request, at: at, madeAt: madeAt))
        let endpoint = Int(request.endpoint)
        let pool = endpoints[endpoint].pool
        let cell = tally.cell(pool: pool, region: request.region)
        tally.count(.served, cell)
        tally.count(.edgeBytes, cell, by: endpoints[endpoint].responseBytes)
        if now >= reportFrom {
            latencies[pool].responseTimes.add(at - (request.arrival - Duration(microseconds: Int64(request.out))))
        }
        count(endOf: cell, pool, at: now, isServed: true)
    }

    /// An error leaves the edge.
    mutating func refuse(_ request: PendingRequest, at now: Instant) {
        let at = now + Duration(microseconds: Int64(request.back))
        if at > request.deadline { return timeOut(request) }
        let pool = endpoints[Int(request.endpoint)].pool
        let retryAfter = request.tellsRetryAfter ? pools[pool].retryAfter : .zero
        answers.append(ServiceAnswer(errorTo: request, at: at, retryAfter: retryAfter))
        let cell = tally.cell(pool: pool, region: request.region)
        tally.count(.refused, cell)
        count(endOf: cell, pool, at: now, isServed: false)
    }

    /// No answer is in time: the request ends when its client gives up, be that past or still to come.
    mutating func timeOut(_ request: PendingRequest) {
        let deadline = request.deadline
        if deadline >= end {
            inFlight += 1
            return
        }
        let pool = endpoints[Int(request.endpoint)].pool
        let cell = tally.cell(pool: pool, region: request.region)
        tally.count(.timedOut, cell, at: deadline)
        count(endOf: cell, pool, at: deadline, isServed: false)
    }

    @inline(__always)
    private mutating func count(endOf cell: Int, _ pool: Int, at instant: Instant, isServed: Bool) {
        ended += 1
        if instant < reportFrom { carriedIn[cell] -= 1 }
        watch.requestEnded(pool: pool, at: instant, isServed: isServed)
    }
}
