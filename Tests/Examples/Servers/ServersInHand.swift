import Reloadsim

/// Servers that take one request each, and those that wait for one: what servers of different disciplines share.
struct ServersInHand: Sendable {
    struct Waiting: BitwiseCopyable {
        let id: RequestID
        let time: Duration
    }

    /// When the requests in service end, in order.
    private(set) var ends: [Instant] = []
    var waiting: [Waiting] = []

    /// Begins a service now.
    mutating func begin(for time: Duration, at now: Instant) -> Instant {
        let end = now + time
        ends.insert(end, at: ends.firstIndex { $0 > end } ?? ends.endIndex)
        return end
    }

    mutating func pass(to now: Instant) { ends.removeFirst(ends.prefix { $0 <= now }.count) }

    /// When a server is free next for somebody who waits.
    var nextTurn: Instant { waiting.isEmpty ? .never : ends.first ?? .never }

    mutating func removeAll() { (ends, waiting) = ([], []) }

    mutating func code(_ state: StateStream) throws(StateProblem) {
        try state.code(&ends)
        try state.code(&waiting)
    }
}
