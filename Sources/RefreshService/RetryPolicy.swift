import Basics

/// A client's behaviour after a failed try (S3): how often it tries again, and when.
public struct RetryPolicy: Hashable, Sendable {
    /// Further tries after the first, 0 to 1,000 or `unlimited`.
    public var retries = 0
    /// More tries than any run has time for.
    public static let unlimited = 1_000_000_000
    public var backOff = BackOff.listed([])
    /// Whether the client waits for at least what an error told it to wait for (`Retry-After`).
    public var heedsRetryAfter = false
    /// Nil if every retry is allowed.
    public var budget: RetryBudget?

    /// No further try.
    public static let never = RetryPolicy()
}

/// A client's bound on its own retries: each first try pays something in, each retry takes a whole one out, and one
/// that is not there is not made.
///
/// Amounts are in thousandths of a retry. The account is full at the start.
public struct RetryBudget: Hashable, Sendable {
    /// The amount that a first try pays in, 0 to 1,000.
    public var perFirstTry: Int64
    /// The most that the account holds.
    public var most: Int64

    public static let retry: Int64 = 1_000

    public init(perFirstTry: Int64, most: Int64) { (self.perFirstTry, self.most) = (perFirstTry, most) }
}

/// The time from a failure to the next try (S3).
public enum BackOff: Hashable, Sendable {
    /// The delay before each retry, as listed.
    case listed([Duration])
    /// base · factor^(n − 1) before the n-th retry, at most `cap`, spread by `jitter`.
    case exponential(base: Duration, factor: Double, cap: Duration, jitter: Jitter)
    /// Evenly between `base` and three times the delay before, which is `base` at first, at most `cap` (Brooker,
    /// "Exponential backoff and jitter").
    case decorrelated(base: Duration, cap: Duration)

    public enum Jitter: UInt8, CaseIterable, Sendable {
        /// The exponential delay itself.
        case none
        /// Evenly between 0 and the exponential delay.
        case full
        /// Half of it, and evenly between 0 and the other half.
        case equal
    }
}
