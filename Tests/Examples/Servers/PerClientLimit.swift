import Reloadsim

/// A limit for each client in any span, as APIs limit accounts and keys: `with: {most: 100, per: 1h, burst: 5}`.
public struct PerClientLimit: OriginServer {
    private var gap = Duration.seconds(36), slack = Duration.zero
    /// When a client's bucket is full again.
    private var fullAt = KeyedTable(Instant.longAgo)

    public init() {}

    public mutating func read(_ with: inout UserParameters) {
        let most = Int64(with.count("most", or: 100, in: 1...1_000_000))
        gap = with.duration("per", or: .hours(1)) / most
        slack = gap * Int64(with.count("burst", or: 1, in: 1...1_000_000) - 1)
    }

    public mutating func answer(_ request: ServerRequest, at now: Instant, _ draws: inout ServerDraws) -> ServerAnswer {
        // Requests from outside the fleet have no limit.
        guard let client = request.client else { return .served(at: now, for: request.serviceTime) }
        let from = fullAt[client] - slack
        if now < from { return .refused(retryAfter: from - now) }
        fullAt[client] = max(fullAt[client], now) + gap
        return .served(at: now, for: request.serviceTime)
    }

    public mutating func code(_ state: StateStream) throws(StateProblem) { try fullAt.code(state) }
}
