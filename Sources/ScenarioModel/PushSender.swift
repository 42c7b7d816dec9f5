import Basics
import Statistics

/// The server that sends pushes: to Live Activities, and to widgets (O3).
public struct PushSender: Sendable {
    /// Pushes a second; nil for as many as there are.
    public var rate: Double?
    /// Pushes to devices with Android that the push service takes in a whole minute of the run (N10).
    public var projectLimit: Double
    /// Pushes to many devices go out in so many parts of them, one every so long.
    public var waves: Int
    public var waveGap: Duration
    /// The share of pushes that the push service refuses for now, how often each is tried again, and after how many
    /// seconds.
    public var refused: Double
    public var retries: Int
    public var retryDelay: Distribution
    /// The people whom it sends to: those of the run, or those that these stand for; and those of the run.
    public var people, simulated: Int

    /// The rate that is left for bursts and rounds.
    ///
    /// - Parameter others: pushes a second that come one by one; fewer than the rate.
    package func rate(beside others: Double) -> Double? {
        rate.map { rate in
            precondition(others < rate, "a sender of \(rate) pushes a second for \(others)")
            return rate - others
        }
    }

    public init(
        rate: Double?, projectLimit: Double = 600_000, waves: Int, waveGap: Duration, refused: Double, retries: Int,
        retryDelay: Distribution,
        people: Int, simulated: Int
    ) {
        self.rate = rate
        self.projectLimit = projectLimit
        self.waves = waves
        self.waveGap = waveGap
        self.refused = refused
        self.retries = retries
        self.retryDelay = retryDelay
        self.people = people
        self.simulated = simulated
    }
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
