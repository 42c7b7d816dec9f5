import Basics
import Statistics

/// One background of a plan at work: it makes its requests one after another, when the service comes to them (S4).
///
/// Each gap, key and region is looked up by the number of the request, so they do not depend on how the service is
/// advanced, and a change of the rate moves the same requests. The sum of gaps is a whole number of microseconds and a
/// rest below one, which cannot grow coarse (T1).
struct BackgroundSource {
    /// A rate and when it ends.
    private struct Step {
        let from, to: Instant
        let perMicrosecond: Double
    }

    private let number: Int
    private let endpoint: UInt16
    private let streams: RandomStreams
    private let steps: [Step]
    private let exponential: PreparedDistribution
    private let regions: DiscreteChoice
    private let keys: DiscreteChoice?
    private let patience: Patience

    /// When the next one reaches its edge, `never` if none does before the end; the requests before it.
    private(set) var nextAt: Instant = .start
    private var rest = 0.0
    private var step = 0
    private(set) var made: UInt64 = 0

    init(_ background: BackgroundTraffic, number: Int, seed: UInt64, end: Instant, tables: inout StandardTables)
        throws(DistributionProblem)
    {
        precondition(number < BackgroundTraffic.most, "background \(number) of at most \(BackgroundTraffic.most)")
        self.number = number
        streams = RandomStreams(seed: seed, person: UInt64(number))
        endpoint = UInt16(background.endpoint)
        let ends = background.rates.dropFirst().map(\.from) + [end]
        steps = zip(background.rates, ends).filter { $0.from < end && $0.from < $1 }.map { rate, to in
            Step(from: rate.from, to: min(to, end), perMicrosecond: rate.perSecond / 1e6)
        }
        exponential = try Distribution(.exponential(mean: 1)).prepared(with: &tables)
        regions = try DiscreteChoice(weights: background.regionWeights, name: "regions")
        keys =
            background.keys == 1
            ? nil
            : try DiscreteChoice(
                weights: (1...background.keys).map { DeterministicMath.pow(Double($0), -background.zipfPower) },
                name: "popularity")
        patience = try Patience(background.timeout, &tables)
        nextAt = steps.first?.from ?? .never
        findNext()
    }

    /// The request that comes next, and the search for the one after it.
    mutating func take() -> ServiceRequest {
        let draws = streams[.backgroundRequest].pair(at: made)
        let key = keys.map { BackgroundTraffic.keyBit | Int64($0.index(draws.second)) } ?? 0
        let request = ServiceRequest(
            arrival: nextAt, key: key, person: UInt32(made >> 32) << 8 | UInt32(number),
            sequence: UInt32(truncatingIfNeeded: made), out: 0,
            back: 0, patience: patience.microseconds(patience.isConstant ? 0 : streams.number(.patience, at: made)),
            endpoint: endpoint,
            region: UInt16(regions.index(draws.first)), instance: 0, slot: RandomStream.personSlot, attempt: 1,
            cause: 0, isPrivate: false)
        made += 1
        findNext()
        return request
    }

    /// A gap is an exposure of mean 1 to the rate: it is used up by what each rate brings.
    private mutating func findNext() {
        var exposure = exponential.draw(streams.number(.backgroundArrival, at: made))
        while step < steps.count {
            let current = steps[step]
            let left = Double((current.to - nextAt).microseconds) - rest
            if current.perMicrosecond * left > exposure {
                let sum = rest + exposure / current.perMicrosecond
                let whole = sum.rounded(.down)
                nextAt = nextAt + Duration(microseconds: Int64(whole))
                rest = sum - whole
                if nextAt < current.to { return }
                // Rounding has brought it to the end of its rate.
                exposure = 0
            } else {
                exposure -= current.perMicrosecond * left
            }
            step += 1
            rest = 0
            if step < steps.count { nextAt = steps[step].from }
        }
        nextAt = .never
    }

    mutating func code(_ stream: StateStream) throws(StateProblem) {
        try stream.code(&nextAt)
        try stream.code(&rest)
        try stream.code(&step)
        try stream.code(&made)
        if step < 0 || step > steps.count { throw StateProblem("rate \(step) of \(steps.count)") }
        try stream.require(
            rest >= 0 && rest < 1 && made < 1 << 56 && (step == steps.count) == (nextAt == .never)
                && (step == steps.count || nextAt >= steps[step].from && nextAt < steps[step].to),
            "a background that stands in none of its rates")
    }
}

/// Requests from outside the fleet (S4): the queue holds the next one of each background, and each brings the one after
/// it.
///
/// Those of one instant reach the edge before the fleet's, in the order of the backgrounds.
extension ServiceState {
    mutating func scheduleBackground(_ number: Int) {
        let at = background[number].nextAt
        if at < end { queue.insert(DueEvent(at: at, .edgeArrival, pool: number)) }
    }

    mutating func takeBackground(_ number: Int, at now: Instant) {
        let request = background[number].take()
        scheduleBackground(number)
        reachEdge(request, at: now)
    }
}
