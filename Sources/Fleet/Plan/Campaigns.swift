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

/// A push campaign, prepared.
struct PreparedCampaign {
    let app: Int
    let delay: DurationDistribution
    let reaches: Bernoulli
    /// Whether sendings go by the device's own clock.
    let followsDevice: Bool
    private let listed: InstantList
    private let schedule: AlignedSchedule?

    init(_ campaign: PushCampaign, keeping memory: inout PlanMemory, _ tables: inout StandardTables)
        throws(DistributionProblem)
    {
        app = campaign.app
        delay = try campaign.delay.preparedDurations(with: &tables)
        reaches = try Bernoulli(probability: campaign.share)
        switch campaign.times {
        case .listed(let instants):
            listed = InstantList(instants.map(\.microseconds).sorted(), &memory)
            schedule = nil
            followsDevice = false
        case .clock(let clock):
            listed = InstantList([], &memory)
            schedule = clock
            followsDevice = clock.fixedZone == nil
        }
    }

    /// The first sending after an instant, as a device in a zone gets it; `never` if there is none.
    func sending(after instant: Instant, in zone: ZoneTable, _ zones: UnsafeMutableBufferPointer<ZoneTable>) -> Instant
    {
        guard let schedule else { return Instant(microseconds: listed.first(after: instant.microseconds).at) }
        return schedule.next(after: instant, in: schedule.fixedZone.map { zones[$0] } ?? zone)
    }
}
