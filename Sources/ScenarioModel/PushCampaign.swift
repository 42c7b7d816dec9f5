import Basics
import Statistics
import WidgetPlatform

/// A push that an app's server sends to the whole fleet at certain times (B7).
public struct PushCampaign: Sendable {
    public var name: String
    /// The index of the app in `FleetPlan.apps`.
    public var app: Int
    public var times: Times
    /// Seconds from each time to the push's arrival, over devices.
    public var delay: Distribution
    /// The share of the devices that each sending reaches.
    public var share: Double

    public enum Times: Sendable {
        /// In order.
        case listed([Instant])
        /// Clock times, of the device's own zone or of a fixed one.
        case clock(AlignedSchedule)
    }

    public init(name: String, app: Int, times: Times, delay: Distribution, share: Double) {
        self.name = name
        self.app = app
        self.times = times
        self.delay = delay
        self.share = share
    }

    /// A scenario has at most this many.
    public static let most = 16
}
