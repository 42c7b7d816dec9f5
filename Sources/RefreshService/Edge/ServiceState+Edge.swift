import Basics
import Statistics

/// The edge (S2): what it answers itself, what it fetches, and what comes back.
extension ServiceState {
    mutating func reachEdge(_ arriving: ServiceRequest, at now: Instant) {
        var request = PendingRequest(arriving)
        let endpoint = Int(request.endpoint)
        let cell = tally.cell(pool: pool(of: request), region: request.region)
        if arriving.isBackground {
            tally.count(.backgroundOffered, cell)
            outside.offered += 1
            if now < reportFrom { outside.carriedIn[cell] += 1 }
        } else {
            tally.count(.offered, cell)
            tally.count(arriving.isRetry ? .retries : .firstAttempts, cell)
            fleet.offered += 1
            if now < reportFrom { fleet.carriedIn[cell] += 1 }
        }
        if receivers.isOn && now >= reportFrom { receivers.count(arriving, at: now, tally.measures) }
        if isLost(request.region) { return loseAtEdge(request, at: now) }

        guard let cache = endpoints[endpoint].cache, !arriving.isPrivate else {
            _ = sendToOrigin(request, arriving, at: now)
            return
        }
        let object = objects.index(endpoint: request.endpoint, region: request.region, key: arriving.key)
        if order.hasLimit { order.touch(object, region: request.region) }
        let known = objects[object]
        if known.hasContent && now <= known.freshUntil {
            tally.count(.hits, cell)
            if request.isBackground { tally.count(.backgroundHits, cell) }
            send(known, to: request, heldUntil: arriving.heldUntil, at: now)
        } else if known.hasContent && now <= Self.later(known.freshUntil, by: cache.staleWhileRevalidate) {
            tally.count(.staleWhileRevalidate, cell)
            if request.isBackground { tally.count(.backgroundHits, cell) }
            send(known, to: request, heldUntil: arriving.heldUntil, at: now)
            if known.fetch == PendingRequest.none {
                request.isRevalidation = true
                objects[object].fetch = fetch(object, request, arriving, cache, at: now)
            }
        } else if cache.collapses && known.fetch != PendingRequest.none {
            tally.count(.collapsed, cell)
            request.stage = .waiting
            request.next = requests[known.fetch].lastWaiter
            let waiter = requests.insert(request)
            if hasTickets { tickets.note(arriving, at: waiter) }
            requests[known.fetch].lastWaiter = waiter
            if plan.abandonment == .inQueue && requests[known.fetch].stage == .inService {
                tellBegun(
                    to: waiter,
                    from: max(
                        now,
                        requests[known.fetch].since + Duration(microseconds: Int64(requests[known.fetch].originBack))))
            }
        } else {
            let index = fetch(object, request, arriving, cache, at: now)
            if cache.collapses { objects[object].fetch = index }
        }
    }

    /// Asks for the memory of the objects that the arrivals after one look for: a service that knows many waits for
    /// little else.
    @inline(__always)
    func expectObjects(of arrivals: UnsafeBufferPointer<ServiceRequest>, after place: Int) {
        if !hasCaches { return }
        if let later = Self.arrival(arrivals, place + Self.slotsAhead) {
            objects.expectSlot(endpoint: later.endpoint, region: later.region, key: later.key)
        }
        if let later = Self.arrival(arrivals, place + Self.objectsAhead),
            let object = objects.expectObject(endpoint: later.endpoint, region: later.region, key: later.key),
            order.hasLimit
        {
            order.expect(object)
        }
        if order.hasLimit, let later = Self.arrival(arrivals, place + Self.neighboursAhead),
            let object = objects.expectObject(endpoint: later.endpoint, region: later.region, key: later.key)
        {
            order.expectNeighbours(of: object)
        }
    }

    /// After so many arrivals an object's place by hash is read, the object, and the objects beside it in the order of
    /// an edge that has a size.
    static var slotsAhead: Int { 12 }
    private static var objectsAhead: Int { 8 }
    private static var neighboursAhead: Int { 4 }

    @inline(__always)
    private static func arrival(_ arrivals: UnsafeBufferPointer<ServiceRequest>, _ place: Int) -> ServiceRequest? {
        place >= 0 && place < arrivals.count ? arrivals[place] : nil
    }

    private mutating func fetch(
        _ object: UInt32, _ request: PendingRequest, _ arriving: ServiceRequest, _ cache: EndpointState.Cache,
        at now: Instant
    ) -> UInt32 {
        var request = request
        request.object = object
        let index = sendToOrigin(request, arriving, at: now)
        if conditional[Int(request.endpoint)] != nil { tickets[index].askedUntil = heldUntil(objects[object]) }
        let timeout = Self.later(now, by: cache.fetchTimeout)
        if timeout < end { queue.insert(DueEvent(at: timeout, .fetchTimeout, request, index: index)) }
        return index
    }

    private mutating func sendToOrigin(_ request: PendingRequest, _ arriving: ServiceRequest, at now: Instant) -> UInt32
    {
        var request = request
        (request.originOut, request.originBack) = ways[Int(request.region)].legs(request, seed: seed)
        request.stage = .toOrigin
        let index = requests.insert(request)
        tap?.remember(arriving, at: index)
        if hasTickets { tickets.note(arriving, at: index) }
        queue.insert(
            DueEvent(at: now + Duration(microseconds: Int64(request.originOut)), .originArrival, request, index: index))
        return index
    }

    /// Keeps an answer of the origin at the edge again.
    mutating func returnToEdge(_ index: UInt32, at now: Instant) {
        let request = requests[index]
        if isLost(request.region) {
            if request.object == PendingRequest.none {
                loseAtEdge(request, at: now)
            } else if !request.isAbandoned {
                loseWaiters(of: index, at: now)
            }
        } else if request.object == PendingRequest.none {
            if request.isError {
                refuse(request, retryAfter: retryAfter(of: index), at: now)
            } else {
                answer(
                    request, madeAt: request.since, size: size(of: index),
                    isNotModified: hasTickets && tickets[index].isNotModified, at: now)
            }
        } else if !request.isAbandoned {
            if request.isError { failFetch(index, at: now) } else { finishFetch(index, at: now) }
        }
        requests.remove(index)
    }

    /// A fetch has brought content: kept, unless the object was purged or has newer content meanwhile; who waits for it
    /// gets it.
    private mutating func finishFetch(_ index: UInt32, at now: Instant) {
        let request = requests[index]
        let object = request.object
        let size = sizeAtEdge(of: index)
        var brought = objects[object]
        (brought.madeAt, brought.size) = (request.since, size)
        if !request.isForgotten && !(objects[object].hasContent && objects[object].madeAt > request.since) {
            objects[object].hasContent = true
            objects[object].madeAt = request.since
            objects[object].size = size
            objects[object].freshUntil = Self.later(now, by: freshFor(of: index) ?? timeToLive(of: request))
            if order.hasLimit, let lost = order.add(object, region: request.region) { evict(lost) }
        }
        detach(index)
        forEachWaiter(of: index) { $0.send(brought, to: $1, heldUntil: $0.heldUntil(ofClient: $2), at: now) }
    }

    /// How long what a fetch brings is fresh.
    private func timeToLive(of request: PendingRequest) -> Duration {
        if let constant = endpoints[Int(request.endpoint)].constantTimeToLive { return constant }
        guard let time = endpoints[Int(request.endpoint)].timeToLive else {
            preconditionFailure("a fetch for an endpoint without a cache")
        }
        let stream = RandomStream(
            seed: seed, person: UInt64(request.person), slot: request.slot, purpose: .edgeTimeToLive)
        return time.draw(stream.pair(at: UInt64(request.sequence)).first)
    }

    // MARK: Conditional requests (S10)

    /// An object goes to a client, or that the client has it already.
    @inline(__always)
    private mutating func send(
        _ object: EdgeObjects.Object, to request: PendingRequest, heldUntil: Instant, at now: Instant
    ) {
        if let rule = conditional[Int(request.endpoint)], isHeld(object, by: request, until: heldUntil, rule) {
            answer(request, madeAt: object.madeAt, size: UInt32(rule.bytes), isNotModified: true, at: now)
        } else {
            answer(request, madeAt: object.madeAt, size: object.size, at: now)
        }
    }

    private func isHeld(
        _ object: EdgeObjects.Object, by request: PendingRequest, until heldUntil: Instant, _ rule: ConditionalAnswer
    ) -> Bool {
        if heldUntil == .longAgo { return false }
        // Two contents of a key are of one version if that ends for both at one instant.
        return rule.share?.holds(conditionalDraws(request).second)
            ?? (heldUntil == versionEnds?(Int(object.endpoint), object.key, object.madeAt))
    }

    /// Until when what an edge has is in force, as a request's `heldUntil`.
    private func heldUntil(_ object: EdgeObjects.Object) -> Instant {
        if !object.hasContent { return .longAgo }
        // Without versions it is enough that there is something.
        return versionEnds?(Int(object.endpoint), object.key, object.madeAt) ?? .start
    }

    private func heldUntil(ofClient index: UInt32) -> Instant { hasTickets ? tickets[index].heldUntil : .longAgo }

    /// Whether the origin has nothing new for who asks it, and the edge for its client.
    func conditionalDraws(_ request: PendingRequest) -> (first: UInt64, second: UInt64) {
        RandomStream(seed: seed, person: UInt64(request.person), slot: request.slot, purpose: .notModified).pair(
            at: UInt64(request.sequence))
    }

    // MARK: Answers of servers

    /// The size of what a request's server has answered, as in `ServerTicket`.
    private func size(of index: UInt32) -> UInt32 { hasTickets ? tickets[index].size : ServerTicket.standardSize }

    /// The size of what an edge has after a fetch: where nothing was modified, that of what it had.
    private func sizeAtEdge(of index: UInt32) -> UInt32 {
        if !hasTickets { return ServerTicket.standardSize }
        if !tickets[index].isNotModified { return tickets[index].size }
        let object = objects[requests[index].object]
        return object.hasContent ? object.size : ServerTicket.standardSize
    }

    /// How long an edge keeps it fresh; nil for the endpoint's time.
    private func freshFor(of index: UInt32) -> Duration? {
        hasTickets && tickets[index].freshFor >= .zero ? tickets[index].freshFor : nil
    }

    /// The wait that an error tells; nil for the pool's.
    private func retryAfter(of index: UInt32) -> Duration? {
        hasTickets && tickets[index].retryAfter >= .zero ? tickets[index].retryAfter : nil
    }

    /// An edge throws an object out. A fetch of it that is under way brings it back.
    private mutating func evict(_ object: UInt32) {
        objects[object].hasContent = false
        let (endpoint, region) = (objects[object].endpoint, objects[object].region)
        tally.count(.evicted, tally.cell(pool: pool(endpoint, region), region: region))
    }

    /// A fetch has failed: who waits for it gets the stale object, if that is still good for this, or an error.
    private mutating func failFetch(_ index: UInt32, at now: Instant) {
        let request = requests[index]
        detach(index)
        guard let cache = endpoints[Int(request.endpoint)].cache else {
            preconditionFailure("a fetch for an endpoint without a cache")
        }
        let object = objects[request.object]
        let cell = tally.cell(pool: pool(of: request), region: request.region)
        if object.hasContent && now <= Self.later(object.freshUntil, by: cache.staleIfError) {
            forEachWaiter(of: index) {
                $0.tally.count(.staleIfError, cell)
                $0.send(object, to: $1, heldUntil: $0.heldUntil(ofClient: $2), at: now)
            }
        } else {
            let retryAfter = retryAfter(of: index)
            forEachWaiter(of: index) { state, client, _ in
                var waiter = client
                (waiter.tellsRetryAfter, waiter.isRefusal) = (request.tellsRetryAfter, request.isRefusal)
                state.refuse(waiter, retryAfter: retryAfter, at: now)
            }
        }
    }

    /// The edge gives a fetch up. The origin does not hear of it.
    mutating func abandonFetch(_ index: UInt32, at now: Instant) {
        if isLost(requests[index].region) { loseWaiters(of: index, at: now) } else { failFetch(index, at: now) }
        if requests[index].stage == .lost { requests.remove(index) } else { requests[index].isAbandoned = true }
    }

    // MARK: A lost region

    /// Whether a region's edge answers nothing.
    @inline(__always)
    private func isLost(_ region: UInt16) -> Bool { losesRegions && edgeOutages[Int(region)].all > 0 }

    /// A request at the edge of a lost region. A client that stays for its answer hears at least that the connection is
    /// gone.
    private mutating func loseAtEdge(_ request: PendingRequest, at now: Instant) {
        if edgeOutages[Int(request.region)].silent == 0 || request.stays {
            refuse(request, at: now)
        } else {
            timeOut(request)
        }
    }

    /// A fetch is over for those who wait for it.
    private mutating func loseWaiters(of index: UInt32, at now: Instant) {
        detach(index)
        forEachWaiter(of: index) { state, client, _ in state.loseAtEdge(client, at: now) }
    }

    /// Later requests do not wait for this fetch.
    private mutating func detach(_ index: UInt32) {
        let object = requests[index].object
        if objects[object].fetch == index { objects[object].fetch = PendingRequest.none }
    }

    /// All clients that wait for a fetch, with their places, and then nobody does.
    private mutating func forEachWaiter(
        of index: UInt32, _ body: (inout ServiceState, PendingRequest, UInt32) -> Void
    ) {
        let fetch = requests[index]
        var waiter = fetch.lastWaiter
        requests[index].lastWaiter = PendingRequest.none
        if !fetch.isRevalidation { body(&self, fetch, index) }
        while waiter != PendingRequest.none {
            let request = requests[waiter]
            requests.remove(waiter)
            body(&self, request, waiter)
            waiter = request.next
        }
    }

    /// The objects of an endpoint and a region, or of every one, are forgotten.
    mutating func purge(endpoint: Int?, region: Int?) {
        for index in 0..<UInt32(objects.count) {
            let object = objects[index]
            if let endpoint, endpoint != Int(object.endpoint) { continue }
            if let region, region != Int(object.region) { continue }
            objects[index].hasContent = false
            objects[index].fetch = PendingRequest.none
            if order.hasLimit { order.remove(index, region: object.region) }
        }
        // Without collapsing several fetches of one object may be under way, and no object knows them.
        for index in 0..<UInt32(requests.used)
        where requests[index].stage != .free && requests[index].object != PendingRequest.none {
            if let endpoint, endpoint != Int(requests[index].endpoint) { continue }
            if let region, region != Int(requests[index].region) { continue }
            requests[index].isForgotten = true
        }
    }

    /// An instant and a length that may be for ever.
    private static func later(_ instant: Instant, by length: Duration) -> Instant {
        let (sum, isTooLong) = instant.microseconds.addingReportingOverflow(length.microseconds)
        return isTooLong ? .never : Instant(microseconds: sum)
    }
}
