import Basics

/// The kinds of events in the service at one instant, in this order (S5). Several things of one kind come in the order
/// of their requests (person, slot, sequence), or of their pools.
///
/// A request whose service is over at the instant of an outage was served (T6: the span on the server does not include
/// its end). One that reaches the edge at the instant of an answer finds it. Every request of an instant reaches the
/// edge before the first of them reaches the origin, those from outside the fleet first. A fetch's time-out comes last,
/// so an answer of its last instant is in time, by whatever steps of no length it came (T6).
///
/// A server of a user's own is woken after the plan's events: what it ends then was under way as they began.
enum Moment: UInt64 {
    case serviceEnd, planStep, serviceBegin, serverWake, serverStart, autoscaling, answerAtEdge, edgeArrival,
        originArrival, fetchTimeout
}

/// Something that is due. No two have the same place in the order, so the order in which they were inserted cannot
/// reach a result.
struct DueEvent: BitwiseCopyable, Equatable {
    var at: Instant
    /// The moment in bits 40 and up, below it the person and the slot, or the pool, or nothing.
    var order: UInt64
    var sequence: UInt32
    /// The request's place in the table of pending requests, or the pool.
    var index: UInt32

    /// Something that is due for a request.
    init(at: Instant, _ moment: Moment, _ request: borrowing PendingRequest, index: UInt32) {
        self.at = at
        order = moment.rawValue << 40 | Self.identity(request)
        sequence = request.sequence
        self.index = index
    }

    /// Something that is due for a pool, for the service as pool 0, or for a background by its number.
    ///
    /// - Parameter number: tells apart what is due for one pool; only the last of several counts.
    init(at: Instant, _ moment: Moment, pool: Int, number: UInt32 = 0) {
        self.at = at
        order = moment.rawValue << 40 | UInt64(pool)
        sequence = number
        index = UInt32(pool)
    }

    var moment: Moment { Moment(rawValue: order >> 40)! }

    /// Whether it is one of the moments, at an instant that can be; asked of one that was read.
    var isPossible: Bool { Moment(rawValue: order >> 40) != nil && at >= .start && at <= .start + .longest + .longest }

    /// Whether requests that reach the edge at the same instant come before it.
    var comesAfterEdgeArrivals: Bool { order >> 40 > Moment.edgeArrival.rawValue }

    @inline(__always)
    static func < (a: DueEvent, b: DueEvent) -> Bool {
        if a.at != b.at { return a.at < b.at }
        if a.order != b.order { return a.order < b.order }
        return a.sequence < b.sequence
    }

    /// Whether it was made for this request, and not for one that had the place before.
    func isOf(_ request: borrowing PendingRequest) -> Bool {
        if order & (1 << 40 - 1) != Self.identity(request) { return false }
        return sequence == request.sequence
    }

    private static func identity(_ request: borrowing PendingRequest) -> UInt64 {
        UInt64(request.person) << 8 | UInt64(request.slot)
    }
}
