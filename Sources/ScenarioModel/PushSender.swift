import Basics
import Statistics

/// The server that sends pushes: to Live Activities, and to widgets (O3).
public struct PushSender: Sendable {
    /// Pushes a second; nil for as many as there are.
    public var rate: Double?
    /// Pushes to devices with Android that the push service takes in a whole minute of the run (N10).
    public var projectLimit = 600_000.0
    /// Pushes to many devices go out in so many parts of them, one every so long.
    public var waves = 1
    public var waveGap = Duration.zero
    /// The share of pushes that the push service refuses for now, how often each is tried again, and after how many
    /// seconds.
    public var refused = 0.0
    public var retries = 0
    public var retryDelay = Distribution.zero
    /// The people whom it sends to: those of the run, or those that these stand for; and those of the run.
    public var people = 0, simulated = 0

    /// The rate that is left for bursts and rounds.
    ///
    /// - Parameter others: pushes a second that come one by one; fewer than the rate.
    package func rate(beside others: Double) -> Double? {
        rate.map { rate in
            precondition(others < rate, "a sender of \(rate) pushes a second for \(others)")
            return rate - others
        }
    }
    public init() {}
}

extension PushSender {
    /// How often a push is tried on average.
    public var meanTries: Double {
        var (sum, power) = (0.0, 1.0)
        for _ in 0...retries {
            sum += power
            power *= refused
        }
        return sum
    }
}
