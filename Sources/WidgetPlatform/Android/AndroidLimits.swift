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

/// How many messages of its apps' servers a device takes (N10).
public struct MessageLimits: Hashable, Sendable {
    /// Collapsible messages of an app: so many at once, then so many an hour; of those that wait the newest alone.
    public var collapsible = HourlyPushLimit(perHour: 20, burst: 20)
    /// Messages to a device in a whole minute and a whole hour of the run; more are refused.
    public var perMinute = 240
    public var perHour = 5_000
    /// Messages to an app that the push service stores one by one for a device without a connection.
    public static let mostStored = 100

    public init() {}
}

/// The messages to a device in the present minute and hour (N10).
public struct MessageCount: Hashable, Sendable, BitwiseCopyable {
    public private(set) var minute: Int64 = -1
    public private(set) var inMinute = 0
    public private(set) var hour: Int64 = -1
    public private(set) var inHour = 0

    public init() {}

    /// A count that was written down.
    public init(minute: Int64, inMinute: Int, hour: Int64, inHour: Int) {
        (self.minute, self.inMinute, self.hour, self.inHour) = (minute, inMinute, hour, inHour)
    }

    /// Counts a message; false, and not counted, if it is one too many.
    public mutating func take(at now: Instant, _ limits: MessageLimits) -> Bool {
        let minute = now.microseconds / Duration.minutes(1).microseconds
        let hour = now.microseconds / Duration.hours(1).microseconds
        if minute != self.minute { (self.minute, inMinute) = (minute, 0) }
        if hour != self.hour { (self.hour, inHour) = (hour, 0) }
        if inMinute >= limits.perMinute || inHour >= limits.perHour { return false }
        inMinute += 1
        inHour += 1
        return true
    }
}
