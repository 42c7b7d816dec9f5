import Basics
import Statistics

/// Admission by tokens, in whole numbers: a trillionth of a request a unit, so that millionths a second accrue without
/// a remainder in a microsecond.
struct TokenBucket {
    private static let token: Int128 = 1_000_000_000_000

    private let rate, most: Int128
    private var level: Int128
    private var at = Instant.start

    init(_ limit: RateLimit) {
        precondition(
            limit.rate > 0 && limit.burst >= 1,
            "a rate limit of \(limit.rate) millionths a second and a burst of \(limit.burst)")
        rate = Int128(limit.rate)
        most = Int128(limit.burst) * Self.token
        level = most
    }

    mutating func code(_ stream: StateStream) throws(StateProblem) {
        try stream.code(&level)
        try stream.code(&at)
        try stream.require(
            level >= 0 && level <= most && at >= .start && at <= .start + .longest, "more tokens than a bucket holds")
    }

    /// Takes a token, if there is a whole one: at the very instant at which it is whole, it is there (T6).
    mutating func take(at now: Instant) -> Bool {
        level = min(most, level + Int128((now - at).microseconds) * rate)
        at = now
        if level < Self.token { return false }
        level -= Self.token
        return true
    }
}
