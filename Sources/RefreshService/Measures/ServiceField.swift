import Basics
import Statistics

/// The counts of a pool and a region in each minute of the report. Every field adds over minutes, regions and pools.
///
/// Offered, tries, served, refused and timed out are the fleet's; what comes from outside has fields of its own for
/// these. All else is of both.
///
/// Each request is counted where its own instants lie: offered when it reaches the edge, served or refused when its
/// answer leaves the edge, timed out when its client gives up. So at every instant offered = served + refused + timed
/// out + in flight, cumulated from the run's start.
public enum ServiceField: Int, CaseIterable, NamedCase, Sendable {
    /// Requests that reached the edge, and those of them that were first tries and further ones.
    case offered, firstAttempts, retries
    /// Fresh objects served at the edge; requests that waited for another's fetch; stale objects served while a new one
    /// is fetched, and in place of an error.
    case hits, collapsed, staleWhileRevalidate, staleIfError
    /// Requests that reached the origin, when they reached their pool: those passed on, fetches for a miss, and fetches
    /// behind a stale object; the latter alone.
    case originRequests, revalidations
    /// The outcomes of those: admitted to the pool; shed by the rate limit; shed because the queue was full; refused or
    /// lost in an outage, the admitted ones among them that waited or were being served when it began. So each is in
    /// the end completed, dropped, shed or lost in an outage, once.
    case admitted, shedByRate, shedByQueue, lostInOutage
    /// Requests whose service was over, those of them whose client had given up by then, and admitted ones that were
    /// dropped because it had. A fetch's client is the one that set it off; one behind a stale object has none.
    case completed, wasted, dropped
    /// How requests ended for their clients, each offered one once: with content in time, with an error in time,
    /// without an answer in time.
    case served, refused, timedOut
    /// Microseconds in this minute that admitted requests waited in the queue, each until its turn or until its client
    /// gave up, and that they were on servers.
    case queueTime, busyTime
    /// Bytes of content that edges sent to devices in time, and that the origin sent to edges.
    case edgeBytes, originBytes
    /// Admitted requests that found no free server and had to wait.
    case waited
    /// Objects that an edge without room threw out for another.
    case evicted
    /// Requests from outside the fleet (S4): that reached the edge, that it answered at once, and how they ended, each
    /// offered one once.
    case backgroundOffered, backgroundHits, backgroundServed, backgroundRefused, backgroundTimedOut
    /// Microseconds that requests took up room in the queue: as `queueTime`, but each until its turn, its client's
    /// patience or not.
    case queueSlotTime
    /// Answers in time that said that their client had the version in force, and services that were over and had nothing
    /// newer for who asked (S10).
    case notModified, originNotModified

    /// Those that a fingerprint has only where they are not all zero.
    static let whereCounted: [ServiceField] = [.notModified, .originNotModified]
}

/// The counts of a pool in each minute, whoever asked.
public enum PoolMinute: Int, CaseIterable, Sendable {
    /// Microseconds times servers that could begin requests; 0 for a pool without a limit.
    case serverTime
    /// Microseconds times servers that there were, whether they could begin requests or not; 0 for a pool without a
    /// limit.
    case presentTime
    /// Servers at the end of the minute, those that have not started yet left out.
    case servers
    /// The longest queue in the minute.
    case longestQueue
}

/// The times that are measured of each pool.
public enum ServiceLatency: Int, CaseIterable, NamedCase, Sendable {
    /// How long admitted requests waited for a server, until their turn or until their client gave up.
    case queueWait
    /// How long a request took from the origin's edge and back: from its arrival at the pool to the end of its service.
    case originTime
    /// How long requests that were served took from the sending to the answer at the device.
    case responseTime
}

/// A latency at one pool: over the report, and by the minute of it in which the wait ended, the service ended, or the
/// answer left the edge.
public struct PoolLatency: Sendable {
    public internal(set) var whole = LatencyHistogram()
    public internal(set) var byMinute: LatencySeries
}
