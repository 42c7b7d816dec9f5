import Basics
import RefreshService
import Statistics

/// The built-in pool as a server of a user's own that settles each request as it comes: servers behind one queue in the
/// order of arrival.
struct InOrder: OriginServer {
    private var count = 4, room = Int.max
    /// When each server is free, and when the turns of those come who wait; both in order.
    private var freeAt: [Instant] = []
    private var turns: [Instant] = []

    mutating func read(_ with: inout UserParameters) {
        count = with.count("servers", or: count, in: 1...1_000_000)
        room = with.count("queue", or: room)
        freeAt = Array(repeating: .start, count: count)
    }

    var servers: Int? { count }

    mutating func answer(_ request: ServerRequest, at now: Instant, _ draws: inout ServerDraws) -> ServerAnswer {
        turns.removeFirst(turns.prefix { $0 <= now }.count)
        let from = max(now, freeAt[0])
        if from > now {
            if turns.count >= room { return .refused(.full) }
            turns.append(from)
        }
        freeAt.removeFirst()
        let end = from + request.serviceTime
        freeAt.insert(end, at: freeAt.firstIndex { $0 > end } ?? freeAt.endIndex)
        return .served(from: from, to: end)
    }

    mutating func hear(_ news: ServerNews, at now: Instant, _ held: inout HeldRequests) {
        guard case .outage = news else { return }
        turns = []
        freeAt = Array(repeating: now, count: count)
    }

    mutating func code(_ state: StateStream) throws(StateProblem) {
        try state.code(&freeAt)
        try state.code(&turns)
    }
}

/// A server that does what none may, by its setting.
struct Faulty: OriginServer, BitwiseCopyable {
    private var fault = 0, isAsked = false

    mutating func read(_ with: inout UserParameters) { fault = with.count("fault", or: 0) }

    var servers: Int? { fault == 6 && isAsked ? 4 : nil }
    var wakesAt: Instant { fault == 5 ? .longAgo : .never }

    mutating func answer(_ request: ServerRequest, at now: Instant, _ draws: inout ServerDraws) -> ServerAnswer {
        isAsked = true
        switch fault {
        case 1: return .served(from: now - .microsecond, to: now)
        case 2: return .served(at: now, for: .seconds(1), ServerContent(bytes: -1))
        case 3: return .served(at: now, for: .seconds(1), ServerContent(madeAt: now + .seconds(2)))
        case 4: return .refused(retryAfter: Duration(microseconds: -1))
        case 7:
            for _ in 0...65_536 { _ = draws.bits() }
            return .lost
        default: return .served(at: now, for: .milliseconds(1))
        }
    }
}
