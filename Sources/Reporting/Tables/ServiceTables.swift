import ResultFiles
import Basics
import RefreshService
import Statistics

extension RunTable {
    private static let onlyWithService = " The file is there only if the scenario has a service (S2)."

    static let service: RunTable = RunTable(
        "service",
        "The requests of one edge region that concern one pool, in one bin a row. A region from which the pool had no request in the whole report has"
            + " no rows; every other one has a row for each bin, so that curves have no gaps." + onlyWithService,
        [
            .bin(\.start), .servicePool(\.pool), .region(\.region), .figures(\.counts, .flows),
            .derived(
                "in_flight",
                "Requests of the fleet that reached the edge and have not ended at the end of the bin; they add up over regions and pools of one bin.",
                \.inFlight),
            .derived("background_in_flight", "The same of requests from outside the fleet.", \.backgroundInFlight),
            .derived(
                "queue_mean",
                "The mean number of requests in the queue: `queue_slot_s` over the bin's length; it adds up as they do.",
                \.meanQueue),
            .derived(
                "utilisation",
                "The busy time over the server time of the pool, whoever asked: it adds up over the regions of one pool and bin. Empty without server time."
            ) { Ratio.of($0.counts[.busyTime], to: $0.serverTime) },
            .derived(
                "servers",
                "The pool's servers at the end of the bin, the same in the rows of all regions; empty without a limit.",
                \.servers),
            .derived(
                "longest_queue", adds: .maximum,
                "Requests in the pool's queue when it was longest, the same in the rows of all regions.", \.longestQueue
            ),
        ]
    ) { (report, add: Table<ServiceBin>.RowSink) throws(OutputProblem) in
        let (measures, plan) = report.served
        var lines = ServiceLine.all(of: measures)
        for (start, minutes) in report.bins(minutes: measures.minutes) {
            let length = min(report.result.scenario.loadBin, report.span - start.time)
            for i in lines.indices {
                let (pool, region) = (lines[i].pool, lines[i].region)
                let counts = measures.counts(pools: [pool], regions: region..<region + 1, minutes: minutes)
                lines[i].pass(counts)
                try add(
                    ServiceBin(
                        start: start, length: length, pool: plan.pools[pool].name, region: report.names.regions[region],
                        counts: counts, inFlight: lines[i].inFlight, backgroundInFlight: lines[i].backgroundInFlight,
                        serverTime: minutes.reduce(0) { $0 + measures[.serverTime, pool: pool, minute: $1] },
                        servers: plan.pools[pool].servers.map { _ in
                            measures[.servers, pool: pool, minute: minutes.upperBound - 1]
                        }, longestQueue: minutes.reduce(0) { max($0, measures[.longestQueue, pool: pool, minute: $1]) })
                )
            }
        }
    }

    static let serviceLatencies: RunTable = RunTable(
        "service_latencies",
        "How long requests of one pool took in one stage a row. Quantiles are within 1/128 of the value. Rows without requests are left out."
            + onlyWithService,
        [
            .servicePool(\.pool), .key("measure", ServiceLatency.columnMeaning) { $0.latency.name },
            .sum("requests", "Requests measured.", \.histogram.total),
            .derived("mean_s", unit: "s", "Their mean.") { $0.histogram.mean! },
            .quantiles(ServiceLatency.quantiles + [("p90", 0.9)]) { ReportQuantile.seconds($1, of: $0.histogram)! },
            .derived("longest_s", unit: "s", adds: .maximum, "The longest one.", \.histogram.largest),
        ]
    ) { (report) -> [(pool: String, latency: ServiceLatency, histogram: LatencyHistogram)] in
        let (measures, plan) = report.served
        return plan.pools.enumerated().flatMap { i, pool in
            ServiceLatency.allCases.map { (pool.name, $0, measures[$0, pool: i].whole) }
        }.filter { $0.histogram.total > 0 }
    }

    static let serviceLatencyBins: RunTable = RunTable(
        "service_latency_bins",
        "How long requests of one pool took in one stage in one bin a row: a latency counts in the bin in which it ended, that of an answer in the one in which it left the edge. Quantiles"
            + " are within 1/32 of the value. Rows without requests are left out." + onlyWithService,
        [
            .bin(\.start), .servicePool(\.pool), .key("measure", ServiceLatency.columnMeaning) { $0.latency.name },
            .sum("requests", "Requests measured.", \.distribution.total),
            .quantiles(ServiceLatency.quantiles) { ReportQuantile.seconds($1, of: $0.distribution)! },
            .derived("longest_s", unit: "s", adds: .maximum, "The longest one.", \.distribution.longest),
        ]
    ) { (report) in
        let (measures, plan) = report.served
        return report.bins(minutes: measures.minutes).lazy.flatMap { start, minutes in
            plan.pools.enumerated().flatMap { i, pool in
                ServiceLatency.allCases.map { latency -> LatencyBin in
                    (start, pool.name, latency, measures[latency, pool: i].byMinute.distribution(of: minutes))
                }
            }.filter { $0.distribution.total > 0 }
        }
    }

    static let serviceEvents: RunTable = RunTable(
        "service_events",
        "How one pool came back after one event of the service a row, in the order of the scenario (S4). Events that were not over in the run have no row."
            + onlyWithService,
        [
            .key("event", "The event's name.", \.event), .servicePool(\.pool),
            .derived(
                "start_s", unit: "s", "When the event began, from the start of the report; negative in the warm-up.",
                \.start.time), .clocks(of: "start", \.start),
            .derived(
                "end_s", unit: "s", "When the event was over, from the start of the report; negative in the warm-up.",
                \.end.time), .clocks(of: "end", \.end),
            .derived(
                "queue_empty_after_s", unit: "s",
                "From then until nobody waited in the pool's queue for the first time; empty if that never came.",
                \.queueEmptyAfter),
            .derived(
                "healthy_after_s", unit: "s",
                "From then until a minute began in which requests of the pool ended and at most a hundredth of them were not served; empty if there was none before the next event or the end of the run. `service_incidents` has the failures from the beginning on, by region.",
                \.healthyAfter),
        ]
    ) { (report) -> [EventRecovery] in
        let (measures, plan) = report.served
        return measures.recoveries.map { recovery in
            func after(_ instant: Instant) -> Duration? { instant == .never ? nil : instant - recovery.end }
            return EventRecovery(
                event: plan.events[recovery.event].name, pool: plan.pools[recovery.pool].name,
                start: report.instant(after: plan.events[recovery.event].from - measures.reportFrom),
                end: report.instant(after: recovery.end - measures.reportFrom),
                queueEmptyAfter: after(recovery.queueEmptyAt), healthyAfter: after(recovery.healthyAt))
        }
    }

    static let failover: RunTable = RunTable(
        "failover",
        "The load of one region that others fail over to, in one bin a row (S7). The file is there only if the scenario has a `failover`; `service` has the region's hits, queue and shed requests.",
        [
            .bin(\.start), .key("region", "The region that receives.", \.region),
            .sum("requests", "Requests that reached its edge, those from outside the fleet included.") {
                $0[.requests]
            },
            .sum("moved", "Those of them from devices of other regions, which have failed over.") { $0[.moved] },
            .derived("share_moved", "Their share; empty without requests.") { Ratio.of($0[.moved], to: $0[.requests]) },
            .derived(
                "largest_second_requests", unit: "requests", adds: .maximum,
                "The requests of the bin's largest whole second."
            ) { $0[.largestSecond] },
            .derived(
                "largest_second_moved",
                "Those of them from devices of other regions: the part of it that the failover causes."
            ) { $0[.movedInLargest] },
            .derived(
                "largest_second_start_s", unit: "s",
                "When that second begins, from the start of the report; empty without requests."
            ) { $0.largestSecond },
        ]
    ) { (report) -> [ReceiverBin] in
        let (measures, plan) = report.served
        return report.bins(minutes: measures.minutes).flatMap { start, minutes in
            plan.receivers.enumerated().map { receiver, region in
                ReceiverBin(
                    start: start, region: report.names.regions[region], measures, receiver: receiver, minutes: minutes)
            }
        }
    }
}

private typealias LatencyBin = (
    start: ReportInstant, pool: String, latency: ServiceLatency, distribution: LatencyDistribution
)

/// The load of a region that others fail over to in one bin.
private struct ReceiverBin {
    let start: ReportInstant
    let region: String
    /// In the order of `ReceiverField`; the largest second is that of all minutes, of equal ones the first.
    private var counts: [Int64]
    /// From the start of the report; nil without requests.
    let largestSecond: Int64?

    init(start: ReportInstant, region: String, _ measures: ServiceMeasures, receiver: Int, minutes: Range<Int>) {
        (self.start, self.region) = (start, region)
        func count(_ field: ReceiverField, _ minute: Int) -> Int64 {
            measures[field, receiver: receiver, minute: minute]
        }
        var largest = minutes.lowerBound
        for minute in minutes where count(.largestSecond, minute) > count(.largestSecond, largest) { largest = minute }
        counts = ReceiverField.allCases.map { count($0, largest) }
        for field in [ReceiverField.requests, .moved] {
            counts[field.rawValue] = minutes.reduce(0) { $0 + count(field, $1) }
        }
        largestSecond =
            count(.largestSecond, largest) == 0 ? nil : Int64(largest) * 60 + count(.secondOfLargest, largest)
    }

    subscript(_ field: ReceiverField) -> Int64 { counts[field.rawValue] }
}

/// The requests of one region that concern one pool in one bin.
private struct ServiceBin {
    let start: ReportInstant
    let length: Duration
    let pool, region: String
    let counts: ServiceTotals
    let inFlight, backgroundInFlight: Int64
    /// The server time of the pool, whoever asked.
    let serverTime: Int64
    let servers: Int64?
    let longestQueue: Int64

    var meanQueue: Double { Double(counts[.queueSlotTime]) / Double(length.microseconds) }
}

/// A pool and a region with requests in the report, and how many of them are in flight.
private struct ServiceLine {
    let pool, region: Int
    private(set) var inFlight: Int64
    private(set) var backgroundInFlight: Int64

    /// At the start of the report.
    static func all(of measures: ServiceMeasures) -> [ServiceLine] {
        var lines: [ServiceLine] = []
        for pool in 0..<measures.pools {
            for region in 0..<measures.regions {
                let carriedIn = measures.carriedIn[pool * measures.regions + region]
                let counts = measures.counts(pools: [pool], regions: region..<region + 1, minutes: 0..<measures.minutes)
                let outside = measures.backgroundCarriedIn[pool * measures.regions + region]
                if carriedIn != 0 || outside != 0 || counts.counts.contains(where: { $0 != 0 }) {
                    lines.append(
                        ServiceLine(pool: pool, region: region, inFlight: carriedIn, backgroundInFlight: outside))
                }
            }
        }
        return lines
    }

    /// Moves on over a bin with these counts.
    mutating func pass(_ counts: ServiceTotals) {
        inFlight += counts[.offered] - counts.ended
        backgroundInFlight += counts[.backgroundOffered] - counts.backgroundEnded
    }
}

/// How one pool came back after one event.
private struct EventRecovery {
    let event, pool: String
    let start, end: ReportInstant
    let queueEmptyAfter, healthyAfter: Duration?
}

extension RunReport {
    /// The measures of the service, with the plan that names their pools and events. Only for the tables of a service.
    fileprivate var served: (measures: ServiceMeasures, plan: RefreshPlan) {
        guard let measures = result.service, let plan = result.scenario.service else {
            preconditionFailure("a table of a service without one")
        }
        return (measures, plan)
    }
}

extension ServiceLatency {
    /// The meaning of the column `measure`.
    fileprivate static let columnMeaning =
        "The measure: " + allCases.map { "`\($0.name)`, \($0.words)" }.joined(separator: "; ") + "."
}

extension Columns {
    fileprivate static func quantiles(
        _ quantiles: [(name: String, q: Double)], _ seconds: @escaping @Sendable (Row, Double) -> Double
    ) -> Self {
        .several(
            quantiles.sorted { $0.q < $1.q }.map { name, q in
                .derived("\(name)_s", unit: "s", "The share \(q) of them took at most this long.") { seconds($0, q) }
            })
    }
}
