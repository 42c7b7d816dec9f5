import Reloadsim

/// A limit for all clients together in each window of the calendar: `with: {most: 5000, per: 1d}` serves 5,000 requests
/// a day. A refused client is told when the next window begins, and all of them come back then.
public struct CalendarWindow: OriginServer, BitwiseCopyable {
    private var most = 5_000, per = Duration.days(1)
    private var calendar = ServerCalendar()
    private var window = Int64.min, count = 0

    public init() {}

    public mutating func read(_ with: inout UserParameters) {
        most = with.count("most", or: most, in: 1...1_000_000_000)
        per = with.duration("per", or: per, in: .seconds(1) ... .days(1))
    }

    public mutating func begin(_ calendar: ServerCalendar) { self.calendar = calendar }

    public mutating func answer(_ request: ServerRequest, at now: Instant, _ draws: inout ServerDraws) -> ServerAnswer {
        let current = calendar.window(of: per, at: now)
        if current != window { (window, count) = (current, 0) }
        if count == most { return .refused(retryAfter: calendar.left(ofWindow: per, at: now)) }
        count += 1
        return .served(at: now, for: request.serviceTime)
    }
}
