import Basics
import Statistics

/// A request that the service has not done with: on its way to the origin and back, or waiting at the edge for
/// another's fetch.
///
/// A request that an edge passes on and a fetch of the edge are the same here; a fetch knows its object, and those who
/// wait for it hang on it. The client that set a fetch off waits for it too, unless it is a revalidation.
struct PendingRequest: BitwiseCopyable {
    enum Stage: UInt8 {
        case free, toOrigin, queued, inService, toEdge
        /// A silent outage has lost it: nothing comes back, and its edge waits for the fetch's time-out.
        case lost
        /// At the edge, for another's fetch.
        case waiting
    }

    static let none = UInt32.max

    /// When it reached the edge.
    var arrival: Instant
    /// In the queue, when it reached the pool; in service, when that began; on the way back, when the content was made.
    var since = Instant.start
    var person, sequence: UInt32
    /// Microseconds, as in `ServiceRequest`.
    var out, back, patience: UInt32
    /// Microseconds from the edge to the origin and back.
    var originOut: UInt32 = 0
    var originBack: UInt32 = 0
    /// The object that it fetches, and the last of those who wait for it.
    var object = Self.none
    var lastWaiter = Self.none
    /// The next in the pool's queue, or the one that waits for the same fetch since before.
    var next = Self.none
    var endpoint, region, instance: UInt16
    var slot, cause: UInt8
    var stage = Stage.free
    /// Whether the answer is an error, and whether that tells the client to wait.
    var isError = false
    var tellsRetryAfter = false
    /// Whether the error is that of a limit (S3).
    var isRefusal = false
    /// It fetches behind a stale object, which its client has got.
    var isRevalidation = false
    /// The object was purged since: what comes back is not kept.
    var isForgotten = false
    /// The edge has given the fetch up.
    var isAbandoned = false
    /// Its client hears in time that it is being served, and stays for the answer.
    var stays = false

    init(_ request: ServiceRequest) {
        arrival = request.arrival
        (person, sequence) = (request.person, request.sequence)
        (out, back, patience) = (request.out, request.back, request.patience)
        (endpoint, region, instance) = (request.endpoint, request.region, request.instance)
        (slot, cause) = (request.slot, request.cause)
    }

    /// Whether its service began before another's, by what it is and not where it stands.
    func began(before other: PendingRequest) -> Bool {
        (since, person, slot, sequence) < (other.since, other.person, other.slot, other.sequence)
    }

    /// When its client gives up.
    var deadline: Instant { arrival + Duration(microseconds: Int64(patience)) }
    var originArrival: Instant { arrival + Duration(microseconds: Int64(originOut)) }

    /// Whether it comes from outside the fleet.
    var isBackground: Bool { slot == RandomStream.personSlot }

    /// Whether a device of the fleet is told what becomes of it.
    var isAnswered: Bool { !isBackground && instance != ServiceRequest.noInstance }

    /// Whether its client has given up by `now`. Nobody waits for a revalidation, so nobody gives it up.
    func isGivenUp(at now: Instant) -> Bool { deadline < now && !isRevalidation && !stays }

    /// When its client's waiting in the queue is over, as seen at `now`: then, or as it gave up, though the request
    /// still stands there (S2).
    func endOfWait(at now: Instant) -> Instant { isGivenUp(at: now) ? max(since, deadline) : now }
}

extension ServiceAnswer {
    /// - Parameter madeAt: `never` for an error and a notice.
    init(
        to request: PendingRequest, at: Instant, madeAt: Instant = .never, isError: Bool = false,
        isNotice: Bool = false, isRefusal: Bool = false, retryAfter: Duration = .zero
    ) {
        self.init(
            at: at, madeAt: madeAt, person: request.person, sequence: request.sequence, instance: request.instance,
            slot: request.slot, isError: isError, isNotice: isNotice, followsNotice: request.stays && !isNotice,
            isRefusal: isRefusal, retryAfter: retryAfter)
    }
}

/// How long a client waits for an answer to a try, ready to draw from (S3).
///
/// A draw is at least a millisecond and at most an hour.
public struct Patience: Sendable {
    public static let least = Duration.milliseconds(1)
    public static let most = Duration.hours(1)

    private let wait: DurationDistribution
    /// Whether every draw is the same, so that none need be looked up.
    public let isConstant: Bool

    public init(_ wait: Distribution, _ tables: inout StandardTables) throws(DistributionProblem) {
        self.wait = try wait.preparedDurations(atLeast: Self.least, with: &tables)
        if case .constant = wait.shape { isConstant = true } else { isConstant = false }
    }

    @inline(__always)
    public func draw(_ u: UInt64) -> Duration { min(wait.draw(u), Self.most) }

    /// A drawn patience in microseconds, which fit.
    func microseconds(_ u: UInt64) -> UInt32 { UInt32(draw(u).microseconds) }
}

/// When a client gives a try up (S3).
public enum Abandonment: UInt8, CaseIterable, Sendable {
    /// At its time-out, unless it has heard by then that its request is being served: then it stays for the answer.
    /// Hearing takes the ways back.
    case inQueue
    /// At its time-out, whatever becomes of its request.
    case always
}
