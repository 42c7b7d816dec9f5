import Reloadsim

/// A server whose time grows with what it has in hand: `with: {easy: 20, most: 100, fast: 60ms, slow: 300ms}` takes
/// 60 ms up to 20 requests at once, 300 ms at 100, and refuses more.
public struct SlowsUnderLoad: OriginServer {
    private var easy = 20, most = 100, fast = Duration.milliseconds(60), slow = Duration.milliseconds(300)
    /// When those in hand end, in order.
    private var ends: [Instant] = []

    public init() {}

    public mutating func read(_ with: inout UserParameters) {
        easy = with.count("easy", or: easy, in: 1...100_000)
        most = with.count("most", or: max(most, easy + 1), in: easy + 1...1_000_000)
        fast = with.duration("fast", or: fast)
        slow = with.duration("slow", or: slow, in: fast ... .days(1))
    }

    public mutating func answer(_ request: ServerRequest, at now: Instant, _ draws: inout ServerDraws) -> ServerAnswer {
        ends.removeFirst(ends.prefix { $0 <= now }.count)
        if ends.count >= most { return .refused(.full) }
        let excess = Int64(max(0, ends.count + 1 - easy))
        let end = now + fast + (slow - fast) * excess / Int64(most - easy)
        ends.insert(end, at: ends.firstIndex { $0 > end } ?? ends.endIndex)
        return .served(from: now, to: end)
    }

    public mutating func hear(_ news: ServerNews, at now: Instant, _ held: inout HeldRequests) {
        if case .outage = news { ends = [] }
    }

    public mutating func code(_ state: StateStream) throws(StateProblem) { try state.code(&ends) }
}
