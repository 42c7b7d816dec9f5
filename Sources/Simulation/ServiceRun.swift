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
/// In each window one thread takes the requests that arrive in it and serves them. The answers that it decides need not
/// be delivered at once: a device does nothing because of an answer before its new timeline asks for something, and
/// nothing by itself before its next clock. So answers of several windows come together, at most until one of them
/// matters. On several threads people are divided into partitions: one that holds enough answers is handed out, and the
/// first thread serves the next windows while another delivers them, as far as no request can arrive that a device of
/// the partition may still send.
///
/// A run on several ranks simulates its own people. Ranks that share a part of the service (`ServiceDivision`) serve
/// all of its requests: they hand the same ones to the same service in the same order, so each knows every answer and
/// tells nobody. They meet once a batch of windows, in which no request can arrive that they do not know
/// (`KnownRequests`). Ranks that share none meet only to pause and to end (`RankPulse`).
final class ServiceRun: @unchecked Sendable {
    // Safety: of a partition that is handed out, the fleet (but for the rounds in its pending-device records),
    // `delivered` and `deliveredTo` belong to the thread that has taken it. All else is always the first thread's, once
    // every device has begun.
    let partitions: PartitionTable
    let service: RefreshService
    let load: LoadCurve
    let people: Int
    /// Where this rank stands among all of the run.
    var ranks: RankMembership
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
    let workers: WorkerPool
    private let barrier: Barrier

    /// Requests on their way to the edge, and when devices have to be resumed without an answer.
    let sent = SentRequests()
    var wakes = WakeUpQueue()
    /// The people whose answers are delivered next, and a few others; on a rank of one thread.
    let chosen = PeopleFilter()
    /// The sums over all partitions.
    var totals = DeliveryTotals()
    /// Where the window under way ends.
    var limit: Instant = .start
    var windows = 0
    var sharing = SharingChoice()
    /// Whether every device has begun: the windows have begun.
    var hasBegun = false
    var isOver = false
    /// The service has come to its end, and the first partition has all measures.
    private var isMeasured = false
    var requests: [ServiceRequest] = []
    var decided: [ServiceAnswer] = []
    let progressAt = Atomic<Int64>(0)
    let begun = Atomic<Int>(0)
    /// Told to pause while devices begin; any thread may see it first.
    private let isCalledOff = Atomic<Bool>(false)

    /// The partitions of a run on so many threads: several a thread, so that whoever is done with its own can take
    /// another's.
    static func partitions(threads: Int) -> Int {
        if threads == 1 { return 1 }
        var partitions = 1
        while partitions < partitionsOfThread * threads { partitions *= 2 }
        return partitions
    }

    private static let partitionsOfThread = 4

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
        let (share, regions) = (ranks.place.share, ranks.place.regions)
        (begin, end) = (prepared.plan.begin, prepared.plan.end)
        barrier = Barrier(threads: threads)
        let count = Self.partitions(threads: threads)
        let residents = regions.map { regions in
            Residents(people: people, share: share, partitions: count) { regions[prepared.homeRegion(ofPerson: $0)] }
        }
        let shares = (0..<count).map { thread in
            FleetPartition(
                prepared, load: load, people: people,
                share: residents.map { .residents($0, thread: thread, of: count, in: share) }
                    ?? .thread(thread, of: count, in: share),
                keepsWhole: keepsWhole, tap: taps.isEmpty ? nil : taps[thread])
        }
        known = KnownRequests(
            prepared, people: people, share: share, slots: shares[0].slots, latest: prepared.plan.end + window
        ) {
            service.serves(region: $0)
        }
        partitions = PartitionTable(shares, observed: observed, of: share, residents: residents)
        workers = WorkerPool(threads: threads, partitions: partitions.all.count)
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
        precondition(
            hasBegun || begun.load(ordering: .relaxed) == 0, "a run continues whose devices have not all begun")
        workers.gather()
        try ThreadPool.work(threads) { [self] in
            simulate(thread: $0, pauses)
        } waiting: {
            progress(shareDone)
        }
        if isBatched, canBeKept, lost == nil {
            // Devices that are brought up would not see the answers that are held for them.
            for place in partitions.indices { deliverAll(of: place) }
            for partition in partitions.all { partition.fleet.advanceAll(to: limit) }
            collect()
        }
        for partition in partitions.all { partition.fleet.flush() }
        return isOver
    }

    /// The share of the run that is done, from 0 to 1. Every device has a beginning, which takes time before the clock
    /// moves: it lives through what precedes the service.
    var shareDone: Double {
        let beginnings = ownPeople == 0 ? 1 : Double(begun.load(ordering: .relaxed)) / Double(ownPeople)
        let time = Double(progressAt.load(ordering: .relaxed) - begin.microseconds)
        let all = Double(max(1, end.microseconds))
        let before = max(0.05, Double(begin.microseconds) / all)
        return before * min(1, beginnings) + (1 - before) * max(0, time / (all - Double(begin.microseconds)))
    }

    /// How many people this rank simulates.
    var ownPeople: Int { partitions.residents?.count ?? share.count(of: people) }

    /// This rank's blocks of people, among the ranks that share its parts of the service.
    var share: RankShare { partitions.share }

    /// Whether other ranks serve the same requests.
    var isBatched: Bool { share.ranks > 1 }

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
    var largestSnapshots: (bytes: Int, devices: Int)? {
        let sizes = partitions.all.compactMap(\.fleet.largestSnapshots)
        return sizes.isEmpty ? nil : sizes.reduce((0, 0)) { ($0.0 + $1.bytes, $0.1 + $1.devices) }
    }

    /// The bytes that the states of suspended devices take now, and how many devices are suspended; nil if they are
    /// kept whole.
    var presentSnapshots: (bytes: Int, devices: Int)? {
        let sizes = partitions.all.compactMap(\.fleet.presentSnapshots)
        return sizes.isEmpty ? nil : sizes.reduce((0, 0)) { ($0.0 + $1.bytes, $0.1 + $1.devices) }
    }

    private func simulate(thread: Int, _ pauses: @Sendable (Int) -> Bool) {
        if !hasBegun { begin(thread: thread, pauses) }
        if thread == 0 { lead(pauses) } else { workers.follow(thread: thread) { [self] in deliver(partition: $0) } }
        if isOver { for partition in own(thread) { partitions[partition].fleet.finish(end: end) } }
    }

    private func own(_ thread: Int) -> [Int] { WorkerPool.own(thread, of: threads, partitions: partitions.all.count) }

    /// Begins all devices, some people of each thread at a time, so that what devices send is queued before it takes
    /// much memory.
    private func begin(thread: Int, _ pauses: @Sendable (Int) -> Bool) {
        let blocks = own(thread).flatMap { partition in
            partition < partitions.shared
                ? Array(share.blocks(of: people, thread: partition, of: partitions.shared)) : []
        }
        let all = share.blocks(of: people, thread: 0, of: 1).reduce(into: 0) { count, _ in count += 1 }
        // No thread has more; all meet equally often.
        let most = (all + partitions.shared - 1) / partitions.shared * ((partitions.shared + threads - 1) / threads)
        var next = 0
        for _ in stride(from: 0, to: max(1, most), by: Self.blocksAtOnce) {
            for block in blocks[next..<min(next + Self.blocksAtOnce, blocks.count)] {
                for person in block where !isCalledOff.load(ordering: .relaxed) {
                    if pauses(0) {
                        isCalledOff.store(true, ordering: .relaxed)
                        break
                    }
                    guard let place = partitions.ownPlace(of: person) else { continue }
                    partitions[place].fleet.begin(person: person)
                    _ = begun.add(1, ordering: .relaxed)
                }
            }
            next = min(next + Self.blocksAtOnce, blocks.count)
            barrier.wait()
            if thread == 0 { collect() }
            barrier.wait()
        }
    }

    /// Blocks of people that a thread begins before what their devices send is queued.
    private static let blocksAtOnce = 64

    /// Queues what devices have sent, and when they have to be resumed.
    func collect() { partitions.withEach(collect) }

    func collect(_ partition: ServicePartition) {
        sent.collect(from: partition.fleet)
        wakes.collect(from: partition.fleet)
    }

    /// Delivers what a partition has to deliver; by the thread that has taken it.
    func deliver(partition place: Int) {
        partitions.with(place) { partition in
            partition.fleet.deliver(partition.delivered, windowEnd: partition.deliveredTo)
            partition.delivered.removeAll(keepingCapacity: true)
        }
    }
}
