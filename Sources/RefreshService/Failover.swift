import Basics

/// How devices of one region come to another one when theirs is lost or drained (S7).
///
/// Which of the two serves a request follows from the device, the instant and the number of the try: all outages are
/// planned, so it is known before the run when health checks notice one.
public struct Failover: Hashable, Sendable {
    /// Indices of regions: whose devices, and where they go.
    public var region, to: Int
    public var way: Way
    /// The way of a device to the other region is so much longer than that of the devices there, out and back.
    public var detour: Duration

    public enum Way: Hashable, Sendable {
        /// The client knows both addresses: each further try goes to the other one.
        case nextAddress
        case name(NameTurns)
    }

    public init(region: Int, to: Int, way: Way, detour: Duration = .zero) {
        (self.region, self.to, self.way, self.detour) = (region, to, way, detour)
    }
}

/// When the name of a region points to another one, and how resolvers follow.
public struct NameTurns: Hashable, Sendable {
    /// In ascending order and apart from each other.
    public var turns: [NameTurn]
    /// A resolver keeps an answer for so long.
    public var timeToLive: Duration
    /// The share of devices, 0 to 1, whose resolver keeps it for another time.
    public var ignoringShare: Double
    public var ignoredFor: Duration
    /// The time over which devices are let return, and in how many equal parts, 2 or more; nil for evenly.
    public var returnSpan: Duration
    public var returnParts: Int?

    public init(
        turns: [NameTurn], timeToLive: Duration, ignoringShare: Double = 0, ignoredFor: Duration = .zero,
        returnSpan: Duration = .zero, returnParts: Int? = nil
    ) {
        self.turns = turns
        self.timeToLive = timeToLive
        self.ignoringShare = ignoringShare
        self.ignoredFor = ignoredFor
        self.returnSpan = returnSpan
        self.returnParts = returnParts
    }
}

/// A span [from, to) in which a name points to the other region; `to` is `never` if the run ends before.
public struct NameTurn: Hashable, Sendable, BitwiseCopyable {
    public var from, to: Instant

    public init(from: Instant, to: Instant) { (self.from, self.to) = (from, to) }

    /// Spans in ascending order, those that overlap or meet as one.
    public static func joined(_ spans: [NameTurn]) -> [NameTurn] {
        var joined: [NameTurn] = []
        for span in spans.sorted(by: { ($0.from, $0.to) < ($1.from, $1.to) }) where span.from < span.to {
            if let last = joined.last, span.from <= last.to {
                joined[joined.count - 1].to = max(last.to, span.to)
            } else {
                joined.append(span)
            }
        }
        return joined
    }
}

/// Checks of a region at whole multiples of an interval after the start of the run. So many failures in a row and the
/// region is lost, so many successes and it is well again.
public struct HealthCheck: Hashable, Sendable {
    public var interval: Duration
    public var threshold: Int

    public init(interval: Duration, threshold: Int) { (self.interval, self.threshold) = (interval, threshold) }

    /// The spans in which it takes the region for lost. The last one ends at `never` if no recovery is noticed before
    /// `end`.
    public func losses(in outages: [NameTurn], end: Instant) -> [NameTurn] {
        let needed = Int64(threshold)
        var (failed, passed): (Int64, Int64) = (0, 0)
        // Checks are counted from the start of the run; this is the first that was not looked at.
        var next: Int64 = 0
        var losses: [NameTurn] = []
        var isLost = false
        func pass(_ count: Int64) {
            if count <= 0 { return }
            if isLost && passed + count >= needed {
                losses[losses.count - 1].to = at(next + needed - passed - 1)
                isLost = false
            }
            (failed, passed, next) = (0, passed + count, next + count)
        }
        for outage in NameTurn.joined(outages) where outage.from < end {
            pass(first(from: outage.from) - next)
            let failures = first(from: outage.to) - next
            if failures <= 0 { continue }
            let notice = at(next + needed - failed - 1)
            if !isLost && failed + failures >= needed && notice < end {
                losses.append(NameTurn(from: notice, to: .never))
                isLost = true
            }
            (failed, passed, next) = (failed + failures, 0, next + failures)
        }
        pass(first(from: end) - next)
        return losses
    }

    private func at(_ check: Int64) -> Instant { .start + interval * check }

    /// The number of the first check at an instant or later.
    private func first(from instant: Instant) -> Int64 {
        let length = interval.microseconds
        let time = max(0, min(instant, .start + .longest).microseconds)
        return (time + length - 1) / length
    }
}
