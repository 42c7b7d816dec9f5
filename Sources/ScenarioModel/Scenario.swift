import Basics
import RefreshService

/// A checked scenario: `ScenarioFiles` makes it from a file of which it has found everything right, and nobody else
/// does; `ScenarioRun` simulates it.
public struct Scenario: Sendable {
    /// The number of people; for a replay, of its recorded devices.
    public var people: Int
    public var name: String
    public var plan: FleetPlan
    /// The service that answers the fleet's requests; nil if the origin answers every one at once (S6).
    public var service: RefreshPlan?
    /// The length of the windows in which fleet and service advance, at most the least of any leg's delays (S5); nil
    /// for that least delay. It changes no result.
    public var serviceWindow: Duration?
    /// The conditions that the results must meet.
    public var thresholds: [Threshold]
    /// The width of the bins of `load.csv`; a divisor of a day, at least a minute.
    public var loadBin: Duration
    /// Optional tables.
    public var report: ReportSettings

    /// Nothing is checked here.
    package init(
        name: String, people: Int, plan: FleetPlan, service: RefreshPlan? = nil, serviceWindow: Duration? = nil,
        thresholds: [Threshold],
        loadBin: Duration, report: ReportSettings? = nil
    ) {
        self.name = name
        self.people = people
        self.plan = plan
        self.service = service
        self.serviceWindow = serviceWindow
        self.thresholds = thresholds
        self.loadBin = loadBin
        self.report = report ?? ReportSettings(zone: plan.clock.fixedZone(offsetSeconds: 0))
    }

    /// For so many people one person stands before a service at most: their numbers are parts of random numbers' keys.
    public static let mostRepresented = 1_000_000

    /// How many people meet before the service for whom those of the run stand; nil if they stand for themselves, or
    /// without a service.
    public var peopleBeforeService: Int? { service == nil ? nil : report.represents }
    public var isReplay: Bool { !plan.replay.isEmpty }
    /// The reported span.
    public var reportedSpan: Duration { plan.end - Instant.start - plan.warmup }
}

/// A metric that thresholds may name.
public struct KnownMetric: Hashable, Sendable {
    public let name: String
    /// As `summary.csv` states it.
    public let unit: String

    public init(_ name: String, unit: String) { (self.name, self.unit) = (name, unit) }
}

/// Settings for a run's tables beyond those that every run has. They change no figure.
public struct ReportSettings: Sendable {
    /// Whose clock stands beside UTC.
    public var zone: ZoneTable
    /// Whether each second of the load has a row (`load_seconds.csv`).
    public var hasSeconds: Bool
    /// How many people those of the run stand for; nil for themselves only.
    public var represents: Int?
    /// Whether the figures of a service before more people than are simulated get their ranges.
    public var hasRanges: Bool

    package init(zone: ZoneTable, hasSeconds: Bool = false, represents: Int? = nil, hasRanges: Bool = true) {
        self.zone = zone
        self.hasSeconds = hasSeconds
        self.represents = represents
        self.hasRanges = hasRanges
    }
}
