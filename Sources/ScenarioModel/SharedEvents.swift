import Basics
import Statistics

// The events that people share, and their updates (O1).

extension SharedEvents {
    /// The events that begin in a run, or so soon after it that apps can begin them in it, in order.
    package func prepared(index: Int, _ plan: FleetPlan) -> [LiveEvent] {
        switch self {
        case .listed(let events):
            return events.sorted { $0.start < $1.start }.filter { $0.start >= .start }
        case .drawn(let starts, let length, let updates):
            // All people draw from one stream.
            let stream = RandomStreams(seed: plan.seed, person: 0)[.activityUpdate, sub: index]
            return starts.instants(from: .start, to: plan.end + LiveKind.longestLead, plan.zones).filter {
                $0 >= 0
            }.map { start in
                let draws = (0..<UInt64(updates)).map { update in
                    // Addressed by the event's beginning, which is its own.
                    stream.value(at: (UInt64(bitPattern: start) &* 0x9e37_79b9_7f4a_7c15) >> 20 &+ update)
                }
                return LiveEvent(
                    start: Instant(microseconds: start), end: Instant(microseconds: start) + length,
                    updates: ActivityUpdates.instants(draws, from: Instant(microseconds: start), length: length))
            }
        }
    }

    /// How many pushes there are in a run from `start` on to one device that follows all events: for limits.
    public func pushes(_ zones: [ZoneTable], until end: Instant) -> Int {
        switch self {
        case .listed(let events): events.reduce(0) { $0 + $1.updates.count + 2 }
        case .drawn(let starts, _, let updates): starts.instants(from: .start, to: end, zones).count * (updates + 2)
        }
    }
}

/// The instants of random updates.
package enum ActivityUpdates {
    /// Instants inside an event, neither its beginning nor its end, in order and each once.
    package static func instants(_ draws: [UInt64], from start: Instant, length: Duration) -> [Instant] {
        guard length.microseconds > 1 else { return [] }
        return Array(
            Set(
                draws.map { draw in
                    start
                        + Duration(
                            microseconds: 1 + Int64(RandomStream.index(draw, below: (length - .microsecond).magnitude)))
                })
        ).sorted()
    }
}
