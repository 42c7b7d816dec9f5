import Fleet
import Measures
import SimulatedTime

/// What a run has measured, merged over all threads: integers only.
public struct RunResult: Sendable {
    public let scenario: Scenario
    public let measures: RunMeasures
    public let load: LoadCurve
    /// The hash of the distribution tables that the run drew from, 16 hex digits.
    public let tablesHash: String

    public init(scenario: Scenario, measures: RunMeasures, load: LoadCurve, tablesHash: String) {
        self.scenario = scenario
        self.measures = measures
        self.load = load
        self.tablesHash = tablesHash
    }

    /// The first 16 hex digits of the SHA-256 of all measures in their declared order.
    public var fingerprint: String { measures.fingerprint(with: load) }
}
