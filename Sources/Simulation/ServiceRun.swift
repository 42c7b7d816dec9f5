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
final class ServiceRun: @unchecked Sendable {
    // Safety: each cohort and each list belongs to one thread between two barriers; what all read is written by the first thread before one.
    private let lanes: [Lane]
    let service: RefreshService
    let load: LoadCurve
    private let people: Int
    private let traced: Int?
    private let threads: Int
    private let window: Duration
    private let end: Instant
    private let barrier: Barrier

    /// A cohort with what goes from it to the service and back.
    private final class Lane {
        let cohort: FleetCohort
        /// Answers decided for its devices and not delivered: touched by the lane's own thread while it is.
        var held: [ServiceAnswer] = []
        /// Answers decided in this window: touched by the first thread alone.
        var decided: [ServiceAnswer] = []

        init(_ cohort: FleetCohort) { self.cohort = cohort }
    }

    /// How many answers have not been delivered, and when the first of them matters to its device.
    private var heldCount = 0
    private var mattersAt: Instant = .never
    /// Where the window under way ends.
    private var limit: Instant = .start
    private var windows = 0
    private var sharing = SharingChoice()
    /// Whether every device lives: the windows have begun.
    private var hasBegun = false
    private var isOver = false
    /// The threads have to end: it is over, or it pauses.
    private var isLeft = false
    private var requests: [ServiceRequest] = []
    private var decided: [ServiceAnswer] = []
    private let progressAt = Atomic<Int64>(0)
    private let begun = Atomic<Int>(0)

    /// - Parameters:
    ///   - window: above 0, at most the least delay between devices and edge.
    ///   - observed: a person apart from the others, and the cohort that holds that person alone.
    ///   - taps: see the requests of each thread's devices; empty for none.
    init(
        _ prepared: PreparedPlan, service: RefreshService, people: Int, load: LoadCurve, threads: Int, window: Duration, keepsWhole: Bool,
        observed: (person: Int, cohort: FleetCohort)? = nil, taps: [ArrivalTap] = []
    ) {
        precondition(window > .zero, "a window of \(window.microseconds) µs")
        self.service = service
        self.load = load
        self.people = people
        self.threads = threads
        self.window = window
        traced = observed?.person
        end = prepared.plan.end
        barrier = Barrier(threads: threads)
        let shares = (0..<threads).map {
            FleetCohort(prepared, load: load, people: people, share: .blocks(of: threads, at: $0), keepsWhole: keepsWhole, tap: taps.isEmpty ? nil : taps[$0])
        }
        lanes = (shares + (observed.map { [$0.cohort] } ?? [])).map(Lane.init)
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
        let beginnings = Double(begun.load(ordering: .relaxed)) / Double(max(1, people))
        let time = Double(progressAt.load(ordering: .relaxed)) / Double(max(1, (end - .start).microseconds))
        return 0.05 * min(1, beginnings) + 0.95 * time
    }

    /// Brings the service to its end and gives the measures of all devices; once, after the run is over.
    func measures() -> RunMeasures {
        precondition(isOver, "measures of a run that is not over")
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
        hasBegun = hasBegun || allHaveBegun
        while hasBegun && !pauses(windows) {
            let start = nextStart
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
            for lane in lanes { lane.cohort.takeRequests(before: limit, into: &requests) }
            let isDue = heldCount > 0 && (mattersAt < limit || heldCount >= Self.mostHeld * threads)
            let isShared = isDue && threads > 1 && sharing.shares(heldCount)
            let began = DispatchTime.now().uptimeNanoseconds
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
                for lane in lanes { liveOn(lane) }
                sharing.note(devices: delivered, wasShared: false, nanoseconds: DispatchTime.now().uptimeNanoseconds - began)
            } else {
                // A device that does something of its own in this window does it in this one: the next may begin after their requests arrive.
                for lane in lanes { lane.cohort.wake(windowEnd: limit) }
                holdDecided()
            }
            progressAt.store(limit.microseconds, ordering: .relaxed)
            windows += 1
        }
        isLeft = true
        barrier.wait()
    }

    /// So many answers a thread are delivered though none matters yet.
    private static let mostHeld = 256

    private func forgetHeld() { (heldCount, mattersAt) = (0, .never) }

    /// Holds the answers that this window has decided: they are due from now on.
    private func holdDecided() {
        for lane in lanes where !lane.decided.isEmpty {
            for answer in lane.decided { mattersAt = min(mattersAt, lane.cohort.latestDelivery(of: answer)) }
            heldCount += lane.decided.count
            lane.held += lane.decided
            lane.decided.removeAll(keepingCapacity: true)
        }
    }

    /// When anything happens next.
    private var nextStart: Instant {
        var start = min(service.nextAt, mattersAt)
        for lane in lanes { start = min(start, lane.cohort.nextRequestAt) }
        while true {
            var first = lanes[0].cohort
            for lane in lanes.dropFirst() where lane.cohort.nextWakeAt < first.nextWakeAt { first = lane.cohort }
            let wakeAt = first.nextWakeAt
            if wakeAt >= start { return start }
            if first.findWakes() { return wakeAt }
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
        for person in 0..<people {
            let index = lane(of: person)
            guard index % threads == thread else { continue }
            if pauses(0) { return }
            lanes[index].cohort.begin(person: person)
            _ = begun.add(1, ordering: .relaxed)
        }
    }

    private func lane(of person: Int) -> Int { person == traced ? threads : FleetCohort.Share.place(of: person, among: threads) }

    /// Serves the requests that arrive in the window.
    private func serve() {
        if requests.count > 1 { requests.sort { $0.arrival == $1.arrival ? $0.precedes($1) : $0.arrival < $1.arrival } }
        decided.removeAll(keepingCapacity: true)
        requests.withUnsafeBufferPointer { service.advance($0, to: limit, answers: &decided) }
        for answer in decided {
            let lane = lanes[lane(of: Int(answer.person))]
            lane.cohort.expectDelivery(of: answer)
            lane.decided.append(answer)
        }
    }
}

// MARK: Writing down

extension ServiceRun {
    /// Whether every device lives; any thread may ask.
    var allHaveBegun: Bool { begun.load(ordering: .relaxed) == people }

    /// Whether it comes to states that can be written down: not with recorded or observed devices.
    var willBeKeepable: Bool { lanes.allSatisfy(\.cohort.canBeKept) }

    /// Whether its state can be written down now.
    var canBeKept: Bool { willBeKeepable && hasBegun && !isOver }

    /// Writes down what has come of the run, at the border of a window, or reads it back into a run that has not begun. It can have other lanes.
    func code(_ stream: StateStream) throws(StateProblem) {
        precondition(
            willBeKeepable && (stream.isReading ? begun.load(ordering: .relaxed) == 0 : canBeKept), "a run that cannot be written down")
        var count = people
        try stream.code(&count)
        if count != people { throw StateProblem("a fleet of \(count) people stands for one of \(people)") }
        try load.code(stream)
        try stream.code(&limit)
        var firstAnswer = lanes.flatMap(\.held).reduce(Instant.never) { min($0, $1.at) }
        try stream.code(&firstAnswer)
        try stream.require(limit >= .start && limit <= end, "a window outside of the run")
        try codeAnswers(stream)
        try service.code(stream)
        try FleetCohort.code(lanes.map(\.cohort), people: people, cohort: lane(of:), requestsFrom: service.clock, wakesFrom: limit, stream)
        if stream.isReading {
            try checkAnswers(first: firstAnswer)
            // How soon each device reacts is not written down: each may at once, but none before the border.
            (heldCount, mattersAt) = (lanes.reduce(0) { $0 + $1.held.count }, max(firstAnswer, limit))
            hasBegun = true
            begun.store(people, ordering: .relaxed)
            progressAt.store(limit.microseconds, ordering: .relaxed)
        }
    }

    /// Whether all that is decided, or will be, is for somebody.
    ///
    /// - Parameter written: the first answer, as it was written.
    private func checkAnswers(first written: Instant) throws(StateProblem) {
        var first = Instant.never
        for lane in lanes {
            for answer in lane.held {
                first = min(first, answer.at)
                guard lane.cohort.canTake(answer), answer.at >= .start, answer.at <= .start + .longest, answer.retryAfter >= .zero,
                    answer.retryAfter <= .longest, answer.madeAt == .never || answer.madeAt >= .start && answer.madeAt <= answer.at
                else { throw StateProblem("an answer for a device that nobody has, or of no time of the run") }
            }
        }
        guard first == written else { throw StateProblem("the first answer is at another instant than was written") }
        let cohorts = lanes.map(\.cohort)
        guard service.clock <= limit,
            service.knows({ person, slot, instance in
                person < people && cohorts[lane(of: person)].hasInstance(person: person, slot: slot, instance)
            })
        else { throw StateProblem("a request of a device that nobody has") }
    }

    /// Codes the answers that are decided and not delivered yet.
    private func codeAnswers(_ stream: StateStream) throws(StateProblem) {
        var answers = stream.isReading ? [] : lanes.flatMap(\.held)
        try stream.code(&answers, limits: ServiceAnswer.byteLimits)
        if !stream.isReading { return }
        for answer in answers {
            guard Int(answer.person) < people else { throw StateProblem("an answer for a device that nobody has") }
            lanes[lane(of: Int(answer.person))].held.append(answer)
        }
    }
}
