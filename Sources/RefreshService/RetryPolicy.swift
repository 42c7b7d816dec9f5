import Basics

/// How a try fails (S3).
public enum TryFailure: UInt8, CaseIterable, Sendable {
    /// The pool has no place for it: by its rate limit or its queue.
    case refused
    /// Any other error: of an outage, or a deploy.
    case failed
    /// No answer comes in time.
    case timedOut
    /// The device has no connection.
    case offline
}

/// A value for each way in which a try fails.
public struct ByFailure<Value> {
    public var refused, failed, timedOut, offline: Value

    @inlinable public subscript(_ failure: TryFailure) -> Value {
        switch failure {
        case .refused: refused
        case .failed: failed
        case .timedOut: timedOut
        case .offline: offline
        }
    }

    public var all: [Value] { [refused, failed, timedOut, offline] }
}

extension ByFailure {
    public init<Problem: Error>(each make: (TryFailure) throws(Problem) -> Value) throws(Problem) {
        self.init(
            refused: try make(.refused), failed: try make(.failed), timedOut: try make(.timedOut),
            offline: try make(.offline))
    }

    /// One value for all of them.
    public init(_ value: Value) { self.init(refused: value, failed: value, timedOut: value, offline: value) }

    public func map<Other, Problem: Error>(_ make: (Value) throws(Problem) -> Other) throws(Problem)
        -> ByFailure<Other>
    {
        try ByFailure<Other> { failure throws(Problem) in try make(self[failure]) }
    }
}

extension ByFailure: Sendable where Value: Sendable {}
extension ByFailure: Equatable where Value: Equatable {}
extension ByFailure: Hashable where Value: Hashable {}

/// A client's behaviour after a failed try (S3): how often it tries again, and when.
public struct RetryPolicy: Hashable, Sendable {
    /// Further tries after the first, 0 to 1,000 or `unlimited`: the most of any kind after any failure.
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

    public func payFirstTry(into account: inout Int64) { account = min(most, account + perFirstTry) }

    /// Takes a retry out of an account; false if none is there.
    public static func takeRetry(from account: inout Int64) -> Bool {
        if account < retry { return false }
        account -= retry
        return true
    }
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

    /// That of a service that states neither delays nor a formula.
    public static let usual = BackOff.exponential(base: .seconds(1), factor: 2, cap: .minutes(1), jitter: .full)

    public enum Jitter: UInt8, CaseIterable, Sendable {
        /// The exponential delay itself.
        case none
        /// Evenly between 0 and the exponential delay.
        case full
        /// Half of it, and evenly between 0 and the other half.
        case equal
    }
}

/// The delays of a back-off, ready for the loop: that of any retry takes a bounded number of steps.
///
/// The exponential delay is a product of one factor a retry, rounded after each. So that retry n does not take n steps,
/// every product of a few, or of a few hundred where the factor is next to 1, is kept.
public struct RetryDelays: Sendable {
    private let backOff: BackOff
    /// The products after 0, `stride`, 2 · `stride` … steps, microseconds.
    private let kept: [Double]
    private let stride: Int
    /// The product after the last step that changes it, and the number of steps to it.
    private let last: Double
    private let steps: Int
    /// Whether further steps would change it: the factor is so near to 1 that the steps to the cap are too many.
    private let isOpen: Bool

    private static let mostKept = 4_096
    /// No more steps are taken beforehand. A factor above 1.00002 comes from any base to any cap with fewer.
    private static let mostSteps = 1 << 20

    public init(_ backOff: BackOff) {
        self.backOff = backOff
        guard case .exponential(let base, let factor, let cap, _) = backOff else {
            (kept, stride, last, steps, isOpen) = ([], 1, 0, 0, false)
            return
        }
        let most = Double(cap.microseconds)
        var whole = Double(base.microseconds)
        var (products, width, count) = ([whole], 1, 0)
        while whole < most, whole * factor != whole, count < Self.mostSteps {
            whole *= factor
            count += 1
            if count % width != 0 { continue }
            products.append(whole)
            if products.count > Self.mostKept {
                products = products.indices.filter { $0 % 2 == 0 }.map { products[$0] }
                width *= 2
            }
        }
        (kept, stride, last, steps) = (products, width, whole, count)
        isOpen = whole < most && whole * factor != whole
    }

    /// The delay before a retry.
    ///
    /// - Parameters:
    ///   - retry: from 1 on.
    ///   - previous: the delay before the retry before; only `decorrelated` looks at it, and not for the first one.
    ///   - u: a fraction from 0 to 1.
    public func delay(before retry: Int, after previous: Duration, _ u: Double) -> Duration {
        switch backOff {
        case .listed(let delays): return delays[retry - 1]
        case .exponential(_, let factor, let cap, let jitter):
            let whole = min(product(afterSteps: retry - 1, factor), Double(cap.microseconds))
            switch jitter {
            case .none: return Duration(microseconds: Int64(cutting: whole))
            case .full: return Duration(microseconds: Int64(cutting: whole * u))
            case .equal: return Duration(microseconds: Int64(cutting: whole / 2 + whole / 2 * u))
            }
        case .decorrelated(let base, let cap):
            let least = Double(base.microseconds)
            let most = 3 * Double((retry == 1 ? base : previous).microseconds)
            return Duration(microseconds: Int64(cutting: min(Double(cap.microseconds), least + (most - least) * u)))
        }
    }

    private func product(afterSteps count: Int, _ factor: Double) -> Double {
        if count >= steps { return isOpen ? last * Self.power(factor, count - steps) : last }
        var product = kept[count / stride]
        for _ in 0..<count % stride { product *= factor }
        return product
    }

    /// By squares.
    private static func power(_ factor: Double, _ exponent: Int) -> Double {
        var (result, square, left) = (1.0, factor, exponent)
        while left > 0 {
            if left & 1 == 1 { result *= square }
            square *= square
            left >>= 1
        }
        return result
    }
}
