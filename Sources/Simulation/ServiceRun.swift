import Fleet
import Foundation
import Measures
import RefreshService
import SimulatedTime
import Stochastics
import Synchronization

/// A run in which fleet and service act on each other (S5).
///
/// Both advance in windows no longer than the least delay of any way between them. A request that a device sends in a window reaches the service after it, and
/// an answer that the service decides in a window reaches a device after it: so within a window devices and service need not know of each other, and every fate
/// is exact. A window begins where anything happens next; empty ones are skipped.
///
/// In each window one thread takes the requests that arrive in it from the cohorts and serves them. The answers that it decides need not be delivered at once:
/// a device does nothing because of an answer before its new timeline asks for something, and nothing by itself before its next clock. So answers of several
/// windows come together, at most until their tries would time out. Few of them are delivered by the first thread alone, many by all, while the first serves.
///
/// A run on several ranks lives its own people and serves everybody's requests: all ranks hand the same requests to the same service in the same order, so
/// each knows every answer and tells nobody. They meet once a window. A rank sends what may arrive in it: until the length of a window after the earliest
/// instant that it knows of itself, since none begins later.
final class ServiceRun: @unchecked Sendable {
    // Safety: each cohort and each list belongs to one thread between two barriers; what all read is written by the first thread before one.
    let lanes: [Lane]
    let service: RefreshService
    let load: LoadCurve
    let people: Int
    private let traced: Int?
    let share: RankShare
    /// The link to the other ranks; nil for a run in one process.
    private let link: RankLink?
    /// The coders of all ranks' requests.
    private var codes: [RequestCode] = []
    /// Requests of all ranks that arrive in a later window.
    var arriving: [ServiceRequest] = []
    /// Why the ranks no longer work together.
    private(set) var lost: RankProblem?
    private let threads: Int
    private let window: Duration
    let end: Instant
    private let barrier: Barrier

    /// A cohort with what goes from it to the service and back.
    final class Lane {
        let cohort: FleetCohort
        /// Answers decided for its devices and not delivered: touched by the lane's own thread while it is.
        var held: [ServiceAnswer] = []
        /// Answers decided in this window: touched by the first thread alone.
        var decided: [ServiceAnswer] = []

        init(_ cohort: FleetCohort) { self.cohort = cohort }
    }

    /// The lanes again, for what is done in every window: this way does not touch their reference counts, whose lines of the cache threads would take from each other.
    private let laneReferences: [Unmanaged<Lane>]

    @inline(__always) private func onEachLane(_ body: (Lane) -> Void) {
        for reference in laneReferences { reference._withUnsafeGuaranteedRef(body) }
    }

    /// How many answers have not been delivered, and when the first of them matters to its device.
    var heldCount = 0
    var mattersAt: Instant = .never
    /// Where the window under way ends.
    var limit: Instant = .start
    private var windows = 0
    private var sharing = SharingChoice()
    /// Whether every device lives: the windows have begun.
    var hasBegun = false
    private(set) var isOver = false
    /// The service has come to its end, and the first cohort has all measures.
    private var isMeasured = false
    /// The threads have to end: it is over, or it pauses.
    private var isLeft = false
    private var requests: [ServiceRequest] = []
    private var decided: [ServiceAnswer] = []
    let progressAt = Atomic<Int64>(0)
    let begun = Atomic<Int>(0)

    /// - Parameters:
    ///   - window: above 0, at most the least delay between devices and edge.
    ///   - observed: a person apart from the others, and the cohort that holds that person alone.
    ///   - taps: see the requests of each thread's devices; empty for none.
    ///   - link: to the other ranks; nil for a run in one process.
    init(
        _ prepared: PreparedPlan, service: RefreshService, people: Int, load: LoadCurve, threads: Int, window: Duration, keepsWhole: Bool,
        observed: (person: Int, cohort: FleetCohort)? = nil, taps: [ArrivalTap] = [], link: RankLink? = nil
    ) {
        precondition(window > .zero, "a window of \(window.microseconds) µs")
        self.service = service
        self.load = load
        self.people = people
        self.threads = threads
        self.window = window
        self.link = link
        let share = link?.share ?? .whole
        self.share = share
        traced = observed?.person
        end = prepared.plan.end
        barrier = Barrier(threads: threads)
        let shares = (0..<threads).map {
            FleetCohort(
                prepared, load: load, people: people, share: .thread($0, of: threads, in: share), keepsWhole: keepsWhole, tap: taps.isEmpty ? nil : taps[$0])
        }
        if link != nil { codes = (0..<share.ranks).map { RequestCode(RankShare(rank: $0, of: share.ranks), people: people, leastLeg: prepared.leastLeg) } }
        lanes = (shares + (observed.map { [$0.cohort] } ?? [])).map(Lane.init)
        laneReferences = lanes.map(Unmanaged.passUnretained)
    }

    /// Simulates on to the end, or to the border of a window at which it is told to pause.
    ///
    /// - Parameters:
    ///   - pauses: asked at every border, with the number of windows so far, and while devices begin, with 0. A run that is told to pause before all
    ///     devices have begun cannot continue.
    ///   - progress: called about five times a second on the calling thread.
    /// - Returns: whether it is over.
    func advance(until pauses: @escaping @Sendable (_ windows: Int) -> Bool, progress: (_ done: Double) -> Void) throws(ThreadProblem)
        -> Bool
    {
        precondition(hasBegun || begun.load(ordering: .relaxed) == 0, "a run continues whose devices have not all begun")
        isLeft = false
        try ThreadCrew.work(threads) { [self] in
            live(thread: $0, pauses)
        } waiting: {
            progress(shareDone)
        }
        for lane in lanes { lane.cohort.flush() }
        return isOver
    }

    /// The share of the run that is done, from 0 to 1. Every device has a beginning, which takes time before the clock moves.
    var shareDone: Double {
        let beginnings = Double(begun.load(ordering: .relaxed)) / Double(max(1, share.count(of: people)))
        let time = Double(progressAt.load(ordering: .relaxed)) / Double(max(1, (end - .start).microseconds))
        return 0.05 * min(1, beginnings) + 0.95 * time
    }

    /// Brings the service to its end, after the run is over, and gives the measures of all devices of this rank.
    func measures() -> RunMeasures {
        precondition(isOver, "measures of a run that is not over")
        if isMeasured { return lanes[0].cohort.measures }
        isMeasured = true
        decided.removeAll()
        // Nothing arrives any more: the service comes to the end by itself.
        service.advance(UnsafeBufferPointer(start: nil, count: 0), to: end, answers: &decided)
        service.finish()
        let measures = lanes[0].cohort.measures
        for lane in lanes.dropFirst() { measures.merge(lane.cohort.measures) }
        return measures
    }

    /// The most bytes that the states of devices at rest took, and how many devices there were then; nil if they were kept whole. For a run that was resumed,
    /// since then.
    var mostRest: (bytes: Int, devices: Int)? {
        let sizes = lanes.compactMap(\.cohort.mostRest)
        return sizes.isEmpty ? nil : sizes.reduce((0, 0)) { ($0.0 + $1.bytes, $0.1 + $1.devices) }
    }

    /// The bytes that the states of devices at rest take now, and how many devices rest; nil if they are kept whole.
    var presentRest: (bytes: Int, devices: Int)? {
        let sizes = lanes.compactMap(\.cohort.presentRest)
        return sizes.isEmpty ? nil : sizes.reduce((0, 0)) { ($0.0 + $1.bytes, $0.1 + $1.devices) }
    }

    private func live(thread: Int, _ pauses: @Sendable (Int) -> Bool) {
        if !hasBegun {
            begin(thread: thread, pauses)
            barrier.wait()
        }
        if thread == 0 { lead(pauses) } else { follow(thread) }
        if isOver { for lane in own(thread) { lane.cohort.finish(end: end) } }
    }

    private func own(_ thread: Int) -> [Lane] { stride(from: thread, to: lanes.count, by: threads).map { lanes[$0] } }

    /// Opens one window after another. One thread delivers what a window decides at once. Several hold it until it matters to its device, or until so much has
    /// come together that it is worth sharing: then all deliver, while the first serves the window's requests.
    private func lead(_ pauses: (Int) -> Bool) {
        let own = own(0)
        // Some people may not have begun.
        hasBegun = hasBegun || everybodyHasBegun()
        while hasBegun, let start = nextWindow(pauses(windows)) {
            if start >= end {
                limit = end
                for lane in lanes {
                    // An answer at the end or after it reaches nobody.
                    lane.held.removeAll { $0.at >= end }
                    liveOn(lane)
                }
                isOver = true
                break
            }
            precondition(start >= limit, "a window before the last one")
            limit = min(start + window, end)
            requests.removeAll(keepingCapacity: true)
            takeRequests()
            let isDue = heldCount > 0 && (mattersAt < limit || heldCount >= Self.mostHeld * threads)
            let isShared = isDue && threads > 1 && sharing.shares(heldCount)
            let began = isDue ? DispatchTime.now().uptimeNanoseconds : 0
            var delivered = heldCount
            if isShared {
                forgetHeld()
                barrier.wait()
            }
            serve()
            if isShared {
                for lane in own { liveOn(lane) }
                barrier.wait()
                sharing.note(devices: delivered, wasShared: true, nanoseconds: DispatchTime.now().uptimeNanoseconds - began)
                holdDecided()
            } else if isDue {
                holdDecided()
                delivered = heldCount
                forgetHeld()
                onEachLane { liveOn($0) }
                sharing.note(devices: delivered, wasShared: false, nanoseconds: DispatchTime.now().uptimeNanoseconds - began)
            } else {
                // A device that does something of its own in this window does it in this one: the next may begin after their requests arrive.
                onEachLane { $0.cohort.wake(windowEnd: limit) }
                holdDecided()
            }
            progressAt.store(limit.microseconds, ordering: .relaxed)
            windows += 1
        }
        isLeft = true
        barrier.wait()
    }

    /// Whether every device lives, on all ranks.
    private func everybodyHasBegun() -> Bool {
        guard let link else { return allHaveBegun }
        do throws(RankProblem) { return try !link.vote(!allHaveBegun).isAnyYes } catch {
            lost = error
            return false
        }
    }

    /// So many answers a thread are delivered though none matters yet.
    private static let mostHeld = 256

    private func forgetHeld() { (heldCount, mattersAt) = (0, .never) }

    /// Holds the answers that this window has decided: they are due from now on.
    private func holdDecided() {
        onEachLane { lane in
            if lane.decided.isEmpty { return }
            lane.decided.withUnsafeBufferPointer { decided in
                for answer in decided { mattersAt = min(mattersAt, lane.cohort.latestDelivery(of: answer)) }
            }
            heldCount += lane.decided.count
            lane.held += lane.decided
            lane.decided.removeAll(keepingCapacity: true)
        }
    }

    /// When the next window begins, for all ranks; nil to pause, or if they no longer work together.
    private func nextWindow(_ isPausing: Bool) -> Instant? {
        guard let link else { return isPausing ? nil : nextStart }
        // Asked once: it looks ahead, and knows afterwards of wakes that are out of their queues.
        let earliest = nextStart
        requests.removeAll(keepingCapacity: true)
        // Whatever the others know, no window ends later.
        if earliest < end { for lane in lanes { lane.cohort.takeRequests(before: earliest + window, into: &requests) } }
        requests.sort { $0.arrival < $1.arrival }
        var message: [UInt8] = []
        codes[share.rank].write(requests, from: limit, into: &message)
        do throws(RankProblem) {
            let meeting = try link.meet(earliest: earliest, isPausing: isPausing, requests: message)
            arriving += requests
            for (rank, bytes) in meeting.requests.enumerated() where rank != share.rank {
                if !codes[rank].read(bytes, from: limit, into: &arriving) { throw link.garbled(rank) }
            }
            return meeting.isPausing ? nil : meeting.earliest
        } catch {
            lost = error
            return nil
        }
    }

    /// Takes the requests that arrive in the window.
    private func takeRequests() {
        if link == nil {
            onEachLane { $0.cohort.takeRequests(before: limit, into: &requests) }
            return
        }
        var kept = 0
        for place in arriving.indices {
            if arriving[place].arrival < limit {
                requests.append(arriving[place])
            } else {
                arriving[kept] = arriving[place]
                kept += 1
            }
        }
        arriving.removeLast(arriving.count - kept)
    }

    /// When anything happens next, as far as this rank knows.
    private var nextStart: Instant {
        var start = arriving.reduce(min(service.nextAt, mattersAt)) { min($0, $1.arrival) }
        onEachLane { start = min(start, $0.cohort.nextRequestAt) }
        while true {
            var (first, wakeAt) = (0, Instant.never)
            for place in laneReferences.indices {
                let at = laneReferences[place]._withUnsafeGuaranteedRef { $0.cohort.nextWakeAt }
                if place == 0 || at < wakeAt { (first, wakeAt) = (place, at) }
            }
            if wakeAt >= start { return start }
            if laneReferences[first]._withUnsafeGuaranteedRef({ $0.cohort.findWakes() }) { return wakeAt }
        }
    }

    private func follow(_ thread: Int) {
        let own = own(thread)
        while true {
            barrier.wait()
            if isLeft { break }
            for lane in own { liveOn(lane) }
            barrier.wait()
        }
    }

    /// Delivers what was decided for a lane's devices, and touches those that do something of their own in the window.
    private func liveOn(_ lane: Lane) {
        if !lane.held.isEmpty {
            lane.cohort.deliver(lane.held, windowEnd: limit)
            lane.held.removeAll(keepingCapacity: true)
        }
        lane.cohort.wake(windowEnd: limit)
    }

    private func begin(thread: Int, _ pauses: (Int) -> Bool) {
        for block in share.blocks(of: people, thread: thread, of: threads) {
            for person in block {
                if pauses(0) { return }
                lanes[person == traced ? threads : thread].cohort.begin(person: person)
                _ = begun.add(1, ordering: .relaxed)
            }
        }
    }

    /// The lane of a person; nil for one of another rank.
    func lane(of person: Int) -> Int? { person == traced ? threads : share.thread(of: person, among: threads) }

    /// Serves the requests that arrive in the window.
    private func serve() {
        if requests.count > 1 { requests.sort { $0.arrival == $1.arrival ? $0.precedes($1) : $0.arrival < $1.arrival } }
        decided.removeAll(keepingCapacity: true)
        requests.withUnsafeBufferPointer { service.advance($0, to: limit, answers: &decided) }
        for answer in decided {
            guard let place = lane(of: Int(answer.person)) else { continue }
            laneReferences[place]._withUnsafeGuaranteedRef { lane in
                lane.cohort.expectDelivery(of: answer)
                lane.decided.append(answer)
            }
        }
    }
}
