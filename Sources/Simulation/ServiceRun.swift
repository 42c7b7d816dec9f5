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
    let service: SimulatedService
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
        _ prepared: PreparedPlan, service: SimulatedService, people: Int, load: LoadCurve, threads: Int,
        window: Duration,
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

/// Runs with a service, written down between two windows and read back.
extension ServiceRun {
    /// Whether it comes to states that can be written down: not with recorded or observed devices.
    var willBeKeepable: Bool { partitions.all.allSatisfy(\.fleet.canBeKept) }

    /// Whether its state can be written down now.
    var canBeKept: Bool { willBeKeepable && hasBegun && !isOver }

    /// Writes down what has come of the run, at the end of a window, or reads it back into a run that has not begun. It
    /// can have other partitions, and be one of another number of ranks: then each reads what every rank has written.
    ///
    /// Each group of ranks that share parts of the service may have come to another instant. A run that continues
    /// begins at the first of them: before it comes to those of the others nothing happens in their parts.
    ///
    /// - Parameters:
    ///   - part: the rank whose state it is. The first one of a group has the state of its parts, too, and is read
    ///     before the others of the group.
    ///   - isBeginning: whether the service has done nothing yet, so that there is no state of it.
    func code(_ stream: StateStream, part: RankShare, isBeginning: Bool = false) throws(StateProblem) {
        precondition(
            willBeKeepable && (stream.isReading ? beginning.count == 0 : canBeKept),
            "a run that cannot be written down")
        let isReading = stream.isReading
        precondition(
            isReading || !isBatched || partitions.all.allSatisfy(\.held.isEmpty),
            "devices of a rank were brought up without answers that are held for them")
        let isOwnDivision = part.ranks == ranks.link.share.ranks
        let written = isOwnDivision ? ranks.division : ranks.division.among(ranks: part.ranks)
        let from = written.place(of: part.rank)
        var count = people
        try stream.code(&count)
        if count != people { throw StateProblem("a fleet of \(count) people stands for one of \(people)") }
        // Counts are added once.
        let counts = !isReading || ranks.link.share.adds(part)
        try (counts ? load : load.emptyCopy()).code(stream)
        var at = delivery.limit
        try stream.code(&at)
        try stream.require(at >= .start && at <= end, "a window outside of the run")
        let isOwn = from.parts.contains(where: ranks.place.parts.contains)
        if isReading {
            try stream.require(
                reading.add(at, ofGroup: written.group(of: part.rank), isOwn: isOwn),
                "the ranks' states are of different instants")
            if isOwn { delivery.limit = reading.first }
        }
        var answers = isReading ? [] : partitions.all.flatMap(\.held)
        var firstAnswer = answers.reduce(Instant.never) { min($0, $1.at) }
        try stream.code(&firstAnswer)
        try stream.code(&answers, limits: ServiceAnswer.byteLimits)
        if isReading { try take(answers, first: firstAnswer, from: from) }
        let led = written.partsLed(by: part.rank)
        if !led.isEmpty, !isBeginning {
            // The load at the origin is added once, by a rank whose measures are.
            try service.code(
                stream, parts: led, limit: at,
                addsLoad: ranks.link.share.rank == (isOwnDivision ? part.rank : 0))
        }
        try FleetPartition.code(
            partitions.all.map(\.fleet), people: people, part: (from.share, { self.ranks.isOf(from, $0) }),
            partition: partitions.ownPlace(of:), countsMeasures: counts,
            sent,
            arrived: isReading ? [] : known.waiting.filter { partitions.share.owns(Int($0.person)) },
            requestsFrom: at,
            wakesFrom: at, stream)
    }

    /// Ends the reading, once what all ranks have written was read.
    func finishReading() throws(StateProblem) {
        try FleetPartition.check(partitions.all.map(\.fleet), partition: partitions.ownPlace(of:), sent)
        let awaiting = try checkAnswers()
        delivery.holdRead()
        var isServed = true
        sent.forEach { if !service.serves(region: Int($0.region)) { isServed = false } }
        if !isServed { throw StateProblem("a request to a region that other ranks serve") }
        if isBatched { for partition in partitions.all { partition.fleet.expectQuickReactions() } }
        sent.forEach { request in
            guard let place = self.partitions.place(of: Int(request.person)), !awaiting.contains(Awaiting(request))
            else {
                return
            }
            partitions.with(place) { $0.fleet.noteOnItsWay(request) }
        }
        delivery.collect()
        hasBegun = true
        beginning.skip()
        progressAt.store(delivery.limit.microseconds, ordering: .relaxed)
    }

    /// Holds the answers of a part that are for this rank's people.
    ///
    /// - Parameter first: the first answer of the part, as it was written.
    private func take(
        _ answers: [ServiceAnswer], first: Instant, from place: ServiceDivision.Place
    ) throws(StateProblem) {
        for answer in answers {
            guard Int(answer.person) < people, ranks.isOf(place, Int(answer.person)) else {
                throw StateProblem("an answer for a device that nobody has")
            }
            if let place = partitions.ownPlace(of: Int(answer.person)) { partitions[place].held.append(answer) }
        }
        guard answers.reduce(Instant.never, { min($0, $1.at) }) == first else {
            throw StateProblem("the first answer is at another instant than was written")
        }
    }

    /// A device of which the service has requests.
    private struct Awaiting: Hashable {
        let person, slot: Int

        init(_ request: ServiceRequest) { (person, slot) = (Int(request.person), Int(request.slot)) }
        init(person: Int, slot: Int) { (self.person, self.slot) = (person, slot) }
    }

    /// Whether all that is decided, or will be, is for somebody.
    ///
    /// - Returns: on several ranks, the devices of this one that wait for a decision.
    private func checkAnswers() throws(StateProblem) -> Set<Awaiting> {
        for partition in partitions.all {
            for answer in partition.held {
                guard partition.fleet.canTake(answer), answer.at >= .start, answer.at <= .start + .longest,
                    answer.retryAfter >= .zero,
                    answer.retryAfter <= .longest,
                    answer.madeAt == .never || answer.madeAt >= .start && answer.madeAt <= answer.at
                else { throw StateProblem("an answer for a device that nobody has, or of no time of the run") }
            }
        }
        var awaiting: Set<Awaiting> = []
        guard
            service.knows({ person, slot, instance in
                guard person < people else { return false }
                // Another rank looks at its own people.
                guard let place = partitions.ownPlace(of: person) else { return true }
                if isBatched { awaiting.insert(Awaiting(person: person, slot: slot)) }
                return partitions[place].fleet.hasInstance(person: person, slot: slot, instance)
            })
        else { throw StateProblem("a request of a device that nobody has") }
        return awaiting
    }
}

/// The instants that the states of a checkpoint stand at.
struct ReadLimits {
    /// By the number of each group of ranks that wrote one.
    private var instants: [Int: Instant] = [:]
    /// The first of those whose parts of the service are this rank's, too; `never` before there is one.
    private(set) var first: Instant = .never

    /// Notes that of a state; false if another one of its group stands at another instant.
    mutating func add(_ at: Instant, ofGroup group: Int, isOwn: Bool) -> Bool {
        if let before = instants[group], before != at { return false }
        instants[group] = at
        if isOwn { first = min(first, at) }
        return true
    }
}

/// The synchronization windows of a run with a service, one after another.
extension ServiceRun {
    /// Opens one synchronization window after another, until the run is over or pauses. A window has seven steps:
    ///
    /// 1. All ranks agree on when it begins, or that the run pauses. Those of several end a batch of windows first.
    /// 2. Partitions that are handed out and may still send something into it come back; then it may begin sooner.
    /// 3. Its requests are taken, in the order of their arrival.
    /// 4. The service serves them, alone.
    /// 5. The answers that it has decided are held for their devices.
    /// 6. Partitions that hold much are delivered, or handed out to other threads.
    /// 7. Answers that matter by now are delivered, and devices that act by themselves are resumed.
    func lead(_ pauses: (Int) -> Bool) {
        findGroup()
        // Some people may not have begun.
        if !hasBegun && lost == nil { hasBegun = everybodyHasBegun() }
        delivery.beginSharing()
        while hasBegun, lost == nil, let start = nextWindow(pauses(windows)) {  // 1
            let windowEnd = min(start + window, isBatched ? min(known.batch.end, end) : end)
            if delivery.bringBack(before: windowEnd) { continue }  // 2
            precondition(start >= delivery.limit, "a window before the last one")
            delivery.limit = windowEnd
            takeRequests()  // 3
            serve()  // 4
            holdDecided()  // 5
            progressAt.store(windowEnd.microseconds, ordering: .relaxed)
            windows += 1
            // Ranks deliver between two batches.
            if isBatched { continue }
            delivery.deliverFull()  // 6
            // Last, for whatever is delivered can bring something that is due.
            delivery.deliverDue(ahead: delivery.lookAhead)  // 7
        }
        delivery.endSharing()
    }

    /// When the next window begins, for all ranks; nil to pause, at the end of the run, or if the ranks no longer work
    /// together.
    private func nextWindow(_ isPausing: Bool) -> Instant? {
        do throws(RankProblem) {
            let pauses = try ranks.pulse?.beat(isPausing: isPausing) ?? isPausing
            guard let start = try isBatched ? nextWindowOfRanks(pauses) : pauses ? nil : nextStart else {
                delivery.bringBack()
                _ = try ranks.pulse?.stop(atEnd: false)
                return nil
            }
            if start < end { return start }
            if try ranks.pulse?.stop(atEnd: true) ?? true {
                delivery.finish(end: end)
                isOver = true
            }
        } catch { lost = error }
        return nil
    }

    /// When anything happens next, in one process; not before the end if nothing does.
    private var nextStart: Instant {
        while true {
            let start = delivery.next(before: min(service.nextAt, sent.nextAt))
            // Before the end something may still arrive that partitions send which are handed out.
            if start < end || !delivery.bringBack() { return start }
        }
    }

    private func takeRequests() {
        if !requests.isEmpty { requests.removeAll(keepingCapacity: true) }
        if isBatched {
            known.take(before: delivery.limit, into: &requests)
        } else {
            sent.take(before: delivery.limit, into: &requests) { delivery.expect($0) }
        }
    }

    private func serve() {
        delivery.noteArrivals(requests)
        if !decided.isEmpty { decided.removeAll(keepingCapacity: true) }
        requests.withUnsafeBufferPointer { service.advance($0, to: delivery.limit, answers: &decided) }
    }

    private func holdDecided() {
        if decided.isEmpty { return }
        if isBatched {
            // All bound the batch; those of other ranks are for no device of this one.
            decided.removeAll { answer in
                known.bound(by: answer, leastLeg: leastLeg)
                return delivery.partitions.place(of: Int(answer.person)) == nil
            }
        }
        delivery.hold(decided)
    }
}
