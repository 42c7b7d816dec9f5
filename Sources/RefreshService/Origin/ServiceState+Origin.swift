import Basics
import Statistics

/// The origin (S2): admission, the queue, the servers.
extension ServiceState {
    mutating func reachOrigin(_ index: UInt32, at now: Instant) {
        let request = requests[index]
        let pool = pool(of: request)
        let cell = tally.cell(pool: pool, region: request.region)
        tally.count(.originRequests, cell)
        if request.isRevalidation { tally.count(.revalidations, cell) }
        if now >= reportFrom {
            let cause = request.isBackground ? ServiceMeasures.backgroundCause : Int(request.cause)
            load.count(
                endpoint: Int(request.endpoint), region: Int(request.region), cause: cause,
                tenth: Int((now - reportFrom).microseconds / 100_000))
            tap?.note(request, index: index, cause: cause, at: now)
        }
        pools[pool].seconds.addArrival(at: now)

        if pools[pool].outages.all > 0 {
            loseInOutage(index, at: now)
        } else if hasServers, let server = pools[pool].server {
            ask(server, index, pool, cell, at: now)
        } else if pools[pool].bucket?.take(at: now) == false {
            tally.count(.shedByRate, cell)
            shed(index, at: now)
        } else if pools[pool].busy < pools[pool].open {
            assert(pools[pool].queued == 0, "a server is idle while \(pools[pool].queued) wait")
            tally.count(.admitted, cell)
            requests[index].since = now
            begin(index, pool, cell, at: now)
        } else if pools[pool].queued < pools[pool].plan.queueLimit ?? .max {
            wait(index, pool, cell, at: now)
        } else {
            tally.count(.shedByQueue, cell)
            shed(index, at: now)
        }
    }

    /// A request joins the queue.
    @inline(__always)
    private mutating func wait(_ index: UInt32, _ pool: Int, _ cell: Int, at now: Instant) {
        tally.count(.admitted, cell)
        tally.count(.waited, cell)
        requests[index].since = now
        requests[index].stage = .queued
        pools[pool].enqueue(index, &requests)
    }

    /// A request's turn has come, and there is a server for it. It does not take it if the client has given up and the
    /// pool drops such work: then its edge gets an error at once, so that nobody who waits for the same fetch waits in
    /// vain.
    @inline(__always)
    private mutating func begin(_ index: UInt32, _ pool: Int, _ cell: Int, at now: Instant) {
        if now >= reportFrom {
            latencies[place(.queueWait, pool)].add(requests[index].endOfWait(at: now) - requests[index].since)
        }
        if pools[pool].plan.dropsTimedOutWork && requests[index].isGivenUp(at: now) {
            tally.count(.dropped, cell)
            fail(index, tellsRetryAfter: false, at: now)
            return
        }
        pools[pool].begin(at: now)
        requests[index].stage = .inService
        requests[index].since = now
        queue.insert(DueEvent(at: now + service(index, pool, at: now), .serviceEnd, requests[index], index: index))
        if plan.abandonment == .inQueue { tellBegun(index, at: now) }
    }

    /// How long a service takes that begins now. For a conditional request it is settled here whether the content has
    /// changed by the end of a service that says that it has not (S10).
    @inline(__always)
    private mutating func service(_ index: UInt32, _ pool: Int, at now: Instant) -> Duration {
        let whole = pools[pool].service(requests[index], seed: seed)
        guard hasTickets, let rule = conditional[Int(requests[index].endpoint)] else { return whole }
        let heldUntil = tickets[index].askedUntil
        if heldUntil == .longAgo { return whole }
        let short =
            rule.serviceTime.map { time in
                let stream = RandomStream(
                    seed: seed, person: UInt64(requests[index].person), slot: requests[index].slot,
                    purpose: .serviceTime)
                return time.draw(
                    stream.pair(at: UInt64(requests[index].sequence)).second, times: pools[pool].slowdown)
            } ?? whole
        let isInForce = rule.share?.holds(conditionalDraws(requests[index]).first) ?? (now + short < heldUntil)
        if !isInForce { return whole }
        tickets[index].settleNotModified(bytes: rule.bytes)
        return short
    }

    /// The content is made at this instant (C2).
    mutating func endService(_ index: UInt32, at now: Instant) {
        let request = requests[index]
        let endpoint = Int(request.endpoint)
        let pool = pool(of: request)
        let cell = tally.cell(pool: pool, region: request.region)
        pools[pool].release(at: now)
        tally.count(.completed, cell)
        tally.count(.busyTime, cell, from: request.since, to: now)
        var (madeAt, bytes) = (now, endpoints[endpoint].responseBytes)
        if hasTickets {
            (madeAt, bytes) = served(index, at: now)
            if tickets[index].isNotModified { tally.count(.originNotModified, cell) }
        }
        tally.count(.originBytes, cell, by: bytes)
        if request.isGivenUp(at: now) { tally.count(.wasted, cell) }
        if now >= reportFrom { latencies[place(.originTime, pool)].add(now - request.originArrival) }
        requests[index].stage = .toEdge
        requests[index].since = madeAt
        queue.insert(
            DueEvent(at: now + Duration(microseconds: Int64(request.originBack)), .answerAtEdge, request, index: index))
        // A planned event of this instant may leave the server no right to begin anything: it looks after the queue
        // itself.
        if steps.nextAt != now { fill(pool, at: now) }
    }

    /// Requests that wait begin while there are servers.
    @inline(__always)
    mutating func fill(_ pool: Int, at now: Instant) {
        if pools[pool].queued == 0 || hasServers && pools[pool].server != nil { return }
        while pools[pool].queued > 0 && pools[pool].busy < pools[pool].open {
            let index = pools[pool].dequeue(&requests)
            let cell = tally.cell(pool: pool, region: requests[index].region)
            countQueue(requests[index], cell, upTo: now)
            begin(index, pool, cell, at: now)
        }
        if pools[pool].queued == 0 && watch.isWaiting(for: pool) { watch.queueEmpty(pool: pool, at: now) }
    }

    /// A request leaves the queue: its client's wait, and how long it took up room there (S2).
    @inline(__always)
    mutating func countQueue(_ request: PendingRequest, _ cell: Int, upTo now: Instant) {
        tally.count(.queueTime, cell, from: request.since, to: request.endOfWait(at: now))
        tally.count(.queueSlotTime, cell, from: request.since, to: now)
    }

    /// A request that the pool has no place for.
    private mutating func shed(_ index: UInt32, at now: Instant) {
        requests[index].isRefusal = true
        fail(index, tellsRetryAfter: true, at: now)
    }

    /// An error goes back to the edge at once.
    mutating func fail(_ index: UInt32, tellsRetryAfter: Bool, at now: Instant) {
        requests[index].stage = .toEdge
        requests[index].isError = true
        requests[index].tellsRetryAfter = tellsRetryAfter
        queue.insert(
            DueEvent(
                at: now + Duration(microseconds: Int64(requests[index].originBack)), .answerAtEdge, requests[index],
                index: index))
    }

    /// An outage refuses a request, or says nothing if it is silent.
    private mutating func loseInOutage(_ index: UInt32, at now: Instant) {
        let request = requests[index]
        let pool = pool(of: request)
        tally.count(.lostInOutage, tally.cell(pool: pool, region: request.region))
        // A client that stays for its answer hears at least that the connection is gone; one that waits for a fetch
        // hears it from the edge.
        if pools[pool].outages.silent == 0 || request.stays && request.object == PendingRequest.none {
            fail(index, tellsRetryAfter: true, at: now)
        } else {
            loseSilently(index)
        }
    }

    /// Nothing comes back of a request.
    mutating func loseSilently(_ index: UInt32) {
        let request = requests[index]
        if request.object != PendingRequest.none && !request.isAbandoned {
            requests[index].stage = .lost
        } else {
            if request.object == PendingRequest.none { timeOut(request) }
            requests.remove(index)
        }
    }

    /// An outage begins: what waits and what is being served fails as arrivals do.
    mutating func breakDown(_ pool: Int, at now: Instant) {
        for index in 0..<UInt32(requests.used) {
            let request = requests[index]
            if self.pool(of: request) != pool { continue }
            let cell = tally.cell(pool: pool, region: request.region)
            switch request.stage {
            case .queued: countQueue(request, cell, upTo: now)
            case .inService: tally.count(.busyTime, cell, from: request.since, to: now)
            case .free, .toOrigin, .toEdge, .lost, .waiting: continue
            }
            loseInOutage(index, at: now)
        }
        pools[pool].clear(at: now)
    }

    /// Machines are gone, and with them as large a share of the requests in service as they have of the servers, evenly
    /// spread over these in the order in which their service began.
    ///
    /// - Returns: the servers that are gone: no more than there are.
    mutating func loseMachines(of pool: Int, servers: Int, at now: Instant) -> Int {
        let ready = pools[pool].ready
        let gone = min(servers, ready)
        var served = (0..<UInt32(requests.used)).filter {
            requests[$0].stage == .inService && self.pool(of: requests[$0]) == pool
        }
        // A place in the table reaches no result.
        served.sort { requests[$0].began(before: requests[$1]) }
        for (number, index) in served.enumerated() where (number + 1) * gone / ready > number * gone / ready {
            let request = requests[index]
            tally.count(.busyTime, tally.cell(pool: pool, region: request.region), from: request.since, to: now)
            pools[pool].release(at: now)
            loseInOutage(index, at: now)
        }
        pools[pool].lose(gone, at: now)
        return gone
    }
}
