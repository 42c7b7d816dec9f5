import Basics
import Statistics

/// One origin pool at work: its servers, its queue and its admission.
///
/// Invariants: nobody waits while a server could begin (`queued == 0 || busy >= open`, but between the planned events
/// of one instant); busy servers above `open` finish what they have.
struct PoolState {
    /// Servers that take requests from an instant on.
    struct Starting: BitwiseCopyable {
        let at: Instant
        var count: Int
    }

    /// As many servers as anybody could need.
    static let unlimited = Int.max

    /// Its properties as a scenario states them; its times of service are drawn from `serviceTime`, which is prepared.
    let plan: OriginPool
    let serviceTime: DurationDistribution
    /// The service, if every request takes the same time.
    let constantService: Duration?
    var bucket: TokenBucket?
    var autoscaler: Autoscaler?
    var seconds: CapacitySeconds

    /// Servers that take requests, but for what concerns them; and those that start, the earliest first.
    private(set) var ready: Int
    private(set) var starting: [Starting] = []
    /// Servers that can begin requests now, and how many times as long these take.
    private(set) var open: Int
    private(set) var slowdown = 1.0
    var outages = OutageCount()
    /// In place of the queue and of the servers behind it.
    let server: RunningServer?

    private(set) var busy = 0
    private(set) var queued = 0
    private(set) var firstQueued = PendingRequest.none
    private var lastQueued = PendingRequest.none

    /// The longest queue of the minute so far, and microseconds of servers that could begin requests in it, up to
    /// `openUntil`.
    private(set) var longestQueue = 0
    private var openTime: Int64 = 0
    private var openUntil = Instant.start
    /// Microseconds of all servers, whether they can begin requests or not, likewise.
    private var presentTime: Int64 = 0
    /// Minutes before the report are not measured: a long warm-up is no minute.
    private let reportFrom: Instant
    /// Since the last decision of the autoscaler: microseconds of busy servers, those that have been taken away left
    /// out, and of servers.
    private var busyTime: Int64 = 0
    private var readyTime: Int64 = 0
    private var scalingUntil = Instant.start
    /// When servers became ready last, and how many then: the autoscaler knows no use of theirs at that instant.
    private var arrivedAt = Instant.start
    private var arrived = 0

    init(_ pool: OriginPool, begin: Instant, reportFrom: Instant, tables: inout StandardTables)
        throws(DistributionProblem)
    {
        if let rule = pool.autoscaling {
            precondition(rule.interval > .zero && rule.lag >= .zero, "an autoscaler without an interval")
        }
        self.reportFrom = reportFrom
        scalingUntil = begin
        server = pool.server?.begin()
        let distribution = pool.serviceTime
        plan = pool
        serviceTime = try distribution.preparedDurations(with: &tables)
        if case .constant = distribution.shape { constantService = serviceTime.draw(0) } else { constantService = nil }
        bucket = pool.rateLimit.map(TokenBucket.init)
        ready = pool.servers ?? pool.autoscaling?.least ?? Self.unlimited
        open = ready
        autoscaler = pool.autoscaling.map { [ready] in Autoscaler($0, pool.machine, servers: ready, at: begin) }
        seconds = CapacitySeconds(
            mean: try distribution.mean(), rate: pool.rateLimit?.rate, reportFrom: reportFrom,
            capacity: ready == Self.unlimited || pool.server != nil ? .infinity : Double(ready))
    }

    /// Between the events of an instant at which the plan changes something, somebody may wait beside an idle server.
    func checkInvariants() {
        precondition(
            queued == 0 || busy >= open || server != nil, "\(queued) wait while \(busy) of \(open) servers are busy")
        precondition(queued >= 0 && busy >= 0, "\(queued) queued, \(busy) busy")
        precondition(zip(starting, starting.dropFirst()).allSatisfy { $0.at <= $1.at }, "servers start out of order")
    }

    var isUnlimited: Bool { ready == Self.unlimited }
    var startingCount: Int { starting.reduce(0) { $0 + $1.count } }

    /// How long a service that begins now takes.
    @inline(__always)
    func service(_ request: borrowing PendingRequest, seed: UInt64) -> Duration {
        service(request, seed: seed, times: slowdown)
    }

    /// A draw of the time of service for a request, so many times as long.
    @inline(__always)
    func service(_ request: borrowing PendingRequest, seed: UInt64, times slowdown: Double) -> Duration {
        if let constantService, slowdown == 1 { return constantService }
        let stream = RandomStream(seed: seed, person: UInt64(request.person), slot: request.slot, purpose: .serviceTime)
        return serviceTime.draw(stream.pair(at: UInt64(request.sequence)).first, times: slowdown)
    }
}

// MARK: Servers

extension PoolState {
    /// A request's service begins; there must be a server that can begin it.
    @inline(__always)
    mutating func begin(at now: Instant) {
        assert(busy < open, "\(busy) busy servers of \(open)")
        if autoscaler != nil { measureUse(to: now) }
        busy += 1
    }

    @inline(__always)
    mutating func release(at now: Instant) {
        assert(busy > 0, "a service ends twice")
        if autoscaler != nil { measureUse(to: now) }
        busy -= 1
    }

    /// Other servers can begin requests from now on.
    mutating func change(open newOpen: Int, slowdown newSlowdown: Double, at now: Instant) {
        measureOpen(to: now)
        open = newOpen
        slowdown = newSlowdown
        // How many requests servers of a user's own can take nobody knows, unless it is none.
        let isUnknown = open == Self.unlimited || server != nil && open > 0
        seconds.change(to: isUnknown ? .infinity : Double(open) / slowdown, at: now)
    }

    /// A server of a user's own counts another number of servers from now on.
    mutating func set(ready newReady: Int, at now: Instant) {
        measureOpen(to: now)
        ready = newReady
    }

    /// New servers, which take requests from `at` on.
    mutating func start(_ count: Int, at: Instant) { starting.append(Starting(at: at, count: count)) }

    /// Takes servers away: those that start first, the latest of them first, then those that are there. Requests that
    /// are being served continue.
    mutating func remove(_ count: Int, at now: Instant) {
        var left = count
        while left > 0, let last = starting.last {
            let taken = min(left, last.count)
            left -= taken
            if taken == last.count { starting.removeLast() } else { starting[starting.count - 1].count -= taken }
        }
        measureUse(to: now)
        measureOpen(to: now)
        precondition(left <= ready, "\(count) servers taken away of \(ready)")
        ready -= left
    }

    /// Servers are gone; those that start are not among them.
    mutating func lose(_ count: Int, at now: Instant) {
        measureUse(to: now)
        measureOpen(to: now)
        precondition(count <= ready, "\(count) servers lost of \(ready)")
        ready -= count
    }

    /// Servers that were gone are back.
    mutating func restore(_ count: Int, at now: Instant) {
        measureUse(to: now)
        measureOpen(to: now)
        ready += count
    }

    /// The servers whose time has come take requests.
    mutating func finishStarting(at now: Instant) {
        measureUse(to: now)
        measureOpen(to: now)
        if arrivedAt < now { (arrivedAt, arrived) = (now, 0) }
        while let first = starting.first, first.at <= now {
            ready += first.count
            arrived += first.count
            starting.removeFirst()
        }
    }

    private mutating func measureUse(to now: Instant) {
        // Only an autoscaler asks for it, and takes it away again.
        if autoscaler == nil || ready == Self.unlimited { return }
        let span = (now - scalingUntil).microseconds
        busyTime += Int64(min(busy, ready)) * span
        readyTime += Int64(ready) * span
        scalingUntil = now
    }

    /// Servers that became ready at this instant.
    func arrived(at now: Instant) -> Int { arrivedAt == now ? min(arrived, ready) : 0 }

    /// The use that the autoscaler has measured since it was last asked.
    mutating func takeUse(at now: Instant) -> (busy: Int64, ready: Int64) {
        measureUse(to: now)
        defer { (busyTime, readyTime) = (0, 0) }
        return (busyTime, readyTime)
    }

    private mutating func measureOpen(to now: Instant) {
        let span = max(0, (now - max(openUntil, reportFrom)).microseconds)
        openUntil = now
        if ready == Self.unlimited { return }
        openTime += Int64(open) * span
        presentTime += Int64(ready) * span
    }

    /// A minute, or the time before the report, is over. Gives the microseconds of servers that could begin requests in
    /// it, and its longest queue.
    mutating func closeMinute(at end: Instant) -> (openTime: Int64, presentTime: Int64, longestQueue: Int) {
        measureOpen(to: end)
        defer { (openTime, presentTime, longestQueue) = (0, 0, queued) }
        return (openTime, presentTime, longestQueue)
    }
}

// MARK: Queue

extension PoolState {
    @inline(__always)
    mutating func enqueue(_ index: UInt32, _ requests: inout PendingTable) {
        requests[index].next = PendingRequest.none
        if queued == 0 { firstQueued = index } else { requests[lastQueued].next = index }
        lastQueued = index
        queued += 1
        longestQueue = max(longestQueue, queued)
    }

    /// Takes the first of the queue away; there must be one.
    @inline(__always)
    mutating func dequeue(_ requests: inout PendingTable) -> UInt32 {
        assert(queued > 0, "nobody waits")
        let index = firstQueued
        firstQueued = requests[index].next
        queued -= 1
        return index
    }

    /// A request waits in a server of a user's own, and does so no longer.
    mutating func hold() {
        queued += 1
        longestQueue = max(longestQueue, queued)
    }

    mutating func releaseHeld() {
        assert(queued > 0, "nobody waits")
        queued -= 1
    }

    /// Its service begins there.
    mutating func take() { busy += 1 }

    /// All that waits and all that is being served is gone.
    mutating func clear(at now: Instant) {
        measureUse(to: now)
        (busy, queued) = (0, 0)
        firstQueued = PendingRequest.none
    }
}

// MARK: Writing down

extension PoolState {
    /// Writes the state of the pool, or reads it back; the plan's part is there already.
    mutating func code(_ stream: StateStream) throws(StateProblem) {
        try bucket?.code(stream)
        try autoscaler?.code(stream)
        try seconds.code(stream)
        let wasUnlimited = isUnlimited
        try stream.code(&ready)
        try stream.code(&starting)
        try stream.code(&open)
        try stream.code(&slowdown)
        try outages.code(stream)
        try stream.code(&busy, in: 0...Int(UInt32.max), "busy servers")
        try stream.code(&queued, in: 0...Int(UInt32.max), "requests in a queue")
        try stream.code(&firstQueued)
        try stream.code(&lastQueued)
        try stream.code(&longestQueue)
        try stream.code(&openTime)
        try stream.code(&openUntil)
        try stream.code(&presentTime)
        try stream.code(&busyTime)
        try stream.code(&readyTime)
        try stream.code(&scalingUntil)
        try stream.code(&arrivedAt)
        try stream.code(&arrived, in: 0...Self.mostServers, "servers that became ready at once")
        try server?.code(stream)
        let most = Self.mostServers
        try stream.require(
            isUnlimited == wasUnlimited && (isUnlimited || (0...most).contains(ready))
                && (open == ready || (0...min(ready, most)).contains(open))
                && starting.allSatisfy {
                    (0...most).contains($0.count) && $0.at >= .start && $0.at <= .start + .longest
                } && starting.count <= most
                && zip(starting, starting.dropFirst()).allSatisfy { $0.at <= $1.at } && slowdown >= 1e-9
                && slowdown.isFinite,
            "servers that no pool has")
        try stream.require(
            (server != nil
                || (queued == 0) == (firstQueued == PendingRequest.none) && (queued == 0 || busy >= open))
                && longestQueue >= 0,
            "a queue beside idle servers")
        try stream.require(
            [openTime, presentTime, busyTime, readyTime].allSatisfy { (0...StateStream.mostCounted).contains($0) }
                && [openUntil, scalingUntil, arrivedAt].allSatisfy { $0 >= .start && $0 <= .start + .longest },
            "times of servers that cannot be")
    }

    /// More than a scenario may state.
    static let mostServers = 100_000_000

    /// Whether the queue leads from its first to its last request, all of the pool, and is as long as it says.
    func isQueueWhole(_ requests: borrowing PendingTable, isOfPool: (borrowing PendingRequest) -> Bool) -> Bool {
        var (index, last) = (firstQueued, PendingRequest.none)
        for _ in 0..<queued {
            guard Int(index) < requests.used, requests[index].stage == .queued, isOfPool(requests[index]) else {
                return false
            }
            (index, last) = (requests[index].next, index)
        }
        return queued == 0 || last == lastQueued
    }
}

/// The pools at work, in memory of their own: an array's element would be checked and moved at every request.
struct PoolTable: ~Copyable {
    private let pools: UnsafeMutablePointer<PoolState>
    let count: Int

    init(_ states: [PoolState]) {
        count = states.count
        pools = .allocate(capacity: max(1, count))
        for (index, state) in states.enumerated() { (pools + index).initialize(to: state) }
    }

    deinit {
        pools.deinitialize(count: count)
        pools.deallocate()
    }

    var indices: Range<Int> { 0..<count }

    subscript(index: Int) -> PoolState {
        @inline(__always) unsafeAddress {
            precondition(index >= 0 && index < count, "no pool \(index)")
            return UnsafePointer(pools + index)
        }
        @inline(__always) unsafeMutableAddress {
            precondition(index >= 0 && index < count, "no pool \(index)")
            return pools + index
        }
    }
}
