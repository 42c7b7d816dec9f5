import Basics
import Statistics

/// A pool of a service in a type of a user's own (S9): it says what becomes of each request that reaches it. In a
/// scenario `service: {pools: [{id: origin, server: NAME, with: {…}}]}`.
///
/// Each run has a copy of the value that the program offers, and so has each round of a sample before a service. One
/// thread asks it, in the order of arrival, and random numbers come from the stream that it is handed: so no result
/// depends on threads or ranks.
///
/// Only `answer` is required. A server that holds requests says in `wakesAt` when it next has something to decide, and
/// does it in `wake`.
public protocol OriginServer: Sendable {
    /// Part of the run's identity: a run of another version is another run, and none continues from its checkpoint.
    static var version: Int { get }

    /// Takes what a scenario states under `with`. A key that is not read here is refused with its place.
    mutating func read(_ with: inout UserParameters)

    /// A run is about to begin, at `Instant.start`.
    mutating func begin(_ calendar: ServerCalendar)

    /// How many requests it serves at one time now, 0 or more, for utilisation and cost; nil for a pool that counts no
    /// servers, which has neither. It is read after each call. It is nil throughout or never.
    var servers: Int? { get }

    /// When it next wants to be woken; `never` for not. It is read after each call, and what was asked for before holds
    /// no more. An instant that has passed is now.
    var wakesAt: Instant { get }

    /// The outcome of a request that has reached the pool: asked once for each, unless there is an outage.
    mutating func answer(_ request: ServerRequest, at now: Instant, _ draws: inout ServerDraws) -> ServerAnswer

    /// It is `wakesAt`: services begin and end that the server holds. It follows all services that end at this instant
    /// and the plan's events, and comes before all requests that arrive at it.
    mutating func wake(at now: Instant, _ held: inout HeldRequests)

    /// An event of the plan has changed something (S4).
    mutating func hear(_ news: ServerNews, at now: Instant, _ held: inout HeldRequests)

    /// Writes down all that changes in it, or reads it back into a server that has just begun: by one
    /// function, which lists its fields once. A type without references (`BitwiseCopyable`) has one.
    mutating func code(_ state: StateStream) throws(StateProblem)
}

extension OriginServer {
    public static var version: Int { 1 }
    public mutating func read(_ with: inout UserParameters) {}
    public mutating func begin(_ calendar: ServerCalendar) {}
    public var servers: Int? { nil }
    public var wakesAt: Instant { .never }
    public mutating func wake(at now: Instant, _ held: inout HeldRequests) {}
    public mutating func hear(_ news: ServerNews, at now: Instant, _ held: inout HeldRequests) {}
}

extension OriginServer where Self: BitwiseCopyable {
    /// All of it as it lies in memory.
    public mutating func code(_ state: StateStream) throws(StateProblem) {
        var problem: StateProblem?
        withUnsafeMutableBytes(of: &self) { bytes in
            do throws(StateProblem) { try state.code(bytes: bytes) } catch { problem = error }
        }
        if let problem { throw problem }
    }
}

/// A request that reaches a server, as the server knows it.
public struct ServerRequest: Sendable {
    /// Its name while the server holds it.
    public let id: RequestID
    /// Its client, the person's number; nil for a request from outside the fleet (S4).
    public let client: Int?
    /// The number of the client's device, from 0.
    public let device: Int
    /// The key of its content within its endpoint (S1): equal keys are equal content.
    public let key: Int64
    /// As the scenario names them.
    public let endpoint, region: String
    /// The number of the try, from 1 (S3).
    public let attempt: Int
    /// Why the reload was asked for: a cause of the reports, such as `after` or `app_open`, `background_fetch`, or
    /// `background` for what comes from outside the fleet.
    public let cause: String
    /// Whether an edge asks behind a stale object, and no client waits for it.
    public let isRevalidation: Bool
    /// A draw of the pool's `service_time`, that of the built-in servers for this request; 0 without the key.
    public let serviceTime: Duration
    /// Bytes of an answer of its endpoint.
    public let bytes: Int64
    /// Until when the content is the version in force that who asks has already, the client or its edge, where the
    /// endpoint states `not_modified`; `longAgo` if it has none.
    public let heldUntil: Instant
    /// When its client hangs up if it has no answer by then, as seen at the edge; `never` for a revalidation.
    public let hangsUpAt: Instant
}

/// The name of a request while a server holds it.
public struct RequestID: BitwiseCopyable, Hashable, Sendable {
    let index, number: UInt32
}

/// The outcome of a request.
public enum ServerAnswer: Sendable {
    /// It is served from one instant, now or later, to another; until then it waits. Both are settled, but for an
    /// outage.
    case served(from: Instant, to: Instant, ServerContent = .whole)
    /// An error goes back at once. Clients that heed it wait at least as long as it says (`Retry-After`, S3); nil for
    /// the pool's `retry_after`, or nothing.
    case refused(ServerRefusal = .limit, retryAfter: Duration? = nil)
    /// Nothing comes back, and its client waits in vain.
    case lost
    /// It is held: it waits, or its service has begun, and the server will say how it continues (`HeldRequests`).
    case held(isBegun: Bool = false)
}

extension ServerAnswer {
    /// It is served at once, for so long.
    public static func served(at now: Instant, for time: Duration, _ content: ServerContent = .whole) -> Self {
        .served(from: now, to: now + time, content)
    }
}

/// Why a request is refused, as the counts tell it.
public enum ServerRefusal: Sendable {
    /// A limit on requests: it counts under `shed_by_rate`.
    case limit
    /// There is no room for it to wait: it counts under `shed_by_queue`.
    case full
}

/// The content of an answer.
public struct ServerContent: Sendable {
    /// Bytes of the answer, below 2³²; nil for those of its endpoint.
    public var bytes: Int64?
    /// When the content was made, at the end of its service or before; nil for then (C2).
    public var madeAt: Instant?
    /// How long an edge keeps it fresh; nil for the `ttl` of its endpoint.
    public var freshFor: Duration?
    /// Whether it says that what the client or the edge has is still right: a few bytes in place of the content.
    public var isNotModified: Bool

    public init(
        bytes: Int64? = nil, madeAt: Instant? = nil, freshFor: Duration? = nil, isNotModified: Bool = false
    ) {
        (self.bytes, self.madeAt, self.freshFor, self.isNotModified) = (bytes, madeAt, freshFor, isNotModified)
    }

    /// The endpoint's content, made as its service ends.
    public static let whole = ServerContent()
    /// That nothing has changed, in 300 bytes.
    public static let notModified = ServerContent(bytes: 300, isNotModified: true)
}

/// The events of the plan that a server hears of (S4).
public enum ServerNews: Hashable, Sendable {
    /// An outage begins: all that the server holds is gone, and what comes is not handed to it.
    case outage
    /// The last outage is over.
    case restored
    /// The brown-outs and deploys that are in force leave so many of its `servers` (nil if it counts none), this share
    /// of them, and take so many times as long: a share and a slowdown of 1 without any.
    case capacity(servers: Int?, share: Double, slowdown: Double)
}
