import Basics
import Statistics

/// The measures of a run's service: integers that add. One thread counts them.
public final class ServiceMeasures: @unchecked Sendable {
    // Safety: one thread at a time writes; everybody reads after the run.
    public let pools, regions, minutes: Int
    /// How many regions others fail over to (S7): the plan's receivers.
    public let receivers: Int
    /// The report begins here; minutes count from it.
    public let reportFrom: Instant
    /// Requests that reached the origin, by endpoint, region and cause; fetches behind a stale object count under the
    /// cause of the request that set them off.
    public let originLoad: LoadCurve
    var flows: [Int64]
    var states: [Int64]
    var received: [Int64]
    /// By latency and pool.
    private(set) var latencies: [PoolLatency]
    /// Requests in flight when the report began: offered before it and not ended, by pool and region; those from
    /// outside the fleet apart.
    public internal(set) var carriedIn: [Int64]
    public internal(set) var backgroundCarriedIn: [Int64]
    /// One for each event of the plan that ended or happened in the run and each pool that it concerned, in the plan's
    /// order and in the pools'. A purge concerns the pools behind the endpoints whose objects are forgotten.
    public internal(set) var recoveries: [Recovery] = []
    /// Seconds of the report in which more requests reached a pool than its servers and its rate limit can take, by
    /// pool: their number times the mean service is more than the second's server time (servers that could begin
    /// requests, each by the slowdown then in force), or they are more than the limit's tokens of one second. Seconds
    /// count from the report's beginning.
    public internal(set) var secondsOverCapacity: [Int64]
    /// Seconds of the report in which requests reached a pool and none of its servers could begin any, by pool. None of
    /// them is over capacity.
    public internal(set) var secondsOut: [Int64]

    /// How the service came back after an event.
    public struct Recovery: BitwiseCopyable, Hashable, Sendable {
        /// The index of the event in the plan.
        public let event: Int
        public let pool: Int
        /// When the event was over.
        public let end: Instant
        /// The first instant from then on at which nobody waited in the pool's queue; `never` if there was none.
        public var queueEmptyAt: Instant
        /// When the first minute began, from then on, in which requests ended and at most a hundredth of them were not
        /// served; `never` if there was none before the next event that concerns the pool began, or before the run
        /// ended. Minutes begin with any whole second of the run's clock.
        public var healthyAt: Instant
    }

    /// The cause under which requests from outside the fleet stand in the load at the origin; those of reloads are
    /// below.
    public static let backgroundCause = LoadCurve.outsideCause

    /// - Parameters:
    ///   - receivers: how many regions others fail over to.
    ///   - originLoad: with no requests.
    public init(
        pools: Int, regions: Int, minutes: Int, reportFrom: Instant, receivers: Int = 0, originLoad: LoadCurve
    ) {
        self.receivers = receivers
        received = Array(repeating: 0, count: receivers * minutes * ReceiverField.allCases.count)
        self.pools = pools
        self.regions = regions
        self.minutes = minutes
        self.reportFrom = reportFrom
        self.originLoad = originLoad
        flows = Array(repeating: 0, count: pools * regions * minutes * ServiceField.allCases.count)
        states = Array(repeating: 0, count: pools * minutes * PoolMinute.allCases.count)
        latencies = Array(
            repeating: PoolLatency(byMinute: LatencySeries(minutes: minutes)),
            count: ServiceLatency.allCases.count * pools)
        carriedIn = Array(repeating: 0, count: pools * regions)
        backgroundCarriedIn = carriedIn
        secondsOverCapacity = Array(repeating: 0, count: pools)
        secondsOut = Array(repeating: 0, count: pools)
    }

    /// Measures of the same shape with nothing in them.
    func emptyCopy() -> ServiceMeasures {
        ServiceMeasures(
            pools: pools, regions: regions, minutes: minutes, reportFrom: reportFrom, receivers: receivers,
            originLoad: originLoad.emptyCopy())
    }

    /// Writes down what is counted while the run lasts, or reads it back into measures that hold nothing. The rest is
    /// found when the run ends.
    func code(_ stream: StateStream) throws(StateProblem) {
        try originLoad.code(stream)
        try stream.code(fixed: &flows)
        try stream.code(fixed: &states)
        if receivers > 0 { try stream.code(fixed: &received) }
        for pool in 0..<pools {
            for latency in ServiceLatency.allCases { try self[latency, pool: pool].byMinute.code(stream) }
        }
        let most = StateStream.mostCounted
        try stream.require(
            flows.allSatisfy { (0...most).contains($0) } && states.allSatisfy { (0...most).contains($0) }
                && received.allSatisfy { (0...most).contains($0) },
            "an impossible count of the service")
    }

    /// A count of one minute of the report.
    public subscript(_ field: ServiceField, pool pool: Int, region region: Int, minute minute: Int) -> Int64 {
        get { flows[index(field, pool, region, minute)] }
        set { flows[index(field, pool, region, minute)] = newValue }
    }

    public subscript(_ field: PoolMinute, pool pool: Int, minute minute: Int) -> Int64 {
        get { states[(pool * minutes + minute) * PoolMinute.allCases.count + field.rawValue] }
        set { states[(pool * minutes + minute) * PoolMinute.allCases.count + field.rawValue] = newValue }
    }

    /// A count of one minute of the report, by the number of the region among the plan's receivers.
    public subscript(_ field: ReceiverField, receiver receiver: Int, minute minute: Int) -> Int64 {
        get { received[(receiver * minutes + minute) * ReceiverField.allCases.count + field.rawValue] }
        set { received[(receiver * minutes + minute) * ReceiverField.allCases.count + field.rawValue] = newValue }
    }

    public internal(set) subscript(_ latency: ServiceLatency, pool pool: Int) -> PoolLatency {
        get { latencies[latency.rawValue * pools + pool] }
        _modify { yield &latencies[latency.rawValue * pools + pool] }
    }

    private func index(_ field: ServiceField, _ pool: Int, _ region: Int, _ minute: Int) -> Int {
        ((pool * regions + region) * minutes + minute) * ServiceField.allCases.count + field.rawValue
    }
}

/// The measures as bytes.
extension ServiceMeasures {
    /// All integers in the order of their declaration, for the fingerprint: the load at the origin, flows, states,
    /// histograms, what was carried in, recoveries, seconds over capacity, latencies by the minute; and, if there are
    /// such, the load of regions that others fail over to.
    public func withBytes(_ body: (UnsafeRawBufferPointer) -> Void) {
        func hand(_ integers: [Int64]) { integers.withUnsafeBytes(body) }
        let isCounted = ServiceField.whereCounted.contains { field in
            stride(from: field.rawValue, to: flows.count, by: ServiceField.allCases.count).contains { flows[$0] != 0 }
        }
        let fields = ServiceField.allCases.filter { isCounted || !ServiceField.whereCounted.contains($0) }
        originLoad.withFilledBytes(body)
        for pool in 0..<pools {
            for region in 0..<regions {
                for minute in 0..<minutes {
                    hand(fields.map { self[$0, pool: pool, region: region, minute: minute] })
                }
            }
        }
        for pool in 0..<pools {
            for minute in 0..<minutes { hand(PoolMinute.allCases.map { self[$0, pool: pool, minute: minute] }) }
        }
        for histogram in latencies.map(\.whole) {
            hand(histogram.counts)
            hand([histogram.total])
            withUnsafeBytes(of: histogram.sum, body)
            hand([histogram.largest.microseconds])
        }
        hand(carriedIn)
        hand(backgroundCarriedIn)
        for recovery in recoveries {
            hand([
                Int64(recovery.event), Int64(recovery.pool), recovery.end.microseconds,
                recovery.queueEmptyAt.microseconds,
                recovery.healthyAt.microseconds,
            ])
        }
        hand(secondsOverCapacity)
        hand(secondsOut)
        for latency in latencies { latency.byMinute.withBytes(body) }
        if receivers > 0 { hand(received) }
    }
}

/// The measures of a service whose parts are simulated apart.
extension ServiceMeasures {
    /// Adds the recoveries of a part of the service.
    func add(_ others: [Recovery]) {
        recoveries = (recoveries + others).sorted { ($0.event, $0.pool) < ($1.event, $1.pool) }
    }

    /// Takes over what others have measured of some parts of the same service, of which these hold nothing.
    ///
    /// - Parameters:
    ///   - receivers: the regions that others fail over to, in the plan's order.
    ///   - addsLoad: whether the load at the origin is added, which is not told apart by parts.
    func take(_ other: ServiceMeasures, parts: [ServicePart], receivers: [Int], addsLoad: Bool) {
        precondition(
            other.pools == pools && other.regions == regions && other.minutes == minutes
                && other.receivers == self.receivers && other.reportFrom == reportFrom, "measures of different services"
        )
        if addsLoad { originLoad.merge(other.originLoad) }
        for pool in parts.flatMap(\.pools) {
            take(\.flows, from: other, row: pool, of: pools)
            take(\.states, from: other, row: pool, of: pools)
            take(\.carriedIn, from: other, row: pool, of: pools)
            take(\.backgroundCarriedIn, from: other, row: pool, of: pools)
            for latency in ServiceLatency.allCases { self[latency, pool: pool] = other[latency, pool: pool] }
            secondsOverCapacity[pool] = other.secondsOverCapacity[pool]
            secondsOut[pool] = other.secondsOut[pool]
        }
        let own = Set(parts.flatMap(\.regions))
        for (number, region) in receivers.enumerated() where own.contains(region) {
            take(\.received, from: other, row: number, of: self.receivers)
        }
        let pools = Set(parts.flatMap(\.pools))
        add(other.recoveries.filter { pools.contains($0.pool) })
    }

    /// Takes one of so many equal rows of a list.
    private func take(
        _ list: ReferenceWritableKeyPath<ServiceMeasures, [Int64]>, from other: ServiceMeasures, row: Int, of rows: Int
    ) {
        let length = self[keyPath: list].count / rows
        let places = row * length..<(row + 1) * length
        self[keyPath: list].replaceSubrange(places, with: other[keyPath: list][places])
    }

    /// Writes down all that was measured in a run that is over, or reads it into measures that hold nothing.
    func codeResult(_ stream: StateStream) throws(StateProblem) {
        try code(stream)
        for pool in 0..<pools {
            for latency in ServiceLatency.allCases { try self[latency, pool: pool].whole.code(stream) }
        }
        try stream.code(fixed: &carriedIn)
        try stream.code(fixed: &backgroundCarriedIn)
        try stream.code(&recoveries)
        try stream.code(fixed: &secondsOverCapacity)
        try stream.code(fixed: &secondsOut)
        try stream.require(
            recoveries.allSatisfy { (0..<pools).contains($0.pool) }, "a recovery of a pool that no service has")
    }
}
