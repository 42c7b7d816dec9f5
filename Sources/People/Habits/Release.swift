import Basics
import Statistics
import WidgetPlatform

/// A release of the operating system or of an app, which devices install along an adoption curve (D9).
public struct Release: Sendable {
    public var name = ""
    /// When it comes out.
    public var at = Instant.start
    /// The app that it is a release of, by its index; nil for the operating system.
    public var app: Int?
    /// The shares of the devices to which it is open from `at` on and after each further `phaseTime`; rising.
    public var phases = [1.0]
    public var phaseTime = Duration.zero
    /// The share of the devices that ever install it, of those to which it is open.
    public var adoptionShare = 1.0
    /// The mean time from when it is open to a device to the installation, exponential.
    public var meanTime = Duration.zero
    /// The share of installations that the device makes by itself in the next early morning.
    public var overnightShare = 0.0
    /// The kinds of device that it is for.
    public var devices = DeviceKind.allCases
    public init() {}

    /// A scenario has at most this many of the operating system, and as many of apps.
    public static let most = 8
}

/// A release, prepared.
struct PreparedRelease {
    let app: Int?
    /// By which its draws are told apart: those of apps are the same whatever the system's releases are.
    let number: Int
    private let at: Instant
    private let phases: [Double]
    private let phaseTime: Duration
    private let adoption: Bernoulli
    private let installations: RandomArrivals
    private let overnightShare: Double
    private let devices: UInt8

    /// - Parameter place: its place among the releases of its sort.
    init(_ release: Release, place: Int = 0, _ tables: inout StandardTables) throws(DistributionProblem) {
        app = release.app
        number = release.app == nil ? place : Release.most + place
        at = release.at
        phases = release.phases
        phaseTime = release.phaseTime
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
    ///   - phase: the phase from which on it is open to the device.
    func installation(
        on device: DeviceKind, in zone: ZoneTable, adoption: UInt64, time: UInt64, isOvernight: UInt64, minute: UInt64,
        phase: UInt64
    ) -> Instant {
        let place = RandomStream.uniform(phase)
        guard devices & (1 << device.rawValue) != 0, self.adoption.holds(adoption),
            let step = phases.firstIndex(where: { place < $0 })
        else { return .never }
        let chosen = installations.next(after: at + phaseTime * Int64(step), time)
        guard RandomStream.uniform(isOvernight) < overnightShare else { return chosen }
        // Between two and four o'clock of the next morning (assumption).
        let local = zone.localTime(at: chosen)
        let from = ClockTime(hour: 2, minute: 0)
        let date = local.clock < from ? local.date : local.date.advanced(by: 1)
        return zone.instant(of: date, at: from)
            + Duration(microseconds: Int64(RandomStream.index(minute, below: 7_200_000_000)))
    }
}
