import Measures
import RefreshService
import SimulatedTime

extension ReportTable {
    private static let onlyWithService = " The file is there only if the scenario has a service (S2)."

    static let service = ReportTable(
        "service",
        "What one pool had to do with the requests of one edge region in one bin a row. A region from which the pool had no request in the whole report has"
            + " no rows; every other one has a row for each bin, so that curves have no gaps." + onlyWithService,
        [.binStart, .binStartUTC, .servicePool, .region]
            + ServiceFlow.all.map(\.column) + [
                .derived(
                    "in_flight", type: .integer, optional: false,
                    "Requests that reached the edge and have not ended at the end of the bin; they add up over regions and pools of one bin."
                ),
                .derived(
                    "queue_mean", optional: false,
                    "The mean number of requests in the queue: their time in it over the bin's length; it adds up as they do."),
                .derived(
                    "utilisation",
                    "The busy time over the server time of the pool, whoever asked: it adds up over the regions of one pool and bin. Empty without server time."
                ),
                .derived(
                    "servers", type: .integer,
                    "The pool's servers at the end of the bin, the same in the rows of all regions; empty without a limit."),
                .derived(
                    "longest_queue", type: .integer, adds: .maximum, optional: false,
                    "Requests in the pool's queue when it was longest, the same in the rows of all regions."),
            ])

    static let serviceLatencies = ReportTable(
        "service_latencies",
        "How long requests of one pool took in one stage a row. Quantiles are within 1/128 of the value. Rows without requests are left out."
            + onlyWithService,
        [
            .servicePool,
            .key(
                "measure", "What is measured: " + ServiceLatency.allCases.map { "`\($0.name)`, \($0.words)" }.joined(separator: "; ") + "."),
            .count("requests", "Requests measured."),
            .derived("mean_s", unit: "s", optional: false, "Their mean."),
        ]
            + serviceQuantiles.map { name, q in
                .derived("\(name)_s", unit: "s", optional: false, "The share \(q) of them took at most this long.")
            } + [.derived("longest_s", unit: "s", adds: .maximum, optional: false, "The longest one.")])

    static let serviceQuantiles = [("p50", 0.5), ("p90", 0.9), ("p95", 0.95), ("p99", 0.99), ("p999", 0.999)]

    static let serviceEvents = ReportTable(
        "service_events",
        "How one pool came back after one event of the service a row, in the order of the scenario (S4). Events that were not over in the run have no row."
            + onlyWithService,
        [
            .key("event", "The event's name."),
            .servicePool,
            .derived(
                "end_s", unit: "s", optional: false, "When the event was over, from the start of the report; negative in the warm-up."),
            .derived("end_utc", type: .datetime, optional: false, "The same instant in UTC."),
            .derived(
                "queue_empty_after_s", unit: "s",
                "From then until nobody waited in the pool's queue for the first time; empty if that never came."),
            .derived(
                "healthy_after_s", unit: "s",
                "From then until a minute began in which at most a hundredth of the requests that ended were not served; empty if there was none before the next event or the end of the run."
            ),
        ])

    static let serviceSummary = ReportTable(
        "service_summary",
        "One figure of one pool, or of all together, a row: what was simulated, and beside it what the closed forms of queues say of the same load."
            + onlyWithService,
        [
            .key(
                "metric",
                "The metric's name. Thresholds refer to it as `service.<pool>.<metric>`, for all pools together as `service.<metric>`."),
            .key("pool", "The origin pool; `\(ServiceRow.allName)` for all together."),
            .derived(
                "unit", type: .string, optional: false,
                "The unit of the value; `share` for a part of a whole (0 to 1), `ratio` for a plain number, the plan's currency for costs."),
            .derived("value", "The value; empty where it is not defined."),
        ])
}

/// A column of `service.csv` that adds up, with the field that it writes. The same figure of the whole report is a metric of `service_summary.csv`.
struct ServiceFlow: Sendable {
    let column: Column
    let field: ServiceField

    private static func count(_ name: String, _ field: ServiceField, _ meaning: String) -> ServiceFlow {
        ServiceFlow(column: .count(name, meaning), field: field)
    }

    static let all =
        [
            count("offered", .offered, "Requests that reached the edge."),
            count("first_attempts", .firstAttempts, "Those of them that were first tries."),
            count("retries", .retries, "Those of them that were further tries (S3)."),
            count("hits", .hits, "Requests answered with a fresh object of the edge."),
            count("collapsed", .collapsed, "Requests that waited for another's fetch."),
            count("stale_while_revalidate", .staleWhileRevalidate, "Requests answered with a stale object while a new one was fetched."),
            count("stale_if_error", .staleIfError, "Requests answered with a stale object in place of an error."),
            count("origin_requests", .originRequests, "Requests that reached the origin, fetches of the edge included."),
            count("revalidations", .revalidations, "Those of them that were fetches behind a stale object."),
            count("admitted", .admitted, "Requests that reached the origin and were admitted to the pool."),
            count("shed_by_rate", .shedByRate, "Those that the rate limit shed."),
            count("shed_by_queue", .shedByQueue, "Those that were shed because the queue was full."),
            count("lost_in_outage", .lostInOutage, "Those that were refused or lost in an outage (S4)."),
            count("completed", .completed, "Requests whose service was over."),
            count("wasted", .wasted, "Those of them whose client had given up by then."),
            count("dropped", .dropped, "Admitted requests dropped because their client had given up."),
            count("served", .served, "Requests that ended with content in time."),
            count("refused", .refused, "Requests that ended with an error in time."),
            count("timed_out", .timedOut, "Requests that their client gave up (S3)."),
            ServiceFlow(
                column: .amount("queue_s", unit: "s", "The time that admitted requests stood in the queue."), field: .queueTime),
            ServiceFlow(column: .amount("busy_s", unit: "s", "The time that requests were on servers."), field: .busyTime),
            ServiceFlow(column: .count("edge_bytes", unit: "bytes", "Bytes that edges sent to devices."), field: .edgeBytes),
            ServiceFlow(column: .count("origin_bytes", unit: "bytes", "Bytes that the origin sent to edges."), field: .originBytes),
        ]

    func value(of count: Int64) -> MetricValue { column.type == .number ? .millionths(Int128(count)) : .count(count) }
}

extension RunReport {
    /// The measures of the service, with the plan that names their pools and events. Only for the tables of a service.
    private var served: (measures: ServiceMeasures, plan: RefreshPlan) {
        guard let measures = result.service, let plan = result.scenario.service else {
            preconditionFailure("a table of a service without one")
        }
        return (measures, plan)
    }

    func writeService(_ csv: inout CSVWriter) throws(OutputProblem) {
        let (measures, plan) = served
        /// A pool and a region with requests in the report, and how many are in flight.
        struct Line {
            let pool, region: Int
            var inFlight: Int64
        }
        var lines: [Line] = []
        for pool in 0..<measures.pools {
            for region in 0..<measures.regions {
                let carriedIn = measures.carriedIn[pool * measures.regions + region]
                let counts = measures.counts(pools: [pool], regions: region..<region + 1, minutes: 0..<measures.minutes)
                if carriedIn != 0 || counts.contains(where: { $0 != 0 }) {
                    lines.append(Line(pool: pool, region: region, inFlight: carriedIn))
                }
            }
        }
        for first in stride(from: 0, to: measures.minutes, by: minutesPerBin) {
            let start = Duration.minutes(Int64(first))
            let minutes = first..<min(first + minutesPerBin, measures.minutes)
            let length = min(result.scenario.loadBin, result.scenario.reportedSpan - start).microseconds
            let time = utc(after: start)
            for i in lines.indices {
                let (pool, region) = (lines[i].pool, lines[i].region)
                let counts = measures.counts(pools: [pool], regions: region..<region + 1, minutes: minutes)
                func count(_ field: ServiceField) -> Int64 { counts[field.rawValue] }
                lines[i].inFlight += count(.offered) - count(.served) - count(.refused) - count(.timedOut)
                csv.integer(start.microseconds / 1_000_000)
                csv.plain(time, as: .datetime)
                csv.text(plan.pools[pool].name)
                csv.text(names.regions[region])
                for flow in ServiceFlow.all { csv.value(flow.value(of: count(flow.field))) }
                csv.integer(lines[i].inFlight)
                csv.number(Ratio.of(count(.queueTime), to: length))
                csv.number(Ratio.of(count(.busyTime), to: minutes.reduce(0) { $0 + measures[.serverTime, pool: pool, minute: $1] }))
                csv.integer(plan.pools[pool].servers.map { _ in measures[.servers, pool: pool, minute: minutes.upperBound - 1] })
                csv.integer(minutes.reduce(0) { max($0, measures[.longestQueue, pool: pool, minute: $1]) })
                try csv.endRow()
            }
        }
    }

    func writeServiceLatencies(_ csv: inout CSVWriter) throws(OutputProblem) {
        let (measures, plan) = served
        for (i, pool) in plan.pools.enumerated() {
            for latency in ServiceLatency.allCases {
                let histogram = latency.histogram(of: measures, pool: i)
                if histogram.total == 0 { continue }
                csv.text(pool.name)
                csv.plain(latency.name)
                csv.integer(histogram.total)
                csv.number(histogram.mean)
                for (_, q) in ReportTable.serviceQuantiles { csv.number(histogram.quantile(q)) }
                csv.millionths(Int128(histogram.largest.microseconds))
                try csv.endRow()
            }
        }
    }

    func writeServiceEvents(_ csv: inout CSVWriter) throws(OutputProblem) {
        let (measures, plan) = served
        for recovery in measures.recoveries {
            let end = recovery.end - measures.reportFrom
            csv.text(plan.events[recovery.event].name)
            csv.text(plan.pools[recovery.pool].name)
            csv.millionths(Int128(end.microseconds))
            csv.plain(utc(after: end), as: .datetime)
            for instant in [recovery.queueEmptyAt, recovery.healthyAt] {
                if instant == .never { csv.missing() } else { csv.millionths(Int128((instant - recovery.end).microseconds)) }
            }
            try csv.endRow()
        }
    }

    func writeServiceSummary(_ csv: inout CSVWriter) throws(OutputProblem) {
        for row in service {
            csv.text(row.metric)
            csv.text(row.pool)
            csv.text(row.unit)
            csv.value(row.value)
            try csv.endRow()
        }
    }
}

extension ServiceLatency {
    func histogram(of measures: ServiceMeasures, pool: Int) -> LatencyHistogram {
        switch self {
        case .queueWait: measures.waits[pool]
        case .originTime: measures.originTimes[pool]
        case .responseTime: measures.responseTimes[pool]
        }
    }
}
