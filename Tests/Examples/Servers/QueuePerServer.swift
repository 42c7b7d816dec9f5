import Reloadsim

/// Servers with a queue each, behind a balancer that deals at random or in turn: `with: {servers: 4, balance: random}`,
/// or `turn`.
public struct QueuePerServer: OriginServer {
    /// When each server has done with all that waits for it.
    private var freeAt = Array(repeating: Instant.start, count: 4)
    private var isRandom = true, turn = 0

    public init() {}

    public mutating func read(_ with: inout UserParameters) {
        freeAt = Array(repeating: .start, count: with.count("servers", or: 4, in: 1...100_000))
        isRandom = with.text("balance", or: "random", in: ["random", "turn"]) == "random"
    }

    public var servers: Int? { freeAt.count }

    public mutating func answer(_ request: ServerRequest, at now: Instant, _ draws: inout ServerDraws) -> ServerAnswer {
        let server = isRandom ? draws.index(below: freeAt.count) : turn
        turn = (turn + 1) % freeAt.count
        let from = max(now, freeAt[server])
        freeAt[server] = from + request.serviceTime
        return .served(from: from, to: freeAt[server])
    }

    public mutating func hear(_ news: ServerNews, at now: Instant, _ held: inout HeldRequests) {
        if case .outage = news { freeAt = Array(repeating: now, count: freeAt.count) }
    }

    public mutating func code(_ state: StateStream) throws(StateProblem) {
        try state.code(fixed: &freeAt)
        try state.code(&turn)
    }
}
