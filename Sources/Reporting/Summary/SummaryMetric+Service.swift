import Basics
import RefreshService
import Statistics

/// The metrics of a service's requests and latencies: for each pool, and for all together.
extension SummaryMetric<ServiceCounts> {
    static let traffic: [Self] = requests + shares + latencies + rates + month

    private static let requests: [Self] =
        ServiceFlow.all.map { flow in
            .init(flow.name, flow.unit ?? "requests", flow.meaning) { flow.value(of: $0[flow.field]) }
        } + [
            .init("carried_in", "requests", "Requests in flight at the start of the report.") { .count($0.carriedIn) },
            .init(
                "unfinished", "requests",
                "Requests in flight at its end: carried in + offered − served − refused − timed out."
            ) {
                .count($0.unfinished)
            },
            .init(
                "background_carried_in", "requests",
                "Requests from outside the fleet in flight at the start of the report."
            ) {
                .count($0.backgroundCarriedIn)
            },
            .init(
                "background_unfinished", "requests", "Requests from outside the fleet in flight at its end, likewise."
            ) {
                .count($0.backgroundUnfinished)
            },
        ]

    private static let shares: [Self] = [
        .init(
            "share_hits", "share",
            "Requests of the fleet answered from the edge at once, with a fresh object or a stale one that is being renewed, of those to endpoints that keep answers;"
                + " private requests to them count as misses. Missing without such an endpoint."
        ) { counts in
            .init(
                counts.cacheable.flatMap {
                    Ratio.of(counts[.hits] + counts[.staleWhileRevalidate] - counts[.backgroundHits], to: $0)
                })
        },
        .init(
            "share_shed", "share", "Requests shed by the rate limit or a full queue, of those that reached the origin."
        ) {
            .init(Ratio.of($0.shed, to: $0[.originRequests]))
        },
        .init("share_waited", "share", "Requests that had to wait for a server, of those that were admitted.") {
            .init(Ratio.of($0[.waited], to: $0[.admitted]))
        },
        .init("share_background_served", "share", "The same as `share_served` of requests from outside the fleet.") {
            .init(
                Ratio.of(
                    $0[.backgroundServed], to: $0[.backgroundServed] + $0[.backgroundRefused] + $0[.backgroundTimedOut])
            )
        },
        .init("share_served", "share", "Requests that ended with content in time, of those that ended.") {
            .init(Ratio.of($0[.served], to: $0.ended))
        },
        .init(
            "share_failed_worst_1m", "share",
            "Requests that were refused or timed out, of those that ended in one minute of the report, in the minute where it is largest; minutes with fewer than \(WorstShare.least) count together with those that follow."
        ) {
            .init($0.worstFailedShare)
        },
        .init(
            "share_shed_worst_1m", "share",
            "Requests shed, of those that reached the origin in one minute of the report, in the minute where it is largest; minutes with fewer than \(WorstShare.least) count together with those that follow."
        ) {
            .init($0.worstShedShare)
        },
        .init("share_wasted", "share", "Services whose client had given up by their end, of those that ended.") {
            .init(Ratio.of($0[.wasted], to: $0[.completed]))
        },
        .init("retry_amplification", "ratio", "Requests that reached the edge over first tries: 1 without retries.") {
            .init(Ratio.of($0[.offered], to: $0[.firstAttempts]))
        },
    ]

    private static let latencies: [Self] = ServiceLatency.allCases.flatMap { latency -> [Self] in
        [
            .init("\(latency.name)_mean_s", "s", "The mean of \(latency.words).") {
                .init(latency.histogram(of: $0).mean)
            }
        ]
            + ServiceLatency.quantiles.map { name, q in
                .init("\(latency.name)_\(name)_s", "s", "The quantile \(q) of \(latency.words).") {
                    .init(ReportQuantile.seconds(q, of: latency.histogram(of: $0)))
                }
            }
            + WorstBin.allCases.flatMap { bin in
                WorstBin.quantiles.map { name, q in
                    .init(
                        "\(latency.name)_\(name)_worst_\(bin.name)_s", "s",
                        "The same quantile of those that ended in one \(bin.words), in the one where it is longest; those with fewer than \(WorstBin.least(for: q)) requests count together with those that follow."
                    ) {
                        .init($0.worstQuantile(q, of: latency, in: bin))
                    }
                }
            }
    }

    private static let rates: [Self] = [
        .init("origin_mean_per_s", "requests/s", "The mean rate of requests that reach the origin.") {
            .init(Ratio.of(Int128($0[.originRequests]) * 1_000_000, to: $0.span.microseconds))
        },
        .init("origin_peak_1m_per_s", "requests/s", "The same in the minute of the report that brings most of them.") {
            .init(Ratio.of($0.originPeakMinute, to: 60))
        },
        .init(
            "origin_peak_1s", "requests",
            "Requests that reach the origin in the largest window of 1s, sliding in steps of 0.1 s; missing for a pool that shares an endpoint with others by region."
        ) {
            .init($0.originWindows?[.second].sliding?.requests)
        },
    ]

    private static let month: [Self] = [
        .init(
            "requests_per_month", "requests",
            "Requests that reach the edge in a month of \(MonthlyUse.days) days like the report."
        ) {
            .init($0.perMonth($0[.offered] + $0[.backgroundOffered]))
        },
        .init("origin_requests_per_month", "requests", "Requests that reach the origin in such a month.") {
            .init($0.perMonth($0[.originRequests]))
        },
        .init("edge_gigabytes_per_month", "GB", "10⁹ bytes that edges send to devices in such a month.") {
            .init($0.perMonth($0[.edgeBytes]) / 1e9)
        },
        .init("origin_gigabytes_per_month", "GB", "10⁹ bytes that the origin sends to edges in such a month.") {
            .init($0.perMonth($0[.originBytes]) / 1e9)
        },
    ]

    /// The metrics of cost, in the scenario's currency: for each pool, and for all together.
    static func cost(currency: String) -> [Self] {
        [
            .init(
                "cost_servers_per_month", currency,
                "The mean servers for a month at the plan's price of an hour; a pool without a limit has no servers to pay for."
            ) {
                .number($0.serverCost)
            },
            .init(
                "cost_requests_per_month", currency,
                "The month's requests at the edge at the plan's price of a million."
            ) {
                .number($0.requestCost)
            },
            .init(
                "cost_bytes_per_month", currency,
                "The month's bytes, from the origin and from the edges, at the plan's price of a gigabyte."
            ) {
                .number($0.byteCost)
            },
            .init("cost_edge_bytes_per_month", currency, "Those of them that edges send to devices.") {
                .number($0.edgeByteCost)
            },
            .init("cost_origin_bytes_per_month", currency, "Those of them that the origin sends to edges.") {
                .number($0.originByteCost)
            },
            .init(
                "cost_pushes_per_month", currency,
                "The month's pushes that come to devices, to widgets and silent ones, at the plan's price of a million; missing of one pool among several."
            ) {
                .init($0.pushCost)
            },
            .init("cost_per_month", currency, "Servers, requests, bytes and pushes together.") {
                .number($0.serverCost + $0.requestCost + $0.byteCost + ($0.pushCost ?? 0))
            },
        ]
    }
}

/// The metrics of servers, simulated and by the closed form, for each pool.
///
/// The closed form assumes random arrivals and, but for Allen and Cunneen, exponential times of service with the plan's
/// mean.
extension SummaryMetric<PoolNeed> {
    static let servers: [Self] = use + closedForm + need

    /// The bounds that the closed form's servers must hold: the wait in seconds that 99 % of requests do not exceed,
    /// and the share that waits at all.
    static let wait = 0.05
    static let waitingShare = 0.2

    private static let use: [Self] = [
        .init("servers_mean", "servers", "The mean number of servers; missing without a limit.") {
            .init($0.counts.meanServers)
        },
        .init("utilisation_mean", "ratio", "Busy time over server time.") {
            .init(Ratio.of($0.counts[.busyTime], to: $0.counts.serverTime))
        },
        .init("utilisation_peak_1m", "ratio", "The same in the minute with most.") { .init($0.counts.peakUtilisation) },
        .init(
            "headroom", "ratio",
            "The share of the servers left in that minute, by its mean: 1 − its utilisation; missing where `over_capacity_s` is above 0."
        ) { need in
            .init((need.counts.secondsOverCapacity ?? 0) > 0 ? nil : need.counts.peakUtilisation.map { 1 - $0 })
        },
        .init(
            "over_capacity_s", "s",
            "Seconds in which more requests reached the pool than its servers and its rate limit can take, those of `outage_s` left out."
        ) { .count($0.counts.secondsOverCapacity) },
        .init(
            "outage_s", "s",
            "Seconds in which requests reached the pool and not one of its servers could begin any: an outage or a stall."
        ) {
            .count($0.counts.secondsOut)
        },
    ]

    private static let closedForm: [Self] = [
        .init(
            "offered_load_mean_erlangs", "erlangs", "The mean rate at the origin times the plan's mean time of service."
        ) { need in
            .init(need.serviceTime.map { need.meanRate * $0 } ?? 0)
        },
        .init("offered_load_peak_1m_erlangs", "erlangs", "The same in the minute with most requests.") { need in
            .init(need.serviceTime.map { need.peakRate * $0 } ?? 0)
        },
        .init(
            "share_waiting_erlang_c", "share",
            "Requests that wait at the mean servers, rounded down, and the mean rate by Erlang C, to stand beside `share_waited`."
        ) {
            .init($0.queue?.waitingShare)
        },
        .init(
            "queue_wait_mean_erlang_c_s", "s",
            "The mean wait by Erlang C, to stand beside `queue_wait_mean_s`; missing in an overload."
        ) {
            .init($0.queue?.meanWait)
        },
        .init(
            "queue_wait_mean_allen_cunneen_s", "s",
            "The same for the plan's variation of the time of service, by the approximation of Allen and Cunneen."
        ) { need in
            .init(
                need.queue.flatMap { queue in
                    need.variation.flatMap { GeneralQueue.approximateMeanWait(queue, service: $0) }
                })
        },
        .init(
            "queue_wait_p99_erlang_c_s", "s",
            "The quantile 0.99 by Erlang C, to stand beside `queue_wait_p99_s`; missing in an overload."
        ) {
            .init($0.queue?.waitQuantile(0.99))
        },
    ]

    private static let need: [Self] = [
        .init(
            "servers_erlang_c_wait_p99_50ms", "servers",
            "The least servers by Erlang C with which 99 % of the requests of the minute with most wait at most 0.05 s if they come at random; missing if service takes no time, and where the run contradicts it: over capacity, or a second with far more than the minute's mean."
        ) {
            .init($0.leastServers(.wait(quantile: 0.99, atMost: wait)))
        },
        .init("servers_erlang_c_n_plus_1", "servers", "The same with one server out: one more, by Erlang C.") {
            .init($0.leastServers(.wait(quantile: 0.99, atMost: wait), failed: 1))
        },
        .init("servers_erlang_c_n_plus_2", "servers", "The same with two servers out: two more, by Erlang C.") {
            .init($0.leastServers(.wait(quantile: 0.99, atMost: wait), failed: 2))
        },
        .init(
            "servers_erlang_c_waiting_20pct", "servers",
            "The least servers by Erlang C with which at most 20 % of that minute's requests wait; missing likewise."
        ) {
            .init($0.leastServers(.waitingShare(waitingShare)))
        },
        .init("servers_square_root_waiting_20pct", "servers", "The same by the square-root rule of Halfin and Whitt.") {
            need in
            .init(
                (need.isContradicted ? nil : need.serviceTime).map {
                    Int64(Staffing.squareRootServers(load: need.peakRate * $0, waitingShare: waitingShare))
                })
        },
    ]
}

/// The metrics of what the service means to the fleet: for the run.
extension SummaryMetric<UseCounts> {
    static let serviceUse: [Self] = [
        .init(
            "share_reloads_ended_well", "share",
            "Reloads that brought a timeline, of those that ran to an end: what people get."
        ) {
            .init(Ratio.of($0.reloads.ended(.ok), to: $0.reloads.ended(.ok) + $0.reloads.failed))
        }
    ]
}

/// The bins among which the worst one is sought: whole ones of the report, from its beginning.
enum WorstBin: CaseIterable, Sendable {
    case minute, quarter

    /// As metrics name it.
    var name: String {
        switch self {
        case .minute: "1m"
        case .quarter: "15m"
        }
    }

    var words: String {
        switch self {
        case .minute: "minute"
        case .quarter: "quarter of an hour"
        }
    }

    var minutes: Int {
        switch self {
        case .minute: 1
        case .quarter: 15
        }
    }

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

/// The times that are measured of each pool.
enum ServiceLatency: CaseIterable, Sendable {
    case queueWait, originTime, responseTime

    /// Those that are stated, as metrics name them.
    static let quantiles: [(name: String, q: Double)] = [("p50", 0.5), ("p95", 0.95), ("p99", 0.99), ("p999", 0.999)]

    var name: String {
        switch self {
        case .queueWait: "queue_wait"
        case .originTime: "origin_time"
        case .responseTime: "response_time"
        }
    }

    var words: String {
        switch self {
        case .queueWait: "the waits of admitted requests for a server"
        case .originTime: "the times from a request's arrival at the pool to the end of its service"
        case .responseTime: "the times from the sending of a request that was served to the answer at the device"
        }
    }

    func histogram(of counts: ServiceCounts) -> LatencyHistogram {
        switch self {
        case .queueWait: counts.waits
        case .originTime: counts.originTimes
        case .responseTime: counts.responseTimes
        }
    }
}
