import Basics
import RefreshService
import Statistics

/// A request as its device sees it (S1, S3, S6): two legs, and what the client does when no answer comes or an error.
///
/// Without a refresh service the origin answers at once, except in the spans that fail.
public struct RequestPlan: Sendable {
    public var legs: OneWayDelays
    /// Those of the regions that have legs of their own, by the region's name.
    public var regionalDelays: [String: OneWayDelays]
    /// Spans [from, to) of arrival at the origin in which it fails.
    public var failing: [(from: Instant, to: Instant)]
    /// Spans in which one endpoint alone fails, by its index, for one region's requests or all: what stands for the
    /// outages of a service's pools and regions where none is simulated.
    package var failingEndpoints: [(endpoint: Int, region: Int?, from: Instant, to: Instant)] = []
    /// Endpoints that answer conditional requests, by their index (S10).
    public var conditionalEndpoints: Set<Int> = []
    /// How devices come to another region, at most one for each (S7).
    public var failovers: [Failover] = []
    public var failure: Failure
    /// A client gives a try up after these seconds, drawn for each try (S3).
    public var timeout: Distribution
    /// When it does so, if a service answers.
    public var abandonment: Abandonment
    public var retry: RetryPolicy
    /// Further tries of kinds that state none of their own, after each failure.
    public var retries: ByFailure<Int>
    /// The policy after the final failure: `after` these seconds, drawn for each failure (S3).
    public var failureAfter: ByFailure<Distribution>
    /// The time to the next reload that answers state, by the endpoint's index (S11).
    public var paces: [Int: ServedPace] = [:]

    public enum Failure: UInt8, CaseIterable, Sendable { case error, timeout }

    public init(
        legs: OneWayDelays, regionalDelays: [String: OneWayDelays] = [:], failing: [(from: Instant, to: Instant)] = [],
        failure: Failure = .error,
        timeout: Distribution = .init(.constant(30)), abandonment: Abandonment = .always, retry: RetryPolicy = .never,
        failureAfter: Distribution = .init(.constant(900))
    ) {
        self.legs = legs
        self.regionalDelays = regionalDelays
        self.failing = failing
        self.failure = failure
        self.timeout = timeout
        self.abandonment = abandonment
        self.retry = retry
        retries = ByFailure(retry.retries)
        self.failureAfter = ByFailure(failureAfter)
    }
}

/// Seconds from the device to the edge, and back: a fixed minimum and a drawn part (S5).
public struct OneWayDelays: Hashable, Sendable {
    public var out, back: Distribution

    public init(out: Distribution, back: Distribution) {
        self.out = out
        self.back = back
    }
}
