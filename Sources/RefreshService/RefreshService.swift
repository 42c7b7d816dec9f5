import Basics
import Statistics

/// The refresh service at work: requests come in the order of their arrival, and each one's outcome is decided from all
/// before it (S2, S4, S5).
///
/// One thread runs it. Its state after an instant depends on the requests that have arrived by then and on nothing
/// else: not on how they were handed over.
public final class RefreshService {
    public let measures: ServiceMeasures
    /// The earliest instant at which the service itself has something to do that can concern a client of the fleet;
    /// `never` if nothing is under way.
    public private(set) var nextAt: Instant = .never
    private var state: ServiceState
    private var isFinished = false

    /// - Parameters:
    ///   - seed: of the draws of service times and of the ways between edge and origin, which are looked up by the
    ///     request.
    ///   - reportFrom: what comes before it is simulated and not measured.
    ///   - sorts: the sorts of requests that the fleet sends besides the first tries of reloads': the load at the
    ///     origin tells them apart.
    ///   - isSmall: whether few requests reach the origin, so that most tenths of a second have none.
    ///   - end: what happens at it or later is no part of the run; later than `reportFrom`.
    public init(
        _ plan: RefreshPlan, seed: UInt64, reportFrom: Instant, end: Instant, sorts: LoadSorts = [],
        isSmall: Bool = false
    )
        throws(DistributionProblem)
    {
        precondition(
            reportFrom >= .start && end > reportFrom,
            "a report from \(reportFrom.microseconds) to \(end.microseconds) µs")
        let minute: Int64 = 60_000_000
        let minutes = Int(((end - reportFrom).microseconds + minute - 1) / minute)
        measures = ServiceMeasures(
            pools: plan.pools.count, regions: plan.regions.count, endpoints: plan.endpoints.count, minutes: minutes,
            reportFrom: reportFrom,
            sorts: plan.background.isEmpty ? sorts : sorts.union(.outside), isSmall: isSmall,
            receivers: plan.receivers.count)
        state = try ServiceState(plan, measures, seed: seed, reportFrom: reportFrom, end: end)
        nextAt = state.nextAt()
    }

    /// Serves up to an instant, which it does not include.
    ///
    /// - Parameters:
    ///   - arrivals: the requests that arrive before `limit` and were not handed over before, in their order.
    ///   - answers: what devices learn is added here, in no order that matters; each answer leaves the edge before
    ///     `limit`.
    public func advance(
        _ arrivals: UnsafeBufferPointer<ServiceRequest>, to limit: Instant, answers: inout [ServiceAnswer]
    ) {
        precondition(!isFinished, "the run is over")
        swap(&answers, &state.answers)
        state.advance(arrivals, to: limit)
        swap(&answers, &state.answers)
        nextAt = state.nextAt()
    }

    /// Hands over the requests that reach the origin; before the run begins.
    public func observe(_ tap: ArrivalTap) { state.tap = tap }

    /// Writes the state of the service, or reads it back into a new one of the same plan and run. Between two calls of
    /// `advance`.
    public func code(_ stream: StateStream) throws(StateProblem) {
        precondition(!isFinished, "the run is over")
        try state.code(stream)
        nextAt = state.nextAt()
    }

    /// The last instant at which something happened.
    public var clock: Instant { state.clock }

    /// Whether everybody is known whom a request that is under way belongs to, and is to be told what becomes of it.
    public func knows(_ isKnown: (_ person: Int, _ slot: Int, _ instance: UInt16) -> Bool) -> Bool {
        state.knows(isKnown)
    }

    /// The most bytes that so many requests under way take at one time, while their table grows.
    package static func bytes(ofPendingRequests count: Double) -> Double { PendingTable.bytes(of: count) }

    /// The run is over: what is still under way is counted as it stands. Measures are complete from here on.
    public func finish() {
        precondition(!isFinished, "the run is over already")
        isFinished = true
        state.finish()
        nextAt = .never
    }
}
