import Basics
import Statistics
import WidgetPlatform

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

/// A push that an app's server sends to the whole fleet at certain times (B7).
public struct PushCampaign: Sendable {
    public var name = ""
    /// The index of the app in `FleetPlan.apps`.
    public var app = 0
    public var times = Times.listed([])
    /// Seconds from each time to the push's arrival, over devices.
    public var delay = Distribution.zero
    /// The share of the devices that each sending reaches.
    public var share = 1.0

    public enum Times: Sendable {
        /// In order.
        case listed([Instant])
        /// Clock times, of the device's own zone or of a fixed one.
        case clock(AlignedSchedule)
    }

    public init() {}

    /// A scenario has at most this many.
    public static let most = 16
}
