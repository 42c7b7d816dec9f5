import Basics
import RefreshService
import ResultFiles
import ScenarioModel
import Simulation
import Statistics

/// The metrics of a service's requests and latencies: for each pool, and for all together.
extension Figures<ServiceCounts> {
    static let traffic: Self = [requests, shares, latencies, rates, month]

    private static let requests: Self = [
        .part(\.totals, .flows),
        .count("carried_in", unit: "requests", \.carriedIn, "Requests in flight at the start of the report."),
        .count(
            "unfinished", unit: "requests", \.unfinished,
            "Requests in flight at its end: carried in + offered − served − refused − timed out."),
        .count(
            "background_carried_in", unit: "requests", \.backgroundCarriedIn,
            "Requests from outside the fleet in flight at the start of the report."),
        .count(
            "background_unfinished", unit: "requests", \.backgroundUnfinished,
            "Requests from outside the fleet in flight at its end, likewise."),
    ]

    private static let shares: Self = [
        .value(
            "share_hits", "share",
            { counts in
                counts.cacheable.flatMap {
                    Ratio.of(counts[.hits] + counts[.staleWhileRevalidate] - counts[.backgroundHits], to: $0)
                }
            },
            "Requests of the fleet answered from the edge at once, with a fresh object or a stale one that is being renewed, of those to endpoints that keep answers;"
                + " private requests to them count as misses. Missing without such an endpoint."),
        .share(
            "share_shed", \.totals.shed, of: { $0[.originRequests] },
            "Requests shed by the rate limit or a full queue, of those that reached the origin."),
        .share(
            "share_waited", { $0[.waited] }, of: { $0[.admitted] },
            "Requests that had to wait for a server, of those that were admitted."),
        .share(
            "share_background_served", { $0[.backgroundServed] }, of: \.totals.backgroundEnded,
            "The same as `share_served` of requests from outside the fleet."),
        .share(
            "share_served", { $0[.served] }, of: \.totals.ended,
            "Requests that ended with content in time, of those that ended."),
        .share(
            "share_not_modified", { $0[.notModified] }, of: { $0[.served] + $0[.backgroundServed] },
            "Answers that told their client that it had the content already (S10), of those with content in time."),
        .value(
            "share_failed_worst_1m", "share", \.worstFailedShare,
            "Requests that were refused or timed out, of those that ended in one minute of the report, in the minute where it is largest; minutes with fewer than \(WorstShare.least) count together with those that follow."
        ),
        .value(
            "share_shed_worst_1m", "share", \.worstShedShare,
            "Requests shed, of those that reached the origin in one minute of the report, in the minute where it is largest; minutes with fewer than \(WorstShare.least) count together with those that follow."
        ),
        .share(
            "share_wasted", { $0[.wasted] }, of: { $0[.completed] },
            "Services whose client had given up by their end, of those that ended."),
        .value(
            "retry_amplification", "ratio", { Ratio.of($0[.offered], to: $0[.firstAttempts]) },
            "Requests that reached the edge over first tries: 1 without retries."),
    ]

    private static let latencies: Self = .each(ServiceLatency.allCases) { latency in
        [
            .value("\(latency.name)_mean_s", "s", { $0.histogram(of: latency).mean }, "The mean of \(latency.words)."),
            .each(ServiceLatency.quantiles) { name, q in
                .value(
                    "\(latency.name)_\(name)_s", "s", { ReportQuantile.seconds(q, of: $0.histogram(of: latency)) },
                    "The quantile \(q) of \(latency.words).")
            },
            .each(WorstBin.allCases) { bin in
                .each(WorstBin.quantiles) { name, q in
                    .value(
                        "\(latency.name)_\(name)_worst_\(bin.name)_s", "s",
                        { $0.worstQuantile(q, of: latency, in: bin) },
                        "The same quantile of those that ended in one \(bin.words), in the one where it is longest; those with fewer than \(WorstBin.least(for: q)) requests count together with those that follow."
                    )
                }
            },
        ]
    }

    private static let rates: Self = [
        .value(
            "origin_mean_per_s", "requests/s",
            { Ratio.of(Int128($0[.originRequests]) * 1_000_000, to: $0.span.microseconds) },
            "The mean rate of requests that reach the origin."),
        .value(
            "origin_peak_1m_per_s", "requests/s", { Ratio.of($0.originPeakMinute, to: 60) },
            "The same in the minute of the report that brings most of them."),
        .value(
            "origin_peak_1s", "requests", { $0.originWindows?[.second].sliding?.requests },
            "Requests that reach the origin in the largest window of 1s, sliding in steps of 0.1 s; missing for a pool that shares an endpoint with others by region."
        ),
    ]

    private static let month: Self = [
        .value(
            "requests_per_month", "requests", { $0.perMonth($0[.offered] + $0[.backgroundOffered]) },
            "Requests that reach the edge in a month of \(MonthlyUse.days) days like the report; missing unless that is of whole days."
        ),
        .value(
            "origin_requests_per_month", "requests", { $0.perMonth($0[.originRequests]) },
            "Requests that reach the origin in such a month."),
        .value(
            "edge_gigabytes_per_month", "GB", { counts in counts.perMonth(counts[.edgeBytes]).map { $0 / 1e9 } },
            "10⁹ bytes that edges send to devices in such a month."),
        .value(
            "origin_gigabytes_per_month", "GB", { counts in counts.perMonth(counts[.originBytes]).map { $0 / 1e9 } },
            "10⁹ bytes that the origin sends to edges in such a month."),
    ]

    /// The metrics of cost, in the scenario's currency: for each pool, and for all together.
    static func cost(currency: String) -> Self {
        [
            .value(
                "cost_servers_per_month", currency, \.serverCost,
                "The mean servers for a month at the plan's price of an hour, or machines at theirs; a pool without a limit has no servers to pay for. Missing where their number varies and the report is not of whole days."
            ),
            .value(
                "cost_requests_per_month", currency, \.requestCost,
                "The month's requests at the edge at the plan's price of a million."),
            .value(
                "cost_bytes_per_month", currency, \.byteCost,
                "The month's bytes, from the origin and from the edges, at the plan's price of a gigabyte."),
            .value("cost_edge_bytes_per_month", currency, \.edgeByteCost, "Those of them that edges send to devices."),
            .value(
                "cost_origin_bytes_per_month", currency, \.originByteCost,
                "Those of them that the origin sends to edges."),
            .value(
                "cost_pushes_per_month", currency, \.pushCost,
                "The month's pushes that come to devices, to widgets and silent ones, at the plan's price of a million; missing of one pool among several."
            ),
            .value(
                "cost_per_month", currency, \.wholeCost,
                "Servers, requests, bytes and pushes together; missing where one of them is."),
        ]
    }
}

/// The metrics of servers, simulated and by the closed form, for each pool.
///
/// The closed form assumes random arrivals and, but for Allen and Cunneen, exponential times of service with the plan's
/// mean.
extension Figures<PoolNeed> {
    static let servers: Self = [use, closedForm, need]

    /// The bounds that the closed form's servers must hold: the wait in seconds that 99 % of requests do not exceed,
    /// and the share that waits at all.
    static let wait = 0.05
    static let waitingShare = 0.2

    private static let use: Self = [
        .value("servers_mean", "servers", \.counts.meanServers, "The mean number of servers; missing without a limit."),
        .value(
            "machines_mean", "machines", \.counts.meanMachines,
            "The mean number of machines; missing for a pool without `machine`."),
        .value(
            "utilisation_mean", "ratio", { Ratio.of($0.counts[.busyTime], to: $0.counts.serverTime) },
            "Busy time over server time."),
        .value("utilisation_peak_1m", "ratio", \.counts.peakUtilisation, "The same in the minute with most."),
        .value(
            "headroom", "ratio",
            { need in
                need.isCode || need.counts.secondsOverCapacity > 0 ? nil : need.counts.peakUtilisation.map { 1 - $0 }
            },
            "The share of the servers left in that minute, by its mean: 1 − its utilisation; missing where `over_capacity_s` is above 0, and for a server of a user's own."
        ),
        .value(
            "over_capacity_s", "s", adds: .sum, { $0.isCode ? nil : $0.counts.secondsOverCapacity },
            "Seconds in which more requests reached the pool than its servers and its rate limit can take, those of `outage_s` left out; missing for a server of a user's own."
        ),
        .count(
            "outage_s", unit: "s", \.counts.secondsOut,
            "Seconds in which requests reached the pool and not one of its servers could begin any: an outage or a stall."
        ),
    ]

    private static let closedForm: Self = [
        .value(
            "offered_load_mean_erlangs", "erlangs", { need in need.load(need.meanRate) },
            "The mean rate at the origin times the plan's mean time of service; missing for a server of a user's own."),
        .value(
            "offered_load_peak_1m_erlangs", "erlangs", { need in need.load(need.peakRate) },
            "The same in the minute with most requests."),
        .value(
            "share_waiting_erlang_c", "share", \.queue?.waitingShare,
            "Requests that wait at the mean servers, rounded down, and the mean rate by Erlang C, to stand beside `share_waited`."
        ),
        .value(
            "queue_wait_mean_erlang_c_s", "s", { $0.queue?.meanWait },
            "The mean wait by Erlang C, to stand beside `queue_wait_mean_s`; missing in an overload."),
        .value(
            "queue_wait_mean_allen_cunneen_s", "s",
            { need in
                need.queue.flatMap { queue in
                    need.variation.flatMap { GeneralQueue.approximateMeanWait(queue, service: $0) }
                }
            }, "The same for the plan's variation of the time of service, by the approximation of Allen and Cunneen."),
        .value(
            "queue_wait_p99_erlang_c_s", "s", { $0.queue?.waitQuantile(0.99) },
            "The quantile 0.99 by Erlang C, to stand beside `queue_wait_p99_s`; missing in an overload."),
    ]

    private static let need: Self = [
        .value(
            "servers_erlang_c_wait_p99_50ms", "servers", { $0.leastServers(.wait(quantile: 0.99, atMost: wait)) },
            "The least servers by Erlang C with which 99 % of the requests of the minute with most wait at most 0.05 s if they come at random; missing if service takes no time, and where the run contradicts it: over capacity, or a second with far more than the minute's mean."
        ),
        .value(
            "servers_erlang_c_n_plus_1", "servers", { $0.leastServers(.wait(quantile: 0.99, atMost: wait), failed: 1) },
            "The same with one server out: one more, by Erlang C."),
        .value(
            "servers_erlang_c_n_plus_2", "servers", { $0.leastServers(.wait(quantile: 0.99, atMost: wait), failed: 2) },
            "The same with two servers out: two more, by Erlang C."),
        .value(
            "servers_erlang_c_waiting_20pct", "servers", { $0.leastServers(.waitingShare(waitingShare)) },
            "The least servers by Erlang C with which at most 20 % of that minute's requests wait; missing likewise."),
        .value(
            "servers_square_root_waiting_20pct", "servers",
            { need in
                (need.isContradicted ? nil : need.serviceTime).map {
                    Int64(Staffing.squareRootServers(load: need.peakRate * $0, waitingShare: waitingShare))
                }
            }, "The same by the square-root rule of Halfin and Whitt."),
    ]
}

/// The bins among which the worst one is sought: whole ones of the report, from its beginning.
enum WorstBin: Int, CaseIterable, Sendable {
    case minute = 1
    case quarter = 15

    /// As metrics name it.
    var name: String { "\(minutes)m" }

    var words: String {
        switch self {
        case .minute: "minute"
        case .quarter: "quarter of an hour"
        }
    }

    var minutes: Int { rawValue }

    static let quantiles = ServiceLatency.quantiles.filter { $0.q > 0.9 }

    /// The fewest requests whose quantile `q` is told: five lie above it. The worst of many minutes with fewer would be
    /// the slowest request of the day.
    static func least(for q: Double) -> Int64 { Int64(cutting: (5 / (1 - q)).rounded()) }

    /// The longest quantile `q`, in seconds, of any bin, or of as many in a row as hold enough; nil without requests.
    func worst(_ q: Double, of series: [LatencySeries], minutes count: Int) -> Double? {
        var worst: Double?
        var together = LatencyDistribution()
        var last = LatencyDistribution()
        for start in stride(from: 0, to: count, by: minutes) {
            for one in series { one.add(start..<min(start + minutes, count), to: &together) }
            guard together.total >= Self.least(for: q) else { continue }
            worst = max(worst ?? 0, ReportQuantile.seconds(q, of: together)!)
            (last, together) = (together, LatencyDistribution())
        }
        // The last ones, too few, count with those before.
        guard together.total > 0 else { return worst }
        last.merge(together)
        return max(worst ?? 0, ReportQuantile.seconds(q, of: last)!)
    }
}

/// The largest share of any minute, or of as many in a row as hold `least`.
struct WorstShare {
    /// The fewest of which a share is told.
    static let least: Int64 = 100

    private var largest: Double?
    private var together: (part: Int64, whole: Int64) = (0, 0)
    private var last: (part: Int64, whole: Int64) = (0, 0)

    mutating func add(_ part: Int64, of whole: Int64) {
        together.part += part
        together.whole += whole
        guard together.whole >= Self.least else { return }
        largest = max(largest ?? 0, Double(together.part) / Double(together.whole))
        (last, together) = (together, (0, 0))
    }

    /// Nil of none; the last minutes, too few, count with those before.
    var value: Double? {
        guard together.whole > 0 else { return largest }
        return max(largest ?? 0, Double(last.part + together.part) / Double(last.whole + together.whole))
    }
}

extension ServiceLatency {
    /// Those that are stated, as metrics name them.
    static let quantiles: [(name: String, q: Double)] = [("p50", 0.5), ("p95", 0.95), ("p99", 0.99), ("p999", 0.999)]

    var words: String {
        switch self {
        case .queueWait: "the waits of admitted requests for a server"
        case .originTime: "the times from a request's arrival at the pool to the end of its service"
        case .responseTime: "the times from the sending of a request that was served to the answer at the device"
        }
    }
}

extension RefreshPlan {
    /// Each once, though an event of a region concerns several pools.
    var eventNames: [String] { events.map(\.name).uniqued }
}

/// The names of a service's metrics and their rows, in one order: all pools together, then each.
enum ServiceSummary {
    /// As thresholds name them.
    static func all(pools: [String], currency: String, objectives: [String], events: [String]) -> [KnownMetric] {
        let traffic: Figures<ServiceCounts> = [.traffic, .cost(currency: currency)]
        return Figures.serviceUse.known(.pool, SummaryScope.allParts) + traffic.known(.pool, SummaryScope.allParts)
            + pools.flatMap { traffic.known(.pool, $0) + Figures.servers.known(.pool, $0) }
            + objectives.flatMap { Figures.objective.known(.objective, $0) }
            + events.flatMap { Figures.event.known(.event, $0) }
    }

    /// - Parameters:
    ///   - edge: the requests at the edge.
    ///   - use: the counts of the whole fleet.
    static func rows(
        _ measures: ServiceMeasures, _ scenario: Scenario, edge: LoadStage, origin: LoadStage, use: UseCounts
    ) -> [SummaryRow] {
        guard let plan = scenario.service else {
            preconditionFailure("measures of a service that the scenario does not have")
        }
        precondition(
            measures.pools == plan.pools.count && measures.regions == plan.regions.count
                && plan.endpoints.count == edge.analysis.endpoints.count, "measures of another service")
        // Each of the people stands for so many.
        let scale = Double(scenario.report.represents ?? scenario.people) / Double(scenario.people)
        let pushes = Int64(cutting: (Double(use.fleet[.pushes] + use.fleet[.silentPushes]) * scale).rounded())
        func counts(_ pools: [Int]) -> ServiceCounts {
            ServiceCounts(
                measures, plan, pools: pools, span: scenario.reportedSpan, edge: edge, origin: origin,
                pushes: pools.count == plan.pools.count ? pushes : nil)
        }
        let traffic: Figures<ServiceCounts> = [.traffic, .cost(currency: plan.prices.currency)]
        let incidents = Incident.all(of: measures, plan, regions: plan.names.regions)
        return Figures.serviceUse.rows(use, .pool, SummaryScope.allParts)
            + traffic.rows(counts(Array(plan.pools.indices)), .pool, SummaryScope.allParts)
            + plan.pools.enumerated().flatMap { i, pool in
                let own = counts([i])
                return traffic.rows(own, .pool, pool.name) + Figures.servers.rows(PoolNeed(own), .pool, pool.name)
            }
            + plan.objectives.flatMap { Figures.objective.rows(ErrorBudget($0, measures), .objective, $0.name) }
            + plan.eventNames.flatMap { name in
                Figures.event.rows(incidents.first { $0.event == name }, .event, name)
            }
    }
}
