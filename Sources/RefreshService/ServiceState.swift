import Basics
import Statistics

/// All that changes in the service, and its loop: one event after another in the order of `DueEvent` (S5).
///
/// A request's way through it: `reachEdge`, then an answer at once, or a place with those who wait for a fetch, or
/// `sendToOrigin`, `reachOrigin`, `begin`, `endService` (or `fail` on the way) and `returnToEdge`, where it is
/// answered.
struct ServiceState: ~Copyable {
    let plan: RefreshPlan
    let seed: UInt64
    /// The report's beginning and the run's end. Anything due at the end or later is no part of the run.
    let reportFrom, end: Instant
    let endpoints: [EndpointState]
    /// By endpoint, what is answered to who has the content already; and when versions of it end, where that is known.
    let conditional: [ConditionalAnswer?]
    let versionEnds: VersionEnds?
    /// The pool of each endpoint and region: those of the first endpoint's regions first.
    let poolNumbers: [Int]
    let ways: [OriginTransit]
    /// The pools and the background traffic that are its own, by their numbers; those of other parts of the service lie
    /// idle. Whether each region is its own.
    let ownPools, ownBackground: [Int]
    let isOwnRegion: [Bool]

    var queue = EventQueue()
    var requests = PendingTable()
    var objects = EdgeObjects()
    var order: EdgeOrder
    var background: [BackgroundSource]
    var pools: PoolTable
    var events: [EventState]
    var steps: PlanSteps
    var edgeOutages: [OutageCount]
    /// The pending requests as servers of a user's own and conditional requests need them.
    var tickets = ServerTickets()

    var tally: MinuteTally
    /// By latency and pool, as in the measures.
    var latencies: [CountedLatency]
    var watch: RecoveryWatch
    var receivers: ReceiverWatch
    /// The requests of the fleet, and those from outside it.
    var fleet, outside: ClientLedger
    let load: LoadBuffer
    /// Sees the requests that reach the origin; nil if nobody asks.
    var tap: ArrivalTap?

    /// Whether any endpoint's answers are kept at edges.
    let hasCaches: Bool
    /// Whether any region is lost in the run.
    let losesRegions: Bool
    /// Whether any pool is code, and whether pending requests have tickets.
    let hasServers, hasTickets: Bool

    /// The answers of one call.
    var answers: [ServiceAnswer] = []
    /// The last instant at which something happened.
    var clock = Instant.start

    init(
        _ plan: RefreshPlan, part: ServicePart, _ measures: ServiceMeasures, seed: UInt64, begin: Instant,
        reportFrom: Instant, end: Instant, versionEnds: VersionEnds? = nil
    ) throws(DistributionProblem) {
        var tables = StandardTables()
        var pools: [PoolState] = []
        for pool in plan.pools {
            pools.append(try PoolState(pool, begin: begin, reportFrom: reportFrom, tables: &tables))
        }
        var ways: [OriginTransit] = []
        for region in plan.regions { ways.append(try OriginTransit(region, &tables)) }
        var background: [BackgroundSource] = []
        for (number, traffic) in plan.background.enumerated() {
            background.append(try BackgroundSource(traffic, number: number, seed: seed, end: end, tables: &tables))
        }
        var endpoints: [EndpointState] = []
        var conditional: [ConditionalAnswer?] = []
        for endpoint in plan.endpoints {
            endpoints.append(try EndpointState(endpoint, &tables))
            conditional.append(try ConditionalAnswer(endpoint, &tables))
        }
        self.plan = plan
        self.seed = seed
        self.reportFrom = reportFrom
        self.end = end
        ownPools = part.pools
        isOwnRegion = plan.regions.indices.map(part.regions.contains)
        ownBackground = plan.background.indices.filter { number in
            part.regions.contains { plan.background[number].regionWeights[$0] > 0 }
        }
        self.pools = PoolTable(pools)
        self.ways = ways
        order = EdgeOrder(capacities: plan.regions.map(\.capacity))
        self.background = background
        (self.endpoints, self.conditional, self.versionEnds) = (endpoints, conditional, versionEnds)
        poolNumbers = plan.endpoints.indices.flatMap { endpoint in
            plan.regions.indices.map { plan.pool(endpoint: endpoint, region: $0) }
        }
        losesRegions = plan.events.contains { $0.effect.lostRegion != nil }
        edgeOutages = Array(repeating: OutageCount(), count: plan.regions.count)
        receivers = ReceiverWatch(plan.receivers, regions: plan.regions.count)
        hasCaches = plan.endpoints.contains { $0.cache != nil }
        hasServers = plan.pools.contains { $0.server != nil }
        hasTickets = hasServers || conditional.contains { $0 != nil }
        events = plan.events.map { EventState($0.effect, plan.pools) }
        steps = PlanSteps(plan.events, end: end)
        tally = MinuteTally(measures, end: end)
        latencies = Array(repeating: CountedLatency(), count: measures.latencies.count)
        watch = RecoveryWatch(
            plan.events.map { event in
                (event.from, Self.over(event), Self.concerned(event, plan).filter(part.pools.contains))
            },
            pools: part.pools,
            end: end)
        fleet = ClientLedger(cells: pools.count * plan.regions.count)
        outside = fleet
        load = LoadBuffer(for: measures.originLoad)
        for index in ownPools {
            if let rule = plan.pools[index].autoscaling {
                queue.insert(DueEvent(at: begin + rule.interval, .autoscaling, pool: index))
            }
        }
        for number in ownBackground { scheduleBackground(number) }
        scheduleStep()
        for pool in ownPools { if let server = self.pools[pool].server { settle(server, pool, at: begin) } }
    }

    deinit { load.flush() }

    /// When an event is over: what has no length, where it begins.
    private static func over(_ event: ServiceEvent) -> Instant {
        if case .purge = event.effect { event.from } else { event.to }
    }

    /// The pools that an event concerns; a purge, those behind the endpoints whose objects are forgotten.
    private static func concerned(_ event: ServiceEvent, _ plan: RefreshPlan) -> [Int] {
        switch event.effect {
        case .outage, .brownOut, .machineLoss, .deploy: plan.pools.indices.filter(event.effect.concerns(pool:))
        case .regionOutage(let region, _, _): plan.pools(ofRegion: region)
        case .purge(let endpoint, let region):
            plan.pools.indices.filter { pool in
                plan.endpoints.indices.contains {
                    let regions = plan.regions(ofPool: pool, endpoint: $0)
                    return plan.endpoints[$0].cache != nil && (endpoint == nil || endpoint == $0)
                        && (region.map(regions.contains) ?? !regions.isEmpty)
                }
            }
        }
    }

    /// The pool of requests of a region to an endpoint.
    @inline(__always)
    func pool(_ endpoint: UInt16, _ region: UInt16) -> Int { poolNumbers[Int(endpoint) * ways.count + Int(region)] }

    @inline(__always)
    func pool(of request: borrowing PendingRequest) -> Int { pool(request.endpoint, request.region) }

    /// The place of a latency at a pool.
    @inline(__always)
    func place(_ latency: ServiceLatency, _ pool: Int) -> Int { latency.rawValue * pools.count + pool }

    // MARK: The loop

    /// Serves all that happens before `limit`. The answers are added to `answers`.
    mutating func advance(_ arrivals: UnsafeBufferPointer<ServiceRequest>, to limit: Instant) {
        let limit = min(limit, end)
        if hasCaches && !arrivals.isEmpty {
            for place in -Self.slotsAhead..<0 { expectObjects(of: arrivals, after: place) }
        }
        var next = 0
        var arrivalAt = arrivals.isEmpty ? .never : arrivals[0].arrival
        while true {
            let due = queue.first
            if arrivalAt < due.at || arrivalAt == due.at && due.comesAfterEdgeArrivals {
                if arrivalAt >= limit { break }
                precondition(
                    arrivalAt >= clock,
                    "a request that arrived at \(arrivalAt.microseconds) µs is handed over at \(clock.microseconds) µs")
                pass(to: arrivalAt)
                expectObjects(of: arrivals, after: next)
                reachEdge(arrivals[next], at: arrivalAt)
                next += 1
                if next == arrivals.count {
                    arrivalAt = .never
                } else {
                    arrivalAt = arrivals[next].arrival
                    assert(
                        arrivals[next - 1].arrival < arrivals[next].arrival
                            || arrivalAt == clock && arrivals[next - 1].precedes(arrivals[next]),
                        "requests out of order at \(arrivalAt.microseconds) µs"
                    )
                }
            } else {
                if due.at >= limit { break }
                queue.removeFirst()
                pass(to: due.at)
                take(due)
            }
        }
    }

    /// The clock advances, and the minutes that are over are closed.
    @inline(__always)
    private mutating func pass(to now: Instant) {
        clock = now
        if now >= tally.minuteEnd { closeMinutes(upTo: now) }
    }

    private mutating func take(_ due: DueEvent) {
        switch due.moment {
        case .serviceEnd: if !isDead(due) { endService(due.index, at: due.at) }
        case .planStep: takeSteps(at: due.at)
        case .serviceBegin: if !isDead(due) { endWait(due.index, at: due.at) }
        case .serverWake: if !isDead(due) { wake(pool: Int(due.index), at: due.at) }
        case .serverStart: startServers(pool: Int(due.index), at: due.at)
        case .autoscaling: scale(pool: Int(due.index), at: due.at)
        case .answerAtEdge: returnToEdge(due.index, at: due.at)
        case .fetchTimeout: if !isDead(due) { abandonFetch(due.index, at: due.at) }
        case .originArrival: reachOrigin(due.index, at: due.at)
        case .edgeArrival: takeBackground(Int(due.index), at: due.at)
        }
        #if DEBUG
            if steps.nextAt != clock { for pool in pools.indices { pools[pool].checkInvariants() } }
        #endif
    }

    /// Whether what was due has become void: a service that an outage ended, the time-out of a fetch that came in time,
    /// or a wake-up in whose place a server has asked for an earlier one. It changes nothing: a function that may not
    /// change its value is handed a copy of all of it.
    @inline(__always) private mutating func isDead(_ due: DueEvent) -> Bool {
        switch due.moment {
        case .serviceEnd: requests[due.index].stage != .inService || !due.isOf(requests[due.index])
        case .fetchTimeout: requests[due.index].stage == .free || !due.isOf(requests[due.index])
        case .serviceBegin: requests[due.index].stage != .queued || !due.isOf(requests[due.index])
        case .serverWake: pools[Int(due.index)].server?.wakeNumber != due.sequence
        case .planStep, .serverStart, .autoscaling, .answerAtEdge, .edgeArrival, .originArrival: false
        }
    }

    /// When something is due next in the run; `never` if nothing is. Throws away first what has become void.
    ///
    /// While requests come from outside the fleet, or a server of a user's own is woken, something always is. It
    /// concerns nobody but the service where the fleet has asked nothing that is undecided, and is made up for when it
    /// next does.
    mutating func nextAt() -> Instant {
        if (!ownBackground.isEmpty || hasServers) && fleet.undecided == 0 { return .never }
        while queue.first.at < end && isDead(queue.first) { queue.removeFirst() }
        return queue.first.at < end ? queue.first.at : .never
    }

    mutating func closeMinutes(upTo now: Instant) {
        while tally.minuteEnd <= now && tally.minuteStart < end {
            let (minute, boundary) = (tally.index, tally.minuteEnd)
            for pool in ownPools {
                let (openTime, presentTime, longestQueue) = pools[pool].closeMinute(at: boundary)
                if minute < 0 { continue }
                tally.measures[.serverTime, pool: pool, minute: minute] = openTime
                tally.measures[.presentTime, pool: pool, minute: minute] = presentTime
                tally.measures[.servers, pool: pool, minute: minute] =
                    pools[pool].isUnlimited ? 0 : Int64(pools[pool].ready)
                tally.measures[.longestQueue, pool: pool, minute: minute] = Int64(longestQueue)
                for latency in ServiceLatency.allCases {
                    latencies[place(latency, pool)].closeMinute(into: &tally.measures[latency, pool: pool].byMinute)
                }
            }
            tally.closeMinute()
        }
    }
}

/// An endpoint as the loop needs it. Whoever asks for one has a copy, for which no reference is counted.
struct EndpointState: BitwiseCopyable {
    /// How the edges keep its answers, as in `EdgeCache`.
    struct Cache: BitwiseCopyable {
        let collapses: Bool
        let staleWhileRevalidate, staleIfError, fetchTimeout: Duration
    }

    let cache: Cache?
    /// How long an edge keeps an answer fresh; nil without a cache. The time, if it does not vary.
    let timeToLive: DurationDistribution?
    let constantTimeToLive: Duration?
    let responseBytes: Int64

    init(_ endpoint: ServiceEndpoint, _ tables: inout StandardTables) throws(DistributionProblem) {
        responseBytes = endpoint.responseBytes
        guard let cache = endpoint.cache else {
            (self.cache, timeToLive, constantTimeToLive) = (nil, nil, nil)
            return
        }
        self.cache = Cache(
            collapses: cache.collapses, staleWhileRevalidate: cache.staleWhileRevalidate,
            staleIfError: cache.staleIfError, fetchTimeout: cache.fetchTimeout)
        let time = try cache.timeToLive.preparedDurations(with: &tables)
        timeToLive = time
        constantTimeToLive = if case .constant = cache.timeToLive.shape { time.draw(0) } else { nil }
    }
}

/// An endpoint's answer to who has the content already (S10), ready to draw.
struct ConditionalAnswer {
    /// Nil if the versions of the content decide.
    let share: Bernoulli?
    let bytes: Int64
    /// Nil for the time of any answer.
    let serviceTime: DurationDistribution?

    init?(_ endpoint: ServiceEndpoint, _ tables: inout StandardTables) throws(DistributionProblem) {
        guard let rule = endpoint.notModified else { return nil }
        bytes = rule.bytes
        share = if let share = rule.share { try Bernoulli(probability: share) } else { nil }
        serviceTime = if let time = rule.serviceTime { try time.preparedDurations(with: &tables) } else { nil }
    }
}

/// The ways between the edges of a region and the origin, ready to draw.
struct OriginTransit {
    let out, back: DurationDistribution
    /// The microseconds of both, if they do not vary.
    let constant: (out: UInt32, back: UInt32)?

    /// A way longer than the longest patience is cut to that, 71 minutes: no client waits for what comes by it.
    private static let longest = Duration(microseconds: Int64(UInt32.max))

    init(_ region: EdgeRegion, _ tables: inout StandardTables) throws(DistributionProblem) {
        out = try region.originOut.preparedDurations(with: &tables)
        back = try region.originBack.preparedDurations(with: &tables)
        if case (.constant, .constant) = (region.originOut.shape, region.originBack.shape) {
            constant = (Self.microseconds(out.draw(0)), Self.microseconds(back.draw(0)))
        } else {
            constant = nil
        }
    }

    /// The ways of one request, in microseconds.
    @inline(__always)
    func legs(_ request: borrowing PendingRequest, seed: UInt64) -> (out: UInt32, back: UInt32) {
        if let constant { return constant }
        let stream = RandomStream(
            seed: seed, person: UInt64(request.person), slot: request.slot, purpose: .originDelays)
        let numbers = stream.pair(at: UInt64(request.sequence))
        return (Self.microseconds(out.draw(numbers.first)), Self.microseconds(back.draw(numbers.second)))
    }

    private static func microseconds(_ way: Duration) -> UInt32 { UInt32(min(way, longest).microseconds) }
}

/// The counts of one latency: all of the report, and those of the minute that runs.
struct CountedLatency {
    private(set) var whole = LatencyHistogram()
    private var minute = MinuteLatencies()

    @inline(__always)
    mutating func add(_ latency: Duration) { whole.add(latency, andTo: &minute) }

    /// Ends the minute that runs.
    mutating func closeMinute(into series: inout LatencySeries) {
        series.append(minute)
        minute.clear()
    }

    /// Whether the minutes that are over, and the one that runs, have what the whole has.
    func addsUp(from series: LatencySeries) -> Bool { series.addsUp(to: whole, with: minute) }

    mutating func code(_ stream: StateStream) throws(StateProblem) {
        try whole.code(stream)
        try minute.code(stream)
    }
}

/// The service between two instants, written down and read back.
extension ServiceState {
    /// Writes the state of the service, or reads it back into a new one of the same plan and part. Between two calls of
    /// `advance` only. The measures are written and read before.
    mutating func code(_ stream: StateStream) throws(StateProblem) {
        precondition(answers.isEmpty, "answers that nobody has taken")
        if stream.isReading { queue = EventQueue() }
        try queue.code(stream)
        try requests.code(stream)
        if hasTickets { try tickets.code(stream) }
        try objects.code(stream)
        try order.code(stream)
        for number in ownBackground { try background[number].code(stream) }
        for pool in ownPools { try pools[pool].code(stream) }
        for event in events.indices { try events[event].code(stream) }
        try steps.code(stream)
        if losesRegions { try stream.code(fixed: &edgeOutages) }
        try receivers.code(stream, minutes: tally.measures.minutes)
        try tally.code(stream)
        for pool in ownPools {
            for latency in ServiceLatency.allCases { try latencies[place(latency, pool)].code(stream) }
        }
        try watch.code(stream)
        try fleet.code(stream)
        try outside.code(stream)
        try stream.code(&clock)
        if stream.isReading { try check() }
    }
}
