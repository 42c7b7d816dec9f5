import Reloadsim

/// Servers behind one queue that an operator raises before a known hour: `with: {servers: 4, raised: 40, from: 20h15m,
/// to: 23h, queue: 400}`, by the clock of UTC.
public struct ScheduledServers: OriginServer {
    private var usual = 4, raised = 4, from = Duration.zero, to = Duration.zero, room = Int.max
    private var calendar = ServerCalendar(), changesAt = Instant.never
    private var now = 4, share = 1.0, slowdown = 1.0
    private var hand = ServersInHand()

    public init() {}

    public mutating func read(_ with: inout UserParameters) {
        usual = with.count("servers", or: usual, in: 1...1_000_000)
        raised = with.count("raised", or: usual, in: 1...1_000_000)
        from = with.duration("from", or: .zero, in: .zero ... .days(1))
        to = with.duration("to", or: .zero, in: .zero ... .days(1))
        room = with.count("queue", or: room)
    }

    public mutating func begin(_ calendar: ServerCalendar) {
        self.calendar = calendar
        change(at: .start)
    }

    private mutating func change(at instant: Instant) {
        let time = calendar.timeOfDay(at: instant)
        let isRaised = from <= to ? from <= time && time < to : from <= time || time < to
        now = isRaised ? raised : usual
        changesAt = min(calendar.next(from, after: instant), calendar.next(to, after: instant))
    }

    public var servers: Int? { now }
    private var open: Int { Int((Double(now) * share + 1e-9).rounded(.down)) }
    public var wakesAt: Instant { min(changesAt, hand.nextTurn) }

    public mutating func answer(_ request: ServerRequest, at now: Instant, _ draws: inout ServerDraws) -> ServerAnswer {
        hand.pass(to: now)
        let time = slowdown == 1 ? request.serviceTime : Duration(seconds: request.serviceTime.inSeconds * slowdown)
        if hand.ends.count < open { return .served(from: now, to: hand.begin(for: time, at: now)) }
        if hand.waiting.count >= room { return .refused(.full) }
        hand.waiting.append(.init(id: request.id, time: request.serviceTime))
        return .held()
    }

    public mutating func wake(at now: Instant, _ held: inout HeldRequests) {
        if now >= changesAt { change(at: now) }
        fill(at: now, &held)
    }

    private mutating func fill(at now: Instant, _ held: inout HeldRequests) {
        hand.pass(to: now)
        while hand.ends.count < open, let next = hand.waiting.first {
            hand.waiting.removeFirst()
            let time = slowdown == 1 ? next.time : Duration(seconds: next.time.inSeconds * slowdown)
            held.serve(next.id, until: hand.begin(for: time, at: now))
        }
    }

    public mutating func hear(_ news: ServerNews, at now: Instant, _ held: inout HeldRequests) {
        switch news {
        case .outage: hand.removeAll()
        case .restored: break
        case .capacity(_, let share, let slowdown):
            (self.share, self.slowdown) = (share, slowdown)
            fill(at: now, &held)
        }
    }

    public mutating func code(_ state: StateStream) throws(StateProblem) {
        try state.code(&changesAt)
        try state.code(&now)
        try state.code(&share)
        try state.code(&slowdown)
        try hand.code(state)
    }
}
