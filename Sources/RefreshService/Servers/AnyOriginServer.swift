import Basics
import Statistics

/// A server of a user's own, of any type, under the name by which scenarios call it: what a run of it begins with.
public class AnyOriginServer: @unchecked Sendable {
    // Safety: all of it but the fault, which has a lock, is written once and only read afterwards.
    public let name: String
    /// Part of a run's identity.
    public let version: Int
    /// How many requests it serves at one time as a run begins; nil if it counts no servers.
    public let servers: Int?
    /// The first fault that it was caught in, as a sentence.
    private let caught = LockedValue<String?>(nil)

    fileprivate init<Server: OriginServer>(_ server: Server, name: String) {
        self.name = name
        version = Server.version
        servers = server.servers
    }

    public static func box(_ server: any OriginServer, name: String) -> AnyOriginServer {
        func box<Server: OriginServer>(_ server: Server) -> AnyOriginServer { ServerBox(server, name: name) }
        return box(server)
    }

    /// Such a server with what a scenario states under `with`, which notes what is wrong with it.
    package func read(_ with: inout UserParameters, _ calendar: ServerCalendar) -> AnyOriginServer {
        preconditionFailure("no server")
    }

    /// A server of one run, or of one round of a sample.
    func begin() -> RunningServer { preconditionFailure("no server") }

    /// Notes a fault, of which the first ends the run.
    func note(fault: String) { caught.withLock { if $0 == nil { $0 = "server '\(name)' \(fault)" } } }

    package var isAtFault: Bool { caught.withLock { $0 != nil } }

    /// Takes the first fault that was noted; nil for none.
    package func takeFault() -> String? {
        caught.withLock { fault in
            defer { fault = nil }
            return fault
        }
    }
}

private final class ServerBox<Server: OriginServer>: AnyOriginServer, @unchecked Sendable {
    let server: Server

    init(_ server: Server, name: String) {
        self.server = server
        super.init(server, name: name)
    }

    override func read(_ with: inout UserParameters, _ calendar: ServerCalendar) -> AnyOriginServer {
        var own = server
        own.read(&with)
        own.begin(calendar)
        return ServerBox(own, name: name)
    }

    override func begin() -> RunningServer { TypedServer(server, of: self) }
}

/// A server at work, whatever its type, and what the service notes of it.
class RunningServer {
    private let origin: AnyOriginServer
    /// Once it was caught in a fault it is asked no more; the run is about to end.
    private(set) var isAtFault = false
    /// When the next wake-up is due; at or before what the server wishes. An event of another number holds no more.
    private(set) var wakesAt = Instant.never
    private(set) var wakeNumber: UInt32 = 0
    /// How often it was woken or has heard something; how often in a row at the instant `lastTurn`.
    private(set) var turns: UInt64 = 0
    private var lastTurn = Instant.longAgo
    private var atOnce = 0
    /// The last news of its capacity.
    var heard = Capacity()

    struct Capacity: Equatable {
        /// -1 for a pool that counts no servers.
        var servers = -1
        var share = 1.0
        var slowdown = 1.0

        var news: ServerNews { .capacity(servers: servers < 0 ? nil : servers, share: share, slowdown: slowdown) }
    }

    fileprivate init(_ origin: AnyOriginServer) {
        self.origin = origin
        heard.servers = origin.servers ?? -1
    }

    var servers: Int? { preconditionFailure("no server") }
    fileprivate var wish: Instant { preconditionFailure("no server") }

    func answer(_ request: ServerRequest, at now: Instant, _ draws: inout ServerDraws) -> ServerAnswer {
        preconditionFailure("no server")
    }
    func wake(at now: Instant, _ held: inout HeldRequests) { preconditionFailure("no server") }
    func hear(_ news: ServerNews, at now: Instant, _ held: inout HeldRequests) { preconditionFailure("no server") }
    fileprivate func codeServer(_ stream: StateStream) throws(StateProblem) { preconditionFailure("no server") }

    /// Whether it wishes an earlier wake-up than the one that is due. A later wish is taken when that one comes, so
    /// that a wish that each request puts off has one event and not one for each.
    func takesWish(at now: Instant) -> Bool {
        let wish = isAtFault || wish == .never ? Instant.never : max(wish, now)
        if wish >= wakesAt { return false }
        wakesAt = wish
        wakeNumber &+= 1
        return true
    }

    /// The wake-up that was due has come: whether the server still wishes it.
    func takesWake(at now: Instant) -> Bool {
        wakesAt = .never
        return !isAtFault && wish <= now
    }

    /// A wake-up, or news: its number.
    func takeTurn(at now: Instant) -> UInt64 {
        atOnce = lastTurn == now ? atOnce + 1 : 0
        lastTurn = now
        _ = check(atOnce < Self.mostAtOnce, "is woken a million times at one instant: wakesAt must come to a later one")
        defer { turns += 1 }
        return turns
    }

    private static let mostAtOnce = 1_000_000

    func code(_ stream: StateStream) throws(StateProblem) {
        try stream.code(&wakesAt)
        try stream.code(&wakeNumber)
        try stream.code(&turns)
        try stream.code(&heard.servers)
        try stream.code(&heard.share)
        try stream.code(&heard.slowdown)
        try stream.require(heard.share >= 0 && heard.slowdown >= 0, "a capacity that no server has")
        try codeServer(stream)
    }

    /// Whether something holds that must of every server; if not, the run ends with the sentence.
    @inline(__always)
    func check(_ condition: Bool, _ sentence: @autoclosure () -> String) -> Bool {
        if condition { return true }
        isAtFault = true
        origin.note(fault: sentence())
        return false
    }
}

private final class TypedServer<Server: OriginServer>: RunningServer {
    private var server: Server

    init(_ server: Server, of origin: AnyOriginServer) {
        self.server = server
        super.init(origin)
    }

    override var servers: Int? { server.servers }
    override var wish: Instant { server.wakesAt }

    override func answer(_ request: ServerRequest, at now: Instant, _ draws: inout ServerDraws) -> ServerAnswer {
        server.answer(request, at: now, &draws)
    }
    override func wake(at now: Instant, _ held: inout HeldRequests) { server.wake(at: now, &held) }
    override func hear(_ news: ServerNews, at now: Instant, _ held: inout HeldRequests) {
        server.hear(news, at: now, &held)
    }
    override func codeServer(_ stream: StateStream) throws(StateProblem) { try server.code(stream) }
}
