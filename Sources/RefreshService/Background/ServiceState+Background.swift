import Basics

/// Requests from outside the fleet (S4): the queue holds the next one of each background, and each brings the one after
/// it.
///
/// Those of one instant reach the edge before the fleet's, in the order of the backgrounds.
extension ServiceState {
    mutating func scheduleBackground(_ number: Int) {
        let at = background[number].nextAt
        if at < end { queue.insert(DueEvent(at: at, .edgeArrival, pool: number)) }
    }

    mutating func takeBackground(_ number: Int, at now: Instant) {
        let request = background[number].take()
        scheduleBackground(number)
        reachEdge(request, at: now)
    }
}
