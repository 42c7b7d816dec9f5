import Basics
import Statistics
import WidgetPlatform

/// A release of the operating system, which reboots the devices that install it along an adoption curve (D9).
public struct SystemRelease: Sendable {
    public var name: String
    public var at: Instant
    /// The share of the devices that ever install it.
    public var adoptionShare: Double
    /// The mean time from the release to the installation on these, exponential.
    public var meanTime: Duration
    /// The share of installations that the device makes by itself in the next early morning.
    public var overnightShare: Double
    /// The kinds of device that it is for.
    public var devices: [DeviceKind]

    public init(
        name: String, at: Instant, adoptionShare: Double, meanTime: Duration, overnightShare: Double,
        devices: [DeviceKind]
    ) {
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
    ///   - draws: whether it does, and how long it takes; whether it does so by itself in the early morning, and when
    ///     in it.
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
        return zone.instant(of: date, at: from)
            + Duration(microseconds: Int64(RandomStream.index(minute, below: 7_200_000_000)))
    }
}
