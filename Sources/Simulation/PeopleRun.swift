import Basics
import Fleet
import Foundation
import RefreshService
import Statistics
import Synchronization

/// A run in which people never read each other: some of them, one after another.
///
/// People are handed out in small runs of numbers to threads that each add to measures of their own; the load curve is
/// one for all. Every thread ends what it has taken, so whenever they all stop, exactly the people below a frontier are
/// done.
///
/// Ranks deal the next people in rounds of about a second, each a run of numbers to every rank: so the frontier is the
/// same for all of them.
final class PeopleRun {
    private(set) var people: Range<Int>
    /// The first person who has not been simulated.
    private(set) var frontier: Int
    let measures: RunMeasures
    let load: LoadCurve
    /// The same by groups of people; nil for recorded ones, who are not drawn.
    let groups: PersonGroups?
    private let prepared: PreparedPlan
    private let threads: Int
    /// One a thread; none if nobody asks.
    private let taps: [ArrivalTap]
    /// One a thread, which collect the reloads of a sample; none of another run.
    private let samplers: [ReloadSampler]
    /// The link to the other ranks; nil for a run in one process.
    private let link: RankLink?
    /// Why the ranks no longer work together.
    private(set) var lost: RankProblem?
    /// The people of the next round, on all ranks.
    private var round: Int
    /// A hash of how the people up to the frontier were divided among ranks, which depends on how fast the ranks were.
    /// Counts of different divisions do not fit together.
    var division: UInt64 = 0

    /// How many people a thread takes at a time.
    private static let batch = 64

    init(
        _ prepared: PreparedPlan, people: Range<Int>, load: LoadCurve, threads: Int, taps: [ArrivalTap] = [],
        samplers: [ReloadSampler] = [], link: RankLink? = nil
    ) {
        self.prepared = prepared
        self.people = people
        self.load = load
        self.threads = threads
        self.taps = taps
        self.samplers = samplers
        self.link = link
        round = Self.batch * link.share.ranks
        frontier = people.lowerBound
        measures = RunMeasures(layout: prepared.layout)
        groups = load.pairs.map { _ in PersonGroups(layout: prepared.layout, endpoints: load.endpoints) }
    }

    var isOver: Bool { frontier == people.upperBound }

    /// Adds the people who come next, up to so many.
    func grow(to count: Int) { people = people.lowerBound..<count }

    /// Simulates on until all people are done or it is told to pause.
    ///
    /// - Parameters:
    ///   - pauses: asked between batches, on any thread, with the first person who has not been taken yet.
    ///   - progress: called about five times a second on the calling thread.
    func advance(until pauses: @escaping @Sendable (Int) -> Bool, progress: (_ peopleDone: Int) -> Void)
        throws(ThreadProblem)
    {
        guard let link else {
            frontier = try simulate(
                frontier..<people.upperBound, until: pauses, done: frontier - people.lowerBound, progress: progress)
            return
        }
        var microseconds: UInt64 = 0
        while !isOver {
            do throws(RankProblem) {
                let meeting = try link.meet(isPausing: pauses(frontier), microseconds: microseconds)
                if meeting.isPausing { return }
                // Twice as many people while a round is short, half as many if it is long: all ranks know the longest
                // time.
                if (1..<Self.shortRound).contains(meeting.microseconds) { round *= 2 }
                if meeting.microseconds > Self.longRound { round = max(Self.batch * link.share.ranks, round / 2) }
            } catch {
                lost = error
                return
            }
            let next = min(frontier + round, people.upperBound)
            let (rank, ranks) = (link.share.rank, link.share.ranks)
            let own = frontier + (next - frontier) * rank / ranks..<frontier + (next - frontier) * (rank + 1) / ranks
            let began = DispatchTime.now().uptimeNanoseconds
            _ = try simulate(own, until: { _ in false }, done: frontier - people.lowerBound, progress: progress)
            microseconds = max(1, (DispatchTime.now().uptimeNanoseconds - began) / 1_000)
            frontier = next
            for number in [next, ranks] { division = (division ^ UInt64(number)) &* 0x100_0000_01b3 }
        }
    }

    /// Rounds shorter than one are doubled, rounds longer than the other are halved; microseconds.
    private static let shortRound: UInt64 = 700_000
    private static let longRound: UInt64 = 2_000_000

    /// Simulates some people until all of them are done or it is told to pause; returns the first who is not.
    private func simulate(
        _ some: Range<Int>, until pauses: @escaping @Sendable (Int) -> Bool, done before: Int,
        progress: (_ peopleDone: Int) -> Void
    )
        throws(ThreadProblem) -> Int
    {
        let last = some.upperBound
        let handedOut = Atomic(some.lowerBound)
        let done = Atomic(0)
        let counted = LockedValue<[RunMeasures]>([])
        try ThreadPool.work(threads) { [prepared, load, groups, taps, samplers] thread in
            let worker =
                samplers.isEmpty
                ? FleetWorker(prepared, load: load, tap: taps.isEmpty ? nil : taps[thread])
                : FleetWorker(prepared, load: load, sampler: samplers[thread])
            let activities = ActivityWorker(beside: worker)
            var grouped = groups.map { GroupedCounting(into: $0, worker) }
            while !pauses(handedOut.load(ordering: .relaxed)) {
                let first = handedOut.add(Self.batch, ordering: .relaxed).oldValue
                if first >= last { break }
                let next = min(first + Self.batch, last)
                for person in first..<next {
                    grouped?.begin(person: person, worker)
                    // Their widgets end what is counted of a person.
                    activities?.simulate(person: person)
                    worker.simulate(person: person)
                }
                _ = done.add(next - first, ordering: .relaxed)
            }
            grouped?.end(worker)
            worker.finish()
            counted.withLock { $0.append(worker.measures) }
        } waiting: {
            progress(before + done.load(ordering: .relaxed))
        }
        for part in counted.withLock({ $0 }) { measures.merge(part) }
        let first = min(handedOut.load(ordering: .relaxed), last)
        let simulated = done.load(ordering: .relaxed)
        precondition(simulated == first - some.lowerBound, "\(simulated) people are done of \(some) below \(first)")
        progress(before + simulated)
        return first
    }

    /// Writes down what the people up to the frontier were counted with, or adds what others were counted with: those
    /// that come next here.
    ///
    /// - Parameter part: the rank whose counts these are: the parts of one run have the same people. The first one's is
    ///   read first.
    func code(_ stream: StateStream, part: RankShare) throws(StateProblem) {
        var (first, next) = (people.lowerBound, frontier)
        try stream.code(&first)
        try stream.code(&next)
        if stream.isReading {
            let follows = part.rank == 0 ? first == frontier : next == frontier
            guard follows && next >= first && next <= people.upperBound else {
                throw StateProblem("people \(first) to \(next) do not follow person \(frontier)")
            }
        }
        // Counts are added once.
        let counts = !stream.isReading || link.share.adds(part)
        let (own, curve) = counts ? (measures, load) : (RunMeasures(layout: measures.layout), load.emptyCopy())
        try own.code(stream)
        try curve.code(stream)
        try stream.require(curve.isOfPeople, "pairs or groups of requests that are not those of the load")
        try (counts ? groups : groups?.emptyCopy())?.code(
            stream, of: SummaryCounts(own, curve))
        frontier = next
    }
}

extension LoadCurve {
    /// Whether the groups' requests are all of them, and no window has more pairs than its requests make.
    fileprivate var isOfPeople: Bool {
        guard let pairs, let groups else { return true }
        let requests = requestsByMinute
        for minute in requests.indices {
            let sum = (0..<SampleGroups.count).reduce(0) { $0 + Int64(groups.requests(ofGroup: $1)[minute]) }
            if sum != requests[minute] { return false }
            for (width, tenths) in RequestPairs.widths.enumerated() {
                let most = requests[minute...].prefix(max(1, tenths / Self.tenthsPerMinute)).reduce(0, +)
                if Double(pairs.pairs(width: width, minute: minute)) > Double(most) * Double(most) { return false }
            }
        }
        return true
    }
}
