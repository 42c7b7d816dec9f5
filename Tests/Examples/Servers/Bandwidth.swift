import Reloadsim

/// A line that all answers under way share evenly: `with: {megabits: 1000}` a second. With `sizes: exponential` the
/// answers' sizes vary about that of their endpoint.
public struct Bandwidth: OriginServer {
    private struct Transfer: BitwiseCopyable {
        let id: RequestID
        /// Bytes that every transfer has had by when this one is done, and its own.
        let doneAt: Double
        let bytes: Int64
    }

    private var bytesPerSecond = 125e6, isVaried = false
    /// The next one that is done stands last.
    private var transfers: [Transfer] = []
    /// Bytes that a transfer from the beginning on would have had, up to an instant.
    private var each = 0.0, until = Instant.start

    public init() {}

    public mutating func read(_ with: inout UserParameters) {
        bytesPerSecond = with.number("megabits", or: 1_000, in: 1e-3...1e9) * 125_000
        isVaried = with.text("sizes", or: "constant", in: ["constant", "exponential"]) == "exponential"
    }

    public var wakesAt: Instant {
        guard let next = transfers.last else { return .never }
        let seconds = (next.doneAt - each) * Double(transfers.count) / bytesPerSecond
        return until + max(.zero, Duration(seconds: seconds))
    }

    private mutating func pass(to now: Instant) {
        if !transfers.isEmpty { each += (now - until).inSeconds * bytesPerSecond / Double(transfers.count) }
        until = now
    }

    public mutating func answer(_ request: ServerRequest, at now: Instant, _ draws: inout ServerDraws) -> ServerAnswer {
        pass(to: now)
        let bytes =
            isVaried ? Int64(draws.exponential(mean: Double(request.bytes)).rounded(.up)) : request.bytes
        let transfer = Transfer(id: request.id, doneAt: each + Double(bytes), bytes: bytes)
        let place = transfers.firstIndex { $0.doneAt <= transfer.doneAt } ?? transfers.endIndex
        transfers.insert(transfer, at: place)
        return .held(isBegun: true)
    }

    public mutating func wake(at now: Instant, _ held: inout HeldRequests) {
        pass(to: now)
        guard let first = transfers.last else { return }
        // All that are done within the microsecond.
        each = max(each, first.doneAt)
        while let next = transfers.last, next.doneAt - each < 1e-6 * bytesPerSecond / Double(transfers.count) {
            held.end(next.id, ServerContent(bytes: next.bytes))
            transfers.removeLast()
        }
    }

    public mutating func hear(_ news: ServerNews, at now: Instant, _ held: inout HeldRequests) {
        if case .outage = news { transfers = [] }
    }

    public mutating func code(_ state: StateStream) throws(StateProblem) {
        try state.code(&transfers)
        try state.code(&each)
        try state.code(&until)
    }
}
