import Basics
import RefreshService
import Statistics

/// A column of `service.csv` that adds up, with the field that it writes. The same figure of the whole report is a
/// metric of the summary.
struct ServiceFlow: Sendable {
    let name: String
    /// Nil for requests.
    let unit: String?
    let meaning: String
    let field: ServiceField
    /// Whether the field is a time, in microseconds.
    let isTime: Bool

    private static func count(_ name: String, unit: String? = nil, _ field: ServiceField, _ meaning: String)
        -> ServiceFlow
    {
        ServiceFlow(name: name, unit: unit, meaning: meaning, field: field, isTime: false)
    }

    private static func time(_ name: String, _ field: ServiceField, _ meaning: String) -> ServiceFlow {
        ServiceFlow(name: name, unit: "s", meaning: meaning, field: field, isTime: true)
    }

    static let all = [
        count("offered", .offered, "Requests of the fleet that reached the edge."),
        count("first_attempts", .firstAttempts, "Those of them that were first tries."),
        count("retries", .retries, "Those of them that were further tries (S3)."),
        count("hits", .hits, "Requests answered with a fresh object of the edge."),
        count("collapsed", .collapsed, "Requests that waited for another's fetch."),
        count(
            "stale_while_revalidate", .staleWhileRevalidate,
            "Requests answered with a stale object while a new one was fetched."),
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
        count("served", .served, "Requests of the fleet that ended with content in time."),
        count("refused", .refused, "Requests of the fleet that ended with an error in time."),
        count("timed_out", .timedOut, "Requests of the fleet that their client gave up (S3)."),
        time(
            "queue_s", .queueTime,
            "The time that admitted requests waited in the queue, each until its turn or until its client gave up; over `admitted` it is the mean wait."
        ),
        time("busy_s", .busyTime, "The time that requests were on servers."),
        count("edge_bytes", unit: "bytes", .edgeBytes, "Bytes that edges sent to devices."),
        count("origin_bytes", unit: "bytes", .originBytes, "Bytes that the origin sent to edges."),
        count("waited", .waited, "Admitted requests that found no free server and had to wait."),
        count("evicted", .evicted, "Objects that an edge without room threw out."),
        count("background_offered", .backgroundOffered, "Requests from outside the fleet that reached the edge (S4)."),
        count(
            "background_hits", .backgroundHits,
            "Those of them that the edge answered at once; they are among the hits and the stale ones."),
        count("background_served", .backgroundServed, "Those that ended with content in time."),
        count("background_refused", .backgroundRefused, "Those that ended with an error in time."),
        count("background_timed_out", .backgroundTimedOut, "Those that their client gave up."),
        time(
            "queue_slot_s", .queueSlotTime,
            "The time that requests took up room in the queue, until their turn whether their client had given up or not."
        ),
    ]

    func value(of count: Int64) -> MetricValue { isTime ? .millionths(Int128(count)) : .count(count) }
}
