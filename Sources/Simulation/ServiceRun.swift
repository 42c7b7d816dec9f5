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
/// (`ServiceRun.Batch`). Ranks that share none meet only to pause and to end (`RankPulse`).
final class ServiceRun: @unchecked Sendable {
    // Safety: of a partition that is handed out, the fleet (but for the rounds in its pending-device records),
    // `delivered` and `deliveredTo` belong to the thread that has taken it. All else is always the first thread's, once
    // every device has begun.
    let partitions: [ServicePartition]
    let service: RefreshService
    let load: LoadCurve
    let people: Int
    private let traced: Int?
    /// How ranks divide the service and the people, and this rank's share.
    let division: ServiceDivision
    let place: ServiceDivision.Place
    /// The people of the own blocks who are simulated here; nil for all.
    let residents: Residents?
    private let regionOfPerson: (Int) -> Int
    /// The link to all ranks; nil for a run in one process.
    let link: RankLink?
    /// The link to the ranks that share this one's parts of the service, once there is one.
    var group: RankLink?
    /// Nil if all ranks share the service.
    let pulse: RankPulse?
    /// The instants of a checkpoint that is read, by the number of each group of ranks that wrote it, and the first of
    /// those whose parts of the service are this rank's, too.
    var readLimits: [Int: Instant] = [:]
    var readLimit: Instant?
    /// The coders of all ranks' requests.
    var codes: [RequestCode] = []
    /// Requests of all ranks of which they have told, in the order of their arrival; so many have arrived.
    var arriving: [ServiceRequest] = []
    var arrived = 0
    var batch: Batch
    /// Why the ranks no longer work together.
    var lost: RankProblem?
    let threads: Int
    let window: Duration
    /// No way between a device and the edge takes less.
    let leastLeg: Duration
    let begin, end: Instant
    let workers: WorkerPool
    private let barrier: Barrier

    /// Some people's devices, with what is decided for them.
    final class ServicePartition {
        let fleet: FleetPartition
        /// Answers that are being delivered, or next, and the end of the window up to which their devices run then.
        var delivered: [ServiceAnswer] = []
        var deliveredTo: Instant = .start
        /// Answers decided for its devices and not delivered, and when each has to be at the latest.
        var held: [ServiceAnswer] = []
        var dueDates: [Instant] = []
        var mattersAt: Instant = .never
        /// Devices that are resumed next though nothing is decided for them.
        var woken: [DeviceWakeUp] = []
        var rounds = AnswerRounds()
        /// Whether it is handed out, and may be another thread's; nothing that its devices may still send arrives
        /// before `quietBefore`.
        var isOut = false
        var quietBefore: Instant = .never
        /// The places of held answers whose devices are among those being delivered: it is not known before their end
        /// when they matter.
        var unsure: [Int] = []

        init(_ fleet: FleetPartition) { self.fleet = fleet }
    }

    /// The partitions again, for what is done in every window: this way does not touch their reference counts, whose
    /// lines of the cache threads would take from each other.
    private let partitionReferences: [Unmanaged<ServicePartition>]

    @inline(__always) func withEachPartition(_ body: (ServicePartition) -> Void) {
        for reference in partitionReferences { reference._withUnsafeGuaranteedRef(body) }
    }

    @inline(__always) func withPartition<Result>(_ place: Int, _ body: (ServicePartition) -> Result) -> Result {
        partitionReferences[place]._withUnsafeGuaranteedRef(body)
    }

    /// The fleets of the partitions, for the same reason.
    private let fleetReferences: [Unmanaged<FleetPartition>]

    @inline(__always) func withFleet<Result>(_ place: Int, _ body: (FleetPartition) -> Result) -> Result {
        fleetReferences[place]._withUnsafeGuaranteedRef(body)
    }

    /// Requests on their way to the edge, and when devices have to be resumed without an answer.
    let sent = SentRequests()
    var wakes = WakeUpQueue()
    /// The people whose answers are delivered next, and a few others; on a rank of one thread.
    let chosen = PeopleFilter()
    /// How many answers are held, and when the first of them matters to its device.
    var heldCount = 0
    var mattersAt: Instant = .never
    /// How many devices are resumed next though nothing is decided for them.
    var wokenCount = 0
    /// How many partitions are handed out, and the earliest `quietBefore` of them.
    var outCount = 0
    var quietBefore: Instant = .never
    /// The end of the window in which nothing was held last.
    var heldSince: Instant = .start
    /// Where the window under way ends.
    var limit: Instant = .start
    var windows = 0
    var sharing = SharingChoice()
    /// Answers decided so far; how many of them, and when, as it was chosen last whether partitions are handed out.
    var decidedCount = 0
    var choiceAt = (answers: 0, time: UInt64(0))
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
        self.link = link
        batch = Batch(reaction: prepared.mostReaction)
        self.division = division
        let place = division.place(of: link?.share.rank ?? 0)
        self.place = place
        let share = place.share
        self.share = share
        pulse = division.isDivided ? link.map(RankPulse.init) : nil
        regionOfPerson = { prepared.homeRegion(ofPerson: $0) }
        traced = observed?.person
        (begin, end) = (prepared.plan.begin, prepared.plan.end)
        barrier = Barrier(threads: threads)
        let count = Self.partitions(threads: threads)
        let residents = place.regions.map { regions in
            Residents(people: people, share: share, partitions: count) { regions[prepared.homeRegion(ofPerson: $0)] }
        }
        self.residents = residents
        let shares = (0..<count).map { thread in
            FleetPartition(
                prepared, load: load, people: people,
                share: residents.map { .residents($0, thread: thread, of: count, in: share) }
                    ?? .thread(thread, of: count, in: share),
                keepsWhole: keepsWhole, tap: taps.isEmpty ? nil : taps[thread])
        }
        if share.ranks > 1 {
            let plan = prepared.plan
            let bounds = RequestCode.Bounds(
                endpoints: plan.endpoints.count, causes: LoadCurve.causes(with: plan.requestClasses),
                slots: shares[0].slots, regions: plan.regions.indices.map(service.serves),
                latest: plan.end + window)
            codes = (0..<share.ranks).map {
                RequestCode(
                    RankShare(rank: $0, of: share.ranks), people: people, leastLeg: prepared.leastLeg, bounds: bounds)
            }
        }
        partitions = (shares + (observed.map { [$0.fleet] } ?? [])).map(ServicePartition.init)
        partitionReferences = partitions.map(Unmanaged.passUnretained)
        fleetReferences = partitions.map { Unmanaged.passUnretained($0.fleet) }
        workers = WorkerPool(threads: threads, partitions: partitions.count)
        partitionCount = count
    }

    /// The partitions of people who are not observed.
    private let partitionCount: Int

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
            for partition in partitions { partition.fleet.advanceAll(to: limit) }
            collect()
        }
        for partition in partitions { partition.fleet.flush() }
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
    var ownPeople: Int { residents?.count ?? share.count(of: people) }

    /// This rank's blocks of people, among the ranks that share its parts of the service.
    let share: RankShare

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
        for partition in partitions.dropFirst() { measures.merge(partition.fleet.measures) }
        return measures
    }

    /// The most bytes that the states of suspended devices took, and how many devices there were then; nil if they were
    /// kept whole. For a run that was resumed, since then.
    var largestSnapshots: (bytes: Int, devices: Int)? {
        let sizes = partitions.compactMap(\.fleet.largestSnapshots)
        return sizes.isEmpty ? nil : sizes.reduce((0, 0)) { ($0.0 + $1.bytes, $0.1 + $1.devices) }
    }

    /// The bytes that the states of suspended devices take now, and how many devices are suspended; nil if they are
    /// kept whole.
    var presentSnapshots: (bytes: Int, devices: Int)? {
        let sizes = partitions.compactMap(\.fleet.presentSnapshots)
        return sizes.isEmpty ? nil : sizes.reduce((0, 0)) { ($0.0 + $1.bytes, $0.1 + $1.devices) }
    }

    private func simulate(thread: Int, _ pauses: @Sendable (Int) -> Bool) {
        if !hasBegun { begin(thread: thread, pauses) }
        if thread == 0 { lead(pauses) } else { workers.follow(thread: thread) { [self] in deliver(partition: $0) } }
        if isOver { for partition in own(thread) { partitions[partition].fleet.finish(end: end) } }
    }

    private func own(_ thread: Int) -> [Int] { WorkerPool.own(thread, of: threads, partitions: partitions.count) }

    /// Begins all devices, some people of each thread at a time, so that what devices send is queued before it takes
    /// much memory.
    private func begin(thread: Int, _ pauses: @Sendable (Int) -> Bool) {
        let blocks = own(thread).flatMap { partition in
            partition < partitionCount ? Array(share.blocks(of: people, thread: partition, of: partitionCount)) : []
        }
        let all = share.blocks(of: people, thread: 0, of: 1).reduce(into: 0) { count, _ in count += 1 }
        // No thread has more; all meet equally often.
        let most = (all + partitionCount - 1) / partitionCount * ((partitionCount + threads - 1) / threads)
        var next = 0
        for _ in stride(from: 0, to: max(1, most), by: Self.blocksAtOnce) {
            for block in blocks[next..<min(next + Self.blocksAtOnce, blocks.count)] {
                for person in block where !isCalledOff.load(ordering: .relaxed) {
                    if pauses(0) {
                        isCalledOff.store(true, ordering: .relaxed)
                        break
                    }
                    guard let place = ownPartition(of: person) else { continue }
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

    /// The partition of a person who lives in a region of this rank; nil for one of another rank that serves it.
    func partition(of person: Int) -> Int? {
        person == traced ? partitionCount : share.thread(of: person, among: partitionCount)
    }

    /// The partition of anybody; nil for one of another rank.
    func ownPartition(of person: Int) -> Int? {
        if let residents, !residents.contains(person) { return nil }
        return partition(of: person)
    }

    /// Whether somebody is of a rank of this division or another one.
    func isOf(_ place: ServiceDivision.Place, _ person: Int) -> Bool { place.owns(person, region: regionOfPerson) }

    /// Queues what devices have sent, and when they have to be resumed.
    func collect() { withEachPartition(collect) }

    func collect(_ partition: ServicePartition) {
        sent.collect(from: partition.fleet)
        wakes.collect(from: partition.fleet)
    }

    /// Delivers what a partition has to deliver; by the thread that has taken it.
    func deliver(partition place: Int) {
        withPartition(place) { partition in
            partition.fleet.deliver(partition.delivered, windowEnd: partition.deliveredTo)
            partition.delivered.removeAll(keepingCapacity: true)
        }
    }
}
