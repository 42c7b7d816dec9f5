import Reloadsim

/// Servers that take the newest request first and give the oldest up where more wait than there is room for, as is
/// advised for clients that lose patience: `with: {servers: 8, queue: 100}`.
public struct NewestFirst: OriginServer {
    private var count = 8, room = 100
    private var hand = ServersInHand()

    public init() {}

    public mutating func read(_ with: inout UserParameters) {
        count = with.count("servers", or: count, in: 1...1_000_000)
        room = with.count("queue", or: room, in: 1...1_000_000_000)
    }

    public var servers: Int? { count }
    public var wakesAt: Instant { hand.waiting.count > room ? .longAgo : hand.nextTurn }

    public mutating func answer(_ request: ServerRequest, at now: Instant, _ draws: inout ServerDraws) -> ServerAnswer {
        hand.pass(to: now)
        if hand.ends.count < count { return .served(from: now, to: hand.begin(for: request.serviceTime, at: now)) }
        hand.waiting.append(.init(id: request.id, time: request.serviceTime))
        return .held()
    }

    public mutating func wake(at now: Instant, _ held: inout HeldRequests) {
        hand.pass(to: now)
        if hand.waiting.count > room { held.drop(hand.waiting.removeFirst().id) }
        while hand.ends.count < count, let next = hand.waiting.popLast() {
            held.serve(next.id, until: hand.begin(for: next.time, at: now))
        }
    }

    public mutating func hear(_ news: ServerNews, at now: Instant, _ held: inout HeldRequests) {
        if case .outage = news { hand.removeAll() }
    }

    public mutating func code(_ state: StateStream) throws(StateProblem) { try hand.code(state) }
}
