import Basics
import Statistics

/// The seconds in which more requests reached a pool than it can take, and those of its outages, from the beginning of
/// the report on.
///
/// A second in which requests came and not one server could begin any is one of an outage. Any other second is over
/// capacity if
/// - its requests times the mean of the service distribution (the distribution as stated, not clipped) come to more
///   than the server time it had: the mean over that second of the servers that could begin requests, each by the
///   slowdown then in force; or
/// - they are more than the rate limit's tokens of one second, whatever burst there was.
///
/// A pool without a limit of servers can always take more, unless it stands still.
struct CapacitySeconds {
    private static let second = Duration.seconds(1)

    /// Mean seconds of service.
    private let mean: Double
    /// Millionths of a request a second.
    private let rate: Int64?
    private var secondStart: Instant
    private var arrivals: Int64 = 0
    /// Servers by slowdown, now, and its integral over the second up to `summedUntil`, in server seconds.
    private var capacity: Double
    private var sum = 0.0
    private var summedUntil: Instant
    private(set) var over: Int64 = 0
    private(set) var out: Int64 = 0

    init(mean: Double, rate: Int64?, reportFrom: Instant, capacity: Double) {
        self.mean = mean
        self.rate = rate
        self.capacity = capacity
        secondStart = reportFrom
        summedUntil = reportFrom
    }

    mutating func code(_ stream: StateStream) throws(StateProblem) {
        try stream.code(&secondStart)
        try stream.code(&arrivals)
        try stream.code(&capacity)
        try stream.code(&sum)
        try stream.code(&summedUntil)
        try stream.code(&over)
        try stream.code(&out)
        try stream.require(
            (0...Int64(UInt32.max)).contains(arrivals) && over >= 0 && over <= StateStream.mostCounted && out >= 0
                && out <= StateStream.mostCounted && capacity >= 0 && sum >= 0
                && secondStart >= .start && summedUntil >= .start && secondStart <= .start + .longest
                && summedUntil <= .start + .longest,
            "a second of a pool that cannot be")
    }

    @inline(__always)
    mutating func addArrival(at now: Instant) {
        if now >= secondStart + Self.second { open(at: now) }
        if now >= secondStart { arrivals += 1 }
    }

    /// From now on the pool has another capacity.
    mutating func change(to capacity: Double, at now: Instant) {
        if now >= secondStart + Self.second { open(at: now) }
        integrate(to: now)
        self.capacity = capacity
    }

    /// The report is over.
    mutating func finish(at end: Instant) { close(at: min(end, secondStart + Self.second)) }

    /// Ends the second and begins the one of `now`; between the two the capacity did not change, or a second would have
    /// been opened there.
    private mutating func open(at now: Instant) {
        close(at: secondStart + Self.second)
        secondStart = secondStart + Self.second * ((now - secondStart).microseconds / Self.second.microseconds)
        summedUntil = secondStart
        sum = 0
        arrivals = 0
    }

    private mutating func close(at end: Instant) {
        if arrivals == 0 { return }
        integrate(to: end)
        if sum == 0 {
            out += 1
            return
        }
        let isOverServers = sum < .infinity && Double(arrivals) * mean > sum
        let isOverRate = rate.map { arrivals * 1_000_000 > $0 } ?? false
        if isOverServers || isOverRate { over += 1 }
    }

    private mutating func integrate(to now: Instant) {
        if now <= summedUntil { return }
        sum += capacity * (now - summedUntil).inSeconds
        summedUntil = now
    }
}
