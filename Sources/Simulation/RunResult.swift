import Basics
import Fleet
import RefreshService
import ScenarioModel
import Statistics

/// The measures of a run, merged over all threads: integers only.
public struct RunResult: Sendable {
    public let scenario: Scenario
    public let measures: RunMeasures
    public let load: LoadCurve
    /// The counts by groups of people; nil with a service, where people depend on each other, and for recorded ones.
    public internal(set) var groups: PersonGroups?
    /// The measures of the service; nil without one.
    public internal(set) var service: ServiceMeasures?
    /// The service before the people that those of the run stand for; nil if they stand for themselves.
    public internal(set) var scaled: ScaledService?
    /// The hash of the distribution tables that the run drew from, 16 hex digits.
    public let tablesHash: String
    /// The most bytes that the states of devices took that waited for the service, and how many devices these were; nil
    /// where they were kept whole.
    public internal(set) var largestSnapshots: (bytes: Int, devices: Int)?

    /// The digest (`MeasureFingerprint`) of all measures in their declared order: counts, load,
    /// groups of people, service.
    public var fingerprint: String {
        measures.fingerprint(with: load) { update in
            groups?.withFilledBytes(update)
            service?.withBytes(update)
            scaled?.outcome.load.withFilledBytes(update)
        }
    }
}
