import Basics
import Statistics

/// The refresh service at work: requests come in the order of their arrival, and each one's outcome is decided from all
/// before it (S2, S4, S5).
///
/// One thread runs it. Its state after an instant depends on the requests that have arrived by then and on nothing
/// else: not on how they were handed over.
///
/// A service whose parts never affect each other (`ServicePart`) runs part by part: a request goes to the part of its
/// region. A process can run some parts and leave the others to other processes.
public final class SimulatedService {
    /// The measures of the parts that run here.
    public let measures: ServiceMeasures
    /// The parts of the service, those that run elsewhere among them.
    public let parts: [ServicePart]
    /// The earliest instant at which the service itself has something to do that can concern a client of the fleet;
    /// `never` if nothing is under way.
    public private(set) var nextAt: Instant = .never
    private let plan: RefreshPlan
    private let newState: (Int, ServiceMeasures) throws(DistributionProblem) -> RunningPart
    /// Those that run here.
    private var running: [RunningPart]
    /// By region, the place of its part among them; -1 for one that runs elsewhere.
    private var places: [Int] = []
    private var isFinished = false

    /// - Parameters:
    ///   - parts: as `RefreshPlan.parts` tells; nil for the whole in one.
    ///   - own: the numbers of the parts that run here, in ascending order; nil for all.
    ///   - seed: of the draws of service times and of the ways between edge and origin, which are looked up by the
    ///     request.
    ///   - begin: when it begins, idle and with its first servers.
    ///   - reportFrom: what comes before it is simulated and not measured.
    ///   - sorts: the sorts of requests that the fleet sends besides the first tries of reloads': the load at the
    ///     origin tells them apart.
    ///   - isSmall: whether few requests reach the origin, so that most tenths of a second have none.
    ///   - versionEnds: when versions of the content end, for endpoints whose edges ask by version; nil where none does.
    ///   - end: what happens at it or later is no part of the run; later than `reportFrom`.
    public init(
        _ plan: RefreshPlan, parts: [ServicePart]? = nil, own: [Int]? = nil, seed: UInt64, begin: Instant = .start,
        reportFrom: Instant, end: Instant, sorts: RequestClasses = [], isSmall: Bool = false,
        versionEnds: VersionEnds? = nil
    ) throws(DistributionProblem) {
        precondition(
            begin >= .start && reportFrom >= begin && end > reportFrom,
            "a report from \(reportFrom.microseconds) to \(end.microseconds) µs")
        let minutes = (end - reportFrom).begunMinutes
        let all = parts ?? [ServicePart(regions: Array(plan.regions.indices), pools: Array(plan.pools.indices))]
        let sorts = plan.background.isEmpty ? sorts : sorts.union(.outside)
        let measures = ServiceMeasures(
            pools: plan.pools.count, regions: plan.regions.count, minutes: minutes, reportFrom: reportFrom,
            receivers: plan.receivers.count,
            originLoad: LoadCurve(
                endpoints: plan.endpoints.count, regions: plan.regions.count, minutes: minutes,
                causes: LoadCurve.causes(with: sorts), isSparse: isSmall))
        self.measures = measures
        self.plan = plan
        self.parts = all
        newState = { (number, measures) throws(DistributionProblem) in
            RunningPart(
                number,
                try ServiceState(
                    plan, part: all[number], measures, seed: seed, begin: begin, reportFrom: reportFrom, end: end,
                    versionEnds: versionEnds))
        }
        var running: [RunningPart] = []
        for number in own ?? Array(all.indices) { running.append(try newState(number, measures)) }
        self.running = running
        places = plan.regions.indices.map { region in
            running.firstIndex { all[$0.number].regions.contains(region) } ?? -1
        }
        findNext()
    }

    /// Whether the part of a region runs here.
    public func serves(region: Int) -> Bool { places.indices.contains(region) && places[region] >= 0 }

    /// The numbers of the parts that run here.
    public var own: [Int] { running.map(\.number) }

    private func findNext() { nextAt = running.reduce(.never) { min($0, $1.nextAt) } }

    /// Serves up to an instant, which it does not include.
    ///
    /// - Parameters:
    ///   - arrivals: the requests that arrive before `limit` and were not handed over before, in their order; all of
    ///     regions whose parts run here.
    ///   - answers: what devices learn is added here, in no order that matters; each answer leaves the edge before
    ///     `limit`.
    public func advance(
        _ arrivals: UnsafeBufferPointer<ServiceRequest>, to limit: Instant, answers: inout [ServiceAnswer]
    ) {
        precondition(!isFinished, "the run is over")
        if running.count == 1 {
            running[0].advance(arrivals, to: limit, &answers)
            nextAt = running[0].nextAt
            return
        }
        for request in arrivals {
            let place = places[Int(request.region)]
            precondition(place >= 0, "a request of region \(request.region), which is served elsewhere")
            running[place].arrivals.append(request)
        }
        // Requests from outside the fleet are made up for when the fleet asks next, or at the end of the run.
        for part in running where !part.arrivals.isEmpty || part.nextAt < limit || limit >= part.state.end {
            part.arrivals.withUnsafeBufferPointer { part.advance($0, to: limit, &answers) }
            part.arrivals.removeAll(keepingCapacity: true)
        }
        findNext()
    }

    /// Hands over the requests that reach the origin; before the run begins, and of a service in one part.
    public func observe(_ tap: ArrivalTap) {
        precondition(running.count == 1, "several parts hand over their requests in no order")
        running[0].state.tap = tap
    }

    /// The last instant at which something happened in a part that runs here, for the one where that is longest ago.
    public var clock: Instant { running.reduce(.never) { min($0, $1.state.clock) } }

    /// Whether everybody is known whom a request that is under way belongs to, and is to be told what becomes of it.
    public func knows(_ isKnown: (_ person: Int, _ slot: Int, _ instance: UInt16) -> Bool) -> Bool {
        running.allSatisfy { $0.state.knows(isKnown) }
    }

    /// The most bytes that so many requests under way take at one time, while their table grows.
    package static func bytes(ofPendingRequests count: Double) -> Double { PendingTable.bytes(of: count) }

    /// The run is over: what is still under way is counted as it stands. Measures are complete from here on.
    public func finish() {
        precondition(!isFinished, "the run is over already")
        isFinished = true
        for part in running { part.state.finish() }
        nextAt = .never
    }

    /// A part that runs here.
    private final class RunningPart {
        let number: Int
        var state: ServiceState
        var nextAt: Instant
        /// Where it stood when it was read; the start of a run that was not.
        var readTo: Instant = .start
        /// Those of the window under way, where there are several parts.
        var arrivals: [ServiceRequest] = []

        init(_ number: Int, _ state: consuming ServiceState) {
            self.number = number
            self.state = state
            nextAt = self.state.nextAt()
        }

        func advance(
            _ arrivals: UnsafeBufferPointer<ServiceRequest>, to limit: Instant, _ answers: inout [ServiceAnswer]
        ) {
            swap(&answers, &state.answers)
            state.advance(arrivals, to: limit)
            swap(&answers, &state.answers)
            nextAt = state.nextAt()
        }
    }
}

// MARK: Checkpoints, and the sum of several processes

extension SimulatedService {
    /// Writes the state of the parts that run here, or reads that of parts that ran in a process of an interrupted run
    /// into a new service of the same plan: those that run here are taken, the others are passed over. Between two
    /// calls of `advance`.
    ///
    /// - Parameters:
    ///   - numbers: of the parts whose states are written or read.
    ///   - limit: nothing has happened at it or later, but in a part that was read and has come further than the
    ///     others: before the run comes to where that one stood nothing happens there.
    ///   - addsLoad: whether the load at the origin that is read is added, which is not told apart by parts.
    public func code(_ stream: StateStream, parts numbers: [Int], limit: Instant, addsLoad: Bool) throws(StateProblem) {
        precondition(!isFinished, "the run is over")
        if !stream.isReading {
            precondition(numbers == own, "parts that run elsewhere are written down")
            for part in running { part.state.load.flush() }
        }
        let isWhole = !stream.isReading || parts.count == 1
        let others = isWhole ? measures : measures.emptyCopy()
        try others.code(stream)
        if !isWhole {
            measures.take(
                others, parts: numbers.filter(own.contains).map { parts[$0] }, receivers: plan.receivers,
                addsLoad: addsLoad)
        }
        for number in numbers {
            let part = running.first { $0.number == number } ?? passedOver(number, others)
            var boundary = max(limit, part.readTo)
            try stream.code(&boundary)
            try stream.require(boundary >= limit, "a part of a service that is behind the others")
            try part.state.code(stream)
            try stream.require(part.state.clock <= boundary, "a service that is ahead of its devices")
            if stream.isReading { part.readTo = boundary }
            part.nextAt = part.state.nextAt()
        }
        findNext()
    }

    /// A part that runs elsewhere, to read its state and forget it. Its distributions were drawn from when the service
    /// was made.
    private func passedOver(_ number: Int, _ measures: ServiceMeasures) -> RunningPart {
        do { return try newState(number, measures) } catch {
            preconditionFailure("a part that could be made: \(error)")
        }
    }

    /// Writes the state of the whole service, or reads it back into a new one of the same plan and run. Between two
    /// calls of `advance`.
    public func code(_ stream: StateStream) throws(StateProblem) {
        try code(stream, parts: own, limit: .never, addsLoad: true)
    }

    /// Writes down what was measured of the parts that run here, or adds what a process has measured that ran others;
    /// after the run.
    public func codeResult(_ stream: StateStream, parts numbers: [Int]) throws(StateProblem) {
        precondition(isFinished, "measures of a run that is not over")
        if !stream.isReading { return try measures.codeResult(stream) }
        let others = measures.emptyCopy()
        try others.codeResult(stream)
        measures.take(others, parts: numbers.map { parts[$0] }, receivers: plan.receivers, addsLoad: true)
    }
}
