import Basics
import Statistics

/// How the pools come back after the plan's events: when their queues are empty again, and in which seconds requests
/// end without being served.
struct RecoveryWatch {
    /// Seconds that must be healthy together: single failures of a quiet service are no sign.
    private static let minute = 60

    /// One for each event and pool concerned, in the plan's order and in the pools'.
    private(set) var recoveries: [ServiceMeasures.Recovery] = []
    /// Those of a pool whose queue has not been empty yet.
    private var open: [[Int]]
    /// The requests that ended, and those of them that were not served, by pool watched and by second from
    /// `firstSecond` on; empty if no event ends in the run.
    private var ended, notServed: [UInt32]
    private let firstSecond, seconds: Int
    /// The place of each pool among those that are watched; -1 for the others.
    private let places: [Int]
    private let end: Instant
    private let concerned: [(from: Instant, to: Instant, pools: [Int])]

    /// - Parameters:
    ///   - concerned: of each event of the plan the span and the pools, all of which are watched.
    ///   - pools: those that are watched, by their numbers in the plan.
    init(_ concerned: [(from: Instant, to: Instant, pools: [Int])], pools: [Int], end: Instant) {
        self.concerned = concerned
        self.end = end
        let count = (pools.max() ?? -1) + 1
        places = (0..<count).map { pools.firstIndex(of: $0) ?? -1 }
        open = Array(repeating: [], count: count)
        let first = concerned.filter { $0.to >= .start && $0.to < end }.map(\.to).min()
        firstSecond = Self.firstSecond(from: first ?? .start)
        seconds = first == nil ? 0 : max(0, Self.firstSecond(from: end) - firstSecond)
        ended = Array(repeating: 0, count: pools.count * seconds)
        notServed = ended
    }

    /// The whole second of the run's clock that an instant lies in, and the first that begins at it or later.
    private static func second(of instant: Instant) -> Int {
        Int(instant.microseconds / Duration.seconds(1).microseconds)
    }
    private static func firstSecond(from instant: Instant) -> Int { second(of: instant + (.seconds(1) - .microsecond)) }

    /// Whether anybody waits to hear of an empty queue.
    func isWaiting(for pool: Int) -> Bool { !open[pool].isEmpty }

    /// An event is over; its pools have begun what they can.
    mutating func eventEnded(_ event: Int, at now: Instant) {
        for pool in concerned[event].pools {
            open[pool].append(recoveries.count)
            recoveries.append(
                .init(event: event, pool: pool, end: now, queueEmptyAt: .never, healthyAt: .never))
        }
    }

    mutating func queueEmpty(pool: Int, at now: Instant) {
        for index in open[pool] { recoveries[index].queueEmptyAt = now }
        open[pool] = []
    }

    @inline(__always)
    mutating func requestEnded(pool: Int, at instant: Instant, isServed: Bool) {
        if seconds == 0 { return }
        let second = Self.second(of: instant) - firstSecond
        if second < 0 || second >= seconds { return }
        ended[places[pool] * seconds + second] += 1
        if !isServed { notServed[places[pool] * seconds + second] += 1 }
    }

    mutating func code(_ stream: StateStream) throws(StateProblem) {
        try stream.code(&recoveries)
        for pool in open.indices {
            try stream.code(&open[pool])
            if !open[pool].allSatisfy(recoveries.indices.contains) {
                throw StateProblem("a recovery that is not in the list")
            }
        }
        try stream.code(fixed: &ended)
        try stream.code(fixed: &notServed)
        try stream.require(
            recoveries.allSatisfy { recovery in
                concerned.indices.contains(recovery.event) && concerned[recovery.event].pools.contains(recovery.pool)
                    && recovery.end >= .start && recovery.end <= end
                    && (recovery.queueEmptyAt == .never
                        || recovery.queueEmptyAt >= recovery.end && recovery.queueEmptyAt <= end)
                    && recovery.healthyAt == .never
            }, "a recovery from no event")
        try stream.require(
            zip(ended, notServed).allSatisfy { $0 < .max / 2 && $1 <= $0 }, "more requests not served than ended")
    }

    /// The recoveries at the end of the run, in the plan's order.
    ///
    /// The minutes begin with any whole second of the run's clock from an event's end on and lie before the next
    /// beginning of an event that concerns the pool, or before the end of the run.
    func finished() -> [ServiceMeasures.Recovery] {
        recoveries.sorted { ($0.event, $0.pool) < ($1.event, $1.pool) }.map { recovery in
            var recovery = recovery
            let over = recovery.end
            let nextEvent =
                concerned.enumerated().filter {
                    $0.offset != recovery.event && $0.element.pools.contains(recovery.pool)
                }
                .map(\.element.from).filter { $0 >= over }.min().map { min($0, end) } ?? end
            let from = Self.firstSecond(from: over)
            let to = Self.second(of: nextEvent)
            recovery.healthyAt =
                healthyMinute(pool: recovery.pool, from: from, to: to).map { second in
                    max(recovery.end, .start + .seconds(Int64(second)))
                } ?? .never
            return recovery
        }
    }

    /// The first second from which on a whole minute is healthy: requests ended, and at most a hundredth of them were
    /// not served. Nil if there is none before `to`.
    private func healthyMinute(pool: Int, from: Int, to: Int) -> Int? {
        guard from + Self.minute <= to else { return nil }
        let place = places[pool] * seconds - firstSecond
        var (all, failed): (UInt64, UInt64) = (0, 0)
        for second in from..<to {
            all += UInt64(ended[place + second])
            failed += UInt64(notServed[place + second])
            let start = second - Self.minute + 1
            if start < from { continue }
            if all > 0 && failed * 100 <= all { return start }
            all -= UInt64(ended[place + start])
            failed -= UInt64(notServed[place + start])
        }
        return nil
    }
}
