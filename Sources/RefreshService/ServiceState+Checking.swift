import Basics
import Statistics

/// The invariants of every service between two instants, checked after one was read: every number that names something
/// names something that exists, and facts that are stored twice agree.
extension ServiceState {
    func check() throws(StateProblem) {
        guard clock >= .start, clock <= end else { throw StateProblem("a service outside of the run") }
        // Without a warm-up the first minute begins with the first event.
        let isBeforeAll = clock == .start && tally.index < 0
        guard tally.minuteEnd > clock || tally.minuteEnd == end || isBeforeAll else {
            throw StateProblem("a minute that was over before the service's clock")
        }
        let minutes = max(0, tally.index)
        for pool in ownPools {
            for latency in ServiceLatency.allCases {
                let series = tally.measures[latency, pool: pool].byMinute
                guard series.countedMinutes == minutes else {
                    throw StateProblem("latencies of \(series.countedMinutes) minutes after \(minutes)")
                }
                guard latencies[place(latency, pool)].addsUp(from: series) else {
                    throw StateProblem("latencies of minutes that do not add up to those of the report")
                }
            }
        }
        try checkRequests()
        try checkObjects()
        try checkDue()
        try checkPools()
        guard fleet.carriedIn.count == outside.carriedIn.count else {
            throw StateProblem("ledgers of different lengths")
        }
    }

    /// Whether everybody is known whom a request that is under way belongs to.
    func knows(_ isKnown: (_ person: Int, _ slot: Int, _ instance: UInt16) -> Bool) -> Bool {
        for index in 0..<UInt32(requests.used) where requests[index].stage != .free && !requests[index].isBackground {
            if !isKnown(Int(requests[index].person), Int(requests[index].slot), requests[index].instance) {
                return false
            }
        }
        return true
    }

    private func checkRequests() throws(StateProblem) {
        var waiting = 0
        var listed = 0
        for index in 0..<UInt32(requests.used) {
            let request = requests[index]
            guard Int(request.endpoint) < endpoints.count, Int(request.region) < ways.count,
                isOwnRegion[Int(request.region)],
                request.isBackground || Int(request.cause) < tally.measures.originLoad.causes
            else { throw StateProblem("a request to no endpoint, from no region or for no cause") }
            if request.stage == .free { continue }
            guard request.arrival >= .start, request.arrival <= clock, request.since >= .start, request.since <= clock
            else {
                throw StateProblem("a request that is still to come")
            }
            if request.object != PendingRequest.none {
                guard Int(request.object) < objects.count, endpoints[Int(request.endpoint)].cache != nil,
                    objects[request.object].endpoint == request.endpoint,
                    objects[request.object].region == request.region
                else { throw StateProblem("a fetch of no object") }
            } else if request.stage == .lost || request.isAbandoned || request.isRevalidation
                || request.lastWaiter != PendingRequest.none
            {
                throw StateProblem("a fetch of no object")
            }
            if hasTickets && !tickets.has(index) { throw StateProblem("a request that a server does not know") }
            if request.stage == .waiting {
                waiting += 1
                if request.object != PendingRequest.none {
                    throw StateProblem("a request that waits for a fetch and is one")
                }
                continue
            }
            // Each of those who wait hangs on one fetch; a list that came back to itself would be longer than all of
            // them.
            var waiter = request.lastWaiter
            while waiter != PendingRequest.none {
                listed += 1
                guard Int(waiter) < requests.used, requests[waiter].stage == .waiting, listed <= requests.used else {
                    throw StateProblem("a fetch that nobody waits for as it says")
                }
                waiter = requests[waiter].next
            }
        }
        if waiting != listed { throw StateProblem("requests that wait for no fetch") }
    }

    private func checkObjects() throws(StateProblem) {
        for index in 0..<UInt32(objects.count) {
            let object = objects[index]
            guard Int(object.endpoint) < endpoints.count, Int(object.region) < ways.count,
                isOwnRegion[Int(object.region)],
                !object.hasContent || object.madeAt <= clock
            else {
                throw StateProblem("an object of no endpoint or no region")
            }
            if object.fetch == PendingRequest.none { continue }
            guard Int(object.fetch) < requests.used, requests[object.fetch].stage != .free,
                requests[object.fetch].object == index,
                !requests[object.fetch].isAbandoned
            else { throw StateProblem("an object whose fetch is another's") }
        }
        guard order.isWhole(region: { Int($0) < objects.count && objects[$0].hasContent ? objects[$0].region : nil })
        else {
            throw StateProblem("an order of objects that leads nowhere")
        }
    }

    /// Every request that is on its way or being served is due once, and nothing else is due for one.
    private func checkDue() throws(StateProblem) {
        var due = Array(repeating: UInt8(0), count: requests.used)
        var background = Array(repeating: Instant.never, count: self.background.count)
        var scalings = Array(repeating: 0, count: pools.count)
        var wakes = Array(repeating: Instant.never, count: pools.count)
        var step = Instant.never
        var isRight = true
        queue.forEach { event in
            let index = Int(event.index)
            if event.at < clock { isRight = false }
            switch event.moment {
            case .serviceEnd, .serviceBegin, .answerAtEdge, .originArrival:
                guard index < requests.used else { return isRight = false }
                let request = requests[event.index]
                let stage: PendingRequest.Stage =
                    switch event.moment {
                    case .serviceEnd: .inService
                    case .serviceBegin: .queued
                    case .answerAtEdge: .toEdge
                    default: .toOrigin
                    }
                if request.stage == stage && event.isOf(request) {
                    due[index] += due[index] < 2 ? 1 : 0
                } else if event.moment == .answerAtEdge || event.moment == .originArrival {
                    // An outage ends services, whose events stay; nothing else becomes void.
                    isRight = false
                }
            case .fetchTimeout:
                guard index < requests.used else { return isRight = false }
                if requests[event.index].stage != .free && event.isOf(requests[event.index])
                    && requests[event.index].object == PendingRequest.none
                {
                    isRight = false
                }
            case .serverWake:
                guard index < pools.count, let server = pools[index].server else { return isRight = false }
                if event.sequence == server.wakeNumber { wakes[index] = event.at }
            case .serverStart: if index >= pools.count { isRight = false }
            case .autoscaling:
                if index < pools.count && pools[index].autoscaler != nil {
                    scalings[index] += 1
                } else {
                    isRight = false
                }
            case .edgeArrival: if index < background.count { background[index] = event.at } else { isRight = false }
            case .planStep:
                if step != .never { isRight = false }
                step = event.at
            }
        }
        for index in 0..<UInt32(requests.used) {
            let isDue: Bool
            switch requests[index].stage {
            case .toEdge, .toOrigin: isDue = true
            case .inService: isDue = !isHeld(index)
            case .queued: isDue = pools[pool(of: requests[index])].server != nil && !isHeld(index)
            case .free, .lost, .waiting: isDue = false
            }
            if due[Int(index)] != (isDue ? 1 : 0) { isRight = false }
        }
        if !isRight {
            throw StateProblem("something is due that is nobody's, or nothing is due where something must be")
        }
        guard step == (steps.nextAt < end ? steps.nextAt : .never) else {
            throw StateProblem("a change of the plan at another instant than the plan's")
        }
        for pool in pools.indices {
            let wish = pools[pool].server?.wakesAt ?? .never
            guard !ownPools.contains(pool) || wakes[pool] == (wish < end ? wish : .never) else {
                throw StateProblem("a server's wake-up at another instant than the server has noted")
            }
        }
        for number in background.indices
        where background[number] != (ownBackground.contains(number) ? self.background[number].nextAt : .never) {
            throw StateProblem("a request from outside at another instant than its source says")
        }
        for pool in pools.indices
        where scalings[pool] != (pools[pool].autoscaler != nil && ownPools.contains(pool) ? 1 : 0) {
            throw StateProblem("an autoscaler that never decides again, or twice")
        }
    }

    /// Whether a server of a user's own has not said yet when a request's service is over.
    private func isHeld(_ index: UInt32) -> Bool {
        pools[pool(of: requests[index])].server != nil && tickets[index].end == .never
    }

    private func checkPools() throws(StateProblem) {
        var (busy, queued) = (Array(repeating: 0, count: pools.count), Array(repeating: 0, count: pools.count))
        for index in 0..<UInt32(requests.used) {
            let pool = pool(of: requests[index])
            if requests[index].stage == .inService { busy[pool] += 1 }
            if requests[index].stage == .queued { queued[pool] += 1 }
        }
        for pool in pools.indices {
            guard pools[pool].busy == busy[pool], pools[pool].queued == queued[pool],
                pools[pool].server != nil || pools[pool].isQueueWhole(requests, isOfPool: { self.pool(of: $0) == pool })
            else { throw StateProblem("a pool that serves, or lets wait, others than it says") }
            let planned = events.count { $0.effect.isOutage && $0.effect.concerns(pool: pool) }
            guard pools[pool].outages.isPossible(of: planned) else {
                throw StateProblem("more outages at one time than the plan has")
            }
        }
        for (region, outages) in edgeOutages.enumerated() {
            let planned = events.count { $0.effect.lostRegion == region }
            guard outages.isPossible(of: planned) else {
                throw StateProblem("more outages of a region at one time than the plan has")
            }
        }
    }
}

extension PendingRequest {
    /// Which of its bytes are no more than something.
    static var byteLimits: [ByteLimit] {
        [\PendingRequest.isError, \.tellsRetryAfter, \.isRevalidation, \.isForgotten, \.isAbandoned, \.stays].map {
            ByteLimit($0, of: Bool.self)
        }
            + [ByteLimit(\PendingRequest.stage, of: Stage.self, most: Stage.waiting.rawValue)]
    }
}
