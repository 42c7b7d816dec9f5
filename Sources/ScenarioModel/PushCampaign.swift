import Basics
import Statistics
import WidgetPlatform

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
