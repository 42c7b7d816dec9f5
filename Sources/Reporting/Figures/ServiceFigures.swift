import Basics
import RefreshService

/// The counts of a service's requests: of some pools, regions and minutes together.
struct ServiceTotals: Sendable {
    /// In the order of `ServiceField`.
    private(set) var counts = [Int64](repeating: 0, count: ServiceField.allCases.count)

    subscript(_ field: ServiceField) -> Int64 {
        get { counts[field.rawValue] }
        set { counts[field.rawValue] = newValue }
    }

    static func += (sum: inout ServiceTotals, other: ServiceTotals) {
        for i in sum.counts.indices { sum.counts[i] += other.counts[i] }
    }

    var shed: Int64 { self[.shedByRate] + self[.shedByQueue] }
    var failed: Int64 { self[.refused] + self[.timedOut] }
    /// Requests that ended for their clients.
    var ended: Int64 { self[.served] + failed }
    var backgroundEnded: Int64 { self[.backgroundServed] + self[.backgroundRefused] + self[.backgroundTimedOut] }
}

extension ServiceMeasures {
    func counts(pools: some Sequence<Int>, regions: Range<Int>, minutes: Range<Int>) -> ServiceTotals {
        var counts = ServiceTotals()
        for pool in pools {
            for region in regions {
                for minute in minutes {
                    for field in ServiceField.allCases {
                        counts[field] += self[field, pool: pool, region: region, minute: minute]
                    }
                }
            }
        }
        return counts
    }
}

extension Figures<ServiceTotals> {
    /// Every field, in their order: the columns of `service.csv` that add up, and metrics of the summary.
    static let flows: Self = [requests, amounts, background]

    private static func requests(_ field: ServiceField, _ meaning: String) -> Self {
        count(field.name, unit: "requests", { $0[field] }, meaning)
    }

    private static func time(_ name: String, _ field: ServiceField, _ meaning: String) -> Self {
        amount(name, "s", { Int128($0[field]) }, meaning)
    }

    private static let requests: Self = [
        requests(.offered, "Requests of the fleet that reached the edge."),
        requests(.firstAttempts, "Those of them that were first tries."),
        requests(.retries, "Those of them that were further tries (S3)."),
        requests(.hits, "Requests answered with a fresh object of the edge."),
        requests(.collapsed, "Requests that waited for another's fetch."),
        requests(.staleWhileRevalidate, "Requests answered with a stale object while a new one was fetched."),
        requests(.staleIfError, "Requests answered with a stale object in place of an error."),
        requests(.originRequests, "Requests that reached the origin, fetches of the edge included."),
        requests(.revalidations, "Those of them that were fetches behind a stale object."),
        requests(.admitted, "Requests that reached the origin and were admitted to the pool."),
        requests(
            .shedByRate, "Those that the rate limit shed, or that a server of a user's own refused by a limit (S9)."),
        requests(
            .shedByQueue, "Those that were shed because the queue was full, or a server of a user's own had no room."),
        requests(
            .lostInOutage, "Those that were refused or lost in an outage (S4), or that a server of a user's own lost."),
        requests(.completed, "Requests whose service was over."),
        requests(.wasted, "Those of them whose client had given up by then."),
        requests(
            .dropped, "Admitted requests dropped because their client had given up, or by a server of a user's own."),
        requests(.served, "Requests of the fleet that ended with content in time."),
        requests(.refused, "Requests of the fleet that ended with an error in time."),
        requests(.timedOut, "Requests of the fleet that their client gave up (S3)."),
    ]

    private static let amounts: Self = [
        time(
            "queue_s", .queueTime,
            "The time that admitted requests waited in the queue, each until its turn or until its client gave up; over `admitted` it is the mean wait."
        ), time("busy_s", .busyTime, "The time that requests were on servers."),
        count("edge_bytes", unit: "bytes", { $0[.edgeBytes] }, "Bytes that edges sent to devices."),
        count("origin_bytes", unit: "bytes", { $0[.originBytes] }, "Bytes that the origin sent to edges."),
        requests(.waited, "Admitted requests that found no free server and had to wait."),
        requests(.evicted, "Objects that an edge without room threw out."),
    ]

    private static let background: Self = [
        requests(.backgroundOffered, "Requests from outside the fleet that reached the edge (S4)."),
        requests(
            .backgroundHits,
            "Those of them that the edge answered at once; they are among the hits and the stale ones."),
        requests(.backgroundServed, "Those that ended with content in time."),
        requests(.backgroundRefused, "Those that ended with an error in time."),
        requests(.backgroundTimedOut, "Those that their client gave up."),
        time(
            "queue_slot_s", .queueSlotTime,
            "The time that requests took up room in the queue, until their turn whether their client had given up or not."
        ),
        requests(
            .notModified, "Answers in time that told their client that it had the content already (S10)."),
        requests(.originNotModified, "Completed requests whose answer told who asked the same."),
    ]
}

/// The figures of the windows of one width.
extension Figures<WindowLoad> {
    /// - Parameters:
    ///   - noun: what the windows hold.
    ///   - width: the width, in words.
    static func sliding(
        _ name: String, _ noun: String = "requests", of width: String = "the width", spread: MetricSpread = .unknown
    ) -> Self {
        value(
            name, noun, spread: spread, \.sliding?.requests,
            "The \(noun) in the largest window of \(width), sliding in steps of 0.1 s.")
    }

    static func aligned(_ name: String, of width: String = "the width") -> Self {
        value(
            name, "requests", spread: .unknown, \.aligned?.requests,
            "The requests in the largest aligned window of \(width).")
    }

    /// The spread of the aligned windows.
    ///
    /// - Parameter name: the name of a figure from its beginning, and its end in a table.
    static func spread(of width: String = "the width", _ name: (_ figure: String, _ end: String) -> String) -> Self {
        func ranked(_ percent: String, _ quantile: String, _ rank: @escaping @Sendable (WindowLoad) -> Int64?) -> Self {
            value(
                name(quantile, "_requests"), "requests", spread: .unknown, rank,
                "\(percent) % of the aligned windows of \(width) hold at most so many requests.")
        }
        return [
            ranked("99", "p99", \.p99), ranked("99.9", "p999", \.p999),
            value(
                name("peak_to_mean", ""), "ratio", spread: .unknown, \.peakToMean,
                "The largest aligned window of \(width) over the mean one."),
            value(
                name("dispersion", ""), "ratio", spread: .unknown, \.dispersion,
                "The index of dispersion: variance over mean of the aligned windows of \(width); 1 for requests at random."
            ),
        ]
    }
}
