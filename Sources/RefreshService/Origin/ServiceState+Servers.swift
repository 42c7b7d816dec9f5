import Basics
import Statistics

/// Pools that are servers of a user's own (S9): the server decides, and the service counts and carries out.
extension ServiceState {
    /// A request has reached such a pool, and there is no outage.
    mutating func ask(_ server: RunningServer, _ index: UInt32, _ pool: Int, _ cell: Int, at now: Instant) {
        switch decision(of: server, index, pool, at: now) {
        case .served(let from, let to, let content):
            admit(index, cell, at: now)
            tickets[index].settle(content, until: Self.due(to))
            if from > now {
                wait(index, pool, cell)
                queue.insert(DueEvent(at: Self.due(from), .serviceBegin, requests[index], index: index))
            } else {
                beginAtServer(index, pool, at: now)
            }
        case .held(let isBegun):
            admit(index, cell, at: now)
            if isBegun { beginAtServer(index, pool, at: now) } else { wait(index, pool, cell) }
        case .refused(let why, let retryAfter):
            switch why {
            case .limit: tally.count(.shedByRate, cell)
            case .full: tally.count(.shedByQueue, cell)
            }
            requests[index].isRefusal = true
            refuse(index, retryAfter: retryAfter ?? plan.pools[pool].retryAfter, at: now)
        case .lost:
            tally.count(.lostInOutage, cell)
            loseSilently(index)
        }
        settle(server, pool, at: now)
    }

    /// The server's answer; of one that is caught in a fault, an error.
    private func decision(of server: RunningServer, _ index: UInt32, _ pool: Int, at now: Instant) -> ServerAnswer {
        if server.isAtFault { return .refused() }
        let request = requests[index]
        var draws = ServerDraws(
            RandomStream(seed: seed, person: UInt64(request.person), slot: request.slot, purpose: .serverAnswer),
            number: UInt64(request.sequence))
        let answer = server.answer(serverRequest(index, pool), at: now, &draws)
        guard check(draws, server) else { return .refused() }
        let isRight: Bool
        switch answer {
        case .served(let from, let to, let content):
            isRight =
                server.check(
                    from >= now && to >= from,
                    "serves a request that came at \(Self.text(now)) from \(Self.text(from)) to \(Self.text(to)): expected an end that follows a beginning from then on"
                ) && check(content, until: to, server)
        case .refused(_, let retryAfter): isRight = check(retryAfter, server)
        case .lost, .held: isRight = true
        }
        return isRight ? answer : .refused()
    }

    private func check(_ draws: ServerDraws, _ server: RunningServer) -> Bool {
        server.check(!draws.isExhausted, "draws more than 65,536 numbers for one decision")
    }

    private func check(_ content: ServerContent, until end: Instant, _ server: RunningServer) -> Bool {
        let bytes = content.bytes ?? 0
        return server.check(
            bytes >= 0 && bytes < Int64(ServerTicket.standardSize),
            "answers with \(bytes) bytes: expected fewer than 2³²")
            && server.check(
                content.madeAt.map { $0 <= end } ?? true, "answers with content that is made after the service ends")
            && server.check(
                content.freshFor.map { $0 >= .zero } ?? true, "answers with content that is fresh for less than no time"
            )
    }

    private func check(_ retryAfter: Duration?, _ server: RunningServer) -> Bool {
        server.check(
            retryAfter.map { $0 >= .zero && $0 <= .days(366) } ?? true,
            "tells a client to wait for less than no time, or for more than a year")
    }

    /// Seconds from the start.
    private static func text(_ instant: Instant) -> String {
        instant == .never ? "never" : "\((instant - .start).inSeconds) s"
    }

    private func serverRequest(_ index: UInt32, _ pool: Int) -> ServerRequest {
        let (request, ticket) = (requests[index], tickets[index])
        let names = plan.names
        return ServerRequest(
            id: RequestID(index: index, number: ticket.number),
            client: request.isBackground ? nil : Int(request.person), device: Int(request.slot), key: ticket.key,
            endpoint: names.endpoints[Int(request.endpoint)], region: names.regions[Int(request.region)],
            attempt: Int(ticket.attempt),
            cause: names.causes[request.isBackground ? ServiceMeasures.backgroundCause : Int(request.cause)],
            isRevalidation: request.isRevalidation, serviceTime: pools[pool].service(request, seed: seed, times: 1),
            bytes: endpoints[Int(request.endpoint)].responseBytes,
            heldUntil: ticket.askedUntil, hangsUpAt: request.isRevalidation ? .never : request.deadline)
    }

    private mutating func admit(_ index: UInt32, _ cell: Int, at now: Instant) {
        tally.count(.admitted, cell)
        requests[index].since = now
    }

    private mutating func wait(_ index: UInt32, _ pool: Int, _ cell: Int) {
        tally.count(.waited, cell)
        requests[index].stage = .queued
        pools[pool].hold()
    }

    /// An instant, or one that is later than any run lasts.
    private static func due(_ instant: Instant) -> Instant { min(instant, .start + .longest) }

    // MARK: Services

    /// It is the turn of a request that waited until a settled instant.
    mutating func endWait(_ index: UInt32, at now: Instant) {
        let pool = pool(of: requests[index])
        leaveQueue(index, pool, at: now)
        beginAtServer(index, pool, at: now)
        noteQueue(pool, at: now)
    }

    private mutating func leaveQueue(_ index: UInt32, _ pool: Int, at now: Instant) {
        countQueue(requests[index], tally.cell(pool: pool, region: requests[index].region), upTo: now)
        pools[pool].releaseHeld()
    }

    private mutating func noteQueue(_ pool: Int, at now: Instant) {
        if pools[pool].queued == 0 && watch.isWaiting(for: pool) { watch.queueEmpty(pool: pool, at: now) }
    }

    private mutating func beginAtServer(_ index: UInt32, _ pool: Int, at now: Instant) {
        countWait(index, pool, at: now)
        pools[pool].take()
        requests[index].stage = .inService
        requests[index].since = now
        let end = tickets[index].end
        if end != .never { queue.insert(DueEvent(at: end, .serviceEnd, requests[index], index: index)) }
        if plan.abandonment == .inQueue { tellBegun(index, at: now) }
    }

    private mutating func countWait(_ index: UInt32, _ pool: Int, at now: Instant) {
        if now >= reportFrom {
            latencies[place(.queueWait, pool)].add(requests[index].endOfWait(at: now) - requests[index].since)
        }
    }

    /// When the content of an answer was made, which a server ends at `now`, and its bytes from the origin.
    func served(_ index: UInt32, at now: Instant) -> (madeAt: Instant, bytes: Int64) {
        let ticket = tickets[index]
        return (
            ticket.madeAt == .never ? now : ticket.madeAt, bytes(ticket.size, endpoint: requests[index].endpoint)
        )
    }

    /// The bytes of a size that may be the endpoint's.
    @inline(__always)
    func bytes(_ size: UInt32, endpoint: UInt16) -> Int64 {
        size == ServerTicket.standardSize ? endpoints[Int(endpoint)].responseBytes : Int64(size)
    }

    /// An error goes back at once.
    private mutating func refuse(_ index: UInt32, retryAfter: Duration?, at now: Instant) {
        tickets[index].retryAfter = retryAfter ?? .zero
        fail(index, tellsRetryAfter: retryAfter != nil, at: now)
    }

    // MARK: Turns

    /// A wake-up is due, which the server may have put off since.
    mutating func wake(pool: Int, at now: Instant) {
        guard let server = pools[pool].server else { preconditionFailure("pool \(pool) has no server of its own") }
        if server.takesWake(at: now) {
            var held = held(server, pool, at: now)
            if server.isAtFault { return }
            server.wake(at: now, &held)
            carryOut(held, server, pool, at: now)
        }
        settle(server, pool, at: now)
    }

    /// A server hears of an event.
    mutating func tell(_ server: RunningServer, _ news: ServerNews, pool: Int, at now: Instant) {
        if server.isAtFault { return }
        var held = held(server, pool, at: now)
        server.hear(news, at: now, &held)
        carryOut(held, server, pool, at: now)
        settle(server, pool, at: now)
    }

    private func held(_ server: RunningServer, _ pool: Int, at now: Instant) -> HeldRequests {
        HeldRequests(
            draws: ServerDraws(
                RandomStream(seed: seed, person: UInt64(pool), slot: RandomStream.personSlot, purpose: .serverTurn),
                number: server.takeTurn(at: now)))
    }

    private mutating func carryOut(_ held: HeldRequests, _ server: RunningServer, _ pool: Int, at now: Instant) {
        guard check(held.draws, server) else { return }
        for order in held.orders where !server.isAtFault { carryOut(order, server, pool, at: now) }
        noteQueue(pool, at: now)
    }

    private mutating func carryOut(_ order: HeldRequests.Order, _ server: RunningServer, _ pool: Int, at now: Instant) {
        guard let index = find(order.id, server, pool) else { return }
        let waits = requests[index].stage == .queued
        switch order {
        case .begin:
            guard server.check(waits, "begins a service twice") else { return }
            leaveQueue(index, pool, at: now)
            beginAtServer(index, pool, at: now)
        case .serve(_, let end, let content):
            guard server.check(end >= now, "ends a service at \(Self.text(end)), told at \(Self.text(now))"),
                check(content, until: end, server)
            else { return }
            tickets[index].settle(content, until: Self.due(end))
            if waits {
                leaveQueue(index, pool, at: now)
                beginAtServer(index, pool, at: now)
            } else {
                queue.insert(DueEvent(at: tickets[index].end, .serviceEnd, requests[index], index: index))
            }
        case .end(_, let content):
            guard check(content, until: now, server) else { return }
            tickets[index].settle(content, until: now)
            if waits {
                leaveQueue(index, pool, at: now)
                countWait(index, pool, at: now)
                pools[pool].take()
                requests[index].since = now
            }
            endService(index, at: now)
        case .drop(_, let retryAfter):
            guard check(retryAfter, server) else { return }
            let cell = tally.cell(pool: pool, region: requests[index].region)
            if waits {
                leaveQueue(index, pool, at: now)
                countWait(index, pool, at: now)
            } else {
                tally.count(.busyTime, cell, from: requests[index].since, to: now)
                pools[pool].release(at: now)
            }
            tally.count(.dropped, cell)
            refuse(index, retryAfter: retryAfter, at: now)
        }
    }

    /// The place of a request that a server holds and whose end is open; nil after a fault.
    private func find(_ id: RequestID, _ server: RunningServer, _ pool: Int) -> UInt32? {
        let index = id.index
        let isHeld =
            Int(index) < requests.used && tickets[index].number == id.number && tickets[index].end == .never
            && [.queued, .inService].contains(requests[index].stage) && self.pool(of: requests[index]) == pool
        return server.check(
            isHeld, "names a request that it does not hold: one that has ended, or that an outage has taken")
            ? index : nil
    }

    /// After each call of a server: its number of servers, and when it next wants to be woken.
    mutating func settle(_ server: RunningServer, _ pool: Int, at now: Instant) {
        let servers = server.servers
        let isRight = server.check(
            (servers == nil) == pools[pool].isUnlimited && (0...PoolState.mostServers).contains(servers ?? 0),
            "counts \(servers.map(String.init) ?? "no") servers: expected a number throughout or never")
        if isRight, let servers, servers != pools[pool].ready {
            pools[pool].set(ready: servers, at: now)
            // Its own change is no news.
            server.heard = changedCapacity(pool, at: now)
        }
        if server.takesWish(at: now) && server.wakesAt < end {
            queue.insert(DueEvent(at: server.wakesAt, .serverWake, pool: pool, number: server.wakeNumber))
        }
    }
}
