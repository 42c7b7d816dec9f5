import SimulatedTime
import Stochastics
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

/// A release of the operating system, which reboots the devices that install it along an adoption curve (D9).
public struct SystemRelease: Sendable {
    public var name: String
    public var at: Instant
    /// The share of the devices that install it in the end.
    public var adoptionShare: Double
    /// The mean time from the release to the installation on these, exponential.
    public var meanTime: Duration
    /// The share of installations that the device makes by itself in the next early morning.
    public var overnightShare: Double
    /// The kinds of device that it is for.
    public var devices: [DeviceKind]

    public init(name: String, at: Instant, adoptionShare: Double, meanTime: Duration, overnightShare: Double, devices: [DeviceKind]) {
        self.name = name
        self.at = at
        self.adoptionShare = adoptionShare
        self.meanTime = meanTime
        self.overnightShare = overnightShare
        self.devices = devices
    }

    /// A scenario has at most this many.
    public static let most = 8
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

    init(_ campaign: PushCampaign, keeping memory: inout PlanMemory, _ tables: inout StandardTables) throws(DistributionProblem) {
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
    func sending(after instant: Instant, in zone: ZoneTable, _ zones: UnsafeMutableBufferPointer<ZoneTable>) -> Instant {
        guard let schedule else { return Instant(microseconds: listed.first(after: instant.microseconds).at) }
        return schedule.next(after: instant, in: schedule.fixedZone.map { zones[$0] } ?? zone)
    }
}

/// A release of the system, prepared.
struct PreparedRelease: BitwiseCopyable {
    let at: Instant
    let adoption: Bernoulli
    private let installations: RandomArrivals
    private let overnightShare: Double
    private let devices: UInt8

    init(_ release: SystemRelease, _ tables: inout StandardTables) throws(DistributionProblem) {
        at = release.at
        adoption = try Bernoulli(probability: release.adoptionShare)
        installations = RandomArrivals(meanGap: release.meanTime.inSeconds, tables.exponential)
        overnightShare = release.overnightShare
        devices = release.devices.reduce(0) { $0 | 1 << $1.rawValue }
    }

    /// When a device installs it; `never` if it does not.
    ///
    /// - Parameters:
    ///   - draws: whether it does, and how long it takes; whether it does so by itself in the early morning, and when in it.
    func installation(
        on device: DeviceKind, in zone: ZoneTable, adoption: UInt64, time: UInt64, isOvernight: UInt64, minute: UInt64
    ) -> Instant {
        guard devices & (1 << device.rawValue) != 0, self.adoption.holds(adoption) else { return .never }
        let chosen = installations.next(after: at, time)
        guard RandomStream.uniform(isOvernight) < overnightShare else { return chosen }
        // Between two and four o'clock of the next morning (assumption).
        let local = zone.localTime(at: chosen)
        let from = ClockTime(hour: 2, minute: 0)
        let date = local.clock < from ? local.date : local.date.advanced(by: 1)
        return zone.instant(of: date, at: from) + Duration(microseconds: Int64(RandomStream.index(minute, below: 7_200_000_000)))
    }
}
