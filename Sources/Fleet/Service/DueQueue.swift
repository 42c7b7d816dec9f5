import Basics

/// A queue by instants from which may also be taken before it is known what comes first, as when several ranks look ahead.
///
/// An `InstantQueue` never goes back. An entry added before the instant to which others were taken stands in a list beside it.
final class DueQueue<Entry: Timed> {
    private let queue = InstantQueue<Entry>()
    private var early: [Entry] = []
    private var takenBefore: Instant = .longAgo

    init() {}

    /// Adds an entry; its instant may be one before which others were taken.
    @inline(__always) func add(_ entry: Entry) {
        if entry.dueAt < takenBefore { early.append(entry) } else { queue.add(entry) }
    }

    /// The earliest instant; `never` of none.
    var nextAt: Instant { early.isEmpty ? queue.nextAt : early.reduce(queue.nextAt) { min($0, $1.dueAt) } }

    /// Takes every entry before `limit`, in any order.
    @inline(__always) func take(before limit: Instant, _ body: (Entry) -> Void) {
        if !early.isEmpty {
            for entry in early where entry.dueAt < limit { body(entry) }
            early.removeAll { $0.dueAt < limit }
        }
        if queue.nextAt < limit { queue.take(before: limit, body) }
        takenBefore = max(takenBefore, limit)
    }

    /// Drops entries that do not hold any more from the front.
    ///
    /// - Returns: the instant of the earliest that holds, if it is before `limit`; otherwise an instant not before the limit.
    func next(before limit: Instant, where holds: (Entry) -> Bool) -> Instant {
        while true {
            let next = nextAt
            if next >= limit { return next }
            let end = next + .microsecond
            var found: [Entry] = []
            take(before: end) { if holds($0) { found.append($0) } }
            early += found
            if !found.isEmpty { return next }
        }
    }
}
