import Basics

/// How a job that has failed is tried again (N2): after a delay that grows with its failures in a row.
public struct WorkBackOff: Hashable, Sendable, BitwiseCopyable {
    public enum Form: UInt8, CaseIterable, Sendable, BitwiseCopyable {
        /// Each delay is twice the one before.
        case exponential
        /// Each is longer by the first.
        case linear
    }

    /// The bounds that WorkManager sets for a delay.
    public static let least = Duration.seconds(10)
    public static let most = Duration.hours(5)

    public var form: Form
    /// The delay after the first failure, from `least` to `most`.
    public var first: Duration

    public init(_ form: Form = .exponential, first: Duration = .seconds(30)) {
        (self.form, self.first) = (form, first)
    }

    /// The time from a failure to the next try.
    ///
    /// - Parameter failures: how often in a row the job has failed by then, 1 or more.
    public func delay(afterFailures failures: Int) -> Duration {
        precondition(failures >= 1, "a back-off after \(failures) failures")
        // Beyond so many the delay is the longest in either form.
        let failures = min(failures, Int(Self.most.microseconds / Self.least.microseconds))
        switch form {
        case .linear: return min(Self.most, first * Int64(failures))
        case .exponential:
            var delay = first
            for _ in 1..<failures where delay < Self.most { delay = min(Self.most, delay * 2) }
            return delay
        }
    }
}
