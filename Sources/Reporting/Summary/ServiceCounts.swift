import Basics
import RefreshService
import Statistics

/// The counts from which the metrics of a service are computed: those of some of its pools over the report, beside what
/// the plan says of them.
struct ServiceCounts: Sendable {
    let plan: RefreshPlan
    let pools: [Int]
    let span: Duration
    /// Requests of the fleet that reached the edge for these pools, to endpoints that keep answers; nil if none does.
    let cacheable: Int64?
    /// The windows of the requests that reached the origin at these pools; nil where an endpoint has other pools too,
    /// since windows are kept by endpoint alone.
    let originWindows: LoadAnalysis.Endpoint?
    /// In the order of `ServiceLatency`.
    private let latencies: [LatencyHistogram]
    let carriedIn, backgroundCarriedIn, secondsOverCapacity, secondsOut: Int64
    /// Requests that reached the origin in the minute that brought most of them.
    let originPeakMinute: Int64
    /// The largest of any minute; nil if no minute has server time.
    let peakUtilisation: Double?
    /// Microseconds times servers that could begin requests, and times those that there were.
    let serverTime, presentTime: Int64
    /// The cost of an hour of the mean servers.
    private let serverHourCost: Double
    /// The largest share of any minute of requests that were refused or timed out, of those that ended; nil if none
    /// ended.
    let worstFailedShare: Double?
    /// The largest share of any minute of requests that were shed, of those that reached the origin; nil if none did.
    let worstShedShare: Double?
    /// Pushes that came to the fleet's devices; nil of one pool among several, since no pool sends them.
    let pushes: Int64?
    let totals: ServiceTotals
    /// By latency and pool.
    private let series: [[LatencySeries]]
    private let minutes: Int

    /// - Parameters:
    ///   - edge: the requests at the edge.
    ///   - origin: the requests at the origin.
    ///   - pushes: those that came, if they belong to these pools.
    init(
        _ measures: ServiceMeasures, _ plan: RefreshPlan, pools: [Int], span: Duration, edge: LoadStage,
        origin: LoadStage, pushes: Int64?
    ) {
        self.pushes = pushes
        self.plan = plan
        self.pools = pools
        self.span = span
        let regions = plan.endpoints.indices.map { endpoint in
            plan.regions.indices.filter { pools.contains(plan.pool(endpoint: endpoint, region: $0)) }
        }
        let endpoints = plan.endpoints.indices.filter { !regions[$0].isEmpty }
        let keeping = endpoints.filter { plan.endpoints[$0].cache != nil }
        cacheable =
            keeping.isEmpty
            ? nil
            : keeping.reduce(0) { sum, endpoint in
                regions[endpoint].count == plan.regions.count
                    ? sum + edge.analysis.endpoints[endpoint].requests
                    : regions[endpoint].reduce(sum) { $0 + edge.curve.requests(of: endpoint, region: $1) }
            }
        originWindows =
            endpoints.allSatisfy { regions[$0].count == plan.regions.count }
            ? origin.analysis.together(endpoints, of: origin.curve) : nil
        latencies = ServiceLatency.allCases.map { latency in
            pools.reduce(into: LatencyHistogram()) { $0.merge(measures[latency, pool: $1].whole) }
        }
        func sum(_ carriedIn: [Int64]) -> Int64 {
            pools.reduce(0) { sum, pool in
                (0..<measures.regions).reduce(sum) { $0 + carriedIn[pool * measures.regions + $1] }
            }
        }
        carriedIn = sum(measures.carriedIn)
        backgroundCarriedIn = sum(measures.backgroundCarriedIn)
        secondsOverCapacity = pools.reduce(0) { $0 + measures.secondsOverCapacity[$1] }
        secondsOut = pools.reduce(0) { $0 + measures.secondsOut[$1] }
        var totals = ServiceTotals()
        var serverTime: Int64 = 0
        let present = pools.map { pool in
            (0..<measures.minutes).reduce(0) { $0 + measures[.presentTime, pool: pool, minute: $1] }
        }
        var originPeak: Int64 = 0
        var utilisation: Double?
        var failedShare = WorstShare()
        var shedShare = WorstShare()
        for minute in 0..<measures.minutes {
            let counts = measures.counts(
                pools: pools, regions: 0..<measures.regions, minutes: minute..<minute + 1)
            totals += counts
            let servers = pools.reduce(0) { $0 + measures[.serverTime, pool: $1, minute: minute] }
            serverTime += servers
            originPeak = max(originPeak, counts[.originRequests])
            failedShare.add(counts.failed, of: counts.ended)
            shedShare.add(counts.shed, of: counts[.originRequests])
            if let busy = Ratio.of(counts[.busyTime], to: servers) {
                utilisation = max(utilisation ?? 0, busy)
            }
        }
        self.totals = totals
        self.serverTime = serverTime
        presentTime = present.reduce(0, +)
        serverHourCost = zip(pools, present).reduce(0) { cost, pool in
            cost + plan.hourPrice(ofServerIn: pool.0) * Double(pool.1) / Double(span.microseconds)
        }
        originPeakMinute = originPeak
        peakUtilisation = utilisation
        worstFailedShare = failedShare.value
        worstShedShare = shedShare.value
        series = ServiceLatency.allCases.map { latency in pools.map { measures[latency, pool: $0].byMinute } }
        minutes = measures.minutes
    }

    func histogram(of latency: ServiceLatency) -> LatencyHistogram { latencies[latency.rawValue] }

    /// In seconds; nil without requests.
    func worstQuantile(_ q: Double, of latency: ServiceLatency, in bin: WorstBin) -> Double? {
        bin.worst(q, of: series[latency.rawValue], minutes: minutes)
    }

    subscript(_ field: ServiceField) -> Int64 { totals[field] }

    /// Requests in flight at the end of the report.
    var unfinished: Int64 { carriedIn + self[.offered] - totals.ended }
    var backgroundUnfinished: Int64 {
        backgroundCarriedIn + self[.backgroundOffered] - totals.backgroundEnded
    }

    var seconds: Double { Double(span.microseconds) / 1e6 }
    /// Nil where the report tells of no month.
    func perMonth(_ count: some BinaryInteger) -> Double? { MonthlyUse.amount(Double(count), in: span) }
    /// The mean number of servers, those included that an event has put out of work: they are paid for all the same.
    /// Nil without a limit.
    var meanServers: Double? { presentTime == 0 ? nil : Double(presentTime) / Double(span.microseconds) }

    /// The mean number of machines of one pool that has such; nil otherwise.
    var meanMachines: Double? {
        guard pools.count == 1, let machine = plan.pools[pools[0]].machine else { return nil }
        return meanServers.map { $0 / Double(machine.slots) }
    }

    // A month's cost in the plan's currency; nil where the report tells of no month. What has no price costs nothing.

    /// Servers whose number stays cost the same in any span.
    var serverCost: Double? {
        let varies = pools.contains { plan.pools[$0].autoscaling != nil || plan.pools[$0].server != nil }
        return varies && serverHourCost > 0 && perMonth(1) == nil ? nil : serverHourCost * MonthlyUse.hours
    }
    var requestCost: Double? {
        cost(of: self[.offered] + self[.backgroundOffered], at: plan.prices.millionRequests, a: 1e6)
    }
    var edgeByteCost: Double? { cost(of: self[.edgeBytes], at: plan.prices.gigabyte, a: 1e9) }
    var originByteCost: Double? { cost(of: self[.originBytes], at: plan.prices.gigabyte, a: 1e9) }
    var byteCost: Double? { cost(of: self[.edgeBytes] + self[.originBytes], at: plan.prices.gigabyte, a: 1e9) }
    var pushCost: Double? { pushes.flatMap { cost(of: $0, at: plan.prices.millionPushes, a: 1e6) } }
    /// All of it; for one pool among several without the pushes, which no pool sends.
    var wholeCost: Double? {
        let parts = [serverCost, requestCost, byteCost, pushes == nil ? 0 : pushCost]
        return parts.contains(nil) ? nil : parts.reduce(0) { $0 + ($1 ?? 0) }
    }

    private func cost(of count: Int64, at price: Double, a unit: Double) -> Double? {
        price == 0 ? 0 : perMonth(count).map { $0 / unit * price }
    }
}

/// The closed forms beside one pool's counts: the plan's mean time of service, and the rates that were measured at the
/// origin.
struct PoolNeed: Sendable {
    let counts: ServiceCounts
    /// Whether it is a server of a user's own (S9), of which no closed form holds.
    let isCode: Bool
    /// Mean seconds of one service by the plan, brown-outs left out; nil if it takes no time.
    let serviceTime: Double?
    /// The variation of the time of service; nil if its distribution has none.
    let variation: Double?
    /// Requests a second at the origin.
    let meanRate, peakRate: Double
    /// The queue of the mean servers, rounded down, at the mean rate; nil without a limit, or for a service that takes
    /// no time.
    let queue: ServerQueue?

    init(_ counts: ServiceCounts) {
        precondition(counts.pools.count == 1, "the need of \(counts.pools.count) pools together")
        self.counts = counts
        let pool = counts.plan.pools[counts.pools[0]]
        isCode = pool.server != nil
        serviceTime = isCode ? nil : pool.meanServiceTime
        variation = isCode ? nil : pool.serviceTimeVariation
        meanRate = Double(counts[.originRequests]) / counts.seconds
        peakRate = Double(counts.originPeakMinute) / 60
        if let serviceTime, let servers = counts.meanServers, servers >= 1 {
            queue = ServerQueue(servers: Int(servers), arrivalRate: meanRate, serviceTime: serviceTime)
        } else {
            queue = nil
        }
    }

    /// Erlangs at a rate; nil for a server of a user's own.
    func load(_ rate: Double) -> Double? { isCode ? nil : serviceTime.map { rate * $0 } ?? 0 }

    /// Whether the run contradicts a queue of requests at random: more came in a second than all servers could take, or
    /// than chance makes of the busiest minute's mean, as in a herd. The seconds of a pool that shares an endpoint with
    /// others by region are not counted.
    var isContradicted: Bool {
        if counts.secondsOverCapacity > 0 { return true }
        guard let second = counts.originWindows?[.second].sliding?.requests else { return false }
        return Double(second) > peakRate + 6 * peakRate.squareRoot() + 6
    }

    /// The least servers for a target in the minute with most requests; nil if service takes no time, beyond all
    /// reason, or where the run contradicts it.
    func leastServers(_ target: Staffing.Target, failed: Int = 0) -> Int64? {
        if isContradicted { return nil }
        return serviceTime.flatMap {
            Staffing.leastServers(for: target, arrivalRate: peakRate, serviceTime: $0, failed: failed)
        }.map(Int64.init)
    }
}
