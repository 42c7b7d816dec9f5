import Basics
import Fleet
import RefreshService
import Statistics
import Synchronization

/// A run in which fleet and service act on each other (S5).
///
/// Both advance in windows no longer than the least delay of any way between them. A request that a device sends in a
/// window reaches the service after it, and an answer that the service decides in a window reaches a device after it:
/// so within a window devices and service need not know of each other, and every outcome is exact. A window begins
/// where anything happens next; empty ones are skipped.
///
/// In each window one thread takes the requests that arrive in it and serves them (`lead`). The answers that it decides
/// are delivered by the time they matter (`AnswerDelivery`).
///
/// A run on several ranks simulates its own people. Ranks that share a part of the service (`ServiceDivision`) serve
/// all of its requests: they hand the same ones to the same service in the same order, so each knows every answer and
/// tells nobody. They meet once a batch of windows, in which no request can arrive that they do not know
/// (`KnownRequests`). Ranks that share none meet only to pause and to end (`RankBarrier`).
final class ServiceRun: @unchecked Sendable {
    // Safety: after every device has begun, all is the first thread's but what `delivery` hands out.
    let service: RefreshService
    let load: LoadCurve
    let people: Int
    /// Where this rank stands among all of the run.
    var ranks: RankMembership
    /// Whether other ranks serve the same requests.
    let isBatched: Bool
    /// Requests of which the ranks that share a part of the service have told each other.
    var known: KnownRequests
    /// How far the states have come that are read.
    var reading = ReadLimits()
    /// Why the ranks no longer work together.
    var lost: RankProblem?
    let threads: Int
    let window: Duration
    /// No way between a device and the edge takes less.
    let leastLeg: Duration
    let begin, end: Instant

    /// Requests on their way to the edge.
    let sent = NetworkQueue()
    let delivery: AnswerDelivery
    let beginning: FleetBeginning
    var windows = 0
    /// Whether every device has begun: the windows have begun.
    var hasBegun = false
    var isOver = false
    /// The service has come to its end, and the first partition has all measures.
    private var isMeasured = false
    /// The requests of the window under way, and what is decided in it.
    var requests: [ServiceRequest] = []
    var decided: [ServiceAnswer] = []
    let progressAt = Atomic<Int64>(0)

    /// - Parameters:
    ///   - window: above 0, at most the least delay between devices and edge.
    ///   - observed: a person apart from the others, and the partition that holds that person alone.
    ///   - taps: see the requests of each partition's devices; empty for none.
    ///   - division: of the service and the people, for as many ranks as there are.
    ///   - link: to the other ranks; nil for a run in one process.
    init(
        _ prepared: PreparedPlan, service: RefreshService, people: Int, load: LoadCurve, threads: Int, window: Duration,
        keepsWhole: Bool, division: ServiceDivision,
        observed: (person: Int, fleet: FleetPartition)? = nil, taps: [ArrivalTap] = [], link: RankLink? = nil
    ) {
        precondition(window > .zero && window <= prepared.leastLeg, "a window of \(window.microseconds) µs")
        self.service = service
        self.load = load
        self.people = people
        self.threads = threads
        self.window = window
        leastLeg = prepared.leastLeg
        ranks = RankMembership(division, link) { prepared.homeRegion(ofPerson: $0) }
        isBatched = ranks.place.share.ranks > 1
        (begin, end) = (prepared.plan.begin, prepared.plan.end)
        let partitions = PartitionTable(
            prepared, people: people, load: load, threads: threads, place: ranks.place, keepsWhole: keepsWhole,
            observed: observed, taps: taps)
        known = KnownRequests(
            prepared, people: people, share: partitions.share, slots: partitions[0].fleet.slots, latest: end + window
        ) {
            service.serves(region: $0)
        }
        delivery = AnswerDelivery(partitions, threads: threads, window: window, leastLeg: leastLeg, sent: sent)
        beginning = FleetBeginning(delivery, people: people, threads: threads)
    }

    /// Simulates on to the end, or to the end of a window at which it is told to pause.
    ///
    /// - Parameters:
    ///   - pauses: asked at the end of every window, with the number of windows so far, and while devices begin, with
    ///     0. A run that is told to pause before all devices have begun cannot continue.
    ///   - progress: called about five times a second on the calling thread.
    /// - Returns: whether it is over.
    func advance(until pauses: @escaping @Sendable (_ windows: Int) -> Bool, progress: (_ done: Double) -> Void)
        throws(ThreadProblem)
        -> Bool
    {
        precondition(hasBegun || beginning.count == 0, "a run continues whose devices have not all begun")
        delivery.workers.gather()
        try ThreadPool.work(threads) { [self] in
            simulate(thread: $0, pauses)
        } waiting: {
            progress(shareDone)
        }
        if isBatched, canBeKept, lost == nil { delivery.advanceAll() }
        for partition in partitions.all { partition.fleet.flush() }
        return isOver
    }

    /// The share of the run that is done, from 0 to 1. Every device has a beginning, which takes time before the clock
    /// moves: it lives through what precedes the service.
    var shareDone: Double {
        let time = Double(progressAt.load(ordering: .relaxed) - begin.microseconds)
        let all = Double(max(1, end.microseconds))
        let before = max(0.05, Double(begin.microseconds) / all)
        return before * min(1, beginning.share) + (1 - before) * max(0, time / (all - Double(begin.microseconds)))
    }

    /// For what is done rarely: it is a copy.
    var partitions: PartitionTable { delivery.partitions }

    /// Brings the service to its end, after the run is over, and gives the measures of all devices of this rank.
    func measures() -> RunMeasures {
        precondition(isOver, "measures of a run that is not over")
        if isMeasured { return partitions[0].fleet.measures }
        isMeasured = true
        decided.removeAll()
        // Nothing arrives any more: the service comes to the end by itself.
        service.advance(UnsafeBufferPointer(start: nil, count: 0), to: end, answers: &decided)
        service.finish()
        let measures = partitions[0].fleet.measures
        for partition in partitions.all.dropFirst() { measures.merge(partition.fleet.measures) }
        return measures
    }

    /// The most bytes that the states of suspended devices took, and how many devices there were then; nil if they were
    /// kept whole. For a run that was resumed, since then.
    var largestSnapshots: (bytes: Int, devices: Int)? { partitions.snapshots(\.largestSnapshots) }

    /// The bytes that the states of suspended devices take now, and how many devices are suspended; nil if they are
    /// kept whole.
    var presentSnapshots: (bytes: Int, devices: Int)? { partitions.snapshots(\.presentSnapshots) }

    private func simulate(thread: Int, _ pauses: @Sendable (Int) -> Bool) {
        if !hasBegun { beginning.run(thread: thread, until: pauses) }
        if thread == 0 { lead(pauses) } else { delivery.follow(thread: thread) }
        if isOver { for place in partitions.own(thread, of: threads) { partitions[place].fleet.finish(end: end) } }
    }
}
