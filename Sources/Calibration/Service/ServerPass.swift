import Basics
import RefreshService
import Statistics

/// The requests that were let in, and when each can have begun its service if the pool has a number of servers.
///
/// With servers that take requests in the order of their arrival, a request begins when it arrives, or when all but
/// `servers − 1` of those before it have left (Kiefer and Wolfowitz, "On the theory of queues with many servers",
/// 1955). A record has arrivals and departures, so for each number of servers the service times follow without a model
/// of them: Larson's inference ("The queue inference engine", Management Science 36, 1990) with both ends known.
struct ServerPass {
    /// One request that was let in, in the order of arrival. Times in microseconds.
    struct Admitted {
        /// At the pool: after the way there.
        var at: Int64
        /// When its answer came, or when its client gave up.
        var end: Int64
        var isAnswered: Bool
        /// Whether no request went unanswered so shortly before that work that the record does not show may have been
        /// in its way.
        var isClear: Bool
    }

    let admitted: [Admitted]
    /// The most requests that are there at one time: with so many servers or more nobody waits.
    let mostAtOnce: Int
    /// Microseconds of a typical request when nobody waits.
    let quietService: Int64

    /// - Parameters:
    ///   - record: of the refused requests nothing is used.
    ///   - way: microseconds of a request that no server has spent on it.
    ///   - timeout: microseconds after which clients give up; nil if none has.
    init(_ record: RequestRecord, way: Int64, timeout: Int64?) {
        var admitted: [Admitted] = []
        var leaves: [Int64] = []
        for request in record.requests where request.outcome != .refused {
            let at = min(request.end, request.start + way)
            admitted.append(Admitted(at: at, end: request.end, isAnswered: request.outcome == .answered, isClear: true))
            leaves.append(request.end)
        }
        let before = Occupancy(leaves: leaves, arrivals: admitted.map(\.at)).before
        mostAtOnce = (before.max() ?? 0) + 1
        let answered = admitted.indices.filter { admitted[$0].isAnswered }
        // The quarter of the requests that found the fewest others: at that load waiting is rare, if it is rare
        // anywhere.
        let quietest = answered.sorted { (before[$0], $0) < (before[$1], $1) }.prefix(max(1, answered.count / 4))
        let times = quietest.map { admitted[$0].end - admitted[$0].at }.sorted()
        quietService = times.isEmpty ? 0 : times[times.count / 2]
        if let timeout {
            var lastLost = Int64.min
            for index in admitted.indices {
                if !admitted[index].isAnswered { lastLost = admitted[index].at }
                admitted[index].isClear =
                    lastLost == .min || admitted[index].at - lastLost > timeout + 10 * quietService
            }
        }
        self.admitted = admitted
    }

    /// One service in a pass: microseconds, not above 0 where so few servers are impossible.
    struct Service {
        var time, wait, begin: Int64
    }

    /// The times at which the admitted requests leave the pool, and the service times of the clear ones.
    ///
    /// - Parameters:
    ///   - servers: 1 or more.
    ///   - drops: whether a request whose client has given up takes no server.
    ///   - mean: microseconds that stand in for a service whose end the record does not have.
    func run(servers: Int, drops: Bool, mean: Int64, visit: (Int, Service) -> Void) -> [Int64] {
        var latest = LatestDepartures(servers)
        var leaves: [Int64] = []
        leaves.reserveCapacity(admitted.count)
        for (index, request) in admitted.enumerated() {
            let begin = max(request.at, latest.earliest)
            if request.isAnswered {
                if request.isClear {
                    visit(index, Service(time: request.end - begin, wait: begin - request.at, begin: begin))
                }
                latest.add(request.end)
                leaves.append(request.end)
            } else if drops && begin >= request.end {
                leaves.append(begin)
            } else {
                let leave = max(begin + mean, request.end + mean / 2)
                latest.add(leave)
                leaves.append(leave)
            }
        }
        return leaves
    }
}

/// The latest departures so far, as many as there are servers: a further request waits for the earliest of them.
private struct LatestDepartures {
    /// A heap, the earliest first.
    private var times: [Int64] = []
    private let servers: Int

    init(_ servers: Int) {
        precondition(servers >= 1, "\(servers) servers")
        self.servers = servers
        times.reserveCapacity(min(servers, 1 << 16))
    }

    /// The least of all numbers while there is an idle server that nobody has used.
    var earliest: Int64 { times.count < servers ? .min : times[0] }

    mutating func add(_ time: Int64) {
        if times.count < servers {
            times.append(time)
            var at = times.count - 1
            while at > 0, times[(at - 1) / 2] > times[at] {
                times.swapAt(at, (at - 1) / 2)
                at = (at - 1) / 2
            }
            return
        }
        if time <= times[0] { return }
        times[0] = time
        var at = 0
        while true {
            var least = at
            for child in [2 * at + 1, 2 * at + 2] where child < times.count && times[child] < times[least] {
                least = child
            }
            if least == at { return }
            times.swapAt(at, least)
            at = least
        }
    }
}

/// How many of some requests are there when others arrive.
struct Occupancy {
    /// For each arrival, those that arrived before it and have not left by then.
    let before: [Int]

    /// - Parameters:
    ///   - leaves: of the requests that are counted, in the order of their arrival.
    ///   - arrivals: of these requests, in order.
    init(leaves: [Int64], arrivals: [Int64]) {
        self.init(leaves: leaves, arrivals: arrivals, at: arrivals.enumerated().map { ($1, $0) })
    }

    /// - Parameter instants: in order, each with the number of counted requests that come before it.
    init(leaves: [Int64], arrivals: [Int64], at instants: [(at: Int64, arrived: Int)]) {
        // No request leaves before it arrives, so that those that have left by an instant are among those that have
        // arrived.
        let sorted = leaves.sorted()
        var left = 0
        before = instants.map { instant in
            while left < sorted.count && sorted[left] <= instant.at { left += 1 }
            return max(0, instant.arrived - left)
        }
    }
}

/// The requests of a record sent again, to a pool of the program's own service (S2): what the fitted pool would have
/// done with this very load.
package struct PoolReplay: Sendable {
    /// With the latencies and outcomes that the pool gives.
    package let record: RequestRecord

    package static let seed: UInt64 = 1

    /// - Parameters:
    ///   - requests: their starts are used; the earliest of them is when the pool starts.
    ///   - timeout: when clients give up; nil for never.
    ///   - way: added to every answer.
    package init(
        _ requests: [RecordedRequest], pool: OriginPool, timeout: Duration?, way: Duration = .zero, seed: UInt64 = seed
    )
        throws(DistributionProblem)
    {
        let plan = RefreshPlan(pools: [pool], endpoints: [ServiceEndpoint(pool: 0)], regions: [.besideOrigin])
        let first = requests.map(\.start).min() ?? 0
        let length = (requests.map(\.start).max() ?? 0) - first
        // Every answer comes by then, unless the pool is far too small for the load.
        let end = Instant(microseconds: length) + .days(1)
        // Measures take memory for every minute, and nobody reads them here: the report has the last instant alone,
        // whatever span the record has.
        let service = try SimulatedService(plan, seed: seed, reportFrom: end - Duration(microseconds: 1), end: end)
        let patience = timeout.map { UInt32(cutting: Double($0.microseconds)) } ?? .max
        let sent = requests.enumerated().map { index, request in
            ServiceRequest(
                arrival: Instant(microseconds: request.start - first), key: 0, person: UInt32(index), sequence: 0,
                out: 0, back: 0,
                patience: patience, endpoint: 0, region: 0, instance: 0, slot: 0, attempt: 1, cause: 0, isPrivate: true)
        }
        var answers: [ServiceAnswer] = []
        sent.withUnsafeBufferPointer { service.advance($0, to: end, answers: &answers) }
        service.finish()
        // A request without an answer has its client's patience for a latency.
        var made = requests.map { RecordedRequest(start: $0.start, latency: Int64(patience), status: 0) }
        for answer in answers {
            let index = Int(answer.person)
            let latency = (answer.at - sent[index].arrival + way).microseconds
            made[index] = RecordedRequest(
                start: made[index].start, latency: latency,
                status: answer.isError ? RecordedRequest.serviceUnavailable : 200)
        }
        record = RequestRecord(made)
    }
}
